"""What Snowflake, BigQuery and DuckDB make of dates and times that they move, or count between, as
their references say, is a range of the column: the one whose rows DuckDB finds."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import And, Predicate, Unsupported, all_of
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from tests.collectors.predicates.row_evaluator import SIGNS as OPERATORS

TYPES = {"d": "date", "ts": "timestamp", "tz": "timestamptz", "n": "long", "i": "int"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
SIGNS = tuple(OPERATORS)
UNITS = ("day", "month", "quarter", "year")
CLOCK_UNITS = (*UNITS, "hour", "minute", "second")
DAYS = ("2024-02-29", "2024-12-31", "2025-01-01", "2025-03-30")
NEW_YORK = "CAST((ts AT TIME ZONE 'UTC') AT TIME ZONE 'America/New_York' AS DATE)"
TOKYO = "CAST(tz AT TIME ZONE 'Asia/Tokyo' AS DATE)"


@pytest.fixture(scope="module")
def rows() -> Iterator[duckdb.DuckDBPyConnection]:
    """Each half an hour of some days, the days of two years, and nulls."""
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(
            "CREATE TABLE made AS SELECT CAST(t AS DATE) AS d, t AS ts, t AT TIME ZONE 'UTC' AS tz,"
            " epoch_us(t) AS n FROM (SELECT unnest(generate_series(TIMESTAMP '2024-01-30',"
            " TIMESTAMP '2025-04-02', INTERVAL 1 DAY)) AS t UNION ALL SELECT unnest("
            "generate_series(TIMESTAMP '2025-03-28', TIMESTAMP '2025-04-01', INTERVAL 30 MINUTE))"
            " UNION ALL SELECT NULL)"
        )
        yield connection


def meant(sql: str, dialect: str, zone: str | None = None) -> Predicate:
    return bind(condition(sql, dialect, time_zone=zone, types=TYPES), SCHEMA, time_zone=zone)


def found(rows: duckdb.DuckDBPyConnection, where: str) -> list[tuple[object, ...]]:
    # DuckDB has another word for times of a zone.
    text = re.sub(r"TIMESTAMP ('[^']* UTC')", r"TIMESTAMPTZ \1", where)
    return rows.execute(f"SELECT ts FROM made WHERE {text} ORDER BY ts").fetchall()


COUNTED = [
    ("duckdb", "date_diff('{unit}', {since}, {until})", CLOCK_UNITS),
    ("snowflake", "DATEDIFF('{unit}', {since}, {until})", CLOCK_UNITS),
    ("snowflake", "TIMESTAMPDIFF({unit}, {since}, {until})", UNITS),
    ("snowflake", "DATEDIFF({unit}, {since}::DATE, {until})", UNITS),
    ("bigquery", "DATE_DIFF({until}, {since}, {unit})", UNITS),
    ("bigquery", "DATETIME_DIFF({until}, {since}, {unit})", CLOCK_UNITS),
]


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize(("dialect", "form", "units"), COUNTED)
@pytest.mark.parametrize("column", ["d", "ts"])
def test_periods_are_counted_where_they_begin(
    dialect: str, form: str, units: tuple[str, ...], column: str, rows: duckdb.DuckDBPyConnection
) -> None:
    for number, (unit, day) in enumerate((unit, day) for unit in units for day in DAYS):
        moment = f"DATE '{day}'" if column == "d" else f"TIMESTAMP '{day} 10:20:30'"
        sides = (column, moment) if number % 2 else (moment, column)
        if "::" in form and not number % 2:
            continue  # which casts the constant
        sql = form.format(unit=unit, since=sides[0], until=sides[1])
        truth = f"date_diff('{unit}', {sides[0]}, {sides[1]})"
        for sign, count in signs_and_counts(number, (-3, 0, 1)):
            ours = meant(f"{sql} {sign} {count}", dialect)
            original = found(rows, f"{truth} {sign} {count}")
            assert found(rows, render(ours)) == original, (sql, sign, count)


def signs_and_counts(number: int, counts: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Each operator with one of three counts: a case has each count with two operators, and three
    cases in a row have each operator with each count."""
    for place, sign in enumerate(SIGNS):
        yield sign, counts[(number + place) % len(counts)]


def week_of(day: dt.date, first: int) -> int:
    """The number of a week that begins on a day of the week (Monday is 0)."""
    return (day.toordinal() - 1 - first) // 7


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize(
    ("dialect", "form", "firsts"),
    [
        ("bigquery", "DATE_DIFF({until}, {since}, WEEK)", (6,)),
        ("bigquery", "DATE_DIFF({until}, {since}, WEEK(THURSDAY))", (3,)),
        ("bigquery", "DATE_DIFF({until}, {since}, ISOWEEK)", (0,)),
        ("snowflake", "DATEDIFF('week', {since}, {until})", tuple(range(7))),
    ],
)
@pytest.mark.parametrize("is_since", [True, False])
def test_weeks_begin_where_the_dialect_says(
    dialect: str,
    form: str,
    firsts: tuple[int, ...],
    is_since: bool,
    rows: duckdb.DuckDBPyConnection,
) -> None:
    days = [dt.date(2024, 12, 1) + dt.timedelta(n) for n in range(60)]
    for number, day in enumerate(days[20:34]):
        for sign, count in signs_and_counts(number, (-1, 0, 2)):
            sides = ("d", f"DATE '{day}'") if is_since else (f"DATE '{day}'", "d")
            sql = form.format(since=sides[0], until=sides[1])
            ours = meant(f"{sql} {sign} {count}", dialect)
            parts = ours.children if isinstance(ours, And) else (ours,)
            known = [part for part in parts if not isinstance(part, Unsupported)]
            holds = OPERATORS[sign]
            wanted = {
                each
                for each in days
                for first in firsts
                if holds(
                    (week_of(day, first) - week_of(each, first)) * (1 if is_since else -1), count
                )
            }
            text = render(all_of(*known))
            kept = {
                each
                for (each,) in rows.execute(
                    f"SELECT d FROM (SELECT unnest(?::DATE[]) AS d) WHERE {text}", [days]
                ).fetchall()
            }
            # One day in the midst of others is not told, of which only some are ruled out.
            most_more = 1 if len(firsts) > 1 and sign == "<>" else 0
            assert wanted <= kept, (sql, sign, count)
            assert len(kept) - len(wanted) <= most_more, (sql, sign, count)
            assert (len(known) < len(parts)) == (len(firsts) > 1)


MOVED = [
    ("snowflake", "DATEADD(day, 30, d)", "d + INTERVAL 30 DAY"),
    ("snowflake", "DATEADD('month', 1, d)", "d + INTERVAL 1 MONTH"),
    ("snowflake", "DATEADD(quarter, -1, d)", "d - INTERVAL 3 MONTH"),
    ("snowflake", "TIMESTAMPADD(year, 1, d)", "d + INTERVAL 1 YEAR"),
    ("snowflake", "d - 7", "d - INTERVAL 7 DAY"),
    ("snowflake", "d + INTERVAL '1 month'", "d + INTERVAL 1 MONTH"),
    ("snowflake", "ts + INTERVAL '1 hour'", "ts + INTERVAL 1 HOUR"),
    ("snowflake", "DATEADD(hour, -36, ts)", "ts - INTERVAL 36 HOUR"),
    ("snowflake", "LAST_DAY(d)", "last_day(d)"),
    ("snowflake", "LAST_DAY(d, 'month')", "last_day(d)"),
    ("snowflake", "LAST_DAY(ts)", "last_day(ts)"),
    ("snowflake", "CONVERT_TIMEZONE('UTC', 'America/New_York', ts)::DATE", NEW_YORK),
    ("snowflake", "CONVERT_TIMEZONE('Asia/Tokyo', tz)::DATE", TOKYO),
    ("snowflake", "TO_DATE(CONVERT_TIMEZONE('Asia/Tokyo', tz))", TOKYO),
    ("bigquery", "DATE_ADD(d, INTERVAL 1 MONTH)", "d + INTERVAL 1 MONTH"),
    ("bigquery", "DATE_SUB(d, INTERVAL 7 DAY)", "d - INTERVAL 7 DAY"),
    ("bigquery", "d - 7", "d - INTERVAL 7 DAY"),
    ("bigquery", "LAST_DAY(d)", "last_day(d)"),
    ("bigquery", "EXTRACT(DATE FROM ts)", "CAST(ts AS DATE)"),
    ("bigquery", "DATE(tz, 'Asia/Tokyo')", TOKYO),
    ("bigquery", "EXTRACT(DATE FROM tz AT TIME ZONE 'Asia/Tokyo')", TOKYO),
    ("bigquery", "DATE_TRUNC(d, WEEK)", "CAST(date_trunc('week', d + 1) AS DATE) - 1"),
    ("bigquery", "DATE_TRUNC(d, WEEK(THURSDAY))", "CAST(date_trunc('week', d - 3) AS DATE) + 3"),
    ("bigquery", "DATE_TRUNC(d, ISOWEEK)", "CAST(date_trunc('week', d) AS DATE)"),
    (
        "bigquery",
        "DATETIME_TRUNC(ts, WEEK)",
        "date_trunc('week', ts + INTERVAL 1 DAY) - INTERVAL 1 DAY",
    ),
    ("bigquery", "DATETIME_TRUNC(ts, MONTH)", "date_trunc('month', ts)"),
    ("duckdb", "d + 7", "d + 7"),
    ("duckdb", "d + INTERVAL 1 MONTH", "d + INTERVAL 1 MONTH"),
    ("duckdb", "ts - INTERVAL 36 HOUR", "ts - INTERVAL 36 HOUR"),
    ("duckdb", "last_day(d)", "last_day(d)"),
]


@pytest.mark.parametrize(("dialect", "sql", "truth"), MOVED)
def test_moved_dates_are_ranges(
    dialect: str, sql: str, truth: str, rows: duckdb.DuckDBPyConnection
) -> None:
    for day in DAYS:
        for written in (f"'{day}'", f"DATE '{day}'"):
            for sign in SIGNS:
                ours = meant(f"{sql} {sign} {written}", dialect)
                original = found(rows, f"{truth} {sign} DATE '{day}'")
                assert found(rows, render(ours)) == original, (sign, written)


@pytest.mark.parametrize(
    ("dialect", "sql", "truth", "zone"),
    [
        pytest.param("bigquery", "DATE(tz, 'Asia/Tokyo') IN ('2025-03-30', '2024-02-29')",
                     f"{TOKYO} IN ('2025-03-30', '2024-02-29')", None, id="a list"),
        pytest.param("bigquery", "EXTRACT(YEAR FROM tz AT TIME ZONE 'Asia/Tokyo') = 2025",
                     "year(tz AT TIME ZONE 'Asia/Tokyo') = 2025", None, id="a year"),
        pytest.param("snowflake",
                     "TO_CHAR(CONVERT_TIMEZONE('UTC', 'America/New_York', ts), 'YYYY') = '2025'",
                     f"strftime({NEW_YORK}, '%Y') = '2025'", None, id="a text"),
        pytest.param("bigquery", "TIMESTAMP_MICROS(n) >= TIMESTAMP '2025-03-30 10:00:00+00'",
                     "n >= 1743328800000000", None, id="microseconds"),
        pytest.param("bigquery", "TIMESTAMP_DIFF(TIMESTAMP '2025-03-30 10:00:00+00', tz, HOUR) < 5",
                     "tz > TIMESTAMPTZ '2025-03-30 05:00:00+00'", "UTC", id="elapsed hours"),
        pytest.param("snowflake", "d >= DATEADD(day, -1, TO_DATE('2025-03-31')) AND DATEDIFF("
                     "'day', d::DATE, '2025-04-02') < 3", "d > DATE '2025-03-30'", None,
                     id="a text that is counted from"),
    ],
)  # fmt: skip
def test_what_else_is_asked(
    dialect: str, sql: str, truth: str, zone: str | None, rows: duckdb.DuckDBPyConnection
) -> None:
    ours = meant(sql, dialect, zone)
    parts = ours.children if isinstance(ours, And) else (ours,)
    known = all_of(*(part for part in parts if not isinstance(part, Unsupported)))
    assert known != all_of()
    assert found(rows, render(known)) == found(rows, truth)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        pytest.param("snowflake", "DATEADD(hour, 1, d) >= '2025-03-30 01:00:00'", id="a time"),
        pytest.param("snowflake", "DATEDIFF('day', d, ts) < 3", id="two columns"),
        pytest.param("snowflake", "DATEDIFF('day', d, CURRENT_TIMESTAMP()) < 3", id="no clock"),
        pytest.param("bigquery", "DATE_DIFF(d, DATE '2025-01-01', ISOYEAR) = 0", id="years of ISO"),
        pytest.param("mysql", "DATEDIFF(d, DATE '2025-01-01') = 0", id="not documented"),
        pytest.param("postgres", "d + 7 > DATE '2025-01-01'", id="not documented either"),
    ],
)  # fmt: skip
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(meant(sql, dialect), Unsupported)
