"""Seconds since 1970 of a column, or parts of them, compared with a number, as comparisons of the
column: `to_unixtime(x) >= 1712102400` is `x >= TIMESTAMP '2024-04-03 00:00:00 UTC'`.

They count from 1970-01-01 00:00:00 UTC. What has no time zone is on the session's clock, but for
Spark's unix_timestamp(), to which a time without one is that of UTC (Spark 4.1, Trino 483).
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_SECOND
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.casts import TRINO_DEFAULT_PRECISION
from collectors.sql.constants.clocks import ZONED_TIMESTAMPS
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path, term, time_column
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite

# Doubles up to it, or as far below zero, tell microseconds apart.
_LAST = (2**32 - 1) * NANOS_PER_SECOND
# Nanoseconds are rounded to such a double: less than a microsecond away from its moment.
_ROUNDING = 999
_MICROSECONDS = 6
_WHOLE_DIGITS = 10
_OR_EQUAL = {Op.LT: Op.LT_EQ, Op.LT_EQ: Op.LT_EQ, Op.GT: Op.GT_EQ, Op.GT_EQ: Op.GT_EQ}
_LENGTHS: dict[type[exp.Expr], int] = {
    exp.StrToUnix: NANOS_PER_SECOND,
    exp.UnixSeconds: NANOS_PER_SECOND,
    exp.UnixMillis: NANOS_PER_SECOND // 1_000,
    exp.UnixMicros: NANOS_PER_SECOND // 1_000_000,
}
"""What Spark's functions count, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class EpochCount:
    """How many units of `length` nanoseconds a column's time is after 1970: a double, or only whole
    ones. `scales` are those of the times that it is compared with: moments, or what a clock reads
    (False); `margin` is by how many nanoseconds its time is rounded first at most, either way.
    Whole ones are rounded down or, with `is_cut`, towards zero."""

    path: tuple[str, ...]
    length: int
    is_whole: bool
    scales: tuple[bool, ...] = (True,)
    margin: int = 0
    is_cut: bool = False


def epoch_count(expression: exp.Expr, place: Place) -> EpochCount | None:
    """The column whose units since 1970 an expression is; None for anything else."""
    dialect = dialect_of(place.dialect)
    if isinstance(expression, exp.TimeToUnix):
        return _unixtime(expression.this, place) if dialect.is_trino else None
    if not dialect.has_java_time:
        return None
    if isinstance(expression, exp.Cast):
        return _number(expression, place)
    # Of a date or timestamp, unix_timestamp() does not read the pattern.
    length = _LENGTHS.get(type(expression))
    path = None if length is None else _path(expression.this, place)
    if length is None or path is None:
        return None
    if not isinstance(expression, exp.StrToUnix):
        return EpochCount(path, length, is_whole=True)
    scales = _scales(expression.this, path, place)
    return EpochCount(path, length, is_whole=True, scales=scales, is_cut=True)


def _path(operand: object, place: Place) -> Path | None:
    """That of a time column, as it is or cast to a timestamp."""
    try:
        column = time_column(term(operand, place.path_of, place.dialect))
    except CannotConvert:
        return None
    return None if column is None else column.path


def _scales(operand: exp.Expr, path: Path, place: Place) -> tuple[bool, ...]:
    """Whether unix_timestamp() takes a time as a moment; both where the type is not known."""
    found = operand.unnest()
    kind = place.type_of(path)
    if isinstance(found, exp.Cast):
        kind = "timestamptz" if found.to.this in ZONED_TIMESTAMPS else None
    return (False, True) if kind is None else (kind != "timestamp",)


def _number(cast: exp.Cast, place: Place) -> EpochCount | None:
    """A timestamp with zone that Spark casts to a number which tells its microseconds, or to a long
    of whole seconds, rounded down. Ints may be too small."""
    path = column_path(cast.this.unnest(), place.path_of)
    if path is None or place.type_of(path) != "timestamptz":
        return None
    match cast.to:
        case exp.DataType(this=exp.DType.BIGINT):
            return EpochCount(path, NANOS_PER_SECOND, is_whole=True)
        case exp.DataType(this=exp.DType.DOUBLE):
            return EpochCount(path, NANOS_PER_SECOND, is_whole=False)
        case exp.DataType(this=exp.DType.DECIMAL, expressions=[digits, scale]):
            sizes = (digits.name, scale.name)
            if all(map(str.isdecimal, sizes)) and int(scale.name) >= _MICROSECONDS:
                is_large = int(digits.name) - int(scale.name) >= _WHOLE_DIGITS
                return EpochCount(path, NANOS_PER_SECOND, is_whole=False) if is_large else None
    return None


def _unixtime(operand: exp.Expr, place: Place) -> EpochCount | None:
    """Trino's to_unixtime()."""
    margin, time = 0, operand
    if (digits := _digits_of_cast(operand)) is not None:
        time = operand.unnest().this
        margin = NANOS_PER_SECOND // 10**digits // 2 if digits < _MICROSECONDS else 0
    path = _path(time, place)
    if path is None:
        return None
    is_read = digits is not None and place.type_of(path) not in ("timestamp", "date")
    if is_read and not _is_utc(place.session):
        return None  # what has a zone is read in UTC, and that is taken to be of another clock
    return EpochCount(path, NANOS_PER_SECOND, is_whole=False, margin=margin)


def _digits_of_cast(operand: exp.Expr) -> int | None:
    """How many digits of a second Trino's cast to a timestamp without zone leaves; None for what is
    none."""
    match operand.unnest():
        case exp.Cast(to=exp.DataType(this=exp.DType.TIMESTAMP, expressions=sizes)):
            size = sizes[0].name if sizes else str(TRINO_DEFAULT_PRECISION)
            return int(size) if size.isdecimal() else None
    return None


def _is_utc(session: Session) -> bool:
    return session.time_zone is not None and session.zone == dt.UTC


def compare_epoch(op: Op, found: EpochCount, value: LiteralValue, session: Session) -> Predicate:
    """`count op value` as comparisons of the column; raises CannotConvert where that has no exact
    form."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise CannotConvert(Reason.FUNCTION)
    last = _LAST // found.length
    if op is Op.NOT_EQ or not -last <= value <= last:
        raise CannotConvert(Reason.FUNCTION)
    whole = math.floor(value)
    if value != whole:
        if op is Op.EQ:
            raise CannotConvert(Reason.FUNCTION)
        # What is above a fraction of a unit is above its unit, or in it.
        op, whole = _OR_EQUAL[op], whole + (op in (Op.LT, Op.LT_EQ) and not found.is_whole)
    margin = found.margin + _ROUNDING
    is_whole = found.is_whole
    bounds = _whole(op, whole, found) if is_whole else _rounded(op, whole * found.length, margin)
    column = Column(found.path)
    # Where clocks are those of UTC, what they read is the moment.
    scales = (False,) if _is_utc(session) else found.scales
    return any_of(
        *(
            all_of(*(Comparison(o, column, (Timestamp(at, zoned),)) for o, at in bounds))
            for zoned in scales
        )
    )


def _whole(op: Op, number: int, found: EpochCount) -> list[tuple[Op, int]]:
    match op:
        case Op.LT:
            return [_before(number, found)]
        case Op.LT_EQ:
            return [_before(number + 1, found)]
        case Op.GT_EQ:
            return [_since(number, found)]
        case Op.GT:
            return [_since(number + 1, found)]
    return [_since(number, found), _before(number + 1, found)]


def _since(number: int, found: EpochCount) -> tuple[Op, int]:
    """The times of so many whole units or more."""
    if found.is_cut and number <= 0:
        return Op.GT, (number - 1) * found.length
    return Op.GT_EQ, number * found.length


def _before(number: int, found: EpochCount) -> tuple[Op, int]:
    """The times of less."""
    op, nanos = _since(number, found)
    return (Op.LT_EQ if op is Op.GT else Op.LT), nanos


def _rounded(op: Op, nanos: int, margin: int) -> list[tuple[Op, int]]:
    match op:
        case Op.LT | Op.GT:
            return [(op, nanos)]
        case Op.LT_EQ:
            return [(op, nanos + margin)]
        case Op.GT_EQ:
            return [(op, nanos - margin)]
    return [(Op.GT_EQ, nanos - margin), (Op.LT_EQ, nanos + margin)]


def _rest(_op: Op, found: EpochCount, value: LiteralValue) -> Reason | None:
    is_fraction = isinstance(value, float | Decimal) and value != int(value)
    return Reason.FUNCTION if found.margin or is_fraction else None


REWRITE = Rewrite(epoch_count, compare_epoch, _rest)
