"""Intervals of several units, as Spark 4.1.4 read them in a session of New York, and Trino's by its
documentation of the same form."""

from __future__ import annotations

import datetime as dt

import pytest

from prunescope.collectors.predicates.calendar import Interval
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.parse import parse_condition

SECOND = 10**9
HOUR = 3600 * SECOND
BOTH = ("spark", "trino")
SPARK = ("spark",)


def folded(sql: str, dialect: str) -> object:
    session = Session(dialect, dt.datetime(2026, 3, 15, tzinfo=dt.UTC), "UTC")
    return fold(parse_condition(sql, dialect), session)


@pytest.mark.parametrize(
    ("sql", "dialects", "expected"),
    [
        ("INTERVAL '1 12' DAY TO HOUR", BOTH, Interval(days=1, nanos=12 * HOUR)),
        ("INTERVAL -'1 12' DAY TO HOUR", BOTH, Interval(days=-1, nanos=-12 * HOUR)),
        ("INTERVAL '-1 12' DAY TO HOUR", SPARK, Interval(days=-1, nanos=-12 * HOUR)),
        ("INTERVAL '1 2:30' DAY TO MINUTE", BOTH, Interval(days=1, nanos=5 * HOUR // 2)),
        ("INTERVAL '1 00:00:04.5' DAY TO SECOND", BOTH, Interval(days=1, nanos=9 * SECOND // 2)),
        ("INTERVAL '36:30' HOUR TO MINUTE", BOTH, Interval(days=1, nanos=25 * HOUR // 2)),
        ("INTERVAL '90:05' MINUTE TO SECOND", BOTH, Interval(nanos=5405 * SECOND)),
        ("INTERVAL '1-2' YEAR TO MONTH", BOTH, Interval(months=14)),
        ("INTERVAL '1 day 12 hours'", SPARK, Interval(days=1, nanos=12 * HOUR)),
        ("INTERVAL '1 day -3 hours'", SPARK, Interval(nanos=21 * HOUR)),
        ("INTERVAL '1 year 2 months'", SPARK, Interval(months=14)),
        ("make_interval(0, 1, 0, 1)", SPARK, Interval(months=1, days=1)),
        ("make_interval(0, 0, 1, 0, 36)", SPARK, Interval(days=7, nanos=36 * HOUR)),
        ("make_dt_interval(1, 36)", SPARK, Interval(days=2, nanos=12 * HOUR)),
        ("make_dt_interval(0, 0, 0, 4.5)", SPARK, Interval(nanos=9 * SECOND // 2)),
        ("make_ym_interval(1, 2)", SPARK, Interval(months=14)),
    ],
)
def test_intervals_of_several_units(sql: str, dialects: tuple[str, ...], expected: object) -> None:
    assert [folded(sql, dialect) for dialect in dialects] == [expected] * len(dialects)


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("INTERVAL '1 24' DAY TO HOUR", "spark"),
        ("INTERVAL '1 12:61' DAY TO MINUTE", "spark"),
        ("INTERVAL '1-12' YEAR TO MONTH", "spark"),
        ("INTERVAL '1 month 2 days'", "spark"),
        ("INTERVAL '1 day12 hours'", "spark"),
        ("INTERVAL '-1 12' DAY TO HOUR", "trino"),
        ("INTERVAL '1 00:00:04.1234' DAY TO SECOND", "trino"),
        ("INTERVAL '1 12' DAY TO HOUR", "snowflake"),
        ("make_dt_interval(1)", "trino"),
        ("make_interval(0.5)", "spark"),
    ],
)
def test_other_texts_are_no_intervals(sql: str, dialect: str) -> None:
    with pytest.raises(CannotConvert):
        folded(sql, dialect)
