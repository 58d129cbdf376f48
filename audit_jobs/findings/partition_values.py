"""Conditions that no planner uses, and that the values of partitions tell: what they would win of
text that is compared with text, and what an engine wins that asks these values all the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from prunescope.audit_jobs.findings.attribution import query_claim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import asks_partition_values
from prunescope.audit_jobs.findings.model import Confidence, Finding, Severity
from prunescope.audit_jobs.findings.opaque import opaque_arms
from prunescope.audit_jobs.findings.ruled_out import bytes_ruled_out
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.predicates.model import Reason

_ONLY_PLANNED = (
    "The engine asks this of the values of partitions once their files are planned, and reads "
    "those alone that match: the bytes are planned, not read, and what is won is planning."
)

_WRITTEN_SO = "The values of all partitions are written so."


def is_told_by_values(condition: Condition, reasons: Collection[Reason]) -> bool:
    """Tells whether a condition is opaque for one of some reasons, and values of partitions, which
    are written as it reads them, tell files that have no row of it."""
    arms = opaque_arms(condition)
    return bool(arms) and arms[0].reason in reasons and condition.data_files_pruned > 0


def ranges_claimed(
    usage: TableUsage, group: Group, cause: str
) -> tuple[Sequence[Condition], int | None]:
    """The ranges among what a cause claims of a group, and the bytes that they win, with what
    values tell of others left out."""
    claim = query_claim(usage, group, cause)
    ranges = [] if claim is None else [c for c in claim.conditions if not opaque_arms(c)]
    if claim is None or not ranges:
        return (), None
    if len(ranges) == len(claim.conditions):
        return ranges, claim.bytes_won
    places = [place for place, one in enumerate(group.conditions) if one in ranges]
    return ranges, min(claim.bytes_won, bytes_ruled_out(group, places))


def as_values_tell(
    usage: TableUsage, group: Group, finding: Finding, conditions: Sequence[Condition]
) -> Finding:
    """A finding about opaque conditions of a group, with the bytes that conditions on the values
    themselves would win, where its cause claims no other conditions of the group."""
    claim = query_claim(usage, group, finding.cause)
    if claim is None or any(all(c is not one for one in conditions) for c in claim.conditions):
        return finding
    fix = finding.fix
    if all(c.data_files_pruned and not c.data_files_unmeasured for c in conditions):
        fix = replace(fix, advice=f"{_WRITTEN_SO} {fix.advice}")
    severity = usage.thresholds.severity(claim.bytes_won)
    return replace(finding, severity=severity, bytes_at_stake=claim.bytes_won, fix=fix)


def as_far_as_planned(usage: TableUsage, group: Group, finding: Finding) -> Finding:
    """Lowers the severity of a finding whose conditions are on identity partition fields alone, if
    the group's engine evaluates conditions on their values. The confidence is then medium, as that
    rests on what the engine is known to do, and the advice says so. Others are returned as they
    are."""
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
