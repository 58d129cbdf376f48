"""Filters of a partitioned table by a column that no partition field serves."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.blame import NO_PARTITION_FILTER, layout_blame
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix, Layout
from audit_jobs.findings.repartition import bytes_lost_by_partitions, is_in_order, time_transform
from audit_jobs.findings.sorting import bytes_lost_by_order
from audit_jobs.findings.statements import (
    spark_add_field,
    spark_rewrite,
    spark_sort,
    trino_optimize,
    trino_partitioning,
    trino_sort,
)
from audit_jobs.findings.usage import Group, TableUsage

_LESS = 0.9
"""Of what an order inside the partitions wins: below it, another field is no choice."""


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it: with
    another partition field where the column is a time and fields of it leave whole files, else
    with an order of rows inside the partitions that there are."""
    by_column: dict[str, list[Group]] = {}
    for group in usage.groups:
        blame = layout_blame(usage, group)
        if blame is not None and blame.cause == NO_PARTITION_FILTER:
            by_column.setdefault(blame.column, []).append(group)
    for column, groups in by_column.items():
        if not is_in_order(usage, column):
            yield _finding(usage, column, groups)


def _finding(usage: TableUsage, column: str, groups: list[Group]) -> Finding:
    transform = time_transform(usage, groups, column)
    stake = sum(bytes_lost_by_order(group, column) or 0 for group in groups)
    if transform is not None:
        by_field = sum(bytes_lost_by_partitions(g, column, transform) or 0 for g in groups)
        if by_field < _LESS * stake:  # partitions too long for the filters
            transform = None
        else:
            stake = by_field
    fields = ", ".join(field.name for field in usage.partition_fields)
    return Finding(
        cause=NO_PARTITION_FILTER,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.MEDIUM if all(g.rows_sampled for g in groups) else Confidence.LOW,
        table=usage.table,
        columns=(column,),
        lost_at="manifests",
        sentence=(
            f"Queries filter by {column}, but the table is partitioned by {fields}, so they look "
            "into every partition."
        ),
        scans=sum(group.count for group in groups),
        bytes_read=sum(group.bytes_read for group in groups),
        bytes_at_stake=stake,
        evidence={
            "fingerprints": sorted({group.fingerprint or "" for group in groups}),
            "partition_fields": [field.name for field in usage.partition_fields],
            "partitions": None if usage.health is None else usage.health.partitions,
            "new_field": transform,
        },
        fix=_sorted(usage, column, stake)
        if transform is None
        else _added(usage, column, transform),
    )


def _added(usage: TableUsage, column: str, transform: str) -> Fix:
    return Fix(
        spark=(spark_add_field(usage.table, transform, column), spark_rewrite(usage.table)),
        trino=(
            trino_partitioning(usage.table, usage.spec, usage.names, add=[(transform, column)]),
            trino_optimize(usage.table),
        ),
        advice="Rewriting reads and writes the whole table once. If queries can filter by a "
        "partition column as well, that costs nothing.",
        layout=Layout(repartitions=True),
    )


def _sorted(usage: TableUsage, column: str, stake: int) -> Fix:
    return Fix(
        spark=spark_sort(usage.table, [column]),
        trino=trino_sort(usage.table, [column]),
        advice="Rows are sorted inside each partition, so a scan still reads a file of each; "
        "rewriting reads and writes the whole table once. If queries can filter by a partition "
        "column as well, that costs nothing.",
        layout=Layout(order=(column,), bytes_by_order=stake),
    )


CAUSE = Cause(NO_PARTITION_FILTER, "No filter on a partition column", find)
