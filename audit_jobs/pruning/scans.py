"""Distinct scans, prepared once for every spec their containers were written under."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from prunescope.audit_jobs.pruning.lifting import WITHOUT_OLD_FILES, lift_inclusive
from prunescope.audit_jobs.pruning.rules import ICEBERG_1_12, PlannerRules
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Predicate, conjuncts


@dataclass(frozen=True, slots=True)
class Scan:
    """A bound predicate that one or more queries put to one snapshot, and the rules of the
    planner that plans it. `scan_id` is unique within a run."""

    scan_id: int
    predicate: Predicate
    rules: PlannerRules = ICEBERG_1_12

    @property
    def conjuncts(self) -> tuple[Predicate, ...]:
        """The AND-ed parts of the predicate, in order; none if it holds for every row."""
        return conjuncts(self.predicate)


@lru_cache(maxsize=16_384)
def inclusive(conjunct: Predicate, spec: PartitionSpec) -> Predicate:
    """`lift_inclusive` of a table without files of Iceberg 0.10 and older, remembered."""
    return lift_inclusive(conjunct, spec, WITHOUT_OLD_FILES)
