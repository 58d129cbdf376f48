"""Seconds since 1970 of a column, compared with a number, as comparisons of the column:
`to_unixtime(x) >= 1712102400` is `x >= TIMESTAMP '2024-04-03 00:00:00'`.

Seconds count from 1970-01-01 00:00:00 UTC for timestamps with zone, and on the wall clock for those
without. The type of the column is not known here: where the two differ, the result is the OR.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_SECOND
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.casts import TRINO_DEFAULT_PRECISION
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import term, time_column
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite

# Doubles below tell microseconds apart. Spark drops the fraction of negative numbers upwards.
_FIRST, _LAST = 1, 2**32 - 1
# Nanoseconds are rounded to such a double: less than a microsecond away from its moment.
_ROUNDING = 999
_MICROSECONDS = 6
_OR_EQUAL = {Op.LT: Op.LT_EQ, Op.LT_EQ: Op.LT_EQ, Op.GT: Op.GT_EQ, Op.GT_EQ: Op.GT_EQ}


@dataclass(frozen=True, slots=True)
class EpochSeconds:
    """The seconds since 1970 of a column: a double, or only whole ones. `margin` is by how many
    nanoseconds its time is rounded first at most, either way."""

    path: tuple[str, ...]
    is_whole: bool
    margin: int = 0


def epoch_seconds(expression: exp.Expr, place: Place) -> EpochSeconds | None:
    """The column whose seconds an expression is; None for anything else."""
    match expression:
        # Of a date or timestamp, Spark's unix_timestamp() does not read the pattern.
        case exp.StrToUnix(this=operand) | exp.UnixSeconds(this=operand):
            is_whole, is_known = True, dialect_of(place.dialect).has_java_time
        case exp.TimeToUnix(this=operand):
            is_whole, is_known = False, dialect_of(place.dialect).is_trino
        case _:
            return None
    if not is_known:
        return None
    margin = 0
    if not is_whole and (digits := _digits_of_cast(operand)) is not None:
        operand = operand.unnest().this
        margin = NANOS_PER_SECOND // 10**digits // 2 if digits < _MICROSECONDS else 0
    try:
        found = term(operand, place.path_of, place.dialect)
    except CannotConvert:
        return None
    column = time_column(found)
    return None if column is None else EpochSeconds(column.path, is_whole, margin)


def _digits_of_cast(operand: exp.Expr) -> int | None:
    """How many digits of a second Trino's cast to a timestamp without zone leaves; None for what is
    none. What has a zone is read in UTC, and its clock counts as that of UTC."""
    match operand.unnest():
        case exp.Cast(to=exp.DataType(this=exp.DType.TIMESTAMP, expressions=sizes)):
            size = sizes[0].name if sizes else str(TRINO_DEFAULT_PRECISION)
            return int(size) if size.isdecimal() else None
    return None


def compare_epoch(op: Op, found: EpochSeconds, value: LiteralValue, session: Session) -> Predicate:
    """`seconds op value` as comparisons of the column; raises CannotConvert where that has no
    exact form."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise CannotConvert(Reason.FUNCTION)
    if not _FIRST <= value <= _LAST or op is Op.NOT_EQ:
        raise CannotConvert(Reason.FUNCTION)
    if value != int(value):
        if op is Op.EQ:
            raise CannotConvert(Reason.FUNCTION)
        # What is above a fraction of a second is above its second, or in it.
        op, value = _OR_EQUAL[op], int(value) + (op in (Op.LT, Op.LT_EQ) and not found.is_whole)
    nanos = int(value) * NANOS_PER_SECOND
    scales = [False]
    if session.time_zone is not None and session.zone != dt.UTC:
        scales.append(True)
    margin = found.margin + _ROUNDING
    bounds = _whole(op, nanos) if found.is_whole else _rounded(op, nanos, margin)
    column = Column(found.path)
    return any_of(
        *(
            all_of(*(Comparison(o, column, (Timestamp(at, zoned),)) for o, at in bounds))
            for zoned in scales
        )
    )


def _whole(op: Op, nanos: int) -> list[tuple[Op, int]]:
    following = nanos + NANOS_PER_SECOND
    match op:
        case Op.LT | Op.GT_EQ:
            return [(op, nanos)]
        case Op.LT_EQ:
            return [(Op.LT, following)]
        case Op.GT:
            return [(Op.GT_EQ, following)]
    return [(Op.GT_EQ, nanos), (Op.LT, following)]


def _rounded(op: Op, nanos: int, margin: int) -> list[tuple[Op, int]]:
    match op:
        case Op.LT | Op.GT:
            return [(op, nanos)]
        case Op.LT_EQ:
            return [(op, nanos + margin)]
        case Op.GT_EQ:
            return [(op, nanos - margin)]
    return [(Op.GT_EQ, nanos - margin), (Op.LT_EQ, nanos + margin)]


def _rest(_op: Op, found: EpochSeconds, value: LiteralValue) -> Reason | None:
    is_fraction = isinstance(value, float | Decimal) and value != int(value)
    return Reason.FUNCTION if found.margin or is_fraction else None


REWRITE = Rewrite(epoch_seconds, compare_epoch, _rest)
