"""Panels and variables: the display of values, apart from their queries and thresholds.

Every panel has a title, a description and a unit. Widths are columns of Grafana's grid of 24.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TypeVar

from grafana_foundation_sdk.builders import common, prometheus, stat, table, timeseries
from grafana_foundation_sdk.builders import dashboard as dashboards
from grafana_foundation_sdk.cog import variants
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import common as common_models
from grafana_foundation_sdk.models import dashboard as models
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

from prunescope.dashboards.promql import FLEET

BYTES, COUNT, SECONDS, SHARE = "bytes", "short", "s", "percentunit"
"""Grafana's ids of units."""

PROMETHEUS = models.DataSourceRef(type_val="prometheus", uid="${datasource}")
PanelBuilder = Builder[models.Panel]
Target = Builder[variants.Dataquery]

T = TypeVar("T")

_STAT_HEIGHT, _HEIGHT = 4, 8


@dataclass(frozen=True, slots=True)
class Text:
    """The title, description and unit of a panel."""

    title: str
    description: str
    unit: str = COUNT


@dataclass(frozen=True, slots=True)
class Line:
    """One query of a chart; `legend` is a template over the labels of its series."""

    expr: str
    legend: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers of a table; its query has the labels of the table's keys."""

    title: str
    unit: str
    expr: str


@dataclass(frozen=True, slots=True)
class Levels:
    """The values from which a number is yellow and red."""

    warning: float
    critical: float


def single(text: Text, width: int, expr: str, *, levels: Levels | None = None) -> PanelBuilder:
    """One number as of now."""
    target = prometheus.Dataquery().expr(expr).instant().ref_id("A").legend_format("{{job}}")
    return (
        stat.Panel()
        .title(text.title)
        .description(text.description)
        .unit(text.unit)
        .span(width)
        .height(_STAT_HEIGHT)
        .datasource(PROMETHEUS)
        .thresholds(_thresholds(levels))
        .reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
        .graph_mode(common_models.BigValueGraphMode.NONE)
        .color_mode(common_models.BigValueColorMode.VALUE)
        .no_value("unknown")
        .with_target(target.datasource(PROMETHEUS))
    )


def chart(text: Text, width: int, lines: Sequence[Line], *, stacked: bool = False) -> PanelBuilder:
    """Series of Prometheus over time."""
    targets = [
        prometheus.Dataquery()
        .expr(line.expr)
        .range()
        .ref_id(ref_id)
        .legend_format(line.legend)
        .datasource(PROMETHEUS)
        for ref_id, line in _named(lines)
    ]
    return series(text, width, PROMETHEUS, targets, stacked=stacked)


def series(
    text: Text,
    width: int,
    source: models.DataSourceRef,
    targets: Iterable[Target],
    *,
    stacked: bool = False,
) -> timeseries.Panel:
    """A chart of the series that targets return. Between two runs a value stands, so points are
    joined in steps."""
    stacking = common_models.StackingMode.NORMAL if stacked else common_models.StackingMode.NONE
    panel = (
        timeseries.Panel()
        .title(text.title)
        .description(text.description)
        .unit(text.unit)
        .min(0)
        .span(width)
        .height(_HEIGHT)
        .datasource(source)
        .line_interpolation(common_models.LineInterpolation.STEP_AFTER)
        .fill_opacity(30 if stacked else 0)
        .stacking(common.StackingConfig().mode(stacking))
        .legend(
            common.VizLegendOptions()
            .display_mode(common_models.LegendDisplayMode.LIST)
            .placement(common_models.LegendPlacement.BOTTOM)
            .show_legend(True)
        )
        .tooltip(common.VizTooltipOptions().mode(common_models.TooltipDisplayMode.MULTI))
    )
    if text.unit == SHARE:
        panel.max(1)
    for target in targets:
        panel.with_target(target)
    return panel


def grid(
    text: Text,
    width: int,
    keys: Mapping[str, str],
    columns: Sequence[Column],
    *,
    links: Mapping[str, models.DashboardLink] | None = None,
) -> PanelBuilder:
    """A table as of now: a row for each combination of labels, the first column sorts.

    `keys` are the labels that tell rows apart, with their headings; `links` leads from a key.
    """
    panel = rows(text, width, PROMETHEUS, [])
    # Grafana numbers the values only where there are several.
    values = (
        {f"Value #{ref_id}": column for ref_id, column in _named(columns)}
        if len(columns) > 1
        else {"Value": columns[0]}
    )
    order = [*keys, *values]
    titles = dict(keys) | {name: column.title for name, column in values.items()}
    panel.with_transformation(models.DataTransformerConfig("merge", options={}))
    panel.with_transformation(
        models.DataTransformerConfig(
            "organize",
            options={
                "excludeByName": dict.fromkeys(("Time", *FLEET), True),
                "indexByName": {name: index for index, name in enumerate(order)},
                "renameByName": titles,
            },
        )
    )
    panel.sort_by([common.TableSortByFieldState().display_name(columns[0].title).desc(True)])
    for ref_id, column in _named(columns):
        panel.override_by_name(column.title, [models.DynamicConfigValue("unit", column.unit)])
        panel.with_target(
            prometheus.Dataquery()
            .expr(column.expr)
            .instant()
            .format(PromQueryFormat.TABLE)
            .ref_id(ref_id)
            .datasource(PROMETHEUS)
        )
    for key, link in (links or {}).items():
        panel.override_by_name(keys[key], [models.DynamicConfigValue("links", [link])])
    return panel


def rows(
    text: Text, width: int, source: models.DataSourceRef, targets: Iterable[Target]
) -> table.Panel:
    """A table of what its targets return."""
    panel = (
        table.Panel()
        .title(text.title)
        .description(text.description)
        .unit(text.unit)
        .span(width)
        .height(_HEIGHT + 2)
        .datasource(source)
        .no_value("–")
    )
    for target in targets:
        panel.with_target(target)
    return panel


def datasource(kind: str) -> Builder[models.VariableModel]:
    """The variable `$datasource`, over the data sources of a plugin."""
    return dashboards.DatasourceVariable("datasource").label("Data source").type(kind)


def labels_variable(
    name: str, title: str, query: str, *, all_values: bool = False
) -> Builder[models.VariableModel]:
    """A variable over the values of a label in Prometheus: one of them, or, with `all_values`,
    any number, and all at first."""
    variable = (
        dashboards.QueryVariable(name)
        .label(title)
        .datasource(PROMETHEUS)
        .query(query)
        .refresh(models.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(models.VariableSort.ALPHABETICAL_ASC)
    )
    if not all_values:
        return variable
    everything = models.VariableOption(selected=True, text="All", value="$__all")
    return variable.multi(True).include_all(True).all_value(".+").current(everything)


def _named(items: Sequence[T]) -> Iterable[tuple[str, T]]:
    """With Grafana's names of queries: A, B, C, …"""
    return zip(ascii_uppercase, items, strict=False)


def _thresholds(levels: Levels | None) -> dashboards.ThresholdsConfig:
    steps = [models.Threshold(None, "text")]
    if levels is not None:
        steps = [
            models.Threshold(None, "green"),
            models.Threshold(levels.warning, "yellow"),
            models.Threshold(levels.critical, "red"),
        ]
    return dashboards.ThresholdsConfig().mode(models.ThresholdsMode.ABSOLUTE).steps(steps)
