"""Constants are what Spark computes, on odd days, around changes of clocks, and in other zones."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from prunescope.collectors.predicates.instants import parse_timestamp
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import Folded
from tests.collectors.sql.constants.compared import Told, compared
from tests.collectors.sql.constants.drawn import drawn
from tests.collectors.sql.constants.grammars import GRAMMARS
from tests.collectors.sql.constants.moments import ZONES, filled, is_same, known
from tests.collectors.sql.constants.texts import texts_filled
from tests.collectors.sql.text.test_doubled_quotes import TEXTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_OF_DAYS = (
    *("add_months(DATE '{day}', -1)", "add_months(DATE '{day}', 13)", "add_months('{day}', 1)"),
    *("pmod(-dayofweek(DATE '{day}'), 7)", "pmod(weekday(DATE '{day}') + 1, 7)"),
    *("last_day(DATE '{day}')", "last_day(add_months(DATE '{day}', -1))", "last_day('{day}')"),
    *(f"next_day(DATE '{{day}}', '{day}')" for day in ("MON", "tu", "Wednesday", "SU")),
    *(f"trunc(DATE '{{day}}', '{unit}')" for unit in ("MM", "quarter", "week", "YEAR", "mon")),
    *(f"date_trunc('{unit}', DATE '{{day}}')" for unit in ("MONTH", "week", "quarter", "DD")),
    *(f"{part}(DATE '{{day}}')" for part in ("year", "quarter", "month", "day", "weekday")),
    *(f"{part}('{{day}}')" for part in ("dayofweek", "dayofyear", "weekofyear", "dayofmonth")),
    *(f"extract({field} FROM DATE '{{day}}')" for field in ("DOW", "DOW_ISO", "DOY", "YEAROFWEEK")),
    *("unix_date(DATE '{day}')", "date_diff(DATE '{day}', DATE '2024-03-01')"),
    *("datediff(DATE '2024-03-01', '{day}')", "date_from_unix_date(unix_date(DATE '{day}'))"),
    "make_date(year(DATE '{day}'), month(DATE '{day}'), 1)",
    "year(DATE '{day}') * 100 + month(DATE '{day}')",
    "DATE '{day}' - INTERVAL 1 MONTH",
    "DATE '{day}' + INTERVAL '1' YEAR",
    *("'{day}' + INTERVAL 40 DAY", "INTERVAL 1 DAY + '{day}'", "'{day}' - INTERVAL '36' HOUR"),
    *(
        "round(day(DATE '{day}') / 4)",
        "CAST(round(4.5) AS INT)",
        "round(day(DATE '{day}') * 0.125, 2)",
    ),
    *("date_format(DATE '{day}', 'yyyyMMdd')", "CAST(date_format(DATE '{day}', 'yyyyMM') AS INT)"),
    *("to_date('{day} 10:00:00')", "to_date(replace('{day}', '-', ''), 'yyyyMMdd')"),
    *("to_date(left('{day}', 7), 'yyyy-MM')", "to_timestamp('{day} 07', 'yyyy-MM-dd HH')"),
    *("concat(year(DATE '{day}'), '-', lpad(month(DATE '{day}'), 2, '0'))", "'' || DATE '{day}'"),
    *("concat_ws('/', day(DATE '{day}'), NULL, 'x')", "CAST(DATE '{day}' AS STRING)"),
    *("unix_timestamp(DATE '{day}')", "unix_timestamp('{day}', 'yyyy-MM-dd')"),
    *("to_unix_timestamp('{day}', 'yyyy-MM-dd')", "unix_millis(CAST(DATE '{day}' AS TIMESTAMP))"),
    *(
        "CAST(CAST('{day}' AS TIMESTAMP) AS LONG)",
        "timestamp_seconds(unix_date(DATE '{day}') * 86400)",
    ),
    "CASE WHEN month(DATE '{day}') <= 3 THEN 'first' ELSE 'later' END",
    "if(day(DATE '{day}') BETWEEN 28 AND 30, DATE '{day}', NULL)",
    "greatest(DATE '{day}', DATE '2024-03-01')",
)
_OF_TIMES = (
    *("unix_seconds(TIMESTAMP '{time}')", "unix_timestamp(TIMESTAMP '{time}')"),
    *("to_unix_timestamp('{time}')", "CAST(TIMESTAMP '{time}' AS LONG)"),
    *("unix_millis(TIMESTAMP '{time}')", "unix_micros(TIMESTAMP '{time} UTC')"),
    *(f"{part}(TIMESTAMP '{{time}} UTC')" for part in ("hour", "minute", "second", "year", "day")),
    *(f"{part}(TIMESTAMP '{{time}}')" for part in ("hour", "minute", "second", "month")),
    *(f"date_trunc('{u}', TIMESTAMP '{{time}} UTC')" for u in ("HOUR", "MINUTE", "DAY", "WEEK")),
    *("trunc(TIMESTAMP '{time} UTC', 'MM')", "trunc('{time}', 'week')"),
    *(
        "date_format(TIMESTAMP '{time} UTC', 'yyyy-MM-dd HH:mm:ss')",
        "to_date(TIMESTAMP '{time} UTC')",
    ),
    *(
        f"{name}_utc_timestamp(TIMESTAMP '{{time}} UTC', '{zone}')"
        for name in ("from", "to")
        for zone in ("Europe/Berlin", "Australia/Lord_Howe", "+09:00")
    ),
    "date(from_utc_timestamp(TIMESTAMP '{time}', 'Asia/Tokyo'))",
    "from_unixtime(unix_seconds(TIMESTAMP '{time} UTC'))",
    "to_date(from_unixtime(unix_seconds(TIMESTAMP '{time} UTC'), 'yyyy-MM-dd'))",
    "timestamp_micros(unix_micros(TIMESTAMP '{time} UTC'))",
    "add_months(TIMESTAMP '{time} UTC', 1)",
    *("'{time}' + INTERVAL 1 DAY", "'{time}' - INTERVAL '36' HOUR"),
    "last_day(TIMESTAMP '{time} UTC')",
    "floor(unix_seconds(TIMESTAMP '{time} UTC') / 86400)",
    "unix_seconds(TIMESTAMP '{time} UTC') div 86400",
    "CAST(unix_millis(TIMESTAMP '{time} UTC') / 1000 AS BIGINT)",
)
_BATCH = 100


@pytest.mark.parametrize("zone", ZONES)
def test_constants_are_what_spark_computes(zone: str, spark: SparkSession) -> None:
    _compare(list(filled((*_OF_DAYS, *_OF_TIMES))), zone, spark, 0.9)


@pytest.mark.parametrize(
    ("zone", "ansi"), [("America/Los_Angeles", "true"), ("Europe/Berlin", "false")]
)
def test_random_constants_are_what_spark_computes(
    zone: str, ansi: str, spark: SparkSession
) -> None:
    def ask(expressions: Sequence[str], texts: Sequence[str]) -> Sequence[tuple[str, str | None]]:
        columns = ", ".join(f"{sql} AS c{n}" for n, sql in enumerate(expressions))
        asked = spark.sql(f"SELECT {columns} FROM VALUES (1)")
        types = (kind for _, kind in asked.dtypes)
        return list(zip(types, asked.selectExpr(*texts).collect()[0], strict=True))

    settings = {"spark.sql.session.timeZone": zone, "spark.sql.ansi.enabled": ansi}
    before = {name: str(spark.conf.get(name)) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        told = Told("spark", zone, ask, Exception, _text_of)
        found = compared(drawn(GRAMMARS["spark"], seed=1, count=1_000), told)
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
    faults = found.faults
    if not spark.version.startswith("4."):
        # Spark 3.5 gives decimals of choices more digits after the point, of the same number.
        faults = [one for one in faults if not isinstance(one[1], Decimal) or _differ(one)]
    assert faults == []
    assert found.known > 0.8 * found.drawn


def _differ(fault: tuple[str, Folded, str, str | None]) -> bool:
    _, value, _, text = fault
    return text is None or Decimal(text) != value


def _text_of(name: str, value: Folded) -> str:
    match value:
        case bytes():
            return f"hex({name})"
        case Timestamp(is_ntz=False):
            return f"CAST(unix_micros({name}) AS STRING)"
    return f"CAST({name} AS STRING)"


def test_functions_of_texts_are_what_spark_computes(spark: SparkSession) -> None:
    _compare(list(texts_filled("spark")), "UTC", spark, 0.8)


def test_doubled_quotes_are_what_spark_takes_them_for(spark: SparkSession) -> None:
    is_one = tuple(map(int, spark.version.split(".")[:2])) >= (4, 1)
    (row,) = spark.sql("SELECT " + ", ".join(sql for sql, _, _ in TEXTS)).collect()
    assert list(row) == [new if is_one else old for _, new, old in TEXTS]


def _compare(expressions: Sequence[str], zone: str, spark: SparkSession, least: float) -> None:
    found = known(expressions, "spark", zone)
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", zone)
    faults = []
    try:
        asked = list(found)
        for start in range(0, len(asked), _BATCH):
            batch = asked[start : start + _BATCH]
            told = spark.sql(f"SELECT {', '.join(map(_as_text, batch, map(found.get, batch)))}")
            for sql, text in zip(batch, tuple(told.collect()[0]), strict=True):
                if not is_same(found[sql], text, _moment(found[sql], text)):
                    faults.append((sql, found[sql], text))
    finally:
        spark.conf.set("spark.sql.session.timeZone", str(before))
    assert faults == []
    assert len(found) > least * len(set(expressions))


def _as_text(sql: str, value: Folded | None) -> str:
    is_instant = isinstance(value, Timestamp) and value.zoned
    return f"CAST(unix_micros({sql}) AS STRING)" if is_instant else f"CAST(({sql}) AS STRING)"


def _moment(value: Folded, told: str) -> Timestamp | None:
    if not isinstance(value, Timestamp):
        return None
    return Timestamp(int(told) * 1000, zoned=True) if value.zoned else parse_timestamp(told)
