"""The nightly job: query logs in; scans planned; audit tables and metrics out."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from audit_jobs.config import AuditConfig
from audit_jobs.jobs.sources import log_files, read_queries
from audit_jobs.jobs.tables import TableFinder, Tables
from audit_jobs.jobs.workload import PlannedScan, Workload, named_tables, observed_scan
from audit_jobs.pruning.summary import WHOLE_RUN, ScanPlanSummary, SnapshotTotals, Tally
from audit_jobs.records import REPLAYED, AuditResult, RunRecord, ScanRecord, Window
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.queries import Failed, NamedTables, TableScan, find_scans
from audit_jobs.replay.spark import Replay, collect_items, map_items, replay_on_spark
from audit_jobs.replay.work import TableWork
from collectors.predicates.render import redact, render
from collectors.queries.observed import Rejected, TableName
from collectors.tables.storage import Storage

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Progress = Callable[[str], None]
"""Told what the job does next."""

_NOTHING = SnapshotTotals(0, 0, 0, 0, 0, 0, ())
_FoundScans = tuple[TableScan, ...] | Failed


def run_audit(
    config: AuditConfig, window: Window, spark: SparkSession, progress: Progress
) -> AuditResult:
    """Audits the queries of a window. Publishes nothing: see `publish`.

    One bad query, file or table is an outcome of its own, and stops nothing else.
    """
    started = dt.datetime.now(dt.UTC)
    progress("Reading query logs")
    queries, rejected = _read(config, window, spark)
    progress("Opening tables")
    tables = TableFinder(config).find(named_tables(queries))
    progress("Extracting predicates")
    found = _extract(queries, tables, spark)
    workload = Workload(tables.opened)
    planned = [
        [] if isinstance(scans, Failed) else _plan(query, scans, workload)
        for query, scans in zip(queries, found, strict=True)
    ]
    progress("Planning scans")
    works = workload.works()
    replay = replay_on_spark(spark, works)
    progress("Summing up")
    summaries = _summaries(workload, works, replay)
    failures = {
        scan_id: (failure.code, failure.message)
        for failure in replay.failures
        for scan_id in failure.scan_ids
    }
    keep = config.literals == "keep"
    records = [_rejected_record(number, item) for number, item in enumerate(rejected)]
    outcomes = Counter(item.reason for item in rejected)
    for number, (query, scans) in enumerate(zip(queries, planned, strict=True)):
        extraction = found[number]
        named = replace(query, failure=extraction) if isinstance(extraction, Failed) else query
        scans_with_outcome = [(scan, _outcome(scan, summaries, failures)) for scan in scans]
        of_query = _query_records(number, named, scans_with_outcome, summaries, tables, keep)
        outcomes[of_query[0].query_outcome] += 1
        records.extend(of_query)
    audited = len({record.table for record in records if record.outcome == REPLAYED})
    run = _run_record(started, window, outcomes, audited, tables, replay)
    return AuditResult(run, tuple(records))


def _read(
    config: AuditConfig, window: Window, spark: SparkSession
) -> tuple[list[NamedTables], list[Rejected]]:
    files, missing = log_files(config.sources)
    if not files:
        return [], missing
    storage = Storage(config.path_prefixes)
    found = collect_items(
        map_items(spark, files, partial(read_queries, storage=storage, window=window))
    )
    return found.get("query", []), [*missing, *found.get("rejected", [])]


def _extract(
    queries: Sequence[NamedTables], tables: Tables, spark: SparkSession
) -> list[_FoundScans]:
    """The scans of every query, in order."""
    columns = {
        name: table.metadata.schema(table.metadata.current_snapshot()).top_level_names
        for name, table in tables.opened.items()
    }
    worth = [
        (number, query.query)
        for number, query in enumerate(queries)
        if any(table in columns for table in query.tables)
    ]
    found: list[_FoundScans] = [()] * len(queries)
    if worth:
        frame = map_items(spark, worth, partial(_find_all, columns=columns))
        for number, scans in collect_items(frame).get("scans", []):
            found[number] = scans
    return found


def _find_all(
    queries: Iterator[Any], columns: Mapping[TableName, tuple[str, ...]]
) -> Iterator[tuple[str, Any]]:
    for number, query in queries:
        yield "scans", (number, find_scans(query, columns))


def _plan(query: NamedTables, found: Sequence[TableScan], workload: Workload) -> list[PlannedScan]:
    scans: list[PlannedScan] = []
    seen: Counter[TableName] = Counter()
    for scan in found:
        observed = observed_scan(query.query, scan.table, seen[scan.table])
        seen[scan.table] += 1
        scans.append(workload.add(query.query, scan, observed))
    return scans


def _summaries(
    workload: Workload, works: Sequence[TableWork], replay: Replay
) -> dict[int, ScanPlanSummary]:
    """Plans by scan id, for every scan whose snapshot could be read."""
    work_of = {scan.scan_id: work for work in works for scan in work.scans}
    summaries = {}
    for distinct in workload.scans.values():
        scan, snapshot = distinct.scan, distinct.snapshot
        specs = distinct.table.metadata.specs(distinct.schema)
        totals: SnapshotTotals | None = _NOTHING
        if snapshot is not None:
            totals = replay.totals.get((work_of[scan.scan_id].key, snapshot.snapshot_id))
        if totals is not None:
            snapshot_id = None if snapshot is None else snapshot.snapshot_id
            schema_id = distinct.schema.schema_id
            summaries[scan.scan_id] = conclude(
                scan, specs, snapshot_id, schema_id, totals, replay.tallies
            )
    return summaries


def _outcome(
    scan: PlannedScan,
    summaries: Mapping[int, ScanPlanSummary],
    failures: Mapping[int, tuple[str, str]],
) -> tuple[str, str | None]:
    if scan.failure is not None:
        return scan.failure
    assert scan.scan_id is not None
    if scan.scan_id in failures:
        return failures[scan.scan_id]
    if scan.scan_id in summaries:
        return REPLAYED, None
    return "internal_error", "no plan was made for this scan; please report this"


def _rejected_record(number: int, rejected: Rejected) -> ScanRecord:
    return ScanRecord(
        scan_key=f"rejected/{number}",
        source=rejected.source,
        location=rejected.location,
        query_id=rejected.query_id,
        query_outcome=rejected.reason,
        outcome=rejected.reason,
        message=rejected.message,
    )


def _query_records(
    number: int,
    named: NamedTables,
    scans: Sequence[tuple[PlannedScan, tuple[str, str | None]]],
    summaries: Mapping[int, ScanPlanSummary],
    tables: Tables,
    keep: bool,
) -> list[ScanRecord]:
    """One record per scan; one for the query itself if it has none; one per table that could
    not be opened."""
    query = named.query
    base = ScanRecord(
        scan_key=f"{number}",
        source=query.source,
        location=None,
        query_id=query.query_id,
        query_outcome="",
        outcome="",
        engine=query.engine,
        engine_version=query.engine_version,
        user=query.user,
        started_at=query.started_at,
        fingerprint=named.fingerprint,
    )
    records = []
    for scan, (outcome, message) in scans:
        record = replace(base, outcome=outcome, message=message, table=scan.table)
        if scan.observed is not None:
            record = replace(record, observed=scan.observed.counters)
        if scan.predicate is not None and outcome == REPLAYED:
            assert scan.scan_id is not None
            summary = summaries[scan.scan_id]
            text = render if keep else redact
            record = replace(
                record,
                predicate=text(scan.predicate),
                conjunct_texts=tuple(text(part.predicate) for part in summary.conjuncts),
                summary=summary,
            )
        records.append(record)
    for name in named.tables:
        if name in tables.failed:
            error = tables.failed[name]
            records.append(replace(base, outcome=error.code, message=str(error), table=name))
    if not records:
        failed = named.failure or Failed("no_iceberg_table", None)
        records.append(replace(base, outcome=failed.code, message=failed.message))
    outcome = _query_outcome([record.outcome for record in records])
    return [
        replace(record, scan_key=f"{number}/{position}", query_outcome=outcome)
        for position, record in enumerate(records)
    ]


def _query_outcome(outcomes: Sequence[str]) -> str:
    """One outcome for a query: replayed if every scan was, else the first thing that failed."""
    return next((outcome for outcome in outcomes if outcome != REPLAYED), REPLAYED)


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
    clean = set(outcomes) <= {REPLAYED, "no_iceberg_table", "not_a_query"} and not failed
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
        footers_read=replay.tallies.get(WHOLE_RUN, Tally()).footers_read,
    )
