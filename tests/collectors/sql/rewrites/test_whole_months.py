"""Whole months between dates imply a range that holds all days of which Python counts as many, by
the rules of Joda-Time, of java.time and of Spark's months_between(), and few others."""

from __future__ import annotations

import datetime as dt
import math
import operator
from calendar import monthrange
from collections.abc import Callable
from functools import cache

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import (
    DATES,
    DAYS,
    SIGNS,
    chosen,
    months_between,
)

NEAR = DAYS[150:800]
HOURS = [dt.datetime.combine(day, dt.time(hour)) for day in NEAR[::3] for hour in (0, 23)]


def of_java(since: dt.datetime, until: dt.datetime) -> int:
    """Months of java.time: as many as can be added."""
    months = (until.year - since.year) * 12 + until.month - since.month
    rests = [(time.day, time.time()) for time in (since, until)]
    if months > 0 and rests[1] < rests[0]:
        return months - 1
    return months + 1 if months < 0 and rests[1] > rests[0] else months


def of_joda(since: dt.datetime, until: dt.datetime) -> int:
    """Months of Joda-Time, of which the last day ends one of any day after it."""
    if until < since:
        return -of_joda(until, since)
    day = since.day
    if until.day == monthrange(until.year, until.month)[1]:
        day = min(day, until.day)
    months = (until.year - since.year) * 12 + until.month - since.month
    return months - ((until.day, until.time()) < (day, since.time()))


def of_spark(since: dt.datetime, until: dt.datetime) -> int:
    return math.floor(months_between(until, since))


FORMS: list[tuple[str, str, Callable[[dt.datetime, dt.datetime], int], int]] = [
    ("trino", "date_diff('month', {}, {})", of_joda, 1),
    ("trino", "date_diff('quarter', {}, {})", of_joda, 3),
    ("trino", "date_diff('year', {}, {})", of_joda, 12),
    ("spark", "timestampdiff(MONTH, {}, {})", of_java, 1),
    ("spark", "timestampdiff(YEAR, {}, {})", of_java, 12),
    ("spark", "datediff(MONTH, {}, {})", of_java, 1),
    ("spark", "floor(months_between({1}, {0}))", of_spark, 1),
]


@cache
def counts(
    count: Callable[[dt.datetime, dt.datetime], int], date: dt.datetime, is_since: bool
) -> list[tuple[dt.datetime, int]]:
    """The months between a date and each hour."""
    return [(hour, count(date, hour) if is_since else count(hour, date)) for hour in HOURS]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "sql", "count", "months"), FORMS)
@pytest.mark.parametrize(
    "number",
    [
        2,
        *(
            pytest.param(n, marks=[pytest.mark.slow, pytest.mark.exhaustive])
            for n in (-3, -1, 0, 1, 5)
        ),
    ],
)
def test_ranges_hold_all_that_match(
    sign: str,
    dialect: str,
    sql: str,
    count: Callable[[dt.datetime, dt.datetime], int],
    months: int,
    number: int,
) -> None:
    for text in DATES:
        date = dt.datetime.fromisoformat(text)
        for is_since in (False, True):
            sides = (f"DATE '{text}'", "d") if is_since else ("d", f"DATE '{text}'")
            found = condition(f"{sql.format(*sides)} {sign} {number}", dialect, time_zone="UTC")
            assert not isinstance(found, Unsupported)
            kept = set(chosen(found, "d", HOURS, pa.timestamp("us")))
            others = 0
            for hour, between in counts(count, date, is_since):
                cut = between if sql.startswith("floor") else int(between / months)
                matches = SIGNS[sign](cut, number)
                assert not matches or hour in kept, (hour, render(found))
                others += not matches and hour in kept
            # Each end is a span and a few days off at most.
            assert others <= (months * 31 + 18) * 2


FIRSTS: list[tuple[str, str, int, int]] = [
    ("trino", "date_diff('month', date_trunc('month', d), {})", -1, 1),
    ("trino", "date_diff('quarter', {}, date_trunc('quarter', d))", 1, 3),
    ("trino", "date_diff('year', date_trunc('year', d), {})", -1, 12),
    ("trino", "date_diff('month', date_trunc('month', d), date_trunc('month', {}))",
     -1, 1),
    ("spark", "timestampdiff(MONTH, date_trunc('MONTH', d), {})", -1, 1),
    ("spark", "datediff(MONTH, {}, trunc(d, 'MM'))", 1, 1),
    ("spark", "CAST(months_between({}, trunc(d, 'MM')) AS INT)", -1, 1),
]  # fmt: skip


@pytest.mark.parametrize("sign", [*SIGNS, "<>"])
@pytest.mark.parametrize("number", [-1, 0, 1, 3])
@pytest.mark.parametrize(("dialect", "sql", "direction", "months"), FIRSTS)
def test_between_first_days_they_are_exact(
    sign: str, number: int, dialect: str, sql: str, direction: int, months: int
) -> None:
    first = dt.date(2025, 1, 1)
    counted = sql.format(f"DATE '{first}'")
    found = condition(f"{counted} {sign} {number}", dialect, time_zone="UTC")
    holds = {**SIGNS, "<>": operator.ne}[sign]

    def span(day: dt.date) -> int:
        return (day.year * 12 + day.month - 1) // months

    wanted = [day for day in DAYS if holds(direction * (span(day) - span(first)), number)]
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    ("sql", "zone"),
    [
        ("date_diff('month', date_trunc('month', d), DATE '2026-03-02') = 1", "UTC"),
        ("date_diff('month', date_trunc('quarter', d), DATE '2026-01-01') = 1", "UTC"),
        ("date_diff('quarter', date_trunc('quarter', d), DATE '2026-02-01') = 1", "UTC"),
        ("date_diff('month', date_trunc('month', d), TIMESTAMP '2026-03-01 12:00:00') = 1", "UTC"),
        ("date_diff('month', date_trunc('month', d), DATE '2026-03-01') = 1", "Europe/Berlin"),
    ],
)
def test_between_other_days_they_are_not_known(sql: str, zone: str) -> None:
    assert isinstance(condition(sql, "trino", time_zone=zone), Unsupported)


@pytest.mark.parametrize(
    "sql",
    [
        "date_diff('month', d, DATE '2026-03-31') <> 1",
        "date_diff('month', d, DATE '2026-03-31') = 1.5",
        "date_diff('month', d, DATE '2026-03-31') > 200000",
        "date_diff('month', d, e) = 1",
        "date_diff('month', date_trunc('month', d), DATE '2026-03-31') = 1",
    ],
)
def test_others_stay_as_they_are(sql: str) -> None:
    assert isinstance(condition(sql, "trino", time_zone="UTC"), Unsupported)
