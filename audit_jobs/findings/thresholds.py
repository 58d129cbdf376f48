"""Thresholds of findings, per table, and the severity that follows from bytes."""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.audit_jobs.findings.model import Severity


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Limits from which a scan that prunes badly is a fault. Bytes are those of one audited window.

    Tables smaller than `small_table_bytes` are left alone: reading all of one costs little. A cause
    is reported if at least `min_bytes_at_stake` could be skipped, which is at least the share
    `min_share` of what is read, by at least `min_scans` scans; a query that ran less often is a
    one-off, unless it alone puts `high_bytes` at stake, and no file is written anew for it.

    A finding is `medium` or `high` by the bytes at stake, which are those of all runs of its
    queries, or by their share of what all scans of the window read, whichever says more: what
    wastes a tenth of what a small lake reads is not low. `window_bytes` are what these scans read;
    without shares, or if that is unknown, bytes alone tell.
    """

    small_table_bytes: int = 1_000_000_000
    min_bytes_at_stake: int = 1_000_000_000
    medium_bytes: int = 10_000_000_000
    high_bytes: int = 100_000_000_000
    min_share: float = 0.2
    min_scans: int = 2
    medium_share: float | None = 0.02
    high_share: float | None = 0.1
    window_bytes: int | None = None

    def severity(self, bytes_at_stake: int | None) -> Severity:
        """Severity of a finding by its bytes at stake; low if these are unknown."""
        if bytes_at_stake is None:
            return Severity.LOW
        if bytes_at_stake >= self._least(self.high_bytes, self.high_share):
            return Severity.HIGH
        is_medium = bytes_at_stake >= self._least(self.medium_bytes, self.medium_share)
        return Severity.MEDIUM if is_medium else Severity.LOW

    def _least(self, size: int, share: float | None) -> float:
        if share is None or not self.window_bytes:
            return size
        return min(size, share * self.window_bytes)
