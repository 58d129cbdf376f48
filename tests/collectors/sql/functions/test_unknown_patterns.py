"""Nothing is ruled out by texts in patterns whose parts are not known."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import Unsupported
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.extraction.extract import condition

TYPES = {"d": "date", "ts": "timestamp", "n": "long", "s": "string", "x": "double"}

UNKNOWN = {
    "trino": (
        *("format('%1$tY-%1$tm', d) = '2022-03'", "format('%2$s/%1$s', s, n) = '1/a'"),
        *("format('%,d', n) = '2,022'", "format('%S', s) = 'A'"),
        *("format('%s', s, n) = 'a'", "format('%5d', n) = ' 2022'"),
    ),
    "spark": (
        *("format_string('%tY-%<tm', d) = '2022-03'", "format_string('%2$s', s, n) = '1'"),
        *("format_string('%x', n) = 'ff'", "format_string('%,d', n) = '2,022'"),
        *("format_string('%.1f', x) = '1.0'", "format_string('%.1s', s) = 'a'"),
        *("date_format(d, 'QQQ') = 'Q1'", "date_format(d, 'Q') = '1'", "date_format(d, 'F') = '1'"),
        *("date_format(d, 'yyyyy') = '02022'", "date_format(d, 'MMMMM') = 'M'"),
        "date_format(d, \"yyyy'a'MM\") = '2022a03'",
    ),
    "bigquery": (
        *("format('%t', d) = '2022-03-01'", "format(\"%'d\", n) = '2,022'"),
        *("format('%T', d) = 'DATE \"2022-03-01\"'", "format('%5d', n) = ' 2022'"),
        "cast(d as string format 'YYYY-MM') = '2022-03'",
        "cast(d as string format 'YYYYMM') between '202203' and '202204'",
    ),
    "clickhouse": (
        *("format('{}', toString(n)) = '2022'", "format('x{0}', s) = 'xa'"),
        *("formatDateTime(d, '%M %Y') = 'March 2022'", "formatDateTime(ts, '%M') = '05'"),
        "toStartOfInterval(d, interval 3 year) = '2022-01-01'",
    ),
    "duckdb": (
        *("format('{}', n) = '2022'", "format('{:d}', n) = '2022'", "format('{:,}', n) = '2,022'"),
        *("format('x{}', s) = 'xab'", "format('{}-Q{}', year(d), quarter(d)) = '2022-Q4'"),
        *("printf('%,d', n) = '2,022'", "printf('%.1f', x) = '1.0'"),
    ),
    "snowflake": ("to_char(d, 'MON YYYY') = 'Mar 2022'", "to_char(n, '9,999') = '2,022'"),
}


@pytest.mark.parametrize(
    ("dialect", "sql"), [(dialect, sql) for dialect, some in UNKNOWN.items() for sql in some]
)
def test_nothing_is_known(dialect: str, sql: str) -> None:
    found = condition(sql, dialect, types=TYPES, time_zone="UTC")
    assert all(isinstance(leaf, Unsupported) for leaf in leaves(found))


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "format('%s-%02d', year(d), month(d)) = '2022-03'"),
        ("spark", "format_string('%04d%%', n) = '2022%'"),
        ("spark", "date_format(ts, \"yyyy-MM-dd'T'HH:mm\") = '2022-03-01T05:00'"),
        ("duckdb", "printf('%d-%02d', year(d), month(d)) = '2022-03'"),
        ("clickhouse", "toStartOfInterval(d, interval 5 year) = '2020-01-01'"),
        ("clickhouse", "formatDateTime(ts, '%Y-%m-%d %H:%i') = '2022-03-01 05:00'"),
    ],
)
def test_others_are_ranges(dialect: str, sql: str) -> None:
    found = condition(sql, dialect, types=TYPES, time_zone="UTC")
    assert not all(isinstance(leaf, Unsupported) for leaf in leaves(found))
