"""The nightly job: query logs in; scans planned; audit tables and metrics out."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

from audit_jobs.config import AuditConfig
from audit_jobs.findings.history import NO_HISTORY, History
from audit_jobs.findings.judge import judge
from audit_jobs.health.measure import table_health
from audit_jobs.health.model import TableHealth
from audit_jobs.jobs.reports import AMBIGUOUS, MATCHED, UNMATCHED, join_reports, reported_tables
from audit_jobs.jobs.results import Plans, query_records, rejected_record
from audit_jobs.jobs.sources import find_logs, read_queries
from audit_jobs.jobs.tables import TableFinder, Tables
from audit_jobs.jobs.workload import Workload, named_tables
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.records import ALWAYS_FALSE, REPLAYED, AuditResult, RunRecord, Window
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.local import nothing_to_read
from audit_jobs.replay.pass_spans import record_passes
from audit_jobs.replay.queries import NOT_SCANNED, NamedTables, ScanFinder
from audit_jobs.replay.row_sample_stage import ScanMatching, match_rows, row_sample_task
from audit_jobs.replay.runner import Replay, Runner
from audit_jobs.replay.texts import Columns, FoundScans
from audit_jobs.replay.timing import READ, counting_reads
from audit_jobs.replay.work import TableWork
from audit_jobs.spans import span
from collectors.partitioning import PartitionSpec
from collectors.predicates.render import redact, render
from collectors.queries.observed import ObservedQuery, Rejected, ScanReport, TableName
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
    rejected = [*missing, *found.get("rejected", [])]
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
    progress("Extracting predicates")
    with span("extract", {"prunescope.queries": len(queries)}):
        found = _extract(queries, tables, runner)
    workload = Workload(tables.opened)
    planned = [
        [workload.add(query.query, scan) for scan in scans.scans]
        for query, scans in zip(queries, found, strict=True)
    ]
    progress("Planning scans")
    works = workload.works()
    with span("collect", {"prunescope.scans": len(workload.scans)}):
        replay = runner.replay(
            works, max_footers=config.max_footers, seed=int(window.start.timestamp())
        )
        names = {str(table.name): table.name for table in tables.opened.values()}
        record_passes(works, names, replay, _traceparents(queries))
    progress("Sampling rows")
    with span("sample_rows"):
        matching, sampled_bytes = _matching(config, window, works, replay, runner)
    progress("Summing up")
    plans = _plans(workload, works, replay, matching)
    planned, report_records = join_reports(reports, planned, workload, tables)
    text_of = render if config.literals == "keep" else redact
    records = [rejected_record(number, item) for number, item in enumerate(rejected)]
    records += report_records
    outcomes = Counter(record.outcome for record in records)
    for number, (query, scans) in enumerate(zip(queries, planned, strict=True)):
        named = replace(query, failure=query.failure or found[number].failure)
        of_query = query_records(number, named, scans, plans, tables, text_of)
        outcomes[of_query[0].query_outcome] += 1
        records.extend(of_query)
    audited = len({record.table for record in records if record.outcome == REPLAYED})
    read_bytes = sampled_bytes + sum(task.read_bytes for task in replay.tasks)
    run = replace(
        _run_record(started, window, outcomes, audited, tables, replay), read_bytes=read_bytes
    )
    metadata = {table.name: table.metadata for table in tables.opened.values()}
    day = (window.end - dt.timedelta(microseconds=1)).date()
    health = _health(works, replay, tables)
    with span("judge"):
        findings = judge(
            records, metadata, {h.table: h for h in health}, config.findings.policy, day, history
        )
    return AuditResult(run, tuple(records), health, findings)


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


def _extract(queries: Sequence[NamedTables], tables: Tables, runner: Runner) -> list[FoundScans]:
    """The scans of every query, in order."""
    columns = {
        name: table.metadata.schema(table.metadata.current_snapshot()).top_level_types
        for name, table in tables.opened.items()
    }
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
            yield "scans", (number, finder.find(query))


def _matching(
    config: AuditConfig,
    window: Window,
    works: Sequence[TableWork],
    replay: Replay,
    runner: Runner,
) -> tuple[dict[int, ScanMatching], int]:
    """What sampled rows tell, by scan id, and how many bytes were read for it."""
    if not config.sampled_files:
        return {}, 0
    tasks = [
        row_sample_task(work, replay.layouts[work.key][1], config.sampled_files)
        for work in works
        if work.key in replay.layouts
    ]
    match = partial(match_rows, seed=int(window.start.timestamp()))
    found = runner.map(tasks, partial(counting_reads, function=match))
    matching = {
        scan_id: matching
        for of_table in found.get("matching", [])
        for scan_id, matching in of_table.items()
    }
    return matching, sum(found.get(READ, []))


def _traceparents(queries: Sequence[NamedTables]) -> dict[TableName, list[str]]:
    """The spans of the queries that read each table, where the log has them."""
    spans: dict[TableName, list[str]] = {}
    for named in queries:
        if named.query.traceparent is not None:
            for table in named.tables:
                spans.setdefault(table, []).append(named.query.traceparent)
    return spans


def _plans(
    workload: Workload,
    works: Sequence[TableWork],
    replay: Replay,
    matching: Mapping[int, ScanMatching],
) -> Plans:
    """Plans by scan id, for every scan whose snapshot could be read."""
    summaries: dict[int, ScanPlanSummary] = {}
    specs_of: dict[int, tuple[PartitionSpec, ...]] = {}
    for work in works:
        for snapshot_id, (_, positions) in work.snapshots.items():
            totals = replay.totals.get((work.key, snapshot_id))
            if totals is not None and positions:
                counts = replay.counts.get(work.key, work.no_counts())
                snapshot = (snapshot_id, work.schema_id, totals, work.specs)
                read = conclude(work.scans, work.shapes, counts, snapshot, np.array(positions))
                specs = tuple(work.specs[spec_id] for spec_id in totals.spec_ids)
                for position, summary in zip(positions, read, strict=True):
                    summaries[work.scans[position].scan_id] = summary
                    specs_of[work.scans[position].scan_id] = specs
    for distinct in workload.scans.values():
        if distinct.snapshot is None:
            (summary,) = nothing_to_read(distinct.table, distinct.schema, [distinct.scan])
            summaries[distinct.scan.scan_id] = summary
            specs_of[distinct.scan.scan_id] = ()
    failures = {
        scan_id: (failure.code, failure.message)
        for failure in replay.failures
        for scan_id in failure.scan_ids
    }
    return Plans(summaries, specs_of, failures, matching)


def _health(works: Sequence[TableWork], replay: Replay, tables: Tables) -> tuple[TableHealth, ...]:
    """The health of every table that could be measured."""
    by_name = {str(table.name): table for table in tables.opened.values()}
    measured = [work for work in works if work.measure is not None and work.key in replay.layouts]
    found = []
    for work in measured:
        assert work.measure is not None
        table = by_name[work.table]
        facts, sketch = replay.layouts[work.key]
        names = {c.field_id: c.name for c in table.metadata.schema(None).columns}
        spec = work.specs[work.measure.spec_id]
        found.append(table_health(table.name, work.measure, facts, sketch, names, spec))
    return tuple(found)


def _run_record(
    started: dt.datetime,
    window: Window,
    outcomes: Mapping[str, int],
    audited: int,
    tables: Tables,
    replay: Replay,
) -> RunRecord:
    failed = {str(name): str(error) for name, error in tables.failed.items()}
    for failure in replay.failures:
        failed.setdefault(failure.table, failure.message)
    clean = set(outcomes) <= _CLEAN and not failed
    return RunRecord(
        run_id=uuid.uuid4().hex,
        window=window,
        started_at=started,
        finished_at=dt.datetime.now(dt.UTC),
        status="succeeded" if clean else "partial",
        versions={name: version(name) for name in ("prunescope", "pyspark", "pyiceberg")},
        queries=dict(outcomes),
        tables=audited,
        tables_failed=failed,
        footers_read=replay.footers_read,
        footers_unread=replay.footers_unread,
    )
