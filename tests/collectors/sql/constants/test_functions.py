"""Constants that are computed of the day and the moment at which a query starts are those that
Spark 4.1 and Trino 483 returned for them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from prunescope.collectors.predicates.calendar import Interval
from prunescope.collectors.predicates.instants import parse_timestamp
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded
from prunescope.collectors.sql.functions.folding import fold, may_read_clock
from prunescope.collectors.sql.text.parse import parse_condition
from tests.collectors.sql.constants.moments import plain

_STARTED = dt.datetime(2026, 3, 15, 1, 2, 3, 456_000, tzinfo=dt.UTC)
_HERE = "America/Los_Angeles"  # on March 14


def folded(dialect: str, sql: str, zone: str | None = _HERE) -> Folded:
    return fold(parse_condition(sql, dialect), Session(dialect, _STARTED, zone))


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def time(text: str) -> Timestamp:
    found = parse_timestamp(text)
    assert found is not None
    return found


_SPARK: list[tuple[str, Folded]] = [
    ("'EU' IS NULL", False),
    ("nullif('EU', 'EU') IS NULL", True),
    ("(1 = 2) IS FALSE", True),
    ("(NULL = 2) IS TRUE", False),
    ("NULL <=> 'EU'", False),
    ("NULL IS DISTINCT FROM NULL", False),
    ("1 IS DISTINCT FROM 2", True),
    ("ADD_MONTHS(CURRENT_DATE(), -1)", day("2026-02-14")),
    ("ADD_MONTHS(TRUNC(CURRENT_DATE(), 'MM'), -1)", day("2026-02-01")),
    ("add_months(DATE '2026-02-28', 1)", day("2026-03-28")),
    ("pmod(-3, 7)", 4),
    ("pmod(14, 7)", 0),
    ("add_months('2026-01-31', 1)", day("2026-02-28")),
    ("trunc(add_months(current_date(), -1), 'quarter')", day("2026-01-01")),
    ("trunc(current_timestamp(), 'MM')", day("2026-03-01")),
    ("trunc('2026-03-05 10:00:00', 'MM')", day("2026-03-01")),
    ("make_date(year(current_date()), month(current_date()), 1)", day("2026-03-01")),
    ("next_day(current_date(), 'MON')", day("2026-03-16")),
    ("next_day('2026-03-16', 'Monday')", day("2026-03-23")),
    ("date_sub(next_day(current_date(), 'mo'), 7)", day("2026-03-09")),
    ("last_day(add_months(current_date(), -1))", day("2026-02-28")),
    ("date_from_unix_date(-1)", day("1969-12-31")),
    ("unix_date(current_date())", 20_526),
    ("year(current_date()) * 100 + month(current_date())", 202_603),
    ("dayofweek(current_date())", 7),
    ("weekday(current_date())", 5),
    ("weekofyear(DATE '2027-01-01')", 53),
    ("extract(YEAROFWEEK FROM DATE '2027-01-01')", 2026),
    ("extract(DOW FROM DATE '2026-03-15')", 1),
    ("extract(DOW_ISO FROM DATE '2026-03-15')", 7),
    ("date_part('doy', current_date())", 73),
    ("quarter(current_date())", 1),
    ("hour(current_timestamp())", 18),
    ("date_diff(TIMESTAMP '2026-03-15 01:00:00', DATE '2026-03-10')", 5),
    ("date_format(add_months(current_date(), -1), 'yyyyMM')", "202602"),
    ("date_format(current_timestamp(), 'yyyy-MM-dd HH:mm:ss')", "2026-03-14 18:02:03"),
    ("CAST(date_format(current_date(), 'yyyyMMdd') AS INT)", 20_260_314),
    ("to_date(concat(year(current_date()), '-01-01'))", day("2026-01-01")),
    ("to_date('20260105', 'yyyyMMdd')", day("2026-01-05")),
    ("to_date('202601', 'yyyyMM')", day("2026-01-01")),
    ("to_timestamp('20260105 101112', 'yyyyMMdd HHmmss')", time("2026-01-05 10:11:12")),
    ("concat_ws('-', year(current_date()), NULL, '01')", "2026-01"),
    ("concat(year(current_date()), '-', lpad(month(current_date()), 2, '0'))", "2026-03"),
    ("'d' || current_date()", "d2026-03-14"),
    ("concat('a', NULL)", NULL),
    ("lpad('abc', 2, '0')", "ab"),
    ("substr(20260105, 1, 4)", "2026"),
    ("left(date_format(current_date(), 'yyyyMMdd'), 6)", "202603"),
    ("replace(CAST(current_date() AS STRING), '-', '')", "20260314"),
    ("unix_timestamp()", 1_773_536_523),
    ("unix_timestamp(date_sub(current_date(), 7))", 1_772_870_400),
    ("unix_timestamp('2026-01-05', 'yyyy-MM-dd')", 1_767_600_000),
    ("to_unix_timestamp('2026-01-05', 'yyyy-MM-dd')", 1_767_600_000),
    ("to_unix_timestamp('2026-01-05 00:00:00')", 1_767_600_000),
    ("unix_seconds(TIMESTAMP '1969-12-31 15:59:59.5')", -1),
    ("unix_millis(current_timestamp())", 1_773_536_523_456),
    ("unix_micros(current_timestamp())", 1_773_536_523_456_000),
    ("CAST(current_timestamp() AS LONG)", 1_773_536_523),
    ("CAST(7 AS TIMESTAMP)", time("1970-01-01 00:00:07Z")),
    ("timestamp_micros(1767571200000000)", time("2026-01-05 00:00:00Z")),
    ("from_unixtime(1767571200, 'yyyyMMdd')", "20260104"),
    ("to_date(from_unixtime(1767571200))", day("2026-01-04")),
    (
        "from_utc_timestamp(current_timestamp(), 'Europe/Berlin')",
        time("2026-03-15 02:02:03.456Z"),
    ),
    ("to_utc_timestamp(TIMESTAMP '2026-03-08 01:30:00', 'Asia/Tokyo')", time("2026-03-08 00:30Z")),
    ("date_trunc('HOUR', current_timestamp())", time("2026-03-15 01:00:00Z")),
    ("CAST(2.5 AS INT)", 2),
    ("datediff(MONTH, DATE '2026-01-31', DATE '2026-02-28')", 0),
    ("months_between(DATE '2026-02-28', DATE '2026-01-31')", 1.0),
    ("extract(SECOND FROM current_timestamp())", Decimal("3.456")),
    ("CAST(1 / CAST(3 AS DECIMAL(5, 0)) AS STRING)", "0.333333"),
    ("CAST(-2.5D AS BIGINT)", -2),
    ("floor(-7 / 2)", -4),
    ("-7 div 2", -3),
    ("7D / 2", 3.5),
    ("nvl(NULL, current_date())", day("2026-03-14")),
    ("if(NULL, 1, 2)", 2),
    ("nullif(1, 1)", NULL),
    ("CASE WHEN month(current_date()) BETWEEN 1 AND 3 THEN 'q1' ELSE 'q2' END", "q1"),
    ("unix_timestamp(TIMESTAMP_NTZ '1969-12-31 23:59:58.5')", -1),  # as of UTC
    ("date_trunc('HOUR', '2024-01-01 12:34:56')", time("2024-01-01 12:00:00")),
    ("hour('2024-01-01 12:34:56')", 12),
    ("CAST(TIMESTAMP '1970-01-01 00:00:00.125+00:00' AS DECIMAL(20, 3))", Decimal("0.125")),
    (
        "TIMESTAMP '2024-03-10 12:00:00' - TIMESTAMP_NTZ '2024-03-09 12:00:00'",
        Interval(nanos=86_400_000_000_000),
    ),
]
_TRINO: list[tuple[str, Folded]] = [
    ("year(current_date) * 100 + month(current_date)", 202_603),
    ("year(now() AT TIME ZONE 'Asia/Tokyo')", 2026),
    ("day_of_week(current_date)", 6),
    ("extract(DOW FROM DATE '2026-03-15')", 7),
    ("week(DATE '2027-01-01')", 53),
    ("yow(DATE '2027-01-01')", 2026),
    ("quarter(current_date)", 1),
    ("hour(now())", 18),
    ("extract(SECOND FROM TIMESTAMP '1969-01-05 00:00:07.623')", 7),
    ("last_day_of_month(date_add('month', -1, current_date))", day("2026-02-28")),
    (
        "date_trunc('week', date_add('week', -1, CAST(now() AS timestamp)))",
        time("2026-03-02 00:00"),
    ),
    ("date_trunc('day', now() AT TIME ZONE 'Europe/Berlin')", time("2026-03-15 00:00 +01:00")),
    (
        "date_trunc('hour', TIMESTAMP '2026-01-05 10:11:12 Asia/Kolkata')",
        time("2026-01-05 10:00 +05:30"),
    ),
    ("at_timezone(current_timestamp, 'Europe/Berlin')", time("2026-03-15 01:02:03.456Z")),
    ("CAST(current_timestamp AT TIME ZONE 'Europe/Berlin' AS date)", day("2026-03-15")),
    (
        "CAST(now() AT TIME ZONE 'Europe/Berlin' AS timestamp(6))",
        time("2026-03-15 02:02:03.456"),
    ),
    (
        "with_timezone(TIMESTAMP '2026-01-05 00:00:00', 'Europe/Berlin')",
        time("2026-01-04 23:00Z"),
    ),
    ("date(TIMESTAMP '2026-01-05 01:00:00 Asia/Tokyo' + INTERVAL '1' DAY)", day("2026-01-06")),
    (
        "CAST(from_iso8601_timestamp('2026-01-05T00:00:00.123Z') AS timestamp)",
        time("2026-01-05 00:00:00.123"),
    ),
    ("date(from_iso8601_timestamp('2026-01-05T00:00:00+09:00'))", day("2026-01-05")),
    ("from_iso8601_timestamp('2026-01-05')", time("2026-01-05 08:00Z")),
    ("CAST(DATE '2026-01-05' AS timestamp with time zone)", time("2026-01-05 08:00Z")),
    # Days of date_add() are those of a clock, an interval has 24 hours of each.
    (
        "date_add('day', 1, TIMESTAMP '2026-03-07 18:00:00 America/Los_Angeles')",
        time("2026-03-08 18:00 -07:00"),
    ),
    (
        "TIMESTAMP '2026-03-07 18:00:00 America/Los_Angeles' + INTERVAL '1' DAY",
        time("2026-03-08 19:00 -07:00"),
    ),
    ("to_unixtime(current_timestamp - INTERVAL '7' DAY)", 1_772_931_723.456),
    ("to_unixtime(TIMESTAMP '2026-01-05 00:00:00')", 1_767_600_000.0),
    ("to_unixtime(current_date)", 1_773_471_600.0),
    ("CAST(to_unixtime(current_timestamp) AS bigint)", 1_773_536_523),
    ("CAST(-2.5e0 AS bigint)", -3),
    ("to_milliseconds(INTERVAL '1' DAY + INTERVAL '2' HOUR)", 93_600_000),
    ("now() - parse_duration('7d')", time("2026-03-08 01:02:03.456Z")),
    ("parse_duration('90m')", Interval(nanos=5_400 * 10**9)),
    ("date(from_unixtime(1767571200))", day("2026-01-04")),
    ("date(from_unixtime(1767571200, 'Europe/Berlin'))", day("2026-01-05")),
    ("from_unixtime_nanos(1767571200000000001)", Timestamp(1_767_571_200_000_000_001, True)),
    ("current_timestamp(6)", time("2026-03-15 01:02:03.456Z")),
    ("date_diff('day', DATE '2026-01-01', current_date)", 72),
    ("date_diff('month', DATE '2026-01-15', current_date)", 1),
    ("date_diff('month', DATE '2026-01-31', DATE '2026-02-28')", 1),
    ("date_format(TIMESTAMP '2020-02-29 23:59:59.999600', '%Y%m%d')", "20200301"),
    ("CAST(TIMESTAMP '2020-02-29 23:59:59.999600' AS timestamp)", time("2020-03-01 00:00:00")),
    ("CAST(TIMESTAMP '2020-02-29 23:59:59.9990' AS varchar)", "2020-02-29 23:59:59.9990"),
    ("CAST(1.50 + 1 AS varchar)", "2.50"),
    ("date_diff('week', DATE '2026-01-12', DATE '2026-01-01')", -1),
    ("date_diff('day', TIMESTAMP '2026-03-08 17:00:00', TIMESTAMP '2026-03-07 18:00:00')", 0),
    ("date_format(now(), '%Y-%m-%d %T')", "2026-03-14 18:02:03"),
    ("date_format(now() AT TIME ZONE 'Asia/Tokyo', '%Y-%m-%d')", "2026-03-15"),
    ("format_datetime(current_date, 'yyyy-MM-dd HH:mm:ss')", "2026-03-14 00:00:00"),
    ("concat(CAST(year(current_date) AS varchar), '-01')", "2026-01"),
    ("CAST(current_date AS varchar(10))", "2026-03-14"),
    ("lpad('1', 5, 'ab')", "abab1"),
    ("date(CAST(localtimestamp AS timestamp with time zone))", day("2026-03-14")),
    (
        (
            "date_format(CAST(CAST(TIMESTAMP '2026-01-05 01:00 Asia/Kolkata' AS timestamp) AS"
            " timestamp with time zone), '%Y-%m-%d %H')"
        ),
        "2026-01-05 01",
    ),
    ("substr('abcdef', 5, 10)", "ef"),
    ("floor(-3.5e0)", -4.0),
    ("floor(-7 / 2)", -3),
    ("COALESCE(NULL, DATE '2026-01-05')", day("2026-01-05")),
    ("greatest(DATE '2026-01-05', current_date - INTERVAL '30' DAY)", day("2026-02-12")),
    ("IF(day(current_date) IN (1, 14), 1, 2)", 1),
    ("CASE day_of_week(current_date) WHEN 1 THEN -3 WHEN 6 THEN -1 END", -1),
    ("(1 = 1) AND NULL", NULL),
    ("(1 = 1) OR NULL", True),
    ("try(CAST('2026-01-05' AS date))", day("2026-01-05")),
]


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [("spark", *case) for case in _SPARK] + [("trino", *case) for case in _TRINO],
)
def test_what_engines_compute(dialect: str, sql: str, expected: Folded) -> None:
    found = folded(dialect, sql)
    assert (type(plain(found)), found) == (type(expected), expected)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        pytest.param("spark", "trunc(current_date(), 'DAY')", id="no-unit-of-days"),
        pytest.param("spark", "make_date(2026, 2, 30)", id="no-day"),
        pytest.param("spark", "next_day(current_date(), 'Someday')", id="no-weekday"),
        pytest.param("spark", "unix_timestamp(TIMESTAMP '2026-03-08 02:30:00')", id="skipped"),
        pytest.param("spark", "unix_timestamp(TIMESTAMP '2026-11-01 01:30:00')", id="repeated"),
        pytest.param("spark", "unix_timestamp('2026-01-05')", id="another-pattern"),
        pytest.param("spark", "to_date('2026-1-5', 'yyyy-MM-dd')", id="fewer-digits"),
        pytest.param("spark", "CAST(3000000000 AS INT)", id="too-large"),  # or wraps around
        pytest.param("spark", "CAST('1_000' AS INT)", id="no-number"),
        pytest.param("spark", "coalesce(1, 2.5)", id="kinds"),
        pytest.param("spark", "lpad('x', 2000000000, 'x')", id="without-end"),
        pytest.param("spark", "replace(lpad('', 9999, 'x'), 'x', 'xx')", id="ever-longer"),
        pytest.param("spark2", "add_months(current_date(), -1)", id="another-version"),
        pytest.param("hive", "make_date(2026, 1, 5)", id="another-engine"),
        pytest.param("trino", "year('2026-01-01')", id="texts-are-no-days"),
        pytest.param("trino", "from_iso8601_timestamp('2026-01-05T01:00:00.1239Z')", id="cut"),
        pytest.param("trino", "TIMESTAMP '2026-03-08 02:30:00' AT TIME ZONE 'UTC'", id="no-time"),
        pytest.param("trino", "now() AT TIME ZONE 'Nowhere' + INTERVAL '1' MONTH", id="no-place"),
        pytest.param(
            "trino",
            "date(greatest(TIMESTAMP '2027-01-01 00:00 UTC', TIMESTAMP '2026-12-31 23:00 -01:00'))",
            id="whose",
        ),
        pytest.param("trino", "current_timestamp(0)", id="fewer-seconds"),
        pytest.param("trino", "IF(1 = 2, 1 / 0, 2)", id="fails-in-a-branch"),
        pytest.param("trino", "parse_duration('1.5h')", id="fractions"),
        pytest.param("postgres", "year(current_date)", id="not-measured"),
    ],
)
def test_what_is_not_certain(dialect: str, sql: str) -> None:
    with pytest.raises(CannotConvert):
        folded(dialect, sql)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "year(current_date())"),
        ("spark", "unix_timestamp(TIMESTAMP '2026-01-05 10:00:00')"),
        ("trino", "hour(now())"),
        ("trino", "to_unixtime(TIMESTAMP '2026-01-05 10:00:00')"),
        ("trino", "with_timezone(TIMESTAMP '2026-01-05 00:00:00', 'Europe/Berlin')"),
        ("trino", "date_diff('hour', TIMESTAMP '2026-01-05 00:00:00', localtimestamp)"),
    ],
)
def test_what_depends_on_an_unknown_zone(dialect: str, sql: str) -> None:
    with pytest.raises(CannotConvert):
        folded(dialect, sql, zone=None)


def test_a_zone_that_is_named_needs_no_other() -> None:
    assert folded("trino", "date(now() AT TIME ZONE 'Asia/Tokyo')", None) == day("2026-03-15")


@pytest.mark.parametrize("sql", ["current_timestamp(6)", "localtimestamp(3)", "year(now())"])
def test_what_reads_the_clock(sql: str) -> None:
    assert may_read_clock(parse_condition(sql, "trino"))
