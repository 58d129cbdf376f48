"""The reference of metrics, docs/metrics.md, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import Metric
from prunescope.audit_jobs.sinks.metric_samples import MAX_VALUES

_HEAD = f"""# Metrics

<!-- Written by `make generated`: change the catalogue, not this file. -->

All metrics but those of `prunescope collect` are gauges that describe the published run of the
newest window: the one that ends last, and of several the one that was audited last. They have the
same names in the `.prom` file, the Pushgateway, OTLP and `prunescope export`:
[telemetry.md](telemetry.md). All of these have the label `{catalogue.AUDIT_CATALOG}` as well, the
catalog of the audit tables. Counts for tables are sums over the replayed scans, so ratios are
ratios of sums: `sum(kept) / sum(considered)`. An unknown count has no sample.

At most `metrics.max_tables` tables have labels of their own: those for which scans considered most
bytes. The others are folded into `{catalogue.OTHER}`, and `{catalogue.RUN_TABLES_FOLDED.name}`
says how many they are. The labels `agreement`, `finding` and `outcome` have at most {MAX_VALUES}
values each; `{catalogue.RUN_LABELS_FOLDED.name}` says how many others are folded.
"""

_SECTIONS: tuple[tuple[str, tuple[Metric, ...]], ...] = (
    ("Scans, by table", catalogue.SCAN_METRICS),
    ("Findings, by table", catalogue.FINDING_METRICS),
    ("Layout of tables", catalogue.HEALTH_METRICS),
    ("The run", catalogue.RUN_METRICS),
    ("The audit tables", (catalogue.LAST_MAINTENANCE,)),
    ("Only from `prunescope audit`", (catalogue.RUN_TELEMETRY_FAILED,)),
    ("Only from `prunescope export`", catalogue.EXPORT_METRICS),
    ("From `prunescope collect`", catalogue.RECEIVER_METRICS),
    ("From `prunescope serve`", catalogue.GUARD_METRICS),
)


def document() -> str:
    """The file's text."""
    return "\n".join([_HEAD, *(part for title, ms in _SECTIONS for part in _section(title, ms))])


def _section(title: str, metrics: Iterable[Metric]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| metric | type | labels | unit | meaning |\n|---|---|---|---|---|"
    for metric in metrics:
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        yield f"| `{metric.name}` | {metric.type} | {labels} | {metric.unit} | {metric.help} |"
    yield ""
