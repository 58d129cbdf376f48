"""From queries to blocks of distinct scans, one share of the workload at a time: queries of the
same fingerprint are mostly in the same share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from prunescope.audit_jobs.health.sketch import hash_of
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.items import Item, ItemGroup
from prunescope.audit_jobs.planning.stages import BLOCK
from prunescope.audit_jobs.planning.work import Home
from prunescope.audit_jobs.secret import Secret
from prunescope.audit_jobs.workload.allowance import Allowance
from prunescope.audit_jobs.workload.digests import digest
from prunescope.audit_jobs.workload.distinct import DistinctScans, PlannedScan, Prepared
from prunescope.audit_jobs.workload.queries import NamedTables, ScanFinder
from prunescope.audit_jobs.workload.query_texts import Columns, FoundScans
from prunescope.audit_jobs.workload.report_keys import ScanKey, identity, scan_key
from prunescope.collectors.errors import PrunescopeError, TableTooSlow
from prunescope.collectors.observed import Effects, ObservedQuery, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.catalog import Table

SHARE = "share"
"""A Share, at the home of its blocks."""
USED = "used"
"""(table, Used): what scans use of a table."""
LATE = "late"
"""(table, why): that binding filters of its scans takes too long."""
TRACED = "traced"
"""(table, traceparents): the spans of queries that read a table."""
REPORTED = "reported"
"""(ScanKey, the digest of a filter): that a scan has a filter of the shape of a report."""

MAX_QUERIES = 8_192
"""Queries of one share: enough to judge their scans together, and a bounded amount of memory per
task."""
MAX_TRACED = 100
"""Queries that a table's span is linked with; an SDK keeps 128 by default."""

_KEYS = 2**62


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A query, its key, its scans, and its effects on rows of tables, by their own names. `repeats`
    is the number of its earlier occurrences: listeners that miss an answer send an event again."""

    key: str
    named: NamedTables
    scans: tuple[PlannedScan, ...] = ()
    repeats: int = 0
    effects: Effects = ()


@dataclass(frozen=True, slots=True)
class Share:
    """Some queries, and their distinct scans. `reported` maps the ids of scans that reports may
    belong to to their keys."""

    queries: Sequence[PlannedQuery]
    scans: Prepared
    reported: Mapping[int, ScanKey]


@dataclass(slots=True)
class Used:
    """The use of a table under a schema: the number of scans and of their blocks, the snapshots
    that they read, and the columns that they compare."""

    schema_id: int
    scans: int = 0
    blocks: int = 0
    snapshots: set[int] = field(default_factory=set)
    columns: dict[ColumnKey, None] = field(default_factory=dict)

    def add(self, others: Used) -> None:
        """Adds the use by other scans."""
        self.scans += others.scans
        self.blocks += others.blocks
        self.snapshots |= others.snapshots
        self.columns.update(others.columns)


@dataclass(frozen=True, slots=True)
class Audited:
    """The tables as extraction needs them: those that were opened, their columns, and the keys of
    scans to which reports may belong; and the secret of the keys of queries. `from_first`: see
    DistinctScans."""

    tables: Mapping[TableName, Table]
    columns: Columns
    secret: Secret
    reported: frozenset[ScanKey] = frozenset()
    from_first: bool = False


def extract_stage(
    groups: Iterable[ItemGroup],
    audited: Audited,
    counts: Mapping[str, int],
    *,
    refused: Failed | None = None,
) -> Iterator[Item]:
    """Finds and binds the scans of queries. `counts` has the number of groups for each table's
    scans. If all are `refused`, no scan is looked for."""
    finder = _Refusing(refused) if refused else ScanFinder(audited.columns, Allowance())
    traced: dict[TableName, dict[str, None]] = {}
    for group in groups:
        seen: Counter[str] = Counter()
        tasks = iter(group.tasks)
        chunk = 0
        while some := list(islice(tasks, MAX_QUERIES)):
            place = some[0][0] % counts[group.table] + chunk * counts[group.table]
            queries = [named for _, _, named in some]
            _trace(queries, audited.tables, traced)
            yield from _share(queries, Home(group.table, place), finder, audited, seen)
            chunk += 1
    yield from (Item(TRACED, (table, list(found))) for table, found in traced.items())


class _Refusing:
    """Refuses to find the scans of any query."""

    def __init__(self, why: Failed) -> None:
        self._found = FoundScans(failure=why)

    def find(self, _query: ObservedQuery) -> FoundScans:
        """The failure, without scans."""
        return self._found


def _share(
    queries: Iterable[NamedTables],
    home: Home,
    finder: ScanFinder | _Refusing,
    audited: Audited,
    seen: Counter[str],
) -> Iterator[Item]:
    distinct = DistinctScans(audited.tables, audited.from_first)
    keyed = [(audited.secret.digest(*named.identity), named) for named in queries]
    planned = _all_planned(keyed, finder, distinct, seen)
    prepared = distinct.prepared(home, hash_of(f"{home.table}/{home.place}") % _KEYS)
    reported = {}
    if audited.reported:
        scans = (scan for query in planned for scan in query.scans)
        pushed = {scan.ids.pushed for scan in scans if scan.ids is not None}
        reported = _reported(distinct, pushed, audited.reported)
        yield from _digests(distinct, reported)
    yield from (Item(LATE, found) for found in _late(planned, distinct, prepared).items())
    yield Item(SHARE, Share(planned, prepared, reported), *home)
    for work in prepared.works:
        block = work.block
        used = Used(
            block.schema_id,
            block.count,
            1,
            set(block.snapshots),
            dict.fromkeys(block.columns),
        )
        yield Item(USED, (work.table, used))
        yield Item(BLOCK, block, work.table, work.key)


def _late(
    planned: Iterable[PlannedQuery], distinct: DistinctScans, prepared: Prepared
) -> dict[str, Failed]:
    """The tables whose scans take too long to bind or to prepare."""
    of_scans = [
        *((scan.table, scan.failure) for query in planned for scan in query.scans),
        *((distinct.scans[id_][0].table.name, why) for id_, why in prepared.failed.items()),
    ]
    return {
        str(name): why
        for name, why in of_scans
        if why is not None and why.code == TableTooSlow.code
    }


def _all_planned(
    queries: Iterable[tuple[str, NamedTables]],
    finder: ScanFinder | _Refusing,
    distinct: DistinctScans,
    seen: Counter[str],
) -> list[PlannedQuery]:
    planned = []
    for key, named in queries:
        if seen[key]:
            planned.append(PlannedQuery(key, named, repeats=seen[key]))
        else:
            planned.append(_planned(key, named, finder, distinct))
        seen[key] += 1
    return planned


def _planned(
    key: str, named: NamedTables, finder: ScanFinder | _Refusing, distinct: DistinctScans
) -> PlannedQuery:
    tables = distinct.tables
    effects = tuple(
        {(tables[name].name, effect): None for name, effect in named.effects if name in tables}
    )
    if not any(table in tables for table in named.tables):
        return PlannedQuery(key, named, effects=effects)
    found = attempt("reading the text of a query", finder.find, named.query)
    if isinstance(found, PrunescopeError):
        found = FoundScans(failure=Failed.of(found))
    scans = tuple(distinct.add(named.query, scan) for scan in found.scans)
    failure = found.failure if scans or found.failure else _unseen(named, tables)
    if named.failure is None and failure is not None:
        named = replace(named, failure=failure)
    return PlannedQuery(key, named, scans, effects=effects)


def _unseen(named: NamedTables, tables: Mapping[TableName, Table]) -> Failed:
    """The reason why a query that names tables has no scan of any."""
    names = ", ".join(str(tables[name].name) for name in named.tables if name in tables)
    return Failed(
        Outcome.NOT_SCANNED,
        f"nothing in its text reads the rows of {names}: a common table expression that is not "
        "used, or a form that is not known",
    )


def _reported(
    distinct: DistinctScans, pushed: set[int], wanted: frozenset[ScanKey]
) -> dict[int, ScanKey]:
    """The scans to which a report may belong, by id: reports concern pushed filters."""
    snapshots = {key[:2] for key in wanted}
    found = {}
    for state, scan in distinct.scans:
        if scan.scan_id in pushed and (identity(state.table), state.snapshot_id) in snapshots:
            key = scan_key(state.table, state.snapshot_id, scan.predicate)
            if key in wanted and key is not None:
                found[scan.scan_id] = key
    return found


def _digests(distinct: DistinctScans, reported: Mapping[int, ScanKey]) -> Iterator[Item]:
    """Yields at most two filters for each key: with more than one, a report is ambiguous."""
    digests: dict[ScanKey, dict[str, None]] = {}
    for _, scan in distinct.scans:
        key = reported.get(scan.scan_id)
        if key is not None:
            digests.setdefault(key, {})[digest(scan.predicate)] = None
    for key, of_key in digests.items():
        yield from (Item(REPORTED, (key, found)) for found in islice(of_key, 2))


def _trace(
    queries: Iterable[NamedTables],
    tables: Mapping[TableName, Table],
    traced: dict[TableName, dict[str, None]],
) -> None:
    for named in queries:
        if named.query.traceparent is not None:
            for table in (tables[name] for name in named.tables if name in tables):
                of_table = traced.setdefault(table.name, {})
                if len(of_table) < MAX_TRACED:
                    of_table[named.query.traceparent] = None
