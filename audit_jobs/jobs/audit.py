"""The nightly job: query logs in; scans planned; audit tables and metrics out."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import Any

from audit_jobs.config import AuditConfig
from audit_jobs.findings.history import NO_HISTORY, History
from audit_jobs.findings.judge import judge
from audit_jobs.isolation import Failed, attempt
from audit_jobs.jobs.conclusions import health_of, plans_of, without_slow_tables
from audit_jobs.jobs.reports import AMBIGUOUS, MATCHED, UNMATCHED, join_reports, reported_tables
from audit_jobs.jobs.results import query_records, rejected_record
from audit_jobs.jobs.sources import find_logs, read_queries
from audit_jobs.jobs.tables import TableFinder, Tables
from audit_jobs.jobs.workload import PlannedScan, Workload, named_tables
from audit_jobs.jobs.written import write_down
from audit_jobs.records import ALWAYS_FALSE, REPLAYED, RunRecord, ScanRecord, Window
from audit_jobs.replay.driver import Replay, replay_works
from audit_jobs.replay.pass_spans import record_passes
from audit_jobs.replay.queries import NOT_SCANNED, NamedTables, ScanFinder
from audit_jobs.replay.row_sample_stage import ScanMatching, match_rows, row_sample_task
from audit_jobs.replay.runner import Runner
from audit_jobs.replay.texts import Columns, FoundScans, TableScan
from audit_jobs.replay.timing import READ, counting_reads
from audit_jobs.replay.work import TableWork
from audit_jobs.results.columns import identity
from audit_jobs.results.result import AuditResult
from audit_jobs.spans import span
from collectors.errors import PrunescopeError
from collectors.predicates.render import redact, render
from collectors.queries.observed import ObservedQuery, Rejected, ScanReport, TableName
from collectors.tables.catalog import Table
from collectors.tables.storage import Storage

Progress = Callable[[str], None]
"""Told what the job does next."""

REPEATED = "repeated"
"""The outcome of an input that an earlier one repeats."""

# Outcomes of inputs with which nothing is wrong.
_CLEAN = {
    REPLAYED,
    ALWAYS_FALSE,
    REPEATED,
    "no_iceberg_table",
    "not_a_query",
    NOT_SCANNED.code,
    MATCHED,
    UNMATCHED,
    AMBIGUOUS,
}


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is audited: queries, reports of scans that name no query, and inputs that are
    neither."""

    queries: Sequence[NamedTables]
    reports: Sequence[ScanReport] = ()
    rejected: Sequence[Rejected] = ()


def read_inputs(config: AuditConfig, window: Window, runner: Runner) -> Inputs:
    """The inputs of a window in the configured query logs, in an order of their own: tasks end in
    any order, and a run that is repeated has the same keys."""
    storage = Storage(config.path_prefixes)
    logs, missing = find_logs(config.sources, storage)
    found = runner.map(logs, partial(read_queries, storage=storage, window=window))
    refused = sorted(
        found.get("rejected", []), key=lambda one: (one.source, one.location, one.reason)
    )
    rejected = [*missing, *refused]
    queries = sorted(
        found.get("query", []), key=lambda named: (named.query.source, named.query.query_id)
    )
    reports = sorted(found.get("report", []), key=lambda report: report.location)
    return Inputs(queries, reports, rejected)


def run_audit(
    config: AuditConfig,
    window: Window,
    inputs: Inputs,
    runner: Runner,
    progress: Progress,
    history: History = NO_HISTORY,
) -> AuditResult:
    """Audits the inputs of a window, beside the history of earlier ones. Publishes nothing: see
    `publish`.

    One bad query, file or table is an outcome of its own, and stops nothing else.
    """
    started = dt.datetime.now(dt.UTC)
    queries, repeated = _without_repetitions(inputs.queries)
    reports, rejected = inputs.reports, [*inputs.rejected, *repeated]
    progress("Opening tables")
    with span("open_tables"):
        tables = TableFinder(config).find({**named_tables(queries), **reported_tables(reports)})
        columns = _columns(tables)
    progress("Extracting predicates")
    with span("extract", {"prunescope.queries": len(queries)}):
        found = _extract(queries, columns, runner)
    workload = Workload(tables.opened)
    planned = [
        [_planned(workload, query.query, scan) for scan in scans.scans]
        for query, scans in zip(queries, found, strict=True)
    ]
    progress("Planning scans")
    works, unprepared = workload.works()
    with span("collect", {"prunescope.scans": len(workload.scans)}):
        seed = int(window.start.timestamp())
        replay = replay_works(works, runner, max_footers=config.max_footers, seed=seed)
        replay = replace(replay, failures=(*unprepared, *replay.failures))
        replay = without_slow_tables(works, replay)
        names = {str(table.name): table.name for table in tables.opened.values()}
        record_passes(works, names, replay, _traceparents(queries))
    progress("Sampling rows")
    with span("sample_rows"):
        matching, unsampled, sampled_bytes = _matching(config, window, works, replay, runner)
    progress("Summing up")
    plans = plans_of(workload, works, replay, matching)
    planned, report_records = join_reports(reports, planned, workload, tables)
    text_of = render if config.literals == "keep" else redact

    def records() -> Iterator[ScanRecord]:
        yield from (rejected_record(number, item) for number, item in enumerate(rejected))
        yield from report_records
        for number, (query, scans) in enumerate(zip(queries, planned, strict=True)):
            named = replace(query, failure=query.failure or found[number].failure)
            yield from query_records(number, named, scans, plans, tables, text_of)

    run_id = uuid.uuid4().hex
    health, unmeasured = health_of(works, replay, tables)
    policy, healths = config.findings.policy, {h.table: h for h in health}
    written = write_down(identity(run_id, window), records(), healths, policy)
    read_bytes = sampled_bytes + sum(task.read_bytes for task in replay.tasks)
    metadata = {table.name: table.metadata for table in tables.opened.values()}
    day = (window.end - dt.timedelta(microseconds=1)).date()
    finished = dt.datetime.now(dt.UTC)
    with span("judge"):
        judged = judge(written.aggregates, metadata, healths, policy, day, history)
    failed = _failed(tables, replay)
    run = RunRecord(
        run_id=run_id,
        window=window,
        started_at=started,
        finished_at=finished,
        status=_status(written.outcomes, failed, judged.failed),
        versions={name: version(name) for name in ("prunescope", "pyspark", "pyiceberg")},
        queries=dict(written.outcomes),
        tables=len(written.sums.tables),
        tables_failed=failed,
        footers_read=replay.footers_read,
        footers_unread=replay.footers_unread,
        read_bytes=read_bytes,
        tables_unmeasured=_beside(failed, unmeasured, unsampled),
        causes_failed=judged.failed,
    )
    return AuditResult(run, written.rows, written.sums, health, judged.findings)


def _without_repetitions(
    queries: Sequence[NamedTables],
) -> tuple[list[NamedTables], list[Rejected]]:
    """Each query once: listeners that miss an answer send an event again."""
    kept: list[NamedTables] = []
    repeated: list[Rejected] = []
    seen: set[tuple[str, str, str | None, dt.datetime | None]] = set()
    for named in queries:
        query = named.query
        identity = (query.source, query.query_id, query.sql, query.started_at)
        if identity in seen:
            message = "the same query is in the log before; it was sent or exported twice"
            repeated.append(
                Rejected(query.source, query.query_id, REPEATED, message, query.query_id)
            )
        else:
            seen.add(identity)
            kept.append(named)
    return kept, repeated


def _columns(tables: Tables) -> Columns:
    """The columns of each table; one that has none that can be told has failed."""
    columns = {}
    for name, table in list(tables.opened.items()):
        doing = f"reading the schema of {name}"
        found = attempt(
            doing, lambda metadata: metadata.schema(None).top_level_types, table.metadata
        )
        if isinstance(found, PrunescopeError):
            tables.set_failed(name, found)
        else:
            columns[name] = found
    return columns


def _types(table: Table) -> dict[str, str]:
    return table.metadata.schema(None).top_level_types


def _extract(queries: Sequence[NamedTables], columns: Columns, runner: Runner) -> list[FoundScans]:
    """The scans of every query, in order."""
    # Queries of the same text share a task, which analyses the text once.
    by_text: dict[str | None, list[tuple[int, ObservedQuery]]] = {}
    for number, query in enumerate(queries):
        if any(table in columns for table in query.tables):
            by_text.setdefault(query.query.sql, []).append((number, query.query))
    found = [FoundScans()] * len(queries)
    analysed = runner.map(list(by_text.values()), partial(_find_all, columns=columns))
    for number, scans in analysed.get("scans", []):
        found[number] = scans
    return found


def _find_all(groups: Iterator[Any], columns: Columns) -> Iterator[tuple[str, Any]]:
    finder = ScanFinder(columns)
    for group in groups:
        for number, query in group:
            found = attempt("reading the text of a query", finder.find, query)
            if isinstance(found, PrunescopeError):
                found = FoundScans(failure=Failed.of(found))
            yield "scans", (number, found)


def _planned(workload: Workload, query: ObservedQuery, scan: TableScan) -> PlannedScan:
    """A scan of a query planned for later, or the failure of that."""
    found = attempt(f"binding a filter of {scan.table}", workload.add, query, scan)
    if isinstance(found, PrunescopeError):
        name = workload.tables[scan.table].name
        return PlannedScan(name, scan.observed, failure=Failed.of(found))
    return found


def _matching(
    config: AuditConfig,
    window: Window,
    works: Sequence[TableWork],
    replay: Replay,
    runner: Runner,
) -> tuple[dict[int, ScanMatching], dict[str, str], int]:
    """What sampled rows tell, by scan id, the tables of which none could be sampled, with a
    message, and how many bytes were read for it."""
    if not config.sampled_files:
        return {}, {}, 0
    tasks = []
    unsampled = {}
    by_table: dict[str, list[TableWork]] = {}
    for work in works:
        if work.context.measure is not None and work.table in replay.layouts:
            by_table.setdefault(work.table, []).append(work)
    for table, of_table in by_table.items():
        _, sketch = replay.layouts[table]
        doing = f"choosing files of {table}"
        task = attempt(doing, row_sample_task, of_table, sketch, config.sampled_files)
        if isinstance(task, PrunescopeError):
            unsampled[table] = str(task)
        else:
            tasks.append(task)
    match = partial(match_rows, seed=int(window.start.timestamp()))
    found = runner.map(tasks, partial(counting_reads, function=match))
    matching = {
        scan_id: matching
        for of_table in found.get("matching", [])
        for scan_id, matching in of_table.items()
    }
    return matching, unsampled | dict(found.get("unsampled", [])), sum(found.get(READ, []))


def _traceparents(queries: Sequence[NamedTables]) -> dict[TableName, list[str]]:
    """The spans of the queries that read each table, where the log has them."""
    spans: dict[TableName, list[str]] = {}
    for named in queries:
        if named.query.traceparent is not None:
            for table in named.tables:
                spans.setdefault(table, []).append(named.query.traceparent)
    return spans


def _failed(tables: Tables, replay: Replay) -> dict[str, str]:
    """The tables that could not be opened, and those of which some scan could not be planned."""
    failed = {str(name): str(error) for name, error in tables.failed.items()}
    for failure in replay.failures:
        # What no scan needs was to be measured only.
        if failure.scan_ids:
            failed.setdefault(failure.table, failure.why.message or failure.why.code)
    return failed


def _beside(failed: Mapping[str, str], *notes: Mapping[str, str]) -> dict[str, str]:
    """Notes on tables that have not failed; the first of each."""
    told: dict[str, str] = {}
    for of_stage in notes:
        for table, message in of_stage.items():
            if table not in failed:
                told.setdefault(table, message)
    return told


def _status(outcomes: Iterable[str], *failures: Mapping[str, str]) -> str:
    clean = set(outcomes) <= _CLEAN and not any(failures)
    return "succeeded" if clean else "partial"
