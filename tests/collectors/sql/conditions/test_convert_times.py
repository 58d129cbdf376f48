"""Functions of dates and times become ranges, and constant expressions their values."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import (
    FALSE,
    And,
    Column,
    Comparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.extraction.extract import condition
from tests.collectors.sql.conditions.test_convert import leaf, read
from tests.collectors.sql.constants.moments import plain

D1, D2 = dt.date(2024, 2, 1), dt.date(2024, 3, 1)
FEBRUARY = And((leaf(Op.GT_EQ, "x", D1), leaf(Op.LT, "x", D2)))
YEAR = And((leaf(Op.GT_EQ, "x", dt.date(2024, 1, 1)), leaf(Op.LT, "x", dt.date(2025, 1, 1))))
FIRST = And((leaf(Op.GT_EQ, "x", D1), leaf(Op.LT, "x", dt.date(2024, 2, 2))))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("date_trunc('month', x) = DATE '2024-02-01'", FEBRUARY, id="month ="),
        pytest.param("date_trunc('month', x) = DATE '2024-02-02'", FALSE, id="month = no start"),
        pytest.param("date_trunc('month', x) <> DATE '2024-02-02'", leaf(Op.NOT_NULL, "x"),
                     id="month <> no start"),
        pytest.param("date_trunc('month', x) > DATE '2024-02-02'", leaf(Op.GT_EQ, "x", D2),
                     id="month >"),
        pytest.param("date_trunc('month', x) >= DATE '2024-02-01'", leaf(Op.GT_EQ, "x", D1),
                     id="month >= start"),
        pytest.param("date_trunc('month', x) < DATE '2024-02-02'", leaf(Op.LT, "x", D2),
                     id="month <"),
        pytest.param("date_trunc('month', x) <= DATE '2024-02-01'", leaf(Op.LT, "x", D2),
                     id="month <="),
        pytest.param("year(x) = 2024", YEAR, id="year"),
        pytest.param("extract(YEAR FROM x) = 2024", YEAR, id="extract year"),
        pytest.param("NOT year(x) = 2024",
                     Or((leaf(Op.LT, "x", dt.date(2024, 1, 1)),
                         leaf(Op.GT_EQ, "x", dt.date(2025, 1, 1)))), id="not year"),
        pytest.param("year(x) > 2023.5", leaf(Op.GT_EQ, "x", dt.date(2024, 1, 1)),
                     id="year and a half"),
        pytest.param("year(x) IS DISTINCT FROM 2024",
                     Or((leaf(Op.LT, "x", dt.date(2024, 1, 1)),
                         leaf(Op.GT_EQ, "x", dt.date(2025, 1, 1)), leaf(Op.IS_NULL, "x"))),
                     id="null-safe"),
        pytest.param("CAST(x AS date) = DATE '2024-02-01'", FIRST, id="cast to date"),
        pytest.param("date(x) = DATE '2024-02-01'", FIRST, id="date()"),
        pytest.param("x::date = DATE '2024-02-01'", FIRST, id="double colon"),
        pytest.param("CAST(date_trunc('month', x) AS date) = DATE '2024-02-01'", FEBRUARY,
                     id="cast of a truncation"),
        pytest.param("CAST(x AS date) IN (DATE '2024-02-01', NULL)", FIRST, id="in"),
        pytest.param("date_trunc('hour', x) < TIMESTAMP '2024-02-01 10:30:00'",
                     leaf(Op.LT, "x", Timestamp(1_706_785_200 * 10**9, zoned=False)), id="hour"),
        pytest.param("date_trunc('week', x) >= DATE '2024-02-01'",
                     leaf(Op.GT_EQ, "x", dt.date(2024, 2, 5)), id="weeks start on monday"),
        pytest.param("date_trunc('quarter', x) <= DATE '2024-02-01'",
                     leaf(Op.LT, "x", dt.date(2024, 4, 1)), id="quarter"),
    ],
)  # fmt: skip
def test_date_functions_become_ranges(sql: str, expected: Predicate) -> None:
    assert read(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("to_date(x) = '2024-02-01'", id="to_date"),
        pytest.param("CAST(x AS date) = '2024-02-01'", id="cast compared with text"),
        pytest.param("trunc(x, 'DD') = DATE '2024-02-01'", id="trunc"),
        pytest.param("date_trunc('DAY', CAST(x AS timestamp)) = DATE '2024-02-01'", id="nested"),
    ],
)
def test_spark_has_date_functions_of_its_own(sql: str) -> None:
    assert read(sql, "spark") == FIRST


def test_trino_reads_zoned_columns_in_utc_so_both_clocks_are_covered() -> None:
    found = read("CAST(x AS date) >= DATE '2024-02-01'", time_zone="Europe/Berlin")
    in_utc = leaf(Op.GT_EQ, "x", Timestamp(1_706_745_600 * 10**9, zoned=True))
    assert found == Or((leaf(Op.GT_EQ, "x", D1), in_utc))


def test_hours_that_a_clock_repeats_are_not_unwrapped() -> None:
    sql = "date_trunc('hour', x) = TIMESTAMP '2024-10-27 02:00:00'"
    assert isinstance(read(sql, "spark", "Europe/Berlin"), Unsupported)
    assert isinstance(read(sql, "spark", "UTC"), And)


@pytest.mark.parametrize(
    ("sql", "path", "transform", "value"),
    [
        pytest.param("system.days(ts) = DATE '2024-02-01'", ("ts",), "day", D1, id="days"),
        pytest.param("lake.system.bucket(16, id) = 3", ("id",), "bucket[16]", 3, id="bucket"),
        pytest.param("system.truncate(10, s) = 'x'", ("s",), "truncate[10]", "x", id="truncate"),
        pytest.param("system.years(st.ts) = 54", ("st", "ts"), "year", 54, id="years of a field"),
    ],
)
def test_icebergs_functions_in_spark_are_transforms(
    sql: str, path: tuple[str, ...], transform: str, value: LiteralValue
) -> None:
    assert read(sql, "spark") == Comparison(Op.EQ, Column(path, transform), (value,))


def _nanos(*parts: int) -> int:
    return int(dt.datetime(*parts, tzinfo=dt.UTC).timestamp()) * 10**9  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        pytest.param("12", 12, id="integer"),
        pytest.param("1.50", Decimal("1.50"), id="decimal"),
        pytest.param("1e3", 1000.0, id="double"),
        pytest.param("-5", -5, id="minus"),
        pytest.param(".06 - 0.01", Decimal("0.05"), id="decimal difference"),
        pytest.param("2 * (3 + 4)", 14, id="product"),
        pytest.param("-7 / 2", -3, id="integer division truncates"),
        pytest.param("-7 % 3", -1, id="remainder has the sign of the dividend"),
        pytest.param("DECIMAL '0.99'", Decimal("0.99"), id="decimal literal keeps its scale"),
        pytest.param("CAST('0.96' AS decimal(3, 1))", Decimal("1.0"), id="cast rounds"),
        pytest.param("CAST('12' AS bigint)", 12, id="cast to integer"),
        pytest.param("CAST(0.1 AS real)", 0.10000000149011612, id="single precision"),
        pytest.param("'a' || 'b' || 'c'", "abc", id="concatenation"),
        pytest.param("X'00ff'", b"\x00\xff", id="binary"),
        pytest.param("true", True, id="boolean"),
        pytest.param("DATE '2024-01-31' + INTERVAL '1' MONTH", dt.date(2024, 2, 29), id="end"),
        pytest.param("DATE '2024-02-29' - INTERVAL '1' YEAR", dt.date(2023, 2, 28), id="leap year"),
        pytest.param("DATE '2024-03-01' - INTERVAL '2' WEEK", dt.date(2024, 2, 16), id="weeks"),
        pytest.param("date('1994-01-01') + INTERVAL '1' YEAR", dt.date(1995, 1, 1), id="date()"),
        pytest.param("date_add('day', -7, DATE '2024-01-03')", dt.date(2023, 12, 27), id="add"),
        pytest.param("TIMESTAMP '2024-01-01 00:00:00.123456789'",
                     Timestamp(_nanos(2024, 1, 1) + 123_456_789, zoned=False), id="nanoseconds"),
        pytest.param("TIMESTAMP '2024-01-01 00:00:00 +02:00'",
                     Timestamp(_nanos(2023, 12, 31, 22), zoned=True), id="offset"),
        pytest.param("TIMESTAMP '2024-07-01 00:00:00 Europe/Berlin'",
                     Timestamp(_nanos(2024, 6, 30, 22), zoned=True), id="zone"),
        pytest.param("TIMESTAMP '2024-01-01 00:00:00' - INTERVAL '90' MINUTE",
                     Timestamp(_nanos(2023, 12, 31, 22, 30), zoned=False), id="minutes"),
        pytest.param("now()", Timestamp(_nanos(2024, 3, 31, 12), zoned=True), id="now"),
        pytest.param("current_timestamp - INTERVAL '1' DAY",
                     Timestamp(_nanos(2024, 3, 30, 12), zoned=True), id="yesterday"),
        pytest.param("current_date", dt.date(2024, 3, 31), id="current_date"),
        pytest.param("localtimestamp", Timestamp(_nanos(2024, 3, 31, 14), zoned=False), id="local"),
        pytest.param("date_trunc('month', now())", Timestamp(_nanos(2024, 2, 29, 23), zoned=True),
                     id="month of now"),
    ],
)  # fmt: skip
def test_constants_are_folded(sql: str, value: LiteralValue) -> None:
    found = read(f"a = {sql}", time_zone="Europe/Berlin")
    assert found == leaf(Op.EQ, "a", value)
    assert type(plain(found.values[0])) is type(value)


def test_a_day_ago_is_24_hours_in_trino_and_a_day_of_the_clock_in_spark() -> None:
    values = [
        read("a > now() - INTERVAL '1' DAY", dialect, "Europe/Berlin")
        for dialect in ("trino", "spark")
    ]
    hours = [(_nanos(2024, 3, 31, 12) - v.values[0].nanos) // (3600 * 10**9) for v in values]  # type: ignore[union-attr]
    assert hours == [24, 23]


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("now()", id="now"),
        pytest.param("current_date", id="today"),
        pytest.param("INTERVAL '1' DAY", id="interval"),
        pytest.param("DATE '9999-12-31' + INTERVAL '1' DAY", id="beyond the calendar"),
        pytest.param("DATE '2024-13-01'", id="no such date"),
        pytest.param("1 / 0", id="division by zero"),
        pytest.param("CAST('0.99' AS decimal)", id="decimal without scale rounds in trino"),
        pytest.param("CAST('x' AS integer)", id="no number"),
        pytest.param("*".join(["9" * 300] * 300), id="a number beyond all"),
    ],
)
def test_what_has_no_certain_value_is_not_constant(sql: str) -> None:
    found = condition(f"a = {sql}", "trino")
    assert isinstance(found, Unsupported)
    assert found.reason is Reason.NOT_CONSTANT
