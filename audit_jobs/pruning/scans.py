"""Distinct scans, prepared once for every spec their containers were written under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import (
    FALSE,
    Always,
    And,
    BoundComparison,
    Op,
    Or,
    Predicate,
    conjuncts,
)


@dataclass(frozen=True, slots=True)
class Scan:
    """A bound predicate that one or more queries put to one snapshot. `scan_id` is unique
    within a run."""

    scan_id: int
    predicate: Predicate

    @property
    def conjuncts(self) -> tuple[Predicate, ...]:
        """The AND-ed parts of the predicate, in order; none if it holds for every row."""
        return conjuncts(self.predicate)


@lru_cache(maxsize=16_384)
def inclusive(conjunct: Predicate, spec: PartitionSpec) -> Predicate:
    """`lift_inclusive`, remembered."""
    return lift_inclusive(conjunct, spec)


@lru_cache(maxsize=16_384)
def strict(leaf: BoundComparison, spec: PartitionSpec) -> Predicate:
    """`lift_strict` of one comparison, remembered."""
    return lift_strict(leaf, spec)


def comparisons(predicate: Predicate) -> Iterator[BoundComparison]:
    """The single comparisons of a bound predicate."""
    match predicate:
        case And(children) | Or(children):
            for child in children:
                yield from comparisons(child)
        case BoundComparison():
            yield predicate
        case _:
            pass


def may_prune_row_groups(predicate: Predicate) -> bool:
    """Whether Parquet row-group statistics can ever rule out the predicate (Iceberg Java 1.11
    keeps every row group for `!=` and NOT IN)."""
    match predicate:
        case And(children):
            return any(may_prune_row_groups(child) for child in children)
        case Or(children):
            return all(may_prune_row_groups(child) for child in children)
        case BoundComparison(op, field, _):
            return op not in (Op.NOT_EQ, Op.NOT_IN, Op.NOT_NAN) and field.transform is None
        case Always():
            return predicate == FALSE
        case _:
            return False
