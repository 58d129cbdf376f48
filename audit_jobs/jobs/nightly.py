"""The nightly job around the audit: runner, publishing, and the sinks besides."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from opentelemetry.trace import Span

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.errors import GateClosed
from prunescope.audit_jobs.gate.admit import admit
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.jobs.publishable import require_publishable
from prunescope.audit_jobs.jobs.runners import OpenRunner, spark_runner
from prunescope.audit_jobs.jobs.sinks import sinks_of
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.progress import Progress
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.table_rows import run_row
from prunescope.audit_jobs.sinks.audit_tables import mark_failed, publish
from prunescope.audit_jobs.sinks.metrics import send
from prunescope.audit_jobs.sinks.published_history import history_or_none
from prunescope.audit_jobs.sinks.published_rows import overlapping_runs
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.sinks.sink import independently
from prunescope.audit_jobs.sinks.telemetry import open_telemetry
from prunescope.audit_jobs.spans import Attributes, span
from prunescope.audit_jobs.status import Status
from prunescope.collectors.sql.text.parser import require_interpreted
from prunescope.collectors.tables.catalog import load_in_time

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

STAGES = 9
"""The number of stages that a nightly job announces."""


def run_nightly(
    config: AuditConfig,
    window: Window,
    progress: Progress,
    *,
    replace_overlapping: bool = False,
    open_runner: OpenRunner = spark_runner,
) -> AuditResult:
    """Audits a window on a runner that is opened for it, and publishes the result.

    Warns of runs of other windows that overlap it, or replaces them on demand.

    Raises CatalogUnavailable or PublishFailed if nothing was published, before anything is read if
    that can be known then. Raises GateClosed if the sums of the run contradict each other: then its
    window keeps the rows that an earlier run published, `audit_runs` has a row of status `failed`,
    and of the metrics only those of the attempt change. Raises UnsuitableInstallation if no SQL
    could be read.
    """
    require_interpreted()
    # Opened before all else: an audit that cannot be written need not be made.
    name = config.audit.catalog
    catalog = load_in_time(name, config.catalogs[name].properties, makes=True)
    require_publishable(config, catalog, window)
    if not replace_overlapping:
        _warn_of_overlaps(catalog, config, window)
    telemetry = open_telemetry(config.otlp, config.audit.catalog)
    sinks = sinks_of(config, telemetry, catalog)
    try:
        with (
            telemetry.recording(),
            _run_span(window) as run_span,
            open_runner(config, progress) as runner,
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
        for sink in sinks:
            sink.failed({**run_row(result), "status": Status.FAILED})
        raise
    except Exception:
        send(telemetry, ())
        raise
    # After the audit tables: what is not committed is not reported as a success.
    rows = rows_of(result)
    for sink in sinks:
        independently("telling of a run that was published", sink.publish, rows)
    return result


def _audited(
    config: AuditConfig, catalog: Catalog, window: Window, runner: Runner, progress: Progress
) -> AuditResult:
    """The result of the audit."""
    progress("Reading query logs")
    with span("read_logs"):
        inputs = read_inputs(config, window, runner)
    history = history_or_none(catalog, config.audit.namespace, window.start)
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
