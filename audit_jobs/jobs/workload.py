"""From queries to the distinct scans of a run: snapshots resolved, predicates bound, and
everything that is the same planned once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from audit_jobs.health.measure import SMALL
from audit_jobs.health.sketch import Measure
from audit_jobs.isolation import Failed, attempt
from audit_jobs.pruning.rules import FLOOR, PlannerRules
from audit_jobs.pruning.scans import Scan
from audit_jobs.reconciliation import DATA_FILES
from audit_jobs.records import ALWAYS_FALSE
from audit_jobs.replay.local import table_works
from audit_jobs.replay.planner_rules import rules_of
from audit_jobs.replay.queries import NamedTables
from audit_jobs.replay.texts import TableScan
from audit_jobs.replay.work import Failure, TableWork
from collectors.errors import PrunescopeError
from collectors.predicates.bind import bind, unknown_columns
from collectors.predicates.column_domains import tightened
from collectors.predicates.iceberg_negations import as_written, matching_nulls
from collectors.predicates.model import FALSE, Predicate, all_of
from collectors.predicates.planner_trino import of_io_plan
from collectors.predicates.planners import (
    Planner,
    as_expression,
    as_planned,
    bind_pushed,
    planner_of,
)
from collectors.queries.observed import ObservedQuery, ObservedScan, PlanText, TableName
from collectors.statistics import columns_of
from collectors.tables.catalog import Table
from collectors.tables.metadata import Snapshot
from collectors.tables.properties import count_of
from collectors.tables.schema import Schema

_ALWAYS_FALSE = Failed(
    ALWAYS_FALSE, "no row can satisfy the filter: the engine reads nothing for it"
)
_TARGET_FILE_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PlannedScan:
    """A scan of one query: its whole filter, the part that the engine pushes (None where nobody
    knows), and the distinct scans that plan them; or a failure.

    `snapshot_known` says that the query names the snapshot that was read, or that the engine
    reported it. `scan_id` plans what the engine pushes, `whole_id` the whole filter, both by the
    rules of the engine's planner; `potential_id` the whole filter by all that the statistics allow.
    """

    table: TableName
    observed: ObservedScan | None
    predicate: Predicate | None = None
    pushed: Predicate | None = None
    scan_id: int | None = None
    whole_id: int | None = None
    potential_id: int | None = None
    snapshot_known: bool = False
    failure: Failed | None = None


@dataclass(frozen=True, slots=True)
class DistinctScan:
    """A predicate on one snapshot of a table, None for a table that has never been written, and
    the rules by which it is planned."""

    scan: Scan
    table: Table
    snapshot: Snapshot | None
    schema: Schema


@dataclass
class Workload:
    """Collects the scans of queries; the same predicate on the same snapshot is planned once by
    the same rules."""

    tables: Mapping[TableName, Table]
    scans: dict[tuple[TableName, int | None, Predicate, PlannerRules], DistinctScan] = field(
        default_factory=dict
    )

    def add(self, query: ObservedQuery, scan: TableScan) -> PlannedScan:
        """Plans one scan of a query for later, unless its snapshot or a column is missing, or
        its filter cannot be read."""
        table = self.tables[scan.table]
        try:
            snapshot = resolve_snapshot(table, scan, query.started_at)
            schema = table.metadata.schema(snapshot)
            planner = planner_of(query.engine, query.engine_version, query.iceberg_version)
            pushed = _bound_pushed(scan.pushed, schema, query, planner)
        except PrunescopeError as error:
            return PlannedScan(table.name, scan.observed, failure=Failed.of(error))
        known = bind(scan.predicate, schema, time_zone=query.time_zone)
        pushed = None if pushed is None else as_written(pushed, known, schema)
        predicate = known if pushed is None else all_of(known, pushed)
        if unknown := unknown_columns(predicate):
            failure = Failed("unknown_column", _unknown(table, unknown))
            return PlannedScan(table.name, scan.observed, failure=failure)

        planned = predicate if pushed is None else as_expression(planner, pushed)
        if planned == FALSE and not _has_read(scan.observed):
            return PlannedScan(table.name, scan.observed, predicate, pushed, failure=_ALWAYS_FALSE)
        rules = rules_of(planner)

        def plan(part: Predicate, rules: PlannerRules) -> int:
            key = (table.name, None if snapshot is None else snapshot.snapshot_id, part, rules)
            if key not in self.scans:
                distinct = Scan(len(self.scans), part, rules)
                self.scans[key] = DistinctScan(distinct, table, snapshot, schema)
            return self.scans[key].scan.scan_id

        return PlannedScan(
            table.name,
            scan.observed,
            predicate,
            pushed,
            scan_id=plan(planned, rules),
            whole_id=plan(predicate, rules),
            potential_id=plan(tightened(predicate), FLOOR),
            snapshot_known=scan.snapshot_id is not None
            or (scan.observed is not None and scan.observed.snapshot_id is not None),
        )

    def works(self) -> tuple[list[TableWork], list[Failure]]:
        """Units of work for each table and schema, with all of its snapshots, or the failure of its
        scans. Of each table, the works of the current schema measure the health of the current
        snapshot."""
        groups: dict[tuple[TableName, int], list[tuple[Snapshot, Scan]]] = {}
        tables: dict[TableName, Table] = {}
        for (name, snapshot_id, _, _), distinct in self.scans.items():
            if snapshot_id is not None and distinct.snapshot is not None:
                tables[name] = distinct.table
                of_schema = groups.setdefault((name, distinct.schema.schema_id), [])
                of_schema.append((distinct.snapshot, distinct.scan))
        filters: dict[TableName, list[Predicate]] = {}
        for (name, _), found in groups.items():
            filters.setdefault(name, []).extend(scan.predicate for _, scan in found)
        works: list[TableWork] = []
        failures: list[Failure] = []
        current = [(name, table.metadata.current_schema_id) for name, table in tables.items()]
        for name, schema_id in dict.fromkeys((*groups, *current)):
            scans = groups.get((name, schema_id), [])
            doing = f"preparing the scans of {name}"
            prepared = attempt(
                doing, _works, len(works), tables[name], schema_id, scans, filters.get(name, ())
            )
            if isinstance(prepared, PrunescopeError):
                ids = tuple(scan.scan_id for _, scan in scans)
                failures.append(Failure(str(tables[name].name), ids, Failed.of(prepared)))
            else:
                works += prepared
        return works, failures


def _works(
    key: int,
    table: Table,
    schema_id: int,
    scans: Sequence[tuple[Snapshot, Scan]],
    filters: Iterable[Predicate],
) -> list[TableWork]:
    metadata = table.metadata
    measure = _measure(table, filters) if schema_id == metadata.current_schema_id else None
    return table_works(key, table, metadata.schemas[schema_id], scans, measure)


def _measure(table: Table, filters: Iterable[Predicate]) -> Measure | None:
    """What to measure of a table: bounds of the columns by which any scan filters it."""
    metadata = table.metadata
    if metadata.current_snapshot_id not in metadata.snapshots:
        return None
    assert metadata.current_snapshot_id is not None
    types = {column.field_id: column.type for column in metadata.schema(None).columns}
    return Measure(
        snapshot_id=metadata.current_snapshot_id,
        spec_id=metadata.default_spec_id,
        columns=tuple(key for key in columns_of(filters) if types.get(key[0]) == key[1]),
        small_bytes=SMALL * _target_file_bytes(metadata.properties),
    )


def _unknown(table: Table, names: Sequence[str]) -> str:
    """Why names of a filter are no columns. Those that are in no schema of the table are not told:
    they could be texts, read in the wrong dialect."""
    known = [name for name in names if table.metadata.has_had_column(tuple(name.split(".")))]
    if known:
        return f"{table.name} has no column {', '.join(known)} in that snapshot"
    return (
        f"the filter names what is no column of {table.name}; if it is a text in double quotes, "
        "set the dialect in which that is a text"
    )


def _target_file_bytes(properties: Mapping[str, str]) -> int:
    """The size of files that writers aim at; Iceberg's default where the property says none."""
    return count_of(properties, "write.target-file-size-bytes") or _TARGET_FILE_BYTES


def _has_read(observed: ObservedScan | None) -> bool:
    """Whether the engine reported that it read data files, whatever its filter says."""
    return observed is not None and observed.counters.get(DATA_FILES, 0) > 0


def _bound_pushed(
    pushed: PlanText | Predicate | None,
    schema: Schema,
    query: ObservedQuery,
    planner: Planner | None,
) -> Predicate | None:
    if pushed is None:
        return None
    if isinstance(pushed, PlanText):
        return as_planned(planner, _parsed_plan(pushed.text, schema), schema)
    if query.plan_known:
        pushed = of_io_plan(pushed, schema)
    return bind_pushed(planner, pushed, schema, time_zone=query.time_zone)


@lru_cache(maxsize=16_384)
def _parsed_plan(text: str, schema: Schema) -> Predicate:
    from collectors.predicates.plan_text import parse_plan_filters  # noqa: PLC0415

    return matching_nulls(parse_plan_filters(text, schema), schema)


def resolve_snapshot(
    table: Table, scan: TableScan, started_at: dt.datetime | None
) -> Snapshot | None:
    """The snapshot that a scan read: the id that its SQL names, else the one that the engine
    reported, else what the SQL says otherwise (a ref, a time), else the branch that the engine
    reported, else the one that was current when the query ran, else the current one. None for a
    table that has never been written. Raises SnapshotNotFound."""
    metadata, observed = table.metadata, scan.observed
    if scan.snapshot_id is not None:
        return metadata.snapshot_by_id(scan.snapshot_id)
    if observed is not None and observed.snapshot_id is not None:
        return metadata.snapshot_by_id(observed.snapshot_id)
    if scan.ref is not None:
        return metadata.snapshot_by_ref(scan.ref)
    if scan.as_of is not None:
        return metadata.snapshot_as_of(scan.as_of)
    if observed is not None and observed.ref is not None:
        return metadata.snapshot_by_ref(observed.ref)
    if started_at is not None and metadata.current_snapshot_id is not None:
        return metadata.snapshot_as_of(started_at)
    return metadata.current_snapshot()


def named_tables(queries: Iterable[NamedTables]) -> dict[TableName, None]:
    """Every table that any query names, once."""
    return {table: None for query in queries for table in query.tables}
