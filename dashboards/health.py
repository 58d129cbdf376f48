"""The audit's own health: does it run, does it understand the workload, what does it cost."""

from __future__ import annotations

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import Metric
from prunescope.audit_jobs.status import Status
from prunescope.dashboards import recording
from prunescope.dashboards.board import Board, Row, instant, over_time, prometheus_variables
from prunescope.dashboards.panels import (
    BYTES,
    COUNT,
    SECONDS,
    SHARE,
    Column,
    Levels,
    Line,
    PanelBuilder,
    Text,
    chart,
    grid,
    single,
)
from prunescope.dashboards.promql import FLEET, TABLE, Selection
from prunescope.dashboards.settings import Settings, seconds

UID = "prunescope-audit"


def health(settings: Settings) -> Board:
    """The dashboard."""
    now, over = instant(settings), over_time()
    return Board(
        UID,
        "Pruning / Audit",
        "Audit status, share of the workload that is understood, and cost of runs.",
        prometheus_variables(),
        (
            Row("Last run", _last_run(now, settings)),
            Row("Inputs", _inputs(over)),
            Row("Runs", _runs(over)),
            Row("Limits", (*_limits(over), _estimated(now))),
            Row("Installations", (_installations(now),)),
        ),
    )


def _last_run(now: Selection, settings: Settings) -> tuple[PanelBuilder, ...]:
    age = seconds(settings.thresholds.success_age)
    return (
        _age(now, "Published", "Time since a run published", catalogue.LAST_SUCCESS, age),
        _age(now, "Ended", "Time since a run ended", catalogue.LAST_COMPLETION, age),
        _age(
            now,
            "End of window",
            "Time since the end of the audited window",
            catalogue.RUN_WINDOW_END,
            age + seconds("1d"),
        ),
        single(
            Text("Failed", "1 if the last run failed and published nothing", COUNT),
            4,
            now.sum(catalogue.RUN_STATUS, FLEET, f'status="{Status.FAILED}"'),
            levels=Levels(1, 1),
        ),
        single(
            Text("Tables failed", "Tables that the last run could not read", COUNT),
            4,
            now.sum(catalogue.RUN_TABLES_FAILED, FLEET),
            levels=Levels(1, 10),
        ),
        single(
            Text("Unparseable", "Share of log entries whose SQL cannot be parsed.", SHARE),
            4,
            now.recorded(recording.UNPARSEABLE),
        ),
        *(
            single(Text(title, description, COUNT), 6, now.sum(metric, FLEET), levels=levels)
            for title, description, metric, levels in (
                (
                    "Tables withheld",
                    "Tables that the last run did not publish: their rows contradict each other.",
                    catalogue.RUN_TABLES_SET_ASIDE,
                    Levels(1, 10),
                ),
                (
                    "Causes not evaluated",
                    "Finding causes that the last run could not evaluate, over all tables.",
                    catalogue.RUN_CAUSES_FAILED,
                    Levels(1, 10),
                ),
                (
                    "Tables unmeasured",
                    "Tables that the last run read, but whose layout or rows it could not measure",
                    catalogue.RUN_TABLES_UNMEASURED,
                    None,
                ),
                (
                    "Footers unread",
                    "Parquet footers that the last run could not read",
                    catalogue.RUN_FOOTERS_UNREAD,
                    None,
                ),
            )
        ),
    )


def _age(
    now: Selection, title: str, description: str, metric: Metric, limit: float
) -> PanelBuilder:
    return single(
        Text(title, description, SECONDS),
        4,
        f"time() - {now.max(metric, FLEET)}",
        levels=Levels(limit, 2 * limit),
    )


def _inputs(over: Selection) -> tuple[PanelBuilder, ...]:
    usual = recording.baseline_name(recording.UNPARSEABLE)
    return (
        chart(
            Text("Log entries by outcome", "Outcome of each query or line of the logs.", COUNT),
            12,
            [Line(over.sum(catalogue.RUN_QUERIES, ("outcome",)), "{{outcome}}")],
            stacked=True,
        ),
        chart(
            Text(
                "Unparseable",
                "Share of log entries whose SQL cannot be parsed, and the median of earlier weeks.",
                SHARE,
            ),
            12,
            [
                Line(over.recorded(recording.UNPARSEABLE), "{{job}}"),
                Line(over.recorded(usual), "{{job}}: usual"),
            ],
        ),
    )


def _runs(over: Selection) -> tuple[PanelBuilder, ...]:
    return (
        chart(
            Text("Duration", "From the start of a run to the end of its replay", SECONDS),
            8,
            [Line(over.sum(catalogue.RUN_DURATION, FLEET), "{{job}}")],
        ),
        chart(
            Text(
                "Bytes read",
                "Metadata, footers, dictionaries, bloom filters and page indexes that a run read",
                BYTES,
            ),
            8,
            [Line(over.sum(catalogue.RUN_READ, FLEET), "{{job}}")],
        ),
        chart(
            Text(
                "Footers",
                "Parquet footers that a run read, could not read, and left out for max_footers",
                COUNT,
            ),
            8,
            [
                Line(over.sum(catalogue.RUN_FOOTERS_READ, FLEET), "{{job}}: read"),
                Line(over.sum(catalogue.RUN_FOOTERS_UNREAD, FLEET), "{{job}}: unread"),
                Line(over.sum(catalogue.RUN_FOOTERS_SKIPPED, FLEET), "{{job}}: left out"),
            ],
        ),
    )


def _limits(over: Selection) -> tuple[PanelBuilder, ...]:
    tables = [
        Line(over.sum(metric, FLEET), f"{{{{job}}}}: {what}")
        for metric, what in (
            (catalogue.RUN_TABLES, "read by queries"),
            (catalogue.RUN_TABLES_MEASURED, "layout measured"),
            (catalogue.RUN_TABLES_FAILED, "failed"),
            (catalogue.RUN_TABLES_SET_ASIDE, "set aside"),
            (catalogue.RUN_TABLES_UNMEASURED, "not measured"),
            (catalogue.RUN_TABLES_FOLDED, "folded into other"),
        )
    ]
    findings = [
        Line(over.sum(catalogue.RUN_FINDINGS, ("severity",)), "{{severity}}"),
        Line(f"sum({over.of(catalogue.RUN_FINDINGS_SUPPRESSED)})", "suppressed"),
    ]
    folded = over.sum(catalogue.RUN_LABELS_FOLDED, ("label",))
    return (
        chart(Text("Tables", "Tables of the run by outcome.", COUNT), 8, tables),
        chart(
            Text("Findings", "Findings of the run by severity, and those suppressed", COUNT),
            8,
            findings,
        ),
        chart(
            Text(
                'Labels folded into "other"',
                "Label values beyond the limit. The audit tables have them all.",
                COUNT,
            ),
            8,
            [Line(folded, "{{label}}")],
        ),
    )


def _estimated(now: Selection) -> PanelBuilder:
    estimated = now.sum(catalogue.SCANS_ROW_GROUPS_ESTIMATED, TABLE)
    scans = now.sum(catalogue.SCANS, TABLE)
    return grid(
        Text(
            "Row groups estimated",
            "Scans by table, and scans for which max_footers left out footers: what their row "
            "groups rule out is estimated",
            COUNT,
        ),
        24,
        {"catalog": "Catalog", "namespace": "Namespace", "table": "Table"},
        (
            Column("Scans estimated", COUNT, estimated),
            Column("Scans", COUNT, scans),
        ),
    )


def _installations(now: Selection) -> PanelBuilder:
    return grid(
        Text("Versions", "Versions of prunescope by job", COUNT),
        24,
        {"version": "Version"},
        (Column("Audits", COUNT, now.sum(catalogue.BUILD_INFO, ("version",))),),
    )
