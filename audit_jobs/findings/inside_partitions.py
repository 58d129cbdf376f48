"""Order of rows inside partitions by the column that these are by: a day is cut by its files, if
these are in order of time."""

from __future__ import annotations

from prunescope.audit_jobs.findings.granularity import Ranges, cuts_of, ranges_asked
from prunescope.audit_jobs.findings.partitions_asked import values_of_field
from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.sorting import left_by_column
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.pruning.transforms import width
from prunescope.audit_jobs.tuning import SPREAD
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.model import all_of


def is_in_order_inside(usage: TableUsage, field: PartitionField) -> bool:
    """True if files inside a partition tell apart the values of the column that it is by: many of
    them do not overlap, or a value is in less than half of those that may have it."""
    health = usage.health
    known = None if health is None else health.column(usage.names.get(field.source_id, ""))
    if health is None or known is None or field.transform == "identity" or not health.partitions:
        return False
    if known.mixed is not None:
        return known.mixed < SPREAD
    # Of too few files of one partition to tell, all that have a value: those of a time's partition,
    # and of one by a hash any.
    is_hash = field.transform.startswith("bucket[")
    files = health.data_files if is_hash else health.partition_files or 0
    return known.depth is not None and known.depth < files / 2


def share_skipped_inside(usage: TableUsage, group: Group, field: PartitionField) -> float:
    """The share of a table that the scans of a group skip by the order inside the partitions of a
    field, on average: of the partitions that have what they ask for, the files that have not, if
    that is one or more. Nothing is where nothing tells which partitions have it."""
    health = usage.health
    column = None if health is None else health.column(usage.names[field.source_id])
    if health is None or column is None or not health.data_files:
        return 0.0
    skipped = 0.0
    for scan, ranges in zip(group.sample, ranges_asked(group, column), strict=True):
        asked = _share_of_partitions(field, column, scan, ranges)
        more = 0.0 if asked is None else asked - left_by_column(scan, column.name)
        skipped += more if more * health.data_files >= 1 else 0.0
    return skipped / len(group.sample)


def _share_of_partitions(
    field: PartitionField, column: ColumnHealth, scan: SampledScan, ranges: Ranges | None
) -> float | None:
    """The share of a table that is in the partitions of a field which a scan asks for, if these
    are alike: of buckets all, where it lists no values. None where nothing tells."""
    if field.transform.startswith("bucket["):
        predicate = all_of(*(part.predicate for part in scan.conjuncts))
        values = values_of_field(predicate, field)
        return 1.0 if values is None else min(1.0, values / width(field.transform))
    cuts = cuts_of(field.transform, column)
    return None if cuts is None or ranges is None else cuts.covered(ranges) / cuts.span
