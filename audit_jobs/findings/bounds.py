"""Bounds that files do not have, or that say too little: how to have them written, and what that
wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_jobs.findings.disturbance import disturbance
from audit_jobs.findings.footers import (
    bytes_lost_by_bounds,
    bytes_ruled_out_by_footers,
    has_files_alone,
)
from audit_jobs.findings.model import KEPT, Confidence, Fix, Layout
from audit_jobs.findings.repartition import is_in_order
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
    """The statements of Spark that write a column's bounds anew in a metrics mode (None: that of
    new files), and the bytes that they win.

    `is_clustered` tells whether the footers prove that bounds alone win most of what is lost: the
    writers' order is good as it is. `order` is the column by which the rewrite sorts: another one
    where files are in order of that, and queries skip files by it. None where the sort moves no row
    to another file.
    """

    column: str
    mode: str | None
    spark: tuple[str, ...]
    bytes_won: int | None
    is_clustered: bool
    order: str | None

    @property
    def confidence(self) -> Confidence:
        """Proven by the footers, or estimated."""
        return Confidence.HIGH if self.is_clustered else Confidence.MEDIUM

    def fix(self, table: TableName, advice: str) -> Fix:
        """Both engines' statements; Trino's, which has no such property, rewrites the files."""
        if self.order not in (None, self.column):
            advice = f"{advice} Rows stay in order of {self.order}, by which queries skip files."
        layout = KEPT
        if self.order is not None:
            layout = Layout(
                order=(self.order,),
                bytes_by_order=self.bytes_won or 0,
                modes=() if self.mode is None else ((self.column, self.mode),),
            )
        return Fix(spark=self.spark, trino=(trino_optimize(table),), layout=layout, advice=advice)


def repair_bounds(
    usage: TableUsage, groups: Sequence[Group], column: str, mode: str | None
) -> BoundsRepair:
    """Has the bounds of a column written in a metrics mode (None: that of new files). A property
    holds for new files only, so all are rewritten: in the column's order, as packing small files
    together loses any, or in that which they have."""
    set_ = () if mode is None else (spark_properties(usage.table, {mode_property(column): mode}),)
    parts = [bytes_lost_by_bounds(group, column) for group in groups]
    won = None if None in parts else sum(part for part in parts if part is not None)
    by_footers = bytes_ruled_out_by_footers(groups)
    if by_footers and by_footers >= (won or 0) / 2:
        order = _kept_order(usage, column)
        once = spark_rewrite(usage.table, sort=[order])
        is_moved = not has_files_alone(usage.health)
        return BoundsRepair(column, mode, (*set_, once), won, True, order if is_moved else None)
    sort = spark_sort(usage.table, [column])
    return BoundsRepair(column, mode, (*set_, *sort), won, False, column)


def _kept_order(usage: TableUsage, column: str) -> str:
    """The column that keeps rows where they are, of a table whose files tell values of `column`
    apart as they are: the one that files are in order of, if queries skip files by it."""
    skipping = disturbance(usage, column).columns
    return next((name for name in skipping if is_in_order(usage, name)), column)
