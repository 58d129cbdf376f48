"""Inputs of an audit as items: queries and reports, millions in a night, and the sums over all of
them that the driver needs."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prunescope.audit_jobs.health.sketch import hash_of
from prunescope.audit_jobs.planning.items import Item, Items, Runner
from prunescope.audit_jobs.records import Elsewhere
from prunescope.audit_jobs.secret import Secret, random_secret
from prunescope.audit_jobs.workload.digests import digest
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.audit_jobs.workload.report_keys import ReportKey, report_key
from prunescope.collectors.observed import ObservedScan, Rejected, ScanReport, TableName

QUERY = "query"
"""A NamedTables, by the first table that it names and by its shape."""
REPORT = "report"
"""A ScanReport, by its table and place."""
REJECTED = "rejected"
TOLD = "told"
"""Told of some inputs."""

Input = NamedTables | ScanReport | Rejected | Elsewhere

_PLACES = 2**62


@dataclass(slots=True)
class Told:
    """Sums over some inputs: the numbers of queries and reports by the table of their items; the
    tables that any names, the start of the first query of each, and the tables whose rows any
    changes; the scans of reports by report key, the last one of several; and the log entries
    outside of the window."""

    queries: Counter[str] = field(default_factory=Counter)
    reports: Counter[str] = field(default_factory=Counter)
    tables: dict[TableName, None] = field(default_factory=dict)
    since: dict[TableName, dt.datetime] = field(default_factory=dict)
    affected: dict[TableName, None] = field(default_factory=dict)
    reported: dict[ReportKey, tuple[str, ObservedScan]] = field(default_factory=dict)
    elsewhere: list[Elsewhere] = field(default_factory=list)

    def add(self, others: Told) -> None:
        """Adds the sums over other inputs."""
        self.queries.update(others.queries)
        self.reports.update(others.reports)
        self.tables.update(others.tables)
        self.affected.update(others.affected)
        for table, moment in others.since.items():
            self.named(table, moment)
        for key, (location, scan) in others.reported.items():
            self._report(key, location, scan)
        self.elsewhere += others.elsewhere

    def named(self, table: TableName, moment: dt.datetime) -> None:
        """Adds the start of a query that names a table."""
        self.since[table] = min(moment, self.since.get(table, moment))

    def report(self, report: ScanReport) -> None:
        """Adds a report."""
        self.reports[str(report.scan.table)] += 1
        self.tables[report.scan.table] = None
        key = report_key(report)
        if key is not None:
            self._report(key, report.location, report.scan)

    def _report(self, key: ReportKey, location: str, scan: ObservedScan) -> None:
        known = self.reported.get(key)
        if known is None or known[0] <= location:
            self.reported[key] = (location, scan)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a window: queries and reports among `items`, sums over them (`told`), and other
    inputs (`rejected`), sorted, because tasks end in any order and a repeated run has the same
    keys. Keys are made with the secret; without one, they are those of this run alone.
    `from_first`: see DistinctScans."""

    items: Items
    told: Told
    rejected: Sequence[Rejected]
    secret: Secret = field(default_factory=random_secret)
    from_first: bool = False


def input_items(inputs: Iterable[Input]) -> Iterator[Item]:
    """Yields inputs as items, and at last the sums over all of them."""
    told = Told()
    for one in inputs:
        match one:
            case Rejected():
                yield Item(REJECTED, one)
            case Elsewhere():
                told.elsewhere.append(one)
            case ScanReport():
                told.report(one)
                place = hash_of(one.location) % _PLACES
                yield Item(REPORT, one, str(one.scan.table), place)
            case NamedTables():
                told.queries[one.first_table] += 1
                told.tables.update(dict.fromkeys(one.tables))
                if one.query.started_at is not None:
                    for table in one.tables:
                        told.named(table, one.query.started_at)
                told.affected.update(dict.fromkeys(name for name, _ in one.effects))
                # Of what is there twice, the same one is the first in whatever order it comes.
                order = int(digest(one.query), 16) % _PLACES
                yield Item(QUERY, one, one.first_table, hash_of(one.shape) % _PLACES, order)
    yield Item(TOLD, told)


def inputs_of(items: Items, more: Iterable[Rejected] = ()) -> Inputs:
    """The inputs among items."""
    found = items.found(REJECTED, TOLD)
    told = Told()
    for part in found.get(TOLD, ()):
        told.add(part)
    refused = sorted(
        found.get(REJECTED, ()), key=lambda one: (one.source, one.location, one.reason)
    )
    return Inputs(items, told, [*more, *refused])


def made_inputs(runner: Runner, inputs: Iterable[Input]) -> Inputs:
    """Inputs that are in this process."""
    return inputs_of(runner.items(list(input_items(inputs))))


def in_groups(counts: Mapping[str, int], most: int, slots: int) -> dict[str, int]:
    """The number of groups of inputs, by table: enough for every slot, with at most about `most`
    inputs each."""
    size = most
    if slots > 1:
        size = max(1, min(most, sum(counts.values()) // (slots * 4)))
    return {table: -(-count // size) for table, count in counts.items() if count}
