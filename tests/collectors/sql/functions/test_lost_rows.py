"""Rows that laws once lost: found by random expressions that DuckDB, ClickHouse and Spark answered,
each with a row that its condition selects."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.unseen_forms.containers import kept_rows, predicate_of

_NOVEMBER = dt.date(2022, 11, 1)
LOST: list[tuple[str, str, dict[str, str], Any]] = [
    # A text of one or of two digits has no characters at places of its own.
    ("duckdb", "concat(month(d), 'x') = '11x'", {"d": "date"}, _NOVEMBER),
    ("spark", "concat(month(d), '/', year(d)) = '11/2022'", {"d": "date"}, _NOVEMBER),
    ("trino", "CAST(month(d) AS varchar) || '/' = '11/'", {"d": "date"}, _NOVEMBER),
    ("duckdb", "printf('%d/%d', month(d), year(d)) = '11/2022'", {"d": "date"}, _NOVEMBER),
    ("duckdb", "concat(month(d), '-') < '1-'", {"d": "date"}, dt.date(2022, 10, 1)),
    # Intervals of several units.
    ("duckdb", "ts > timestamp '2022-01-01' + interval '3 days -02:00:00'", {"ts": "timestamp"},
     dt.datetime(2022, 1, 3, 23)),
    ("duckdb", "ts = timestamp '2022-01-02' + interval '1 day ago'", {"ts": "timestamp"},
     dt.datetime(2022, 1, 1)),
    ("spark", "ts <= timestamp_ntz '2022-01-01' + interval '1 day 2 hours'", {"ts": "timestamp"},
     dt.datetime(2022, 1, 2, 2)),
    # ClickHouse leaves nulls out of lists.
    ("clickhouse", "not coalesce(n in (1, NULL), true)", {"n": "long"}, -60),
    ("clickhouse", "(n in (1, NULL, 7)) = 0", {"n": "long"}, 5),
    # Milliseconds of the minute.
    ("duckdb", "millisecond(ts) = 6060", {"ts": "timestamp"},
     dt.datetime(2022, 10, 16, 18, 31, 6, 60_238)),
    # Ends of months.
    ("duckdb", "date_sub('month', date '2022-01-31', d) = 3", {"d": "date"},
     dt.date(2022, 4, 30)),
    # Whole numbers of doubles, and days since 1970.
    ("duckdb", "(sign(x) // 2) >= 0", {"x": "double"}, -15.0),
    ("duckdb", "make_date(i) = date '1967-05-14'", {"i": "int"}, -963),
    # Nulls of arrays.
    ("duckdb", "coalesce(list_contains([1, 7], n), true)", {"n": "long"}, None),
    ("clickhouse", "splitByChar('-', s)[3] < 'c'", {"s": "string"}, None),
    # Days of 16 bits.
    ("clickhouse", "(toDate('2022-01-31') + i) > '2022-05-15'", {"i": "int"}, -32_767),
    # What a clock skips is read later than what comes after.
    ("spark", "timestampadd(DAY, 1, tz) >= '2024-03-31 03:20:00'", {"tz": "timestamptz"},
     dt.datetime(2024, 3, 30, 1, 25, tzinfo=dt.UTC)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "sql", "columns", "value"), [pytest.param(*each, id=each[1]) for each in LOST]
)
def test_the_row_stays(dialect: str, sql: str, columns: dict[str, str], value: Any) -> None:
    zone = "Europe/Berlin" if "tz" in columns else "UTC"
    predicate = predicate_of(sql, dialect, zone, columns)
    assert list(kept_rows(predicate, columns, [dict.fromkeys(columns, value)])) == [True]
