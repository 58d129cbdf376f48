"""An engine reads more data files than its planner should keep."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.usage import TableUsage
from audit_jobs.reconciliation import DATA_FILES, Agreement
from audit_jobs.records import ScanRecord

_SIZE = "total_file_size_in_bytes"


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding: it is an engine that does so, whatever the query."""
    scans = [
        scan
        for group in usage.groups
        for scan in group.scans
        if scan.agreement is Agreement.OVER_READ
    ]
    if scans:
        yield _finding(usage, scans)


def _finding(usage: TableUsage, scans: list[ScanRecord]) -> Finding:
    engines = sorted({f"{scan.engine} {scan.engine_version or '?'}" for scan in scans})
    kept = sum(s.summary.bytes.kept or 0 for s in scans if s.summary is not None)
    read = sum(_bytes_observed(usage, scan) for scan in scans)
    stake = max(0, read - kept)
    return Finding(
        cause=CAUSE.id,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.MEDIUM,
        table=usage.table,
        lost_at="data_files",
        sentence=(
            f"{', '.join(engines)} reads more files than its planner should keep for the same "
            "filter and snapshot: a part of the filter does not reach it, or its pruning is turned "
            "off."
        ),
        scans=len(scans),
        bytes_read=read,
        bytes_at_stake=stake,
        evidence={
            "engines": engines,
            "files_read": sum(_observed(scan) for scan in scans),
            "files_expected": sum(
                s.summary.data_files.kept or 0 for s in scans if s.summary is not None
            ),
            "fingerprints": sorted({scan.fingerprint or "" for scan in scans}),
        },
        fix=Fix(
            advice="Compare the engine's own plan (EXPLAIN) with the condition that is pushed; "
            "check session properties that turn push-down off, and newer versions of the engine.",
        ),
    )


def _observed(scan: ScanRecord) -> int:
    assert scan.observed is not None
    return scan.observed[DATA_FILES]


def _bytes_observed(usage: TableUsage, scan: ScanRecord) -> int:
    """As reported, else files times the table's mean size."""
    assert scan.observed is not None
    if _SIZE in scan.observed:
        return scan.observed[_SIZE]
    mean = 0.0 if usage.health is None else usage.health.bytes / max(1, usage.health.data_files)
    return round(_observed(scan) * mean)


CAUSE = Cause("over_read", "More files read than planned", find)
