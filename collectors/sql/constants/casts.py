"""CAST of a constant, as Trino and Spark compute it."""

from __future__ import annotations

import datetime as dt
import struct
from dataclasses import replace
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TypeVar

from sqlglot import exp

from collectors.predicates.calendar import date_of, nanos_of
from collectors.predicates.instants import parse_date, parse_time, parse_timestamp
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.session import (
    Session,
    clock_reading,
)
from collectors.sql.constants.values import NULL, Folded, not_constant
from collectors.sql.dialects import dialect_of

_T = TypeVar("_T")
MAX_DECIMAL_DIGITS = 38
# CAST(… AS TIMESTAMP) without a precision is TIMESTAMP(3) in Trino.
TRINO_DEFAULT_PRECISION = 3
_NANOSECONDS = 9
_NAIVE_TIMESTAMPS = (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPNTZ, exp.DType.DATETIME)
_ZONED_TIMESTAMPS = (exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ)
TIMESTAMPS = (*_NAIVE_TIMESTAMPS, *_ZONED_TIMESTAMPS)


def cast(expression: exp.Cast, value: Folded, session: Session) -> Folded:
    """`value`, which is that of the operand, in the type that `expression` names. Raises
    CannotConvert, and what int(), float() and Decimal() raise, where the engines' results
    differ or are errors."""
    if value is NULL:
        return NULL
    target = expression.to
    kind = target.this
    sizes = [int(size.name) for size in target.expressions]
    match kind:
        case exp.DType.DATE:
            result: Folded = to_date(value, expression.this, session)
        case exp.DType.DECIMAL:
            result = _decimal(expression, value, sizes)
        case exp.DType.DOUBLE:
            result = _double(value)
        case exp.DType.FLOAT if dialect_of(session.dialect).is_measured:
            result = struct.unpack("f", struct.pack("f", _double(value)))[0]
        case _ if kind in TIMESTAMPS:
            result = _to_precise_timestamp(expression, value, sizes, session)
        case _ if kind in exp.DataType.INTEGER_TYPES:
            result = _integer(value)
        case exp.DType.CHAR if isinstance(value, str) and dialect_of(session.dialect).is_trino:
            result = value[: sizes[0] if sizes else 1].rstrip(" ")  # as it is compared with text
        case exp.DType.TEXT | exp.DType.VARCHAR if type(value) is int and not sizes:
            result = str(value)
        case _ if isinstance(value, str):
            result = _from_text(value, target, sizes)
        case _:
            raise not_constant()
    return result


def _from_text(value: str, target: exp.DataType, sizes: list[int]) -> Folded:
    match target.this:
        case exp.DType.VARCHAR | exp.DType.TEXT | exp.DType.UUID:
            return value[: sizes[0]] if sizes else value
        case exp.DType.BINARY | exp.DType.VARBINARY:
            return value.encode()
        case exp.DType.BOOLEAN if value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        case exp.DType.TIME:
            return _known(parse_time(value))
    raise not_constant()


def _to_precise_timestamp(
    expression: exp.Cast, value: Folded, sizes: list[int], session: Session
) -> Timestamp:
    result = to_timestamp(value)
    target = expression.to.this
    is_naive = target in _NAIVE_TIMESTAMPS
    if result.zoned and is_naive and not dialect_of(session.dialect).is_spark:
        raise not_constant()
    default = TRINO_DEFAULT_PRECISION if dialect_of(session.dialect).is_trino else _NANOSECONDS
    digits = sizes[0] if sizes else default
    if result.nanos % 10 ** max(0, _NANOSECONDS - digits):  # the engines would round it
        raise not_constant()
    is_ntz = target is exp.DType.TIMESTAMPNTZ and dialect_of(session.dialect).is_spark
    return replace(result, is_ntz=True) if is_ntz and not result.zoned else result


def _known(value: _T | None) -> _T:
    if value is None:
        raise not_constant()
    return value


def to_date(value: Folded, source: exp.Expr, session: Session) -> dt.date:
    """The day of `value`, the result of `source`; raises CannotConvert for what is no time."""
    match value:
        case dt.date():
            return value
        case str():
            return _known(parse_date(value))
        case Timestamp(nanos, zoned=True):
            return date_of(clock_reading(value, source, session))
        case Timestamp(nanos, zoned=False):
            # Spark's plain timestamps are instants: what the clock skips is moved.
            is_moved = dialect_of(session.dialect).is_spark and session.time_zone is not None
            if is_moved and date_of(session.moved_wall(nanos)) != date_of(nanos):
                raise not_constant()
            return date_of(nanos)
    raise not_constant()


def to_timestamp(value: Folded) -> Timestamp:
    """A date, a timestamp or its text as a timestamp; raises CannotConvert for the rest."""
    match value:
        case Timestamp():
            return value
        case dt.date():
            return Timestamp(nanos_of(value), zoned=False)
        case str():
            date = parse_date(value)
            if date is not None:
                return Timestamp(nanos_of(date), zoned=False)
            return _known(parse_timestamp(value))
    raise not_constant()


def _decimal(expression: exp.Cast, value: Folded, sizes: list[int]) -> Folded:
    if isinstance(value, str):
        value = Decimal(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise not_constant()
    number = Decimal(value)
    if not number.is_finite():
        raise not_constant()
    # sqlglot reads DECIMAL '0.99' and CAST('0.99' AS DECIMAL), which is an integer, as the same
    # node; only the latter carries CAST's other arguments.
    if not sizes and "format" not in expression.args:
        return number
    precision, scale = sizes[0] if sizes else MAX_DECIMAL_DIGITS, (*sizes, 0, 0)[1]
    rounded = number.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, Context(prec=100))
    if not sizes and rounded != number:
        raise not_constant()
    if len(rounded.as_tuple().digits) > precision:
        raise not_constant()
    return rounded


def _integer(value: Folded) -> int:
    if isinstance(value, str):
        return int(value)
    if isinstance(value, int | float | Decimal) and value == int(value):
        return int(value)
    raise not_constant()


def _double(value: Folded) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        raise not_constant()
    return float(value)
