"""Bytes at stake that are summed up."""

from __future__ import annotations

from prunescope.audit_jobs.findings.catalogue import is_repeated
from prunescope.audit_jobs.results.columns import Row


def counted_stake(finding: Row) -> int | None:
    """The bytes at stake of a row of findings that sums count; None if they are unknown, if the
    finding is suppressed, or if they count for another cause."""
    if finding["suppressed"] is not None or is_repeated(finding["cause"]):
        return None
    stake: int | None = finding["bytes_at_stake"]
    return stake
