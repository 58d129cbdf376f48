"""Bytes of the data files that a scan keeps in vain: no row in them matches its filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.audit_jobs.records import Matching, ScanRecord


class FalseKeeps(NamedTuple):
    """Bytes of kept data files without a matching row, None if no row was sampled; and the least
    and the most that they may be: by the statistics alone, and by the 95 % interval of sampled
    rows."""

    value: int | None
    low: int
    high: int


class FalseKeepRate(NamedTuple):
    """Share of the bytes of kept files in files without a matching row, None if no rows were
    sampled; and its ends."""

    value: float | None
    low: float
    high: float

    def __str__(self) -> str:
        """The share in percent, with its ends."""
        ends = f"{self.low:.0%} to {self.high:.0%}"
        return ends if self.value is None else f"{self.value:.0%} ({ends})"


@dataclass(frozen=True, slots=True)
class FalseKeepSums:
    """Bytes that scans keep (`kept`), and those of them in files without a matching row: an
    estimate, and the least and the most that they may be."""

    kept: int = 0
    value: int = 0
    low: int = 0
    high: int = 0

    def __add__(self, other: FalseKeepSums) -> FalseKeepSums:
        return FalseKeepSums(
            self.kept + other.kept,
            self.value + other.value,
            self.low + other.low,
            self.high + other.high,
        )

    def rate(self, *, is_sampled: bool) -> FalseKeepRate | None:
        """The sums as shares; None if nothing is kept."""
        if not self.kept:
            return None
        value = self.value / self.kept if is_sampled else None
        return FalseKeepRate(value, self.low / self.kept, self.high / self.kept)


def false_keeps(record: ScanRecord) -> FalseKeeps | None:
    """The bytes that a scan keeps in vain; None if the bytes that it keeps are unknown. Files that
    the statistics alone rule out are in vain whatever was sampled."""
    kept = None if record.summary is None else record.summary.bytes.kept
    if kept is None:
        return None
    if not record.conjuncts:
        return FalseKeeps(0, 0, 0)  # every row matches
    allowed = None if record.potential is None else record.potential.bytes.kept
    least = 0 if allowed is None else max(0, kept - allowed)
    held = _held(record.summary, record.matching)
    if held is None:
        return FalseKeeps(None, least, kept)
    low, value, high = (min(kept, max(least, kept - round(most))) for most in held)
    return FalseKeeps(value, low, high)


def _held(
    summary: ScanPlanSummary | None, matching: Matching | None
) -> tuple[float, float, float] | None:
    """The most, the estimated and the least bytes of the table in files with matching rows."""
    total = None if summary is None else summary.bytes.total
    if matching is None or total is None:
        return None
    shares = matching.holding_high, matching.holding, matching.holding_low
    return shares[0] * total, shares[1] * total, shares[2] * total
