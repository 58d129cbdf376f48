"""Arithmetic, abs(), coalesce(), casts of numbers, shifts of dates and instants of Unix times on
columns, as `Calculation`. No engine unwraps them, but for casts in Spark that only widen."""

from __future__ import annotations

import math
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calculations import (
    Absolute,
    Calculated,
    Calculation,
    Conversion,
    Default,
    Elapsed,
    Instant,
    Linear,
    Moved,
    Quotient,
    Rounded,
    Step,
    Towards,
)
from collectors.predicates.calendar import Interval
from collectors.predicates.literals import LiteralValue
from collectors.predicates.operators import ORDERED, Op
from collectors.sql.conditions.number_bands import band, may_be_shift, multiple
from collectors.sql.conditions.number_digits import date_of_digits, first_digits
from collectors.sql.conditions.time_steps import moved, moved_by, unix_time
from collectors.sql.constants.casts import TRINO_DEFAULT_PRECISION
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf, column_path
from collectors.sql.constants.values import CannotConvert, Folded, is_int
from collectors.sql.dialects import Dialect, dialect_of
from collectors.sql.text.boolean import own_columns
from collectors.sql.text.nodes import given

_NODES = (
    exp.Neg,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.IntDiv,
    exp.Abs,
    exp.Round,
    exp.Floor,
    exp.Ceil,
    exp.Trunc,
    exp.Coalesce,
    exp.Cast,
    exp.DateAdd,
    exp.DateSub,
    exp.TimestampAdd,
    exp.TimestampSub,
    exp.DatetimeAdd,
    exp.DatetimeSub,
    exp.DateDiff,
    exp.TimestampDiff,
    exp.UnixToTime,
    exp.WidthBucket,
    exp.BitwiseRightShift,
    exp.Substring,
    exp.Left,
    exp.TsOrDsToDate,
    exp.StrToTime,
    exp.ParseDatetime,
    exp.Anonymous,
)
_INTEGERS = {exp.DType.INT: "int", exp.DType.BIGINT: "long"}
_TOWARDS = {
    exp.Round: Towards.NEAREST,
    exp.Floor: Towards.LESS,
    exp.Ceil: Towards.GREATER,
    exp.Trunc: Towards.ZERO,
}
_DOCUMENTED = (Moved, Instant, Elapsed)
"""What is known of dialects whose moves of times are documented, and functions of numbers not."""
_MAX_DIGITS = 18
_MAX_STEPS = 8


def may_calculate(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be a calculation, for some literals in it."""
    found, known = expression.unnest(), dialect_of(dialect)
    if not _may_be_known(known) or not isinstance(found, _NODES):
        return False
    if isinstance(found, exp.Anonymous) and may_be_shift(found, dialect):
        return True
    if isinstance(found, exp.Anonymous | exp.UnixToTime):
        return unix_time(found, dialect) is not None
    if isinstance(found, exp.Substring | exp.Left):
        return first_digits(found, dialect) is not None
    if isinstance(found, exp.TsOrDsToDate | exp.StrToTime | exp.ParseDatetime):
        return date_of_digits(found, dialect) is not None
    return not isinstance(found, exp.Cast) or _type(found.to, dialect) is not None


def counts_to_moment(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression is a time that is made of a number, or of its digits."""
    if isinstance(expression, exp.UnixToTime | exp.Anonymous):
        # In a zone that is given by its hours and minutes, others are read.
        is_moved = expression.args.get("hours") is not None
        return not is_moved and unix_time(expression, dialect) is not None
    if isinstance(expression, exp.TsOrDsToDate | exp.StrToTime | exp.ParseDatetime):
        return date_of_digits(expression, dialect) is not None
    return False


def calculation(expression: exp.Expr, path_of: PathOf, session: Session) -> Calculation | None:
    """The calculation that an expression is; None for anything else."""
    dialect = dialect_of(session.dialect)
    if not _may_be_known(dialect):
        return None
    steps: list[Step] = []
    current = expression.unnest()
    while not isinstance(current, exp.Column | exp.Dot):
        if len(steps) == _MAX_STEPS or not isinstance(current, _NODES):
            return None
        try:
            found = _step(current, session)
        except CannotConvert:
            return None
        if found is None or not _is_known(found[0], dialect):
            return None
        steps.append(found[0])
        current = found[1].unnest()
    path = column_path(current, path_of)
    if path is None or not steps:
        return None
    return Calculation(path, tuple(reversed(steps)))


def _may_be_known(dialect: Dialect) -> bool:
    return dialect.has_known_functions or dialect.has_standard_cases


def _is_known(step: Step, dialect: Dialect) -> bool:
    if dialect.has_known_functions or isinstance(step, Default):
        return True  # COALESCE is CASE
    return dialect.has_documented_moves and isinstance(step, _DOCUMENTED)


def calculated(
    op: Op,
    found: Calculation,
    value: LiteralValue,
    session: Session,
    *,
    is_ordered: bool,
    negated: bool,
) -> Calculated:
    """`calculation op value`; `is_ordered` tells that the engine sorts NaN among numbers, `negated`
    that the query wrote NOT before the opposite."""
    if is_ordered:
        matches_nan = op in (Op.GT, Op.GT_EQ, Op.NOT_EQ)
    else:
        matches_nan = op is Op.NOT_EQ or (negated and op in ORDERED)
    is_spark = dialect_of(session.dialect).is_spark
    return Calculated(found, op, value, is_spark, matches_nan, is_ordered)


def _step(expression: exp.Expr, session: Session) -> tuple[Step, exp.Expr] | None:
    """The last thing that is done, and what it is done to; None for what is not known."""
    match expression:
        case exp.Neg(this=operand):
            return Linear(-1, 0), operand
        case exp.Abs(this=operand):
            return Absolute(), operand
        case exp.Round() | exp.Floor() | exp.Ceil() | exp.Trunc():
            return _rounded(expression, session)
        case exp.Coalesce(this=operand, expressions=[default]):
            value = _constant(default, session)
            return None if value is None else (Default(value), operand)
        case exp.Cast(this=operand, to=exp.DataType() as target):
            kind = _type(target, session.dialect)
            is_plain = not expression.args.get("format")
            return (Conversion(kind), operand) if kind is not None and is_plain else None
        case (
            exp.DateAdd()
            | exp.DateSub()
            | exp.TimestampAdd()
            | exp.TimestampSub()
            | exp.DatetimeAdd()
            | exp.DatetimeSub()
            | exp.DateDiff()
            | exp.TimestampDiff()
        ):
            return moved(expression, session)
        case exp.WidthBucket() | exp.BitwiseRightShift():
            return band(expression, session)
        case exp.UnixToTime() | exp.Anonymous():
            if isinstance(expression, exp.Anonymous) and may_be_shift(expression, session.dialect):
                return band(expression, session)
            return unix_time(expression, session.dialect)
        case exp.Substring() | exp.Left():
            return first_digits(expression, session.dialect)
        case exp.TsOrDsToDate() | exp.StrToTime() | exp.ParseDatetime():
            return date_of_digits(expression, session.dialect)
    if isinstance(expression, exp.Binary):
        return _binary(expression, session)
    return None


def _rounded(
    expression: exp.Round | exp.Floor | exp.Ceil | exp.Trunc, session: Session
) -> tuple[Step, exp.Expr] | None:
    arguments = given(expression)
    if arguments == {"this"}:
        return Rounded(_TOWARDS[type(expression)], 0), expression.this
    if arguments != {"this", "decimals"} or not isinstance(expression, exp.Round | exp.Trunc):
        return None
    digits = fold(expression.args["decimals"], session)
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= _MAX_DIGITS:
        return None
    return Rounded(_TOWARDS[type(expression)], digits), expression.this


def _binary(expression: exp.Binary, session: Session) -> tuple[Step, exp.Expr] | None:
    left, right = expression.this, expression.expression
    if own_columns(left) and own_columns(right):
        return multiple(expression, session)
    is_right = bool(own_columns(right))
    if is_right == bool(own_columns(left)):
        return None
    operand, other = (right, left) if is_right else (left, right)
    value: Folded = fold(other, session)
    if is_int(value) and dialect_of(session.dialect).has_documented_moves:
        value = Interval(days=value)
    if isinstance(value, Interval):
        return (
            None
            if is_right and isinstance(expression, exp.Sub)
            else moved_by(expression, value, operand)
        )
    if isinstance(value, float) and math.isfinite(value) and not isinstance(expression, exp.IntDiv):
        # A double makes one of the other operand.
        operand = exp.Cast(this=operand.copy(), to=exp.DataType.build("double"))
        value = Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    match expression:
        case exp.Add():
            return Linear(1, value), operand
        case exp.Sub():
            return (Linear(-1, value) if is_right else Linear(1, -value)), operand
        case exp.Mul() if abs(value) not in (0, 1):
            return Linear(value, 0), operand
        case exp.Div() | exp.IntDiv() if not is_right and value != 0:
            is_whole = isinstance(value, int) and dialect_of(session.dialect).is_trino
            return Quotient(value, is_whole or isinstance(expression, exp.IntDiv)), operand
    return None


def _constant(expression: exp.Expr, session: Session) -> LiteralValue | None:
    value = fold(expression, session)
    return value if isinstance(value, LiteralValue) else None


def _type(target: exp.DataType, dialect: str) -> str | None:
    sizes = [size.name for size in target.expressions]
    match target.this:
        case exp.DType.DECIMAL if len(sizes) == 2 and all(size.isdecimal() for size in sizes):
            return f"decimal({sizes[0]}, {sizes[1]})"
        case exp.DType.DOUBLE:
            return "double"
        case exp.DType.FLOAT if dialect_of(dialect).is_measured:
            return "float"
        case exp.DType.TIMESTAMP if dialect_of(dialect).is_trino and len(sizes) <= 1:
            return f"timestamp({''.join(sizes) or TRINO_DEFAULT_PRECISION})"
        case kind:
            return _INTEGERS.get(kind)
