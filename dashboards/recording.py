"""Recording rules: ratios of sums per pass and table, of the fleet, and their usual values.

Names are `level:metric:operation`. `table:` series have the labels `promql.TABLE`, `fleet:` series
those of `promql.FLEET`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import FunnelMetrics, Metric
from prunescope.collectors.outcomes import Outcome
from prunescope.dashboards.promql import FLEET, TABLE, Selection
from prunescope.dashboards.settings import Settings

_LEVELS = {"table": TABLE, "fleet": FLEET}
BY_NAME = {funnel.funnel: funnel for funnel in catalogue.FUNNEL_METRICS}
"""The funnels."""
DATA_FILES, BYTES = BY_NAME["data_files"], BY_NAME["bytes"]
PASS_METRICS = (BY_NAME["manifests"], DATA_FILES, BY_NAME["row_groups"])
"""The funnels that are passes; the others weigh the containers of a pass."""
UNPARSEABLE = "fleet:prunescope_run_queries_unparseable:ratio"


@dataclass(frozen=True, slots=True)
class RecordingRule:
    """A series that Prometheus computes at every evaluation."""

    name: str
    expr: str


def stages(funnel: FunnelMetrics) -> dict[str, Metric]:
    """The metrics that a funnel has, by stage."""
    found = {
        "in snapshots": funnel.in_snapshot,
        "considered": funnel.considered,
        "kept": funnel.kept,
        "allowed": funnel.allowed,
    }
    return {stage: metric for stage, metric in found.items() if metric is not None}


def ratio_name(level: str, metric: Metric) -> str:
    """The share of the containers that reach a pass which it keeps."""
    return f"{level}:{metric.name}:ratio"


def read_ratio_name(level: str) -> str:
    """The share of the snapshots' data files that scans read. Counts files, because a planner that
    prunes a manifest never learns the bytes below it, but the manifest list counts its files."""
    return f"{level}:prunescope_data_files_read:ratio"


def per_scan_name(metric: Metric) -> str:
    """The amount that reaches a pass, per scan."""
    return f"table:{metric.name}:per_scan"


def sum_name(metric: Metric) -> str:
    """A metric of tables without the labels that only tell how it was scraped."""
    return f"table:{metric.name}:sum"


def baseline_name(recorded: str) -> str:
    """The usual value of a recorded ratio."""
    return f"{recorded}_baseline"


def recording_rules(settings: Settings) -> tuple[RecordingRule, ...]:
    """All recording rules. A rule reads only metrics and rules before it."""
    source = Selection(settings.selector, settings.lookback)
    return (
        *(rule for family in PASS_METRICS for rule in _pass_rules(family, source, settings)),
        *_read_rules(source),
        RecordingRule(sum_name(BYTES.kept), source.sum(BYTES.kept, TABLE)),
        *_unparseable_rules(source, settings),
    )


def _pass_rules(
    family: FunnelMetrics, source: Selection, settings: Settings
) -> Iterator[RecordingRule]:
    for level, labels in _LEVELS.items():
        expr = source.ratio(family.kept, family.considered, labels)
        yield RecordingRule(ratio_name(level, family.kept), expr)
    yield _baseline(ratio_name("table", family.kept), source, settings)
    scans = source.sum(catalogue.SCANS, TABLE)
    yield RecordingRule(
        per_scan_name(family.considered),
        f"{source.sum(family.considered, TABLE)} / clamp_min({scans}, 1)",
    )


def _read_rules(source: Selection) -> Iterator[RecordingRule]:
    assert DATA_FILES.in_snapshot is not None
    total = source.of(DATA_FILES.in_snapshot)
    for level, labels in _LEVELS.items():
        by = ", ".join(labels)
        # Tables of which the total is unknown are in neither sum.
        read = f"sum by ({by}) ({source.of(DATA_FILES.kept)} and {total})"
        whole = f"sum by ({by}) ({total})"
        yield RecordingRule(
            read_ratio_name(level), f"{read} / clamp_min({whole}, 1) unless {whole} == 0"
        )


def _unparseable_rules(source: Selection, settings: Settings) -> Iterator[RecordingRule]:
    inputs = source.sum(catalogue.RUN_QUERIES, FLEET)
    unparseable = source.sum(catalogue.RUN_QUERIES, FLEET, f'outcome="{Outcome.UNPARSEABLE}"')
    # A run without unparseable queries has no sample of them, and that is a share of 0.
    known = f"({unparseable} or 0 * {inputs})"
    yield RecordingRule(UNPARSEABLE, f"{known} / clamp_min({inputs}, 1)")
    yield _baseline(UNPARSEABLE, source, settings)


def _baseline(name: str, source: Selection, settings: Settings) -> RecordingRule:
    """The median of earlier weeks; if there are none, the present value, which is thus no rise. A
    median, because one bad week must not hide the next."""
    recorded = source.recorded(name)
    # A subquery: some samples of each run are as good as all, and cost a hundredth.
    steps = f"{settings.baseline_window}:{settings.baseline_step}"
    window = f"{recorded}[{steps}] offset {settings.baseline_offset}"
    return RecordingRule(baseline_name(name), f"quantile_over_time(0.5, {window}) or {recorded}")
