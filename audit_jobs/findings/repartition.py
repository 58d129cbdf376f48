"""Partition fields that would serve a column, and the order of it that there is."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from prunescope.audit_jobs.findings.granularity import (
    asked_of,
    cuts_of,
    fitting,
    ladder,
)
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.pruning.transforms import apply
from prunescope.audit_jobs.tuning import HALF
from prunescope.collectors.types import NANOS_PER_UNIT


def time_transform(
    usage: TableUsage, groups: Sequence[Group], column: str, *, replaced: int = 1
) -> str | None:
    """Transform to partition by a time column that groups filter by, in addition to the present
    fields: hours, days, months or years that suit the filters and leave a partition a file of the
    table's target size. None if none does, if that is unknown, or if partitions are overwritten, so
    that others are no choice. `replaced` is the number of values of a field that goes."""
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
    return transform if suits(groups, of_column, transform) else None


def suits(groups: Sequence[Group], column: ColumnHealth, transform: str) -> bool:
    """Tells whether most filters of groups ask for half or more of the partitions of a column that
    hold what they ask for."""
    cuts, asked = cuts_of(transform, column), asked_of(groups, column)
    if cuts is None or not asked:
        return False
    return median(map(cuts.share_asked, asked)) >= HALF


def units_of(column: ColumnHealth, transform: str) -> int | None:
    """Number of hours, days, months or years that a time column spans; None if its bounds are
    unknown."""
    if column.low is None or column.high is None:
        return None
    low, high = (apply(transform, column.type, value) for value in (column.low, column.high))
    assert isinstance(low, int)
    assert isinstance(high, int)
    return high - low + 1


def is_in_order(usage: TableUsage, column: str) -> bool:
    """True if files tell values of a column apart as well as a sort inside partitions could: at
    most two files of each partition hold a value. If one partition has too few files to tell, the
    files of all partitions count."""
    known = usage.column(column)
    if usage.health is None or known is None or known.depth is None:
        return False
    of_value = usage.health.files_of_value(known)
    if of_value is not None:
        return of_value <= 2
    return known.depth <= 2 * (usage.health.partitions or 1)
