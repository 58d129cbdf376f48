"""Columns of which nulls are something else, compared with a constant."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from collectors.predicates.calculated_kinds import UnknownResult
from collectors.predicates.calculations import Calculated
from collectors.predicates.calendar import NANOS_PER_DAY, nanos_of
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, any_of
from collectors.predicates.operators import Op


def or_default(
    column: Column, found: Calculated, default: LiteralValue, type_name: str
) -> tuple[Predicate, bool]:
    """`coalesce(column, default) op value` for text, dates and timestamps, and whether that is
    exact. Raises UnknownResult for a default of another type."""
    compared = Comparison(found.op, column, (found.value,))
    order = _order(default, found.value, type_name)
    # Clocks without zone and those with one are less than a day apart.
    has_time = any(isinstance(value, Timestamp) for value in (found.value, default))
    is_near = has_time and abs(order) <= NANOS_PER_DAY
    if is_near or _HOLDS[found.op](order):
        null = Comparison(Op.IS_NULL, column)
        return any_of(compared, null), not is_near
    return compared, True


_HOLDS: dict[Op, Callable[[int], bool]] = {
    Op.LT: lambda order: order < 0,
    Op.LT_EQ: lambda order: order <= 0,
    Op.GT: lambda order: order > 0,
    Op.GT_EQ: lambda order: order >= 0,
    Op.EQ: lambda order: order == 0,
    Op.NOT_EQ: lambda order: order != 0,
}


def _order(left: LiteralValue, right: LiteralValue, type_name: str) -> int:
    """How far the left one is after the right one, in nanoseconds for times; raises UnknownResult
    for what is of another type than the column."""
    match left, right:
        case str(), str() if type_name == "string":
            before, after = left.encode(), right.encode()
            return (before > after) - (before < after)
        case (dt.date() | Timestamp(), dt.date() | Timestamp()) if type_name != "string":
            first, second = (
                value.nanos if isinstance(value, Timestamp) else nanos_of(value)
                for value in (left, right)
            )
            has_time = isinstance(left, Timestamp) or isinstance(right, Timestamp)
            if has_time and type_name == "date":
                raise UnknownResult
            return first - second
    raise UnknownResult
