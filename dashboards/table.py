"""One table: the share that each pass keeps, its findings, and its layout."""

from __future__ import annotations

from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import dashboard as models

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import Metric
from prunescope.dashboards import recording
from prunescope.dashboards.board import Board, Row, instant, over_time, prometheus_variables
from prunescope.dashboards.panels import (
    BYTES,
    COUNT,
    SHARE,
    Column,
    Line,
    PanelBuilder,
    Text,
    chart,
    grid,
    labels_variable,
    single,
)
from prunescope.dashboards.promql import FLEET, Selection
from prunescope.dashboards.settings import Settings

UID = "prunescope-table"
_VARIABLES = ("catalog", "namespace", "table")
_MATCHERS = tuple(f'{name}="${name}"' for name in _VARIABLES)


def table(settings: Settings) -> Board:
    """The dashboard."""
    now, over = instant(settings, *_MATCHERS), over_time(*_MATCHERS)
    return Board(
        UID,
        "Pruning / Table",
        "One table: bytes read, share kept by each pass, findings, and layout.",
        (*prometheus_variables(), *_variables()),
        (
            Row("Last run", _last_run(now)),
            Row("Passes", (*_passes(over), *_funnel(now, over))),
            Row("Findings", (_findings(now), _agreement(over))),
            Row("Layout", (*_layout(now), *_layout_over_time(over))),
        ),
    )


def _variables() -> tuple[Builder[models.VariableModel], ...]:
    found = []
    for index, name in enumerate(_VARIABLES):
        matchers = ", ".join(('job=~"$job"', *_MATCHERS[:index]))
        query = f"label_values({catalogue.SCANS.name}{{{matchers}}}, {name})"
        found.append(labels_variable(name, name.capitalize(), query))
    return tuple(found)


def _last_run(now: Selection) -> tuple[PanelBuilder, ...]:
    return (
        single(
            Text(
                "Files read",
                "Share of the snapshots' data files that scans read. Lower is better.",
                SHARE,
            ),
            4,
            now.recorded(recording.read_ratio_name("table")),
        ),
        single(
            Text("Bytes read", "Bytes of the data files that the run's scans keep", BYTES),
            4,
            now.recorded(recording.sum_name(recording.BYTES.kept)),
        ),
        single(
            Text("Could skip", "Bytes that scans would skip if you fixed all findings.", BYTES),
            4,
            now.sum(catalogue.FINDING_STAKE, FLEET),
        ),
        single(
            Text("Findings", "Findings that are not suppressed", COUNT),
            4,
            now.sum(catalogue.FINDINGS, FLEET),
        ),
        single(
            Text("Scans", "Scans that were replayed", COUNT),
            4,
            now.sum(catalogue.SCANS, FLEET),
        ),
        single(
            Text(
                "Scans without row groups",
                "Scans whose row groups are unknown, so that the pass leaves them out",
                COUNT,
            ),
            4,
            now.sum(catalogue.SCANS_ROW_GROUPS_UNKNOWN, FLEET),
        ),
    )


def _passes(over: Selection) -> tuple[PanelBuilder, ...]:
    return tuple(_pass(over, family) for family in recording.PASS_METRICS)


def _pass(over: Selection, family: catalogue.FunnelMetrics) -> PanelBuilder:
    name = recording.ratio_name("table", family.kept)
    containers = family.funnel.replace("_", " ")
    return chart(
        Text(
            f"{containers.capitalize()} kept",
            f"Share of the {containers} considered that the pass keeps, and the median of earlier "
            f"weeks. Lower is better.",
            SHARE,
        ),
        8,
        [
            Line(over.recorded(name), "kept"),
            Line(over.recorded(recording.baseline_name(name)), "usual"),
        ],
    )


def _funnel(now: Selection, over: Selection) -> tuple[PanelBuilder, ...]:
    counted = [family for family in catalogue.FUNNEL_METRICS if family is not recording.BYTES]
    by_stage: dict[str, list[str]] = {}
    for family in counted:
        for stage, metric in recording.stages(family).items():
            what = family.funnel.replace("_", " ")
            total = now.sum(metric, FLEET)
            by_stage.setdefault(stage, []).append(
                f'label_replace({total}, "what", "{what}", "", "")'
            )
    columns = [
        Column(stage.capitalize(), COUNT, " or ".join(found)) for stage, found in by_stage.items()
    ]
    bytes_by_stage = [
        Line(over.sum(metric, FLEET), stage)
        for stage, metric in recording.stages(recording.BYTES).items()
        if metric is not recording.BYTES.in_snapshot  # mostly unknown: see read_ratio_name
    ]
    return (
        grid(
            Text(
                "Funnel",
                "Containers and records by stage, summed over the run's scans; empty is unknown",
                COUNT,
            ),
            8,
            {"what": "What"},
            columns,
        ),
        chart(
            Text(
                "Bytes of data files by stage",
                "Bytes considered, kept, and kept in the best case with current statistics. Summed "
                "over scans.",
                BYTES,
            ),
            8,
            bytes_by_stage,
        ),
        chart(
            Text(
                "False keeps",
                "Share of the bytes read that are in files without a matching row, from sampled "
                "rows, and its 95 % interval. Lower is better.",
                SHARE,
            ),
            8,
            [
                Line(over.ratio(metric, catalogue.FALSE_KEEPS_OF, FLEET), legend)
                for metric, legend in (
                    (catalogue.FALSE_KEPT, "estimate"),
                    (catalogue.FALSE_KEPT_LOW, "at least"),
                    (catalogue.FALSE_KEPT_HIGH, "at most"),
                )
            ],
        ),
    )


def _findings(now: Selection) -> PanelBuilder:
    keys = ("finding", "severity")
    counts = now.sum(catalogue.FINDINGS, keys)
    stake = now.sum(catalogue.FINDING_STAKE, ("finding",))
    return grid(
        Text(
            "Findings",
            "Causes found on this table. The audit table `findings` has the queries, the evidence "
            "and the statements that fix them",
            BYTES,
        ),
        12,
        {"finding": "Cause", "severity": "Severity"},
        (
            Column("Could skip", BYTES, f"0 * {counts} + on (finding) group_left {stake}"),
            Column("Findings", COUNT, counts),
        ),
    )


def _agreement(over: Selection) -> PanelBuilder:
    agreement = over.sum(catalogue.SCANS_BY_AGREEMENT, ("agreement",))
    return chart(
        Text(
            "Replay against engine counters",
            "Scans for which the engine reported counters, by how they compare. "
            "`over_prune` is critical: results may miss rows.",
            COUNT,
        ),
        12,
        [Line(agreement, "{{agreement}}")],
        stacked=True,
    )


def _layout(now: Selection) -> tuple[PanelBuilder, ...]:
    def share(title: str, description: str, part: Metric) -> PanelBuilder:
        whole = now.sum(catalogue.TABLE_DATA_FILES, FLEET)
        return single(
            Text(title, description, SHARE), 4, f"{now.sum(part, FLEET)} / clamp_min({whole}, 1)"
        )

    return (
        single(
            Text("Size", "Bytes of the data files of the current snapshot", BYTES),
            4,
            now.sum(catalogue.TABLE_SIZE, FLEET),
        ),
        single(
            Text("Data files", "Data files of the current snapshot", COUNT),
            4,
            now.sum(catalogue.TABLE_DATA_FILES, FLEET),
        ),
        single(
            Text("Manifests", "Data manifests of the current snapshot", COUNT),
            4,
            now.sum(catalogue.TABLE_MANIFESTS, FLEET),
        ),
        single(
            Text(
                "Manifests per partition",
                "Mean number of manifests whose summary covers a partition. 1 is best.",
                COUNT,
            ),
            4,
            now.max(catalogue.TABLE_MANIFEST_DEPTH, FLEET),
        ),
        share(
            "Small files",
            "Share of data files below a quarter of the target file size",
            catalogue.TABLE_SMALL_FILES,
        ),
        share(
            "Files under an old spec",
            "Share of data files under another partition spec than new files",
            catalogue.TABLE_OLD_SPEC_FILES,
        ),
    )


def _layout_over_time(over: Selection) -> tuple[PanelBuilder, ...]:
    depths = [
        Line(over.max(catalogue.TABLE_WORST_COLUMN_DEPTH, FLEET), "worst column"),
        Line(over.max(catalogue.TABLE_MANIFEST_DEPTH, FLEET), "manifests"),
    ]
    return (
        chart(
            Text(
                "Clustering depth",
                "Files per value (worst filtered column) and manifests per partition. 1 is best.",
                COUNT,
            ),
            12,
            depths,
        ),
        chart(
            Text("Delete files", "Delete files of the current snapshot, by kind", COUNT),
            12,
            [Line(over.sum(catalogue.TABLE_DELETE_FILES, ("kind",)), "{{kind}}")],
            stacked=True,
        ),
    )
