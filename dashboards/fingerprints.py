"""One query fingerprint, from the audit tables themselves: details for which Prometheus has no
labels.

Optional: it needs a data source for SQL, Athena's or Trino's, both of which run the same SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grafana_foundation_sdk.builders import athena, table
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.cog import variants
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import dashboard as models
from grafana_foundation_sdk.models.athena import FormatOptions

from prunescope.dashboards import sql_queries
from prunescope.dashboards.board import Board, Row
from prunescope.dashboards.panels import (
    BYTES,
    SHARE,
    PanelBuilder,
    Target,
    Text,
    datasource,
    rows,
    series,
)

Plugin = Literal["athena", "trino"]
PLUGINS: Mapping[Plugin, str] = {"athena": "grafana-athena-datasource", "trino": "trino-datasource"}
"""Grafana's ids of the plugins whose data sources can be asked."""
_UNITS = {
    "bytes_read": BYTES,
    "readable_less": BYTES,
    "bytes_at_stake": BYTES,
    "share_read": SHARE,
    "bounded": SHARE,
    "overlap": SHARE,
    "common_bounds": SHARE,
}
"""Units of columns; all others are counts or text."""


@dataclass(frozen=True, slots=True)
class TrinoQuery(variants.Dataquery):
    """A query as the Trino plugin stores it; the SDK has none."""

    raw_sql: str
    source: models.DataSourceRef

    def to_json(self) -> dict[str, object]:
        """The query's JSON model."""
        return {
            "datasource": self.source,
            "format": FormatOptions.TABLE,  # the two plugins number formats alike
            "rawSQL": self.raw_sql,
            "refId": "A",
        }


@dataclass(frozen=True, slots=True)
class _Built(Builder[variants.Dataquery]):
    query: variants.Dataquery

    def build(self) -> variants.Dataquery:
        return self.query


def fingerprints(plugin: Plugin) -> Board:
    """The dashboard for a plugin's data sources."""
    return Board(
        _uid(plugin),
        f"Pruning / Queries ({plugin.capitalize()})",
        "Queries without literals: bytes read, pruning per condition, and fixes. Reads the audit "
        "tables.",
        (
            datasource(PLUGINS[plugin]),
            builders.TextBoxVariable("schema").label("Audit schema").default_value("pruning_audit"),
            builders.TextBoxVariable("fingerprint").label("Fingerprint"),
        ),
        (
            Row("Queries", (_worst(plugin),)),
            Row("Passes", (_kept(plugin), _funnel(plugin))),
            Row("Why", (_conjuncts(plugin), _findings(plugin))),
            Row("Where", (_columns(plugin), _engines(plugin))),
        ),
    )


def _worst(plugin: Plugin) -> PanelBuilder:
    panel = _table(
        plugin,
        Text("Queries by bytes read", "Choose a fingerprint. The panels below show its query."),
        24,
        sql_queries.worst(),
    )
    link = models.DashboardLink(
        title="Choose",
        url=f"/d/{_uid(plugin)}?${{datasource:queryparam}}&${{schema:queryparam}}"
        "&var-fingerprint=${__value.raw}&${__url_time_range}",
    )
    return panel.override_by_name("fingerprint", [models.DynamicConfigValue("links", [link])])


def _kept(plugin: Plugin) -> PanelBuilder:
    text = Text(
        "Kept by each pass",
        "Share of what reaches the pass that it keeps, by audited window. Lower is better.",
        SHARE,
    )
    return series(text, 12, _source(plugin), [_target(plugin, sql_queries.kept_over_time())])


def _funnel(plugin: Plugin) -> PanelBuilder:
    text = Text("Funnel", "Containers, bytes and records by stage, summed over scans")
    return _table(plugin, text, 12, sql_queries.funnel())


def _conjuncts(plugin: Plugin) -> PanelBuilder:
    text = Text(
        "Conditions",
        "What each conjunct prunes by itself, or why it prunes nothing. `?` stands for a literal.",
    )
    return _table(plugin, text, 24, sql_queries.conjuncts())


def _findings(plugin: Plugin) -> PanelBuilder:
    text = Text("Findings", "On this query and on the tables that it reads, with their fixes")
    return _table(plugin, text, 24, sql_queries.findings())


def _columns(plugin: Plugin) -> PanelBuilder:
    text = Text(
        "Columns",
        "Clustering of the filtered columns, for the tables that the query reads. A depth of 1 is "
        "best.",
    )
    return _table(plugin, text, 16, sql_queries.columns())


def _engines(plugin: Plugin) -> PanelBuilder:
    text = Text(
        "Engines",
        "Engine, planner rules, and agreement of the replay with the engine's counters.",
    )
    return _table(plugin, text, 8, sql_queries.engines())


def _table(plugin: Plugin, text: Text, width: int, sql: str) -> table.Panel:
    panel = rows(text, width, _source(plugin), [_target(plugin, sql)])
    for name, unit in _UNITS.items():
        panel.override_by_name(name, [models.DynamicConfigValue("unit", unit)])
    return panel


def _target(plugin: Plugin, sql: str) -> Target:
    source = _source(plugin)
    if plugin == "trino":
        return _Built(TrinoQuery(sql, source))
    query = athena.Dataquery().raw_sql(sql).format(FormatOptions.TABLE)
    return query.ref_id("A").datasource(source)


def _source(plugin: Plugin) -> models.DataSourceRef:
    return models.DataSourceRef(type_val=PLUGINS[plugin], uid="${datasource}")


def _uid(plugin: Plugin) -> str:
    return f"prunescope-fingerprints-{plugin}"
