"""Days that begin at another hour are the range of the times of which Python has the same day."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import TRUE, Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import leaves
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.sql.rewrites.test_implied_ranges import SIGNS, chosen

DAY = dt.timedelta(1)
TIMES = [
    dt.datetime(2026, 11, 17) + dt.timedelta(hours=hour, microseconds=beside)
    for hour in range(5 * 24)
    for beside in (-1, 0)
]
FORMS: list[tuple[str, str, int]] = [
    ("trino", "CASE WHEN hour(ts) >= 6 THEN date(ts) ELSE date(ts) - INTERVAL '1' DAY END", -6),
    ("trino", "IF(EXTRACT(HOUR FROM ts) < 4, date_add('day', -1, date(ts)), CAST(ts AS date))", -4),
    ("trino", "IF(hour(ts) > 17, date_add('day', 1, date(ts)), date(ts))", 6),
    ("trino", "IF(hour(ts) < 6, date(ts) - INTERVAL '3' DAY, date(ts) - INTERVAL '2' DAY)", -54),
    ("trino", "CASE WHEN hour(ts) >= 0 THEN date(ts) END", 0),
    ("spark", "CASE WHEN hour(ts) >= 6 THEN date(ts) ELSE date(ts) - INTERVAL '1' DAY END", -6),
    ("spark", "CASE WHEN hour(ts) < 6 THEN date_sub(to_date(ts), 1) ELSE to_date(ts) END", -6),
    ("spark", "if(hour(ts) >= 22, date_add(date(ts), 1), date(ts))", 2),
]  # fmt: skip


@pytest.mark.parametrize("sign", [*SIGNS, "<>"])
@pytest.mark.parametrize(("dialect", "sql", "hours"), FORMS)
def test_days_are_those_of_the_moved_times(sign: str, dialect: str, sql: str, hours: int) -> None:
    holds: Callable[[dt.date, dt.date], bool] = {**SIGNS, "<>": operator.ne}[sign]
    moved = [(time, (time + dt.timedelta(hours=hours)).date()) for time in TIMES]
    for asked in (dt.date(2026, 11, 19), dt.date(2026, 11, 17)):
        found = condition(f"{sql} {sign} DATE '{asked}'", dialect, time_zone="UTC")
        assert not any(isinstance(leaf, Unsupported) for leaf in leaves(found))
        wanted = [time for time, day in moved if holds(day, asked)]
        assert chosen(found, "ts", [*TIMES, None], pa.timestamp("us")) == wanted, render(found)


def test_lists_and_ranges_of_days() -> None:
    sql = FORMS[0][1]
    for asked in ("IN (DATE '2026-11-18', DATE '2026-11-19')",
                  "BETWEEN DATE '2026-11-18' AND DATE '2026-11-19'"):  # fmt: skip
        found = condition(f"{sql} {asked}", "trino")
        wanted = [t for t in TIMES if (t - dt.timedelta(hours=6)).date().day in (18, 19)]
        assert chosen(found, "ts", TIMES, pa.timestamp("us")) == wanted, render(found)


@pytest.mark.parametrize(
    ("condition_", "otherwise"),
    [
        # In which no time has another day from one hour on.
        ("hour(ts) >= 6", "date(ts) + INTERVAL '1' DAY"),
        ("hour(ts) >= 6", "date(ts) - INTERVAL '2' DAY"),
        ("hour(ts) >= 6", "date(ts) - INTERVAL '1' MONTH"),
        ("hour(ts) >= 6", "NULL"),
        ("hour(ts) = 6", "date(ts) - INTERVAL '1' DAY"),
        ("hour(ts) >= n", "date(ts) - INTERVAL '1' DAY"),
        ("hour(e) >= 6", "date(ts) - INTERVAL '1' DAY"),
        ("minute(ts) >= 6", "date(ts) - INTERVAL '1' DAY"),
    ],
)
def test_other_choices_stay_as_they_are(condition_: str, otherwise: str) -> None:
    sql = f"CASE WHEN {condition_} THEN date(ts) ELSE {otherwise} END = DATE '2026-11-19'"
    assert isinstance(condition(sql, "trino", time_zone="UTC"), Unsupported)


@pytest.mark.parametrize("zone", ["Europe/Berlin", None])
def test_times_of_clocks_that_may_be_put_back_are_not_moved(zone: str | None) -> None:
    sql = f"{FORMS[5][1]} = DATE '2026-11-19'"
    assert isinstance(condition(sql, "spark", time_zone=zone), Unsupported)


def test_no_engine_is_taken_to_push_them() -> None:
    for planner in PLANNERS:
        sql = f"{FORMS[0][1]} = DATE '2026-11-19'"
        assert condition(sql, "trino", planner=planner) == TRUE
