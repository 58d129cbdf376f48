"""The distinct scans of some queries: equal scans are planned once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.local import table_context, table_works
from prunescope.audit_jobs.planning.work import Home, TableContext, TableWork
from prunescope.audit_jobs.pruning.plan_triple import PlanTriple
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.workload.bind import ByRules, NotBound, TableState, bind_scan
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.needed_rows import NeededRows
from prunescope.collectors.observed import ObservedQuery, ObservedScan, TableName
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.table_scans import UNPLACED, TableScan, TextPlace
from prunescope.collectors.tables.catalog import Table


@dataclass(frozen=True, slots=True)
class PlannedScan:
    """A scan of one query: its whole filter, the part that the engine pushes (None if unknown), and
    the distinct scans that plan them; or a failure.

    `snapshot_known` says that the query names the snapshot that was read, or that the engine
    reported it. `needed` limits the rows that the query needs. `named_catalog` is the query's name
    for the table's catalog. `ids` are those of the distinct scans; None for a failure.
    """

    table: TableName
    observed: ObservedScan | None
    predicate: Predicate | None = None
    pushed: Predicate | None = None
    ids: PlanTriple[int] | None = None
    snapshot_known: bool = False
    needed: NeededRows | None = None
    text_place: TextPlace = UNPLACED
    named_catalog: str | None = None
    failure: Failed | None = None


@dataclass(frozen=True, slots=True)
class Unwritten:
    """Scans of a table that has never been written."""

    schema_id: int
    specs: Mapping[int, PartitionSpec]
    scans: tuple[Scan, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Distinct scans, ready to be planned: in blocks, with nothing to read, or failed, by id."""

    works: list[TableWork] = field(default_factory=list)
    unwritten: list[Unwritten] = field(default_factory=list)
    failed: dict[int, Failed] = field(default_factory=dict)


def _within_log(table: Table, query: ObservedQuery) -> ObservedQuery:
    """A query as if it had not run before the table's log begins."""
    first = table.metadata.past.log.first
    if first is None or query.started_at is None:
        return query
    return replace(query, started_at=max(first, query.started_at))


@dataclass
class DistinctScans:
    """Collects the scans of queries; the same predicate on the same state of a table is planned
    once by the same rules. Ids count the scans from 0. With `from_first`,
    queries that ran before a table's log begins are planned on the first state in that log."""

    tables: Mapping[TableName, Table]
    from_first: bool = False
    scans: list[tuple[TableState, Scan]] = field(default_factory=list)
    _ids: dict[tuple[Hashable, PlannerRules], dict[Predicate, int]] = field(default_factory=dict)

    def add(self, query: ObservedQuery, scan: TableScan) -> PlannedScan:
        """A scan of a query, or the failure of planning it."""
        table = self.tables[scan.table]
        if self.from_first:
            query = _within_log(table, query)
        doing = f"binding a filter of {scan.table}"
        bound = attempt(doing, table.storage.clock.timed(bind_scan), table, query, scan)
        if isinstance(bound, PrunescopeError):
            return PlannedScan(table.name, scan.observed, failure=Failed.of(bound))
        if isinstance(bound, NotBound):
            return PlannedScan(
                table.name, scan.observed, bound.predicate, bound.pushed, failure=bound.why
            )

        state = bound.state

        def plan(asked: ByRules) -> int:
            part, rules = asked
            next_id = len(self.scans)
            scan_id = self._ids.setdefault((state.key, rules), {}).setdefault(part, next_id)
            if scan_id == next_id:
                self.scans.append((state, Scan(scan_id, part, rules)))
            return scan_id

        return PlannedScan(
            table.name,
            scan.observed,
            bound.predicate,
            bound.pushed,
            ids=bound.plans.map(plan),
            snapshot_known=scan.snapshot_id is not None
            or (scan.observed is not None and scan.observed.snapshot_id is not None),
            needed=scan.needed,
            text_place=scan.text_place,
            named_catalog=scan.table.catalog,
        )

    def prepared(self, home: Home, key: int) -> Prepared:
        """The distinct scans in blocks for each table and schema, of all of its snapshots, with
        keys from `key` on."""
        groups: dict[tuple[TableName, int, bool], list[tuple[TableState, Scan]]] = {}
        for state, scan in self.scans:
            of_group = (state.table.name, state.schema.schema_id, state.snapshot is None)
            groups.setdefault(of_group, []).append((state, scan))
        found = Prepared()
        for (name, _, is_unwritten), scans in groups.items():
            first_state = scans[0][0]
            doing, clock = f"preparing the scans of {name}", first_state.table.storage.clock
            made = attempt(doing, clock.timed(_context), first_state)
            if isinstance(made, PrunescopeError):
                found.failed.update((scan.scan_id, Failed.of(made)) for _, scan in scans)
            elif is_unwritten:
                own = tuple(scan for _, scan in scans)
                found.unwritten.append(Unwritten(made.schema_id, made.specs, own))
            else:
                asked = [
                    (state.snapshot_id, scan)
                    for state, scan in scans
                    if state.snapshot_id is not None
                ]
                first = key + len(found.works)
                works = attempt(doing, clock.timed(table_works), first, made, asked, home=home)
                if isinstance(works, PrunescopeError):
                    found.failed.update((scan.scan_id, Failed.of(works)) for _, scan in scans)
                else:
                    found.works.extend(works)
        return found


def _context(state: TableState) -> TableContext:
    """The context of scans. Raises the errors of planning that their table would cause."""
    return table_context(state.table, state.schema, ())
