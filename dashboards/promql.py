"""PromQL from the catalogue's metrics: selectors, sums and ratios, as text."""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.audit_jobs.sinks.metric_catalogue import AUDIT_CATALOG, TABLE_LABELS, Metric

FLEET = ("job", AUDIT_CATALOG)
"""The labels that tell one audit from another."""
TABLE = (*FLEET, *TABLE_LABELS)
"""The labels that tell one table from another."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection of the samples that an expression reads: label matchers without braces, and the
    range within which the last sample counts (None: only what Prometheus regards as current)."""

    matchers: str
    lookback: str | None = None

    def of(self, metric: Metric, *matchers: str) -> str:
        """The samples of a metric."""
        selector = self.recorded(metric.name, *matchers)
        return f"last_over_time({selector}[{self.lookback}])" if self.lookback else selector

    def recorded(self, name: str, *matchers: str) -> str:
        """The samples of a recording rule, which are never older than its last evaluation."""
        return f"{name}{{{', '.join(part for part in (self.matchers, *matchers) if part)}}}"

    def sum(self, metric: Metric, by: tuple[str, ...], *matchers: str) -> str:
        """The sum of a metric over all labels but `by`."""
        return f"sum by ({', '.join(by)}) ({self.of(metric, *matchers)})"

    def max(self, metric: Metric, by: tuple[str, ...]) -> str:
        """The highest sample over all labels but `by`."""
        return f"max by ({', '.join(by)}) ({self.of(metric)})"

    def ratio(self, part: Metric, whole: Metric, by: tuple[str, ...]) -> str:
        """A ratio of sums, absent where the whole is 0: a share of nothing is unknown."""
        total = self.sum(whole, by)
        return f"{self.sum(part, by)} / clamp_min({total}, 1) unless {total} == 0"
