"""The receiver's own metrics."""

from __future__ import annotations

from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_PREFIX = "prunescope_receiver"


@dataclass(frozen=True, slots=True)
class ReceiverMetrics:
    """Every metric of the receiver, in a registry of their own."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    requests: Counter = field(init=False)
    kept_bytes: Counter = field(init=False)
    waiting: Gauge = field(init=False)
    commits: Histogram = field(init=False)
    files: Counter = field(init=False)
    errors: Counter = field(init=False)

    def __post_init__(self) -> None:
        made = {
            "requests": Counter(
                f"{_PREFIX}_requests",
                "Requests by kind (trino, reports) and outcome",
                ("kind", "outcome"),
                registry=self.registry,
            ),
            "kept_bytes": Counter(
                f"{_PREFIX}_kept_bytes", "Bytes kept, by kind", ("kind",), registry=self.registry
            ),
            "waiting": Gauge(
                f"{_PREFIX}_waiting_bytes",
                "Bytes that wait to be written",
                registry=self.registry,
            ),
            "commits": Histogram(
                f"{_PREFIX}_commit_seconds",
                "Time in which a batch of lines became durable",
                buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
                registry=self.registry,
            ),
            "files": Counter(
                f"{_PREFIX}_files", "Files that were finished", ("kind",), registry=self.registry
            ),
            "errors": Counter(
                f"{_PREFIX}_disk_errors", "Writes that failed", registry=self.registry
            ),
        }
        for name, metric in made.items():
            object.__setattr__(self, name, metric)

    def exposition(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)
