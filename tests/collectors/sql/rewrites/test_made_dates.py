"""What is asked of dates that are made of a column's, and of periods that are moved, is the range
of the days of which Python makes such dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from collectors.predicates.model import TRUE, Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS, Planner
from tests.collectors.sql.rewrites.test_implied_ranges import (
    DATES,
    DAYS,
    SIGNS,
    add_months,
    chosen,
    next_monday,
)

DAY = dt.timedelta(days=1)
HOURS = [dt.datetime(d.year, d.month, d.day, hour) for d in DAYS for hour in (0, 13, 23)]


def monday(day: dt.date) -> dt.date:
    return day - day.weekday() * DAY


def quarter(day: dt.date) -> dt.date:
    return dt.date(day.year, (day.month - 1) // 3 * 3 + 1, 1)


def last_day(day: dt.date) -> dt.date:
    return add_months(day.replace(day=1), 1) - DAY


FORMS: list[tuple[str, str, Callable[[dt.date], dt.date]]] = [
    ("spark", "date_trunc('week', date_add(d, 1))", lambda d: monday(d + DAY)),
    ("spark", "date_add(date_trunc('week', date_add(d, 1)), -1)", lambda d: monday(d + DAY) - DAY),
    ("spark", "date_sub(next_day(d, 'MON'), 7)", lambda d: next_monday(d) - 7 * DAY),
    ("spark", "last_day(add_months(d, -1))", lambda d: last_day(add_months(d, -1))),
    ("spark", "add_months(last_day(d), -1)", lambda d: add_months(last_day(d), -1)),
    ("spark", "trunc(add_months(d, 2), 'MM')", lambda d: add_months(d, 2).replace(day=1)),
    ("spark", "to_date(d + INTERVAL '1' MONTH)", lambda d: add_months(d, 1)),
    ("spark", "add_months(trunc(d, 'MM'), 1)", lambda d: add_months(d.replace(day=1), 1)),
    ("trino", "date_trunc('week', d + INTERVAL '1' DAY) - INTERVAL '1' DAY",
     lambda d: monday(d + DAY) - DAY),
    ("trino", "INTERVAL '2' DAY + date_trunc('week', d)", lambda d: monday(d) + 2 * DAY),
    ("trino", "date_trunc('quarter', date_add('month', -1, d))",
     lambda d: quarter(add_months(d, -1))),
    ("trino", "date_trunc('month', d) + INTERVAL '1' MONTH - INTERVAL '1' DAY", last_day),
    ("trino", "date_add('year', 1, date_trunc('year', d))",
     lambda d: dt.date(d.year + 1, 1, 1)),
    ("trino", "date_trunc('month', last_day_of_month(d))", lambda d: d.replace(day=1)),
]  # fmt: skip


@pytest.mark.parametrize(
    "step", [150, pytest.param(17, marks=[pytest.mark.slow, pytest.mark.exhaustive])]
)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "sql", "of"), FORMS)
def test_made_dates_are_those_of_python(
    sign: str, dialect: str, sql: str, of: Callable[[dt.date], dt.date], step: int
) -> None:
    made = [(day, of(day)) for day in DAYS]
    firsts = sorted({date for _, date in made[100:400:step]})
    known = 0
    for date in (*firsts, *map(dt.date.fromisoformat, DATES)):
        found = condition(f"{sql} {sign} DATE '{date}'", dialect, time_zone="UTC")
        if isinstance(found, Unsupported):
            assert date not in firsts
            continue
        known += 1
        wanted = [day for day, its in made if SIGNS[sign](its, date)]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)
    assert known >= len(firsts)


TIMES: list[tuple[str, str, Callable[[dt.datetime], Any]]] = [
    ("trino", "CAST(ts + INTERVAL '1' MONTH AS date) {} DATE '2024-02-29'",
     lambda t: (add_months(t.date(), 1), dt.date(2024, 2, 29))),
    ("trino", "year(date_add('month', 11, ts)) {} 2025",
     lambda t: (add_months(t.date(), 11).year, 2025)),
    ("spark", "date_format(ts - INTERVAL 1 YEAR, 'yyyy-MM') {} '2024-02'",
     lambda t: (f"{add_months(t.date(), -12):%Y-%m}", "2024-02")),
    ("trino", "INTERVAL '-1' DAY + date_trunc('week', ts) {} TIMESTAMP '2024-06-02 00:00:00'",
     lambda t: (monday(t.date()) - DAY, dt.date(2024, 6, 2))),
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "sql", "sides"), TIMES)
def test_times_are_as_their_dates(
    sign: str, dialect: str, sql: str, sides: Callable[[dt.datetime], tuple[Any, Any]]
) -> None:
    found = condition(sql.format(sign), dialect, time_zone="UTC")
    wanted = [time for time in HOURS if SIGNS[sign](*sides(time))]
    assert chosen(found, "ts", HOURS, pa.timestamp("us")) == wanted, render(found)


@pytest.mark.parametrize(
    ("dialect", "sql", "selects"),
    [
        ("spark", "year(add_months(d, -1)) = 2025 AND quarter(add_months(d, -1)) = 2",
         lambda d: quarter(add_months(d, -1)) == dt.date(2025, 4, 1)),
        ("trino", "year(d + INTERVAL '3' MONTH) = 2025 AND month(d + INTERVAL '3' MONTH) < 3",
         lambda d: dt.date(2025, 1, 1) <= add_months(d, 3) < dt.date(2025, 3, 1)),
        ("spark", "year(date_sub(d, 5)) = 2024 AND month(date_sub(d, 5)) IN (2, 3)",
         lambda d: dt.date(2024, 2, 1) <= d - 5 * DAY < dt.date(2024, 4, 1)),
        ("trino", "year(at_timezone(d, 'UTC')) = 2024 AND month(at_timezone(d, 'UTC')) = 5",
         lambda d: (d.year, d.month) == (2024, 5)),
        ("trino", "year(d - INTERVAL '5' DAY) = 2024 AND quarter(d - INTERVAL '5' DAY) = 1",
         lambda d: quarter(d - 5 * DAY) == dt.date(2024, 1, 1)),
    ],
)  # fmt: skip
def test_parts_of_made_dates_belong_together(
    dialect: str, sql: str, selects: Callable[[dt.date], bool]
) -> None:
    found = condition(sql, dialect, time_zone="UTC")
    wanted = [day for day in DAYS if selects(day)]
    assert wanted
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    "sql",
    [
        # Years of another date.
        "year(date_add('month', 1, d)) = 2025 AND month(date_add('month', 2, d)) = 3",
        "year(d) = 2025 AND month(date_add('month', 1, d)) = 3",
        "date_trunc('week', d) + INTERVAL '1' MONTH = DATE '2025-02-03'",
        "date_trunc('month', d) - INTERVAL '1' DAY + INTERVAL '1' MONTH = DATE '2025-02-28'",
        "date_trunc('hour', ts) + INTERVAL '1' DAY = TIMESTAMP '2025-02-03 00:00:00'",
        "date_trunc('day', ts) + INTERVAL '1' HOUR = TIMESTAMP '2025-02-03 01:00:00'",
        "year(date_add('month', n, d)) = 2025",
        "year(date_add('month', 1, d)) = year(d)",
    ],
)
def test_others_are_not_taken_together(sql: str) -> None:
    found = condition(sql, "trino", time_zone="UTC")
    parts = getattr(found, "children", (found,))
    assert isinstance(parts[-1], Unsupported)


@pytest.mark.parametrize("zone", ["Europe/Berlin", None])
def test_instants_of_other_clocks_are_not_moved(zone: str | None) -> None:
    for sql in (
        "date_trunc('week', ts) - INTERVAL '1' DAY = TIMESTAMP '2024-06-02 00:00:00'",
        "CAST(date_trunc('week', ts) - INTERVAL '1' DAY AS date) = DATE '2024-06-02'",
    ):
        assert isinstance(condition(sql, "trino", time_zone=zone), Unsupported), sql


@pytest.mark.parametrize(
    "sql",
    [
        "year(add_months(d, 1)) = 2025",
        "trunc(d, 'MM') + INTERVAL '1' MONTH = DATE '2025-02-01'",
        "date_format(d, 'dd.MM.yyyy') = '01.02.2025'",
        "to_date(date_format(d, 'yyyy-MM-01')) = DATE '2025-02-01'",
    ],
)
def test_months_of_hive_end_otherwise(sql: str) -> None:
    assert isinstance(condition(sql, "hive", time_zone="UTC"), Unsupported)


@pytest.mark.parametrize("planner", PLANNERS)
def test_no_planner_is_taken_to_push_them(planner: Planner) -> None:
    sql = "year(date_add('month', 1, d)) = 2025"
    assert condition(sql, "trino", planner=planner) == TRUE
