"""An engine read fewer data files than the statistics can justify: its result may lack rows."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.reconciliation import DATA_FILES, Agreement
from audit_jobs.records import ScanRecord


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group that has such a scan."""
    for group in usage.groups:
        scans = [scan for scan in group.scans if scan.agreement is Agreement.OVER_PRUNE]
        if scans:
            yield _finding(usage, group, scans)


def _finding(usage: TableUsage, group: Group, scans: list[ScanRecord]) -> Finding:
    missing = sum(_files(scan)[1] - _files(scan)[0] for scan in scans)
    engines = {f"{scan.engine} {scan.engine_version or '?'}" for scan in scans}
    return Finding(
        cause=CAUSE.id,
        severity=Severity.CRITICAL,
        confidence=Confidence.MEDIUM,
        table=usage.table,
        fingerprint=group.fingerprint,
        lost_at=None,
        sentence=(
            f"{', '.join(sorted(engines))} read fewer files than may hold matching rows, {missing} "
            "in all: check the results of these queries before anything else."
        ),
        scans=len(scans),
        bytes_read=sum(s.summary.bytes.kept or 0 for s in scans if s.summary is not None),
        bytes_at_stake=None,
        evidence={
            "files_missing": missing,
            "engines": sorted(engines),
            "query_ids": sorted({scan.query_id or "" for scan in scans})[:10],
        },
        fix=Fix(
            advice="Run one of the queries again with the engine's pruning turned off, or with "
            "another engine, and compare the counts. If they differ, stop using that version for "
            "this table, and report it with the statistics of the files that it left out.",
        ),
    )


def _files(scan: ScanRecord) -> tuple[int, int]:
    """Files that the engine read, and the fewest that are justified."""
    assert scan.observed is not None
    assert scan.potential is not None
    return scan.observed[DATA_FILES], scan.potential.data_files.kept or 0


CAUSE = Cause("over_prune", "Fewer files read than can be justified", find)
