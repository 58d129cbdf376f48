"""The receiver's own metrics: name, help, labels, as they are exposed."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from audit_jobs.receiver.limits import REFUSALS
from audit_jobs.sinks.metric_catalogue import Metric

TRINO, REPORTS = "trino", "reports"
KINDS = (TRINO, REPORTS)
"""What is received; also the names of the folders."""

OUTCOMES = ("kept", "ignored", *REFUSALS)

REQUESTS = Metric(
    "prunescope_receiver_requests_total",
    "Requests by what they brought and what became of it",
    ("kind", "outcome"),
)
KEPT_BYTES = Metric("prunescope_receiver_kept_bytes_total", "Bytes that were kept", ("kind",))
FILES = Metric("prunescope_receiver_files_total", "Files that were finished", ("kind",))
DISK_ERRORS = Metric("prunescope_receiver_disk_errors_total", "Failures to write or to finish")
COMMIT_SECONDS = Metric(
    "prunescope_receiver_commit_seconds", "Time in which a batch of lines became durable"
)
WAITING_BYTES = Metric(
    "prunescope_receiver_waiting_bytes", "Bytes of bodies that are not answered yet"
)
WAITING_REQUESTS = Metric(
    "prunescope_receiver_waiting_requests", "Requests with a body that are not answered yet"
)
WRITABLE = Metric("prunescope_receiver_writable", "1 if the last write succeeded, else 0")

_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class ReceiverMetrics:
    """Every metric of the receiver, in a registry of their own. All labels are there from the
    start: a counter that appears with its first event has no increase to alert on."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = self._counter(REQUESTS)
        self.kept_bytes = self._counter(KEPT_BYTES)
        self.files = self._counter(FILES)
        self.disk_errors = self._counter(DISK_ERRORS)
        self.commit_seconds = Histogram(
            COMMIT_SECONDS.name, COMMIT_SECONDS.help, buckets=_SECONDS, registry=self._registry
        )
        self.waiting_bytes = self._gauge(WAITING_BYTES)
        self.waiting_requests = self._gauge(WAITING_REQUESTS)
        self.writable = self._gauge(WRITABLE)
        for kind in KINDS:
            self.kept_bytes.labels(kind)
            self.files.labels(kind)
            for outcome in OUTCOMES:
                self.requests.labels(kind, outcome)

    def exposition(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def _counter(self, metric: Metric) -> Counter:
        return Counter(metric.name, metric.help, metric.labels, registry=self._registry)

    def _gauge(self, metric: Metric) -> Gauge:
        return Gauge(metric.name, metric.help, metric.labels, registry=self._registry)
