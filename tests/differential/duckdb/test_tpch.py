"""DuckDB answers each TPC-H query alike on all data and on the rows that its extracted
predicates let through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import sqlglot

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Predicate, any_of
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.predicates.row_evaluator import matches
from tests.differential.duckdb.tpch import TABLES, tpch

pytestmark = [pytest.mark.shared, pytest.mark.slow]

_ICEBERG_TYPES = {"INTEGER": "int", "BIGINT": "long", "VARCHAR": "string"}
QUERIES = [f"q{number:02}" for number in range(1, 23)]
# Queries that need every row of some reference to each table: the others filter it by functions
# of its columns, or not at all.
UNFILTERED = {"q09", "q13", "q18"}


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with tpch() as connection:
        yield connection


def text_of(shared: Path, query: str) -> str:
    sql = (shared / "samples" / "tpch_queries" / f"{query}.sql").read_text()
    for variable, value in (("${database}", "tpch"), ("${schema}", "sf1"), ("${scale}", "1")):
        sql = sql.replace(variable, value)
    return sql.replace("${prefix}", "").strip().rstrip(";")


def needed(sql: str, database: duckdb.DuckDBPyConnection) -> dict[str, Predicate]:
    """What the rows of each table must satisfy to be needed by any reference to it."""
    columns = {TableName("tpch", ("sf1",), name): _columns(name, database) for name in TABLES}
    scans = extract(parse(sql, "trino"), dialect="trino", columns=columns)
    return {
        name: any_of(*(scan.predicate for scan in scans if scan.table.table == name))
        for name in TABLES
        if any(scan.table.table == name for scan in scans)
    }


def _columns(name: str, database: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The columns of a table with their Iceberg types."""
    described = database.execute(f"DESCRIBE {name}").fetchall()
    return {column: _ICEBERG_TYPES.get(kind, kind.lower()) for column, kind, *_ in described}


def answer(sql: str, database: duckdb.DuckDBPyConnection) -> list[str]:
    (translated,) = sqlglot.transpile(sql.replace('"tpch"."sf1".', ""), "trino", "duckdb")
    rows = database.execute(translated).fetchall()
    # Sums of floating-point numbers depend on the order of their rows.
    return sorted(repr([round(v, 4) if isinstance(v, float) else v for v in row]) for row in rows)


@pytest.mark.parametrize("query", QUERIES)
def test_no_rejected_row_is_needed(
    query: str, shared: Path, database: duckdb.DuckDBPyConnection
) -> None:
    sql = text_of(shared, query)
    everything = answer(sql, database)
    removed = 0
    with tpch() as reduced:
        for table, predicate in needed(sql, database).items():
            columns = _columns(table, reduced)
            rows = reduced.execute(f"SELECT rowid, * FROM {table}").fetchall()
            rejected = [
                row[0]
                for row in rows
                if not matches(predicate, dict(zip(columns, row[1:], strict=True)))
            ]
            removed += len(rejected)
            reduced.execute(f"DELETE FROM {table} WHERE rowid IN (SELECT unnest(?))", [rejected])
        assert answer(sql, reduced) == everything
    assert (removed > 0) == (query not in UNFILTERED)


def test_the_data_is_not_empty_for_the_queries(
    shared: Path, database: duckdb.DuckDBPyConnection
) -> None:
    found = {query for query in QUERIES if answer(text_of(shared, query), database)}
    assert found == set(QUERIES)
