"""Filters of a partitioned table by a column that no partition field serves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.alignment import field_nobody_reads, is_well_known
from prunescope.audit_jobs.findings.attribution import claimed_columns
from prunescope.audit_jobs.findings.building import of_groups
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import Lack, LayoutClaim
from prunescope.audit_jobs.findings.disturbance import columns_kept, is_in_order
from prunescope.audit_jobs.findings.granularity import suits, time_transform
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.selective import most_selective_as_measured
from prunescope.audit_jobs.findings.sorting import asks_for_nulls, bytes_lost_by_order
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import ENDS
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.types import NANOS_PER_UNIT

_ID = "no_partition_filter"


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    condition = most_selective_as_measured(usage, group)
    if condition is None or condition.field is None:
        return None
    if not usage.partition_fields or any(map(usage.partition_fields_of, group.conditions)):
        return None
    column, won = condition.field, group.bytes_lost_by_layout
    # Partitions by a time might be what is wanted, which can win all of it.
    if column.type not in NANOS_PER_UNIT:
        is_done = _is_served(usage, group, column.name)
        won = 0 if is_done else bytes_lost_by_order(group, column.name)
    return LayoutClaim(_ID, condition, column.name, won, Lack.FIELD)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it: with
    another partition field where the column is a time and fields of it leave whole files, else
    with an order of rows inside the partitions that there are. Where these have it in order, with
    a field of it in the place of one of another time that nobody asks for."""
    unread = field_nobody_reads(usage)
    for column, groups in claimed_columns(usage, _ID).items():
        unserved = [group for group in groups if not _is_served(usage, group, column)]
        stake = sum(bytes_lost_by_order(group, column) or 0 for group in unserved or groups)
        transform = time_transform(usage, groups, column)
        if not unserved:
            known = usage.column(column)
            if unread is None or known is None or unread.source_id not in usage.names:
                continue
            if suits(groups, known, unread.transform):
                fix = _replaced(usage, column, unread)
                yield _finding(usage, column, groups, stake, fix, unread.transform)
        elif transform is None:
            yield _finding(usage, column, groups, stake, _sorted(column, stake), None)
        else:
            yield _finding(usage, column, groups, stake, _added(column, transform), transform)


def _is_served(usage: TableUsage, group: Group, column: str) -> bool:
    """True if the rows that a group asks for lie in at most two files of each partition, by the
    order inside partitions. For nulls, the files that are kept tell, not the order of values."""
    condition = most_selective_as_measured(usage, group)
    if condition is None or usage.health is None or not asks_for_nulls(condition.predicate):
        return is_in_order(usage, column)
    plans = group.sums.potential
    return plans.files_kept <= ENDS * plans.plans * (usage.health.partitions or 1)


def _finding(
    usage: TableUsage,
    column: str,
    groups: list[Group],
    stake: int,
    fix: Fix,
    transform: str | None,
) -> Finding:
    fields = ", ".join(field.name for field in usage.partition_fields)
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM if all(g.rows_sampled for g in groups) else Confidence.LOW,
        columns=(column,),
        lost_at="manifests",
        sentence=(
            f"Queries filter on {column}, but partitions are by {fields}: no partition is pruned."
        ),
        bytes_at_stake=stake,
        evidence={
            "partition_fields": [field.name for field in usage.partition_fields],
            "partitions": None if usage.health is None else usage.health.partitions,
            "new_field": transform,
        },
        fix=fix,
    )


def _added(column: str, transform: str) -> Fix:
    return Fix(
        advice=(
            "If queries can also filter on a partition column, that costs nothing. Cost: one "
            "rewrite of the whole table."
        ),
        change=Change(added=((transform, column),), files=Files.ALL),
        wish=Wish(any_columns=True),
    )


def _replaced(usage: TableUsage, column: str, field: PartitionField) -> Fix:
    """Fix that replaces an unused field by one of the column; withheld while few windows are
    known."""
    old, new = (field.transform, usage.names[field.source_id]), (field.transform, column)
    change = Change(added=(new,), dropped=(old,), files=Files.ALL)
    if not is_well_known(usage):
        return Fix(
            advice=(
                f"Partitions by {column} would serve these queries instead of partitions by "
                f"{old[1]}, which no query filters on. {wording.MORE_WINDOWS}"
            ),
            wish=Wish(withheld=replace(change, keeps=columns_kept(usage))),
        )
    return Fix(
        advice=f"No query filters on {old[1]}. {wording.ASK_FIRST}",
        change=change,
    )


def _sorted(column: str, stake: int) -> Fix:
    return Fix(
        advice=(
            "Rows are sorted inside each partition, so a scan still reads one file of each. If "
            "queries can also filter on a partition column, that costs nothing. Cost: one rewrite "
            "of the whole table."
        ),
        change=Change(order=(column,), files=Files.ALL),
        wish=Wish(bytes_by_order=stake, any_columns=True),
    )


CAUSE = Cause(_ID, "No filter on a partition column", find, of_layout=_claim)
