"""Partitions that hold much more than filters ask for: years, where queries want days."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.attribution import layout_claims
from prunescope.audit_jobs.findings.building import fingerprints, of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.granularity import Cuts, asked_of, cuts_of, finer_transform
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix
from prunescope.audit_jobs.findings.selective import most_selective_as_measured
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.partitioning import PartitionField

_ID = "partitions_too_coarse"


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    """Claims the layout's loss if files do not tell apart the values of a partition, and smaller
    partitions would."""
    condition = most_selective_as_measured(usage, group)
    if condition is None:
        return None
    name = condition.columns[0]
    column = usage.column(name)
    fields = usage.partition_fields_of(condition)
    if column is not None and column.is_clustered:
        return None
    if not any(finer_transform(usage, [group], field) for field in fields):
        return None
    return LayoutClaim(_ID, condition, name, group.bytes_lost_by_layout)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per partition field, over all groups that ask for a small part of its
    partitions."""
    by_field: dict[PartitionField, list[Group]] = {}
    for group, claim in layout_claims(usage, _ID):
        fields = usage.partition_fields_of(claim.condition)
        field = next(f for f in fields if finer_transform(usage, [group], f))
        by_field.setdefault(field, []).append(group)
    for field, groups in by_field.items():
        yield from _finding(usage, field, groups)


def _finding(usage: TableUsage, field: PartitionField, groups: list[Group]) -> Iterator[Finding]:
    name = usage.names[field.source_id]
    column = usage.column(name)
    transform = finer_transform(usage, groups, field)
    now = cuts_of(field.transform, column)
    if column is None or now is None or transform is None:
        return
    then = Cuts(transform, now.source_type, now.low, now.high)
    stake = sum(group.bytes_lost_by_layout or 0 for group in groups)
    scans = sum(group.count for group in groups)
    share = median(now.share_asked(ranges) for ranges in asked_of(groups, column))
    yield of_table(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=(name,),
        lost_at="data_files",
        sentence=(
            f"{wording.scans(scans, 'need')} about {share:.0%} of each partition of {name} they "
            f"read. Finer partitions would skip most of the rest."
        ),
        bytes_at_stake=stake,
        evidence={
            "field": field.name,
            "transform": field.transform,
            "better_transform": transform,
            "share_asked": share,
            "better_share_asked": median(
                then.share_asked(ranges) for ranges in asked_of(groups, column)
            ),
            "partitions": None if usage.health is None else usage.health.partitions,
            "partition_bytes": None if usage.health is None else usage.health.partition_bytes,
            "fingerprints": fingerprints(groups),
        },
        fix=Fix(
            advice=(
                "Cost: one rewrite of the whole table. If old rows are hardly read, do not rewrite "
                "them: the new partitions apply to all new files."
            ),
            change=Change(
                added=((transform, name),), dropped=((field.transform, name),), files=Files.ALL
            ),
        ),
    )


CAUSE = Cause(_ID, "Partitions too coarse", find, of_layout=_claim)
