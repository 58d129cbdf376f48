"""Counts since 1970 in sessions of other zones, by the types of columns: as Spark 4.1 and Trino 483
count."""

from __future__ import annotations

import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition

TYPES = {"zoned": "timestamptz", "plain": "timestamp", "day": "date"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")
AT = 1_770_076_800  # 2026-02-03 00:00:00 UTC


def _said(sql: str, dialect: str, zone: str | None) -> str:
    found = condition(sql, dialect, time_zone=zone, types=TYPES)
    return render(bind(found, SCHEMA, time_zone=zone))


def _between(first: str, end: str) -> str:
    return f"zoned >= TIMESTAMP '{first} UTC' AND zoned < TIMESTAMP '{end} UTC'"


COUNTS = [
    (f"unix_timestamp({{}}) < {AT}", "<"),
    (f"to_unix_timestamp({{}}) < {AT}", "<"),
    (f"unix_timestamp({{}}, 'yyyy-MM-dd') >= {AT}", ">="),
    (f"to_unix_timestamp({{}}, 'yyyy') >= {AT}", ">="),
]
OF_MOMENTS = [
    (f"unix_seconds({{}}) < {AT}", "<"),
    (f"unix_millis({{}}) >= {AT * 1000}", ">="),
    (f"unix_micros({{}}) < {AT * 1_000_000}", "<"),
    (f"CAST({{}} AS LONG) >= {AT}", ">="),
    (f"CAST({{}} AS DOUBLE) < {AT}", "<"),
    (f"CAST({{}} AS DECIMAL(20, 6)) < {AT}.0", "<"),
]


@pytest.mark.parametrize("zone", [*ZONES, None])
@pytest.mark.parametrize(("sql", "op"), COUNTS + OF_MOMENTS)
def test_moments_are_counted_in_no_zone(sql: str, op: str, zone: str | None) -> None:
    said = _said(sql.format("zoned"), "spark", zone)
    assert said == f"zoned {op} TIMESTAMP '2026-02-03 00:00:00 UTC'"


@pytest.mark.parametrize("zone", [*ZONES, None])
@pytest.mark.parametrize(("sql", "op"), COUNTS)
def test_spark_counts_what_a_clock_reads_as_of_utc(sql: str, op: str, zone: str | None) -> None:
    said = _said(sql.format("plain"), "spark", zone)
    assert said == f"plain {op} TIMESTAMP '2026-02-03 00:00:00'"


@pytest.mark.parametrize(
    ("dialect", "zone", "sql", "expected"),
    [
        # Dates begin on the session's clock.
        ("spark", "Europe/Berlin", f"unix_timestamp(day) < {AT - 3600}", "day < DATE '2026-02-03'"),
        ("spark", "Europe/Berlin", f"unix_timestamp(day) >= {AT}", "day >= DATE '2026-02-04'"),
        ("spark", "Europe/Berlin", "unix_timestamp(day) >= 0", "day >= DATE '1970-01-02'"),
        ("spark", "UTC", "unix_timestamp(plain) < 0", "plain <= TIMESTAMP '1969-12-31 23:59:59'"),
        (
            "trino",
            "Europe/Berlin",
            "to_unixtime(zoned) < -441849600",
            "zoned < TIMESTAMP '1956-01-01 00:00:00 UTC'",
        ),
        (
            "spark",
            "America/New_York",
            f"unix_timestamp(CAST(plain AS timestamp)) < {AT}",
            "plain < TIMESTAMP '2026-02-02 19:00:00'",
        ),
        (
            "spark",
            "Asia/Kolkata",
            f"unix_timestamp(zoned) BETWEEN {AT} AND {AT + 86_399}",
            _between("2026-02-03 00:00:00", "2026-02-04 00:00:00"),
        ),
        (
            "spark",
            "Europe/Berlin",
            f"unix_millis(zoned) = {AT * 1000 + 5}",
            _between("2026-02-03 00:00:00.005", "2026-02-03 00:00:00.006"),
        ),
        (
            "spark",
            "Europe/Berlin",
            f"CAST(zoned AS DOUBLE) > {AT}",
            "zoned > TIMESTAMP '2026-02-03 00:00:00 UTC'",
        ),
        (
            "spark",
            "Europe/Berlin",
            "from_unixtime(unix_timestamp(zoned), 'yyyy-MM-dd') = '2026-02-03'",
            _between("2026-02-02 23:00:00", "2026-02-03 23:00:00"),
        ),
        (
            "spark",
            "Asia/Kolkata",
            "to_date(from_unixtime(unix_timestamp(zoned))) = DATE '2026-02-03'",
            _between("2026-02-02 18:30:00", "2026-02-03 18:30:00"),
        ),
        ("spark", "Europe/Berlin", "unix_date(day) >= 20487", "day >= DATE '2026-02-03'"),
        (
            "spark",
            "Europe/Berlin",
            "unix_date(CAST(zoned AS DATE)) = 20487",
            _between("2026-02-02 23:00:00", "2026-02-03 23:00:00"),
        ),
        (
            "trino",
            "Europe/Berlin",
            f"to_unixtime(plain) < {AT}",
            "plain < TIMESTAMP '2026-02-03 01:00:00'",
        ),
        (
            "trino",
            "Europe/Berlin",
            f"to_unixtime(zoned) < {AT}",
            "zoned < TIMESTAMP '2026-02-03 00:00:00 UTC'",
        ),
        (
            "trino",
            "Europe/Berlin",
            f"to_unixtime(CAST(plain AS timestamp(6))) < {AT}",
            "plain < TIMESTAMP '2026-02-03 01:00:00'",
        ),
    ],
)
def test_clocks_of_sessions(dialect: str, zone: str, sql: str, expected: str) -> None:
    assert _said(sql, dialect, zone) == expected


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        # Read in UTC, and then on the clock of Berlin.
        # Rounded, too small, or no cast that Spark has.
        ("spark", f"CAST(zoned AS DECIMAL(10, 0)) < {AT}"),
        ("spark", f"CAST(zoned AS FLOAT) < {AT}"),
        ("spark", f"CAST(zoned AS INT) < {AT}"),
        ("spark", f"CAST(plain AS LONG) < {AT}"),
        # The text of a moment an hour later.
        ("spark", "from_unixtime(unix_timestamp(plain), 'yyyy-MM-dd') = '2026-02-03'"),
    ],
)
def test_what_is_counted_otherwise_is_not_known(dialect: str, sql: str) -> None:
    found = condition(sql, dialect, time_zone="Europe/Berlin", types=TYPES)
    assert isinstance(bind(found, SCHEMA, time_zone="Europe/Berlin"), Unsupported)
