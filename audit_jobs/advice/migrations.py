"""Statements that give a table a layout, in order, for Spark with Iceberg's SQL extensions and for
Trino's Iceberg connector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit_jobs.advice.candidates import Candidate, Curve, Term
from audit_jobs.advice.partition_ranges import spark_condition, trino_conditions
from audit_jobs.findings.statements import (
    SPLIT,
    spark_add_field,
    spark_call,
    spark_drop_field,
    spark_identifier,
    spark_order,
    spark_sort,
    splits,
    trino_optimize,
    trino_partitioning,
    trino_sort,
)
from collectors.observed import TableName
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import Predicate

REWRITE_ALL: Mapping[str, str] = {"rewrite-all": "true"}


@dataclass(frozen=True, slots=True)
class Migration:
    """Statements for each engine, and what each engine does not do or keep by them."""

    spark: tuple[str, ...]
    trino: tuple[str, ...]
    notes: tuple[str, ...]


def unsplit(found: Migration) -> Migration:
    """The statements; none where a client could take a part of a name for one."""
    if not any(map(splits, (*found.spark, *found.trino))):
        return found
    return Migration((), (), (*found.notes, SPLIT))


def migration(
    table: TableName,
    current: tuple[Term, ...],
    candidate: Candidate,
    where: Predicate | None = None,
) -> Migration:
    """What gives a table, which is partitioned by `current`, a layout; with `where`, only the
    partitions that this means. There are none for Trino where it tells them by no condition."""
    order, partition = candidate.order, candidate.partition
    old, new = _pairs(current), _pairs(partition)
    changes = (
        *(spark_drop_field(table, *pair) for pair in old if pair not in new),
        *(spark_add_field(table, *pair) for pair in new if pair not in old),
    )
    columns = [column.name for column in order.columns]
    by_property = trino_partitioning(table, PartitionSpec(0, ()), {}, add=new)
    trino = () if partition == current else (by_property,)
    optimized = _optimized(table, where, is_told=set(current) <= set(partition))
    # Trino's rewrite, where partitions change.
    by_trino = (*trino, *optimized) if trino and optimized else ()
    if order.curve is Curve.SORT:
        ordered, rewrite = spark_sort(table, columns, order.rounded)
        if where is not None:
            rewrite = _some_of_spark(table, spark_order(columns, order.rounded), where)
        if order.is_by_ranges:
            return Migration((*changes, ordered, rewrite), by_trino, (_OF_RANGES,))
        by_order, _ = trino_sort(table, columns)
        return Migration(
            (*changes, ordered, rewrite),
            (*trino, by_order, *optimized) if optimized else (),
            (_OF_SORTS,),
        )
    sort_order = f"{order.curve}({', '.join(map(spark_identifier, columns))})"
    rewrite = (
        spark_call(
            table, "rewrite_data_files", strategy="sort", sort_order=sort_order, options=REWRITE_ALL
        )
        if where is None
        else _some_of_spark(table, sort_order, where)
    )
    notes = [_OF_CURVES]
    if order.curve is Curve.HILBERT:
        notes.append("hilbert() needs Spark 4.1 and an Iceberg newer than 1.11.")
    return Migration((*changes, rewrite), by_trino, tuple(notes))


def _optimized(table: TableName, where: Predicate | None, *, is_told: bool) -> tuple[str, ...]:
    """Trino's rewrite; `is_told` says whether the new partition fields tell the old partitions.
    Trino takes a condition only if every partition spec that files have tells it: once a first
    statement wrote files of another spec, it refuses the next one (trinodb/trino#15697)."""
    optimize = trino_optimize(table)
    if where is None:
        return (optimize,)
    found = tuple(f"{optimize} WHERE {text}" for text in trino_conditions(where))
    return found if is_told or len(found) == 1 else ()


def _some_of_spark(table: TableName, sort_order: str, where: Predicate) -> str:
    return spark_call(
        table,
        "rewrite_data_files",
        strategy="sort",
        sort_order=sort_order,
        where=spark_condition(where),
        options=REWRITE_ALL,
    )


_OF_SORTS = (
    "Spark's rewrite puts the rows of a partition in order over all of its files, as predicted; "
    "Trino sorts each file by itself, so that ranges of files overlap. What is written afterwards "
    "is in order within each load only, until it is rewritten."
)
_OF_RANGES = (
    "Spark's rewrite puts the rows of a partition in order over all of its files, as predicted; "
    "what is written afterwards is in order within each load only, until it is rewritten. Trino "
    "has no such order."
)
_OF_CURVES = (
    "A Z-order or Hilbert curve is no sort order of a table: what is written afterwards has none, "
    "until it is rewritten. Trino has no such order."
)


def _pairs(terms: Sequence[Term]) -> list[tuple[str, str]]:
    return [(term.transform, term.column.name) for term in terms]
