"""Dates and times that are moved, the time between two, and the instants of Unix times, as steps of
calculations (`calculations`)."""

from __future__ import annotations

import datetime as dt
import re

from sqlglot import exp

from collectors.predicates.calculations import DaysSince, DaysUntil, Elapsed, Instant, Moved, Step
from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Interval,
    Unit,
    interval_of,
    unit_named,
)
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.bigquery import NANOS_OF_SCALE
from collectors.sql.constants.documented import DOCUMENTED
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import Folded, is_int
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import own_columns

# Functions of whole numbers that sqlglot knows by name alone, with their units.
_SPARK_TIMES = {
    "timestamp_seconds": 1_000_000_000,
    "timestamp_millis": 1_000_000,
    "timestamp_micros": 1_000,
}
_TRINO_TIMES = {"from_unixtime_nanos": 1}
_BACK = (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)
_COUNT = re.compile(r"-?\d{1,9}", re.ASCII)
_LENGTHS = {
    Unit.SECOND: NANOS_PER_SECOND,
    Unit.MINUTE: 60 * NANOS_PER_SECOND,
    Unit.HOUR: 3_600 * NANOS_PER_SECOND,
    Unit.DAY: NANOS_PER_DAY,
    Unit.WEEK: 7 * NANOS_PER_DAY,
}


def moved_by(
    expression: exp.Binary, interval: Interval, operand: exp.Expr
) -> tuple[Step, exp.Expr] | None:
    """What an interval is added to, or taken from."""
    match expression:
        case exp.Add():
            return Moved(interval), operand
        case exp.Sub():
            return Moved(interval.times(-1)), operand
    return None


def moved(expression: exp.Expr, session: Session) -> tuple[Step, exp.Expr] | None:
    """Trino's date_add() and date_diff(), Spark's timestampadd() and timestampdiff(), and those of
    dialects that document them. Others of Spark are of days alone (`rewrites.day_shifts`), and
    others that are documented count where periods begin (`rewrites.crossed_periods`). Raises
    CannotConvert for counts and moments that are no constants."""
    unit, dialect = unit_named(expression.text("unit")), dialect_of(session.dialect)
    if isinstance(expression, exp.TimestampDiff):
        return _between(expression, unit, session)
    if isinstance(expression, exp.DateDiff):
        if not dialect.is_trino:
            return None
        days = _days_between(expression, session) if unit is Unit.DAY else None
        return days or _between(expression, unit, session)
    is_of_spark = dialect.is_spark and isinstance(expression, exp.TimestampAdd)
    if not (dialect.is_trino or dialect.has_documented_moves or is_of_spark):
        return None
    value: Folded = fold(expression.expression, session)
    if isinstance(value, str) and _COUNT.fullmatch(value) and dialect.has_documented_moves:
        value = int(value)  # as sqlglot has the `INTERVAL 7 DAY` of BigQuery
    if is_int(value) and unit is not None:
        value = interval_of(value, unit)
    if not isinstance(value, Interval) or not own_columns(expression.this):
        return None
    span = value.times(-1) if isinstance(expression, _BACK) else value
    return Moved(span, is_time=is_of_spark), expression.this


def _days_between(expression: exp.DateDiff, session: Session) -> tuple[Step, exp.Expr] | None:
    until, since = expression.this, expression.expression
    if own_columns(until):
        date = fold(since, session)
        return (DaysSince(date), until) if isinstance(date, dt.date) else None
    date = fold(until, session)
    return (DaysUntil(date), since) if isinstance(date, dt.date) else None


def _between(
    expression: exp.DateDiff | exp.TimestampDiff, unit: Unit | None, session: Session
) -> tuple[Step, exp.Expr] | None:
    """The time between a column and a constant, in units that are always as long."""
    until, since = expression.this, expression.expression
    is_until = not own_columns(until)
    constant = until if is_until else since
    moment = fold(constant, session)
    if isinstance(moment, str) and dialect_of(session.dialect).is_spark:
        time = exp.DataType(this=exp.DType.TIMESTAMP)
        moment = fold(exp.Cast(this=exp.Literal.string(moment), to=time), session)
    if unit not in _LENGTHS or not isinstance(moment, dt.date | Timestamp):
        return None
    return Elapsed(moment, _LENGTHS[unit], is_until), since if is_until else until


def unix_time(
    expression: exp.UnixToTime | exp.Anonymous, dialect: str
) -> tuple[Step, exp.Expr] | None:
    """Trino's from_unixtime(), of whatever zone, and from_unixtime_nanos(); Spark's and BigQuery's
    timestamp_seconds() and the like. Spark's from_unixtime() is text."""
    own = dialect_of(dialect)
    if isinstance(expression, exp.UnixToTime):
        scale = expression.text("scale")
        is_scaled = exp.UnixToTime in DOCUMENTED.get(dialect, {})
        is_known = is_scaled or (own.is_trino and not scale)
        length = NANOS_OF_SCALE.get(scale or "0") if is_known else None
        return None if length is None else (Instant(length), expression.this)
    known = _SPARK_TIMES if own.is_spark else _TRINO_TIMES if own.is_trino else {}
    nanos = known.get(expression.name.lower())
    operands = expression.expressions
    return (Instant(nanos), operands[0]) if nanos is not None and len(operands) == 1 else None
