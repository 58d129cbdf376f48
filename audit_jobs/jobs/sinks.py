"""Sinks of a run besides the audit tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.report.write import ReportFile
from prunescope.audit_jobs.sinks.metrics import Metrics
from prunescope.audit_jobs.sinks.sink import Sink
from prunescope.audit_jobs.sinks.telemetry import Telemetry

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


def sinks_of(
    config: AuditConfig,
    telemetry: Telemetry,
    catalog: Catalog,
) -> list[Sink]:
    """The sinks of a run, in the order in which they get its result."""
    sinks: list[Sink] = [Metrics(config, telemetry, catalog)]
    if config.report.path is not None:
        keeps = config.literals == "keep"
        sinks.append(ReportFile(config.report.path, keeps))
    return sinks
