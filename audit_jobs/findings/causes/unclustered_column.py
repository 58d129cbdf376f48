"""A selective filter on a column whose values are spread over all files."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.blame import layout_blame
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.statements import spark_sort, trino_sort
from audit_jobs.findings.usage import Group, TableUsage

_ID = "unclustered_column"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it."""
    by_column: dict[str, list[Group]] = {}
    for group in usage.groups:
        blame = layout_blame(usage, group)
        if blame is not None and blame.cause == _ID:
            by_column.setdefault(blame.column, []).append(group)
    for column, groups in by_column.items():
        yield _finding(usage, column, groups)


def _finding(usage: TableUsage, column: str, groups: list[Group]) -> Finding:
    stake = sum(group.bytes_lost_by_layout or 0 for group in groups)
    sampled = all(group.rows_sampled for group in groups)
    health = None if usage.health is None else usage.health.column(column)
    evidence: dict[str, object] = {"fingerprints": sorted({g.fingerprint or "" for g in groups})}
    if health is not None and usage.health is not None:
        evidence |= {
            "files": usage.health.data_files,
            "overlap": health.overlap,
            "depth": health.depth,
        }
    scans = sum(len(group.scans) for group in groups)
    return Finding(
        cause=_ID,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.MEDIUM if sampled else Confidence.LOW,
        table=usage.table,
        columns=(column,),
        lost_at="data_files",
        sentence=(
            f"{scans:,} scans filter by {column}, whose values are spread over all files; sorted "
            "by it, a scan would read only the files that hold them."
        ),
        scans=scans,
        bytes_read=sum(group.bytes_read for group in groups),
        bytes_at_stake=stake,
        evidence=evidence,
        fix=Fix(
            spark=spark_sort(usage.table, [column]),
            trino=trino_sort(usage.table, [column]),
            advice="Rewriting reads and writes the whole table once.",
        ),
    )


CAUSE = Cause(_ID, "Values spread over all files", find)
