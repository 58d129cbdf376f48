"""From queries to the distinct scans of a run: snapshots resolved, predicates bound, and
everything that is the same planned once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from audit_jobs.pruning.scans import Scan
from audit_jobs.replay.local import table_work
from audit_jobs.replay.queries import NamedTables, TableScan
from audit_jobs.replay.work import TableWork
from collectors.errors import PrunescopeError
from collectors.predicates.bind import bind, unknown_columns
from collectors.predicates.model import Predicate
from collectors.queries.observed import ObservedQuery, ObservedScan, TableName
from collectors.tables.catalog import Table
from collectors.tables.metadata import Snapshot
from collectors.tables.schema import Schema


@dataclass(frozen=True, slots=True)
class PlannedScan:
    """A scan of one query: the distinct scan that answers it, or a failure (code, message)."""

    table: TableName
    scan_id: int | None
    predicate: Predicate | None
    observed: ObservedScan | None
    failure: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class DistinctScan:
    """A predicate on one snapshot of a table; None for a table that has never been written."""

    scan: Scan
    table: Table
    snapshot: Snapshot | None
    schema: Schema


@dataclass
class Workload:
    """Collects the scans of queries; the same predicate on the same snapshot is planned
    once."""

    tables: Mapping[TableName, Table]
    scans: dict[tuple[TableName, int | None, Predicate], DistinctScan] = field(default_factory=dict)

    def add(
        self, query: ObservedQuery, scan: TableScan, observed: ObservedScan | None
    ) -> PlannedScan:
        """Plans one scan of a query for later, unless its snapshot or a column is missing."""
        table = self.tables[scan.table]
        try:
            snapshot = resolve_snapshot(table, scan, observed, query.started_at)
        except PrunescopeError as error:
            return PlannedScan(scan.table, None, None, observed, (error.code, str(error)))
        schema = table.metadata.schema(snapshot)
        predicate = bind(scan.predicate, schema, time_zone=query.time_zone)
        if unknown := unknown_columns(predicate):
            message = f"{scan.table} has no column {', '.join(unknown)} in that snapshot"
            return PlannedScan(scan.table, None, None, observed, ("unknown_column", message))
        key = (scan.table, None if snapshot is None else snapshot.snapshot_id, predicate)
        if key not in self.scans:
            distinct = Scan(len(self.scans), predicate)
            self.scans[key] = DistinctScan(distinct, table, snapshot, schema)
        return PlannedScan(scan.table, self.scans[key].scan.scan_id, predicate, observed)

    def works(self) -> list[TableWork]:
        """One unit of work per table and schema, with all of its snapshots."""
        groups: dict[tuple[TableName, int], list[DistinctScan]] = {}
        for (name, snapshot_id, _), distinct in self.scans.items():
            if snapshot_id is not None:
                groups.setdefault((name, distinct.schema.schema_id), []).append(distinct)
        return [
            table_work(
                key,
                group[0].table,
                group[0].schema,
                [(d.snapshot, d.scan) for d in group if d.snapshot is not None],
            )
            for key, group in enumerate(groups.values())
        ]


def resolve_snapshot(
    table: Table,
    scan: TableScan,
    observed: ObservedScan | None,
    started_at: dt.datetime | None,
) -> Snapshot | None:
    """The snapshot that a scan read: what its SQL asks for, else what the engine reported, else
    the one that was current when the query ran, else the current one. None for a table that
    has never been written. Raises SnapshotNotFound."""
    metadata = table.metadata
    if scan.snapshot_id is not None:
        return metadata.snapshot_by_id(scan.snapshot_id)
    if scan.ref is not None:
        return metadata.snapshot_by_ref(scan.ref)
    if scan.as_of is not None:
        return metadata.snapshot_as_of(scan.as_of)
    if observed is not None and observed.snapshot_id is not None:
        return metadata.snapshot_by_id(observed.snapshot_id)
    if started_at is not None and metadata.current_snapshot_id is not None:
        return metadata.snapshot_as_of(started_at)
    return metadata.current_snapshot()


def observed_scan(query: ObservedQuery, table: TableName, seen: int) -> ObservedScan | None:
    """What the engine reported of the `seen`-th scan (from 0) of a table by a query. Engines
    that report a table once, however often it is scanned, report it for the first."""

    def same(scan: ObservedScan) -> bool:
        return str(scan.table).casefold() == str(table).casefold() or (
            scan.table.table.casefold() == table.table.casefold() and scan.table.catalog is None
        )

    matching = [scan for scan in query.scans if same(scan)]
    if seen < len(matching):
        return matching[seen]
    if not matching:
        return None
    first = matching[0]
    return ObservedScan(first.table, first.snapshot_id, {})


def named_tables(queries: list[NamedTables]) -> dict[TableName, None]:
    """Every table that any query names, once."""
    return {table: None for query in queries for table in query.tables}
