"""Ranges of a column whose partitions are buckets: a hash keeps no order, so a range lies in all
of them."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.alignment import is_well_known
from audit_jobs.findings.blame import BUCKETED, layout_blame
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix, Layout
from audit_jobs.findings.repartition import bytes_lost_by_partitions, is_in_order, time_transform
from audit_jobs.findings.sorting import bytes_lost_by_order
from audit_jobs.findings.statements import (
    spark_drop_field,
    spark_replace_field,
    spark_rewrite,
    spark_sort,
    trino_optimize,
    trino_partitioning,
    trino_sort,
)
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.pruning.scans import comparisons
from audit_jobs.pruning.transforms import width
from collectors.partitioning import PartitionField
from collectors.predicates.operators import Op

_SERVE = "Other queries ask for single values, which buckets serve, so they stay."
_MORE_WINDOWS = (
    "No buckets are dropped before audits of seven days have seen all queries of the table: others "
    "may ask for single values, which buckets serve."
)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per bucketed column. Where other scans ask it for single values, or may do so in
    windows that nobody has seen, the buckets stay, and rows are sorted inside them; else they go:
    for days, months or years of a time where those leave whole files, for an order of rows over the
    whole table otherwise."""
    by_column: dict[str, list[Group]] = {}
    for group in usage.groups:
        blame = layout_blame(usage, group)
        if blame is not None and blame.cause == BUCKETED:
            by_column.setdefault(blame.column, []).append(group)
    for column, groups in by_column.items():
        if not is_in_order(usage, column):
            yield _finding(usage, column, groups)


def _finding(usage: TableUsage, column: str, groups: list[Group]) -> Finding:
    field = next(
        field
        for field in usage.partition_fields
        if usage.names.get(field.source_id) == column and field.transform.startswith("bucket[")
    )
    points = _points(usage, column)
    keep = points > 0 or not is_well_known(usage)
    transform = None
    if not keep:
        transform = time_transform(usage, groups, column, replaced=width(field.transform))
    across = not keep and len(usage.partition_fields) == 1
    won = [
        bytes_lost_by_order(group, column, across=across)
        if transform is None
        else bytes_lost_by_partitions(group, column, transform)
        for group in groups
    ]
    stake = sum(bytes_won or 0 for bytes_won in won)
    return Finding(
        cause=BUCKETED,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.MEDIUM if all(g.rows_sampled for g in groups) else Confidence.LOW,
        table=usage.table,
        columns=(column,),
        lost_at="manifests",
        sentence=(
            f"Queries ask for ranges of {column}, which the table is bucketed by: buckets keep no "
            "order, so a range is in all of them."
        ),
        scans=sum(group.count for group in groups),
        bytes_read=sum(group.bytes_read for group in groups),
        bytes_at_stake=stake,
        evidence={
            "fingerprints": sorted({group.fingerprint or "" for group in groups}),
            "partition_field": field.name,
            "buckets": width(field.transform),
            "scans_for_single_values": points,
            "new_field": transform,
        },
        fix=_kept(usage, column, stake, _SERVE if points else _MORE_WINDOWS)
        if keep
        else _replaced(usage, column, field, transform, stake),
    )


def _points(usage: TableUsage, column: str) -> int:
    """Scans that buckets serve: those that ask for single values of the column."""
    return sum(
        group.count
        for group in usage.groups
        if any(
            leaf.field.name == column and leaf.op in (Op.EQ, Op.IN)
            for leaf in comparisons(group.predicate)
        )
    )


def _kept(usage: TableUsage, column: str, stake: int, why: str) -> Fix:
    return Fix(
        spark=spark_sort(usage.table, [column]),
        trino=trino_sort(usage.table, [column]),
        advice=f"{why} A range then still reads a file of each. Rewriting reads and writes the "
        "whole table once.",
        layout=Layout(order=(column,), bytes_by_order=stake),
    )


def _replaced(
    usage: TableUsage, column: str, field: PartitionField, transform: str | None, stake: int
) -> Fix:
    table = usage.table
    if transform is not None:
        spec = trino_partitioning(
            table, usage.spec, usage.names, without=[field.field_id], add=[(transform, column)]
        )
        return Fix(
            spark=(
                spark_replace_field(table, column, field.transform, transform),
                spark_rewrite(table),
            ),
            trino=(spec, trino_optimize(table)),
            advice="Rewriting reads and writes the whole table once.",
            layout=Layout(repartitions=True),
        )
    spec = trino_partitioning(table, usage.spec, usage.names, without=[field.field_id])
    return Fix(
        spark=(spark_drop_field(table, field.transform, column), *spark_sort(table, [column])),
        trino=(spec, *trino_sort(table, [column])),
        advice="Rewriting reads and writes the whole table once. Trino sorts within each file it "
        "writes, which tells row groups apart but not files: prefer Spark's statements.",
        layout=Layout(repartitions=True, order=(column,), bytes_by_order=stake),
    )


CAUSE = Cause(BUCKETED, "Range on a bucketed column", find)
