"""Parts of dates beside several years, and weeks beside a year, are the ranges of the days of which
Python finds as much."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, SIGNS, chosen

YEARS: list[tuple[str, Callable[[dt.date], bool]]] = [
    ("year(d) IN (2024, 2025)", lambda d: d.year in (2024, 2025)),
    ("year(d) IN (2023, 2025)", lambda d: d.year in (2023, 2025)),
    ("year(d) BETWEEN 2024 AND 2026", lambda d: 2024 <= d.year <= 2026),
    ("year(d) >= 2024 AND 2026 > year(d)", lambda d: d.year in (2024, 2025)),
    ("2023 < year(d) AND year(d) <= 2026 AND year(d) <> 2025", lambda d: d.year in (2024, 2026)),
    ("EXTRACT(YEAR FROM d) = 2025", lambda d: d.year == 2025),
]
PARTS: list[tuple[str, Callable[[dt.date], int], int]] = [
    ("month(d)", lambda d: d.month, 11),
    ("quarter(d)", lambda d: (d.month + 2) // 3, 1),
    ("week(d)", lambda d: d.isocalendar().week, 1),
    ("week(d)", lambda d: d.isocalendar().week, 46),
    ("week(d)", lambda d: d.isocalendar().week, 52),
    ("day_of_year(d)", lambda d: d.timetuple().tm_yday, 60),
]


@pytest.mark.parametrize("sign", [*SIGNS, "<>"])
@pytest.mark.parametrize(("part", "of", "number"), PARTS)
@pytest.mark.parametrize(("years", "is_of"), YEARS)
def test_parts_beside_years_are_ranges(
    sign: str,
    part: str,
    of: Callable[[dt.date], int],
    number: int,
    years: str,
    is_of: Callable[[dt.date], bool],
) -> None:
    found = condition(f"{part} {sign} {number} AND {years}", "trino", time_zone="UTC")
    holds = {**SIGNS, "<>": operator.ne}[sign]
    wanted = [day for day in DAYS if is_of(day) and holds(of(day), number)]
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    ("sql", "selects"),
    [
        ("month(d) IN (2, 3) AND year(d) IN (2024, 2025)",
         lambda d: d.month in (2, 3) and d.year in (2024, 2025)),
        ("month(d) = 2 AND year(d) IN (2024, 2025) AND day(d) BETWEEN 20 AND 26",
         lambda d: d.month == 2 and d.year in (2024, 2025) and 20 <= d.day <= 26),
        ("month(d) BETWEEN 5 AND 6 AND year(d) IN (2024, 2025) AND day(d) > 7",
         lambda d: d.month in (5, 6) and d.year in (2024, 2025) and d.day > 7),
        ("week(d) BETWEEN 45 AND 46 AND year(d) = 2024",
         lambda d: d.isocalendar().week in (45, 46) and d.year == 2024),
        ("week(d) BETWEEN 1 AND 2 AND year(d) = 2024",
         lambda d: d.isocalendar().week in (1, 2) and d.year == 2024),
        ("year_of_week(d) IN (2024, 2025) AND week(d) < 6",
         lambda d: d.isocalendar()[0] in (2024, 2025) and d.isocalendar()[1] < 6),
        ("year_of_week(d) BETWEEN 2024 AND 2025 AND week(d) = 1",
         lambda d: d.isocalendar()[0] in (2024, 2025) and d.isocalendar()[1] == 1),
        ("year(d) IN (2024, 2025) AND (month(d) = 3 OR quarter(d) = 4)",
         lambda d: d.year in (2024, 2025) and (d.month == 3 or d.month > 9)),
        ("year(d) BETWEEN 2020 AND 2100 AND year(d) < 2025 AND month(d) = 11",
         lambda d: d.year < 2025 and d.month == 11),
        ("year(d) = 2025 AND month(d) >= 2 AND month(d) < 4 AND day(d) > 27",
         lambda d: d.year == 2025 and d.month in (2, 3) and d.day > 27),
        ("year(d) IN (2024, 2025) AND year(d) = 2025 AND month(d) = 1",
         lambda d: (d.year, d.month) == (2025, 1)),
    ],
)  # fmt: skip
def test_several_parts_belong_together(sql: str, selects: Callable[[dt.date], bool]) -> None:
    found = condition(sql, "trino", time_zone="UTC")
    wanted = [day for day in DAYS if selects(day)]
    assert wanted
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    "years",
    [
        "year(d) NOT IN (2024, 2025)",
        "year(d) IN (2024, NULL)",
        "year(d) IN (2024, year(e))",
        "year(d) BETWEEN 1900 AND 2025",
        "year(d) BETWEEN 2025 AND 2024",
        "year(e) IN (2024, 2025)",
        "year(d) >= 2024",
        "year(d) >= 2024 AND year(e) <= 2025",
        "year(d) >= 2024 AND year(d) <= n",
        "year(d) >= 2024 AND NOT (year(d) <= 2025)",
        "year(d) > 2024 AND year(d) < 2025",
    ],
)
def test_other_years_tell_no_months(years: str) -> None:
    found = condition(f"{years} AND month(d) = 3", "trino", time_zone="UTC")
    assert isinstance(getattr(found, "children", (found,))[-1], Unsupported)
