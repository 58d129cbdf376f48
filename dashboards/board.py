"""Common parts of all dashboards: names, links, and panels in rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import dashboard as models

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.dashboards.panels import PanelBuilder, datasource, labels_variable
from prunescope.dashboards.promql import Selection
from prunescope.dashboards.settings import Settings

TAG = "prunescope"
JOB = 'job=~"$job"'


@dataclass(frozen=True, slots=True)
class Row:
    """A heading and the panels below it, whose widths fill lines of 24."""

    title: str
    panels: Sequence[PanelBuilder]


@dataclass(frozen=True, slots=True)
class Board:
    """A dashboard: `uid` is its address in Grafana and the name of its file."""

    uid: str
    title: str
    description: str
    variables: Sequence[Builder[models.VariableModel]]
    rows: Sequence[Row]
    since: str = "now-30d"


def instant(settings: Settings, *matchers: str) -> Selection:
    """A query for the current samples."""
    return Selection(", ".join((JOB, *matchers)), settings.lookback)


def over_time(*matchers: str) -> Selection:
    """A query for the samples of a chart. A step of the chart has the last sample within it,
    because a gauge that a batch job sets has no rate."""
    return Selection(", ".join((JOB, *matchers)), "$__rate_interval")


def prometheus_variables() -> tuple[Builder[models.VariableModel], ...]:
    """Data source and job."""
    jobs = f"label_values({catalogue.RUN_TABLES.name}, job)"
    return datasource("prometheus"), labels_variable("job", "Job", jobs, all_values=True)


def document(board: Board) -> dict[str, Any]:
    """The JSON model of a dashboard, as Grafana imports it."""
    links = (
        builders.DashboardLink("prunescope")
        .type(models.DashboardLinkType.DASHBOARDS)
        .tags([TAG])
        .as_dropdown(True)
        .include_vars(True)
        .keep_time(True)
    )
    dashboard = (
        builders.Dashboard(board.title)
        .uid(board.uid)
        .description(board.description)
        .tags([TAG])
        .readonly()
        .time(board.since, "now")
        .timezone("utc")  # windows are days of UTC
        .refresh("5m")
        .tooltip(models.DashboardCursorSync.CROSSHAIR)
        .link(links)
        .variables(list(board.variables))
    )
    for row in board.rows:
        dashboard.with_row(builders.Row(row.title))
        for panel in row.panels:
            dashboard.with_panel(panel)
    model: dict[str, Any] = json.loads(JSONEncoder().encode(dashboard.build()))
    for number, panel in enumerate(model["panels"], start=1):
        panel["id"] = number
    return model
