"""From a scan of a query to its table: the snapshot resolved, the filter bound."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from prunescope.audit_jobs.agreement import DATA_FILES
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.conjunct_classes import ENFORCED, classify
from prunescope.audit_jobs.pruning.plan_triple import PlanTriple
from prunescope.audit_jobs.pruning.rules import FLOOR, PlannerRules
from prunescope.audit_jobs.pruning.selection import selects_partitions
from prunescope.audit_jobs.records import ALWAYS_FALSE, HIDDEN
from prunescope.audit_jobs.workload.row_tests import with_row_tests
from prunescope.audit_jobs.workload.text_tests import with_text_tests
from prunescope.audit_jobs.workload.versions import schema_of_version
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.needed_rows import Removed
from prunescope.collectors.observed import (
    ALL_ROWS,
    ObservedQuery,
    ObservedScan,
    RowFilter,
    TableName,
)
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.bind import bind, unknown_columns
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.iceberg_negations import as_written, matching_nulls
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    conjuncts,
)
from prunescope.collectors.predicates.moments import Clocks
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.planners.profiles import (
    Planner,
    as_expression,
    as_planned,
    bind_pushed,
    planner_of,
    plans_by_domains,
    pushed_domains,
)
from prunescope.collectors.sql.planners.trino import of_io_plan
from prunescope.collectors.sql.scopes.time_travel import CURRENT, Version
from prunescope.collectors.table_scans import TableScan
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.refs import snapshot_of_ref

_ALWAYS_FALSE = Failed(
    ALWAYS_FALSE, "no row can satisfy the filter: the engine reads nothing for it"
)

_DROPPED = Failed(
    Outcome.NOT_SCANNED,
    "the condition of the DELETE selects whole partitions: the engine drops their files, and reads "
    "none",
)

_HIDDEN = Unsupported(Reason.EXPRESSION, HIDDEN, HIDDEN)

_HOLDS_ROWS = Unsupported(Reason.EXPRESSION, "TRUE", "TRUE")
"""The rest of a filter that every row satisfies: Iceberg asks files whether they hold any rows as
soon as it has a filter, whatever the filter says."""


ByRules = tuple[Predicate, PlannerRules]
"""A predicate, and the rules by which it is planned."""


@dataclass(frozen=True, slots=True)
class TableState:
    """A table as a scan reads it: at a snapshot, None if it had never been written, under a
    schema."""

    table: Table
    snapshot: Snapshot | None
    schema: Schema

    @property
    def snapshot_id(self) -> int | None:
        """The id of the snapshot."""
        return None if self.snapshot is None else self.snapshot.snapshot_id

    @property
    def key(self) -> tuple[TableName, int | None, int]:
        """The name of the table, and the ids of the snapshot and of the schema."""
        return self.table.name, self.snapshot_id, self.schema.schema_id


@dataclass(frozen=True, slots=True)
class BoundScan:
    """A scan of a table: its whole filter, the part that the engine pushes (None if unknown), and
    what is planned of them."""

    state: TableState
    predicate: Predicate
    pushed: Predicate | None
    plans: PlanTriple[ByRules]


@dataclass(frozen=True, slots=True)
class NotBound:
    """The reason why a scan is not planned, with the known part of its filter."""

    why: Failed
    predicate: Predicate | None = None
    pushed: Predicate | None = None


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds the filters of a query's session to columns of a schema."""

    schema: Schema
    time_zone: str | None
    plain_are_moments: bool

    def whole(self, predicate: Predicate) -> Predicate:
        """A whole filter, bound."""
        zone, moments = self.time_zone, self.plain_are_moments
        return bind(predicate, self.schema, time_zone=zone, plain_are_moments=moments)

    def pushed(self, planner: Planner | None, pushed: Predicate) -> Predicate:
        """The pushed part of a filter, bound as the planner does."""
        zone, moments = self.time_zone, self.plain_are_moments
        schema = self.schema
        return bind_pushed(planner, pushed, schema, time_zone=zone, plain_are_moments=moments)


def classes_of(
    engine: str | None,
    predicate: Predicate,
    pushed: Predicate | None,
    selecting: Sequence[bool],
    specs: Sequence[PartitionSpec],
) -> tuple[str, ...]:
    """The classes (`classify`) of the conjuncts of a filter, by the planner of an engine, None for
    Iceberg's own."""
    domains, by_domains = pushed_domains(engine, pushed), plans_by_domains(engine)
    return classify(conjuncts(predicate), selecting, specs, domains, by_domains=by_domains)


def bind_scan(table: Table, query: ObservedQuery, scan: TableScan) -> BoundScan | NotBound:
    """Binds one scan of a query; not bound if its snapshot or a column is missing, its filter
    cannot be read, or no row can satisfy it."""
    zone = scan.time_zone or query.time_zone
    try:
        snapshot = resolve_snapshot(table, scan, query.started_at)
        planner = planner_of(query.engine, query.engine_version, query.iceberg_version)
        schema = _schema(table, snapshot, scan, planner, query.started_at)
        binder = Binder(schema, zone, dialect_of(query.dialect).plain_are_moments)
        pushed = _bound_pushed(scan, binder, query, planner)
    except PrunescopeError as error:
        return NotBound(Failed.of(error))
    known = binder.whole(scan.predicate)
    pushed = None if pushed is None else as_written(pushed, known, schema)
    known = all_of(known, _checked(scan.checked, pushed, schema, zone))
    predicate = known if pushed is None else all_of(known, pushed)
    if unknown := unknown_columns(predicate):
        return NotBound(Failed(Outcome.UNKNOWN_COLUMN, _unknown(table, unknown)))
    planned = predicate if pushed is None else as_expression(planner, pushed)
    if planned == FALSE and not _has_read(scan.observed):
        return NotBound(_ALWAYS_FALSE, predicate, pushed)
    if planned == TRUE and _is_given(scan, planner):
        planned = _HOLDS_ROWS
    if isinstance(scan.needed, Removed) and not _has_read(scan.observed):
        specs = tuple(table.metadata.specs(schema).values())
        if pushed is not None and _drops_files(predicate, pushed, specs, planner):
            return NotBound(_DROPPED, predicate, pushed)
    session = Session(query.dialect, query.started_at, zone)
    written_under = table.metadata.specs(schema).values()
    tested = with_text_tests(tightened(predicate), schema, written_under, session)
    potential = with_row_tests(tested, schema, Clocks(zone, binder.plain_are_moments))
    rules = rules_of(planner)
    plans = PlanTriple((planned, rules), (predicate, rules), (potential, FLOOR))
    return BoundScan(TableState(table, snapshot, schema), predicate, pushed, plans)


def _is_given(scan: TableScan, planner: Planner | None) -> bool:
    """Tells whether a library is known to be given a filter, also if each row meets it: Spark drops
    such conditions before, and its plans show the others."""
    if scan.shown is not None:
        return bool(scan.shown.text)
    if scan.pushed is None or planner is None:
        return False
    keeps = planner.profile.planning.by_pyiceberg or plans_by_domains(planner.engine)
    return keeps and scan.pushed != TRUE


def _drops_files(
    predicate: Predicate,
    pushed: Predicate,
    specs: Sequence[PartitionSpec],
    planner: Planner | None,
) -> bool:
    """True if partitioning answers all of a condition, whatever the spec of a file, so that an
    engine that is known to deletes files and no rows."""
    if planner is None or not planner.profile.planning.drops_partitions:
        return False
    parts = conjuncts(predicate)
    if not plans_by_domains(planner.engine) and not set(parts) <= set(conjuncts(pushed)):
        return False
    selecting = [selects_partitions(part, specs) for part in parts]
    return set(classes_of(planner.engine, predicate, pushed, selecting, specs)) == {ENFORCED}


def _unknown(table: Table, names: Sequence[str]) -> str:
    """The message for names of a filter that are no columns. Leaves out names that are in no schema
    of the table: they could be strings, read in the wrong dialect."""
    known = [name for name in names if table.metadata.has_had_column(tuple(name.split(".")))]
    if known:
        return f"{table.name} has no column {', '.join(known)} in that snapshot"
    return (
        f"the filter names what is no column of {table.name}; if it is a text in double quotes, "
        "set the dialect in which that is a text"
    )


def _has_read(observed: ObservedScan | None) -> bool:
    """True if the engine reported that it read data files, whatever its filter says."""
    return observed is not None and observed.counters.get(DATA_FILES, 0) > 0


def _bound_pushed(
    scan: TableScan, binder: Binder, query: ObservedQuery, planner: Planner | None
) -> Predicate | None:
    schema = binder.schema
    if scan.shown is not None:
        return as_planned(planner, _parsed_plan(scan.shown.text, schema), schema)
    if scan.pushed is None:
        return None
    pushed = of_io_plan(scan.pushed, schema) if query.plan_known else scan.pushed
    return binder.pushed(planner, pushed)


def _checked(
    checked: RowFilter,
    pushed: Predicate | None,
    schema: Schema,
    time_zone: str | None,
) -> Predicate:
    """The predicate that the engine checks on rows, without conditions that it also pushes, in
    other words."""
    if checked == ALL_ROWS:
        return TRUE
    parts = conjuncts(_parsed_conditions(checked.conditions, schema, time_zone))
    if not checked.is_shown:
        parts = (*parts, _HIDDEN)
    if pushed is None:
        return all_of(*parts)
    said = frozenset(conjuncts(pushed))
    compared = _compared(pushed)
    return all_of(
        *(
            part
            for part in parts
            if matching_nulls(part, schema) not in said and not _is_shown(part, compared)
        )
    )


def _is_shown(part: Predicate, compared: frozenset[str]) -> bool:
    """True if the text shows a condition in more than one form, and the scan node shows it as well:
    Spark pushes every comparison of a column with strings, which have quotes there."""
    match part:
        case Unsupported(Reason.EXPRESSION, columns=columns):
            return bool(columns) and compared.issuperset(columns)
        case _:
            return False


def _compared(predicate: Predicate) -> frozenset[str]:
    """The columns that a filter compares with values."""
    return frozenset(leaf.field.name for leaf in comparisons(predicate) if leaf.values)


@lru_cache(maxsize=16_384)
def _parsed_conditions(
    conditions: tuple[str, ...], schema: Schema, time_zone: str | None
) -> Predicate:
    from prunescope.collectors.sql.extraction.plan_conditions import parse_plan_conditions  # noqa: PLC0415

    return parse_plan_conditions(conditions, schema, time_zone)


@lru_cache(maxsize=16_384)
def _parsed_plan(text: str, schema: Schema) -> Predicate:
    from prunescope.collectors.predicates.plan_text import parse_plan_filters  # noqa: PLC0415

    return matching_nulls(parse_plan_filters(text, schema), schema)


def _schema(
    table: Table,
    snapshot: Snapshot | None,
    scan: TableScan,
    planner: Planner | None,
    moment: dt.datetime | None,
) -> Schema:
    named = Version(scan.snapshot_id, scan.ref, scan.as_of)
    if named == CURRENT and scan.observed is not None:
        named = Version(ref=scan.observed.ref)
    engine = None if planner is None else planner.engine
    return schema_of_version(table.metadata, named, snapshot, engine=engine, moment=moment)


def resolve_snapshot(
    table: Table, scan: TableScan, started_at: dt.datetime | None
) -> Snapshot | None:
    """The snapshot that a scan read: the id that its SQL names, else the one that the engine
    reported, else the ref or time that the SQL names, else the branch that the engine reported,
    else the snapshot that was current when the query ran, else the current one. A branch is read as
    it was when the query ran. None for a table that has never been written. Raises
    SnapshotNotFound."""
    metadata, observed = table.metadata, scan.observed
    if scan.snapshot_id is not None:
        return metadata.snapshot_by_id(scan.snapshot_id)
    if observed is not None and observed.snapshot_id is not None:
        return metadata.snapshot_by_id(observed.snapshot_id)
    if scan.ref is not None:
        return snapshot_of_ref(metadata, scan.ref, started_at)
    if scan.as_of is not None:
        return metadata.snapshot_as_of(scan.as_of)
    if observed is not None and observed.ref is not None:
        return snapshot_of_ref(metadata, observed.ref, started_at)
    if started_at is not None and metadata.current_snapshot_id is not None:
        return metadata.snapshot_as_of(started_at)
    return metadata.current_snapshot()
