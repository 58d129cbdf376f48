"""Conditions on the digits of years, months and days that are written of a time, beside each other:
the rows are those that Python finds by what is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

import pytest

from tests.collectors.sql.rewrites.test_read_clocks import TYPES, kept, rounded

DAYS = ["2020-01-01", "2020-02-01", "2020-02-29", "2020-03-01", "2020-12-31", "2021-01-01"]
BESIDE = [-86_400_000_000, -501, -500, -499, -1, 0, 1, 499, 500, 43_200_000_000]
TIMES = [
    dt.datetime.fromisoformat(day) + dt.timedelta(microseconds=beside)
    for day in DAYS
    for beside in BESIDE
]
Test = Callable[[dt.datetime], bool]
WRITTEN: list[tuple[str, Test]] = [
    ("CAST({Y} AS int) = 2020", lambda t: t.year == 2020),
    ("CAST({Y} AS bigint) > 2019", lambda t: t.year > 2019),
    ("NOT (CAST({Y} AS bigint) = 2020)", lambda t: t.year != 2020),
    ("CAST(CAST({Y} AS bigint) AS varchar(9)) IN ('2020', '2022')", lambda t: t.year == 2020),
    ("CAST({Y} AS int) = 2020 AND CAST({M} AS int) = 1",
     lambda t: (t.year, t.month) == (2020, 1)),
    ("CAST({Y} AS int) = 2020 AND CAST({M} AS int) = 2 AND CAST({D} AS int) >= 29",
     lambda t: t.date() == dt.date(2020, 2, 29)),
    ("CAST({Y} AS int) * 100 + CAST({M} AS int) >= 202002",
     lambda t: (t.year, t.month) >= (2020, 2)),
    ("{Y} = '2020' AND {M} = '01'", lambda t: (t.year, t.month) == (2020, 1)),
    ("{M} IN ('01', '12') AND {Y} = '2020'", lambda t: t.year == 2020 and t.month in (1, 12)),
    ("{Y} = '2020' AND '02' <> {M}", lambda t: t.year == 2020 and t.month != 2),
    ("{Y} = '2020' AND {M} = '02' AND NOT ({D} = '29')",
     lambda t: (t.year, t.month) == (2020, 2) and t.day != 29),
    ("concat({Y}, '-', {M}) = '2020-01'", lambda t: (t.year, t.month) == (2020, 1)),
    ("{Y} || {M} || {D} = '20200229'", lambda t: t.date() == dt.date(2020, 2, 29)),
]  # fmt: skip
CALLS = {
    "date_format": ("trino", {"Y": "%Y", "M": "%m", "D": "%d"}),
    "format_datetime": ("trino", {"Y": "yyyy", "M": "MM", "D": "dd"}),
    "DATE_FORMAT": ("spark", {"Y": "yyyy", "M": "MM", "D": "dd"}),
}


def texts(call: str, column: str) -> Mapping[str, str]:
    patterns = CALLS[call][1]
    return {name: f"{call}({column}, '{pattern}')" for name, pattern in patterns.items()}


@pytest.mark.parametrize("is_typed", [True, False])
@pytest.mark.parametrize("column", ["d", "ts", "tz"])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("sql", "holds"), WRITTEN)
def test_digits_of_a_time_are_its_parts(
    sql: str, holds: Test, call: str, column: str, is_typed: bool
) -> None:
    """Trino rounds a time first: the last half of a millisecond of a year has the text of the next
    one."""
    dialect = CALLS[call][0]
    asked = sql.format(**texts(call, column))
    times = [time for time in TIMES if column != "d" or time.time() == dt.time()]
    wanted = [t for t in times if holds(t if dialect == "spark" else rounded(t, 3))]
    made: Callable[[dt.datetime], object] = {
        "d": lambda t: t.date(),
        "ts": lambda t: t,
        "tz": lambda t: t.replace(tzinfo=dt.UTC),
    }[column]
    found = kept(asked, dialect, column, list(map(made, times)), types=TYPES if is_typed else None)
    assert found == list(map(made, wanted))
    assert wanted


@pytest.mark.parametrize("column", ["ts", "tz"])
@pytest.mark.parametrize("call", ["date_format", "format_datetime"])
@pytest.mark.parametrize(
    ("sql", "holds"),
    [
        ("year({x}) = 2020 AND CAST({M} AS int) = 1",
         lambda t, w: (t.year, w.month) == (2020, 1)),
        ("CAST({Y} AS int) = 2020 AND month({x}) = 12",
         lambda t, w: (w.year, t.month) == (2020, 12)),
        ("{Y} = '2020' AND quarter({x}) = 4", lambda t, w: w.year == 2020 and t.month > 9),
    ],
)  # fmt: skip
def test_a_time_may_be_of_another_month_than_what_is_written_of_it(
    sql: str, holds: Callable[[dt.datetime, dt.datetime], bool], call: str, column: str
) -> None:
    asked = sql.format(x=column, **texts(call, column))
    zone = dt.UTC if column == "tz" else None
    wanted = [t.replace(tzinfo=zone) for t in TIMES if holds(t, rounded(t, 3))]
    values = [t.replace(tzinfo=zone) for t in TIMES]
    assert set(wanted) <= set(kept(asked, "trino", column, values, types=TYPES))


@pytest.mark.parametrize("is_typed", [True, False])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("column", ["ts", "tz"])
@pytest.mark.parametrize(("sql", "holds"), WRITTEN)
def test_no_row_is_lost_in_other_sessions(
    sql: str, holds: Test, column: str, zone: str, is_typed: bool
) -> None:
    """Trino writes in UTC what has a zone, Spark on the session's clock."""
    clocks = {"date_format": dt.UTC, "DATE_FORMAT": ZoneInfo(zone)}
    for call, clock in clocks.items():
        dialect = CALLS[call][0]
        wanted = [t for t in TIMES if holds(t if dialect == "spark" else rounded(t, 3))]
        values = [t.replace(tzinfo=clock) if column == "tz" else t for t in TIMES]
        expected = [t.replace(tzinfo=clock) if column == "tz" else t for t in wanted]
        types = TYPES if is_typed else None
        asked = sql.format(**texts(call, column))
        assert set(expected) <= set(kept(asked, dialect, column, values, zone, types))
