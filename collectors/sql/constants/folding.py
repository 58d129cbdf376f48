"""Constant SQL expressions as values.

Only what every engine of the dialect computes alike is folded, and exactly; the rest is
refused. Literals are read from the syntax tree: printing it again loses types and scales.
"""

from __future__ import annotations

import datetime as dt
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from decimal import Context, Decimal, DecimalException, Inexact, localcontext
from typing import TypeGuard

from sqlglot import exp

from collectors.predicates.calendar import (
    Interval,
    Unit,
    add,
    date_of,
    interval_of,
    nanos_of,
    period_around,
    unit_named,
)
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.sql.constants.calls import called
from collectors.sql.constants.casts import MAX_DECIMAL_DIGITS, cast, to_date, to_timestamp
from collectors.sql.constants.session import (
    Session,
    clock_reading,
)
from collectors.sql.constants.values import NULL, Folded, Null, not_constant
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import own_nodes
from collectors.sql.text.nodes import nodes_that_are

# Year, month and day with all their digits in patterns of strftime, as sqlglot has those of Trino
# and of Spark, and of Joda-Time. Other letters are refused.
_SEPARATORS = "[-/.:, _0-9]"
_STRFTIME_DAYS = re.compile(f"(%Y)|(%m)|(%d)|{_SEPARATORS}")
_STRICT_DAYS = re.compile(f"(%Y)|(%mstrict)|(%dstrict)|{_SEPARATORS}")
_JODA_DAYS = re.compile(f"(yyyy)|(MM)|(dd)|{_SEPARATORS}")
# Before, and after the year 9999, years are not of four digits in all engines.
_FIRST_YEAR = 1000

_CLOCK_READERS = (exp.CurrentDate, exp.CurrentTimestamp, exp.Localtimestamp, exp.Anonymous)


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
        raise not_constant() from None


def literal(expression: exp.Expr, session: Session) -> LiteralValue | Null:
    """The value of a constant expression that a column can be compared with."""
    return comparable(fold(expression, session))


def comparable(value: Folded) -> LiteralValue | Null:
    """A value that a column can be compared with; raises CannotConvert for others."""
    if isinstance(value, Interval):
        raise not_constant()
    return value


def may_read_clock(expression: exp.Expr) -> bool:
    """Whether folding a part of an expression may ask for the start of the query."""
    return any(
        node.name.lower() in ("", "now") for node in nodes_that_are(_CLOCK_READERS, expression)
    )


def _fold(expression: exp.Expr, session: Session) -> Folded:
    match expression:
        case exp.Paren(this=inner):
            return _fold(inner, session)
        case exp.Null():
            return NULL
        case exp.Boolean(this=value):
            return bool(value)
        case exp.Literal(is_string=True):
            return str(expression.name)
        case exp.Literal():
            return number(expression.name)
        case exp.HexString(this=digits):
            return bytes.fromhex(digits)
        case exp.Neg(this=operand):
            return _negative(_fold(operand, session))
        case exp.Add() | exp.Sub():
            return _sum(expression, session)
        case exp.Mul() | exp.Div() | exp.Mod():
            return _product(expression, session)
        case exp.Cast(this=operand, to=exp.DataType()):
            return cast(expression, _fold(operand, session), session)
        case exp.Concat() | exp.DPipe():
            return _concatenation(expression, session)
        case exp.Interval():
            return _interval(expression, session)
        case _:
            return _temporal(expression, session)


def number(text: str) -> LiteralValue:
    """The value of a literal that is a number. Whole ones are integers, those with a point
    decimals, with an exponent doubles (Trino and Spark)."""
    if text.isdecimal():
        return int(text)
    return float(text) if "e" in text.lower() else Decimal(text)


def _negative(value: Folded) -> Folded:
    match value:
        case Null():
            return NULL
        case Interval():
            return value.times(-1)
        case bool():
            raise not_constant()
        case int() | float():
            return -value
        case Decimal():
            return value.copy_negate()
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
        return _shift(right, left, expression.expression, session)
    if isinstance(right, Interval):
        moved = right if is_sum else right.times(-1)
        if isinstance(left, Interval):
            return left.plus(moved)
        return _shift(left, moved, expression.this, session)
    if isinstance(left, dt.date) and _is_int(right) and dialect_of(session.dialect).is_spark:
        days = Interval(days=right if is_sum else -right)
        return _shift(left, days, expression.this, session)
    return _arithmetic(left, right, (lambda a, b: a + b) if is_sum else (lambda a, b: a - b))


def _product(expression: exp.Binary, session: Session) -> Folded:
    left, right = _fold(expression.this, session), _fold(expression.expression, session)
    if left is NULL or right is NULL:
        return NULL
    if isinstance(expression, exp.Mul):
        if isinstance(left, Interval) and _is_int(right):
            return left.times(right)
        if isinstance(right, Interval) and _is_int(left):
            return right.times(left)
        return _arithmetic(left, right, lambda a, b: a * b)
    if not (_is_int(left) and _is_int(right)) or right == 0:
        raise not_constant()
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    if isinstance(expression, exp.Mod):
        return left - right * quotient
    if expression.args.get("typed"):
        return quotient
    if dialect_of(session.dialect).is_spark:
        return left / right
    raise not_constant()


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _arithmetic(left: Folded, right: Folded, apply: Callable[..., int | float | Decimal]) -> Folded:
    """Integers and decimals exactly; in doubles as soon as one side is a double."""
    for value in (left, right):
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise not_constant()
    if isinstance(left, float) or isinstance(right, float):
        return apply(float(left), float(right))  # type: ignore[arg-type]  # numbers, see above
    if isinstance(left, int) and isinstance(right, int):
        whole = apply(left, right)
        # Engines overflow long before, and products of products grow without end.
        if abs(whole) >= 10**MAX_DECIMAL_DIGITS:
            raise not_constant()
        return whole
    with localcontext(Context(prec=MAX_DECIMAL_DIGITS, traps=[Inexact])):
        return apply(left, right)


def _concatenation(expression: exp.Expr, session: Session) -> Folded:
    values = [_fold(operand, session) for operand in _joined_operands(expression)]
    if all(isinstance(value, str) for value in values):
        return "".join(map(str, values))
    raise not_constant()


def _joined_operands(expression: exp.Expr) -> list[exp.Expr]:
    if isinstance(expression, exp.Concat):
        return expression.expressions
    operands = []
    while isinstance(expression, exp.DPipe):
        operands.append(expression.expression)
        expression = expression.this
    return [expression, *reversed(operands)]


def _interval(expression: exp.Interval, session: Session) -> Interval:
    unit = unit_named(expression.unit.name) if isinstance(expression.unit, exp.Var) else None
    if unit is None or expression.this is None:
        raise not_constant()
    count = _fold(expression.this, session)
    if isinstance(count, str):
        count = int(count)
    if not isinstance(count, int) or isinstance(count, bool):
        raise not_constant()
    return interval_of(count, unit)


def _shift(value: Folded, interval: Interval, base: exp.Expr, session: Session) -> Folded:
    """`base`, whose value is known, moved by an interval."""
    match value:
        case dt.date() if not interval.nanos:
            return date_of(add(nanos_of(value), interval))
        case Timestamp(nanos, zoned=False):
            moved = add(nanos, interval)
            # Spark's plain timestamps are instants: hours across a change of the clock's offset
            # are not the difference of its readings.
            if dialect_of(session.dialect).is_spark and session.time_zone:
                span = session.instant_nanos(moved) - session.instant_nanos(nanos)
                if interval.nanos and span != moved - nanos:
                    raise not_constant()
                # What the clock skips is moved, and of what it repeats the offset is kept.
                if any(session.is_ambiguous(wall) for wall in (nanos, moved)):
                    raise not_constant()
            return Timestamp(moved, zoned=False)
        case Timestamp(nanos, zoned=True):
            # Spark moves days on the session's clock; in Trino a day is 24 hours.
            on_clock = interval.months or (interval.days and dialect_of(session.dialect).is_spark)
            if not on_clock:
                return Timestamp(add(nanos, interval), zoned=True)
            if not dialect_of(session.dialect).is_measured:
                raise not_constant()
            wall = clock_reading(value, base, session)
            calendar = Interval(interval.months, interval.days)
            moved = add(wall, calendar)
            if session.is_ambiguous(moved):  # the offset of `value` is kept where it can be
                raise not_constant()
            start = session.instant_nanos(moved)
            return Timestamp(start + interval.nanos, zoned=True)
    raise not_constant()


def _temporal(expression: exp.Expr, session: Session) -> Folded:
    match expression:
        case exp.CurrentDate(this=None):
            return date_of(session.wall_nanos(session.now))
        case exp.CurrentTimestamp(this=None):
            return session.now
        case exp.Anonymous(this=name, expressions=[]) if name.lower() == "now":
            return session.now
        case exp.Anonymous(this=name, expressions=[operand]) if (
            name.lower() == "to_timestamp_ntz" and dialect_of(session.dialect).is_spark
        ):
            value = _fold(operand, session)
            return value if value is NULL else replace(to_timestamp(value), is_ntz=True)
        case exp.Localtimestamp(this=None):
            return Timestamp(session.wall_nanos(session.now), zoned=False)
        case exp.Date(this=exp.Expr() as operand) if len(_arguments(expression)) == 1:
            return to_date(_fold(operand, session), operand, session)
        case exp.TsOrDsToDate(this=operand) if not expression.args.get("format"):
            return to_date(_fold(operand, session), operand, session)
        case exp.FromISO8601Timestamp(this=operand):
            return to_timestamp(_fold(operand, session))
        case exp.FromISO8601Date(this=operand):
            return to_date(_fold(operand, session), operand, session)
        case exp.Encode(this=operand) if expression.text("charset") == "utf-8":
            return _text(_fold(operand, session)).encode()
        case exp.Unhex(this=operand) if dialect_of(session.dialect).is_trino:
            return bytes.fromhex(_text(_fold(operand, session)))
        case exp.DateAdd() | exp.TsOrDsAdd() | exp.DateSub() | exp.TimestampAdd():
            return _added(expression, session)
        case exp.TimestampTrunc(this=operand) | exp.DateTrunc(this=operand):
            return _truncated(expression, _fold(operand, session), session)
        case exp.TimeToStr(this=operand) if set(expression.args) >= {"format"}:
            # Spark's implicit cast, as sqlglot writes it.
            bare = operand.this if isinstance(operand, exp.TimeStrToTime) else operand
            fields = _STRFTIME_DAYS if dialect_of(session.dialect).is_trino else _STRICT_DAYS
            return _day_text(bare, expression.args["format"], fields, session)
        case exp.Anonymous(this=name, expressions=[operand, pattern]) if (
            name.lower() == "format_datetime" and dialect_of(session.dialect).is_trino
        ):
            return _day_text(operand, pattern, _JODA_DAYS, session)
    return called(expression, lambda part: _fold(part, session), dialect_of(session.dialect))


def _text(value: Folded) -> str:
    if not isinstance(value, str):
        raise not_constant()
    return value


def _day_text(
    operand: exp.Expr, pattern: object, fields: re.Pattern[str], session: Session
) -> Folded:
    """The day of a date or timestamp as text."""
    if not dialect_of(session.dialect).has_known_functions or not isinstance(pattern, exp.Literal):
        raise not_constant()
    match _fold(operand, session):
        case Null():
            return NULL
        case Timestamp(nanos, zoned=False):
            day = date_of(nanos)
        case Timestamp() as moment:
            day = date_of(clock_reading(moment, operand, session))
        case dt.date() as day:
            pass
        case _:
            raise not_constant()
    parts = list(fields.finditer(pattern.name))
    if "".join(found[0] for found in parts) != pattern.name or day.year < _FIRST_YEAR:
        raise not_constant()
    widths = (day.year, 4), (day.month, 2), (day.day, 2)
    return "".join(
        found[0] if found.lastindex is None else "{:0{}d}".format(*widths[found.lastindex - 1])
        for found in parts
    )


def _arguments(expression: exp.Expr) -> list[object]:
    return [value for value in expression.args.values() if value]


def _added(expression: exp.Expr, session: Session) -> Folded:
    unit = unit_named(expression.text("unit")) if expression.args.get("unit") else Unit.DAY
    count = _fold(expression.expression, session)
    if unit is None or not isinstance(count, int) or isinstance(count, bool):
        raise not_constant()
    span = interval_of(-count if isinstance(expression, exp.DateSub) else count, unit)
    base = _fold(expression.this, session)
    if isinstance(expression, exp.TsOrDsAdd) and not isinstance(base, dt.date):
        base = to_date(base, expression.this, session)
    return _shift(base, span, expression.this, session)


def _truncated(expression: exp.Expr, value: Folded, session: Session) -> Folded:
    unit = unit_named(expression.text("unit"))
    if unit is None or expression.args.get("zone"):
        raise not_constant()
    match value:
        case dt.date() if unit >= Unit.DAY:
            start = period_around(nanos_of(value), unit)[0]
            # Spark's trunc(), which gives a date, is a DateTrunc; date_trunc() is the other.
            is_timestamp = isinstance(expression, exp.TimestampTrunc)
            if is_timestamp and dialect_of(session.dialect).is_spark:
                return Timestamp(start, zoned=False)
            return date_of(start)
        case Timestamp(nanos, zoned=False):
            start = period_around(nanos, unit)[0]
            is_instant = dialect_of(session.dialect).is_spark and session.time_zone is not None
            if is_instant and any(session.is_ambiguous(wall) for wall in (nanos, start)):
                raise not_constant()
            return Timestamp(start, zoned=False)
        case Timestamp() if unit >= Unit.DAY:
            wall = clock_reading(value, expression.this, session)
            start = period_around(wall, unit)[0]
            if not session.is_boundary(start):
                raise not_constant()
            return Timestamp(session.instant_nanos(start), zoned=True)
    raise not_constant()
