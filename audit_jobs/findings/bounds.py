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
from collectors.tables.metrics_modes import mode_property


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
