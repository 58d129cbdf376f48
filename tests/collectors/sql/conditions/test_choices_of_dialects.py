"""CASE, COALESCE and lists in arrays mean the same where engines were not compared with: what
DuckDB's rows say, and the same of the functions that others have for them."""

from __future__ import annotations

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Predicate, Unsupported, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

TYPES = {"n": "int", "p": "double", "s": "string", "d": "date"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
ROWS = """SELECT n, s, DATE '2026-01-01' + n::INT AS d
    FROM range(10) r(n), (VALUES ('a'), ('b'), (NULL)) v(s) UNION ALL SELECT NULL, 'a', NULL"""


def meant(sql: str, dialect: str) -> Predicate:
    return bind(condition(sql, dialect, time_zone="UTC", types=TYPES), SCHEMA, time_zone="UTC")


@pytest.mark.parametrize(
    "sql",
    [
        "CASE WHEN n > 5 THEN 'a' ELSE 'b' END = 'a'",
        "CASE WHEN n > 5 THEN 'a' ELSE 'b' END = 'b'",
        "CASE WHEN n > 5 THEN 'a' ELSE 'b' END <> 'a'",
        "NOT CASE WHEN n > 5 THEN 'a' ELSE 'b' END = 'a'",
        "CASE WHEN n > 5 THEN 1 WHEN s = 'a' THEN 2 END IN (1, 2)",
        "CASE n WHEN 5 THEN 'x' WHEN 6 THEN 'y' END = 'x'",
        "CASE WHEN s = 'a' THEN n > 5 ELSE n > 3 END",
        "CASE WHEN n > 5 THEN s END = 'a'",
        "coalesce(n, 0) > 5",
        "coalesce(n, 9) > 5",
        "NOT coalesce(n, 9) > 5",
        "coalesce(s, 'a') = 'a'",
        "coalesce(d, DATE '1900-01-01') >= DATE '2026-01-03'",
        "coalesce(d, DATE '2100-01-01') >= DATE '2026-01-03'",
        "list_contains([1, 2], n)",
        "n = ANY([1, 2])",
        "NOT (s = ANY(['a', 'c']))",
    ],
)
def test_no_row_is_lost(sql: str) -> None:
    selected = meant(sql, "duckdb")
    told = [part for part in conjuncts(selected) if not isinstance(part, Unsupported)]
    assert told
    where = " AND ".join(f"({render(part)})" for part in told)
    with duckdb.connect() as connection:
        counted = f"SELECT count(*) FROM ({ROWS}) WHERE {sql}"
        of_all, within = (
            connection.execute(f"{counted}{more}").fetchone() for more in ("", f" AND {where}")
        )
        allowed = connection.execute(f"SELECT count(*) FROM ({ROWS}) WHERE {where}").fetchone()
    assert of_all is not None
    assert of_all == within
    assert of_all[0] > 0
    if len(told) == len(list(conjuncts(selected))):
        assert allowed == of_all


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("snowflake", "IFF(n > 5, 'a', 'b') = 'a'", "n > 5"),
        ("snowflake", "NVL(n, 0) > 5", "n > 5"),
        ("snowflake", "DECODE(s, 'a', 1, 'b', 2, 0) = 1", "s = 'a'"),
        ("redshift", "DECODE(n, 5, 'x', 6, 'y') IN ('x', 'y')", "n >= 5 AND n <= 6"),
        ("redshift", "NVL(n, 0) > 5", "n > 5"),
        ("clickhouse", "n NOT IN (1, NULL)", "n != 1"),
        ("clickhouse", "NOT (n IN (1, 2, NULL))", "n NOT IN (1, 2)"),
        ("clickhouse", "n NOT IN (NULL)", "NOT (n IN (NULL))"),
        ("snowflake", "n NOT IN (1, NULL)", "FALSE"),
        (
            "clickhouse",
            "CASE n WHEN NULL THEN 1 ELSE 0 END = 1",
            "CASE n WHEN NULL THEN 1 ELSE 0 END = 1",
        ),
        ("clickhouse", "CASE n WHEN 5 THEN 1 ELSE 0 END = 1", "n = 5"),
        ("dremio", "coalesce(s, 'b') = 'a'", "s = 'a'"),
        ("postgres", "coalesce(n, 0) + 1 > 5", "COALESCE(n, 0) + 1 > 5"),
        ("dremio", "CASE WHEN n > 5 THEN 'a' ELSE 'b' END = 'a'", "n > 5"),
        ("clickhouse", "multiIf(n > 5, 'x', n > 3, 'y', 'z') = 'x'", "n > 5"),
        ("clickhouse", "multiIf(n > 5, 'x', 'z') = 'x'", "n > 5"),
        ("snowflake", "EQUAL_NULL(s, 'x')", "s = 'x'"),
        ("snowflake", "ARRAY_CONTAINS(n, ARRAY_CONSTRUCT(1, 2))", "n >= 1 AND n <= 2"),
        ("bigquery", "IF(n > 5, 'a', 'b') = 'a'", "n > 5"),
        ("bigquery", "n IN UNNEST([1, 2])", "n >= 1 AND n <= 2"),
        ("bigquery", "n NOT IN UNNEST([1, 2])", "n < 1 OR n > 2"),
        ("postgres", "s = ANY(ARRAY['a', 'b'])", "s IN ('a', 'b')"),
        ("clickhouse", "has([1, 2], n)", "n >= 1 AND n <= 2"),
    ],
)
def test_functions_of_dialects_are_the_same(dialect: str, sql: str, expected: str) -> None:
    assert render(meant(sql, dialect)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("clickhouse", "NOT has([1, 2], n)"),  # which holds where n is null
        ("bigquery", "n IN UNNEST([1, NULL])"),
        ("bigquery", "n IN UNNEST(@numbers)"),
        ("bigquery", "n IN UNNEST(numbers)"),
        ("postgres", "n = ANY('{1,2}')"),
        ("snowflake", "GREATEST(n, 3) > 5"),  # which may or may not be null where n is
    ],
)
def test_nothing_is_said_of_others(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)
