"""What a table is hardly worth writing anew for."""

from __future__ import annotations

from dataclasses import replace

from audit_jobs.findings.model import Finding, Severity
from audit_jobs.findings.usage import TableUsage
from audit_jobs.tuning import LITTLE


def of_whole_table(usage: TableUsage, finding: Finding) -> Finding:
    """A finding that says so if what it has the whole table written anew for is little of what all
    scans read; no more than low then, unless that is many bytes all the same."""
    fix, stake = finding.fix, finding.bytes_at_stake
    read = sum(group.bytes_read for group in usage.groups)
    is_rewrite = bool(fix.change.order or fix.change.fields)
    is_little = stake is not None and stake < min(LITTLE * read, usage.thresholds.high_bytes)
    if not stake or not is_rewrite or not is_little:
        return finding
    advice = f"It wins about {stake / read:.1%} of what all scans of the table read."
    return replace(
        finding,
        severity=Severity.LOW,
        fix=replace(fix, advice=f"{fix.advice} {advice}" if fix.advice else advice),
    )
