"""Traces and metrics of a run by OTLP: the one module that knows OpenTelemetry's SDK.

Spans are kept until the run is over, and sent then, with the metrics: a collector can delay the job
once, by `timeout_seconds`, and never disturbs it. Credentials are read by the SDK, from
`OTEL_EXPORTER_OTLP_HEADERS`.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from prunescope.audit_jobs.extras import require
from prunescope.audit_jobs.publishing_config import Otlp
from prunescope.audit_jobs.sinks.metric_catalogue import AUDIT_CATALOG, Metric
from prunescope.audit_jobs.sinks.metric_samples import Sample
from prunescope.audit_jobs.spans import recorded_by

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricExporter, MetricsData
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

TRACES, METRICS = "traces", "metrics"

_SPANS_PER_REQUEST = 512
_SAMPLES_PER_REQUEST = 2_000
"""A collector takes 4 MiB by gRPC unless it is told otherwise."""

_UNITS = {"bytes": "By", "seconds": "s", "": ""}
"""UCUM's names. Counts have none: of a gauge of `1`, Prometheus makes a `_ratio`."""

_SCOPE = "prunescope"

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class _Recording:
    resource: Resource
    provider: TracerProvider
    finished: InMemorySpanExporter


class Telemetry:
    """Telemetry of one run for a collector; does nothing without one."""

    def __init__(self, config: Otlp | None, audit_catalog: str) -> None:
        self._config = config
        self._audit_catalog = audit_catalog
        self._recording = None if config is None else _record()

    def recording(self) -> AbstractContextManager[None]:
        """Keeps the spans that start in the block."""
        if self._config is None or self._recording is None or not self._config.traces:
            return nullcontext()
        return recorded_by(self._recording.provider.get_tracer(_SCOPE, version("prunescope")))

    def send(self, samples: Sequence[Sample]) -> Mapping[str, str | None]:
        """Sends the spans that have ended, and samples. Returns failures by signal, None if the
        collector took all, within the configured time, whatever the collector does."""
        if self._config is None or self._recording is None:
            return {}
        jobs: dict[str, Callable[[], bool]] = {}
        config, recording, common = (
            self._config,
            self._recording,
            {AUDIT_CATALOG: self._audit_catalog},
        )
        if config.traces:
            jobs[TRACES] = lambda: _send_spans(config, recording)
        if config.metrics:
            jobs[METRICS] = lambda: _send_samples(config, recording.resource, samples, common)
        return _within(config.timeout_seconds, jobs)


def open_telemetry(config: Otlp | None, audit_catalog: str) -> Telemetry:
    """The telemetry of a run whose audit tables are in a catalog. Raises BadConfiguration if there
    is a collector, and no SDK."""
    if config is not None:
        require("otlp")
    return Telemetry(config, audit_catalog)


def _record() -> _Recording:
    # All of them are slow to import, and an extra.
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: PLC0415
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import (  # noqa: PLC0415
        InMemorySpanExporter,
    )

    resource = Resource.create({SERVICE_NAME: "prunescope", SERVICE_VERSION: version("prunescope")})
    # At exit there is nothing left to send, and nothing to wait for.
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    finished = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(finished))
    return _Recording(resource, provider, finished)


def _within(seconds: float, jobs: Mapping[str, Callable[[], bool]]) -> dict[str, str | None]:
    """Runs jobs at once, in threads that may be left behind."""
    results: dict[str, str | None] = {}

    def run(name: str, job: Callable[[], bool]) -> None:
        try:
            results[name] = None if job() else "the collector did not take them"
        except Exception as error:  # noqa: BLE001  # exporters and their clients raise many kinds
            results[name] = f"they could not be sent ({type(error).__name__})"

    threads = [
        threading.Thread(target=run, args=item, daemon=True, name=f"otlp-{item[0]}")
        for item in jobs.items()
    ]
    end = time.monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    late = f"the collector did not answer within {seconds:g} s"
    return {name: results.get(name, late) for name in jobs}


def _send_spans(config: Otlp, recording: _Recording) -> bool:
    from opentelemetry.sdk.trace.export import SpanExportResult  # noqa: PLC0415

    exporter = _span_exporter(config)
    batches = _batches(recording.finished.get_finished_spans(), _SPANS_PER_REQUEST)
    # The exporter's own result counts: a processor's flush is true of failed exports as well.
    return all(exporter.export(batch) is SpanExportResult.SUCCESS for batch in batches)


def _send_samples(
    config: Otlp, resource: Resource, samples: Sequence[Sample], common: Mapping[str, str]
) -> bool:
    from opentelemetry.sdk.metrics.export import MetricExportResult  # noqa: PLC0415

    exporter = _metric_exporter(config)
    now = time.time_ns()
    batches = (
        _data(resource, batch, common, now) for batch in _batches(samples, _SAMPLES_PER_REQUEST)
    )
    return all(exporter.export(batch) is MetricExportResult.SUCCESS for batch in batches)


def _span_exporter(config: Otlp) -> SpanExporter:
    if config.protocol == "http":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )

        return OTLPSpanExporter(config.url_of(TRACES), timeout=config.timeout_seconds)
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter as ByGrpc,
    )

    return ByGrpc(config.endpoint, timeout=config.timeout_seconds)


def _metric_exporter(config: Otlp) -> MetricExporter:
    if config.protocol == "http":
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import (  # noqa: PLC0415
            OTLPMetricExporter,
        )

        return OTLPMetricExporter(config.url_of(METRICS), timeout=config.timeout_seconds)
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import (  # noqa: PLC0415
        OTLPMetricExporter as ByGrpc,
    )

    return ByGrpc(config.endpoint, timeout=config.timeout_seconds)


def _data(
    resource: Resource, samples: Sequence[Sample], common: Mapping[str, str], now: int
) -> MetricsData:
    from opentelemetry.sdk.metrics import export  # noqa: PLC0415
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope  # noqa: PLC0415

    points: dict[Metric, list[Any]] = defaultdict(list)
    for metric, labels, value in samples:
        attributes = {**common, **dict(zip(metric.labels, labels, strict=True))}
        points[metric].append(export.NumberDataPoint(attributes, now, now, value))
    metrics = [
        export.Metric(metric.name, metric.help, _UNITS[metric.unit], export.Gauge(found))
        for metric, found in points.items()
    ]
    scope = InstrumentationScope(_SCOPE, version("prunescope"))
    return export.MetricsData(
        [export.ResourceMetrics(resource, [export.ScopeMetrics(scope, metrics, "")], "")]
    )


def _batches(items: Sequence[_Item], size: int) -> Iterator[list[_Item]]:
    pending = iter(items)
    while batch := list(islice(pending, size)):
        yield batch
