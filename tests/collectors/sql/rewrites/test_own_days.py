"""Dates that are moved by the number of their own day are the range of the days of which Python
moves as many, and what is asked of them is."""

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

DAY = dt.timedelta(1)
NEAR = DAYS[:500]
HOURS = [dt.datetime.combine(day, dt.time(hour)) for day in NEAR for hour in (0, 13)]


def week_from(weekday: int) -> Callable[[dt.date], dt.date]:
    """The first day of a week that begins so many days after Monday."""
    return lambda day: day - (day.weekday() - weekday) % 7 * DAY


monday, saturday, sunday = (week_from(weekday) for weekday in (0, 5, 6))

DATES: list[tuple[str, str, Callable[[dt.date], dt.date]]] = [
    ("spark", "date_sub(to_date(d), dayofweek(d) - 1)", sunday),
    ("spark", "date_sub(to_date(d), weekday(d))", monday),
    ("spark", "date_add(to_date(d), -(dayofweek(d) - 1))", sunday),
    ("spark", "date_add(d, CAST(1 - dayofweek(to_date(d)) AS INT))", sunday),
    ("spark", "date_add(d, 7 - dayofweek(d))", lambda d: sunday(d) + 6 * DAY),
    ("spark", "date_sub(d, pmod(dayofweek(d) + 5, 7))", monday),
    ("spark", "date_sub(d, dayofweek(d) % 7)", saturday),
    ("spark", "date_sub(d, CASE WHEN dayofweek(d) = 1 THEN 6 ELSE dayofweek(d) - 2 END)", monday),
    ("spark", "date_add(date_sub(d, dayofweek(d) - 1), 6)", lambda d: sunday(d) + 6 * DAY),
    ("spark", "date_sub(d, EXTRACT(DAYOFWEEK_ISO FROM d) - 1)", monday),
    ("spark", "date_sub(d, EXTRACT(DOW FROM d) - 1)", sunday),
    ("spark", "dateadd(DAY, 1 - dayofweek(d), to_date(d))", sunday),
    ("spark", "timestampadd(DAY, -weekday(d), to_date(d))", monday),
    ("spark", "date_sub(d, day(d) - 1)", lambda d: d.replace(day=1)),
    ("spark", "date_sub(d, dayofyear(d))", lambda d: dt.date(d.year - 1, 12, 31)),
    ("trino", "date_add('day', 1 - day_of_week(d), CAST(d AS date))", monday),
    ("trino", "date_add('day', -(day_of_week(d) % 7), date(d))", sunday),
    ("trino", "date_add('day', -mod(dow(d) + 1, 7), date(d))", saturday),
    ("trino", "date(d) - INTERVAL '1' DAY * (EXTRACT(DOW FROM d) - 1)", monday),
    ("trino", "date_add('day', 1 - day(d), date(d))", lambda d: d.replace(day=1)),
    ("trino", "date_add('day', 10 - EXTRACT(DAY FROM d), date(d))", lambda d: d.replace(day=10)),
    ("trino", "date_add('day', 1 - day_of_year(d), date(d))", lambda d: dt.date(d.year, 1, 1)),
    ("trino", "CAST(date_add('day', 1 - day_of_week(d), d) AS date)", monday),
]


@pytest.mark.parametrize("sign", [*SIGNS, "<>"])
@pytest.mark.parametrize(("dialect", "sql", "of"), DATES)
def test_moved_dates_are_those_of_python(
    sign: str, dialect: str, sql: str, of: Callable[[dt.date], dt.date]
) -> None:
    made = [(day, of(day)) for day in DAYS]
    holds = {**SIGNS, "<>": operator.ne}[sign]
    for date in (made[70][1], made[425][1], made[425][1] + 3 * DAY):
        found = condition(f"{sql} {sign} DATE '{date}'", dialect, time_zone="UTC")
        if sql.startswith("CAST") and isinstance(found, Unsupported):
            assert sign == "<>" or date not in {its for _, its in made}
            continue
        wanted = [day for day, its in made if holds(its, date)]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize("sign", [*SIGNS, "<>"])
@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "date_add('day', 1 - day_of_week(ts), ts)"),
        ("spark", "dateadd(DAY, -weekday(ts), ts)"),
    ],
)
def test_a_time_has_that_of_its_day(sign: str, dialect: str, sql: str) -> None:
    holds = {**SIGNS, "<>": operator.ne}[sign]
    midnight = dt.datetime(2024, 3, 4)
    found = condition(f"{sql} {sign} TIMESTAMP '{midnight}'", dialect, time_zone="UTC")
    kept = chosen(found, "ts", HOURS, pa.timestamp("us"))
    wanted = [time for time in HOURS if holds(time - time.weekday() * DAY, midnight)]
    assert set(wanted) <= set(kept), render(found)
    # What begins or ends a range of days is that of times.
    assert sign == "<>" or len(kept) <= len(wanted) + 7 * 2
    assert sign not in (">=", "<") or kept == wanted


@pytest.mark.parametrize(
    ("dialect", "sql", "selects"),
    [
        ("spark", "year(date_sub(d, weekday(d))) = 2024", lambda d: monday(d).year == 2024),
        ("spark", "date_format(date_sub(d, dayofweek(d) - 1), 'yyyy-MM') = '2024-02'",
         lambda d: f"{sunday(d):%Y-%m}" == "2024-02"),
        ("trino", "date_trunc('month', date_add('day', 1 - dow(d), date(d))) = DATE '2024-12-01'",
         lambda d: f"{monday(d):%Y-%m}" == "2024-12"),
    ],
)  # fmt: skip
def test_what_is_asked_of_them(dialect: str, sql: str, selects: Callable[[dt.date], bool]) -> None:
    found = condition(sql, dialect, time_zone="UTC")
    wanted = [day for day in DAYS if selects(day)]
    assert wanted
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "date_add('day', 1 - 2 * day_of_week(d), date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('day', day_of_week(d) - 1, date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('day', 1 - day_of_week(e), date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('day', 1 - day_of_week(d) - day(d), date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('day', day(d) * day(d) - 4 * day(d), date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('day', -(day(d) % 7), date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('month', 1 - day_of_week(d), date(d)) = DATE '2024-01-01'"),
        ("trino", "date_add('hour', 1 - day_of_week(d), date(d)) = DATE '2024-01-01'"),
        ("spark", "date_sub(add_months(d, 1), dayofweek(d) - 1) = DATE '2024-01-01'"),
        ("hive", "date_sub(d, day_of_week(d) + n) = DATE '2024-01-01'"),
    ],
)
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)
