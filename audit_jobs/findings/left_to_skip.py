"""Bytes left to skip for conditions by which nothing prunes."""

from __future__ import annotations

from prunescope.audit_jobs.findings.attribution import query_claims
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import ABOUT_ONE
from prunescope.collectors.tables.properties import ROW_GROUP_BYTES


def reads_most_anyway(usage: TableUsage, group: Group) -> bool:
    """True if scans of a group read most of the table, even after the rewrite of their query that
    the finding of another cause proposes."""
    read = group.bytes_allowed if query_claims(usage, group) else group.bytes_read
    return 2 * read > group.bytes_total


def reads_one_partition(group: Group) -> bool:
    """True if the scans of a group read about one partition each, by the median size of partitions:
    a condition on the partitions can then rule out no other."""
    health = group.health
    if health is None or health.partition_bytes is None or not health.partitions:
        return False
    return group.bytes_read <= ABOUT_ONE * health.partition_bytes * group.count


def is_one_row_group(usage: TableUsage) -> bool:
    """True if a table is one file of one row group, as far as sizes tell: any query of its rows
    reads all of it, in whatever order they are."""
    health = usage.health
    if health is None:
        return False
    return health.data_files <= 1 and health.bytes <= ROW_GROUP_BYTES.of(usage.metadata.properties)
