"""Where a run is told beside the audit tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit_jobs.config import AuditConfig
from audit_jobs.jobs.nightly_advice import KeptAdvice
from audit_jobs.jobs.runners import OpenRunner
from audit_jobs.progress import Progress
from audit_jobs.records import Window
from audit_jobs.report.write import ReportFile
from audit_jobs.sinks.metrics import Metrics
from audit_jobs.sinks.sink import Sink
from audit_jobs.sinks.telemetry import Telemetry

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


def sinks_of(
    config: AuditConfig,
    telemetry: Telemetry,
    catalog: Catalog,
    window: Window,
    progress: Progress,
    open_runner: OpenRunner,
) -> list[Sink]:
    """The sinks of a run, in the order in which they are told."""
    sinks: list[Sink] = [Metrics(config, telemetry, catalog)]
    if config.advice is not None:
        days = config.advice.days
        sinks.append(KeptAdvice(config, days, window.end, catalog, progress, open_runner))
    if config.report.path is not None:
        keeps = config.literals == "keep"
        sinks.append(ReportFile(config.report.path, catalog, config.audit.namespace, keeps))
    return sinks
