"""Estimates of the share of a table that a predicate matches, from bounds alone, if no rows were
sampled."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import prod
from typing import Protocol

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import TRUE, Always, And, BoundComparison, Or, Predicate
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.types import Physical, physical

_DISCRETE = (Physical.INTEGER,)


class Bounds(Protocol):
    """The bounds of all values of a column, as ColumnHealth has them."""

    @property
    def type(self) -> str:
        """Its type."""

    @property
    def low(self) -> PhysicalValue | None:
        """The least value, or a lower one."""

    @property
    def high(self) -> PhysicalValue | None:
        """The greatest value, or a higher one."""


def share_by_bounds(predicate: Predicate, health: TableHealth) -> float | None:
    """The share of rows that a bound predicate matches if values are spread evenly between the
    table's bounds and columns are independent: the textbook's assumption (Selinger et al., 1979),
    and no more than that. None where the bounds of no column tell anything."""
    return share_between(predicate, {column.field_id: column for column in health.columns})


def share_between(predicate: Predicate, columns: Mapping[int, Bounds]) -> float | None:
    """Share of rows that a bound predicate matches, under the same assumptions, from bounds by
    field id; None if no bounds tell."""
    if predicate == TRUE:
        return 1.0
    known = _share(predicate, columns)
    return None if known is None else min(1.0, max(0.0, known))


def _share(predicate: Predicate, columns: Mapping[int, Bounds]) -> float | None:
    match predicate:
        case Always(value):
            return float(value)
        case And(children):
            ranges = _combined_ranges(children, columns)
            others = [_share(c, columns) for c in children if not _is_range(c)]
            known = [share for share in (*ranges, *others) if share is not None]
            return prod(known) if known else None
        case Or(children):
            shares = [_share(child, columns) for child in children]
            if any(share is None for share in shares):
                return None
            return sum(share for share in shares if share is not None)
        case BoundComparison():
            return _leaf_share(predicate, columns)
        case _:
            return None


def _is_range(predicate: Predicate) -> bool:
    return isinstance(predicate, BoundComparison) and predicate.op in ORDERED


def _combined_ranges(
    children: tuple[Predicate, ...], columns: Mapping[int, Bounds]
) -> list[float | None]:
    """One share per column that has ranges: both ends of an interval belong together."""
    by_column: dict[int, list[BoundComparison]] = {}
    for child in children:
        if isinstance(child, BoundComparison) and _is_range(child):
            by_column.setdefault(child.field.field_id, []).append(child)
    return [_interval(leaves, columns.get(field)) for field, leaves in by_column.items()]


def _leaf_share(leaf: BoundComparison, columns: Mapping[int, Bounds]) -> float | None:
    column = columns.get(leaf.field.field_id)
    if _is_range(leaf):
        return _interval([leaf], column)
    if leaf.op in (Op.NOT_EQ, Op.NOT_IN, Op.NOT_NULL, Op.NOT_NAN, Op.NOT_STARTS_WITH):
        return 1.0
    if leaf.op not in (Op.EQ, Op.IN):
        return None
    domain = None if column is None else _domain(column)
    if domain is None or column is None or physical(column.type) not in _DISCRETE:
        return None
    low, high = domain
    inside = sum(1 for value in leaf.values if low <= _number(value) <= high)
    return inside / (high - low + 1)


def _interval(leaves: list[BoundComparison], column: Bounds | None) -> float | None:
    domain = None if column is None else _domain(column)
    if domain is None:
        return None
    low, high = start, end = domain
    for leaf in leaves:
        if not isinstance(leaf.values[0], int | float | Decimal):
            return None
        value = _number(leaf.values[0])
        if leaf.op in (Op.LT, Op.LT_EQ):
            end = min(end, value)
        else:
            start = max(start, value)
    if end < start:
        return 0.0
    return 1.0 if high == low else (end - start) / (high - low)


def _domain(column: Bounds) -> tuple[float, float] | None:
    if isinstance(column.low, bytes | None) or isinstance(column.high, bytes | None):
        return None
    low, high = _number(column.low), _number(column.high)
    return (low, high) if low <= high else None


def _number(value: PhysicalValue) -> float:
    assert not isinstance(value, bytes)
    return float(value)
