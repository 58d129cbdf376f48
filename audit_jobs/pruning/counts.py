"""Counts of the passes, as arrays over scans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.pruning.packed import counts
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.tally import CONJUNCT_COUNTS, COUNTS
from prunescope.audit_jobs.pruning.verdicts import Verdicts
from prunescope.collectors.arrays import IntArray

Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]


@dataclass(slots=True, eq=False)
class Counts:
    """The counts of COUNTS for S scans, by name, as arrays of length S; and the counts of
    CONJUNCT_COUNTS for their conjuncts, one scan's after the other's: `first[s]` is the place of
    the first conjunct of scan s. An absent count is 0."""

    first: IntArray
    scans: dict[str, Numbers] = field(default_factory=dict)
    conjuncts: dict[str, Numbers] = field(default_factory=dict)

    def add(self, name: str, scans: IntArray | slice, numbers: Numbers | int) -> None:
        """Adds to a count of some scans, none of which occurs twice."""
        if name not in self.scans:
            self.scans[name] = np.zeros(len(self.first) - 1, COUNTS[name])
        self.scans[name][scans] += numbers

    def add_conjuncts(self, names: tuple[str, str], found: Verdicts) -> None:
        """Adds, for each conjunct of some scans, the considered containers that it alone rules out,
        and those that are unknown: to the counts of these two names."""
        cohort = found.cohort
        outer = cohort.considered[cohort.owner]
        considered = counts(cohort.considered)[cohort.owner]
        reached = counts(outer & found.conjuncts.possible)
        unknown = np.zeros_like(reached)
        if not found.conjuncts.is_known:
            unknown = reached - counts(outer & found.conjuncts.shown)
        for name, more in zip(names, (considered - reached, unknown), strict=True):
            self._add_conjuncts(name, found, more)

    def add_unmeasured(self, name: str, found: Verdicts) -> None:
        """Adds, for each conjunct, the number of kept containers for which it is unknown."""
        if found.conjuncts.is_known:
            return
        kept = found.kept_bits[found.cohort.owner]
        self._add_conjuncts(name, found, counts(kept) - counts(kept & found.conjuncts.shown))

    def _add_conjuncts(self, name: str, found: Verdicts, more: Numbers) -> None:
        if name not in self.conjuncts:
            self.conjuncts[name] = np.zeros(self.first[-1], np.int64)
        self.conjuncts[name][found.places(self.first)] += more

    def merge(self, other: Counts) -> None:
        """Adds all counts of the same scans over another part."""
        for own, others in ((self.scans, other.scans), (self.conjuncts, other.conjuncts)):
            for name, numbers in others.items():
                own[name] = own[name] + numbers if name in own else numbers

    def of_all(self, name: str) -> Numbers:
        """One count of all scans."""
        kind = COUNTS[name]
        return self.scans.get(name, np.zeros(len(self.first) - 1, kind))

    def of_all_conjuncts(self) -> Mapping[str, Numbers]:
        """All counts of all conjuncts."""
        none = np.zeros(int(self.first[-1]), np.int64)
        return {name: self.conjuncts.get(name, none) for name in CONJUNCT_COUNTS}

    def of(self, positions: IntArray) -> Mapping[str, Numbers]:
        """All counts of some scans."""
        return {name: self.of_all(name)[positions] for name in COUNTS}


def no_counts(scans: Iterable[Scan]) -> Counts:
    """Zeros for some scans."""
    sizes = (len(scan.conjuncts) for scan in scans)
    return Counts(np.array([0, *accumulate(sizes)], np.int64))


def merge_into(known: dict[int, Counts], key: int, more: Counts) -> None:
    """Adds counts to those of the same work."""
    if key in known:
        known[key].merge(more)
    else:
        known[key] = more
