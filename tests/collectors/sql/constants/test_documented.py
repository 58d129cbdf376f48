"""Constant dates and times in dialects of which the documentation tells what functions are."""

from __future__ import annotations

import datetime as dt

import duckdb
import pytest

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert, Fails, Folded
from prunescope.collectors.sql.functions.folding import fold, may_read_clock
from prunescope.collectors.sql.text.parse import parse_condition
from tests.collectors.sql.constants.documented_values import BIGQUERY, CLICKHOUSE, SNOWFLAKE

_STARTED = dt.datetime(2026, 12, 4, 3, 4, 5, tzinfo=dt.UTC)
_HERE = "America/Los_Angeles"  # where it is the day before


def folded(dialect: str, sql: str, zone: str | None = "UTC") -> Folded:
    return fold(parse_condition(sql, dialect), Session(dialect, _STARTED, zone))


def told(value: Folded) -> str:
    if isinstance(value, Timestamp):
        moment = dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=value.nanos // 1000)
        return f"{moment}{' UTC' if value.zoned else ''}"
    return str(value)


_KNOWN = [
    ("clickhouse", "toDate('2026-12-04')", "2026-12-04"),
    ("clickhouse", "toDate(now())", "2026-12-04"),
    ("clickhouse", "toDate32('1910-12-04')", "1910-12-04"),
    ("clickhouse", "toDateTime('2026-12-04 10:11:12')", "2026-12-04 10:11:12 UTC"),
    ("clickhouse", "toDateTime('2026-12-04')", "2026-12-04 00:00:00 UTC"),
    ("clickhouse", "toDateTime('2026-12-04 01:00:00', 'Europe/Berlin')", "2026-12-04 00:00:00 UTC"),
    ("clickhouse", "toDateTime64('2026-12-04 10:11:12.5', 3, 'UTC')",
     "2026-12-04 10:11:12.500000 UTC"),
    ("clickhouse", "today()", "2026-12-04"),
    ("clickhouse", "yesterday()", "2026-12-03"),
    ("clickhouse", "today() - 7", "2026-11-27"),
    ("clickhouse", "subtractDays(today(), 7)", "2026-11-27"),
    ("clickhouse", "addMonths(toDate('2026-12-31'), 2)", "2027-02-28"),
    ("clickhouse", "today() - toIntervalWeek(1)", "2026-11-27"),
    ("clickhouse", "date_sub(DAY, 7, today())", "2026-11-27"),
    ("clickhouse", "dateAdd(today(), INTERVAL 3 DAY)", "2026-12-07"),
    ("clickhouse", "toStartOfMonth(today())", "2026-12-01"),
    ("clickhouse", "makeDate(2026, 12, 4)", "2026-12-04"),
    ("clickhouse", "toDateTime(1796378645)", "2026-12-04 10:04:05 UTC"),
    ("clickhouse", "fromUnixTimestamp(1796378645)", "2026-12-04 10:04:05 UTC"),
    ("clickhouse", "toUnixTimestamp(toDateTime('2026-12-04 10:04:05'))", "1796378645"),
    ("clickhouse", "now() - 3600", "2026-12-04 02:04:05 UTC"),
    ("clickhouse", "addHours(now(), 5)", "2026-12-04 08:04:05 UTC"),
    ("clickhouse", "now() - toIntervalMinute(3)", "2026-12-04 03:01:05 UTC"),
    ("clickhouse", "toYYYYMM(today())", "202612"),
    ("clickhouse", "toYYYYMMDD(yesterday())", "20261203"),
    ("clickhouse", "toString(toDate('2026-12-04'))", "2026-12-04"),
    ("clickhouse", "today() - INTERVAL (2 * 7) DAY", "2026-11-20"),
    ("bigquery", "CAST(DATE_SUB(DATE '2023-01-05', INTERVAL 1 DAY) AS STRING)", "2023-01-04"),
    ("bigquery", "TIMESTAMP_SUB(TIMESTAMP '2023-02-02 00:00:00 UTC', INTERVAL (4 * 7) DAY)",
     "2023-01-05 00:00:00 UTC"),
    ("bigquery", "POW(10, 2)", "100.0"),
    ("duckdb", "CAST(DATE '2023-01-05' AS VARCHAR)", "2023-01-05"),
    ("trino", "power(10, 2)", "100.0"),
    ("spark", "pow(2, 10)", "1024.0"),
    ("snowflake", "CURRENT_DATE - 7", "2026-11-27"),
    ("snowflake", "CURRENT_DATE() + 1", "2026-12-05"),
    ("snowflake", "TO_DATE('04.12.2026', 'DD.MM.YYYY')", "2026-12-04"),
    ("snowflake", "TRY_TO_DATE('20261204', 'YYYYMMDD')", "2026-12-04"),
    ("snowflake", "TO_TIMESTAMP('2026-12-04 01:02:03', 'YYYY-MM-DD HH24:MI:SS')",
     "2026-12-04 01:02:03"),
    ("snowflake", "DATE_FROM_PARTS(2026, 11, 20)", "2026-11-20"),
    ("snowflake", "TIMESTAMP_NTZ_FROM_PARTS(2026, 11, 20, 1, 2, 3)", "2026-11-20 01:02:03"),
    ("snowflake", "LAST_DAY(CURRENT_DATE)", "2026-12-31"),
    ("snowflake", "DATEADD(day, -7, CURRENT_TIMESTAMP)", "2026-11-27 03:04:05 UTC"),
    ("snowflake", "SYSDATE()", "2026-12-04 03:04:05"),
    ("dremio", "TO_DATE('04.12.2026', 'DD.MM.YYYY')", "2026-12-04"),
    ("dremio", "TO_TIMESTAMP('2026-12-04 01:02:03', 'YYYY-MM-DD HH24:MI:SS')",
     "2026-12-04 01:02:03"),
    ("dremio", "TIMESTAMPADD(DAY, -7, CURRENT_TIMESTAMP)", "2026-11-27 03:04:05 UTC"),
    ("dremio", "TIMESTAMPADD(MONTH, -1, DATE '2026-12-31')", "2026-11-30"),
    ("dremio", "DATE_SUB(CURRENT_DATE, INTERVAL '7' DAY)", "2026-11-27"),
    ("duckdb", "today() - 7", "2026-11-27"),
    ("postgres", "CURRENT_DATE - 7", "2026-11-27"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "expected"), _KNOWN)
def test_constants_are_what_the_documentation_says(dialect: str, sql: str, expected: str) -> None:
    assert told(folded(dialect, sql)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        *(("bigquery", *example) for example in BIGQUERY),
        *(("snowflake", *example) for example in SNOWFLAKE),
        *(("clickhouse", *example) for example in CLICKHOUSE),
    ],
)
def test_functions_are_what_references_and_engines_say(
    dialect: str, sql: str, expected: str
) -> None:
    try:
        assert told(folded(dialect, sql)) == expected
    except Fails:
        assert expected == "fails"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("clickhouse", "toDate('2026-12-04 10:00:00')"),
        ("clickhouse", "toDate(20000)"),
        ("clickhouse", "toDate('1910-12-04')"),
        ("clickhouse", "addYears(toDate('2100-01-01'), 100)"),
        ("clickhouse", "toDateTime('2026-12-04 10:11:12.5')"),
        ("clickhouse", "toDateTime('2026-12-04T10:11:12Z')"),
        ("clickhouse", "makeDate(2026, 42)"),
        ("clickhouse", "toDateTime('2107-01-01 00:00:00')"),
        ("clickhouse", "CAST('1960-01-01' AS Date)"),
        ("clickhouse", "TIMESTAMP '2026-12-04 10:11:12.5'"),
        ("clickhouse", "'2026-12-04 10:11:12'::DateTime64(6, 'UTC')"),
        ("clickhouse", "toDateTime(-1)"),
        ("trino", "power(10, 40)"),
        ("trino", "power(10, -2)"),
        ("trino", "power(0.1, 2)"),
        ("snowflake", "CAST(DATE '2023-01-05' AS VARCHAR)"),
        ("clickhouse", "parseDateTimeBestEffort('2026-12-04 10:00:00')"),
        ("snowflake", "TO_DATE('4.12.2026', 'DD.MM.YYYY')"),
        ("snowflake", "TO_DATE('04-Dec-2026', 'DD-MON-YYYY')"),
        ("dremio", "CURRENT_DATE - 7"),
        ("dremio", "TO_TIMESTAMP('2026-12-04', 'YYYY-DDD')"),
        ("duckdb", "make_date(20000)"),
        ("mysql", "CURRENT_DATE - 7"),
    ],
)
def test_what_it_does_not_say_is_unknown(dialect: str, sql: str) -> None:
    with pytest.raises(CannotConvert):
        folded(dialect, sql)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("today()", "2026-12-03"),
        ("toDate(now()) - 1", "2026-12-02"),
        ("toDateTime('2026-12-04 10:00:00')", "2026-12-04 18:00:00 UTC"),
        ("toDateTime('2026-12-04 10:00:00', 'UTC')", "2026-12-04 10:00:00 UTC"),
        ("TIMESTAMP '2026-12-04 10:00:00'", "2026-12-04 18:00:00 UTC"),
        ("toUnixTimestamp('2026-12-04 10:00:00')", "1796407200"),
        ("toDateTime('2026-03-08 12:00:00') - INTERVAL 12 HOUR", "2026-03-08 07:00:00 UTC"),
    ],
)
def test_times_of_clickhouse_are_moments(sql: str, expected: str) -> None:
    assert told(folded("clickhouse", sql, _HERE)) == expected


@pytest.mark.parametrize("sql", ["today()", "yesterday()", "toDate(now())"])
def test_the_clock_is_asked_for_a_day(sql: str) -> None:
    assert may_read_clock(parse_condition(sql, "clickhouse"))
    for session in (Session("clickhouse", None, "UTC"), Session("clickhouse", _STARTED, None)):
        with pytest.raises(CannotConvert):
            fold(parse_condition(sql, "clickhouse"), session)


@pytest.mark.parametrize("dialect", ["duckdb", "snowflake", "postgres"])
def test_a_day_is_no_known_number_of_hours_where_the_clock_is_put_back(dialect: str) -> None:
    moved = "CURRENT_TIMESTAMP - INTERVAL '{}' DAY"
    assert told(folded(dialect, moved.format(7), _HERE)) == "2026-11-27 03:04:05 UTC"
    with pytest.raises(CannotConvert):
        folded(dialect, moved.format(60), _HERE)


@pytest.mark.parametrize(
    "sql",
    [
        "make_date(2026, 12, 4)",
        "make_date(2024, 2, 29) - 365",
        "make_timestamp(2026, 12, 4, 1, 2, 3)",
        "make_timestamp(2026, 12, 4, 1, 2, 3.25)",
        "strptime('04.12.2026 01:02:03', '%d.%m.%Y %H:%M:%S')",
        "strptime('20261204', '%Y%m%d')",
        "strptime('2026-12-04', '%Y-%m-%d')::DATE",
        "DATE '2026-12-04' + 3",
        "date_add(DATE '2026-12-31', INTERVAL 2 MONTH)",
        "last_day(DATE '2024-02-03')",
    ],
)
def test_duckdb_agrees(sql: str) -> None:
    with duckdb.connect() as connection:
        ((found,),) = connection.execute(f"SELECT ({sql})::TIMESTAMP").fetchall()
    value = folded("duckdb", sql)
    midnight = " 00:00:00" if isinstance(value, dt.date) else ""
    assert told(value) + midnight == str(found)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("toDate(toDateTime64('2026-03-02 03:00:00', 3, 'Asia/Tokyo'))", "2026-03-02"),
        ("toDate(toDateTime(1772377200, 'Asia/Tokyo'))", "2026-03-02"),
        ("toDate(toDateTime('2026-03-01 03:00:00', 'Asia/Tokyo') + 86400)", "2026-03-02"),
        ("toDate(addHours(toDateTime('2026-03-01 03:00:00', 'Asia/Tokyo'), 24))", "2026-03-02"),
        ("toStartOfDay(toDateTime('2026-03-02 10:30:00', 'Asia/Tokyo'))",
         "2026-03-01 15:00:00 UTC"),
        ("toMonday(toDateTime('2026-03-02 03:00:00', 'Asia/Tokyo'))", "2026-03-02"),
        ("toStartOfMonth(toDateTime('2026-03-01 03:00:00', 'Asia/Tokyo'))", "2026-03-01"),
        ("toString(toDate(toDateTime('2026-03-02 03:00:00', 'Asia/Tokyo')))", "2026-03-02"),
        ("toDateTime('2026-03-02 00:00:00', concat('Asia/', 'Tokyo'))",
         "2026-03-01 15:00:00 UTC"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("zone", ["UTC", _HERE])
def test_a_moment_is_read_by_the_zone_that_it_was_made_with(
    sql: str, expected: str, zone: str
) -> None:
    """As ClickHouse 26.9 answers."""
    assert told(folded("clickhouse", sql, zone)) == expected


def test_the_hours_of_zones_between_those_of_utc_are_not_known() -> None:
    with pytest.raises(CannotConvert):
        folded("clickhouse", "toStartOfHour(toDateTime('2026-03-02 10:45:00', 'Asia/Kolkata'))")
