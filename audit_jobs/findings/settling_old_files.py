"""Whether files of an older partitioning are worth moving to the present one: what other scans lose
by it counts against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from audit_jobs.findings.disturbance import Disturbance
from audit_jobs.findings.model import Finding, Fix, Severity
from audit_jobs.findings.spreading import spread_of_old_files
from audit_jobs.findings.trials import Target, Tried, target_of
from audit_jobs.findings.usage import TableUsage
from audit_jobs.units import size


def settled_old_files(
    usage: TableUsage, finding: Finding, tried: Mapping[Target, Tried]
) -> Finding:
    """A finding that has all files written anew as they are, with what that wins net of what others
    lose. Where that is nothing, it has no statements; any other finding stays."""
    if not finding.fix.change.rewrites or finding.suppressed is not None:
        return finding
    known = tried.get(target_of(finding.fix.change))
    if known is not None:
        lost, is_worse = known.lost, known.is_worse
        stake = min(known.won, _bytes_of_old_files(usage))
    else:
        lost = spread_of_old_files(usage)
        stake = (finding.bytes_at_stake or 0) - lost.bytes
        is_worse = stake <= 0
    evidence = {**finding.evidence, **(lost.told if lost.bytes else {})}
    if stake > 0 and not is_worse:
        severity = usage.thresholds.severity(stake)
        net = f"{lost.loss}, which the bytes at stake allow for." if lost.bytes else None
        advice = " ".join(filter(None, [finding.fix.advice, net])) or None
        fix = replace(finding.fix, advice=advice)
        return replace(finding, bytes_at_stake=stake, severity=severity, evidence=evidence, fix=fix)
    left = Fix(advice=_left(lost))
    return replace(
        finding, bytes_at_stake=None, severity=Severity.INFO, evidence=evidence, fix=left
    )


def _bytes_of_old_files(usage: TableUsage) -> int:
    """Those that the table's scans read."""
    return sum(group.sums.potential.old_spec_bytes for group in usage.groups)


def _left(lost: Disturbance) -> str:
    if not lost.columns:
        return "Leave the old files: queries would read about as much of the present partitions."
    return (
        f"Leave the old files: by the order that their rows have, queries by "
        f"{', '.join(lost.columns)} skip {size(lost.bytes)} that they would read of the present "
        "partitions."
    )
