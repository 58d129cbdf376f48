"""Rows that a sort by one column does not tell apart."""

from __future__ import annotations

from dataclasses import replace

from audit_jobs.findings.disturbance import disturbance
from audit_jobs.findings.model import Finding
from audit_jobs.findings.usage import TableUsage


def keeping_ties(usage: TableUsage, finding: Finding) -> Finding:
    """A finding whose sort leaves rows that have one value in order of the column by which other
    scans skip files now: of few values, each fills many files, in which an engine leaves rows in
    any order."""
    fix = finding.fix
    order = fix.change.order
    if not order:
        return finding
    others = [name for name in disturbance(usage, order[0]).columns if name not in order]
    if not others:
        return finding
    change = replace(fix.change, order=(*order, others[0]))
    return replace(finding, fix=replace(fix, change=change))
