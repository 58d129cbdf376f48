"""Calls with any arguments, too few or too many among them, say something or nothing: no function
is taken for granted to have what it needs."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition

STARTED = dt.datetime(2026, 3, 10, 12, 0, tzinfo=dt.UTC)
FUNCTIONS = (
    *("year", "month", "day", "quarter", "week", "hour", "minute", "second", "day_of_week", "dow"),
    *("date_trunc", "trunc", "date", "to_date", "last_day", "make_date", "date_part", "weekofyear"),
    *("date_format", "strftime", "format_datetime", "date_parse", "parse_datetime", "to_timestamp"),
    *("from_unixtime", "to_unixtime", "unix_timestamp", "timestamp_seconds", "timestamp_micros"),
    *("date_add", "date_sub", "datediff", "date_diff", "add_months", "months_between", "dateadd"),
    *("from_iso8601_timestamp", "from_utc_timestamp", "convert_timezone", "at_timezone", "now"),
    *("lower", "upper", "trim", "length", "replace", "substr", "substring", "left", "split_part"),
    *("concat", "starts_with", "regexp_like", "contains", "json_extract_scalar", "element_at"),
    *("coalesce", "nvl", "if", "abs", "floor", "mod", "power", "greatest", "isnan", "cardinality"),
    *("years", "months", "days", "hours", "bucket", "truncate"),
)
ARGUMENTS = (
    "a",
    "b",
    "1",
    "2",
    "'x'",
    "'day'",
    "'yyyy-MM-dd'",
    "'2026-03-10'",
    "NULL",
    "*",
    "a + 1",
)
CONDITIONS = (
    *("{} = 5", "{} >= '2026-03-10'", "{} IN (1, 2)", "{} BETWEEN 1 AND 2", "{} LIKE 'a%'"),
    *("NOT {}", "{} IS NULL", "a = {}", "a > 1 AND {} = 5", "year(a) = 2026 AND {} = 3"),
)
DIALECTS = ("trino", "spark", "databricks", "hive", "athena", "snowflake", "bigquery", "duckdb")


@given(
    st.sampled_from(FUNCTIONS),
    st.lists(st.sampled_from(ARGUMENTS), max_size=4),
    st.sampled_from(CONDITIONS),
    st.sampled_from(DIALECTS),
)
def test_every_call_is_read_or_refused(
    name: str, arguments: list[str], around: str, dialect: str
) -> None:
    sql = around.format(f"{name}({', '.join(arguments)})")
    with suppress(PrunescopeError):
        render(condition(sql, dialect, started_at=STARTED, time_zone="UTC"))
