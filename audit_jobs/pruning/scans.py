"""Distinct scans, prepared once for every spec their containers were written under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from audit_jobs.pruning.rules import ICEBERG_1_11, PlannerRules
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
    """A bound predicate that one or more queries put to one snapshot, and the rules of the
    planner that plans it. `scan_id` is unique within a run."""

    scan_id: int
    predicate: Predicate
    rules: PlannerRules = ICEBERG_1_11

    @property
    def conjuncts(self) -> tuple[Predicate, ...]:
        """The AND-ed parts of the predicate, in order; none if it holds for every row."""
        return conjuncts(self.predicate)


@lru_cache(maxsize=16_384)
def inclusive(conjunct: Predicate, spec: PartitionSpec, *, old_rounding: bool) -> Predicate:
    """`lift_inclusive`, remembered."""
    return lift_inclusive(conjunct, spec, old_rounding=old_rounding)


@lru_cache(maxsize=16_384)
def strict(leaf: BoundComparison, spec: PartitionSpec, *, old_rounding: bool) -> Predicate:
    """`lift_strict` of one comparison, remembered."""
    return lift_strict(leaf, spec, old_rounding=old_rounding)


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


def may_prune_row_groups(predicate: Predicate, rules: PlannerRules) -> bool:
    """Whether anything that a Parquet file says of its row groups can ever rule out the
    predicate, by these rules."""
    match predicate:
        case And(children):
            return any(may_prune_row_groups(child, rules) for child in children)
        case Or(children):
            return all(may_prune_row_groups(child, rules) for child in children)
        case BoundComparison(op, field, _):
            if field.transform is not None:
                return False
            judged = rules.row_groups.single_value_not_equal or rules.dictionaries
            return judged or op not in (Op.NOT_EQ, Op.NOT_IN, Op.NOT_NAN)
        case Always():
            return predicate == FALSE
        case _:
            return False
