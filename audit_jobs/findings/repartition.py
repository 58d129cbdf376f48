"""Whether another partition field or another order would serve a column, and how much."""

from __future__ import annotations

from collections.abc import Sequence

from audit_jobs.findings.granularity import (
    Cuts,
    Ranges,
    asked_of,
    cuts_of,
    fitting,
    ladder,
    ranges_asked,
)
from audit_jobs.findings.sorting import (
    bytes_lost_by_order,
    left_by_column,
    share_of_column,
    share_within,
)
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.health.model import ColumnHealth
from audit_jobs.pruning.transforms import apply
from audit_jobs.tuning import NEARLY_ALL
from collectors.types import NANOS_PER_UNIT


def time_transform(
    usage: TableUsage, groups: Sequence[Group], column: str, *, replaced: int = 1
) -> str | None:
    """What to partition by a time column that groups filter by, in addition to the fields that
    there are: hours, days, months or years that suit the filters and leave a partition a file of
    the table's target size. None where none does, where nothing tells, or where partitions are
    overwritten, so that others are no choice. `replaced` is the number of values of a field that
    goes."""
    health = None if usage.overwrites else usage.health
    of_column = None if health is None else health.column(column)
    if health is None or of_column is None or of_column.type not in NANOS_PER_UNIT:
        return None
    transform = fitting(
        ladder("year", of_column.type),
        of_column,
        asked_of(groups, of_column),
        whole_bytes=health.bytes / max(1, (health.partitions or 1) // replaced),
        least_bytes=health.target_file_bytes,
    )
    if transform is None or (units_of(of_column, transform) or 1) < 2:
        return None
    return transform


def bytes_lost_by_partitions(group: Group, column: str, transform: str) -> int | None:
    """The part of a group's loss by layout that a partition field of a time column wins: a scan
    reads the rows that the conditions on the column select, and what else is in the partitions at
    the ends of a range: nothing where the range ends with them. None where nothing tells."""
    lost, health = group.bytes_lost_by_layout, group.health
    of_column = None if health is None else health.column(column)
    units = None if of_column is None else units_of(of_column, transform)
    if lost is None or health is None or of_column is None or units is None:
        return None
    won = 0
    for scan, ranges in zip(group.sample, ranges_asked(group, of_column), strict=True):
        share, allowed = share_of_column(scan, health, column), scan.bytes_allowed
        if share is None or allowed is None:
            return None
        within = share_within(share, left_by_column(scan, column))
        beside = _beside(cuts_of(transform, of_column), ranges) * health.bytes / units
        won += max(0, allowed - round(within * allowed + beside))
    return min(round(group.extrapolated(won)), lost)


def bytes_by_field(groups: Sequence[Group], column: str, transform: str) -> int:
    """What a partition field of a time column wins of groups, as far as known."""
    return sum(bytes_lost_by_partitions(group, column, transform) or 0 for group in groups)


def serves_as_field(groups: Sequence[Group], column: str, transform: str) -> bool:
    """Whether a partition field of a time column wins about what an order by it inside the present
    partitions does: below that, it is no choice."""
    by_order = sum(bytes_lost_by_order(group, column) or 0 for group in groups)
    return bytes_by_field(groups, column, transform) >= NEARLY_ALL * by_order


def _beside(cuts: Cuts | None, ranges: Ranges | None) -> float:
    """How many partitions' worth of what is in partitions that hold values of ranges is beside
    these; one where nothing tells."""
    if cuts is None or ranges is None:
        return 1.0
    asked = sum(high - low + 1 for low, high in ranges)
    return max(0.0, cuts.touched(ranges) - asked / cuts.length)


def units_of(column: ColumnHealth, transform: str) -> int | None:
    """How many hours, days, months or years a time column spans; None where its bounds are not
    known."""
    if column.low is None or column.high is None:
        return None
    low, high = (apply(transform, column.type, value) for value in (column.low, column.high))
    assert isinstance(low, int)
    assert isinstance(high, int)
    return high - low + 1


def is_in_order(usage: TableUsage, column: str) -> bool:
    """Whether files tell values of a column apart as well as a sort inside partitions could: at
    most two files of each partition hold a value. Where there are too few files of one partition
    to tell, it counts how many of all do."""
    known = None if usage.health is None else usage.health.column(column)
    if usage.health is None or known is None or known.depth is None:
        return False
    of_value = usage.health.files_of_value(known)
    if of_value is not None:
        return of_value <= 2
    return known.depth <= 2 * (usage.health.partitions or 1)
