"""Queries are told apart where something else is calculated, and not where it is compared with
something else."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.text.fingerprint import calculation, fingerprint
from prunescope.collectors.sql.text.parse import parse


def kinds(form: str, arguments: tuple[str, ...], dialect: str) -> set[tuple[str, ...]]:
    """What findings tell queries apart by, beside their filters."""
    conditions = [form.format(argument) for argument in arguments]
    trees = [parse(f"SELECT * FROM t WHERE {one}", dialect) for one in conditions]
    return {(fingerprint(tree), *calculation(tree)) for tree in trees}


@pytest.mark.parametrize(
    ("dialect", "form", "arguments"),
    [
        ("trino", "date_format(ts, {}) = 'a'", ("'%Y-%m-%d'", "'%d/%m/%Y'", "'%H'", "'%x-%v'")),
        ("trino", "format_datetime(ts, {}) = 'a'", ("'xxxx-ww'", "'YYYY-MM-dd'", "'HH''h'''")),
        ("trino", "date_trunc({}, CAST(ts AS date)) = d", ("'day'", "'week'", "'month'")),
        ("trino", "date_parse(dt, {}) > d", ("'%Y%m%d'", "'%d%m%Y'")),
        ("trino", "date(ts AT TIME ZONE {}) = d", ("'Europe/Berlin'", "'UTC'", "'+09:00'")),
        ("trino", "date(at_timezone(ts, {})) = d", ("'Asia/Tokyo'", "'UTC'", "'-03:00'")),
        ("trino", "substr(dt, {}) = 'a'", ("1, 4", "1, 7", "6, 2", "-2", "-4")),
        ("trino", "split_part(k, {}) = 'a'", ("'#', 1", "'#', 2", "'/', 1")),
        ("trino", "element_at(split(k, '#'), {}) = 'a'", ("1", "2")),
        ("trino", "i / {} = 1", ("100", "10000", "1000000")),
        ("trino", "to_unixtime(ts) / {} = 1", ("86400000", "3600000", "3600.0", "1e9")),
        ("trino", "date(ts + INTERVAL '{}' HOUR) = d", ("3", "5")),
        ("trino", "CAST((ts - INTERVAL '{}' HOUR) AS date) = d", ("3", "5")),
        ("trino", "date_trunc('day', date_add('hour', {}, ts)) = d", ("3", "-5")),
        ("trino", "i % {} = 1", ("7", "10")),
        ("trino", "round(x, {}) = 1", ("1", "2")),
        ("trino", "ts - INTERVAL '1' {} > d", ("DAY", "HOUR")),
        ("spark", "date_format(ts, {}) = 'a'", ("'yyyy-MM-dd'", "'yyyy-MM'", "'HH'")),
        ("spark", "from_unixtime(i, {}) = 'a'", ("'yyyy-MM-dd'", "'HH'")),
        ("spark", "to_date(dt, {}) = d", ("'yyyyMMdd'", "'ddMMyyyy'")),
        ("spark", "trunc(d, {}) = d", ("'MM'", "'YEAR'")),
        ("spark", "from_utc_timestamp(ts, {}) > d", ("'Europe/Berlin'", "'Asia/Tokyo'")),
        ("spark", "left(dt, {}) = 'a'", ("4", "7")),
        ("spark", "pmod(i, {}) = 1", ("5", "7")),
        ("spark", "i div {} = 1", ("10", "100")),
        ("spark", "window(ts, {}).start = d", ("'1 day'", "'1 hour'", "'1 day', '1 hour'")),
        ("snowflake", "TIME_SLICE(ts, {}) = d", ("4, 'HOUR'", "6, 'HOUR'", "4, 'HOUR', 'END'")),
        ("bigquery", "TIMESTAMP_BUCKET(ts, INTERVAL {}) = d", ("1 HOUR", "6 HOUR", "1 DAY")),
        ("clickhouse", "toStartOfInterval(ts, INTERVAL {}) = d", ("5 MINUTE", "15 MINUTE")),
        ("duckdb", "time_bucket(INTERVAL '{}', ts) = d", ("1 hour", "6 hours")),
        ("postgres", "date_bin('{}', ts, TIMESTAMP '2001-01-01') = d", ("1 hour", "6 hours")),
    ],
)
def test_something_else_is_calculated(dialect: str, form: str, arguments: tuple[str, ...]) -> None:
    assert len(kinds(form, arguments, dialect)) == len(arguments)


@pytest.mark.parametrize(
    ("dialect", "form", "arguments"),
    [
        ("trino", "date_format(ts, '%H') = {}", ("'01'", "'%H'")),
        ("trino", "ts > date_add('day', {}, current_date)", ("-7", "-30")),
        ("trino", "ts > now() - INTERVAL '{}' HOUR", ("9", "72")),
        ("trino", "ts + INTERVAL '{}' HOUR > now()", ("9", "72")),
        ("trino", "ts > date_trunc('day', now() - INTERVAL '{}' HOUR)", ("9", "72")),
        ("trino", "greatest(ts + INTERVAL '{}' HOUR, d) > now()", ("9", "72")),
        ("trino", "i > 4711081547 / {}", ("3", "4711")),
        ("trino", "date_diff('day', DATE '{}', ts) = 5", ("2026-01-01", "2026-02-03")),
        ("trino", "coalesce(c, {}) = 'a'", ("'?'", "'UTC'")),
        ("trino", "coalesce(i, {}) = 1", ("0", "1")),
        ("trino", "nullif(c, {}) = 'a'", ("''", "'-'")),
        ("trino", "abs(x - {}) < 1", ("5", "77")),
        ("trino", "strpos(c, {}) > 0", ("'anna'", "'%Y'")),
        ("trino", "regexp_like(c, {})", ("'^a'", "'^b'")),
        ("trino", "my_function(c, {}) = 1", ("'Anna Smith'", "'bob@example.com'")),
        ("trino", "my_function(c, {}) = 1", ("4711081547", "4711081548")),
        ("trino", "IF(c = 1, {}, 0) = 1", ("1", "2")),
        ("spark", "ts > date_sub(d, {})", ("7", "30")),
        ("spark", "d > add_months(e, {})", ("-1", "-12")),
    ],
)
def test_it_is_compared_with_something_else(
    dialect: str, form: str, arguments: tuple[str, ...]
) -> None:
    assert len(kinds(form, arguments, dialect)) == 1
