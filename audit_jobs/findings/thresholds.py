"""What is worth a finding: thresholds per table, and how severe so many bytes are."""

from __future__ import annotations

from dataclasses import dataclass

from audit_jobs.findings.model import Severity


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When a scan that prunes badly is a fault. Bytes are those of one audited window.

    Tables smaller than `small_table_bytes` are left alone: reading all of one costs little.
    A cause is reported if at least `min_bytes_at_stake` could be skipped, which is at least the
    share `min_share` of what is read, by at least `min_scans` scans; a query that ran less often
    is a one-off, unless it alone puts `high_bytes` at stake.
    """

    small_table_bytes: int = 1_000_000_000
    min_bytes_at_stake: int = 1_000_000_000
    medium_bytes: int = 10_000_000_000
    high_bytes: int = 100_000_000_000
    min_share: float = 0.2
    min_scans: int = 2

    def severity(self, bytes_at_stake: int | None) -> Severity:
        """By the bytes at stake; low where nobody can tell how many they are."""
        if bytes_at_stake is None or bytes_at_stake < self.medium_bytes:
            return Severity.LOW
        return Severity.MEDIUM if bytes_at_stake < self.high_bytes else Severity.HIGH
