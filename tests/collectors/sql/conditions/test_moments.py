"""What is asked of moments that a column counts to: the numbers are those that Python finds, all of
them, and no others where nothing stays beside what is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
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
from tests.property.test_meant_ranges import known

SCHEMA = Schema(0, (SchemaColumn(1, ("n",), "long", False, False, False),))
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
# The clock of Berlin changes on the second and the third of these.
DAYS = ["2026-01-01", "2026-03-29", "2026-10-25", "2024-02-29", "1970-01-01", "1969-12-31"]
DAYS += ["1000-01-01", "9999-12-31"]
SECONDS = [
    round((dt.datetime.fromisoformat(day).replace(tzinfo=dt.UTC) - EPOCH).total_seconds()) + beside
    for day in DAYS
    for beside in (-86_400, -3_601, -3_600, -1, 0, 1, 3_599, 86_399, 86_400, 31 * 86_400)
]
SECONDS = sorted({n for n in SECONDS if n < 253_402_300_800 - 86_400})
Asked = Callable[[dt.datetime], Any]


def kept(
    sql: str, dialect: str, numbers: list[int | None], zone: str = "UTC"
) -> tuple[list[int | None], bool]:
    """The numbers that a bound condition keeps, and whether it is all that is to be said."""
    read = condition(sql, dialect, time_zone=zone, types={"n": "long"})
    found = bind(read, SCHEMA, time_zone=zone)
    told = known(found)
    made = pa.table({"n": pa.array(numbers, pa.int64())})
    with duckdb.cursor() as connection:
        connection.register("made", made)
        rows = connection.execute(f"SELECT n FROM made WHERE {render(told)}").fetchall()
    return [n for (n,) in rows], told == found


def _day(moment: dt.datetime) -> str:
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"


def _monday(moment: dt.datetime) -> dt.date:
    return moment.date() - dt.timedelta(moment.weekday())


FORMS: list[tuple[str, str, Asked, str]] = [
    ("trino", "date(from_unixtime(n))", _day, "DATE '{}'"),
    ("trino", "date_trunc('day', from_unixtime(n))", _day, "TIMESTAMP '{} 00:00:00'"),
    ("trino", "date_trunc('day', from_unixtime(n))", _day, "TIMESTAMP '{} 00:00:00 UTC'"),
    ("trino", "date_format(from_unixtime(n), '%Y-%m-%d')", _day, "'{}'"),
    ("trino", "format_datetime(from_unixtime(n), 'yyyy-MM-dd')", _day, "'{}'"),
    ("trino", "date(from_unixtime_nanos(n * 1000000000))", _day, "DATE '{}'"),
    ("trino", "CAST(CAST(from_unixtime(n) AS timestamp) AS date)", _day, "DATE '{}'"),
    ("trino", "CAST(date_trunc('week', from_unixtime(n)) AS date)", _monday, "DATE '{}'"),
    ("spark", "date_trunc('DAY', timestamp_seconds(n))", _day, "TIMESTAMP '{} 00:00:00'"),
    ("spark", "to_date(timestamp_seconds(n))", _day, "DATE '{}'"),
    ("spark", "date_format(timestamp_seconds(n), 'yyyy-MM-dd')", _day, "'{}'"),
    ("spark", "CAST(timestamp_millis(n * 1000) AS date)", _day, "DATE '{}'"),
    ("spark", "CAST(CAST(n AS timestamp) AS date)", _day, "DATE '{}'"),
    ("spark", "date_format(CAST(n AS timestamp), 'yyyy-MM-dd')", _day, "'{}'"),
    ("spark", "CAST(CAST(n * 1000 DIV 1000 AS timestamp) AS date)", _day, "DATE '{}'"),
    ("spark", "date_format(from_unixtime(n), 'yyyy-MM-dd')", _day, "'{}'"),
    ("spark", "date_trunc('DAY', from_unixtime(n))", _day, "TIMESTAMP '{} 00:00:00'"),
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "call", "asked", "literal"), FORMS)
def test_parts_of_moments_are_ranges_of_numbers(
    dialect: str, call: str, asked: Asked, literal: str, sign: str
) -> None:
    for day in DAYS[:6]:
        sql = f"{call} {sign} {literal.format(day)}"
        wanted = [
            n for n in SECONDS if SIGNS[sign](str(asked(EPOCH + dt.timedelta(seconds=n))), day)
        ]
        found, _ = kept(sql, dialect, [*SECONDS, None])
        beyond = {n for n in found if n not in wanted}
        assert set(wanted) <= set(found), (sql, day)
        # Texts of years that are not of four digits sort anywhere.
        assert all(not -30_610_224_000 <= n < 253_402_214_400 for n in beyond if n), (sql, beyond)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("year", [1970, 2025, 2026])
def test_years_of_moments(year: int, sign: str) -> None:
    wanted = [n for n in SECONDS if SIGNS[sign]((EPOCH + dt.timedelta(seconds=n)).year, year)]
    for dialect, moment in (("trino", "from_unixtime(n)"), ("spark", "timestamp_seconds(n)")):
        found, is_all = kept(f"year({moment}) {sign} {year}", dialect, [*SECONDS, None])
        assert is_all
        assert found == wanted


@pytest.mark.parametrize("month", [1, 3, 10])
def test_months_of_a_year_of_moments(month: int) -> None:
    moments = {n: EPOCH + dt.timedelta(seconds=n) for n in SECONDS}
    wanted = [n for n, at in moments.items() if (at.year, at.month) == (2026, month)]
    for dialect, moment in (("trino", "from_unixtime(n)"), ("spark", "timestamp_seconds(n)")):
        sql = f"year({moment}) = 2026 AND month({moment}) = {month}"
        found, is_all = kept(sql, dialect, [*SECONDS, None])
        assert is_all
        assert found == wanted


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("session", ["UTC", "Asia/Tokyo", None])
@pytest.mark.parametrize("moment", ["from_unixtime(n) AT TIME ZONE '{}'", "from_unixtime(n, '{}')"])
def test_days_of_a_zone_that_is_named(moment: str, session: str | None, sign: str) -> None:
    zone = ZoneInfo("Europe/Berlin")
    for day in DAYS[:4]:
        sql = f"date({moment.format('Europe/Berlin')}) {sign} DATE '{day}'"
        wanted = [
            n
            for n in SECONDS
            if SIGNS[sign](_day((EPOCH + dt.timedelta(seconds=n)).astimezone(zone)), day)
        ]
        found, is_all = kept(sql, "trino", [*SECONDS, None], session or "UTC")
        assert is_all
        assert found == wanted


@pytest.mark.parametrize("sign", SIGNS)
def test_fractions_of_seconds_are_cut_towards_zero(sign: str) -> None:
    numbers: list[int | None] = [-86_400_001, -86_400_000, -1001, -1000, -999, -1, 0, 1, 999]
    numbers += [86_399_999, 86_400_000, 86_400_001]
    for day in ("1969-12-31", "1970-01-01", "1970-01-02"):
        for sql in (
            f"to_date(from_unixtime(n / 1000)) {sign} DATE '{day}'",
            f"from_unixtime(n / 1000, 'yyyy-MM-dd') {sign} '{day}'",
        ):
            days = {n: _day(EPOCH + dt.timedelta(seconds=int(n / 1000))) for n in numbers if n}
            wanted = {n for n, text in days.items() if SIGNS[sign](text, day)}
            assert wanted <= set(kept(sql, "spark", numbers)[0]), sql


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("trino", "date(from_unixtime(n))"),
        ("spark", "date(timestamp_seconds(n))"),
        ("spark", "date_trunc('DAY', timestamp_seconds(n))"),
    ],
)
def test_moments_are_on_the_clock_of_the_session(
    dialect: str, call: str, zone: str, sign: str
) -> None:
    local = {n: (EPOCH + dt.timedelta(seconds=n)).astimezone(ZoneInfo(zone)) for n in SECONDS}
    for day in DAYS[:4]:
        wanted = [n for n, at in local.items() if SIGNS[sign](_day(at), day)]
        literal = f"TIMESTAMP '{day} 00:00:00'" if "trunc" in call else f"DATE '{day}'"
        found, _ = kept(f"{call} {sign} {literal}", dialect, [*SECONDS, None], zone)
        assert set(wanted) <= set(found)
        # Of a column, Trino might read the clock of UTC.
        assert dialect == "trino" or found == wanted


def test_readings_of_no_one_moment_say_nothing() -> None:
    sql = "year(timestamp_seconds(n)) = 2026"
    read = condition(sql, "spark", time_zone=None, types={"n": "long"})
    assert isinstance(read, Unsupported)
    assert read.calculated is None


def test_a_day_may_begin_at_one() -> None:
    """In São Paulo, whose clock skipped an hour from midnight on."""
    sql = "date_trunc('day', from_unixtime(n)) {} TIMESTAMP '2018-11-04 01:00:00'"
    for sign in ("=", "<>"):
        found = condition(sql.format(sign), "trino", time_zone="America/Sao_Paulo")
        assert isinstance(found, Unsupported)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    ("divided", "digits"), [("n / 1000.0", 1), ("n / 1e3", 3), ("CAST(n AS double) / 1000", 3)]
)
def test_fractions_of_seconds_lose_no_number(divided: str, digits: int, sign: str) -> None:
    at = 1_767_225_600
    numbers: list[int | None] = [
        at * 1000 + beside for beside in (-1000, -101, -51, -50, -2, -1, 0, 1, 2, 49, 50, 101, 999)
    ]
    sql = f"from_unixtime({divided}) {sign} TIMESTAMP '2026-01-01 00:00:00'"
    wanted = {n for n in numbers if n and SIGNS[sign](round(n / 1000, digits), at)}
    found, is_all = kept(sql, "trino", numbers)
    assert wanted <= set(found)
    assert not is_all
    assert sign == "<>" or len(found) < len(numbers)


def _read(number: int) -> dt.date | None:
    """As Joda-Time reads yyyyMMdd: up to two digits of a month, and of a day."""
    text = str(number)
    if not 7 <= len(text) <= 8 or number < 0:
        return None
    try:
        return dt.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


KEYS = [int(f"{dt.date.fromisoformat(day):%Y%m%d}") + b for day in DAYS[:5] for b in range(-2, 3)]
KEYS += [2026105, 2026101, 2026109, 2026129, 2025129, 202601, 2026, -20260105, 20261301, 0]
KEYS += [9999129, 1000101, 20260230, 202601011, 10000101, 99991231]


@pytest.mark.parametrize("sign", [sign for sign in SIGNS if sign != "<>"])
@pytest.mark.parametrize("day", ["2026-01-01", "2026-10-05", "2026-10-10", "2026-12-31"])
@pytest.mark.parametrize(
    ("form", "literal"),
    [
        ("date_parse(CAST(n AS varchar), '%Y%m%d')", "TIMESTAMP '{} 00:00:00'"),
        ("date_parse(CAST(n AS varchar), '%Y%m%d')", "DATE '{}'"),
        ("CAST(date_parse(CAST(n AS varchar), '%Y%m%d') AS date)", "DATE '{}'"),
        ("parse_datetime(CAST(n AS varchar), 'yyyyMMdd')", "TIMESTAMP '{} 00:00:00 UTC'"),
        ("date_format(date_parse(CAST(n AS varchar), '%Y%m%d'), '%Y-%m-%d')", "'{}'"),
    ],
)
def test_numbers_of_days_that_are_read_as_dates(
    form: str, literal: str, day: str, sign: str
) -> None:
    at = dt.date.fromisoformat(day)
    wanted = {n for n in KEYS if (date := _read(n)) and SIGNS[sign](date, at)}
    found, is_all = kept(f"{form} {sign} {literal.format(day)}", "trino", [*KEYS, None])
    assert wanted <= set(found)
    assert not is_all
    assert len(found) < len(KEYS)


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "="])
@pytest.mark.parametrize("clock", ["00:00:00", "12:00:00"])
def test_days_are_compared_with_times(clock: str, sign: str) -> None:
    at = dt.datetime.fromisoformat(f"2026-10-05 {clock}")
    for dialect, form in (
        ("trino", "date_parse(CAST(n AS varchar), '%Y%m%d')"),
        ("spark", "to_timestamp(CAST(n AS string), 'yyyyMMdd')"),
    ):
        found, _ = kept(f"{form} {sign} TIMESTAMP '{at}'", dialect, [20261004, 20261005, 20261006])
        days = {n: dt.datetime.strptime(str(n), "%Y%m%d") for n in (20261004, 20261005, 20261006)}
        wanted = {n for n, day in days.items() if SIGNS[sign](day, at)}
        assert wanted <= set(found)
        assert sign == "=" or set(found) == wanted


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "hour(from_unixtime(n)) = 3"),
        ("trino", "CAST(from_unixtime(n) AS varchar) = '2026-01-01'"),
        ("trino", "date(from_unixtime(n, 1, 0)) = DATE '2026-01-01'"),
        ("trino", "date_parse(n, '%d%m%Y') >= TIMESTAMP '2026-01-01 00:00:00'"),
        ("trino", "date(from_unixtime(n + m)) = DATE '2026-01-01'"),
        ("trino", "year(from_unixtime(n)) + month(from_unixtime(m)) = 2030"),
        ("spark", "year(timestamp_seconds(n, 3)) = 2026"),
    ],
)
def test_others_say_nothing(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)
