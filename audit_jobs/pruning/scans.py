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
    Unsupported,
    all_of,
    any_of,
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


def conjunct_class(conjunct: Predicate, specs: tuple[PartitionSpec, ...]) -> str:
    """How far planning answers a conjunct.

    `enforced`: completely, by partitioning, under every one of `specs` (inclusive and strict
    lift are the same predicate, Iceberg's own test). `unsupported`: no part of it can become a
    comparison. `unenforced`: it may prune, but rows must still be filtered.
    """
    if not _has_comparison(conjunct):
        return "unsupported"
    if specs and all(_answered_by(conjunct, spec) for spec in specs):
        return "enforced"
    return "unenforced"


def _answered_by(conjunct: Predicate, spec: PartitionSpec) -> bool:
    return _canonical(lift_inclusive(conjunct, spec)) == _canonical(lift_strict(conjunct, spec))


def _canonical(predicate: Predicate) -> Predicate:
    """Whole numbers have neighbours: `p < 5` and `p <= 4` are the same partitions (Iceberg's
    BoundLiteralPredicate.isEquivalentTo)."""
    match predicate:
        case And(children):
            return all_of(*(_canonical(child) for child in children))
        case Or(children):
            return any_of(*(_canonical(child) for child in children))
        case BoundComparison(Op.LT, field, (int(value),)) if field.type in ("int", "long", "date"):
            return BoundComparison(Op.LT_EQ, field, (value - 1,))
        case BoundComparison(Op.GT, field, (int(value),)) if field.type in ("int", "long", "date"):
            return BoundComparison(Op.GT_EQ, field, (value + 1,))
        case _:
            return predicate


def _has_comparison(predicate: Predicate) -> bool:
    match predicate:
        case And(children):
            return any(_has_comparison(child) for child in children)
        case Or(children):
            return all(_has_comparison(child) for child in children)
        case Unsupported():
            return False
        case _:
            return True


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
