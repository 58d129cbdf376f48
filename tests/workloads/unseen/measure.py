"""`python -m tests.workloads.unseen.measure` compares what findings say first with an expert.

Of the tables of `unseen`, or of the folder of `tests/data/workloads` that is named. Prints a line
for each table that is told otherwise, and sums. Who mends what it shows by a rule for one table has
only learned the table: others have to be written for the next measure.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from prunescope.audit_jobs.findings.model import Finding, Severity
from prunescope.audit_jobs.findings.thresholds import Thresholds
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair
from tests.workloads.side_by_side import side_by_side
from tests.workloads.unseen.truth import Truth
from tests.workloads.unseen.truths import truths_of

_KINDS = {
    "partition": r"PARTITION FIELD",
    "bloom": r"bloom-filter-enabled",
    "order": r"ORDERED BY|zorder\(",
    "bounds": r"write\.metadata\.metrics",
    "manifests": r"\.rewrite_manifests\(",
    "rewrite_some": r"\.rewrite_data_files\(",
}
"""Kinds of changes, by what statements have, that which does most first."""


@dataclass(frozen=True)
class Said:
    """What the first finding of a table that asks for something does, of which columns; whether the
    expert does the same, and what statements do harm."""

    truth: Truth
    kind: str
    columns: tuple[str, ...]
    share: float | None
    harmful: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Tells whether the expert would do it."""
        fine = (self.truth.first, *self.truth.also_fine)
        return any(
            one.kind == self.kind and (not one.columns or {*one.columns} & {*self.columns})
            for one in fine
        )

    @property
    def is_kept(self) -> bool:
        """Tells whether the promise is within the expert's bounds; true of none."""
        low, high = self.truth.share
        return self.share is None or low - 0.05 <= self.share <= high + 0.05

    def __str__(self) -> str:
        first = self.truth.first
        promise = "" if self.share is None else f" promising {self.share:.0%}"
        return (
            f"{self.truth.name}: {self.kind} {', '.join(self.columns)}{promise}, not "
            f"{first.kind} {first.text or ', '.join(first.columns)} {self.truth.share}"
            f"{' HARMFUL ' + '; '.join(self.harmful) if self.harmful else ''}"
        )


def said(truth: Truth) -> Said:
    """The first thing that findings say of a table."""
    asked = {"min_scans": Thresholds().min_scans}  # how often is no matter of small tables
    pair = Pair(truth.name, truth.layout, truth.queries, days=truth.days, thresholds=asked)
    with tempfile.TemporaryDirectory() as directory:
        night = audit_pair(pair, Tables(Path(directory)))
    asking = [one for one in night.findings if one.fix.spark or _is_of_query(one)]
    asking.sort(key=lambda one: bool(one.fix.spark))  # conditions first, as they are listed
    first = next(iter(asking), None)
    statements = ["\n".join(one.fix.spark) for one in asking]
    harmful = tuple(of for of in truth.harmful if any(re.search(of, one) for one in statements))
    if first is None:
        return Said(truth, "nothing", (), None, harmful)
    same = [one for one in asking if first.fix.spark and one.fix.spark == first.fix.spark]
    stakes = [one.bytes_at_stake for one in same or [first] if one.bytes_at_stake is not None]
    share = sum(stakes) / max(1, night.bytes_kept) if stakes else None
    return Said(truth, _kind(first), first.columns, share, harmful)


def _is_of_query(finding: Finding) -> bool:
    asks = finding.fix.rewrite or (finding.bytes_at_stake and finding.conjunct)
    return finding.severity is not Severity.INFO and bool(asks)


def _kind(finding: Finding) -> str:
    if not finding.fix.spark:
        return "condition"
    statements = "\n".join(finding.fix.spark)
    return next((kind for kind, of in _KINDS.items() if re.search(of, statements)), "other")


def main(folder: str = "unseen") -> None:
    """Measures all tables of a folder."""
    found = list(side_by_side(said, truths_of(folder)))
    sums: Counter[str] = Counter()
    for one in found:
        of = "sound" if one.truth.sound else "unsound"
        sums[of] += 1
        sums[f"{of}, right"] += one.is_right
        sums["harmful"] += bool(one.harmful)
        sums["promised"] += one.share is not None and one.is_right
        sums["promised within 5 points"] += one.share is not None and one.is_right and one.is_kept
        if not one.is_right or one.harmful or not one.is_kept:
            sys.stdout.write(f"{one}\n")
    told = "; ".join(f"{name}: {count}" for name, count in sums.items())
    sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
