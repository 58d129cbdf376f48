"""The receiver's own metrics, as they are exposed."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from prunescope.audit_jobs.receiver.limits import REFUSALS
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import Metric

TRINO, REPORTS = "trino", "reports"
KINDS = (TRINO, REPORTS)
"""Kinds of what is received, which are the names of the folders as well."""

REQUEST_OUTCOMES = ("kept", "ignored", *REFUSALS)

_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class ReceiverMetrics:
    """Every metric of the receiver, in a registry of their own. All labels are there from the
    start: a counter that appears with its first event has no increase to alert on."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = self._counter(catalogue.RECEIVER_REQUESTS)
        self.kept_bytes = self._counter(catalogue.RECEIVER_KEPT)
        self.files = self._counter(catalogue.RECEIVER_FILES)
        self.disk_errors = self._counter(catalogue.RECEIVER_DISK_ERRORS)
        commit = catalogue.RECEIVER_COMMIT
        self.commit_seconds = Histogram(
            commit.name, commit.help, buckets=_SECONDS, registry=self._registry
        )
        self.waiting_bytes = self._gauge(catalogue.RECEIVER_WAITING)
        self.waiting_requests = self._gauge(catalogue.RECEIVER_WAITING_REQUESTS)
        self.writable = self._gauge(catalogue.RECEIVER_WRITABLE)
        for kind in KINDS:
            self.kept_bytes.labels(kind)
            self.files.labels(kind)
            for outcome in REQUEST_OUTCOMES:
                self.requests.labels(kind, outcome)

    def exposition(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def _counter(self, metric: Metric) -> Counter:
        return Counter(metric.name, metric.help, metric.labels, registry=self._registry)

    def _gauge(self, metric: Metric) -> Gauge:
        return Gauge(metric.name, metric.help, metric.labels, registry=self._registry)
