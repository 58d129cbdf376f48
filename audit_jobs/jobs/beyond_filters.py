"""Bytes of tables that could be skipped beyond the filters of queries: collected from the scans of
a log, and replayed on metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from prunescope.audit_jobs.advice.beyond_filters import (
    AskedBeyond,
    AskedFilter,
    AskedKey,
    AskedRows,
    Beyond,
)
from prunescope.audit_jobs.advice.workload import AskedScan
from prunescope.audit_jobs.jobs.asked_scans import asked_scan
from prunescope.audit_jobs.jobs.filter_skips import filters_skipped
from prunescope.audit_jobs.jobs.join_skips import joins_skipped
from prunescope.audit_jobs.jobs.kept_files import snapshot_context
from prunescope.audit_jobs.jobs.rows_needed import rows_skipped
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.needed_rows import FewRows
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import TRUE, all_of
from prunescope.collectors.table_scans import ScanKey, TableScan
from prunescope.collectors.tables.catalog import Table

MAX_SCANS = 300
"""Distinct scans of each kind that are replayed: those that ran most often."""

_ROWS = "physical_input_rows"

_Asked = TypeVar("_Asked")


class BeyondOf:
    """Demands of queries' scans beyond filters, by table: keys of joins, few rows, dynamic
    filters."""

    def __init__(self, tables: Mapping[TableName, Table]) -> None:
        self._tables = tables
        self.asked: dict[TableName, AskedBeyond] = {}

    def add(self, named: NamedTables, scan: TableScan, asked: AskedScan) -> None:
        """Adds one run of a scan, as it is `asked` of the table now."""
        own = self.asked.setdefault(self._tables[scan.table].name, AskedBeyond())
        if isinstance(scan.needed, FewRows):
            own.rows[AskedRows(asked, scan.needed)] += 1
        for key in scan.keys:
            found = self._key(named, asked, key)
            if found is not None:
                own.keys[found] += 1
        collected = self._collected(scan, asked)
        if collected is not None:
            own.filters[collected] += 1
            assert scan.observed is not None
            own.rows_read[collected] += scan.observed.counters[_ROWS]

    def _key(self, named: NamedTables, asked: AskedScan, key: ScanKey) -> AskedKey | None:
        other = self._tables[key.others[0].table]
        scans = [asked_scan(other, named, scan) for scan in key.others]
        known = [scan for scan in scans if isinstance(scan, AskedScan)]
        if len(known) < len(scans):
            return None
        filters = tuple(dict.fromkeys(scan.whole for scan in known))
        is_merge = "merge" in named.traits
        return AskedKey(asked, key.column, other.name, key.other_column, filters, is_merge)

    def _collected(self, scan: TableScan, asked: AskedScan) -> AskedFilter | None:
        observed = scan.observed
        if observed is None or not observed.collected or observed.snapshot_id is None:
            return None
        metadata = self._tables[scan.table].metadata
        if observed.snapshot_id not in metadata.snapshots or _ROWS not in observed.counters:
            return None
        found = bind(all_of(*observed.collected), metadata.schema(None), time_zone=None)
        return None if found == TRUE else AskedFilter(observed.snapshot_id, asked, found)


def beyond_of(
    tables: Mapping[TableName, Table], name: TableName, asked: AskedBeyond | None
) -> Beyond:
    """The bytes of a table that could be skipped beyond filters. Raises PrunescopeError."""
    if asked is None:
        return Beyond()
    table = tables[name]
    context = snapshot_context(table, table.metadata.current_snapshot())
    schema = table.metadata.schema(None)
    keys, filters, rows = _most(asked.keys), _most(asked.filters), _most(asked.rows)
    joins, unbounded = joins_skipped(tables, context, schema, keys)
    kinds = ((asked.keys, keys), (asked.filters, filters), (asked.rows, rows))
    return Beyond(
        joins,
        filters_skipped(table, filters, asked.rows_read),
        rows_skipped(context, schema, rows),
        unbounded,
        sum(len(whole) - len(some) for whole, some in kinds),
    )


def _most(counted: Counter[_Asked]) -> dict[_Asked, int]:
    return dict(counted.most_common(MAX_SCANS))
