"""Values of constant SQL expressions.

Only expressions that every engine of the dialect computes alike are folded, and exactly; others are
refused. Literals are read from the syntax tree: printing it again loses types and scales.
"""

from __future__ import annotations

import datetime as dt
import struct
from dataclasses import replace
from decimal import DecimalException
from functools import partial

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
    unit_named,
)
from prunescope.collectors.predicates.instants import cast_text
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.sql.constants.arithmetic import arithmetic, negative, number
from prunescope.collectors.sql.constants.casts import (
    TRINO_DEFAULT_PRECISION,
    cast,
    to_date,
    to_ntz,
    to_timestamp,
)
from prunescope.collectors.sql.constants.clocks import elapsed
from prunescope.collectors.sql.constants.constant_times import shifted, truncated
from prunescope.collectors.sql.constants.functions import called
from prunescope.collectors.sql.constants.intervals import interval
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.slot import Slot
from prunescope.collectors.sql.constants.texts import concatenated, unicode_text
from prunescope.collectors.sql.constants.time_texts import UNSAID, time_text
from prunescope.collectors.sql.constants.values import (
    HIDDEN,
    NULL,
    Folded,
    NoValue,
    Null,
    is_in_calendar,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.constants.weeks import asks_for_first_day, of_any_first_day
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import own_nodes
from prunescope.collectors.sql.text.nodes import given, nodes_that_are
from prunescope.collectors.sql.text.tokens import DoubledText

# That of texts for which nothing else is said, in Spark.
_OWN_COLLATION = "UTF8_BINARY"
_CLOCK_NAMES = frozenset(("now", "today", "yesterday"))
_WRITTEN = (*(exp.Literal, exp.Null, exp.Boolean, exp.RawString, exp.UnicodeString, exp.HexString),)
_READ = (
    *(*_WRITTEN, exp.Paren, exp.Collate, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod),
    *(exp.IntDiv, exp.Cast, exp.Concat, exp.DPipe, exp.Interval, exp.CurrentDate, exp.Anonymous),
    *(exp.CurrentTimestamp, exp.Localtimestamp, exp.Date, exp.TsOrDsToDate, exp.FromISO8601Date),
    *(exp.DateAdd, exp.TsOrDsAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampTrunc),
    *(exp.DateTrunc, exp.DatetimeTrunc),
)
"""Nodes that are evaluated here."""
_CLOCK_READERS = (
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Localtimestamp),
    exp.Anonymous,
)


def fold(expression: exp.Expr, session: Session) -> Folded:
    """The value of a constant expression; raises CannotConvert for anything else."""
    if any(isinstance(node, exp.Column | exp.Query) for node in own_nodes(expression)):
        raise not_constant()
    return folded(expression, session)


def folded(expression: exp.Expr, session: Session) -> Folded:
    """The value of an expression that reads neither columns nor queries; raises CannotConvert."""
    try:
        return _fold(expression, session)
    except (ValueError, OverflowError, DecimalException, struct.error):
        raise NoValue(Reason.NOT_CONSTANT) from None


def literal(expression: exp.Expr, session: Session) -> LiteralValue | Null:
    """The value of a constant expression that a column can be compared with."""
    return comparable(fold(expression, session))


def comparable(value: Folded) -> LiteralValue | Null:
    """The value, if a column can be compared with it; raises CannotConvert otherwise."""
    if isinstance(value, Interval | tuple) or (isinstance(value, str) and _is_cut(value)):
        raise not_constant()
    if isinstance(value, Timestamp) and not is_in_calendar(value):
        raise not_constant()
    return value


def _is_cut(text: str) -> bool:
    """True if a text has bytes that are not valid UTF-8, as ClickHouse's may have."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def may_read_clock(expression: exp.Expr) -> bool:
    """True if folding a part of an expression may read the start of the query."""
    return any(
        not isinstance(node, exp.Anonymous) or node.name.lower() in _CLOCK_NAMES
        for node in nodes_that_are(_CLOCK_READERS, expression)
    )


def _text(text: str, session: Session) -> str:
    if not isinstance(text, DoubledText):
        return str(text)  # no slot, which stands for those of other queries
    if session.doubles_quotes is None:
        raise not_constant()
    return str(text) if session.doubles_quotes else text.joined


def _fold(expression: exp.Expr, session: Session) -> Folded:
    if isinstance(expression, Slot):
        return expression.value
    if not _is_read(type(expression)) and not asks_for_first_day(expression, session):
        return called(expression, lambda part: _fold_present(part, session), session)
    match expression:
        case exp.Paren(this=inner):
            return _fold(inner, session)
        case _ if isinstance(expression, _WRITTEN):
            return _written(expression, session)
        case exp.Collate(this=operand) if expression.text("expression").upper() == _OWN_COLLATION:
            return _fold(operand, session)
        case exp.Neg(this=operand):
            return negative(_fold(operand, session), dialect_of(session.dialect))
        case exp.Add() | exp.Sub():
            return _sum(expression, session)
        case exp.Mul() | exp.Div() | exp.Mod() | exp.IntDiv():
            return _product(expression, session)
        case exp.Cast(this=operand, to=exp.DataType()) if not expression.args.get("format"):
            return cast(expression, _fold(operand, session), session)
        case exp.Concat() | exp.DPipe() if not isinstance(expression, exp.ConcatWs):
            operands = _joined_operands(expression)
            values = [_fold(operand, session) for operand in operands]
            skips_nulls = bool(expression.args.get("coalesce"))
            return concatenated(values, session, skips_nulls=skips_nulls)
        case exp.Interval():
            return interval(expression, lambda part: _fold_present(part, session), session)
        case _:
            return _temporal(expression, session)


def _is_read(kind: type[exp.Expr]) -> bool:
    """True if nodes of a type have a case here, and are no calls of known functions alone."""
    found = _IS_READ.get(kind)
    if found is None:
        found = _IS_READ[kind] = issubclass(kind, _READ)
    return found


_IS_READ: dict[type[exp.Expr], bool] = {}


def _written(expression: exp.Expr, session: Session) -> Folded:
    """The value of a literal that is written in the query."""
    match expression:
        case exp.Null():
            return NULL
        case exp.Boolean(this=value):
            return bool(value)
        case exp.Literal(is_string=True, this=text) if text != HIDDEN:
            return _text(text, session)
        case exp.Literal(is_string=False):
            return number(expression.name, dialect_of(session.dialect))
        case exp.RawString():
            return str(expression.this)
        case exp.UnicodeString(this=text):
            return unicode_text(text, expression.args.get("escape"))
        case exp.HexString(this=digits):
            return bytes.fromhex(digits)
    raise not_constant()


def _sum(expression: exp.Expr, session: Session) -> Folded:
    """A chain of additions and subtractions, from its first operand on."""
    links = []
    while isinstance(expression, exp.Add | exp.Sub):
        links.append(expression)
        expression = expression.this
    value = _fold(expression, session)
    for link in reversed(links):
        value = _plus(link, value, session)
    return value


def _plus(expression: exp.Add | exp.Sub, left: Folded, session: Session) -> Folded:
    right = _fold(expression.expression, session)
    if left is NULL or right is NULL:
        return NULL
    is_sum = isinstance(expression, exp.Add)
    if isinstance(left, Interval) and is_sum and not isinstance(right, Interval):
        return _moved(right, left, session)
    if isinstance(right, Interval):
        moved = right if is_sum else right.times(-1)
        if isinstance(left, Interval):
            return left.plus(moved)
        return _moved(left, moved, session)
    days_apart = dialect_of(session.dialect).subtracts_days
    if days_apart and not is_sum and isinstance(left, dt.date) and isinstance(right, dt.date):
        return (left - right).days
    if not is_sum and all(isinstance(side, dt.date | Timestamp) for side in (left, right)):
        return Interval(nanos=elapsed(left, right, session))
    if isinstance(left, dt.date) and is_int(right) and dialect_of(session.dialect).adds_days:
        return _held(left + dt.timedelta(right if is_sum else -right), session)
    if isinstance(left, Timestamp) and is_int(right) and dialect_of(session.dialect).adds_seconds:
        return replace(left, nanos=left.nanos + (right if is_sum else -right) * NANOS_PER_SECOND)
    return arithmetic(expression, left, right, dialect_of(session.dialect))


def _held(day: dt.date, session: Session) -> dt.date:
    """A day; raises CannotConvert for one that a smaller type of dates does not hold, whose numbers
    wrap around."""
    held = dialect_of(session.dialect).held_days
    if held is not None and not held[0] <= day < held[1]:
        raise not_constant()
    return day


def _moved(value: Folded, interval: Interval, session: Session) -> Folded:
    """A value moved by an interval. Spark moves a text as a time, and returns the result as
    text."""
    if not isinstance(value, str) or not dialect_of(session.dialect).has_java_time:
        return shifted(value, interval, session)
    text = None if interval.months else cast_text(value, is_date=False)
    moved = None if text is None else shifted(to_timestamp(text), interval, session)
    if not isinstance(moved, Timestamp) or moved.nanos % NANOS_PER_SECOND:
        raise not_constant()
    return time_text(moved, exp.Literal.string(UNSAID), session)


def _product(expression: exp.Binary, session: Session) -> Folded:
    left, right = _fold(expression.this, session), _fold(expression.expression, session)
    if left is NULL or right is NULL:
        return NULL
    if isinstance(expression, exp.Mul):
        if isinstance(left, Interval) and is_int(right):
            return left.times(right)
        if isinstance(right, Interval) and is_int(left):
            return right.times(left)
    return arithmetic(expression, left, right, dialect_of(session.dialect))


def _joined_operands(expression: exp.Expr) -> list[exp.Expr]:
    if isinstance(expression, exp.Concat):
        return expression.expressions
    operands = []
    while isinstance(expression, exp.DPipe):
        operands.append(expression.expression)
        expression = expression.this
    return [expression, *reversed(operands)]


def _temporal(expression: exp.Expr, session: Session) -> Folded:
    if asks_for_first_day(expression, session):
        return of_any_first_day(partial(_temporal, expression), session)
    match expression:
        case exp.CurrentDate(this=None):
            return date_of(session.wall_nanos(session.now))
        case exp.CurrentTimestamp() if expression.args.get("sysdate"):
            # Snowflake's, which is in UTC and has no zone.
            return Timestamp(session.now.nanos, zoned=False)
        case exp.CurrentTimestamp(this=None | exp.Literal(is_string=False)):
            return _precise(session.now, expression.this, session)
        case exp.Anonymous(this=name, expressions=[]) if name.lower() == "now":
            return _precise(session.now, None, session)
        case exp.Anonymous(this=name, expressions=[operand]) if (
            name.lower() == "to_timestamp_ntz"
            and dialect_of(session.dialect).timestamps_are_instants
        ):
            value = _fold(operand, session)
            return value if value is NULL else to_ntz(value)
        case exp.Localtimestamp(this=None | exp.Literal(is_string=False)):
            is_ntz = dialect_of(session.dialect).timestamps_are_instants
            wall = Timestamp(session.wall_nanos(session.now), zoned=False, is_ntz=is_ntz)
            return _precise(wall, expression.this, session)
        case exp.Date(this=exp.Expr() as operand) if given(expression) == {"this"}:
            return _day(operand, session)
        case exp.TsOrDsToDate(this=operand) if not expression.args.get("format"):
            return _day(operand, session)
        case exp.FromISO8601Date(this=operand):
            return _day(operand, session)
        case exp.DateAdd() | exp.TsOrDsAdd() | exp.DateSub() | exp.TimestampAdd() if not (
            # As sqlglot has the `INTERVAL 7 DAY` of BigQuery.
            isinstance(expression.expression, exp.Literal) and expression.expression.is_string
        ):
            unit = expression.text("unit") if expression.args.get("unit") else Unit.DAY.name
            sign = -1 if isinstance(expression, exp.DateSub) else 1
            return _added(expression, expression.this, expression.expression, unit, sign, session)
        case exp.Anonymous(this=name, expressions=[exp.Var() as unit, count, base]) if (
            name.lower() == "timestampadd"
        ):
            return _added(expression, base, count, unit.name, 1, session)
        case (
            exp.TimestampTrunc(this=operand)
            | exp.DateTrunc(this=operand)
            | exp.DatetimeTrunc(this=operand)
        ):
            value = _fold(operand, session)
            return NULL if value is NULL else truncated(expression, value, session)
    return called(expression, lambda part: _fold_present(part, session), session)


def _fold_present(part: exp.Expr | None, session: Session) -> Folded:
    if part is None:
        raise not_constant()
    return _fold(part, session)


def _day(operand: exp.Expr, session: Session) -> Folded:
    value = _fold(operand, session)
    return NULL if value is NULL else to_date(value, session)


def _precise(value: Timestamp, digits: exp.Literal | None, session: Session) -> Timestamp:
    """A time of a clock, with the requested number of digits of seconds."""
    if digits is not None and value.nanos % 10 ** max(0, 9 - int(digits.name)):
        raise not_constant()
    if not dialect_of(session.dialect).rounds_times:
        return value
    asked = TRINO_DEFAULT_PRECISION if digits is None else int(digits.name)
    return replace(value, digits=asked)


def _added(
    expression: exp.Expr, base: exp.Expr, count: exp.Expr, unit: str, sign: int, session: Session
) -> Folded:
    """A date or time, moved by a number of units or by an interval."""
    named, moved, value = unit_named(unit), _fold(count, session), _fold(base, session)
    if moved is NULL or value is NULL:
        return NULL
    if isinstance(moved, Interval) and not dialect_of(session.dialect).is_measured:
        span = moved.times(sign)
    elif named is not None and is_int(moved):
        span = interval_of(sign * moved, named)
    else:
        raise not_constant()
    if isinstance(expression, exp.TsOrDsAdd) and not isinstance(value, dt.date):
        value = to_date(value, session)
    if isinstance(expression, exp.TimestampAdd) and isinstance(value, dt.date):
        value = to_timestamp(value) if dialect_of(session.dialect).has_java_time else value
    return shifted(value, span, session, is_added=True)
