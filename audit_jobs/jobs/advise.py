"""Advising layouts: a log's scans on a table as it is now, its rows sampled, and the layouts that
these could have. Nothing is published here."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from audit_jobs.advice.advice_rows import advice_row, failed_row
from audit_jobs.advice.beyond import Beyond
from audit_jobs.advice.diet import Diet
from audit_jobs.advice.model import Advice
from audit_jobs.advice.workload import Asked
from audit_jobs.config import AuditConfig
from audit_jobs.findings.engine_catalogs import engine_catalogs
from audit_jobs.isolation import Failed, attempt
from audit_jobs.jobs.advice_stages import advise_tables
from audit_jobs.jobs.asked_scans import asked_scan
from audit_jobs.jobs.audit import read_inputs
from audit_jobs.jobs.beyond import BeyondOf, beyond_of
from audit_jobs.jobs.table_basis import AdviceTask
from audit_jobs.jobs.tables import TableFinder, Tables
from audit_jobs.planning.items import Runner
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.progress import Progress
from audit_jobs.records import Window
from audit_jobs.results.columns import Row, identity
from audit_jobs.workload.allowance import Allowance
from audit_jobs.workload.digests import digest
from audit_jobs.workload.inputs import QUERY
from audit_jobs.workload.queries import NamedTables, ScanFinder
from collectors.errors import PrunescopeError
from collectors.observed import TableName
from collectors.tables.catalog import Table

STAGES = 3
"""How many stages advising announces."""


@dataclass(frozen=True, slots=True)
class Advised:
    """Advice by table, and why there is none for others; of the former, what statistics they need
    and what joins, LIMIT and the like could skip, or why that is not known; and scans of the log
    that tell nothing of a table's current rows, by reason."""

    tables: Mapping[TableName, tuple[Table, Advice]] = field(default_factory=dict)
    diets: Mapping[TableName, Diet | Failed] = field(default_factory=dict)
    failed: Mapping[TableName, Failed] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    beyond: Mapping[TableName, Beyond | Failed] = field(default_factory=dict)


def run_advise(
    config: AuditConfig,
    window: Window,
    names: Sequence[str],
    progress: Progress,
    *,
    runner: Runner | None = None,
) -> Advised:
    """Advises layouts for the tables that the queries of a window read: those whose names match any
    of `names` (globs over `catalog.namespace.table`), or all; in stages of the runner, by default
    in this process. A table that goes wrong stops no other."""
    progress("Reading query logs")
    runner = runner or LocalRunner()
    inputs = read_inputs(config, window, runner)
    finder = TableFinder(config)
    wanted = [name for name in inputs.told.tables if _is_wanted(finder.resolve(name), names)]
    progress("Opening tables")
    tables = finder.find(wanted, inputs.told.overwritten)
    failed = {name.shown: Failed.of(error) for name, error in tables.failed.items()}
    queries = inputs.items.found(QUERY).get(QUERY, [])
    more = BeyondOf(tables.opened)
    asked, left_out = scans_of(tables, queries, config, more)
    progress("Scoring layouts")
    seed = int(window.start.timestamp())
    tasks = [AdviceTask(tables.opened[name], of_table, seed) for name, of_table in asked.items()]
    advised: dict[TableName, tuple[Table, Advice]] = {}
    diets: dict[TableName, Diet | Failed] = {}
    for one in sorted(advise_tables(tasks, runner), key=lambda one: str(one.name)):
        if isinstance(one.found, Failed):
            failed[one.name] = one.found
        else:
            called = engine_catalogs(asked[one.name].catalogs.items())
            name = replace(one.name, catalogs=called)
            advice, diets[name] = one.found
            advised[name] = (tables.opened[name], advice)
    skips: dict[TableName, Beyond | Failed] = {}
    for name in advised:
        doing, own = f"replaying joins of {name}", more.asked.get(name)
        skip = attempt(doing, beyond_of, tables.opened, name, own)
        skips[name] = Failed.of(skip) if isinstance(skip, PrunescopeError) else skip
    return Advised(advised, diets, failed, left_out, skips)


def rows_of_advice(found: Advised, window: Window, at: dt.datetime) -> list[Row]:
    """The rows of layout_advice of what was advised then from a window of the log: of each table
    one, whether there is advice for it or not."""
    shared = {**identity(uuid.uuid4().hex, window), "advised_at": at}
    rows = [
        advice_row(name, table.metadata, advice, found.beyond[name])
        for name, (table, advice) in found.tables.items()
    ]
    rows += [failed_row(name, why) for name, why in found.failed.items()]
    return [{**shared, **row} for row in rows]


def _is_wanted(table: TableName, names: Sequence[str]) -> bool:
    return not names or any(fnmatchcase(str(table), name) for name in names)


def scans_of(
    tables: Tables,
    queries: Iterable[NamedTables],
    config: AuditConfig,
    beyond: BeyondOf | None = None,
) -> tuple[dict[TableName, Asked], Counter[str]]:
    """What queries ask of tables as they are now, and how many scans ask for something else, or
    cannot be told, by reason. `beyond` is told what they ask beyond filters."""
    columns = {n: table.metadata.schema(None).top_level_types for n, table in tables.opened.items()}
    finder = ScanFinder(columns, Allowance(), beyond=beyond is not None)
    policy = config.findings.policy
    asked: dict[TableName, Asked] = {}
    left_out: Counter[str] = Counter()
    seen: set[str] = set()
    for named in queries:
        for name in named.overwritten:
            if name in tables.opened:
                asked.setdefault(tables.opened[name].name, Asked()).overwritten = True
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
                moment = named.query.started_at
                day = None if moment is None else moment.astimezone(dt.UTC).date()
                of_table = asked.setdefault(table.name, Asked())
                of_table.add(of_scan, day)
                of_table.named(named.query.engine, scan.table.catalog)
                if beyond is not None:
                    beyond.add(named, scan, of_scan)
    return {name: of_table for name, of_table in asked.items() if of_table.runs}, left_out
