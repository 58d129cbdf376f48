"""Bounds that files do not have, or that say too little: how to have them written, and what that
wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_jobs.findings.footers import bytes_lost_by_bounds, bytes_ruled_out_by_footers
from audit_jobs.findings.model import KEPT, Confidence, Fix, Layout
from audit_jobs.findings.statements import (
    spark_properties,
    spark_rewrite,
    spark_sort,
    trino_optimize,
)
from audit_jobs.findings.usage import Group, TableUsage
from collectors.observed import TableName
from collectors.tables.properties import count_of

DEFAULT_MODE = "truncate(16)"
"""Of Iceberg's writers (`write.metadata.metrics.default`)."""
WITHOUT_BOUNDS = ("none", "counts")
"""Modes that keep no bounds."""
_INFERRED = 100
"""`write.metadata.metrics.max-inferred-column-defaults` where it is not set."""


@dataclass(frozen=True, slots=True)
class BoundsRepair:
    """The statements of Spark that write a column's bounds anew, and the bytes that they win.

    `is_clustered` tells whether the footers prove that bounds alone win most of what is lost: the
    writers' order is good as it is.
    """

    column: str
    spark: tuple[str, ...]
    bytes_won: int | None
    is_clustered: bool

    @property
    def confidence(self) -> Confidence:
        """Proven by the footers, or estimated."""
        return Confidence.HIGH if self.is_clustered else Confidence.MEDIUM

    def fix(self, table: TableName, advice: str) -> Fix:
        """Both engines' statements; Trino's, which has no such property, rewrites the files."""
        order = Layout(order=(self.column,), bytes_by_order=self.bytes_won or 0)
        return Fix(
            spark=self.spark,
            trino=(trino_optimize(table),),
            layout=KEPT if self.is_clustered else order,
            advice=advice,
        )


def metrics_mode(usage: TableUsage, column: str) -> str:
    """The mode in which metrics of a column are written from now on: `none`, `counts`,
    `truncate(n)` or `full` (Iceberg's MetricsConfig)."""
    properties = usage.metadata.properties
    usual = "none" if is_beyond_inferred(usage, column) else DEFAULT_MODE
    default = properties.get("write.metadata.metrics.default", usual)
    return properties.get(mode_property(column), default).lower()


def mode_property(column: str) -> str:
    """The property that sets the mode of a column."""
    return f"write.metadata.metrics.column.{column}"


def inferred_columns(usage: TableUsage) -> int:
    """Of how many of a table's own columns writers keep metrics where no property asks for more."""
    name = "write.metadata.metrics.max-inferred-column-defaults"
    found = count_of(usage.metadata.properties, name)
    return _INFERRED if found is None else found


def is_beyond_inferred(usage: TableUsage, column: str) -> bool:
    """Whether a column, or the one that it is a field of, comes after those of which metrics are
    kept by themselves."""
    kept = usage.schema.top_level_names[: inferred_columns(usage)]
    path = next((found.path for found in usage.schema.columns if found.name == column), None)
    return path is not None and path[0] not in kept


def repair_bounds(
    usage: TableUsage, groups: Sequence[Group], column: str, mode: str
) -> BoundsRepair:
    """Has the bounds of a column written in a metrics mode. The property holds for new files only,
    so all are rewritten: in the column's order, as packing small files together loses any."""
    properties = {mode_property(column): mode}
    first = spark_properties(usage.table, properties)
    parts = [bytes_lost_by_bounds(group, column) for group in groups]
    won = None if None in parts else sum(part for part in parts if part is not None)
    by_footers = bytes_ruled_out_by_footers(groups)
    if by_footers and by_footers >= (won or 0) / 2:
        once = spark_rewrite(usage.table, sort=[column])
        return BoundsRepair(column, (first, once), won, is_clustered=True)
    sort = spark_sort(usage.table, [column])
    return BoundsRepair(column, (first, *sort), won, is_clustered=False)
