"""Statements that change what is inside of files, together with a layout where one is advised."""

from __future__ import annotations

from collections.abc import Sequence

from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.changes import Change, Written
from audit_jobs.advice.manifest_document import manifest_migration
from audit_jobs.advice.migrations import Migration, migration, unsplit
from audit_jobs.advice.model import Advice
from audit_jobs.findings.statements import (
    spark_properties,
    spark_rewrite,
    trino_bloom_filters,
    trino_optimize,
    trino_row_groups,
)
from collectors.observed import TableName
from collectors.tables.properties import BLOOM_FILTER_OF, ROW_GROUP_BYTES


def advised_migration(table: TableName, advice: Advice) -> Migration | None:
    """All that is to be run for a table, in order; None where nothing is advised."""
    layout, inside = advice.layout, advice.inside
    change = None if inside is None else inside.change
    current = advice.now.partition or ()
    found = None if layout is None else migration(table, current, layout)
    if inside is not None and change is not None:
        found = _with_change(table, current, layout, change, inside.written)
    manifests = manifest_migration(table, advice.manifests)
    if manifests is None or found is None:
        whole = manifests or found
        return None if whole is None else unsplit(whole)
    return unsplit(
        Migration(
            (*found.spark, *manifests.spark),
            (*found.trino, *manifests.trino),
            (*found.notes, *manifests.notes),
        )
    )


def _with_change(
    table: TableName,
    current: tuple[Term, ...],
    layout: Candidate | None,
    change: Change,
    written: Written,
) -> Migration:
    set_spark, set_trino, notes = _settings(table, change, written.filtered)
    if layout is None:
        columns = [column.name for column in written.order]
        rewrite = spark_rewrite(table, sort=columns)
        return Migration((*set_spark, rewrite), (*set_trino, trino_optimize(table)), notes)
    whole = migration(table, current, layout)
    return Migration((*set_spark, *whole.spark), (*set_trino, *whole.trino), (*whole.notes, *notes))


def _settings(
    table: TableName, change: Change, filtered: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What is set before rows are written anew, for Spark and for Trino, and what to know of it."""
    properties: dict[str, str] = {}
    trino, notes = [], []
    if change.row_group_bytes is not None:
        properties[ROW_GROUP_BYTES.name] = str(change.row_group_bytes)
        trino.append(trino_row_groups(table, change.row_group_bytes))
        notes.append(_OF_ROW_GROUPS)
    if change.bloom_filters:
        names = [column.name for column in change.bloom_filters]
        properties |= {BLOOM_FILTER_OF + name: "true" for name in names}
        trino.append(trino_bloom_filters(table, [*filtered, *names]))
        notes.append(_OF_FILTERS)
    spark = (spark_properties(table, properties),) if properties else ()
    return spark, tuple(trino), tuple(notes)


_OF_ROW_GROUPS = (
    "Smaller row groups compress a little worse and make footers larger. Trino's sessions set "
    "their size for what they write: the table has no such property."
)
_OF_FILTERS = (
    "Bloom filters serve equality and short lists, of Spark and Trino: PyIceberg asks none. A "
    "reader that asks one reads up to `write.parquet.bloom-filter-max-bytes` for each row group."
)
