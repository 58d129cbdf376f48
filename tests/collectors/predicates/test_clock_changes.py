"""Times beside columns on another clock: where the session's clock changes, all that engines make
of it is kept."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

KINDS = {"ts": "timestamptz", "tsn": "timestamp", "dt": "date"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(n, (name,), kind, False, False, False)
        for n, (name, kind) in enumerate(KINDS.items(), 1)
    ),
)
EQUAL = "tsn = '2024-10-06 02:10:00' OR tsn = '2024-10-06 02:40:00'"
LORD_HOWE, SAO_PAULO = "Australia/Lord_Howe", "America/Sao_Paulo"


def said(sql: str, zone: str | None, dialect: str = "spark") -> str:
    found = bind(condition(sql, dialect, time_zone=zone), SCHEMA, time_zone=zone)
    return render(found).replace("TIMESTAMP ", "").replace("DATE ", "")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # The clock skips the half an hour from 02:00 on.
        ("tsn <> {} '2024-10-06 02:10:00'", "tsn IS NOT NULL"),
        ("tsn = {} '2024-10-06 02:10:00'", EQUAL),
        ("tsn < {} '2024-10-06 02:10:00'", "tsn < '2024-10-06 02:40:00'"),
        ("tsn >= {} '2024-10-06 02:10:00'", "tsn >= '2024-10-06 02:10:00'"),
        ("tsn > {} '2024-10-06 02:40:00'", "tsn > '2024-10-06 02:10:00'"),
        ("tsn <= {} '2024-10-06 02:40:00'", "tsn <= '2024-10-06 02:40:00'"),
        ("tsn IN ({} '2024-10-06 02:40:00')", EQUAL),
        ("tsn > {} '2024-10-06 03:00:00'", "tsn > '2024-10-06 03:00:00'"),
        ("tsn < {} '2024-10-06 01:59:59'", "tsn < '2024-10-06 01:59:59'"),
        # It repeats the half an hour until 02:00.
        ("tsn < {} '2024-04-07 01:45:00'", "tsn < '2024-04-07 01:45:00'"),
        ("tsn < TIMESTAMP '2024-04-06 15:15:00Z'", "tsn < '2024-04-07 02:15:00'"),
        ("tsn > TIMESTAMP '2024-04-06 15:15:00Z'", "tsn > '2024-04-07 01:45:00'"),
        ("tsn <> TIMESTAMP '2024-04-06 15:15:00Z'", "tsn IS NOT NULL"),
        ("tsn < TIMESTAMP '2024-04-06 14:45:00Z'", "tsn < '2024-04-07 01:45:00'"),
        ("ts < TIMESTAMP_NTZ '2024-04-07 01:45:00'", "ts < '2024-04-06 15:15:00 UTC'"),
        ("tsn > TIMESTAMP '2024-04-06 14:45:00Z'", "tsn > '2024-04-07 01:15:00'"),
        ("ts >= TIMESTAMP_NTZ '2024-04-07 01:45:00'", "ts >= '2024-04-06 14:45:00 UTC'"),
        # Away from that, and without a literal of a moment.
        ("tsn < {} '2024-03-01 00:00:00'", "tsn < '2024-03-01 00:00:00'"),
        ("tsn <> {} '2024-03-01 00:00:00'", "tsn != '2024-03-01 00:00:00'"),
        ("tsn = '2024-10-06 02:10:00'", "tsn = '2024-10-06 02:10:00'"),
        ("ts >= TIMESTAMP '2024-03-01 00:00:00'", "ts >= '2024-02-29 13:00:00 UTC'"),
    ],
)
def test_changes_of_a_clock(sql: str, expected: str) -> None:
    """Spark 4.1 in Lord Howe's zone, which moves by half an hour."""
    for literal in ("TIMESTAMP", "TIMESTAMP_NTZ"):
        assert said(sql.format(literal), LORD_HOWE) == expected


@pytest.mark.parametrize(
    ("zone", "sql", "expected"),
    [
        (LORD_HOWE, "ts = TIMESTAMP '2024-04-07 01:45:00'",
         "ts = '2024-04-06 14:45:00 UTC' OR ts = '2024-04-06 15:15:00 UTC'"),
        (LORD_HOWE, "ts <> TIMESTAMP '2024-04-07 01:45:00'", "ts IS NOT NULL"),
        (LORD_HOWE, "ts < TIMESTAMP '2024-04-07 01:45:00'", "ts < '2024-04-06 15:15:00 UTC'"),
        (LORD_HOWE, "ts >= TIMESTAMP '2024-04-07 01:45:00'", "ts >= '2024-04-06 14:45:00 UTC'"),
        (LORD_HOWE, "ts < TIMESTAMP '2024-04-07 01:45:00 Australia/Lord_Howe'",
         "ts < '2024-04-06 14:45:00 UTC'"),
        (LORD_HOWE, "tsn > TIMESTAMP '2024-04-06 14:45:00 UTC'", "tsn > '2024-04-07 01:15:00'"),
        (LORD_HOWE, "tsn <> TIMESTAMP '2024-04-06 14:45:00 UTC'", "tsn IS NOT NULL"),
        (LORD_HOWE, "tsn >= TIMESTAMP '2024-04-07 01:45:00'", "tsn >= '2024-04-07 01:45:00'"),
        # It repeats the hour from midnight on.
        ("Asia/Amman", "ts < DATE '2021-10-29'", "ts < '2021-10-28 22:00:00 UTC'"),
        ("Asia/Amman", "ts >= DATE '2021-10-29'", "ts >= '2021-10-28 21:00:00 UTC'"),
        ("Asia/Amman", "dt > TIMESTAMP '2021-10-28 21:30:00 UTC'", "dt >= '2021-10-29'"),
        # By its offset at midnight of UTC, which is that of three o'clock on.
        ("Australia/Sydney", "ts >= DATE '2024-10-06'", "ts >= '2024-10-05 13:00:00 UTC'"),
        ("Australia/Sydney", "ts < DATE '2024-04-07'", "ts < '2024-04-06 14:00:00 UTC'"),
        ("Australia/Sydney", "ts < DATE '2024-04-08'", "ts < '2024-04-07 14:00:00 UTC'"),
        ("Australia/Sydney", "CAST(DATE '2024-04-07' AS timestamp with time zone) <= ts",
         "ts >= '2024-04-06 14:00:00 UTC'"),
        ("Australia/Sydney", "dt >= TIMESTAMP '2024-04-06 13:15:00 UTC'", "dt >= '2024-04-07'"),
        ("Australia/Sydney", "dt = TIMESTAMP '2024-04-06 14:00:00 UTC'", "dt = '2024-04-07'"),
        (SAO_PAULO, "ts > DATE '2018-02-18'", "ts > '2018-02-18 02:00:00 UTC'"),
    ],
)  # fmt: skip
def test_either_moment_of_what_a_clock_repeats(zone: str, sql: str, expected: str) -> None:
    """Trino 483 takes the second one for a time without zone, the first one for a literal with
    it. Dates have an hour of their own."""
    assert said(sql, zone, "trino") == expected


def test_a_midnight_that_the_clock_skips() -> None:
    """Spark 4.1: a day without midnight begins at one o'clock, also as a date."""
    assert said("tsn < TIMESTAMP '2018-11-04 00:00:00'", SAO_PAULO) == "tsn < '2018-11-04 01:00:00'"
    moment = "TIMESTAMP '2018-11-04 01:00:00'"
    assert said(f"dt >= {moment}", SAO_PAULO) == "dt >= '2018-11-04'"
    assert said(f"dt = {moment}", SAO_PAULO) == "dt = '2018-11-04'"
    assert said(f"dt < {moment}", SAO_PAULO) == "dt <= '2018-11-04'"
    assert said(f"dt = {moment}", "UTC") == "FALSE"
    assert said("dt < TIMESTAMP '2018-11-04 00:00:00'", SAO_PAULO) == "dt <= '2018-11-04'"
    assert said("dt = TIMESTAMP_NTZ '2018-11-04 01:00:00'", SAO_PAULO) == "dt = '2018-11-04'"
    assert said("dt = TIMESTAMP_NTZ '2018-11-04 01:30:00'", SAO_PAULO) == "FALSE"
    assert said("tsn < DATE '2018-11-04'", SAO_PAULO) == "tsn < '2018-11-04 01:00:00'"
    assert said(f"CAST(tsn AS date) >= {moment}", SAO_PAULO) == "tsn >= '2018-11-04 00:00:00'"
    zoned = "date_trunc('DAY', ts) >= TIMESTAMP '2018-11-04 03:00:00Z'"
    assert said(zoned, SAO_PAULO) == "ts >= '2018-11-04 03:00:00 UTC'"


def test_a_date_whose_midnight_is_skipped_is_the_moment_after_it_to_trino() -> None:
    """Trino 483, of literals with a zone."""
    moment = "TIMESTAMP '2018-11-04 03:00:00 UTC'"
    day = "tsn >= '2018-11-04 00:00:00' AND tsn < '2018-11-05 00:00:00'"
    assert said(f"date_trunc('day', tsn) = {moment}", SAO_PAULO, "trino") == day
    assert day in said(f"CAST(tsn AS date) = {moment}", SAO_PAULO, "trino")
    from_then = said(f"CAST(tsn AS date) >= {moment}", SAO_PAULO, "trino")
    assert from_then.startswith("tsn >= '2018-11-04 00:00:00' OR ")
    later = moment.replace("03:00", "03:01")
    assert said(f"date_trunc('day', tsn) = {later}", SAO_PAULO, "trino") == "FALSE"


@pytest.mark.parametrize("zone", ["UTC", None])
def test_a_clock_that_does_not_change(zone: str | None) -> None:
    assert said("tsn < TIMESTAMP '2018-11-04 00:00:00'", zone) == "tsn < '2018-11-04 00:00:00'"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("tsn = '2024-03-01 00:00:00+05:45'", "tsn = '2024-03-01 00:00:00'"),
        (
            "tsn NOT IN ('2024-03-01 00:00:00Z')",
            "tsn IS NOT NULL AND tsn != '2024-03-01 00:00:00Z'",
        ),
        ("tsn < TIMESTAMP_NTZ '2024-03-01 00:00:00+05:45'", "tsn < '2024-03-01 00:00:00'"),
        ("tsn < CAST('2024-03-01 00:00:00+05:45' AS timestamp_ntz)", "tsn < '2024-03-01 00:00:00'"),
        ("dt = to_timestamp_ntz('2024-03-01 00:00:00+05:45')", "dt = '2024-03-01'"),
        ("ts <= TIMESTAMP_NTZ '2024-03-01 00:00:00+05:45'", "ts <= '2024-03-01 03:00:00 UTC'"),
        ("CAST(ts AS timestamp_ntz) = '2024-03-01 00:00:00+01'", "ts = '2024-03-01 03:00:00 UTC'"),
        # By a setting, times in lists are compared as texts.
        (
            "CAST(ts AS timestamp_ntz) IN ('2024-03-01 00:00:00Z')",
            (
                "ts = '2024-03-01 03:00:00 UTC' AND "
                "CAST(ts AS TIMESTAMP_NTZ) IN ('2024-03-01 00:00:00Z')"
            ),
        ),
        # A moment has a zone.
        ("ts = '2024-03-01 00:00:00+05:45'", "ts = '2024-02-29 18:15:00 UTC'"),
        ("tsn = TIMESTAMP '2024-03-01 00:00:00+05:45'", "tsn = '2024-02-29 15:15:00'"),
        ("CAST(tsn AS timestamp) = '2024-03-01 00:00:00+05:45'", "tsn = '2024-02-29 15:15:00'"),
        (
            "CAST(tsn AS timestamp) IS DISTINCT FROM '2024-03-01 00:00:00+05:45'",
            "tsn != '2024-02-29 15:15:00' OR tsn IS NULL",
        ),
    ],
)
def test_what_has_no_zone_takes_none_of_a_text(sql: str, expected: str) -> None:
    """Spark 4.1."""
    assert said(sql, SAO_PAULO) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("ts = '1969-12-31 23:59:59.9999999'", "ts = '1969-12-31 23:59:59.999999 UTC'"),
        ("tsn >= '1969-12-31 23:59:59.9999999'", "tsn >= '1969-12-31 23:59:59.999999'"),
        ("tsn < '2024-03-01 23:59:59.999999999'", "tsn < '2024-03-01 23:59:59.999999'"),
        ("ts > TIMESTAMP '2024-02-29 23:59:59.9999999'", "ts > '2024-02-29 23:59:59.999999 UTC'"),
        ("tsn = TIMESTAMP_NTZ '2024-02-29 23:59:59.9999999'", "tsn = '2024-02-29 23:59:59.999999'"),
        (
            "date_trunc('HOUR', ts) = '2024-03-01 00:00:00.0000009'",
            "ts >= '2024-03-01 00:00:00 UTC' AND ts < '2024-03-01 01:00:00 UTC'",
        ),
    ],
)
def test_less_than_microseconds_is_left_out_of_texts(sql: str, expected: str) -> None:
    """Spark 4.1."""
    assert said(sql, "UTC") == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("tsn >= TIMESTAMP '1969-12-31 23:59:59.9999999'", "tsn >= '1970-01-01 00:00:00'"),
        ("tsn = TIMESTAMP '1969-12-31 23:59:59.9999999'", "FALSE"),
    ],
)
def test_trino_compares_all_digits(sql: str, expected: str) -> None:
    """Trino 483, whose literals have up to twelve."""
    assert said(sql, "UTC", "trino") == expected
