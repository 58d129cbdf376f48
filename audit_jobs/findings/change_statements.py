"""Statements that make a change, for Spark and for Trino, in the order of running them. No other
place writes any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from prunescope.audit_jobs.findings.model import Change, Field, Files, Finding
from prunescope.audit_jobs.findings.statements import (
    SPLIT,
    spark_add_field,
    spark_call,
    spark_drop_field,
    spark_order,
    spark_properties,
    spark_replace_field,
    spark_times,
    spark_write_order,
    splits,
    trino_bloom_filters,
    trino_execute,
    trino_optimize,
    trino_partitioning,
    trino_sorted_by,
)
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.metrics_modes import mode_property
from prunescope.collectors.tables.properties import (
    BLOOM_FILTER_BYTES,
    BLOOM_FILTER_OF,
    ROW_GROUP_BYTES,
)

_OPTIONS: Mapping[Files, Mapping[str, str]] = {
    Files.ALL: {"rewrite-all": "true"},
    Files.SMALL: {"min-input-files": "2"},
    Files.DELETED: {"delete-file-threshold": "1", "remove-dangling-deletes": "true"},
}
"""Options of Spark's rewrite_data_files that choose files."""


def with_statements(usage: TableUsage, finding: Finding) -> Finding:
    """A finding with the statements of its change; without them where a client could take a part of
    a name for one."""
    fix = finding.fix
    spark = tuple(spark_statements(usage.table, fix.change))
    trino = tuple(trino_statements(usage, fix.change))
    if any(map(splits, (*spark, *trino))):
        advice = f"{fix.advice} {SPLIT}" if fix.advice else SPLIT
        return replace(finding, fix=replace(fix, advice=advice))
    return replace(finding, fix=replace(fix, spark=spark, trino=trino))


def spark_statements(table: TableName, change: Change) -> Iterator[str]:
    """Yields what Spark runs."""
    properties = _properties(change)
    if properties:
        yield spark_properties(table, properties)
    yield from _spark_fields(table, change)
    if change.order and not change.is_zorder:
        yield spark_write_order(table, change.order, change.rounded)
    # Commits drop the delete files that apply to nothing any more from few manifests at a time
    # (seen with Iceberg 1.11), so manifests are merged first.
    if change.manifests:
        yield spark_call(table, "rewrite_manifests")
    if change.files is not Files.NONE:
        yield _spark_rewrite(table, change)
    if change.position_deletes:
        every = _OPTIONS[Files.ALL]
        yield spark_call(table, "rewrite_position_delete_files", options=every)


def _properties(change: Change) -> dict[str, str]:
    properties = {mode_property(column): mode for column, mode in change.modes}
    for column, _ in change.bloom_filters:
        properties[BLOOM_FILTER_OF + column] = "true"
    if change.bloom_filters:  # one limit for all columns
        largest = max(size for _, size in change.bloom_filters)
        properties[BLOOM_FILTER_BYTES.name] = str(largest)
    if change.row_group_bytes is not None:
        properties[ROW_GROUP_BYTES.name] = str(change.row_group_bytes)
    return properties


def _spark_fields(table: TableName, change: Change) -> Iterator[str]:
    """One field takes the place of another of the same kind, or of the same column."""
    if len(change.added) == len(change.dropped) == 1:
        (added,), (dropped,) = change.added, change.dropped
        if added[0] == dropped[0] or added[1] == dropped[1]:
            yield spark_replace_field(table, dropped, added)
            return
    for field in change.added:
        yield spark_add_field(table, *field)
    for field in change.dropped:
        yield spark_drop_field(table, *field)


def _spark_rewrite(table: TableName, change: Change) -> str:
    alone = {"max-file-group-size-bytes": "1"} if change.file_by_file else {}
    options = {**alone, **_OPTIONS[change.files]}
    where = {} if change.where is None else {"where": spark_times(change.where)}
    columns = change.order or change.keeps
    if not columns:
        return spark_call(table, "rewrite_data_files", **where, options=options)
    order = spark_order(columns, change.rounded, is_zorder=change.is_zorder)
    return spark_call(
        table, "rewrite_data_files", strategy="sort", sort_order=order, **where, options=options
    )


def trino_statements(usage: TableUsage, change: Change) -> Iterator[str]:
    """Yields what Trino runs: nothing if it has no such order, or would mix rows of files that are
    to be written each by itself, or in their order, nor by times of fields of structs, on which it
    takes no condition."""
    is_ordered = change.is_zorder or change.rounded != "identity"
    is_nested = change.where is not None and "." in change.where.column
    if is_ordered or change.file_by_file or change.keeps or is_nested:
        return
    table = usage.table
    if change.changes_fields:
        without = [
            field.field_id
            for field in usage.spec.fields
            if _field(usage, field.transform, field.source_id) in change.dropped
        ]
        yield trino_partitioning(table, usage.spec, usage.names, without=without, add=change.added)
    if change.bloom_filters:
        yield trino_bloom_filters(table, [column for column, _ in change.bloom_filters])
    if change.order:
        yield trino_sorted_by(table, change.order)
    if change.files is not Files.NONE:
        # Its own threshold is that of small files.
        threshold = None if change.files is Files.SMALL else "100TB"
        yield trino_optimize(table, change.where, threshold=threshold)
    elif change.manifests:
        yield trino_execute(table, "optimize_manifests")


def _field(usage: TableUsage, transform: str, source_id: int) -> Field:
    return transform, usage.names.get(source_id, "")
