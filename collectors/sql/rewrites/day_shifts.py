"""Spark's date_add(), date_sub() and datediff() of a column, and Trino's `date_diff('day', …)` and
Spark's `datediff(DAY, …)` of a date, compared with a constant, as comparisons of the day of the
column: `date_add(x, 1) = DATE '2026-01-21'` is that of 2026-01-20.

Spark casts what it is given to a date (3.5 and 4.1, DateAdd and DateDiff). Both count the days
between dates where a unit is given, and spans of 24 hours between times, which `calculations` read.
To Spark, a date begins where the session's clock first reads it: that may be later than midnight.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import EPOCH_DAY, Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason, all_of
from collectors.predicates.operators import FLIPPED, Op
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, column_path
from collectors.sql.constants.values import CannotConvert, is_int
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import own_columns


@dataclass(frozen=True, slots=True)
class DayShift:
    """The day of a column moved by `days`; or, with `since`, the number of days from that date to
    it, or from it to that date if `is_backward`, and, without `is_exact`, one more or less."""

    start: PeriodStart
    days: int = 0
    since: dt.date | None = None
    is_backward: bool = False
    is_exact: bool = True


def may_shift_days(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be a shift, for some literals in it."""
    whole = expression.unnest()
    if dialect_of(dialect).is_trino:
        return isinstance(whole, exp.DateDiff) and whole.text("unit").upper() == "DAY"
    if isinstance(whole, exp.TimestampDiff) and whole.text("unit").upper() != "DAY":
        return False
    known = exp.TsOrDsAdd | exp.DateDiff | exp.TimestampDiff | exp.UnixDate
    return dialect_of(dialect).is_spark and isinstance(whole, known)


def day_shift(expression: exp.Expr, place: Place) -> DayShift | None:
    """The shift that an expression is; None for anything else."""
    if not may_shift_days(expression, place.dialect):
        return None
    if isinstance(expression, exp.UnixDate):
        start = _day_of(expression.this, place)
        return None if start is None else DayShift(start, since=EPOCH_DAY)
    left, right = expression.this, expression.expression
    is_backward = bool(own_columns(right))
    if is_backward == bool(own_columns(left)):
        return None
    if isinstance(expression, exp.TsOrDsAdd) and expression.text("unit").upper() != "DAY":
        return None
    operand, other = (right, left) if is_backward else (left, right)
    try:
        value = fold(other, place.session)
    except CannotConvert:
        return None
    are_dates = isinstance(expression, exp.TimestampDiff) or dialect_of(place.dialect).is_trino
    start = _date_of(operand, place) if are_dates else _day_of(operand, place)
    if start is None:
        return None
    if isinstance(expression, exp.DateDiff | exp.TimestampDiff):
        is_utc = place.session.time_zone is not None and place.session.zone == dt.UTC
        is_exact = isinstance(expression, exp.DateDiff) or is_utc
        if not isinstance(value, dt.date):
            return None
        return DayShift(start, 0, value, is_backward, is_exact)
    if is_backward or isinstance(value, bool) or not isinstance(value, int):
        return None
    return DayShift(start, value)


def _date_of(operand: exp.Expr, place: Place) -> PeriodStart | None:
    """The day of a column that an expression is, if it is a date, or the start of it."""
    path = column_path(operand.unnest(), place.path_of)
    is_date = path is None or place.type_of(path) == "date"
    start = _day_of(operand, place) if is_date else None
    # Midnights of a zone are not always 24 hours apart.
    is_naive = start is not None and place.type_of(start.path) in ("date", "timestamp")
    is_truncated = operand.find(exp.TimestampTrunc, exp.DateTrunc) is not None
    return None if is_truncated and not is_naive else start


def _day_of(operand: exp.Expr, place: Place) -> PeriodStart | None:
    start = period_start(operand, Unit.DAY, place.path_of, place.dialect)
    if start is None or start.unit is not Unit.DAY:
        return None
    return PeriodStart(start.path, Unit.DAY, Yields.DATE)


def compare_shift(op: Op, found: DayShift, value: LiteralValue, session: Session) -> Predicate:
    """`shift op value` as comparisons of the column; raises CannotConvert where that has no exact
    form."""
    try:
        if found.since is None:
            if not isinstance(value, dt.date):
                raise CannotConvert(Reason.FUNCTION)
            return compare_period(op, found.start, value - dt.timedelta(found.days), session)
        if not is_int(value):
            raise CannotConvert(Reason.FUNCTION)
        if found.is_backward:
            op, value = FLIPPED[op], -value
        day = found.since + dt.timedelta(value)
        if found.is_exact:
            return compare_period(op, found.start, day, session)
        return _compare_about(op, found.start, day, session)
    except OverflowError:
        raise CannotConvert(Reason.FUNCTION) from None


def _compare_about(op: Op, start: PeriodStart, day: dt.date, session: Session) -> Predicate:
    """What holds where a day that is one before or after that of a column compares so."""
    since = compare_period(Op.GT_EQ, start, day - dt.timedelta(op is not Op.GT), session)
    until = compare_period(Op.LT_EQ, start, day + dt.timedelta(op is not Op.LT), session)
    match op:
        case Op.GT | Op.GT_EQ:
            return since
        case Op.LT | Op.LT_EQ:
            return until
        case Op.EQ:
            return all_of(since, until)
    raise CannotConvert(Reason.FUNCTION)


def _rest(_op: Op, found: DayShift, _value: LiteralValue) -> Reason | None:
    return None if found.is_exact else Reason.FUNCTION


REWRITE = Rewrite(day_shift, compare_shift, _rest, may_be=may_shift_days)
