"""Groups and usages of scans, as an audit makes them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from prunescope.audit_jobs.findings.aggregates import aggregate
from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.history import NO_HISTORY, History
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import Group, KnownTable, TableUsage, table_usage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import ScanRecord, Window
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.metadata import TableMetadata

DAY = dt.timedelta(days=1)
START = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
WINDOW = Window(START, START + DAY)


def group_of(records: Iterable[ScanRecord], health: TableHealth | None = None) -> Group:
    """The one group of scans of one shape."""
    known = {} if health is None else {health.table: health}
    ((key, sums),) = aggregate(records, known, Policy()).groups.items()
    return Group(key.table, key.fingerprint, sums, health)


def usage_of(
    table: TableName,
    records: Iterable[ScanRecord],
    metadata: TableMetadata,
    health: TableHealth | None,
    thresholds: Thresholds,
    history: History = NO_HISTORY,
) -> TableUsage:
    """How scans of one table use it."""
    known = {} if health is None else {table: health}
    found = aggregate(records, known, Policy())
    read = table_usage(
        table, found.groups, KnownTable(metadata, health), thresholds, CAUSES, history
    )
    changing = found.changing(table, read.schema)
    return replace(read, overwrites=found.overwrites(table), changing=changing)
