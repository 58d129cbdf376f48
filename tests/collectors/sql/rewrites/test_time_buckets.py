"""Times that are cut to buckets are ranges of the column: those whose rows DuckDB finds, and those
that the references of other engines name."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.model import Unsupported, conjuncts
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_documented_moves import SIGNS, found, meant, rows

__all__ = ["rows"]

DUCKDB = [
    pytest.param("INTERVAL '15 minutes', ts", "TIMESTAMP '2025-03-30 10:30:00'", id="minutes"),
    pytest.param("INTERVAL '7 hours', ts", "TIMESTAMP '2025-03-30 10:00:00'", id="begins none"),
    pytest.param("INTERVAL '5 days', ts", "TIMESTAMP '2025-03-29'", id="days"),
    pytest.param("INTERVAL '2 weeks', ts", "TIMESTAMP '2025-03-24'", id="weeks"),
    pytest.param("INTERVAL '5 months', ts", "DATE '2024-11-01'", id="months"),
    pytest.param("INTERVAL '1 year', ts", "DATE '2025-01-01'", id="years"),
    pytest.param("INTERVAL '3 days', d", "DATE '2025-03-30'", id="of dates"),
    pytest.param("INTERVAL '2 months', d", "DATE '2025-03-01'", id="months of dates"),
    pytest.param("INTERVAL '6 hours', tz", "TIMESTAMPTZ '2025-03-30 06:00:00+00'", id="zoned"),
    pytest.param("INTERVAL '1 day', ts, TIMESTAMP '2001-01-02 03:00:00'",
                 "TIMESTAMP '2025-03-30 03:00:00'", id="from an origin"),
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("arguments", "value"), DUCKDB)
def test_duckdb_agrees(
    rows: duckdb.DuckDBPyConnection, arguments: str, value: str, sign: str
) -> None:
    sql = f"time_bucket({arguments}) {sign} {value}"
    selected = meant(sql, "duckdb", "UTC")
    assert not isinstance(selected, Unsupported)
    assert found(rows, render(selected)) == found(rows, sql)


NIGHT = "x >= DATE '2026-04-03' AND x < DATE '2026-04-04'"
QUARTER = "x >= TIMESTAMP '2026-04-03 00:15:00' AND x < TIMESTAMP '2026-04-03 00:30:00'"
SLOT = "x >= TIMESTAMP '2026-04-03 04:00:00' AND x < TIMESTAMP '2026-04-03 08:00:00'"
REFERENCES = [
    pytest.param("spark", "window(x, '1 day').start = TIMESTAMP '2026-04-03'", NIGHT, id="window"),
    pytest.param("spark", "window(x, '1 day')['end'] = TIMESTAMP '2026-04-04'", NIGHT, id="end"),
    pytest.param("spark", "window(x, '1 day', '24 hours').start = DATE '2026-04-03'", NIGHT,
                 id="a slide that is none"),
    pytest.param("spark", "window(x, '1 week').start = DATE '2026-04-02'",
                 "x >= DATE '2026-04-02' AND x < DATE '2026-04-09'", id="from a Thursday"),
    pytest.param("spark", "window(x, '15 minutes', '15 minutes', '5 minutes').start >="
                 " TIMESTAMP '2026-04-03 00:05:00'", "x >= TIMESTAMP '2026-04-03 00:05:00'",
                 id="a later start"),
    pytest.param("spark", "NOT window(x, '1 hour').end > TIMESTAMP '2026-04-03 00:00:00'",
                 "x < DATE '2026-04-03'", id="negated"),
    pytest.param("databricks", "time_bucket(INTERVAL '1' DAY, x) = TIMESTAMP '2026-04-03'", NIGHT,
                 id="databricks"),
    pytest.param("snowflake", "TIME_SLICE(x, 4, 'HOUR') = '2026-04-03 04:00'::TIMESTAMP", SLOT,
                 id="slice"),
    pytest.param("snowflake", "TIME_SLICE(x, 4, 'HOUR', 'END') = '2026-04-03 08:00'::TIMESTAMP",
                 SLOT, id="end of a slice"),
    pytest.param("snowflake", "TIME_SLICE(x, 15, 'YEAR') = '2015-01-01'::DATE",
                 "x >= DATE '2015-01-01' AND x < DATE '2030-01-01'", id="years of the reference"),
    pytest.param("bigquery", "TIMESTAMP_BUCKET(x, INTERVAL 4 HOUR) = TIMESTAMP '2026-04-03 04:00'",
                 SLOT, id="bigquery"),
    pytest.param("bigquery", "DATE_BUCKET(x, INTERVAL 2 DAY) < DATE '1950-01-03'",
                 "x < DATE '1950-01-03'", id="from 1950"),
    pytest.param("bigquery", "DATE_BUCKET(x, INTERVAL 2 DAY, DATE '1950-01-02') < '1950-01-03'",
                 "x < DATE '1950-01-04'", id="from another day"),
    pytest.param("postgres", "date_bin('15 minutes', x, TIMESTAMP '2001-01-01') ="
                 " TIMESTAMP '2026-04-03 00:15:00'", QUARTER, id="date_bin"),
    pytest.param("redshift", "TRUNC(x) = '2026-04-03'", NIGHT, id="trunc"),
    pytest.param("redshift", "TRUNC(x) < DATE '2026-04-03'", "x < DATE '2026-04-03'",
                 id="before a day"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "expected"), REFERENCES)
def test_buckets_begin_as_references_say(dialect: str, sql: str, expected: str) -> None:
    assert render(condition(sql, dialect, time_zone="UTC", types={"x": "timestamp"})) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("toStartOfFifteenMinutes(x) = toDateTime('2026-04-03 00:15:00')", QUARTER),
        ("toStartOfInterval(x, INTERVAL 15 MINUTE) = toDateTime('2026-04-03 00:15:00')", QUARTER),
        ("toStartOfInterval(x, INTERVAL 4 HOUR) = toDateTime('2026-04-03 04:00:00')", SLOT),
        ("toStartOfInterval(x, INTERVAL 1 WEEK) >= '2026-04-06'", "x >= DATE '2026-04-06'"),
        ("toStartOfInterval(x, INTERVAL 5 MONTH) >= '2026-04-06'", "x >= DATE '2026-09-01'"),
        ("toStartOfInterval(x, INTERVAL 4 YEAR) >= '2026-04-06'", "x >= DATE '2028-01-01'"),
        ("toDate(x) = '2026-04-03'", NIGHT),
        ("toDate(x) >= toDate('2026-04-03')", "x >= DATE '2026-04-03'"),
        ("CAST(x AS Date) = '2026-04-03'", NIGHT),
        ("toYear(x) = 2026", "x >= DATE '2026-01-01' AND x < DATE '2027-01-01'"),
        ("toYYYYMM(x) = 202604", "x >= DATE '2026-04-01' AND x < DATE '2026-05-01'"),
    ],
)
def test_clickhouse_has_no_times_beyond_its_types(sql: str, expected: str) -> None:
    found = condition(sql, "clickhouse", time_zone="UTC", types={"x": "timestamp"})
    within, rest = conjuncts(found)
    expected = f"({expected})" if "AND" in expected else expected
    beyond = "x < DATE '1970-01-01'", "x >= DATE '2106-01-01'"
    assert render(within) == f"{beyond[0]} OR {expected} OR {beyond[1]}"
    assert isinstance(rest, Unsupported)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "window(x, '10 minutes', '5 minutes').start = TIMESTAMP '2026-04-03'"),
        ("spark", "session_window(x, '5 minutes').start = TIMESTAMP '2026-04-03'"),
        ("spark", "window(x, '1 month').start = TIMESTAMP '2026-04-01'"),
        ("spark", "window(x, y).start = TIMESTAMP '2026-04-01'"),
        ("spark", "window(n, '1 day').start = TIMESTAMP '2026-04-01'"),
        ("snowflake", "TIME_SLICE(x, 1, 'WEEK') = '2026-04-06'::DATE"),
        ("snowflake", "TIME_SLICE(x, 0, 'DAY') = '2026-04-06'::DATE"),
        ("bigquery", "DATE_BUCKET(d, INTERVAL 1 MONTH, DATE '2026-01-15') = DATE '2026-04-15'"),
        ("clickhouse", "toStartOfInterval(x, INTERVAL 5 HOUR) = toDateTime('2026-04-03 05:00:00')"),
        ("clickhouse", "toDate(n) = '2026-04-03'"),
        ("clickhouse", "toDate(unknown) = '2026-04-03'"),
        ("clickhouse", "toDate(x, 'Asia/Tokyo') = '2026-04-03'"),
        ("clickhouse", "toYear(x, 'Asia/Tokyo') = 2026"),
        ("redshift", "TRUNC(n) = 5"),
        ("redshift", "TRUNC(unknown) = '2026-04-03'"),
        ("redshift", "TRUNC(x, 1) = '2026-04-03'"),
        ("duckdb", "time_bucket(INTERVAL '1 day', x, 'Europe/Berlin') = TIMESTAMP '2026-04-06'"),
        ("duckdb", "time_bucket(INTERVAL '3 days', x, INTERVAL '1 day') = TIMESTAMP '2026-04-06'"),
        ("postgres", "date_bin('1 month', x, TIMESTAMP '2001-01-05') = TIMESTAMP '2026-04-06'"),
        ("trino", "time_bucket(INTERVAL '1' DAY, x) = TIMESTAMP '2026-04-06'"),
    ],
)
def test_nothing_is_said_of_other_buckets(dialect: str, sql: str) -> None:
    types = {"x": "timestamp", "d": "date", "n": "int"}
    assert isinstance(condition(sql, dialect, time_zone="UTC", types=types), Unsupported)


SPARK_DAY = "window(x, '1 day').start = TIMESTAMP '2026-04-03 02:00:00'"


@pytest.mark.parametrize(
    ("dialect", "sql", "kind", "zone", "expected"),
    [
        ("spark", SPARK_DAY, "timestamptz", "Europe/Berlin",
         "x >= TIMESTAMP '2026-04-03 00:00:00 UTC' AND x < TIMESTAMP '2026-04-04 00:00:00 UTC'"),
        ("spark", SPARK_DAY, "timestamptz", None, None),
        ("spark", SPARK_DAY, "timestamp", "Europe/Berlin", None),
        ("spark", SPARK_DAY, None, "Europe/Berlin", None),
        ("snowflake", "TIME_SLICE(x, 1, 'DAY') = '2026-04-03'::DATE", "timestamp", None, NIGHT),
        ("snowflake", "TIME_SLICE(x, 1, 'DAY') = '2026-04-03'::DATE", "timestamptz", None, None),
        ("duckdb", "time_bucket(INTERVAL '1 day', x) = DATE '2026-04-03'", "timestamptz",
         "Asia/Tokyo", None),
    ],
)  # fmt: skip
def test_buckets_begin_by_one_clock(
    dialect: str, sql: str, kind: str | None, zone: str | None, expected: str | None
) -> None:
    types = {} if kind is None else {"x": kind}
    found = condition(sql, dialect, time_zone=zone, types=types)
    assert (None if isinstance(found, Unsupported) else render(found)) == expected
