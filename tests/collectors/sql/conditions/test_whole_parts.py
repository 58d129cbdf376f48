"""Casts and roundings around the parts of dates leave them as they are: the rows are those that
Python finds by the parts, where conditions are told to be ranges and nothing else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import chosen

DAYS = [
    dt.date(year, month, day)
    for year in (1, 999, 1000, 2019, 2020, 2021, 9998)
    for month, day in ((1, 1), (2, 28), (3, 1), (3, 31), (12, 31))
]
DAYS += [dt.date(2020, 2, 29), dt.date(1582, 10, 15), dt.date(1969, 12, 31)]
BOTH = ("trino", "spark")
Test = Callable[[dt.date], bool]

NUMBERS: list[tuple[str, tuple[str, ...], Test]] = [
    ("CAST({} AS bigint) = 2020", BOTH, lambda d: d.year == 2020),
    ("2020 < CAST({} AS bigint)", BOTH, lambda d: d.year > 2020),
    ("CAST({} AS double) >= 2020.5", BOTH, lambda d: d.year > 2020),
    ("CAST({} AS decimal(12, 2)) <= 2019", BOTH, lambda d: d.year <= 2019),
    ("floor({}) BETWEEN 1000 AND 2019", BOTH, lambda d: 1000 <= d.year <= 2019),
    ("round({}) NOT BETWEEN 2020 AND 2021", BOTH, lambda d: not 2020 <= d.year <= 2021),
    ("ceil({}) IN (999, 2021)", BOTH, lambda d: d.year in (999, 2021)),
    ("CAST(round({}, 0) AS int) <> 2020", BOTH, lambda d: d.year != 2020),
    ("NOT (CAST(CAST({} AS bigint) AS int) = 2020)", BOTH, lambda d: d.year != 2020),
    ("CAST(TRUNCATE({}) AS bigint) = 2020", ("trino",), lambda d: d.year == 2020),
    ("truncate({}) > 2020", ("trino",), lambda d: d.year > 2020),
    ("try_cast({} AS real) = 2020", ("trino",), lambda d: d.year == 2020),
    ("bigint({}) = 2020", ("spark",), lambda d: d.year == 2020),
    ("double({}) < 1000", ("spark",), lambda d: d.year < 1000),
    ("CAST({} AS varchar(4)) = '2020'", BOTH, lambda d: d.year == 2020),
    ("'2020' <> CAST({} AS varchar(9))", BOTH, lambda d: d.year != 2020),
    ("CAST(CAST({} AS bigint) AS varchar(9)) IN ('999', '2021')", BOTH,
     lambda d: d.year in (999, 2021)),
    ("CAST({} AS varchar(9)) NOT IN ('2020', '2021')", BOTH,
     lambda d: d.year not in (2020, 2021)),
    ("CAST({0} AS bigint) * 100 + CAST(month(d) AS bigint) = 202003", BOTH,
     lambda d: (d.year, d.month) == (2020, 3)),
    ("CAST({} AS bigint) = 2020 AND CAST(month(d) AS int) = 3", BOTH,
     lambda d: (d.year, d.month) == (2020, 3)),
    ("floor({}) = 2020 AND round(quarter(d)) = 1 AND floor(month(d)) < 3", BOTH,
     lambda d: d.year == 2020 and d.month < 3),
    ("CAST({} AS varchar(4)) = '2020' AND CAST(month(d) AS varchar(2)) IN ('2', '12')", BOTH,
     lambda d: d.year == 2020 and d.month in (2, 12)),
    ("CAST({} AS int) = 2020 AND CAST(month(d) AS int) = 2 AND CAST(day(d) AS int) > 28", BOTH,
     lambda d: d == dt.date(2020, 2, 29)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "sql", "holds"),
    [
        pytest.param(dialect, sql, holds, id=f"{dialect}: {sql}")
        for sql, dialects, holds in NUMBERS
        for dialect in dialects
    ],
)
@pytest.mark.parametrize("part", ["year(d)", "EXTRACT(YEAR FROM d)"])
def test_casts_and_roundings_leave_a_part(dialect: str, sql: str, holds: Test, part: str) -> None:
    found = condition(sql.format(part), dialect, time_zone="UTC")
    wanted = [day for day in DAYS if holds(day)]
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted
    assert wanted


DIGITS = [
    ("trino", "CAST(date_format(d, '%Y') AS bigint)", "CAST(date_format(d, '%m') AS int)"),
    ("spark", "CAST(date_format(d, 'yyyy') AS int)", "CAST(date_format(d, 'MM') AS bigint)"),
]


@pytest.mark.parametrize(("dialect", "year", "month"), DIGITS)
def test_digits_of_a_part_are_the_part(dialect: str, year: str, month: str) -> None:
    found = condition(f"{year} = 2020 AND {month} >= 3", dialect, time_zone="UTC")
    wanted = [day for day in DAYS if day.year == 2020 and day.month >= 3]
    assert chosen(found, "d", DAYS, pa.date32()) == wanted


@pytest.mark.parametrize(("dialect", "text"), [("trino", "varchar"), ("spark", "string")])
@pytest.mark.parametrize("ends", [("2020", "2021"), ("1000", "2019")])
def test_texts_of_years_in_order(dialect: str, text: str, ends: tuple[str, str]) -> None:
    sql = f"CAST(year(d) AS {text}) BETWEEN '{ends[0]}' AND '{ends[1]}'"
    kept = chosen(condition(sql, dialect, time_zone="UTC"), "d", DAYS, pa.date32())
    assert {day for day in DAYS if ends[0] <= str(day.year) <= ends[1]} <= set(kept)
    assert dt.date(9998, 1, 1) not in kept


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        # What these make of a part is no part.
        ("trino", "CAST(CAST(year(d) AS double) AS varchar) = '2020'"),
        ("trino", "CAST(truncate(year(d)) AS varchar) = '2020'"),
        ("trino", "truncate(year(d)) / 4 = 505"),
        ("trino", "CAST(year(d) AS double) / 4 = 505.5"),
        ("trino", "round(year(d), -1) = 2020"),
        # Years of more digits are null, or an error.
        ("trino", "CAST(year(d) AS decimal(9, 0)) = 2020"),
        ("spark", "CAST(year(d) AS smallint) = 2020"),
        # Hours and seconds, of which some are fractions.
        ("spark", "CAST(extract(SECOND FROM ts) AS int) = 20"),
        # No text of a number.
        ("trino", "CAST(month(d) AS varchar) = '03' AND year(d) > 0"),
        ("trino", "CAST(month(d) AS varchar) > '3' AND year(d) > 0"),
    ],
)
def test_others_say_nothing_of_a_part(dialect: str, sql: str) -> None:
    found = condition(sql, dialect, time_zone="UTC")
    parts = getattr(found, "children", (found,))
    assert isinstance(parts[0], Unsupported)


def test_what_is_told_is_shown_as_it_was_written() -> None:
    sql = "CAST(year(d) AS VARCHAR) = '2020'"
    found = condition(sql, "trino", time_zone="UTC")
    assert {part.written.text for part in found.children} == {  # type: ignore[union-attr]
        "CAST(YEAR(d) AS VARCHAR) = '2020'"
    }
