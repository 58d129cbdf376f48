"""Metrics of a run, to an OpenTelemetry collector, a file and a Pushgateway."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.maintained_at import maintenance_samples
from prunescope.audit_jobs.sinks.metric_catalogue import Metric
from prunescope.audit_jobs.sinks.metric_samples import Sample, attempt_samples, run_samples
from prunescope.audit_jobs.sinks.prometheus import push, registry, write_textfile
from prunescope.audit_jobs.sinks.published_rows import visible_run
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.audit_jobs.sinks.sink import independently
from prunescope.audit_jobs.sinks.telemetry import Telemetry

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Metrics:
    """A Sink. Whether the collector took its samples is a metric for the other targets."""

    config: AuditConfig
    telemetry: Telemetry
    catalog: Catalog

    def publish(self, rows: RunRows) -> None:
        """Exports the samples of a published run. A window before the newest one is exported as an
        attempt: its results would hide those of the newest, and its success the lack of a newer
        window."""
        newest = visible_run(self.catalog, self.config.audit.namespace, None)
        if newest["window_end"] > rows.run["window_end"]:
            tell(
                "metrics stay those of the newest window, which ends at "
                f"{newest['window_end'].isoformat()}"
            )
            self.failed(rows.run)
            return
        samples = run_samples(rows, max_tables=self.config.metrics.max_tables)
        runs = self.catalog.load_table((*self.config.audit.namespace.split("."), AUDIT_RUNS.name))
        samples += maintenance_samples(runs)
        samples += send(self.telemetry, samples)
        self._expose(samples, catalogue.OF_A_JOB, beside=False)

    def failed(self, run: Row) -> None:
        """Exports the samples of an attempt that published nothing."""
        samples = attempt_samples(run)
        samples += send(self.telemetry, samples)
        told = [metric for metric in catalogue.OF_A_JOB if any(s.metric == metric for s in samples)]
        self._expose(samples, told, beside=True)

    def _expose(self, samples: Sequence[Sample], told: Sequence[Metric], *, beside: bool) -> None:
        to, audit_catalog = self.config.metrics, self.config.audit.catalog
        metrics = registry(samples, told, audit_catalog)
        if to.textfile is not None:
            doing = "writing metrics.textfile"
            independently(doing, write_textfile, metrics, to.textfile, beside=beside)
        if to.pushgateway is not None:
            group = (to.pushgateway, to.job, audit_catalog)
            independently("pushing metrics", push, metrics, *group, beside=beside)


def send(telemetry: Telemetry, samples: Sequence[Sample]) -> list[Sample]:
    """Sends the samples to the collector; a failure is a warning, and a sample."""
    sent = telemetry.send(samples)
    for signal, failure in sent.items():
        if failure is not None:
            tell(f"{signal} did not reach otlp.endpoint: {failure}")
    return [
        Sample(catalogue.RUN_TELEMETRY_FAILED, (signal,), float(failure is not None))
        for signal, failure in sent.items()
    ]
