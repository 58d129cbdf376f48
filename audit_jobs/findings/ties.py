"""Rows that a sort by one column does not tell apart."""

from __future__ import annotations

from dataclasses import replace

from audit_jobs.findings.disturbance import disturbance
from audit_jobs.findings.model import Finding
from audit_jobs.findings.statements import spark_sort, trino_sort
from audit_jobs.findings.usage import TableUsage


def keeping_ties(usage: TableUsage, finding: Finding) -> Finding:
    """A finding whose sort leaves rows that have one value in order of the column by which other
    scans skip files now: of few values, each fills many files, in which an engine leaves rows in
    any order."""
    fix = finding.fix
    order = fix.layout.order
    if not order:
        return finding
    others = [name for name in disturbance(usage, order[0]).columns if name not in order]
    if not others:
        return finding
    longer = (*order, others[0])
    told = (*spark_sort(usage.table, order), *trino_sort(usage.table, order))
    wanted = (*spark_sort(usage.table, longer), *trino_sort(usage.table, longer))
    instead = dict(zip(told, wanted, strict=True))
    fix = replace(
        fix,
        spark=tuple(instead.get(statement, statement) for statement in fix.spark),
        trino=tuple(instead.get(statement, statement) for statement in fix.trino),
        layout=replace(fix.layout, order=longer),
    )
    return replace(finding, fix=fix)
