"""Granularity of a partition field, compared with how much of its column filters ask for.

Only for columns whose values are counted: dates, timestamps, integers. Lengths are in units of the
column's physical values, as if rows were spread evenly over them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from statistics import median

from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS, apply, width
from prunescope.audit_jobs.tuning import HALF, MOST_BUCKETS
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.domains import Range, domain_of, intersection
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.types import NANOS_PER_UNIT, Physical, physical

Ranges = tuple[tuple[int, int], ...]
"""Disjoint ranges of whole values in ascending order, both ends included."""

_DAY = 86_400_000_000_000
_NANOS = {"year": 365.2425 * _DAY, "month": 30.436875 * _DAY, "day": _DAY, "hour": _DAY / 24}
_TRUNCATE = re.compile(r"truncate\[\d+\]")


@dataclass(frozen=True, slots=True)
class Cuts:
    """Partitions into which a transform cuts a column of values between `low` and `high`."""

    transform: str
    source_type: str
    low: int
    high: int

    @property
    def length(self) -> float:
        """The length of one partition, which is no longer than what the table holds."""
        return min(length_of(self.transform, self.source_type), self.span)

    @property
    def span(self) -> int:
        """The length of all values of the table."""
        return self.high - self.low + 1

    def touched(self, ranges: Ranges) -> int:
        """The number of partitions that hold values of the ranges."""
        count, last = 0, None
        for low, high in ranges:
            first, end = self._number(low), self._number(high)
            if last is not None and first <= last:
                first = last + 1
            count += max(0, end - first + 1)
            last = end
        return count

    def covered(self, ranges: Ranges) -> float:
        """The length of all partitions that hold values of the ranges."""
        return min(self.touched(ranges) * self.length, self.span)

    def share_asked(self, ranges: Ranges) -> float:
        """Share of the partitions that hold values of the ranges which the ranges ask for: 0 to
        1."""
        covered = self.covered(ranges)
        asked = sum(high - low + 1 for low, high in ranges)
        return 1.0 if covered == 0 else min(1.0, asked / covered)

    def _number(self, value: int) -> int:
        """The place of a value's partition among all that are possible."""
        result = apply(self.transform, self.source_type, value)
        assert isinstance(result, int)
        return result if self.transform in TIME_TRANSFORMS else result // width(self.transform)


def cuts_of(transform: str, column: ColumnHealth | None) -> Cuts | None:
    """Cuts of a column by a transform; None for transforms that keep no order or every value, for
    types whose values are not counted, and if the table's bounds are unknown or impossible."""
    if column is None or not isinstance(column.low, int) or not isinstance(column.high, int):
        return None
    if column.low > column.high:
        return None
    if transform in TIME_TRANSFORMS:
        known = column.type in NANOS_PER_UNIT and transform in ladder(transform, column.type)
    else:
        is_truncated = _TRUNCATE.fullmatch(transform) is not None
        known = is_truncated and physical(column.type) is Physical.INTEGER
    return Cuts(transform, column.type, column.low, column.high) if known else None


def length_of(transform: str, source_type: str) -> float:
    """Number of values that a partition can hold, by a transform that `cuts_of` knows."""
    if transform in TIME_TRANSFORMS:
        return _NANOS[transform] / NANOS_PER_UNIT[source_type]
    return width(transform)


def ladder(transform: str, source_type: str) -> tuple[str, ...]:
    """Transforms like a given one, from coarse to fine, as far as they suit the type."""
    if transform in TIME_TRANSFORMS and source_type in NANOS_PER_UNIT:
        return TIME_TRANSFORMS[:3] if source_type == "date" else TIME_TRANSFORMS
    if _TRUNCATE.fullmatch(transform):
        size = width(transform)
        coarser = [size * 10**power for power in (4, 3, 2, 1)]
        finer = [size // 10**power for power in range(1, 19) if size % 10**power == 0]
        return tuple(f"truncate[{w}]" for w in (*coarser, size, *finer) if w > 1 or w == size)
    return (transform,)


def ranges_asked(group: Group, column: ColumnHealth) -> list[Ranges | None]:
    """Ranges of a column that each sampled filter of a group lets through, within the table's
    bounds; None if no condition limits the column alone, or its values are not counted."""
    return group.once(
        ("ranges_asked", column.field_id), lambda: [_ranges(scan, column) for scan in group.sample]
    )


def _ranges(scan: SampledScan, column: ColumnHealth) -> Ranges | None:
    low, high = column.low, column.high
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    domains = []
    for part in scan.conjuncts:
        predicate = part.predicate
        if {leaf.field.field_id for leaf in comparisons(predicate)} == {column.field_id}:
            domain = domain_of(predicate)
            domains += [] if domain is None or domain.is_null_check else [domain]
    if not domains:
        return None
    ranges = (_whole(part, low, high) for part in intersection(domains).ranges)
    return tuple(part for part in ranges if part is not None)


def _whole(part: Range, low: int, high: int) -> tuple[int, int] | None:
    if isinstance(part.low, int):
        low = max(low, part.low if part.low_in else part.low + 1)
    if isinstance(part.high, int):
        high = min(high, part.high if part.high_in else part.high - 1)
    return (low, high) if low <= high else None


def asked_of(groups: Sequence[Group], column: ColumnHealth) -> list[Ranges]:
    """Ranges of a column for which the sampled scans of groups ask; omits scans without any."""
    return [ranges for group in groups for ranges in ranges_asked(group, column) if ranges]


def _are_used(cuts: Cuts, asked: Sequence[Ranges]) -> bool:
    """True if most filters ask for at least half of the partitions that hold what they ask for."""
    return bool(asked) and median(map(cuts.share_asked, asked)) >= HALF


def fitting(
    transforms: Sequence[str],
    column: ColumnHealth,
    asked: Sequence[Ranges],
    *,
    whole_bytes: float,
    least_bytes: float,
) -> str | None:
    """First of the transforms, from coarse to fine, of whose partitions most filters ask for at
    least half; else the finest. Excludes transforms that would cut `whole_bytes` into partitions of
    fewer than `least_bytes`; None if none is left."""
    best = None
    for transform in transforms:
        cuts = cuts_of(transform, column)
        if cuts is None or whole_bytes * cuts.length / cuts.span < least_bytes:
            break
        best = transform
        if _are_used(cuts, asked):
            break
    return best


def finer_transform(
    usage: TableUsage, groups: Sequence[Group], field: PartitionField
) -> str | None:
    """Finer transform in place of a field, if most filters ask for less than half of its
    partitions; None if they ask for more, or if partitions would get small or are overwritten, so
    that sorting serves better."""
    health = None if usage.overwrites else usage.health
    column = None if health is None else health.column(usage.names.get(field.source_id, ""))
    cuts = cuts_of(field.transform, column)
    if health is None or column is None or cuts is None or health.partition_bytes is None:
        return None
    asked = asked_of(groups, column)
    if not asked or _are_used(cuts, asked):
        return None
    steps = ladder(field.transform, column.type)
    return fitting(
        steps[steps.index(field.transform) + 1 :],
        column,
        asked,
        whole_bytes=health.partition_bytes * cuts.span / cuts.length,
        least_bytes=least_partition_bytes(usage),
    )


def bucket_count(usage: TableUsage, whole_bytes: float | None) -> int | None:
    """Number of buckets into which so many bytes are cut, each with whole files; None where they
    are too few."""
    files = (whole_bytes or 0) / max(1.0, least_partition_bytes(usage))
    return min(MOST_BUCKETS, 2 ** int(log2(files))) if files >= 2 else None


def least_partition_bytes(usage: TableUsage) -> float:
    """Minimum size of a partition: a file of the table's target size."""
    return 0.0 if usage.health is None else usage.health.target_file_bytes


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
    cuts = cuts_of(transform, column)
    return cuts is not None and _are_used(cuts, asked_of(groups, column))


def units_of(column: ColumnHealth, transform: str) -> int | None:
    """Number of hours, days, months or years that a time column spans; None if its bounds are
    unknown."""
    cuts = cuts_of(transform, column)
    return None if cuts is None else cuts.touched(((cuts.low, cuts.high),))
