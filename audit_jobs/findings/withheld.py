"""Changes of partitions that have no statements before enough windows have shown how a table is
used: what they win is told as it was tried, and not only once they have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from audit_jobs.findings import wording
from audit_jobs.findings.building import without_statements
from audit_jobs.findings.model import Finding
from audit_jobs.findings.trials import Target, Tried, target_of
from audit_jobs.findings.usage import TableUsage


def withheld_targets(findings: Iterable[Finding]) -> list[Target]:
    """The layouts that findings would ask for."""
    changes = (finding.fix.wish.withheld for finding in findings if finding.suppressed is None)
    return [target_of(change) for change in changes if change is not None]


def as_tried_already(usage: TableUsage, finding: Finding, tried: Mapping[Target, Tried]) -> Finding:
    """A finding with the bytes that its queries would win, less what others would lose; without
    them where all scans would cost more. Any that withholds no change stays."""
    change = finding.fix.wish.withheld
    known = None if change is None else tried.get(target_of(change))
    if known is None or finding.suppressed is not None:
        return finding
    if known.is_worse:
        return without_statements(finding, wording.LEAVE_PARTITIONS, known.lost.told)
    names = finding.evidence["fingerprints"]
    stake = max(0, sum(known.won_by.get(name, 0) for name in names) - known.lost.bytes)
    return replace(finding, bytes_at_stake=stake, severity=usage.thresholds.severity(stake))
