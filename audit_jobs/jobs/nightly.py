"""The nightly job around the audit: session, publishing, metrics, traces and report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from opentelemetry.trace import Span
from prometheus_client import CollectorRegistry

from audit_jobs.config import Advising, AuditConfig
from audit_jobs.errors import GateClosed, HistoryUnreadable, PublishFailed
from audit_jobs.findings.history import NO_HISTORY, History
from audit_jobs.gate.admit import admit
from audit_jobs.isolation import attempt
from audit_jobs.jobs.advise import rows_of_advice, run_advise
from audit_jobs.jobs.audit import read_inputs, run_audit
from audit_jobs.jobs.publishable import require_publishable
from audit_jobs.planning.items import Runner
from audit_jobs.planning.session import open_session
from audit_jobs.planning.spark import SparkRunner
from audit_jobs.printing import tell
from audit_jobs.progress import Progress, spark_tasks
from audit_jobs.records import Window
from audit_jobs.report.write import write_report
from audit_jobs.results.result import AuditResult
from audit_jobs.results.table_rows import run_row
from audit_jobs.sinks import metric_catalogue as catalogue
from audit_jobs.sinks.audit_tables import mark_failed, publish, publish_advice
from audit_jobs.sinks.metric_samples import Sample, attempt_samples, run_samples
from audit_jobs.sinks.prometheus import push, registry, write_textfile
from audit_jobs.sinks.published_advice import earlier_advice
from audit_jobs.sinks.published_history import read_history
from audit_jobs.sinks.published_rows import overlapping_runs
from audit_jobs.sinks.run_rows import rows_of
from audit_jobs.sinks.telemetry import Telemetry, open_telemetry
from audit_jobs.spans import Attributes, span
from audit_jobs.status import Status
from collectors.errors import PrunescopeError
from collectors.sql.text.parser import require_interpreted
from collectors.tables.catalog import load_catalog

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

STAGES = 9
"""How many stages a nightly job announces, but for advising layouts, which is asked for."""

Session = Callable[[AuditConfig, Progress], AbstractContextManager[Runner]]
"""Where stages run, for as long as one job needs it."""


@contextmanager
def spark_session(config: AuditConfig, progress: Progress) -> Iterator[Runner]:
    """A runner over Spark, in a session of its own where none is running."""
    progress("Starting Spark")
    spark, ours = open_session(config.spark)
    runner = SparkRunner(spark)
    try:
        with spark_tasks(spark):
            yield runner
    finally:
        if ours:
            spark.stop()
        else:
            runner.done()


def run_nightly(
    config: AuditConfig,
    window: Window,
    progress: Progress,
    *,
    replace_overlapping: bool = False,
    session: Session = spark_session,
) -> AuditResult:
    """Audits a window where the session says, and publishes it.

    Runs of other windows that overlap it are warned of, or replaced on demand.

    Raises CatalogUnavailable or PublishFailed where nothing was published, before anything is read
    where that can be known then, and GateClosed where the sums of the run contradict each other:
    then its window keeps what an earlier run published, `audit_runs` has a row of status `failed`,
    and of the metrics only those of the attempt change. Raises UnsuitableInstallation where no SQL
    could be read.
    """
    require_interpreted()
    # Opened before all else: an audit that cannot be written need not be made.
    catalog = load_catalog(config.audit.catalog, config.catalogs[config.audit.catalog].properties)
    require_publishable(config, catalog, window)
    if not replace_overlapping:
        _warn_of_overlaps(catalog, config, window)
    telemetry = open_telemetry(config.otlp)
    try:
        with (
            telemetry.recording(),
            _run_span(window) as run_span,
            session(config, progress) as runner,
        ):
            result = _audited(config, catalog, window, runner, progress)
            result = _admitted(config, catalog, result, progress)
            run_span.set_attributes(_counts(result))
            progress("Publishing")
            with span("publish"):
                publish(
                    result,
                    catalog,
                    config.audit.namespace,
                    replace_overlapping=replace_overlapping,
                )
    except GateClosed:
        _tell_attempt(result, config, telemetry)
        raise
    except Exception:
        _send(telemetry, ())
        raise
    _publish_metrics(result, config, telemetry)
    if config.advice is not None:
        _advise(config, config.advice, catalog, window, progress)
    if config.report.path is not None:
        rows = replace(rows_of(result), advice=earlier_advice(catalog, config.audit.namespace))
        write_report(rows, config.report.path)
    return result


def _advise(
    config: AuditConfig, advising: Advising, catalog: Catalog, window: Window, progress: Progress
) -> None:
    """Advises layouts and publishes that. The audit stands, whatever goes wrong here: it is
    told."""
    rest = Window(window.end - dt.timedelta(days=advising.days), window.end)
    progress("Advising layouts")
    found = attempt("advising layouts", run_advise, config, rest, (), lambda _: None)
    if isinstance(found, PrunescopeError):
        tell(f"no layout was advised: {found}")
        return
    rows = rows_of_advice(found, rest, dt.datetime.now(dt.UTC))
    failure = attempt(
        "publishing advice", publish_advice, rows, rest, catalog, config.audit.namespace
    )
    if isinstance(failure, PrunescopeError):
        tell(f"the advice was not published: {failure}")


def _audited(
    config: AuditConfig, catalog: Catalog, window: Window, runner: Runner, progress: Progress
) -> AuditResult:
    """What the audit finds."""
    progress("Reading query logs")
    with span("read_logs"):
        inputs = read_inputs(config, window, runner)
    history = _history(catalog, config, window)
    return run_audit(config, window, inputs, runner, progress, history)


def _admitted(
    config: AuditConfig, catalog: Catalog, result: AuditResult, progress: Progress
) -> AuditResult:
    progress("Checking")
    try:
        with span("check"):
            return admit(result, config.gate.directory)
    except GateClosed:
        mark_failed(result, catalog, config.audit.namespace)
        raise


def _warn_of_overlaps(catalog: Catalog, config: AuditConfig, window: Window) -> None:
    ours = f"{window.start.isoformat()} to {window.end.isoformat()}"
    for run in overlapping_runs(catalog, config.audit.namespace, window):
        theirs = " to ".join(run[name].isoformat() for name in ("window_start", "window_end"))
        tell(
            f"run {run['run_id']} of {theirs} overlaps this window, {ours}: queries of both are "
            "counted twice; --replace-overlapping removes that run"
        )


def _history(catalog: Catalog, config: AuditConfig, window: Window) -> History:
    """Earlier windows; none, and a warning, where they cannot be read."""
    try:
        return read_history(catalog, config.audit.namespace, window.start)
    except HistoryUnreadable as error:
        tell(error)
        return NO_HISTORY


def _publish_metrics(result: AuditResult, config: AuditConfig, telemetry: Telemetry) -> None:
    """After the audit tables: what is not committed is not reported as a success."""
    samples = run_samples(rows_of(result), max_tables=config.metrics.max_tables)
    samples += _send(telemetry, samples)
    _expose(registry(samples, catalogue.OF_A_JOB), config, beside=False)


def _tell_attempt(result: AuditResult, config: AuditConfig, telemetry: Telemetry) -> None:
    """Of a run that published nothing, that it was; what earlier ones found stays."""
    samples = attempt_samples({**run_row(result), "status": Status.FAILED})
    samples += _send(telemetry, samples)
    told = [metric for metric in catalogue.OF_A_JOB if any(s.metric == metric for s in samples)]
    try:
        _expose(registry(samples, told), config, beside=True)
    except PublishFailed as error:  # of two failures the run's is the one to end with
        tell(error)


def _expose(metrics: CollectorRegistry, config: AuditConfig, *, beside: bool) -> None:
    to = config.metrics
    if to.textfile is not None:
        write_textfile(metrics, to.textfile, beside=beside)
    if to.pushgateway is not None:
        push(metrics, to.pushgateway, to.job, config.audit.catalog, beside=beside)


def _send(telemetry: Telemetry, samples: Sequence[Sample]) -> list[Sample]:
    """Sends what there is to the collector; a failure is a warning, and a sample."""
    sent = telemetry.send(samples)
    for signal, failure in sent.items():
        if failure is not None:
            tell(f"{signal} did not reach otlp.endpoint: {failure}")
    return [
        Sample(catalogue.RUN_TELEMETRY_FAILED, (signal,), float(failure is not None))
        for signal, failure in sent.items()
    ]


def _run_span(window: Window) -> AbstractContextManager[Span]:
    attributes = {
        "prunescope.window_start": window.start.isoformat(),
        "prunescope.window_end": window.end.isoformat(),
    }
    return span("pruning.audit.run", attributes)


def _counts(result: AuditResult) -> Attributes:
    run = result.run
    return {
        "prunescope.run_id": run.run_id,
        "prunescope.status": run.status,
        "prunescope.scans": run_row(result)["scans"],
        "prunescope.tables": run.tables,
        "prunescope.tables_failed": len(run.tables_failed),
        "prunescope.tables_set_aside": len(run.tables_set_aside),
        "prunescope.findings": len(result.findings),
        "prunescope.footers_read": run.footers_read,
        "prunescope.footers_unread": run.footers_unread,
        **{f"prunescope.metadata.{name}": count for name, count in run.metadata.items()},
        **({} if run.read_bytes is None else {"prunescope.read_bytes": run.read_bytes}),
        **{f"prunescope.queries.{outcome}": count for outcome, count in run.queries.items()},
    }
