"""The time that has gone by, as a difference, is a range that holds all rows that the engines find,
as plain Python counts, and hardly any other."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, SIGNS, chosen

_MICROSECOND = dt.timedelta(microseconds=1)
_EPOCH = dt.datetime(1970, 1, 1)
_ROOM = dt.timedelta(hours=2, seconds=2)
CLOCKS = ["2026-01-31 00:00:00", "2026-03-01 12:00:00.123456"]
SIGNS_OF_ORDER = ["<", "<=", ">", ">="]


def _micros(time: dt.datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


def _seconds(time: dt.datetime) -> int:
    return _micros(time) // 1_000_000


def _double(time: dt.datetime) -> float:
    return _micros(time) / 1_000_000


def _times(clock: str, hours: int) -> list[dt.datetime]:
    """Times around that of which so many hours have gone by, before and after a clock."""
    at = dt.datetime.fromisoformat(clock)
    beside = [-7_200_000_000, -3_600_000_000, -1_000_000, -1_001, -1_000, -999, -500, -1, 0]
    around = sorted({*beside, *(-micros for micros in beside)})
    ends = [at + dt.timedelta(hours=sign * hours) for sign in (-1, 0, 1)]
    return sorted({end + dt.timedelta(microseconds=micros) for end in ends for micros in around})


Difference = Callable[[dt.datetime, dt.datetime], float]
Form = tuple[str, str, str, list[Difference]]
FORMS: list[Form] = [
    (
        "spark",
        "unix_timestamp({clock}) - unix_timestamp(ts)",
        "{seconds}",
        [lambda at, ts: _seconds(at) - _seconds(ts)],
    ),
    (
        "spark",
        "(unix_timestamp({clock}) - unix_timestamp(ts)) / 3600",
        "{hours}",
        [lambda at, ts: (_seconds(at) - _seconds(ts)) / 3600],
    ),
    (
        "spark",
        "(unix_timestamp({clock}) - unix_timestamp(ts)) DIV 3600",
        "{hours}",
        [lambda at, ts: math.trunc((_seconds(at) - _seconds(ts)) / 3600)],
    ),
    (
        "spark",
        "CAST({clock} AS bigint) - CAST(ts AS bigint)",
        "{seconds}",
        [lambda at, ts: _seconds(at) - _seconds(ts)],
    ),
    (
        "spark",
        "CAST({clock} AS double) - CAST(ts AS double)",
        "{seconds}",
        [lambda at, ts: _double(at) - _double(ts)],
    ),
    (
        "spark",
        "{clock} - ts",
        "INTERVAL '{hours}' HOUR",
        [lambda at, ts: _micros(at - ts + _EPOCH) / 3_600_000_000],
    ),
    (
        "trino",
        "to_unixtime({clock}) - to_unixtime(ts)",
        "{seconds}",
        [lambda at, ts: _double(at) - _double(ts)],
    ),
    (
        "trino",
        "(to_unixtime({clock}) - to_unixtime(ts)) / 3600",
        "{hours}",
        [lambda at, ts: (_double(at) - _double(ts)) / 3600],
    ),
    (
        "trino",
        "{clock} - ts",
        "INTERVAL '{hours}' HOUR",
        [
            lambda at, ts: math.trunc((_micros(at) - _micros(ts)) / 1000) / 3_600_000,
            lambda at, ts: round((_micros(at) - _micros(ts)) / 1000) / 3_600_000,
        ],
    ),
]


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("sign", SIGNS_OF_ORDER)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form[0]} {form[1]}")
@pytest.mark.parametrize("hours", [24, 0, 1_000])
def test_all_rows_are_in_the_range(form: Form, sign: str, clock: str, hours: int) -> None:
    dialect, sql, span, differences = form
    at, times = dt.datetime.fromisoformat(clock), _times(clock, hours)
    is_seconds = span == "{seconds}"
    number = hours * 3600 if is_seconds else hours
    text = f"{sql} {sign} {span}".format(clock=f"TIMESTAMP '{clock}'", seconds=number, hours=hours)
    found = condition(text, dialect, time_zone="UTC", types={"ts": "timestamp"})
    assert not isinstance(found, Unsupported), text
    kept = set(chosen(found, "ts", [*times, None], pa.timestamp("us")))
    for difference in differences:
        wanted = [ts for ts in times if SIGNS[sign](difference(at, ts), number)]
        assert kept.issuperset(wanted), (text, render(found))
        others = kept - set(wanted)
        end = at - dt.timedelta(hours=hours)
        assert all(abs(ts - end) <= _ROOM for ts in others), (text, render(found))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("DATE '2025-03-31' - d <= INTERVAL '7' DAY", lambda d: d >= dt.date(2025, 3, 24)),
        ("INTERVAL '1' DAY < DATE '2025-03-31' - d", lambda d: d < dt.date(2025, 3, 30)),
        ("d - DATE '2024-02-28' >= INTERVAL '2' DAY", lambda d: d >= dt.date(2024, 3, 1)),
    ],
)
def test_days(text: str, wanted: Callable[[dt.date], bool]) -> None:
    for dialect in ("trino", "spark"):
        found = condition(text, dialect, time_zone="UTC", types={"d": "date"})
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == list(filter(wanted, DAYS))


@pytest.mark.parametrize(
    ("dialect", "zone", "sql"),
    [
        # Spark's days are those of the session's zone.
        ("spark", "Europe/Berlin", "TIMESTAMP '2026-03-29 12:00:00' - ts < INTERVAL '1' DAY"),
        ("spark", "UTC", "TIMESTAMP '2026-03-29 12:00:00' - ts < INTERVAL '1' MONTH"),
        ("trino", "UTC", "to_unixtime(ts) - to_unixtime(other) < 5"),
        ("trino", "UTC", "to_unixtime(TIMESTAMP '2026-03-29 12:00:00') - to_unixtime(ts) < n"),
        ("trino", "UTC", "DATE '2026-03-29' - ts <= INTERVAL '1' DAY"),
        ("spark", "UTC", "(unix_timestamp(ts) - 5) / 0 < 3"),
        ("trino", "UTC", "to_unixtime(ts) - 5 < nan()"),
        ("trino", "UTC", "to_unixtime(ts) - infinity() < 5"),
        ("trino", "UTC", "(to_unixtime(ts) - 5) / nan() < 3"),
    ],
)
def test_others_stay(dialect: str, zone: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone=zone), Unsupported)


def test_no_engine_is_taken_to_push_them() -> None:
    sql = "unix_timestamp(TIMESTAMP '2026-03-29 12:00:00') - unix_timestamp(ts) < 86400"
    for planner in PLANNERS:
        assert ">=" not in render(condition(sql, "spark", planner=planner, time_zone="UTC"))
