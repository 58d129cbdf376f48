"""Functions of constants are constants where engines agree; Trino 483 was seen to plan by these."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

import pytest

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.parse import parse_condition
from tests.collectors.sql.constants.moments import plain


def folded(dialect: str, sql: str) -> object:
    session = Session(dialect, dt.datetime(2026, 3, 15, 1, tzinfo=dt.UTC), "UTC")
    return fold(parse_condition(sql, dialect), session)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("trino", "abs(-5)", 5),
        ("spark", "abs(CAST(-1.50 AS DECIMAL(9, 2)))", Decimal("1.50")),
        ("trino", "abs(NULL)", NULL),
        ("trino", "least(7, 5, 9)", 5),
        ("trino", "greatest('ab', 'b')", "b"),
        ("spark", "least(DATE '2024-03-01', DATE '2024-02-29')", dt.date(2024, 2, 29)),
        ("trino", "upper('aB')", "AB"),
        ("spark", "lower('AB')", "ab"),
        ("trino", "infinity()", math.inf),
        ("trino", "1 = 1", True),
        ("trino", "NOT (1 = 1)", False),
        ("trino", "1 < NULL", NULL),
        (
            "trino",
            "date_parse('2024-02-29', '%Y-%m-%d')",
            Timestamp(1_709_164_800 * 10**9, zoned=False),
        ),
        (
            "trino",
            "date_parse('2024-02', '%Y-%m')",
            Timestamp(1_706_745_600 * 10**9, zoned=False, digits=3),
        ),
        (
            "trino",
            "date_parse('29.02.2024 12:30:00', '%d.%m.%Y %T')",
            Timestamp(1_709_209_800 * 10**9, zoned=False),
        ),
        (
            "trino",
            "parse_datetime('2024-02-29 12:30', 'yyyy-MM-dd HH:mm')",
            Timestamp(1_709_209_800 * 10**9, zoned=True),
        ),
        ("trino", "date(parse_datetime('20240229', 'yyyyMMdd'))", dt.date(2024, 2, 29)),
        ("trino", "from_unixtime(1709209800)", Timestamp(1_709_209_800 * 10**9, zoned=True)),
        ("trino", "from_unixtime(0.5)", Timestamp(5 * 10**8, zoned=True)),
        ("trino", "from_unixtime(0.0005)", Timestamp(10**6, zoned=True)),
        ("spark", "timestamp_seconds(1709209800)", Timestamp(1_709_209_800 * 10**9, zoned=True)),
        ("trino", "CAST('ab' AS char(4))", "ab"),
        ("spark", "CAST(-5 AS STRING)", "-5"),
        ("spark", "round(-2.5)", Decimal(-3)),
        ("spark", "round(4.567, 2)", Decimal("4.57")),
        ("spark", "CAST(round(4.5) AS INT)", 5),
        ("spark", "round(4.5e0)", 5.0),
        ("spark", "'2026-01-05' + INTERVAL 1 DAY", "2026-01-06 00:00:00"),
    ],
)
def test_calls_that_are_constants(dialect: str, sql: str, expected: object) -> None:
    found = folded(dialect, sql)
    assert (type(plain(found)), found) == (type(expected), expected)


def test_nan_is_one() -> None:
    assert math.isnan(folded("trino", "nan()"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        pytest.param("clickhouse", "least(1, NULL)", id="null-by-setting"),
        pytest.param("trino", "greatest(1e0, nan())", id="greatest-of-nan"),
        pytest.param("trino", "nan() = 1e0", id="nan"),
        pytest.param("trino", "upper('ŉ')", id="several-letters"),
        pytest.param("trino", "lower('Σ')", id="by-what-is-beside"),
        pytest.param("trino", "date_parse('2024-2-9', '%Y-%m-%d')", id="fewer-digits"),
        pytest.param("trino", "date_parse('2024-02-30', '%Y-%m-%d')", id="no-day"),
        pytest.param("trino", "date_parse('29', '%d')", id="no-date"),
        pytest.param("trino", "date_parse('24-02-29', '%y-%m-%d')", id="short-year"),
        pytest.param("trino", "parse_datetime('2024-2-9', 'yyyy-M-d')", id="other-letters"),
        pytest.param("trino", "parse_datetime('2024-02-29', '%Y-%m-%d')", id="another-pattern"),
        pytest.param("postgres", "abs(-5)", id="not-measured"),
    ],
)
def test_other_calls_are_not_known(dialect: str, sql: str) -> None:
    with pytest.raises(CannotConvert):
        folded(dialect, sql)
