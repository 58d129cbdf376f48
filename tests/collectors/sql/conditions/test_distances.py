"""How far apart two times are, compared with a number, is a range to both sides of the one that is
known: that whose rows DuckDB finds."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.model import Unsupported, conjuncts
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_documented_moves import SIGNS, found, meant, rows

__all__ = ["rows"]

DAYS_APART = "abs(date_diff('day', d, DATE '2025-03-30'))"
WEEK = "d >= DATE '2026-03-31' AND d < DATE '2026-04-07'"


@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize("sign", [*SIGNS, "<>"])
@pytest.mark.parametrize("form", ["{} {} {}", "NOT {} {} {}", "NOT ({} {} {} AND d IS NOT NULL)"])
@pytest.mark.parametrize("unit", ["day", "month", "hour"])
def test_duckdb_agrees(
    rows: duckdb.DuckDBPyConnection, unit: str, form: str, sign: str, number: int
) -> None:
    sql = form.format(f"abs(date_diff('{unit}', ts, TIMESTAMP '2025-03-30'))", sign, number)
    selected = meant(sql, "duckdb", "UTC")
    assert not isinstance(selected, Unsupported)
    assert found(rows, render(selected)) == found(rows, sql)


@pytest.mark.parametrize(
    "sql",
    [
        f"{DAYS_APART} IN (0, 2)",
        f"{DAYS_APART} NOT IN (0, 2)",
        f"{DAYS_APART} BETWEEN 1 AND 2",
        f"{DAYS_APART} NOT BETWEEN 1 AND 2",
        f"3 > {DAYS_APART}",
        f"{DAYS_APART} <= 3 OR d = DATE '2024-12-31'",
    ],
)
def test_lists_and_ranges_are_taken_apart(rows: duckdb.DuckDBPyConnection, sql: str) -> None:
    selected = meant(sql, "duckdb", "UTC")
    assert not isinstance(selected, Unsupported)
    assert found(rows, render(selected)) == found(rows, sql)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("snowflake", "abs(DATEDIFF('day', d, '2026-04-03'::DATE)) <= 3", WEEK),
        ("bigquery", "abs(DATE_DIFF(DATE '2026-04-03', d, DAY)) <= 3", WEEK),
        ("trino", "abs(date_diff('day', d, DATE '2026-04-03')) <= 3", WEEK),
        ("databricks", "abs(datediff(DAY, d, DATE '2026-04-03')) <= 3", WEEK),
        ("spark", "abs(months_between(d, DATE '2026-04-03')) <= 3",
         "d < DATE '2026-07-04' AND d >= DATE '2026-01-02'"),
        ("bigquery", "abs(TIMESTAMP_DIFF(tz, TIMESTAMP '2026-04-03', HOUR)) < 4",
         "tz < TIMESTAMP '2026-04-03 04:00:00 UTC' AND tz > TIMESTAMP '2026-04-02 20:00:00 UTC'"),
    ],
)  # fmt: skip
def test_each_engine_counts_by_its_own_rules(dialect: str, sql: str, expected: str) -> None:
    bound = meant(sql.replace("x", "ts"), dialect, "UTC")
    told = [part for part in conjuncts(bound) if not isinstance(part, Unsupported)]
    assert " AND ".join(map(render, told)) == expected.replace("x", "ts")


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "abs(date_diff('day', d, DATE '2026-04-03')) <= -1"),
        ("trino", "abs(date_diff('day', d, ts)) <= 3"),
        ("trino", "abs(date_diff('day', d, DATE '2026-04-03')) <= n"),
        ("clickhouse", "abs(dateDiff('day', d, toDate('2026-04-03'))) <= 3"),
        ("spark", "abs(timestampdiff(MICROSECOND, ts, TIMESTAMP '2026-04-03')) <= 3"),
    ],
)
def test_nothing_is_said_of_other_distances(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)
