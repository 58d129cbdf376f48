"""Constant SQL expressions as values.

Only what every engine of the dialect computes alike is folded, and exactly; the rest is
refused. Literals are read from the syntax tree: printing it again loses types and scales.
"""

from __future__ import annotations

import datetime as dt
import struct
from dataclasses import replace
from decimal import DecimalException

from sqlglot import exp

from collectors.predicates.calendar import (
    Interval,
    Unit,
    date_of,
    interval_of,
    unit_named,
)
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.sql.constants.arithmetic import arithmetic, is_int, negative, number
from collectors.sql.constants.calls import called
from collectors.sql.constants.casts import cast, to_date, to_timestamp
from collectors.sql.constants.moments import (
    JODA_DAYS,
    STRFTIME_DAYS,
    STRICT_DAYS,
    day_text,
    shifted,
    truncated,
)
from collectors.sql.constants.session import (
    Session,
)
from collectors.sql.constants.values import NULL, Folded, Null, not_constant
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import own_nodes
from collectors.sql.text.nodes import nodes_that_are

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
            return negative(_fold(operand, session))
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
        return shifted(right, left, expression.expression, session)
    if isinstance(right, Interval):
        moved = right if is_sum else right.times(-1)
        if isinstance(left, Interval):
            return left.plus(moved)
        return shifted(left, moved, expression.this, session)
    if isinstance(left, dt.date) and is_int(right) and dialect_of(session.dialect).is_spark:
        days = Interval(days=right if is_sum else -right)
        return shifted(left, days, expression.this, session)
    return arithmetic(left, right, (lambda a, b: a + b) if is_sum else (lambda a, b: a - b))


def _product(expression: exp.Binary, session: Session) -> Folded:
    left, right = _fold(expression.this, session), _fold(expression.expression, session)
    if left is NULL or right is NULL:
        return NULL
    if isinstance(expression, exp.Mul):
        if isinstance(left, Interval) and is_int(right):
            return left.times(right)
        if isinstance(right, Interval) and is_int(left):
            return right.times(left)
        return arithmetic(left, right, lambda a, b: a * b)
    if not (is_int(left) and is_int(right)) or right == 0:
        raise not_constant()
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    if isinstance(expression, exp.Mod):
        return left - right * quotient
    if expression.args.get("typed"):
        return quotient
    if dialect_of(session.dialect).is_spark:
        return left / right
    raise not_constant()


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
            return truncated(expression, _fold(operand, session), session)
        case exp.TimeToStr(this=operand) if set(expression.args) >= {"format"}:
            # Spark's implicit cast, as sqlglot writes it.
            bare = operand.this if isinstance(operand, exp.TimeStrToTime) else operand
            fields = STRFTIME_DAYS if dialect_of(session.dialect).is_trino else STRICT_DAYS
            value = _fold(bare, session)
            return day_text(value, bare, expression.args["format"], fields, session)
        case exp.Anonymous(this=name, expressions=[operand, pattern]) if (
            name.lower() == "format_datetime" and dialect_of(session.dialect).is_trino
        ):
            return day_text(_fold(operand, session), operand, pattern, JODA_DAYS, session)
    return called(expression, lambda part: _fold(part, session), dialect_of(session.dialect))


def _text(value: Folded) -> str:
    if not isinstance(value, str):
        raise not_constant()
    return value


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
    return shifted(base, span, expression.this, session)
