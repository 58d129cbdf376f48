"""The metrics of dry runs, as they are exposed."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from prunescope.audit_jobs.guard.held import HeldTables
from prunescope.audit_jobs.receiver.limits import REFUSALS
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue

OUTCOMES = ("answered", "bad_request", "not_planned", "loading", *REFUSALS)
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 1.0, 3.0)


class GuardMetrics:
    """Every metric of the server, in a registry of their own. All labels are there from the
    start: a counter that appears with its first event has no increase to alert on."""

    def __init__(self, held: HeldTables) -> None:
        self._registry = CollectorRegistry()
        of_requests, of_seconds = catalogue.GUARD_REQUESTS, catalogue.GUARD_SECONDS
        self.requests = Counter(
            of_requests.name, of_requests.help, of_requests.labels, registry=self._registry
        )
        self.seconds = Histogram(
            of_seconds.name, of_seconds.help, buckets=_SECONDS, registry=self._registry
        )
        for outcome in OUTCOMES:
            self.requests.labels(outcome)
        self._registry.register(_OfTables(held))

    def exposition(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class _OfTables(Collector):
    def __init__(self, held: HeldTables) -> None:
        self._held = held

    def collect(self) -> list[GaugeMetricFamily | CounterMetricFamily]:
        """The state of the held tables."""
        tables, age, failed = catalogue.GUARD_TABLES, catalogue.GUARD_AGE, catalogue.GUARD_FAILURES
        return [
            GaugeMetricFamily(tables.name, tables.help, len(self._held)),
            GaugeMetricFamily(age.name, age.help, self._held.oldest()),
            CounterMetricFamily(failed.name, failed.help, self._held.failures),
        ]
