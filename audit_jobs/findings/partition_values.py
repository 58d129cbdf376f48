"""Conditions that no planner uses, and that an engine asks of the values of partitions all the
same: those by which no file is left out of a plan, and no more files are read for them."""

from __future__ import annotations

from dataclasses import replace

from audit_jobs.findings.engines import asks_partition_values
from audit_jobs.findings.model import Confidence, Finding, Severity
from audit_jobs.findings.usage import Group, TableUsage

_ONLY_PLANNED = (
    "The engine asks this of the values of partitions once their files are planned, and reads "
    "those alone that match: the bytes are planned, not read, and what is won is planning."
)


def as_far_as_planned(usage: TableUsage, group: Group, finding: Finding) -> Finding:
    """A finding about conditions of a group, which says so where they are on identity partition
    fields alone and the group's engine asks conditions of the values of these: it is of low
    severity, and rests on what the engine is known to do."""
    identities = {
        usage.names.get(field.source_id, "").casefold()
        for field in usage.partition_fields
        if field.transform == "identity"
    }
    columns = {name.casefold() for name in finding.columns}
    if not columns or not columns <= identities or not asks_partition_values(group):
        return finding
    advice = f"{finding.fix.advice} {_ONLY_PLANNED}" if finding.fix.advice else _ONLY_PLANNED
    return replace(
        finding,
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        fix=replace(finding.fix, advice=advice),
    )
