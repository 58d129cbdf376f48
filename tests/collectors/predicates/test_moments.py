"""Timestamps of engines to which all of them are moments, each on its own clock: what ClickHouse
selects, or more where a clock changes or is not known."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.dialects import UNKNOWN_ZONE
from prunescope.collectors.sql.extraction.extract import condition
from tests.collectors.predicates.test_clock_changes import KINDS, SCHEMA

CHICAGO, SAO_PAULO, APIA = "America/Chicago", "America/Sao_Paulo", "Pacific/Apia"


def said(sql: str, zone: str | None) -> str:
    unbound = condition(sql, "clickhouse", time_zone=zone, types=KINDS)
    found = bind(unbound, SCHEMA, time_zone=zone, plain_are_moments=True)
    return render(found).replace("TIMESTAMP ", "").replace("DATE ", "")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # The column's clock reads texts, dates and what functions make of it.
        ("tsn >= '2026-03-02'", "tsn >= '2026-03-02 06:00:00'"),
        ("ts >= '2026-03-02'", "ts >= '2026-03-02 00:00:00 UTC'"),
        ("tsn < toDate('2026-03-02')", "tsn < '2026-03-02 06:00:00'"),
        ("ts < toDate('2026-03-02')", "ts < '2026-03-02 00:00:00 UTC'"),
        ("tsn IN ('2026-03-02', '2026-07-02')",
         "tsn IN ('2026-03-02 06:00:00', '2026-07-02 05:00:00')"),
        ("NOT tsn = '2026-03-02 10:30:00'", "tsn != '2026-03-02 16:30:00'"),
        # The session's clock reads constants.
        ("tsn >= toDateTime('2026-03-02 00:00:00')", "tsn >= '2026-03-02 06:00:00'"),
        ("ts >= toDateTime('2026-03-02 00:00:00')", "ts >= '2026-03-02 06:00:00 UTC'"),
        ("ts >= TIMESTAMP '2026-03-02 00:00:00'", "ts >= '2026-03-02 06:00:00 UTC'"),
        ("tsn >= toDateTime('2026-03-02 00:00:00', 'UTC')", "tsn >= '2026-03-02 00:00:00'"),
        ("dt >= toDateTime('2026-03-02 00:00:00')", "dt >= '2026-03-02'"),
        # Dates are moments of one clock or the other.
        ("dt = toDateTime('2026-03-02 00:00:00', 'UTC')",
         "dt = toDateTime('2026-03-02 00:00:00', 'UTC')"),
        # It skips an hour from 02:00 on, and repeats one until 02:00.
        ("tsn = '2026-03-08 02:30:00'",
         "tsn >= '2026-03-08 07:30:00' AND tsn <= '2026-03-08 08:30:00'"),
        ("tsn < '2026-03-08 02:30:00'", "tsn < '2026-03-08 08:30:00'"),
        ("tsn > '2026-11-01 01:30:00'", "tsn > '2026-11-01 06:30:00'"),
        ("tsn <= '2026-11-01 01:30:00'", "tsn <= '2026-11-01 07:30:00'"),
        ("tsn <> '2026-11-01 01:30:00'", "tsn IS NOT NULL"),
        ("tsn <> '2026-11-01 03:30:00'", "tsn != '2026-11-01 09:30:00'"),
        # Of a moment beside what is a date in UTC, the date is that of the session.
        ("toDate(ts) = toDateTime('2026-03-02 00:00:00')",
         "toDate(ts) = toDateTime('2026-03-02 00:00:00')"),
        # Columns of two clocks.
        ("tsn >= ts", "tsn >= ts"),
        # Hours that are moved over a change of the clock.
        ("ts >= CAST('2026-03-08 12:00:00' AS DateTime)", "ts >= '2026-03-08 17:00:00 UTC'"),
    ],
)  # fmt: skip
def test_each_column_has_its_own_clock(sql: str, expected: str) -> None:
    assert said(sql, CHICAGO) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("tsn >= '2026-03-02'", "tsn >= '2026-03-01 08:00:00'"),
        ("tsn < '2026-03-02'", "tsn < '2026-03-02 16:00:00'"),
        ("tsn = '2026-03-02'", "tsn >= '2026-03-01 08:00:00' AND tsn <= '2026-03-02 16:00:00'"),
        ("tsn >= toDateTime('2026-03-02 00:00:00')", "tsn >= '2026-03-01 08:00:00'"),
        ("tsn >= toDateTime('2026-03-02 00:00:00', 'UTC')", "tsn >= '2026-03-02 00:00:00'"),
        ("ts >= '2026-03-02'", "ts >= '2026-03-02 00:00:00 UTC'"),
        ("ts >= toDateTime('2026-03-02 00:00:00')", "ts >= toDateTime('2026-03-02 00:00:00')"),
        ("dt >= '2026-03-02'", "dt >= '2026-03-02'"),
        ("dt > toDateTime('2026-03-02 00:00:00')", "dt > toDateTime('2026-03-02 00:00:00')"),
        ("toStartOfHour(tsn) > '2026-03-02 02:00:00'",
         "dateTrunc('HOUR', tsn) > '2026-03-02 02:00:00'"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("zone", [None, UNKNOWN_ZONE])
def test_an_unknown_zone_may_be_any(zone: str | None, sql: str, expected: str) -> None:
    is_constant = zone is not None and sql == "tsn >= toDateTime('2026-03-02 00:00:00')"
    assert said(sql, zone) == (sql if is_constant else expected)


@pytest.mark.parametrize("sql", ["tsn >= '2026-03-02'", "ts >= '2026-03-02'", "tsn = ts"])
def test_in_utc_all_clocks_are_one(sql: str) -> None:
    found = condition(sql, "clickhouse", time_zone="UTC", types=KINDS)
    other = bind(found, SCHEMA, time_zone="UTC")
    assert bind(found, SCHEMA, time_zone="UTC", plain_are_moments=True) == other


@pytest.mark.parametrize(
    ("zone", "sql"),
    [
        (SAO_PAULO, "toStartOfDay(tsn) > '2018-11-04 00:00:00'"),  # a midnight that it skips
        (SAO_PAULO, "tsn > toDateTime('2018-11-04 00:30:00')"),
        (APIA, "tsn >= toDateTime('2011-12-30 12:00:00')"),
        ("Australia/Lord_Howe", "toStartOfHour(tsn) > '2026-04-05 01:30:00'"),
        (CHICAGO, "tsn >= toDateTime('2107-01-01 00:00:00')"),  # which the type does not hold
        (CHICAGO, "ts < CAST('1960-01-01 00:00:00' AS DateTime)"),
        (CHICAGO, "ts = CAST('2026-03-02 10:30:00.5' AS DateTime)"),
    ],
)
def test_what_depends_on_how_a_clock_changes_says_nothing(zone: str, sql: str) -> None:
    unbound = condition(sql, "clickhouse", time_zone=zone, types=KINDS)
    bound = bind(unbound, SCHEMA, time_zone=zone, plain_are_moments=True)
    assert bound == unbound
