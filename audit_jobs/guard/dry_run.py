"""Dry runs: what a query would read, planned on tables that are held."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.config import TablesConfig
from prunescope.audit_jobs.errors import NotReplayed
from prunescope.audit_jobs.guard.held import Held, HeldTables
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.jobs import check as judging
from prunescope.audit_jobs.planning.local import Replayed, replay
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.audit_jobs.records import ALWAYS_FALSE, REPLAYED
from prunescope.audit_jobs.workload.allowance import Allowance
from prunescope.audit_jobs.workload.bind import (
    BoundScan,
    ByRules,
    NotBound,
    TableState,
    bind_scan,
)
from prunescope.audit_jobs.workload.queries import ScanFinder, name_tables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.needed_rows import AnyRows, Removed
from prunescope.collectors.observed import ObservedQuery, Rejected, TableName
from prunescope.collectors.outcomes import NOTHING_TO_JUDGE, Outcome
from prunescope.collectors.queries.sql_files import SqlFile, SqlSession, read_sql_text
from prunescope.collectors.sql.planners.profiles import beyond_known, planner_of
from prunescope.collectors.table_scans import TableScan

PRECISE, UPPER_BOUND, HEURISTIC = "precise", "upper_bound", "heuristic"
_WORST = (PRECISE, UPPER_BOUND, HEURISTIC)
_ONLY = "query"
"""The name of the text, in its findings."""
_READ_SECONDS = 5.0
"""Seconds that planning one query may read for: what is held is on the local disk."""
_MAX_NAMES = 4_096
"""Names that queries use for tables, after which texts are analysed anew."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A text and its session. `is_engine_named` is False for an engine that was guessed."""

    sql: str
    session: SqlSession
    is_engine_named: bool


@dataclass(frozen=True, slots=True)
class Count:
    """A number of containers, or of their bytes, that are read, of all; None is unknown."""

    read: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class ScanAnswer:
    """One scan of a table. `age_seconds` is the time since the catalog was asked."""

    table: str
    snapshot_id: int | None
    age_seconds: float
    class_: str
    reason: str
    files: Count
    bytes: Count
    row_groups: Count


@dataclass(frozen=True, slots=True)
class DryRun:
    """Data that a query would read: the class and the reason of the answer, the numbers of all
    scans together, and each of them. `outcome` tells why there is none, if it reads no Iceberg
    table."""

    outcome: str
    class_: str | None
    reason: str
    files: int | None
    bytes: int | None
    row_groups: int | None
    scans: tuple[ScanAnswer, ...] = ()
    findings: tuple[Mapping[str, Any], ...] | None = None

    def document(self) -> dict[str, Any]:
        """The answer as JSON."""
        return {
            "outcome": self.outcome,
            "class": self.class_,
            "reason": self.reason,
            "bytes": self.bytes,
            "files": self.files,
            "row_groups": self.row_groups,
            "scans": [
                {
                    "table": scan.table,
                    "snapshot_id": scan.snapshot_id,
                    "age_seconds": round(scan.age_seconds, 1),
                    "class": scan.class_,
                    "reason": scan.reason,
                    **{
                        name: {"read": count.read, "total": count.total}
                        for name, count in (
                            ("bytes", scan.bytes),
                            ("files", scan.files),
                            ("row_groups", scan.row_groups),
                        )
                    },
                }
                for scan in self.scans
            ],
            "findings": None if self.findings is None else list(self.findings),
        }


class NotHeld(PrunescopeError):
    """Tables of a query that are not held."""

    code = "loading"

    def __init__(self, names: Sequence[TableName]) -> None:
        super().__init__(
            f"the metadata of {', '.join(str(name.shown) for name in names)} is being loaded; ask "
            f"again in a second"
        )
        self.names = names


@dataclass(frozen=True, slots=True)
class _Bound:
    """A query whose scans are bound, with the tables that these read."""

    about: _About
    scans: Sequence[tuple[Held, TableScan, BoundScan | NotBound]]


_Plans = dict[tuple[Hashable, ByRules], Replayed | PrunescopeError]
"""Plans by the state of a table, and what was planned."""


class DryRuns:
    """Dry runs of a configuration's queries. One thread uses it."""

    def __init__(self, held: HeldTables) -> None:
        self._held = held
        self._columns: dict[TableName, Mapping[str, str]] = {}
        self._finder = ScanFinder(self._columns, Allowance())

    def plan(self, asked: Sequence[Asked]) -> list[DryRun | PrunescopeError]:
        """The plan of each query, in order: NotHeld, or another error, for one that cannot be
        planned. Those of one table are planned together, which takes little longer than one."""
        bound = [attempt("reading a query", self._bound, each) for each in asked]
        plans = _planned([each for each in bound if isinstance(each, _Bound)])
        return [
            attempt("planning a query", _together, each, plans)
            if isinstance(each, _Bound)
            else each
            for each in bound
        ]

    def _bound(self, asked: Asked) -> _Bound | DryRun:
        """A query, bound; its answer if it reads no Iceberg table. Raises PrunescopeError."""
        query = _query_of(asked)
        named = name_tables(query)
        if named.failure is not None and named.failure.code not in NOTHING_TO_JUDGE:
            raise _not_replayed(named.failure)
        if named.failure is not None:
            return _nothing(named.failure.code, named.failure.message)
        names = self._held.configured(named.tables)
        if not names:
            return _nothing(Outcome.NO_ICEBERG_TABLE, Outcome.NO_ICEBERG_TABLE.meaning)
        found = {name: self._held.get(name) for name in names}
        missing = [name for name, held in found.items() if held is None]
        if missing:
            raise NotHeld(missing)
        tables = {name: held for name, held in found.items() if held is not None}
        self._know(tables)
        scans = self._finder.find(query)
        if scans.failure is not None:
            raise _not_replayed(scans.failure)
        others = [str(name.shown) for name in named.tables if name not in tables]
        about = _About(asked, query, named.traits, len(scans.scans), others)
        parts = []
        for scan in scans.scans:
            held = tables[scan.table]
            parts.append((held, scan, bind_scan(held.within(_READ_SECONDS), query, scan)))
        return _Bound(about, parts)

    def _know(self, tables: Mapping[TableName, Held]) -> None:
        """Has texts be analysed with the columns of tables; anew, if these have others by now."""
        columns = {name: held.table.metadata.schema(None).types for name, held in tables.items()}
        known = self._columns
        is_stale = any(known.get(name, types) != types for name, types in columns.items())
        if is_stale or len(known) > _MAX_NAMES:
            self._columns = {}
            self._finder = ScanFinder(self._columns, Allowance())
        self._columns.update(columns)


def findings_of(config: TablesConfig, asked: Asked) -> tuple[Mapping[str, Any], ...]:
    """The findings of a query, as `prunescope check --json` has them, with the conditions to write
    in places of its text. Raises PrunescopeError."""
    query = _query_of(asked)
    found = judging.check_queries(
        config,
        [query],
        [SqlFile(_ONLY, Path(_ONLY))],
        judging.Asked(asked.session),
        progress=lambda _: None,
    )
    return tuple(judging.check_document(found)["findings"])


def _query_of(asked: Asked) -> ObservedQuery:
    read = read_sql_text(_ONLY, asked.sql, asked.session)
    if isinstance(read, Rejected):
        raise NotReplayed(read.reason, read.message or "")
    return replace(read, started_at=dt.datetime.now(dt.UTC))


def _not_replayed(why: Failed) -> PrunescopeError:
    return NotReplayed(why.code, why.message or "")


@dataclass(frozen=True, slots=True)
class _About:
    """Facts that decide on the class of an answer, beside the scan: the question, the traits of its
    text, the number of its scans, and its tables of other catalogs."""

    asked: Asked
    query: ObservedQuery
    traits: frozenset[str]
    scans: int
    others: Sequence[str]


def _planned(queries: Iterable[_Bound]) -> _Plans:
    """The plans of all scans: those of one state of a table together."""
    states: dict[Hashable, tuple[Held, TableState, dict[ByRules, None]]] = {}
    for query in queries:
        for held, _, bound in query.scans:
            if isinstance(bound, BoundScan):
                known = states.setdefault(bound.state.key, (held, bound.state, {}))
                known[2][bound.plans.pushed] = None
    plans: _Plans = {}
    for key, (held, state, wanted) in states.items():
        table = held.within(_READ_SECONDS)
        is_current = state.snapshot_id == table.metadata.current_snapshot_id
        planning = partial(
            replay,
            table,
            state.snapshot,
            list(wanted),
            schema=state.schema,
            max_footers=0,
            listed=held.listed if is_current else None,
        )
        found = attempt(f"planning scans of {table.name}", planning)
        for number, plan in enumerate(wanted):
            plans[key, plan] = found if isinstance(found, PrunescopeError) else found[number]
    return plans


def _answer(
    about: _About, held: Held, scan: TableScan, bound: BoundScan | NotBound, plans: _Plans
) -> ScanAnswer:
    name = str(held.table.name)
    if isinstance(bound, NotBound):
        if bound.why.code not in (ALWAYS_FALSE, Outcome.NOT_SCANNED):
            raise _not_replayed(bound.why)
        none, snapshot_id = Count(0, None), held.table.metadata.current_snapshot_id
        reason = bound.why.message or ""
        return ScanAnswer(name, snapshot_id, held.age, PRECISE, reason, none, none, none)
    found = plans[bound.state.key, bound.plans.pushed]
    if isinstance(found, PrunescopeError):
        raise found
    if found.failure is not None:
        raise _not_replayed(found.failure)
    assert found.summary is not None
    summary = found.summary
    class_, reason = _class_of(about, scan, is_pushed_known=bound.pushed is not None)
    if summary.data_files.kept is None or summary.bytes.kept is None:
        class_, reason = HEURISTIC, f"the metadata of {name} does not tell all numbers"
    return ScanAnswer(
        name,
        bound.state.snapshot_id,
        held.age,
        class_,
        reason,
        _count(summary.data_files),
        _count(summary.bytes),
        _count(summary.row_groups),
    )


def _count(funnel: Funnel) -> Count:
    return Count(funnel.kept, funnel.total)


def _class_of(about: _About, scan: TableScan, *, is_pushed_known: bool) -> tuple[str, str]:
    """The class of the numbers of a scan, and the reason of it."""
    query = about.query
    planner = planner_of(query.engine, query.engine_version, query.iceberg_version)
    if about.others:
        return HEURISTIC, (
            f"{', '.join(about.others)} is of no configured catalog, and not counted; name its "
            f"catalog under `catalogs`"
        )
    if planner is None or not is_pushed_known:
        return HEURISTIC, "what the engine pushes down is not known: the whole filter was planned"
    if not about.asked.is_engine_named:
        return HEURISTIC, f"no `engine` was named: planned as {planner}"
    if newer := beyond_known(planner):
        return HEURISTIC, "; ".join(newer)
    if about.scans > 1 or "join" in about.traits:
        return UPPER_BOUND, (
            "values of the other tables may rule out more files while the query runs (dynamic "
            "filters)"
        )
    if isinstance(scan.needed, Removed):
        return UPPER_BOUND, "files all of whose rows are deleted need not be read"
    if isinstance(scan.needed, AnyRows) or "limit" in about.traits:
        return UPPER_BOUND, "LIMIT may end the query before all of these files are read"
    if scan.needed is not None:
        return UPPER_BOUND, "least and greatest values may be answered from metadata"
    return PRECISE, f"{planner} opens these files"


def _nothing(outcome: str, message: str | None) -> DryRun:
    return DryRun(outcome, None, message or outcome, None, None, None)


def _together(query: _Bound, plans: _Plans) -> DryRun:
    """The answer for a query. Raises PrunescopeError."""
    scans = [_answer(query.about, *part, plans) for part in query.scans]
    if not scans:
        return _nothing(Outcome.NOT_SCANNED, Outcome.NOT_SCANNED.meaning)
    worst = max(scans, key=lambda scan: _WORST.index(scan.class_))
    files, size, groups = (
        _sum([getattr(scan, name).read for scan in scans])
        for name in ("files", "bytes", "row_groups")
    )
    return DryRun(REPLAYED, worst.class_, worst.reason, files, size, groups, tuple(scans))


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
