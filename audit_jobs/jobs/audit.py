"""The nightly job: query logs in; scans planned; audit tables and metrics out."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from prunescope.audit_jobs.config import AuditConfig, TablesConfig
from prunescope.audit_jobs.extras import installed
from prunescope.audit_jobs.findings.history import NO_HISTORY, History
from prunescope.audit_jobs.findings.judge import judge
from prunescope.audit_jobs.findings.usage import KnownTable
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.jobs.measuring import health_of
from prunescope.audit_jobs.jobs.scan_stages import (
    Extracted,
    Planned,
    count_scans,
    extract_scans,
    plan_scans,
    sample_matching,
    tables_by_name,
)
from prunescope.audit_jobs.jobs.sharing import cache_of, share
from prunescope.audit_jobs.jobs.sources import find_logs, read_stage, storage_of_logs, unread_stage
from prunescope.audit_jobs.jobs.tables import TableFinder, Tables
from prunescope.audit_jobs.jobs.trials import LayoutTrials
from prunescope.audit_jobs.planning.items import Instead, Item, Items, Runner
from prunescope.audit_jobs.progress import Progress
from prunescope.audit_jobs.records import Elsewhere, RunRecord, ScanRecord, Window
from prunescope.audit_jobs.results.columns import identity
from prunescope.audit_jobs.results.conclude_stage import (
    OF_SHARES,
    SUMMARY,
    Known,
    conclude_stage,
    report_stage,
)
from prunescope.audit_jobs.results.query_records import rejected_record
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.scan_parts import Here, ScanParts, Spread
from prunescope.audit_jobs.results.schemas import SCHEMA_VERSION
from prunescope.audit_jobs.results.sums import RunSums, run_sums
from prunescope.audit_jobs.results.written import Summary, Writing, write_down
from prunescope.audit_jobs.secret import find_secret, random_secret
from prunescope.audit_jobs.spans import span
from prunescope.audit_jobs.status import Status
from prunescope.audit_jobs.workload.extract import MAX_QUERIES
from prunescope.audit_jobs.workload.inputs import REPORT, Inputs, Told, in_groups, inputs_of
from prunescope.audit_jobs.workload.query_texts import Columns
from prunescope.audit_jobs.workload.replanned import PlannedBy
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import Rejected
from prunescope.collectors.outcomes import CLEAN
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.tables.metadata import TableMetadata

_MOST_PLANNERS = 100
"""Newer planners that a run names: a log may name any number."""
_EXAMPLES = 3
"""Inputs named for each reason of rejection: a fault of a log mostly repeats itself."""


def read_inputs(
    config: AuditConfig, window: Window, runner: Runner, planned_by: PlannedBy | None = None
) -> Inputs:
    """The inputs of a window in the configured query logs, planned by another planner if there is
    one. Raises BadConfiguration if the secret cannot be used."""
    storage = storage_of_logs(config)
    logs, missing = find_logs(config.sources, storage)
    items = runner.items([Item("log", log, "", place) for place, log in enumerate(logs)])
    seconds = config.log_timeout_seconds
    stage = partial(
        read_stage,
        storage=storage,
        window=window,
        seconds=seconds,
        slots=runner.slots,
        planned_by=planned_by,
    )
    groups = in_groups({"": len(logs)}, 1, runner.slots)
    instead = Instead(unread_stage, of_tables=False)
    read = inputs_of(runner.run(stage, items, groups, instead=instead), missing)
    return replace(read, secret=find_secret(config.secret_file) or random_secret())


def run_audit(  # noqa: PLR0913  # all that an audit depends on
    config: TablesConfig,
    window: Window,
    inputs: Inputs,
    runner: Runner,
    progress: Progress,
    history: History = NO_HISTORY,
    *,
    what_if: bool = False,
) -> AuditResult:
    """Audits the inputs of a window, beside the history of earlier ones, and, with `what_if`,
    estimates what indexes would do. Publishes nothing (see `publish`).

    A bad query, file or table is an outcome of its own, and stops nothing else. The rows of the
    result are kept until the runner is done.
    """
    started = dt.datetime.now(dt.UTC)
    progress("Opening tables")
    with span("open_tables"):
        cache, told = cache_of(config), inputs.told
        opened = TableFinder(config).find(told.tables, told.affected, told.since)
        tables = _cached(opened, cache)
        columns = _columns(tables)
    progress("Extracting predicates")
    with span("extract", {"prunescope.queries": inputs.told.queries.total()}):
        extracted = extract_scans(inputs, tables, columns, runner)
    progress("Planning scans")
    with span("collect", {"prunescope.scans": count_scans(extracted.used.values())}):
        planned = plan_scans(config, _seed(window), tables, extracted, runner)
    share(cache, planned.replay, runner)
    progress("Sampling rows")
    with span("sample_rows"):
        sampled = sample_matching(config, _seed(window), extracted, planned, runner)
    progress("Summing up")
    health, unmeasured = health_of(
        planned.prepared.contexts, planned.replay, tables_by_name(tables), planned.given_up
    )
    run_id = uuid.uuid4().hex
    policy, healths = config.policy, {h.table: h for h in health}
    literals = config.literals == "keep"
    writing = Writing(identity(run_id, window), healths, policy, literals)
    found = extracted.shares.also(planned.replay.of_scans).also(sampled.matching).of(*OF_SHARES)
    known = _known(tables, extracted, planned)
    rows, summary = _concluded(writing, known, inputs, (found, extracted.groups), runner)
    sums = RunSums() if summary.sums is None else run_sums(summary.sums)
    judgeable = {
        table.name: KnownTable(table.metadata, healths.get(table.name), table.storage.clock)
        for table in tables.opened.values()
    }
    trying = LayoutTrials(
        planned.prepared.contexts,
        planned.replay.layouts,
        runner,
        seed=_seed(window),
        files=config.sampled_files,
    )
    with span("judge"):
        judged = judge(
            summary.aggregates, judgeable, policy, window, history, trying, what_if=what_if
        )
    failed = _failed(tables, planned)
    replay = planned.replay
    run = RunRecord(
        run_id=run_id,
        window=window,
        started_at=started,
        finished_at=dt.datetime.now(dt.UTC),
        status=_status(summary.outcomes, failed, judged.failed),
        versions=_versions(),
        queries=dict(summary.outcomes),
        tables=len(sums.tables),
        tables_failed=failed,
        footers_read=replay.footers_read + replay.of_metadata.get("footers_cached", 0),
        footers_unread=replay.footers_unread,
        metadata=replay.of_metadata,
        read_bytes=sum(task.traffic.size for task in replay.tasks)
        + sampled.read_bytes
        + trying.read_bytes,
        tables_unmeasured=_beside(
            failed, planned.prepared.unmeasured, unmeasured, sampled.unsampled, trying.failed
        ),
        causes_failed=judged.failed,
        elsewhere=_elsewhere(inputs.told),
        rejected=_examples(inputs.rejected),
        newer_planners=dict(summary.newer_planners.most_common(_MOST_PLANNERS)),
        too_small=judged.too_small,
        too_small_bytes=judged.too_small_bytes,
    )
    return AuditResult(
        run,
        rows,
        sums,
        health,
        judged.findings,
        judged.largest_small,
        history,
        trying.indexes,
        tables.opened,
    )


def _versions() -> dict[str, str]:
    """The versions of the installed packages, and of the audit tables' columns."""
    packages = {name: installed(name) for name in ("prunescope", "pyspark", "pyiceberg")}
    known = {name: version for name, version in packages.items() if version is not None}
    return {**known, "audit_tables": str(SCHEMA_VERSION)}


def _cached(tables: Tables, cache: Cache | None) -> Tables:
    """The tables, whose metadata is kept for other runs."""
    opened = {
        name: replace(table, storage=replace(table.storage, cache=cache))
        for name, table in tables.opened.items()
    }
    return replace(tables, opened=opened)


def _elsewhere(told: Told) -> Elsewhere | None:
    """The summary of log entries outside of the window, if the window has no query; else None."""
    return None if told.queries or told.reports else Elsewhere.together(told.elsewhere)


def _examples(rejected: Iterable[Rejected]) -> list[Rejected]:
    """The first few faults of each reason."""
    seen: Counter[str] = Counter()
    found = []
    for one in rejected:
        seen[one.reason] += 1
        if one.reason not in CLEAN and seen[one.reason] <= _EXAMPLES:
            found.append(one)
    return found


def _seed(window: Window) -> int:
    return int(window.start.timestamp())


def _known(tables: Tables, extracted: Extracted, planned: Planned) -> Known:
    return Known(
        totals=planned.replay.totals,
        unlisted=planned.replay.unlisted,
        failed_whole={**planned.prepared.failed, **planned.given_up},
        failed={name: Failed.of(error) for name, error in tables.failed.items()},
        opened={name: table.name for name, table in tables.opened.items()},
        reports=extracted.reports,
    )


def _concluded(
    writing: Writing,
    known: Known,
    inputs: Inputs,
    shares: tuple[Items, Mapping[str, int]],
    runner: Runner,
) -> tuple[ScanParts, Summary]:
    """The rows of all inputs, and their summary. `shares` are the workload's shares with all
    results for their scans, and the number of groups by table."""
    concluded = runner.run(partial(conclude_stage, known=known, writing=writing), *shares)
    report_groups = in_groups(inputs.told.reports, MAX_QUERIES, runner.slots)
    reported = runner.run(
        partial(report_stage, known=known, writing=writing), inputs.items.of(REPORT), report_groups
    )
    rows = concluded.also(reported)
    summary = Summary()
    rejected = Here(tuple(write_down(writing, _rejected(inputs.rejected), summary)))
    for more in rows.found(SUMMARY).get(SUMMARY, ()):
        summary.add(more)
    source = Spread(rows, {**report_groups, **shares[1]}, runner, rejected)
    return ScanParts(summary.rows, source, summary.unwritable), summary


def _rejected(rejected: Iterable[Rejected]) -> Iterator[list[ScanRecord]]:
    return ([rejected_record(number, item)] for number, item in enumerate(rejected))


def _types(metadata: TableMetadata) -> Sequence[str] | Mapping[str, str]:
    return metadata.schema(None).types


def _columns(tables: Tables) -> Columns:
    """The columns of each table; a table whose columns cannot be read has failed."""
    columns = {}
    for name, table in list(tables.opened.items()):
        doing = f"reading the schema of {name}"
        found = attempt(doing, table.storage.clock.timed(_types), table.metadata)
        if isinstance(found, PrunescopeError):
            tables.set_failed(name, found)
        else:
            columns[name] = found
    return columns


def _failed(tables: Tables, planned: Planned) -> dict[str, str]:
    """The tables that could not be opened, and those with a scan that could not be planned."""
    failed = {str(name.shown): str(error) for name, error in tables.failed.items()}
    for table, why in planned.prepared.failed.items():
        failed.setdefault(table, why.message or why.code)
    for failure in planned.replay.failures:
        # What no scan needs was to be measured only.
        if failure.is_needed:
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


def _status(outcomes: Iterable[str], *failures: Mapping[str, str]) -> Status:
    clean = set(outcomes) <= CLEAN and not any(failures)
    return Status.SUCCEEDED if clean else Status.PARTIAL
