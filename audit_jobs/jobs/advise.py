"""Advising tables: an audit of a window in this process, of which nothing is published, arranged by
table; and beside it the statistics that no scan needs, and the bytes that joins and LIMIT could
skip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TypeVar

from prunescope.audit_jobs.advice.beyond_filters import Beyond
from prunescope.audit_jobs.advice.unneeded_statistics import Diet
from prunescope.audit_jobs.advice.workload import Asked
from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.findings.engine_catalogs import engine_catalogs
from prunescope.audit_jobs.findings.entries import Entry, entries
from prunescope.audit_jobs.findings.history import NO_HISTORY, History
from prunescope.audit_jobs.findings.remedy import Remedy, remedy_of
from prunescope.audit_jobs.findings.what_if import WhatIf
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.jobs.asked_scans import asked_scan
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.jobs.beyond_filters import BeyondOf, beyond_of
from prunescope.audit_jobs.jobs.diet import diet_of
from prunescope.audit_jobs.jobs.tables import TableFinder, Tables
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.progress import Progress
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.sums import ScanSums, key_of
from prunescope.audit_jobs.workload.allowance import Allowance
from prunescope.audit_jobs.workload.digests import digest
from prunescope.audit_jobs.workload.inputs import QUERY, Inputs
from prunescope.audit_jobs.workload.queries import NamedTables, ScanFinder
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName

_Found = TypeVar("_Found")

STAGES = 7
"""The number of stages that advising announces."""


@dataclass(frozen=True, slots=True)
class TableAdvice:
    """Advice on a table, under the name by which engines call it: how its scans read it now; the
    remedy; the statistics that scans need, and the bytes that could be skipped beyond filters, or
    why these are unknown; and what bloom filters would do."""

    table: TableName
    health: TableHealth | None
    sums: ScanSums
    remedy: Remedy
    diet: Diet | Failed
    beyond: Beyond | Failed
    indexes: tuple[WhatIf, ...] = ()


@dataclass(frozen=True, slots=True)
class Advised:
    """Advice by table, the one with most at stake first, and why there is none for others; and the
    number of scans in the log that say nothing about a table's current rows, by reason."""

    tables: tuple[TableAdvice, ...] = ()
    failed: Mapping[TableName, Failed] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)


def run_advise(
    config: AuditConfig,
    window: Window,
    names: Sequence[str],
    progress: Progress,
    history: History = NO_HISTORY,
) -> Advised:
    """Advises on the tables that the queries of a window read: those whose names match any of
    `names` (globs over `catalog.namespace.table`), or all, beside the history of earlier audits.
    The advice is made of the findings of an audit of the window, except that queries older than the
    remaining snapshots are planned on the oldest of these. A failing table stops no other."""
    progress("Reading query logs")
    runner = LocalRunner()
    inputs = _of_tables(read_inputs(config, window, runner), config, names)
    result = run_audit(config, window, inputs, runner, progress, history, what_if=True)
    progress("Replaying statistics and joins")
    tables = TableFinder(config).find(inputs.told.tables, inputs.told.affected)
    more = BeyondOf(tables.opened)
    queries = inputs.items.found(QUERY).get(QUERY, [])
    asked, left_out = scans_of(tables, queries, config, more)
    found = entries(result.findings)
    healths = {health.table: health for health in result.health}
    failed = {name.shown: Failed.of(error) for name, error in tables.failed.items()}
    advised = []
    for name in dict.fromkeys(table.name for table in tables.opened.values()):
        sums = result.sums.tables.get(key_of(name))
        if sums is None or not sums.scans:
            message = result.run.tables_failed.get(str(name), "no query reads it as it is now")
            failed[name] = Failed("nothing_to_advise", message)
            continue
        table, own = tables.opened[name], asked.get(name, Asked())
        remedy = remedy_of(entry for entry in found if _is_of(entry, name))
        called = replace(name, catalogs=engine_catalogs(own.catalogs.items()))
        diet = attempt(f"replaying {name}", diet_of, table, own, remedy.columns)
        of_joins = more.asked.get(name)
        skips = attempt(f"replaying joins of {name}", beyond_of, tables.opened, name, of_joins)
        advised.append(
            TableAdvice(
                called,
                healths.get(name),
                sums,
                remedy,
                _told(diet),
                _told(skips),
                result.indexes.get(name, ()),
            )
        )
    advised.sort(key=lambda one: (-one.remedy.bytes_at_stake, str(one.table)))
    return Advised(tuple(advised), failed, left_out)


def _told(found: _Found | PrunescopeError) -> _Found | Failed:
    return Failed.of(found) if isinstance(found, PrunescopeError) else found


def _is_of(entry: Entry, table: TableName) -> bool:
    return key_of(entry.finding.table) == key_of(table)


def _of_tables(inputs: Inputs, config: AuditConfig, names: Sequence[str]) -> Inputs:
    """The inputs, with only the wanted tables to be opened, whenever their queries ran."""
    finder, told = TableFinder(config), inputs.told
    wanted = {name: None for name in told.tables if _is_wanted(finder.resolve(name), names)}
    return replace(inputs, told=replace(told, tables=wanted), from_first=True)


def _is_wanted(table: TableName, names: Sequence[str]) -> bool:
    return not names or any(fnmatchcase(str(table), name) for name in names)


def scans_of(
    tables: Tables,
    queries: Iterable[NamedTables],
    config: AuditConfig,
    beyond: BeyondOf,
) -> tuple[dict[TableName, Asked], Counter[str]]:
    """The scans of current rows that queries ask for, by table, and the number of other scans or
    failures, by reason. Adds to `beyond` the demands beyond filters."""
    columns = {n: table.metadata.schema(None).types for n, table in tables.opened.items()}
    finder = ScanFinder(columns, Allowance(), beyond=True)
    policy = config.policy
    asked: dict[TableName, Asked] = {}
    left_out: Counter[str] = Counter()
    seen: set[str] = set()
    for named in queries:
        key = digest(*named.identity)
        is_read = any(name in tables.opened for name in named.tables)
        if not is_read or key in seen or policy.is_maintenance(named.query.user):
            continue
        seen.add(key)
        found = attempt("reading the text of a query", finder.find, named.query)
        if isinstance(found, PrunescopeError):
            left_out[found.code] += 1
            continue
        if found.failure is not None:
            left_out[found.failure.code] += 1
        for scan in found.scans:
            if scan.table not in tables.opened:
                continue
            table = tables.opened[scan.table]
            of_scan = asked_scan(table, named, scan)
            if isinstance(of_scan, str):
                left_out[of_scan] += 1
            else:
                of_table = asked.setdefault(table.name, Asked())
                of_table.add(of_scan)
                of_table.named(named.query.engine, scan.table.catalog)
                beyond.add(named, scan, of_scan)
    return {name: of_table for name, of_table in asked.items() if of_table.runs}, left_out
