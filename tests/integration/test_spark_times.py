"""What functions of dates and times are taken for holds the rows that Spark selects where they are
compared with texts, and where units are added or counted, in zones whose clocks skip midnights and
days; and in UTC no others where nothing stays beside it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import And, Or, Predicate, Unsupported, all_of, any_of
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow

TYPES = {"d": "date", "tsn": "timestamp", "ts": "timestamptz", "n": "int", "l": "long", "k": "int"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
ZONES = ("UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia")
# Ends of months, and days on which clocks skip or repeat: São Paulo's skips midnight of 2018-11-04,
# and Apia's all of 2011-12-30.
_EDGES = ("2011-12-30", "2018-11-04", "2024-01-31", "2024-02-29", "2024-03-31", "2024-10-27")
_CLOCKS = (
    *(dt.time(0), dt.time(0, 30), dt.time(1), dt.time(2, 15), dt.time(3)),
    *(dt.time(12), dt.time(23, 59, 59)),
)
_OPS = ("=", "<>", "<", "<=", ">", ">=")
_NUMBERS = (0, 0, 1, 30, -1, 1)
_SOME = 2
_BATCH = 400

DATES = (
    *("date_add({d}, 1)", "date_sub({d}, 1)", "last_day({d})", "add_months({d}, 1)"),
    *("next_day({d}, 'MON')", "to_date({d})", "trunc({d}, 'MM')", "to_date(date_add({d}, 1))"),
)
OF_DATES = (
    *("d + INTERVAL '1' DAY", "d - INTERVAL '1' MONTH", "d - 7", "1 + d"),
    *("coalesce(d, DATE '2024-02-29')", "nvl(d, DATE '2024-02-29')"),
    *("greatest(d, DATE '2018-11-04')", "least(d, DATE '2024-02-29')"),
    *("if(n > 20240000, d, DATE '2024-02-29')", "nvl2(n, d, DATE '2011-12-30')"),
    "CASE WHEN n > 20240000 THEN d WHEN n > 20180000 THEN DATE '2024-02-29' END",
    *("nullif(d, DATE '2024-02-29')", "coalesce(to_date(tsn), DATE '1970-01-01')"),
    *("to_date(CAST(n AS STRING), 'yyyyMMdd')", "to_date(n, 'yyyyMMdd')"),
    "date_add(DATE '1970-01-01', k)",
)
TIMES = (
    *("{t} + INTERVAL '1' HOUR", "{t} - INTERVAL '1' DAY", "{t} + INTERVAL '1' MONTH"),
    *("timestampadd(HOUR, 1, {t})", "timestampadd(DAY, -1, {t})", "dateadd(MONTH, 1, {t})"),
    *("date_trunc('HOUR', {t})", "date_trunc('month', {t}) + INTERVAL '1' MONTH"),
    "dateadd(MONTH, 1, date_trunc('month', {t}))",
)
OF_TIMES = (
    *("timestamp_seconds(l)", "timestamp_millis(l * 1000)", "timestamp_micros(l * 1000000)"),
    *("to_timestamp(CAST(n AS STRING), 'yyyyMMdd')", "from_utc_timestamp(ts, 'Asia/Tokyo')"),
    *("greatest(ts, TIMESTAMP '2024-01-31 12:00:00')", "greatest(ts, DATE '2024-01-31')"),
    *("least(d, TIMESTAMP '2024-01-31 12:00:00')", "least(ts, DATE '2024-01-31')"),
    *("coalesce(ts, TIMESTAMP '2024-01-31 12:00:00')", "CAST(d AS TIMESTAMP)"),
    *("dateadd(MONTH, 1, d)", "dateadd(DAY, -1, d)", "dateadd(QUARTER, 1, d)"),
    *("convert_timezone('UTC', 'Europe/Berlin', tsn)", "CAST(ts AS TIMESTAMP_NTZ)"),
)
COUNTS = (
    *(f"datediff({unit}, {{0}}, {{1}})" for unit in ("DAY", "WEEK", "HOUR", "MONTH")),
    *("timestampdiff(DAY, {1}, {0})", "datediff(DAY, to_date({0}), {1})", "datediff({1}, {0})"),
)
_DAYS = ("2011-12-31", "2018-11-04", "2024-02-29", "2024-04-01", "2024-2", "2024-10-27 00:00:00")
_TIMES = (
    *("2018-11-04 01:00:00", "2024-02-29 12", "2024-02-29T12:00:00Z", "2024-10-27 12:00:00"),
    *("2024-03-31 03:10:00", "2024-03-31T01:30:00Z"),
)


def compared(subject: str, texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        yield from (f"{subject} {op} '{text}'" for op in _OPS)
    first, last = texts[0], texts[-1]
    yield f"{subject} BETWEEN '{first}' AND '{last}'"
    yield f"NOT ({subject} >= '{last}')"
    yield f"{subject} IN ('{first}', '{last}')"
    yield f"{subject} NOT IN ('{first}', '{last}')"
    yield f"'{last}' <= {subject}"


def conditions() -> Iterator[str]:
    """Each subject with some of the texts."""
    dates = [date.format(d=column) for date in DATES for column in ("d", "tsn", "ts")]
    times = [time.format(t=column) for time in TIMES for column in ("tsn", "ts")]
    for subjects, texts in (((*dates, *OF_DATES), _DAYS), ((*times, *OF_TIMES), _DAYS + _TIMES)):
        for place, subject in enumerate(subjects):
            yield from compared(subject, [texts[(place + n) % len(texts)] for n in range(_SOME)])
    for count in COUNTS:
        for column in ("d", "tsn", "ts"):
            for moment in ("DATE '2024-03-31'", "TIMESTAMP '2018-11-05 12:00:00'", "'2011-12-31'"):
                subject = count.format(column, moment)
                yield from (f"{subject} {op} {n}" for op, n in zip(_OPS, _NUMBERS, strict=True))


def _values() -> str:
    days = [dt.date.fromisoformat(edge) + dt.timedelta(n) for edge in _EDGES for n in (-1, 0, 1)]
    days += [dt.date(2024, 2, 3), dt.date(2018, 2, 3), dt.date(2023, 12, 31)]
    zones = [ZoneInfo(zone) for zone in ZONES]
    rows = ["(0, NULL, NULL, NULL, NULL)"]
    for number, (day, clock) in enumerate(((d, c) for d in days for c in _CLOCKS), start=1):
        reading = dt.datetime.combine(day, clock)
        moment = reading.replace(tzinfo=zones[number % len(zones)])
        rows.append(f"({number}, '{day}', '{reading}', {day:%Y%m%d}, {int(moment.timestamp())})")
    return ", ".join(rows)


VALUES = f"(VALUES {_values()}) AS made(id, day, reading, n, l)"


@pytest.fixture(scope="module")
def rows() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(
            "CREATE TABLE made AS SELECT id, CAST(day AS DATE) AS d, CAST(reading AS TIMESTAMP) AS "
            f"tsn, to_timestamp(l) AS ts, CAST(n AS INT) AS n, CAST(l AS BIGINT) AS l, "
            f"CAST(l // 86400 AS INT) AS k FROM {VALUES}"
        )
        yield connection


@pytest.fixture(params=["true", "false"], ids=["ANSI", "no ANSI"])
def asked(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[SparkSession]:
    names = ("spark.sql.ansi.enabled", "spark.sql.session.timeZone")
    before = {name: spark.conf.get(name) for name in names}
    spark.conf.set(names[0], request.param)
    spark.sql(
        "SELECT id, CAST(day AS DATE) AS d, CAST(reading AS TIMESTAMP_NTZ) AS tsn, "
        f"timestamp_seconds(l) AS ts, CAST(n AS INT) AS n, CAST(l AS BIGINT) AS l, "
        f"CAST(l div 86400 AS INT) AS k FROM {VALUES}"
    ).createOrReplaceTempView("made")
    yield spark
    for name, value in before.items():
        spark.conf.set(name, str(value))


def known(predicate: Predicate) -> Predicate:
    """What is known of the rows that a condition selects."""
    match predicate:
        case Unsupported():
            return all_of()
        case And(children):
            return all_of(*map(known, children))
        case Or(children):
            return any_of(*map(known, children))
    return predicate


def kept(rows: duckdb.DuckDBPyConnection, ours: Predicate) -> set[int]:
    # DuckDB has another word for times of a zone.
    text = re.sub(r"TIMESTAMP ('[^']* UTC')", r"TIMESTAMPTZ \1", render(ours))
    return {number for (number,) in rows.execute(f"SELECT id FROM made WHERE {text}").fetchall()}


def _selected(wanted: Sequence[str], spark: SparkSession) -> Iterator[tuple[str, set[int]]]:
    """Conditions, and the rows that Spark selects by each."""
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        selects = ", ".join(f"coalesce({sql}, FALSE)" for sql in batch)
        answers = spark.sql(f"SELECT id, array({selects}) FROM made").collect()
        for place, sql in enumerate(batch):
            yield sql, {number for number, holds in answers if holds[place]}


@cache
def bound(sql: str, zone: str) -> Predicate:
    """The predicate of a condition, which is solved once for both modes of Spark."""
    return bind(condition(sql, "spark", time_zone=zone, types=TYPES), SCHEMA, time_zone=zone)


@pytest.mark.parametrize(
    "zone",
    # Java has the rules of zones, whichever Spark it is that asks: one that skips midnights does.
    [
        *(pytest.param(zone, marks=pytest.mark.spark) for zone in ("UTC", "America/Sao_Paulo")),
        *(pytest.param(zone, marks=pytest.mark.exhaustive) for zone in ZONES[1::2]),
    ],
)
def test_no_row_is_lost(zone: str, asked: SparkSession, rows: duckdb.DuckDBPyConnection) -> None:
    asked.conf.set("spark.sql.session.timeZone", zone)
    wanted = list(conditions())
    lost, many, unknown = [], [], []
    for sql, selected in _selected(wanted, asked):
        meant = bound(sql, zone)
        ours = known(meant)
        ids = kept(rows, ours)
        if not selected <= ids:
            lost.append((sql, render(meant), sorted(selected - ids)))
        if zone == "UTC" and ours == meant and selected != ids:
            many.append((sql, render(meant), sorted(ids - selected)))
        if ours == all_of() and " >= '" in sql and not sql.startswith("NOT"):
            unknown.append(sql)
    assert lost == []
    assert many == []
    assert zone != "UTC" or len(unknown) < len(wanted) // 100
