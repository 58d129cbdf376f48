"""Partitions that statements overwrite or drop as a whole: by others they would mean other rows."""

from __future__ import annotations

from audit_jobs.findings.building import without_statements
from audit_jobs.findings.model import Finding
from audit_jobs.findings.usage import TableUsage

_OVERWRITTEN = (
    "Leave the partitions for now: statements of this window overwrite or drop some as a whole. By "
    "other partitions these would fail, replace rows of which they have no new ones, or leave old "
    "rows in place. Let them say first which rows they replace, as MERGE does, and DELETE … WHERE "
    "before INSERT, and audit again. Where each replaces the whole table, as INSERT OVERWRITE "
    "without PARTITION does unless the session asks for dynamic overwrites, none needs partitions."
)


def keeping_partitions(usage: TableUsage, finding: Finding) -> Finding:
    """A finding without statements that change partitions, where others of the window overwrite or
    drop some: where fields go, such a statement has more in each partition that it replaces, up to
    the whole table, or names a field that is no more; where fields come, what it has no rows of
    stays (Spark 4.1, Iceberg 1.11)."""
    if not usage.overwrites or not finding.fix.change.fields:
        return finding
    evidence = {"overwrites": usage.overwrites, "bytes_by_this_change": finding.bytes_at_stake}
    return without_statements(finding, _OVERWRITTEN, evidence)
