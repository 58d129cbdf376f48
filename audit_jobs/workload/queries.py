"""From a query of a log to scans of tables, in the two steps that an audit needs: the tables that
it names, and, once their columns are known, one scan per table reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.workload.allowance import Allowance
from prunescope.audit_jobs.workload.query_texts import Columns, FoundScans
from prunescope.collectors.observed import Effects, ObservedQuery, ObservedScan, PlanText, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.model import TRUE, all_of
from prunescope.collectors.table_scans import TableScan, TextPlace

if TYPE_CHECKING:
    from prunescope.audit_jobs.workload.text_scans import TextScans


@dataclass(frozen=True, slots=True)
class NamedTables:
    """A query and the base tables it names, or the failure to find them. `traits` and `calculation`
    are those of its text, `effects` are its changes to existing rows of tables."""

    query: ObservedQuery
    tables: tuple[TableName, ...] = ()
    fingerprint: str | None = None
    calculation: tuple[str, ...] = ()
    traits: frozenset[str] = frozenset()
    failure: Failed | None = None
    effects: Effects = ()

    @property
    def first_table(self) -> str:
        """The first table that it names; empty if it names none."""
        return str(self.tables[0]) if self.tables else ""

    @property
    def shape(self) -> str:
        """A key that queries share if their scans differ in literals alone, and so queries of one
        text."""
        return self.fingerprint or self.query.sql or self.query.query_id

    @property
    def identity(self) -> tuple[object, ...]:
        """A key, with the text, that is the same for a repeated query, and for no other: one record
        that is read in two dialects, or in two catalogs, is two queries, which are never combined.
        """
        query = self.query
        identity = (query.source, query.query_id, query.sql, query.started_at)
        return *identity, self.first_table, self.shape

    @property
    def all_traits(self) -> frozenset[str]:
        """Traits of the query, by its text and by the engine's plan."""
        return self.traits | self.query.traits


NOT_SCANNED = Failed(Outcome.NOT_SCANNED, Outcome.NOT_SCANNED.meaning)


def name_tables(query: ObservedQuery, allowance: Allowance | None = None) -> NamedTables:
    """Takes step 1, for a text of a log with this allowance. Never raises: failures are
    recorded."""
    named = NamedTables(query) if query.sql is None else _named_in_text(query, allowance)
    if not query.plan_known:
        return named
    # The engine's own plan counts; its text only adds to what is known of the filters.
    planned = tuple(dict.fromkeys(scan.table for scan in query.scans))
    failure = None if planned else NOT_SCANNED
    effects = tuple(dict.fromkeys((*query.effects, *named.effects)))
    return replace(named, tables=planned, failure=failure, effects=effects)


def _named_in_text(query: ObservedQuery, allowance: Allowance | None) -> NamedTables:
    from prunescope.audit_jobs.workload.reading import read_text  # noqa: PLC0415  # sqlglot takes time to import

    text = read_text(query, allowance).text
    return NamedTables(
        query,
        text.tables,
        text.fingerprint,
        text.calculation,
        text.traits,
        text.failure,
        text.effects,
    )


class ScanFinder:
    """Takes step 2, for the tables in `columns` and texts that share an allowance; with `beyond`,
    scans carry the conditions of joins on the rows that a query needs."""

    def __init__(
        self, columns: Columns, allowance: Allowance | None = None, *, beyond: bool = False
    ) -> None:
        self._columns = columns
        self._allowance = allowance
        self._beyond = beyond
        self._texts: TextScans | None = None

    def find(self, query: ObservedQuery) -> FoundScans:
        """The query's scans. Never raises.

        If the engine's plan is known, its scans are the scans, and the SQL text, or the plan above
        the scan, adds the conditions that were not pushed down. Otherwise the scans are those of
        the text, with the conditions that the engine's planner profile pushes.
        """
        from_sql = FoundScans() if query.sql is None else self._in_text(query)
        if query.plan_known:
            audited = (scan for scan in query.scans if scan.table in self._columns)
            return FoundScans(tuple(_of_plan(scan, from_sql.scans) for scan in audited))
        seen: Counter[TableName] = Counter()
        scans = []
        for scan in from_sql.scans:
            scans.append(_with_report(scan, _observed_scan(query, scan.table, seen[scan.table])))
            seen[scan.table] += 1
        return FoundScans(tuple(scans), from_sql.failure)

    def _in_text(self, query: ObservedQuery) -> FoundScans:
        from prunescope.audit_jobs.workload.text_scans import TextScans  # noqa: PLC0415  # likewise

        if self._texts is None:
            self._texts = TextScans(self._columns, self._allowance, beyond=self._beyond)
        return self._texts.find(query)


def _of_plan(planned: ObservedScan, from_sql: Sequence[TableScan]) -> TableScan:
    """A scan of the engine's plan, with the filter that the text has for the table, if all of the
    text's references to the table agree, because the reference that the scan stands for is unknown.
    Otherwise with the conditions that the plan checks on the scan's rows."""
    same = [scan for scan in from_sql if _is_same(planned.table, scan.table)]
    alike = {(scan.predicate, scan.snapshot_id, scan.ref, scan.as_of) for scan in same}
    if len(alike) == 1:
        place = _as_one([each.text_place for each in same])
        scan = replace(same[0], table=planned.table, text_place=place)
        if any((each.keys, each.needed) != (scan.keys, scan.needed) for each in same):
            scan = replace(scan, keys=(), needed=None)
    else:
        scan = TableScan(
            planned.table,
            TRUE,
            needed=planned.needed,
            text_place=TextPlace(planned.joined),
            checked=planned.row_filter,
        )
    shown = planned.pushed if isinstance(planned.pushed, PlanText) else None
    pushed = planned.pushed if not isinstance(planned.pushed, PlanText) else None
    return _with_report(replace(scan, pushed=pushed, shown=shown), planned)


def _as_one(places: Sequence[TextPlace]) -> TextPlace:
    """The first place, with the joined columns of all, and a clause if all have it."""
    clauses = {place.clause for place in places}
    joined = dict.fromkeys(name for place in places for name in place.joined)
    clause = places[0].clause if len(clauses) == 1 else None
    return replace(places[0], joined=tuple(joined), clause=clause)


def _with_report(scan: TableScan, observed: ObservedScan | None) -> TableScan:
    if observed is None:
        return scan
    return replace(scan, predicate=all_of(scan.predicate, *observed.runtime), observed=observed)


def _observed_scan(query: ObservedQuery, table: TableName, position: int) -> ObservedScan | None:
    """The engine's report on a query's scan of `table` number `position`, from 0. Engines that
    report a table once, however often it is scanned, report it for the first."""
    matching = [scan for scan in query.scans if _is_same(scan.table, table)]
    if position < len(matching):
        return matching[position]
    if not matching:
        return None
    return ObservedScan(matching[0].table, matching[0].snapshot_id, {})


def _is_same(reported: TableName, table: TableName) -> bool:
    if str(reported).casefold() == str(table).casefold():
        return True
    return reported.catalog is None and reported.table.casefold() == table.table.casefold()
