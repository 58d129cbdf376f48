"""The fleet overview: where the bytes are, where pruning is lost, and how fresh that is."""

from __future__ import annotations

from grafana_foundation_sdk.models import dashboard as models

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
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
from prunescope.dashboards.table import UID as TABLE_UID

UID = "prunescope-fleet"
_LISTED = 25
_TABLE = ", ".join(TABLE)
_KEYS = {"catalog": "Catalog", "namespace": "Namespace", "table": "Table"}


def fleet(settings: Settings) -> Board:
    """The dashboard."""
    now = instant(settings)
    return Board(
        UID,
        "Pruning / Fleet",
        "What all audited tables read, where pruning is lost, and the tables that cost most.",
        prometheus_variables(),
        (
            Row("Last run", _last_run(now, settings)),
            Row("Funnel", _funnel(over_time())),
            Row("Findings", _findings(over_time())),
            Row("Tables", (_worst(now), _regressed(now))),
            Row("Freshness", _freshness(over_time())),
        ),
    )


def _last_run(now: Selection, settings: Settings) -> tuple[PanelBuilder, ...]:
    kept, allowed = recording.BYTES.kept, recording.BYTES.allowed
    assert allowed is not None
    age = seconds(settings.thresholds.success_age)
    return (
        single(
            Text(
                "Files read",
                "Share of the snapshots' data files that scans read. Lower is better.",
                SHARE,
            ),
            4,
            now.recorded(recording.read_ratio_name("fleet")),
        ),
        single(
            Text("Bytes read", "Bytes of the data files that the run's scans keep", BYTES),
            4,
            now.sum(kept, FLEET),
        ),
        single(
            Text(
                "Avoidable without a rewrite",
                "Bytes read that current statistics could skip. Fix queries or engines, not the "
                "layout.",
                BYTES,
            ),
            4,
            f"sum by ({', '.join(FLEET)}) ({now.of(kept)} - {now.of(allowed)})",
        ),
        single(
            Text("Findings", "Findings that are not suppressed", COUNT),
            4,
            now.sum(catalogue.RUN_FINDINGS, FLEET),
        ),
        single(
            Text("Tables", "Tables that the queries of the last run read", COUNT),
            4,
            now.sum(catalogue.RUN_TABLES, FLEET),
        ),
        single(
            Text("Age", "Time since a run published its results", SECONDS),
            4,
            f"time() - {now.max(catalogue.LAST_SUCCESS, FLEET)}",
            levels=Levels(age, 2 * age),
        ),
    )


def _funnel(over: Selection) -> tuple[PanelBuilder, ...]:
    passes = [
        Line(
            over.recorded(recording.ratio_name("fleet", family.kept)),
            family.funnel.replace("_", " "),
        )
        for family in recording.PASS_METRICS
    ]
    stages = [
        Line(over.sum(metric, FLEET), stage)
        for stage, metric in recording.stages(recording.DATA_FILES).items()
    ]
    return (
        chart(
            Text(
                "Kept by each pass",
                "Share of what reaches the pass that it keeps. Lower is better.",
                SHARE,
            ),
            12,
            passes,
        ),
        chart(
            Text(
                "Data files by stage",
                "Bytes in the snapshots, considered, kept, and kept in the best case with current "
                "statistics. Summed over scans.",
            ),
            12,
            stages,
        ),
    )


def _findings(over: Selection) -> tuple[PanelBuilder, ...]:
    by_severity = Line(over.sum(catalogue.FINDINGS, ("severity",)), "{{severity}}")
    by_cause = Line(over.sum(catalogue.FINDINGS, ("finding",)), "{{finding}}")
    return (
        chart(
            Text("By severity", "Findings that are not suppressed", COUNT),
            12,
            [by_severity],
            stacked=True,
        ),
        chart(
            Text("By cause", "Findings that are not suppressed", COUNT),
            12,
            [by_cause],
            stacked=True,
        ),
    )


def _worst(now: Selection) -> PanelBuilder:
    stake = now.sum(catalogue.FINDING_STAKE, TABLE)
    worst = f"topk({_LISTED}, {stake})"
    read = _unnamed(now.recorded(recording.sum_name(recording.BYTES.kept)))
    share = _unnamed(now.recorded(recording.read_ratio_name("table")))
    findings = now.sum(catalogue.FINDINGS, TABLE)
    return grid(
        Text(
            "Avoidable bytes by table",
            "Bytes that scans could skip if you fixed all findings of a table.",
            BYTES,
        ),
        24,
        _KEYS,
        (
            Column("At stake", BYTES, worst),
            Column("Read", BYTES, f"{read} and on ({_TABLE}) {worst}"),
            Column("Files read", SHARE, f"{share} and on ({_TABLE}) {worst}"),
            Column("Findings", COUNT, f"{findings} and on ({_TABLE}) {worst}"),
        ),
        links={"table": _drill_down()},
    )


def _unnamed(series: str) -> str:
    """Series of tables without their name, which Grafana takes for one more key of the rows."""
    return f"sum by ({_TABLE}) ({series})"


def _regressed(now: Selection) -> PanelBuilder:
    columns = []
    for family in recording.PASS_METRICS:
        name = recording.ratio_name("table", family.kept)
        usual = now.recorded(recording.baseline_name(name))
        columns.append(
            Column(
                family.funnel.replace("_", " ").capitalize(),
                SHARE,
                f"topk({_LISTED}, {now.recorded(name)} - {usual})",
            )
        )
    return grid(
        Text(
            "Regression by table",
            "Share kept minus the table's median of recent weeks, in percentage points. Negative "
            "is better.",
            SHARE,
        ),
        24,
        _KEYS,
        columns,
        links={"table": _drill_down()},
    )


def _freshness(over: Selection) -> tuple[PanelBuilder, ...]:
    ages = [
        Line(f"time() - {over.max(metric, FLEET)}", f"{{{{job}}}}: {what}")
        for metric, what in (
            (catalogue.LAST_SUCCESS, "published"),
            (catalogue.LAST_COMPLETION, "ended"),
            (catalogue.RUN_WINDOW_END, "end of window"),
        )
    ]
    status = Line(over.sum(catalogue.RUN_STATUS, ("status",)), "{{status}}")
    return (
        chart(
            Text(
                "Freshness",
                "Time since the last publish, the last end of a run, and the end of its window.",
                SECONDS,
            ),
            12,
            ages,
        ),
        chart(
            Text(
                "Audits by status of the last run",
                "Number of audits whose last run ended with each status.",
                COUNT,
            ),
            12,
            [status],
            stacked=True,
        ),
    )


def _drill_down() -> models.DashboardLink:
    variables = "&".join(f"var-{key}=${{__data.fields.{title}}}" for key, title in _KEYS.items())
    return models.DashboardLink(
        title="Drill down",
        url=f"/d/{TABLE_UID}?${{datasource:queryparam}}&${{job:queryparam}}&{variables}",
    )
