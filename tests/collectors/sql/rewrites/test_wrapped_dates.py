"""Formatted, cast and dissected dates become ranges of the column, and no engine pushes them."""

from __future__ import annotations

import pytest

from collectors.predicates.model import And, Predicate, Reason, Unsupported
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import Planner, bind_pushed
from collectors.sql.text.boolean import formula
from collectors.sql.text.parse import parse_condition

APRIL = "x >= DATE '2024-04-01' AND x < DATE '2024-05-01'"
YEAR = "x >= DATE '2024-01-01' AND x < DATE '2025-01-01'"
THIRD = "x >= DATE '2024-04-03' AND x < DATE '2024-04-04'"
TENTH_HOUR = "x >= TIMESTAMP '2024-04-03 10:00:00' AND x < TIMESTAMP '2024-04-03 11:00:00'"

# Trino rounds what it formats to milliseconds.
FROM_YEAR = "TIMESTAMP '2023-12-31 23:59:59.9995'"
FROM_APRIL = "TIMESTAMP '2024-03-31 23:59:59.9995'"
FROM_MAY = "TIMESTAMP '2024-04-30 23:59:59.9995'"
IN_YEAR = f"x >= {FROM_YEAR} AND x < TIMESTAMP '2024-12-31 23:59:59.9995'"
IN_APRIL = f"x >= {FROM_APRIL} AND x < {FROM_MAY}"
ON_THIRD = "x >= TIMESTAMP '2024-04-02 23:59:59.9995' AND x < TIMESTAMP '2024-04-03 23:59:59.9995'"
AT_TEN = "x >= TIMESTAMP '2024-04-03 09:59:59.9995' AND x < TIMESTAMP '2024-04-03 10:59:59.9995'"

BEYOND = "x > DATE '9999-12-31'"
EARLY = "x < DATE '1000-01-01'"


def read(sql: str, dialect: str, time_zone: str | None = "UTC") -> Predicate:
    """The predicate of a whole conjunction."""
    reader = Reader(
        lambda column: tuple(part.name for part in column.parts),
        Session(dialect, time_zone=time_zone),
    )
    return convert(formula(parse_condition(sql, dialect)), reader)


FORMATS = [
    pytest.param("trino", "date_format(x, '%Y-%m-%d') = '2024-04-03'", ON_THIRD, id="day"),
    pytest.param("athena", "date_format(x, '%Y-%m-%d') = '2024-04-03'", ON_THIRD, id="athena"),
    pytest.param("trino", "'202404' = date_format(x, '%Y%m')", IN_APRIL, id="no separators"),
    pytest.param("trino", "date_format(x, '%Y') = '2024'", IN_YEAR, id="year"),
    pytest.param("trino", "date_format(x, '%Y-%m-01') = '2024-04-01'", IN_APRIL,
                 id="first of month"),
    pytest.param("trino", "date_format(x, '%Y-%m-%d 00:00:00') = '2024-04-03 00:00:00'", ON_THIRD,
                 id="fixed time of day"),
    pytest.param("trino", "date_format(x, '%Y-%m') <> '2024-04'",
                 f"x < {FROM_APRIL} OR x >= {FROM_MAY}", id="not equal"),
    pytest.param("trino", "date_format(x, '%Y-%m') IN ('2024-04', NULL)", IN_APRIL, id="in"),
    pytest.param("trino", "NOT date_format(x, '%Y-%m') < '2024-04'", f"x >= {FROM_APRIL}",
                 id="negated"),
    pytest.param("trino", "date_format(x, '%Y-%m') > '2024-04'", f"x >= {FROM_MAY}",
                 id="greater"),
    pytest.param("trino", "date_format(x, '%Y-%m') < '2024-04'",
                 f"x < {FROM_APRIL} OR {BEYOND}", id="years beyond 9999 sort anywhere"),
    pytest.param("trino", "date_format(x, '%Y-%m') BETWEEN '2024-01' AND '2024-04'",
                 f"x >= {FROM_YEAR} AND (x < {FROM_MAY} OR {BEYOND})", id="between"),
    pytest.param("trino", "date_format(date_trunc('month', x), '%Y-%m-%d') = '2024-04-01'", APRIL,
                 id="of a truncation"),
    pytest.param("trino", "date_format(CAST(x AS date), '%Y-%m') = '2024-04'", APRIL,
                 id="of a cast"),
    pytest.param("trino", "format_datetime(x, 'yyyy-MM-dd') = '2024-04-03'", ON_THIRD, id="joda"),
    pytest.param("trino", "format_datetime(x, 'yyyy-MM-dd''T''HH') = '2024-04-03T10'", AT_TEN,
                 id="joda hour"),
    pytest.param("spark", "date_format(x, 'yyyy-MM-dd') = '2024-04-03'", THIRD, id="spark"),
    pytest.param("spark", "date_format(x, 'yyyyMMddHH') = '2024040310'", TENTH_HOUR,
                 id="spark hour"),
    pytest.param("spark", "date_format(x, 'yyyy-MM') >= '2024-04'",
                 f"x >= DATE '2024-04-01' OR {EARLY}", id="y and yyyy are read as the same"),
    pytest.param("trino", "date_format(x, '%Y-%m-%d %H') = '2024-04-03 10'",
                 "x >= TIMESTAMP '2024-04-03 09:59:59.9995' AND "
                 "x < TIMESTAMP '2024-04-03 10:59:59.9995'", id="hour"),
    pytest.param("trino", "date_format(x, '%Y-%m-%d %H:%i') > '2024-04-03 10:30'",
                 "x >= TIMESTAMP '2024-04-03 10:30:59.9995'", id="after a minute"),
    pytest.param("trino", "date_format(x, '%Y-%m-%d %H:00') <> '2024-04-03 10:00'",
                 "x < TIMESTAMP '2024-04-03 09:59:59.9995' OR "
                 "x >= TIMESTAMP '2024-04-03 10:59:59.9995'", id="any other hour"),
    pytest.param("trino", "date_format(x, '%Y%m%d%H%i%s') = '20240403103015'",
                 "x >= TIMESTAMP '2024-04-03 10:30:14.9995' AND "
                 "x < TIMESTAMP '2024-04-03 10:30:15.9995'", id="second"),
    pytest.param("trino", "to_char(x, 'yyyy-mm-dd hh24') = '2024-04-03 10'",
                 "x >= TIMESTAMP '2024-04-03 09:59:59.9995' AND "
                 "x < TIMESTAMP '2024-04-03 10:59:59.9995'", id="to_char of 24 hours"),
    pytest.param("spark", "date_format(x, 'yyyyMMdd') = 20240403", THIRD, id="number of a day"),
    pytest.param("spark", "date_format(x, 'yyyyMM') < 202404",
                 f"x < DATE '2024-04-01' OR {BEYOND}", id="before the number of a month"),
    pytest.param("databricks", "to_char(x, 'yyyy-MM') >= '2024-04'", "x >= DATE '2024-04-01'",
                 id="databricks to_char"),
    pytest.param("duckdb", "strftime(x, '%Y-%m') = '2024-04'", APRIL, id="duckdb"),
    pytest.param("duckdb", "strftime(x, '%Y-%m-%dT%H') = '2024-04-03T10'", TENTH_HOUR,
                 id="duckdb hour"),
    pytest.param("snowflake", "to_char(x, 'yyyy-MM-DD') = '2024-04-03'", THIRD, id="snowflake"),
    pytest.param("snowflake", "to_varchar(x, 'YYYY-MM-DD HH24') = '2024-04-03 10'", TENTH_HOUR,
                 id="snowflake hour"),
    pytest.param("bigquery", "FORMAT_DATE('%Y-%m', x) = '2024-04'", APRIL, id="bigquery"),
    pytest.param("bigquery", "FORMAT_TIMESTAMP('%Y-%m-%d %H', x) = '2024-04-03 10'", TENTH_HOUR,
                 id="bigquery hour"),
    pytest.param("bigquery", "FORMAT_DATETIME('%F', x) >= '2024-04-03'",
                 f"x >= DATE '2024-04-03' OR {EARLY}", id="early years may not be padded"),
]  # fmt: skip

CASTS = [
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024-04-03%'", THIRD, id="day"),
    pytest.param("spark", "CAST(x AS string) LIKE '2024-04%'", APRIL, id="month"),
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024-%'", YEAR, id="year"),
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024%'", f"({YEAR}) OR {BEYOND}",
                 id="the digits of the year may go on"),
    pytest.param("trino", "CAST(x AS varchar) NOT LIKE '2024-04-%'",
                 "x < DATE '2024-04-01' OR x >= DATE '2024-05-01'", id="not like"),
    pytest.param("trino", "starts_with(CAST(x AS varchar), '2024-04')", APRIL, id="starts_with"),
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024-1%'",
                 "x >= DATE '2024-10-01' AND x < DATE '2025-01-01'", id="a digit of the month"),
    pytest.param("trino", "CAST(x AS varchar) NOT LIKE '2024-02-2%'",
                 "x < DATE '2024-02-20' OR x >= DATE '2024-03-01'", id="no such digit of the day"),
    pytest.param("spark", "CAST(x AS string) LIKE '2024-04-0_ 10%'",
                 "x >= DATE '2024-04-01' AND x < DATE '2024-04-10'"
                 " AND CAST(x AS STRING) LIKE '2024-04-0_ 10%'", id="a digit of the day, and more"),
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024-04-4%'",
                 f"{APRIL} AND CAST(x AS VARCHAR) LIKE '2024-04-4%'", id="no day begins so"),
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024-04-03 10%'",
                 f"{THIRD} AND CAST(x AS VARCHAR) LIKE '2024-04-03 10%'", id="hour"),
    pytest.param("trino", "CAST(x AS varchar) = '2024-04-03'", "x = DATE '2024-04-03'", id="="),
    pytest.param("trino", "CAST(x AS varchar) LIKE '2024-04-03'", "x = DATE '2024-04-03'",
                 id="no wildcard"),
    pytest.param("trino", "CAST(x AS varchar) IN ('2024-04-03')", "x = DATE '2024-04-03'",
                 id="in"),
    pytest.param("trino", "CAST(x AS varchar) >= '2024-04'", "x >= DATE '2024-04-01'", id=">="),
    pytest.param("trino", "CAST(x AS varchar) > '2024-04-03'",
                 "x >= DATE '2024-04-03' AND CAST(x AS VARCHAR) > '2024-04-03'",
                 id="the texts of timestamps go on"),
    pytest.param("spark", "CAST(x AS string) <= '2024-04-03'",
                 f"x <= DATE '2024-04-03' OR {BEYOND}", id="<= a day"),
    pytest.param("spark", "CAST(x AS string) <= '2024-04'",
                 f"x < DATE '2024-04-01' OR {BEYOND}", id="<= a month"),
    pytest.param("trino", "CAST(CAST(x AS date) AS varchar) > '2024-04-03'",
                 "x >= DATE '2024-04-04'", id="cast of a day"),
    pytest.param("trino", "substr(CAST(x AS varchar), 1, 7) = '2024-04'", APRIL, id="substr"),
    pytest.param("trino", "substring(CAST(x AS varchar) FROM 1 FOR 10) > '2024-04-03'",
                 "x >= DATE '2024-04-04'", id="substring"),
    pytest.param("spark", "left(string(x), 4) = '2024'", f"({YEAR}) OR {BEYOND}", id="left"),
]  # fmt: skip

PARTS = [
    pytest.param("trino", "year(x) = 2024 AND month(x) = 4", f"{YEAR} AND {APRIL}", id="month"),
    pytest.param("trino", "month(x) = 4 AND (2024 = year(x))", f"{APRIL} AND {YEAR}", id="order"),
    pytest.param("trino", "year(x) = 2024 AND month(x) = 4 AND day(x) = 3",
                 f"{YEAR} AND {APRIL} AND {THIRD}", id="day"),
    pytest.param("trino", "year(x) = 2024 AND month(x) = 4 AND day(x) <= 3",
                 f"{YEAR} AND {APRIL} AND x < DATE '2024-04-04'", id="days up to"),
    pytest.param("spark", "year(x) = 2024 AND month(x) = 4 AND dayofmonth(x) = 3",
                 f"{YEAR} AND {APRIL} AND {THIRD}", id="spark"),
    pytest.param("duckdb", "extract(year FROM x) = 2024 AND extract(month FROM x) = 4",
                 f"{YEAR} AND {APRIL}", id="extract"),
    pytest.param("snowflake", "date_part(year, x) = 2024 AND date_part(month, x) = 4",
                 f"{YEAR} AND {APRIL}", id="date_part"),
    pytest.param("trino", "year(x) = 2024 AND month(x) BETWEEN 4 AND 6",
                 f"{YEAR} AND x >= DATE '2024-04-01' AND x < DATE '2024-07-01'", id="between"),
    pytest.param("trino", "year(x) = 2024 AND month(x) IN (4, 6)",
                 f"{YEAR} AND (({APRIL}) OR (x >= DATE '2024-06-01' AND x < DATE '2024-07-01'))",
                 id="in"),
    pytest.param("trino", "year(x) = 2024 AND month(x) <> 4",
                 f"{YEAR} AND (x < DATE '2024-04-01' OR x >= DATE '2024-05-01')", id="not equal"),
    pytest.param("spark", "year(x) = 2024 AND weekofyear(x) = 14",
                 f"{YEAR} AND x >= DATE '2024-04-01' AND x < DATE '2024-04-08'", id="week"),
    pytest.param("trino", "year(x) = 2024 AND week(x) = 1",
                 f"{YEAR} AND ((x >= DATE '2024-01-01' AND x < DATE '2024-01-08')"
                 " OR (x >= DATE '2024-12-30' AND x < DATE '2025-01-06'))",
                 id="a week at both ends of the year"),
    pytest.param("trino", "year(x) = 2024 AND week(x) = 53", "FALSE",
                 id="no week"),
    pytest.param("trino", "year(x) = 2024 AND week(x) >= 14",
                 f"{YEAR} AND x >= DATE '2024-04-01' AND x < DATE '2024-12-30'",
                 id="weeks in no order"),
    pytest.param("bigquery", "extract(year FROM x) = 2024 AND extract(week FROM x) = 14",
                 f"{YEAR} AND EXTRACT(WEEK FROM x) = 14", id="weeks from Sunday"),
    pytest.param("trino", "year(x) = 2024 AND (month(x) = 4 OR a = 1)",
                 f"{YEAR} AND (({APRIL}) OR a = 1)", id="inside an or"),
    pytest.param("trino", "(year(x) = 2024 AND month(x) = 4) OR a = 1",
                 f"({YEAR} AND {APRIL}) OR a = 1", id="and inside an or"),
    pytest.param("trino", "year(x) = 2024 AND month(x) = 4 AND day(date_trunc('week', x)) = 3",
                 f"{YEAR} AND {APRIL} AND DAY(DATE_TRUNC('WEEK', x)) = 3",
                 id="day of a week that starts in another month"),
    pytest.param("trino", "year(x) = 2024 AND day(x) = 3", f"{YEAR} AND DAY(x) = 3",
                 id="day of no known month"),
    pytest.param("trino", "year(x) = 2024 AND month(y) = 4", f"{YEAR} AND MONTH(y) = 4",
                 id="another column"),
    pytest.param("trino", "year(x) = 2024 AND month(x) = 13", f"{YEAR} AND MONTH(x) = 13",
                 id="no month"),
    pytest.param("trino", "(year(x) = 2024 OR a = 1) AND month(x) = 4",
                 f"(({YEAR}) OR a = 1) AND MONTH(x) = 4", id="year of one arm only"),
    pytest.param("trino", "NOT year(x) = 2024 AND month(x) = 4",
                 "(x < DATE '2024-01-01' OR x >= DATE '2025-01-01') AND MONTH(x) = 4",
                 id="any other year"),
]  # fmt: skip

EPOCHS = [
    pytest.param("spark", "unix_timestamp(x) = 1712138400",
                 "x >= TIMESTAMP '2024-04-03 10:00:00' AND x < TIMESTAMP '2024-04-03 10:00:01'",
                 id="="),
    pytest.param("spark", "unix_seconds(x) > 1712138400", "x >= TIMESTAMP '2024-04-03 10:00:01'",
                 id=">"),
    pytest.param("spark", "unix_timestamp(x) <= 1712138400",
                 "x < TIMESTAMP '2024-04-03 10:00:01'", id="<="),
    pytest.param("trino", "to_unixtime(x) < 1712138400", "x < TIMESTAMP '2024-04-03 10:00:00'",
                 id="double <"),
    pytest.param("trino", "to_unixtime(x) >= 1712138400",
                 "x >= TIMESTAMP '2024-04-03 09:59:59.999999001'",
                 id="double >=, to the microsecond"),
    pytest.param("trino", "to_unixtime(CAST(x AS timestamp)) >= 1712138400",
                 "x >= TIMESTAMP '2024-04-03 09:59:59.999499001' AND "
                 "TO_UNIXTIME(CAST(x AS TIMESTAMP)) >= 1712138400", id="rounded to milliseconds"),
    pytest.param("trino", "to_unixtime(CAST(x AS timestamp(0))) < 1712138400",
                 "x < TIMESTAMP '2024-04-03 10:00:00' AND "
                 "TO_UNIXTIME(CAST(x AS TIMESTAMP(0))) < 1712138400", id="rounded to seconds"),
    pytest.param("trino", "to_unixtime(CAST(x AS timestamp(6))) < 1712138400",
                 "x < TIMESTAMP '2024-04-03 10:00:00'", id="not rounded"),
    pytest.param("trino", "to_unixtime(x) > 1712138400.5",
                 "x >= TIMESTAMP '2024-04-03 09:59:59.999999001' AND "
                 "TO_UNIXTIME(x) > 1712138400.5", id="fraction"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "expected"), FORMATS + CASTS + PARTS + EPOCHS)
def test_wrapped_dates_become_ranges(dialect: str, sql: str, expected: str) -> None:
    assert render(read(sql, dialect)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql", "reason"),
    [
        pytest.param("trino", "date_format(x, '%Y-%m-%d') = '2024-4-3'", Reason.FUNCTION,
                     id="another shape"),
        pytest.param("trino", "date_format(x, '%Y-%m-%d') = '2024-02-30'", Reason.FUNCTION,
                     id="no such day"),
        pytest.param("trino", "date_format(x, '%Y-%m') = '0000-04'", Reason.FUNCTION,
                     id="year 0"),
        pytest.param("trino", "date_format(x, '%Y-%m') = '\uff12024-04'", Reason.FUNCTION,
                     id="other digits"),
        pytest.param("trino", "date_format(x, '%Y-%m') = 202404", Reason.FUNCTION, id="number"),
        pytest.param("trino", "date_format(x, '%m') = '04'", Reason.FUNCTION, id="no year"),
        pytest.param("trino", "date_format(x, '%Y-%d') = '2024-03'", Reason.FUNCTION,
                     id="no month"),
        pytest.param("trino", "date_format(x, '%d.%m.%Y') < '03.04.2024'", Reason.FUNCTION,
                     id="day first"),
        pytest.param("trino", "date_format(x, '%Y-%c') >= '2024-4'", Reason.FUNCTION,
                     id="not padded"),
        pytest.param("trino", "date_format(x, '%x-%m') = '2024-04'", Reason.FUNCTION,
                     id="week year"),
        pytest.param("trino", "to_char(x, 'yyyy-mm-dd hh') = '2024-04-03 10'", Reason.FUNCTION,
                     id="to_char of 12 hours"),
        pytest.param("trino", "date_format(x, '%Y-%m-%d %h') = '2024-04-03 10'", Reason.FUNCTION,
                     id="12 hours"),
        pytest.param("trino", "date_format(x, '%Y-%m-%d %k') = '2024-04-03 10'", Reason.FUNCTION,
                     id="hour not padded"),
        pytest.param("trino", "format_datetime(x, 'YYYY-MM') = '2024-04'", Reason.FUNCTION,
                     id="year of era"),
        pytest.param("trino", "format_datetime(x, 'yyyy-MMM') > '2024-Apr'", Reason.FUNCTION,
                     id="name of month"),
        pytest.param("spark", "date_format(x, 'yyyy-MM-dd') = 20240403", Reason.FUNCTION,
                     id="number of a text that is none"),
        pytest.param("spark", "date_format(x, 'yyyyMMdd') = 20240431", Reason.FUNCTION,
                     id="number of no day"),
        pytest.param("trino", "date_format(x, '%Y%m%d') = 20240403", Reason.FUNCTION,
                     id="text and number, which Trino does not compare"),
        pytest.param("spark", "date_format(x, 'yyyy-mm') = '2024-04'", Reason.FUNCTION,
                     id="minutes for months"),
        pytest.param("spark", "date_format(x, 'yyyy-MM-DD') = '2024-04-03'", Reason.FUNCTION,
                     id="day of year"),
        pytest.param("spark", "date_format(x, 'yyyyy') = '02024'", Reason.FUNCTION,
                     id="five digits"),
        pytest.param("spark", "date_format(x, 'yyyy-MM') = '0999-04'", Reason.FUNCTION,
                     id="year that y does not pad"),
        pytest.param("hive", "date_format(x, 'yyyy-MM') = '2024-04'", Reason.FUNCTION,
                     id="julian calendar"),
        pytest.param("snowflake", "to_char(x, 'YYYY-MON') = '2024-Apr'", Reason.FUNCTION,
                     id="snowflake name"),
        pytest.param("trino", "date_format(greatest(x, y), '%Y') = '2024'", Reason.FUNCTION,
                     id="of something else"),
        pytest.param("snowflake", "CAST(x AS varchar) = '2024-04-03'", Reason.CAST,
                     id="format of the session"),
        pytest.param("trino", "CAST(x AS varchar) NOT LIKE '2024-1_-03%'", Reason.CAST,
                     id="not a digit of the month, and more"),
        pytest.param("trino", "substr(CAST(x AS varchar), 6, 2) = '04'", Reason.FUNCTION,
                     id="month alone"),
        pytest.param("trino", "date_format(x, '%Y') IS NOT DISTINCT FROM '2024'", Reason.FUNCTION,
                     id="null-safe"),
        pytest.param("trino", "month(x) = 4", Reason.FUNCTION, id="month alone of any year"),
        pytest.param("spark", "unix_timestamp(x) <> 1712138400", Reason.FUNCTION, id="not equal"),
        pytest.param("duckdb", "epoch(x) < 1712138400", Reason.FUNCTION, id="type by version"),
    ],
)  # fmt: skip
def test_what_is_not_proven_stays_unsupported(dialect: str, sql: str, reason: Reason) -> None:
    found = read(sql, dialect)
    assert isinstance(found, Unsupported)
    assert found.reason is reason


def test_trino_formats_zoned_columns_in_utc_so_both_clocks_are_covered() -> None:
    found = read("date_format(x, '%Y-%m-%d') >= '2024-04-03'", "trino", "Europe/Berlin")
    midnight = "2024-04-02 23:59:59.9995"
    assert render(found) == f"x >= TIMESTAMP '{midnight}' OR x >= TIMESTAMP '{midnight} UTC'"
    found = read("CAST(x AS varchar) >= '2024-04-03'", "trino", "Europe/Berlin")
    assert render(found) == "x >= DATE '2024-04-03' OR x >= TIMESTAMP '2024-04-03 00:00:00 UTC'"


@pytest.mark.parametrize(
    ("sql", "zone"),
    [
        pytest.param("date_format(x, 'yyyy-MM-dd HH') = '2024-10-27 02'", "Europe/Berlin",
                     id="repeated hour"),
        pytest.param("date_format(x, 'yyyy-MM-dd HH') = '2024-03-10 02'", "America/New_York",
                     id="skipped hour"),
        pytest.param("date_format(x, 'yyyy-MM-dd HH') = '2018-11-04 01'", "America/Sao_Paulo",
                     id="dates start at one o'clock"),
        pytest.param("CAST(x AS date) = DATE '2010-11-06'", "America/St_Johns",
                     id="an hour of the day before comes after midnight"),
    ],
)  # fmt: skip
def test_what_the_clock_repeats_or_skips_is_not_unwrapped(sql: str, zone: str) -> None:
    assert isinstance(read(sql, "spark", zone), Unsupported)
    assert isinstance(read(sql, "spark", "UTC"), And)


@pytest.mark.parametrize("engine", ["spark", "trino", "pyiceberg"])
@pytest.mark.parametrize(
    ("dialect", "sql"), [param.values[:2] for param in FORMATS + CASTS + EPOCHS]
)
def test_no_engine_pushes_them(dialect: str, sql: str, engine: str) -> None:
    planner = Planner(engine)
    pushed = condition(sql, dialect, time_zone="UTC", planner=planner)
    for kind in ("timestamp", "date"):
        schema = Schema(0, (SchemaColumn(1, ("x",), kind, False, False, False),))
        bound = bind_pushed(planner, pushed, schema, time_zone="UTC")
        # Spark infers that the column is not null, and pushes that.
        assert render(bound) in ("TRUE", "x IS NOT NULL")


@pytest.mark.parametrize(
    ("engine", "dialect", "expected"),
    [
        pytest.param("spark", "spark", "x IS NOT NULL", id="spark"),
        pytest.param("trino", "trino", YEAR, id="trino"),
        pytest.param("pyiceberg", "spark", "TRUE", id="pyiceberg"),
    ],
)
def test_engines_push_the_year_without_the_month(engine: str, dialect: str, expected: str) -> None:
    sql = "year(x) = 2024 AND month(x) = 4"
    found = condition(sql, dialect, time_zone="UTC", planner=Planner(engine))
    assert render(found) == expected
