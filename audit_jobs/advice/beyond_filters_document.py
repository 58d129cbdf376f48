"""Bytes that could be skipped beyond filters: as JSON, and with the SQL to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from prunescope.audit_jobs.advice.beyond_filters import Beyond, FilterSkip, JoinSkip, RowsSkip
from prunescope.audit_jobs.advice.engine_conditions import (
    is_unsafe,
    spark_condition,
    trino_conditions,
)
from prunescope.audit_jobs.findings.statements import (
    spark_part,
    spark_table,
    trino_part,
    trino_table,
)
from prunescope.audit_jobs.isolation import Failed
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import BoundComparison, Predicate, PredicateLeaf
from prunescope.collectors.predicates.walks import comparisons, map_leaves

ENGINES = {
    "limit": (
        "Trino since 418 plans no more files than hold so many rows where a table has no filter "
        "left to check; Spark stops reading early, and plans them all."
    ),
    "top_k": (
        "Neither Trino nor Spark skips files of Iceberg by it; DataFusion since 49 and Snowflake "
        "do while they run."
    ),
    "min_max": (
        "Spark with Iceberg since 1.2 answers it from metadata, where it needs no row-level "
        "filter and the table has no deletes; Trino reads the files."
    ),
}
"""Notes on each kind of rows: the engines that skip them, and how."""


_KINDS = {"limit": "LIMIT", "top_k": "ORDER BY … LIMIT", "min_max": "min() and max()"}


def join_text(skip: JoinSkip) -> str:
    """The equality of a join."""
    return f"{skip.column} = {skip.other_column} of {skip.other}"


def rows_text(skip: RowsSkip) -> str:
    """The kind of rows that a query needs, and the columns that decide."""
    by = f" by {', '.join(skip.columns)}" if skip.columns else ""
    return f"{_KINDS[skip.kind]}{by}"


class JoinHint(NamedTuple):
    """A condition to add to a statement, and the query that finds the range if it is not shown.
    Only rows of the other table that the statement joins count."""

    statement: str
    range_of: str


def join_hints(table: TableName, skip: JoinSkip, *, literals: bool) -> dict[str, JoinHint]:
    """The range for a MERGE's ON, or a query's WHERE, by engine. It holds values of rows, and is
    shown with `literals` only, and only if engines write them alike."""
    shown = map_leaves(skip.range, _qualified) if literals and _is_plain(skip.range) else None
    other = skip.other
    if other.catalog == table.catalog:
        other = replace(other, catalogs=table.catalogs)
    spark = None if shown is None else spark_condition(shown)
    trino = None if shown is None else trino_conditions(shown)[0]
    return {
        "spark": _hint(skip, spark_table(table), spark_table(other), spark_part, spark),
        "trino": _hint(skip, trino_table(table), trino_table(other), trino_part, trino),
    }


def _hint(
    skip: JoinSkip, table: str, other: str, part: Callable[[str], str], shown: str | None
) -> JoinHint:
    condition = shown or f"{part('t')}.{part(skip.column)} BETWEEN ? AND ?"
    statement = f"MERGE INTO {table} AS t USING … ON … AND {condition}"
    if not skip.merge:
        statement = f"… FROM {table} AS t … WHERE … AND {condition}"
    column = part(skip.other_column)
    return JoinHint(
        statement,
        f"SELECT min({column}), max({column}) FROM {other}",  # noqa: S608  # it is shown
    )


def _is_plain(range_: Predicate) -> bool:
    """True if a range has values, and engines write them alike."""
    values = [value for leaf in comparisons(range_) for value in leaf.values]
    texts = [value for value in values if isinstance(value, bytes)]
    return bool(values) and not any(map(is_unsafe, texts))


def _qualified(leaf: PredicateLeaf) -> Predicate:
    match leaf:
        case BoundComparison(op, field, values):
            return BoundComparison(op, field._replace(name=f"t.{field.name}"), values)
        case _:
            return leaf


def beyond_document(table: TableName, beyond: Beyond | Failed, *, literals: bool) -> dict[str, Any]:
    """The bytes of a table that could be skipped, or why they are unknown. Bytes are means per
    run."""
    if isinstance(beyond, Failed):
        return {"failed": asdict(beyond)}
    return {
        "joins": [_join(table, skip, literals=literals) for skip in beyond.joins],
        "dynamic_filters": [_filter(skip) for skip in beyond.filters],
        "potential": [_rows(skip) for skip in beyond.rows],
        "unbounded_runs": beyond.unbounded,
        "left_out": beyond.left_out,
    }


def _join(table: TableName, skip: JoinSkip, *, literals: bool) -> dict[str, Any]:
    hints = join_hints(table, skip, literals=literals)
    return {
        "column": skip.column,
        "other_table": str(skip.other),
        "other_column": skip.other_column,
        "merge": skip.merge,
        "runs": skip.runs,
        "kept_bytes": skip.now,
        "kept_bytes_with_range": skip.then,
        "statements": {engine: hint.statement for engine, hint in hints.items()},
        "range_of": {engine: hint.range_of for engine, hint in hints.items()},
    }


def _filter(skip: FilterSkip) -> dict[str, Any]:
    return {**asdict(skip), "could_skip": skip.could_skip, "skipped": skip.skipped}


def _rows(skip: RowsSkip) -> dict[str, Any]:
    return {
        "kind": skip.kind,
        "columns": list(skip.columns),
        "runs": skip.runs,
        "runs_in_metadata": skip.in_metadata,
        "kept_bytes": skip.now,
        "needed_bytes": skip.then,
        "engines": ENGINES[skip.kind],
    }
