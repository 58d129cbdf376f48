"""Trino's cast to a timestamp keeps what a clock reads, rounded to milliseconds unless told
otherwise: ranges hold the rows whose rounded reading, by Python's zones, compares so, and no
others."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import pyarrow as pa
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from tests.collectors.predicates.row_evaluator import SIGNS
from tests.collectors.sql.rewrites.test_implied_ranges import known_part

UTC = dt.UTC
TYPES = {"d": "date", "ts": "timestamp", "tz": "timestamptz", "n": "long"}
ARROW = {
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
    "timestamptz": pa.timestamp("us", "UTC"),
    "long": pa.int64(),
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
# The clock of New York changes on the second and on the third of these.
DAYS = ["2026-01-01", "2026-03-08", "2026-11-01", "2024-02-29", "1969-12-31", "0999-12-31"]
BESIDE = [-86_400_000_000, -3_600_000_000, -1_000, -501, -500, -499, -1, 0, 1, 499, 500, 501]
BESIDE += [3_600_000_000, 4 * 3_600_000_000, 5 * 3_600_000_000 - 500, 82_800_000_000]
MOMENTS = [
    dt.datetime.fromisoformat(day) + dt.timedelta(microseconds=beside, hours=hours)
    for day in DAYS
    for beside in BESIDE
    for hours in (0, 4, 5, 24, 28, 29)
]


def kept(
    sql: str,
    dialect: str,
    column: str,
    values: Sequence[Any],
    zone: str = "UTC",
    types: Mapping[str, str] | None = None,
) -> list[Any]:
    """The values that a bound condition keeps, as far as it is known."""
    unbound = condition(sql, dialect, time_zone=zone, types=types or {})
    found = bind(unbound, SCHEMA, time_zone=zone)
    assert not isinstance(found, Unsupported), sql
    # DuckDB has another word for times of a zone.
    text = re.sub(r"TIMESTAMP ('[^']* UTC')", r"TIMESTAMPTZ \1", render(known_part(found)))
    connection = database(column, tuple(values), zone)
    rows = connection.execute(f"SELECT i FROM made WHERE {text} ORDER BY i").fetchall()
    return [values[i] for (i,) in rows]


@cache
def database(column: str, values: tuple[Any, ...], zone: str) -> duckdb.DuckDBPyConnection:
    """A database of these values, numbered. Many conditions are asked of the same ones."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"SET TimeZone = '{zone}'")
    given = pa.table({"i": range(len(values)), column: pa.array(values, ARROW[TYPES[column]])})
    connection.register("given", given)
    connection.execute("CREATE TABLE made AS FROM given")
    return connection


@cache
def rounded(moment: dt.datetime, digits: int) -> dt.datetime:
    """To so many digits of a second, halves up."""
    unit = 10 ** (6 - digits)
    span = moment - dt.datetime(1, 1, 1)
    micros = (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds
    return dt.datetime(1, 1, 1) + dt.timedelta(microseconds=(micros + unit // 2) // unit * unit)


def test_python_rounds_as_java_does() -> None:
    before_1970 = dt.datetime(1969, 12, 31, 23, 59, 59, 999_500)
    assert rounded(before_1970, 3) == dt.datetime(1970, 1, 1)
    assert rounded(before_1970 - dt.timedelta(microseconds=1), 3).microsecond == 999_000


Form = tuple[str, Callable[[dt.datetime], Any], str]
FORMS: list[Form] = [
    ("{}", lambda m: m, "TIMESTAMP '{} 00:00:00'"),
    ("CAST({} AS date)", lambda m: m.date(), "DATE '{}'"),
    ("date_trunc('day', {})", lambda m: m.replace(hour=0, minute=0, second=0, microsecond=0),
     "TIMESTAMP '{} 00:00:00'"),
    ("date_format({}, '%Y-%m-%d')", lambda m: rounded(m, 3).date().isoformat(), "'{}'"),
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
@pytest.mark.parametrize("digits", [3, 6, 0])
@pytest.mark.parametrize("column", ["ts", "tz", "d"])
def test_readings_are_rounded(
    column: str,
    digits: int,
    form: Form,
    sign: str,
) -> None:
    call, asked, literal = form
    cast = f"CAST({column} AS timestamp{'' if digits == 3 else f'({digits})'})"
    wall = [m for m in MOMENTS if column != "d" or m.time() == dt.time()]
    values: list[object] = [m.replace(tzinfo=UTC) if column == "tz" else m for m in wall]
    if column == "d":
        values = [m.date() for m in wall]
    readings = [asked(rounded(moment, digits)) for moment in wall]
    for day in DAYS:
        sql = f"{call.format(cast)} {sign} {literal.format(day)}"
        other = asked(dt.datetime.fromisoformat(day))
        wanted = [
            value
            for value, reading in zip(values, readings, strict=True)
            if SIGNS[sign](reading, other)
        ]
        assert kept(sql, "trino", column, values) == wanted, day


WRITTEN = {
    "date_format({}, '%Y-%m-%d')": "'%Y-%m-%d'",
    "format_datetime({}, 'yyyy-MM-dd')": "'%Y-%m-%d'",
    "date_format({}, '%d.%m.%Y')": "'%d.%m.%Y'",
    "CAST(date_format({}, '%Y%m%d') AS bigint)": "%Y%m%d",
    "CAST(date_format({}, '%Y-%m-%d') AS date)": "DATE '%Y-%m-%d'",
}
"""What Trino writes of a time, and literals that a day has."""


@pytest.mark.parametrize("call", WRITTEN)
@pytest.mark.parametrize("sign", ["=", "<>"])
@pytest.mark.parametrize("column", ["ts", "tz", "d"])
def test_what_is_written_is_rounded_to_milliseconds(column: str, sign: str, call: str) -> None:
    """Halves up; of a date, there is nothing to round."""
    wall = [m for m in MOMENTS if (column != "d" or m.time() == dt.time()) and m.year >= 1000]
    values: list[object] = [m.replace(tzinfo=UTC) if column == "tz" else m for m in wall]
    if column == "d":
        values = [m.date() for m in wall]
    for day in map(dt.date.fromisoformat, DAYS[:5]):
        sql = f"{call.format(column)} {sign} {day.strftime(WRITTEN[call])}"
        wanted = [
            value
            for value, moment in zip(values, wall, strict=True)
            if SIGNS[sign](rounded(moment, 3).date(), day)
        ]
        assert kept(sql, "trino", column, values) == wanted, day


def test_what_is_written_of_a_later_month_is_rounded() -> None:
    """Times are, dates are not."""
    sql = "date_format(date_add('month', 1, {}), '%Y-%m') = '2024-03'"
    found = condition(sql.format("ts"), "trino", time_zone="UTC", types=TYPES)
    # The month of February has fewer days, so that the last ones of January become its last one.
    assert render(found) == (
        "(ts >= TIMESTAMP '2024-01-29 23:59:59.9995' AND ts < DATE '2024-01-30') "
        "OR (ts >= TIMESTAMP '2024-01-30 23:59:59.9995' AND ts < DATE '2024-01-31') "
        "OR (ts >= TIMESTAMP '2024-01-31 23:59:59.9995' AND ts < DATE '2024-03-01')"
    )
    found = condition(sql.format("d"), "trino", time_zone="UTC", types=TYPES)
    assert render(found) == "d >= DATE '2024-02-01' AND d < DATE '2024-03-01'"


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
@pytest.mark.parametrize("day", DAYS[1:3])
@pytest.mark.parametrize("session", ["UTC", "Europe/Berlin"])
def test_readings_are_those_of_the_zone(
    session: str,
    day: str,
    form: Form,
    sign: str,
) -> None:
    call, asked, literal = form
    sql = f"{call.format(f'CAST(tz AT TIME ZONE {ZONE!r} AS TIMESTAMP)')} {sign} {literal}"
    values = [m.replace(tzinfo=UTC) for m in MOMENTS if m.year > 1900]
    other = asked(dt.datetime.fromisoformat(day))
    wanted = [
        value
        for value in values
        if SIGNS[sign](
            asked(rounded(value.astimezone(ZoneInfo(ZONE)).replace(tzinfo=None), 3)),
            other,
        )
    ]
    assert kept(sql.format(day), "trino", "tz", values, session) == wanted


ZONE = "America/New_York"


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kolkata"])
def test_an_instant_is_the_same_in_every_zone(sign: str, zone: str) -> None:
    values = [m.replace(tzinfo=UTC) for m in MOMENTS if m.year > 1900]
    at = dt.datetime(2026, 3, 8, tzinfo=ZoneInfo(zone))
    for sql in (
        f"tz AT TIME ZONE 'America/New_York' {sign} TIMESTAMP '2026-03-08 00:00:00 {zone}'",
        f"at_timezone(tz, 'Asia/Tokyo') {sign} TIMESTAMP '2026-03-08 00:00:00 {zone}'",
    ):
        wanted = [value for value in values if SIGNS[sign](value, at)]
        assert kept(sql, "trino", "tz", values, "Europe/Berlin") == wanted


MIDNIGHT = dt.datetime(2026, 3, 8, tzinfo=ZoneInfo(ZONE))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("session", ["UTC", "Europe/Berlin"])
@pytest.mark.parametrize(
    ("given", "other", "asked"),
    [
        ("{}", f"TIMESTAMP '2026-03-08 00:00:00 {ZONE}'", lambda at: (at, MIDNIGHT)),
        (
            f"CAST({{}} AT TIME ZONE '{ZONE}' AS date)",
            "DATE '2026-03-08'",
            lambda at: (at.astimezone(ZoneInfo(ZONE)).date(), MIDNIGHT.date()),
        ),
        (
            "date_trunc('day', {})",
            "TIMESTAMP '2026-03-08 00:00:00 UTC'",
            lambda at: (at.date(), MIDNIGHT.date()),
        ),
    ],
)
def test_a_time_that_is_given_the_clock_of_utc(
    given: str, other: str, asked: Callable[[dt.datetime], tuple[Any, Any]], session: str, sign: str
) -> None:
    values = [m for m in MOMENTS if m.year > 1900]
    sql = given.format("with_timezone(ts, 'UTC')") + f" {sign} {other}"
    wanted = [v for v in values if SIGNS[sign](*asked(v.replace(tzinfo=UTC)))]
    assert kept(sql, "trino", "ts", values, session) == wanted


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("column", ["ts", "tz"])
@pytest.mark.parametrize("moved", ["CAST({} AS timestamp)", "{} - INTERVAL '0' HOUR"])
def test_no_row_is_lost_in_other_sessions(moved: str, column: str, zone: str) -> None:
    # Trino reads in UTC what has a zone, and as it is what has none.
    sql = f"CAST({moved.format(column)} AS date) = DATE '2026-03-08'"
    values = [m.replace(tzinfo=UTC) if column == "tz" else m for m in MOMENTS]
    wanted = [v for v in values if v.date() == dt.date(2026, 3, 8) and v.time() < dt.time(23)]
    assert set(wanted) <= set(kept(sql, "trino", column, values, zone))


@pytest.mark.parametrize(
    "sql",
    [
        # What is read gets the zone of the session before it is moved to another.
        "CAST(CAST(tz AS timestamp) AT TIME ZONE 'Asia/Tokyo' AS date) = DATE '2026-03-08'",
        # Its clock leaves an hour out, and what is read there is a later time than what follows.
        "with_timezone(ts, 'Europe/Berlin') >= TIMESTAMP '2026-03-08 00:00:00 UTC'",
        "date_trunc('day', CAST(ts AS timestamp)) = TIMESTAMP '2026-03-08 00:00:00 UTC'",
    ],
)
def test_others_say_nothing(sql: str) -> None:
    assert isinstance(condition(sql, "trino", time_zone="UTC"), Unsupported)
