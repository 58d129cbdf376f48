"""Use of a table's partition fields by the filters of a workload.

Shares are of the bytes that the workload reads. A field is *filtered* by if a filter reads its
column at all, *used* if the filter rules out partitions by it, and it *answers* a filter if no row
needs to be filtered by its column any more: Iceberg's own test, that the inclusive and the strict
lift are the same predicate.
"""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.early_stop import STOPPED
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.pruning.lifting import lift_inclusive
from prunescope.audit_jobs.pruning.selection import selects_partitions
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS
from prunescope.audit_jobs.tuning import FEW, NEARLY_ALL
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.model import TRUE, Reason, Unsupported

_WEEK = 7

_HIDDEN = frozenset({Reason.FUNCTION, Reason.CAST, Reason.ARITHMETIC, Reason.TYPE_MISMATCH})
"""Why a condition is not known as a range of its columns, though it may imply one: once it is
written beside, the partitions may be what it prunes by."""


@dataclass(frozen=True, slots=True)
class FieldUse:
    """Use of a partition field by a workload, as shares of the bytes that the workload reads."""

    field: PartitionField
    filtered: float
    used: float
    answered: float


def field_uses(usage: TableUsage) -> tuple[FieldUse, ...]:
    """The use of each field of the current spec, in order; nothing where nothing was read."""
    read = usage.bytes_read
    if not read:
        return ()
    uses = []
    for field in usage.partition_fields:
        alone = PartitionSpec(usage.spec.spec_id, (field,))
        filtered = used = answered = 0
        for group in usage.groups:
            on_column = [c for c in group.conditions if field in usage.partition_fields_of(c)]
            filtered += group.bytes_read if on_column else 0
            if any(lift_inclusive(c.predicate, alone) != TRUE for c in on_column):
                used += group.bytes_read
                answered += group.bytes_read if _answers(alone, on_column) else 0
        uses.append(FieldUse(field, filtered / read, used / read, answered / read))
    return tuple(uses)


def _answers(alone: PartitionSpec, conditions: list[Condition]) -> bool:
    return all(selects_partitions(c.predicate, [alone]) for c in conditions)


def unserved_columns(usage: TableUsage) -> dict[str, float]:
    """The columns that filters compare and no partition field cuts, by the share of bytes that
    those filters read."""
    read = usage.bytes_read
    sources = {field.source_id for field in usage.partition_fields}
    shares: dict[str, float] = {}
    for group in usage.groups if read else ():
        ids = set().union(*(condition.field_ids for condition in group.conditions))
        for field_id in ids - sources:
            if field_id in usage.names:
                name = usage.names[field_id]
                shares[name] = shares.get(name, 0.0) + group.bytes_read / read
    return shares


def unused_fields(usage: TableUsage) -> tuple[PartitionField, ...]:
    """The fields whose column no filter reads and no join, while there are filters. None are known
    where joins, which may restrict a table by any column while a query runs, read a share of bytes
    that counts; nor where filters on columns that no field cuts rule out files: it may be the
    partitions that keep these columns together, as days do with times. Those that stop early say
    nothing of what serves them."""
    reads_on = (group.conditions for group in usage.groups if STOPPED not in group.traits)
    if not any(reads_on) or _is_joined(usage):
        return ()
    conditions = [condition for group in usage.groups for condition in group.conditions]
    read = {f for condition in conditions for f in usage.partition_fields_of(condition)}
    read.update(f for group in usage.groups for f in usage.partition_fields_joined(group))
    if any(_prunes_by_others(usage, group) for group in usage.groups):
        return ()
    if any(_follows_partitions(usage, condition) for condition in conditions):
        return ()
    return tuple(field for field in usage.partition_fields if field not in read)


def field_nobody_reads(usage: TableUsage) -> PartitionField | None:
    """The only partition field, if it is one of a time that no filter reads, no join may, and no
    statement overwrites partitions of: what comes late keeps another time near to it, which filters
    may ask for instead."""
    fields = usage.partition_fields
    is_of_time = len(fields) == 1 and fields[0].transform in TIME_TRANSFORMS
    if not is_of_time or _is_joined(usage) or usage.overwrites:
        return None
    conditions = [condition for group in usage.groups for condition in group.conditions]
    is_read = any(map(usage.partition_fields_of, conditions))
    return None if is_read or any(map(usage.partition_fields_joined, usage.groups)) else fields[0]


def _is_joined(usage: TableUsage) -> bool:
    """True if scans of joins read at least `min_share` of the bytes: joins may restrict a table by
    any column."""
    read = usage.bytes_read
    joined = sum(group.bytes_read for group in usage.groups if _joins(group))
    return joined > 0 and joined >= usage.thresholds.min_share * read


def _follows_partitions(usage: TableUsage, condition: Condition) -> bool:
    """True if files tell apart the values of a column that no field cuts, or may do so: possibly
    thanks to the partitions, even if this window's ranges do not show it."""
    if usage.health is None or usage.partition_fields_of(condition):
        return False
    if condition.field_ids and _is_in_all(usage, condition):
        return False
    if isinstance(condition.predicate, Unsupported) and condition.predicate.reason in _HIDDEN:
        return True
    known = [c for name in condition.columns if (c := usage.health.column(name)) is not None]
    return any(
        _shows_nothing(c) or (c.overlap is not None and c.overlap < NEARLY_ALL) for c in known
    )


def _shows_nothing(column: ColumnHealth) -> bool:
    """True if bounds cannot show whether files tell values apart: bounds are missing from a tenth
    of the files or more, or are truncated to a prefix that nearly all files share."""
    is_unbounded = column.bounded is not None and column.bounded < NEARLY_ALL
    return is_unbounded or (column.common_bounds or 0.0) > NEARLY_ALL


def _prunes_by_others(usage: TableUsage, group: Group) -> bool:
    """True if a condition on columns that no field cuts rules out files, and partitions may be why
    files tell its values apart."""
    files = group.sums.potential.files_total
    return any(
        condition.data_files_pruned > FEW * files
        for condition in group.conditions
        if not usage.partition_fields_of(condition)
        and (not _is_in_all(usage, condition) or _rules_out_partitions(usage, condition, files))
    )


def _rules_out_partitions(usage: TableUsage, condition: Condition, files: int) -> bool:
    """True if a condition leaves fewer files than there are partitions, so that it rules out whole
    partitions. `files` is the total over all scans."""
    health = usage.health
    if health is None or not health.partitions or not files:
        return False
    left = health.data_files * (1 - condition.data_files_pruned / files)
    return left < (1 - FEW) * health.partitions


def _is_in_all(usage: TableUsage, condition: Condition) -> bool:
    """True if most partitions hold any given value of a condition's columns: then files tell values
    apart only by their order inside partitions."""
    health = usage.health
    if health is None or not health.partitions:
        return False
    known = [health.column(name) for name in condition.columns]
    found = [None if c is None else health.partitions_of_value(c) for c in known]
    return all(count is not None and 2 * count >= health.partitions for count in found)


def droppable_fields(usage: TableUsage) -> tuple[PartitionField, ...]:
    """Unused partition fields, if the windows seen cover a week and this window lacks none of the
    queries of earlier ones; else none."""
    return unused_fields(usage) if is_well_known(usage) else ()


def is_well_known(usage: TableUsage) -> bool:
    """True if the windows seen cover a week and this window lacks none of the queries of earlier
    ones."""
    return usage.days_seen >= _WEEK and not usage.unseen


def _joins(group: Group) -> bool:
    return bool(group.traits & {"join", "merge"})
