import datetime as dt

import pytest

from prunescope.collectors.predicates.instants import (
    day_of,
    parse_date,
    parse_time,
    parse_timestamp,
    parse_zone,
)
from prunescope.collectors.predicates.literals import Timestamp

NOON = 1_709_899_200_000_000_000
"""2024-03-08 12:00:00 UTC."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-08", dt.date(2024, 3, 8)),
        (" 2024-3-8 ", dt.date(2024, 3, 8)),
        ("0001-01-01", dt.date(1, 1, 1)),
        ("2023-02-29", None),
        ("2024-03-08 00:00", None),
        ("20240308", None),
        ("", None),
    ],
)
def test_dates(text: str, expected: dt.date | None) -> None:
    assert parse_date(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:30", dt.time(12, 30)),
        ("12:30:15.123456", dt.time(12, 30, 15, 123456)),
        ("12:30:15.123456000", dt.time(12, 30, 15, 123456)),
        ("12:30:15.123456001", None),
        ("24:00", None),
        ("noon", None),
    ],
)
def test_times(text: str, expected: dt.time | None) -> None:
    assert parse_time(text) == expected


@pytest.mark.parametrize(
    ("text", "nanos", "zoned"),
    [
        ("2024-03-08 12:00:00", NOON, False),
        ("2024-03-08T12:00", NOON, False),
        ("2024-03-08 12:00:00.000000001", NOON + 1, False),
        ("2024-03-08 12:00:00Z", NOON, True),
        ("2024-03-08 14:00:00+02:00", NOON, True),
        ("2024-03-08 07:00:00 -0500", NOON, True),
        ("2024-03-08 13:00:00 Europe/Berlin", NOON, True),
        ("1969-12-31 23:59:59.999999999", -1, False),
    ],
)
def test_timestamps(text: str, nanos: int, zoned: bool) -> None:
    assert parse_timestamp(text) == Timestamp(nanos, zoned)


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-08",
        "2024-03-0812:00",
        "2024-02-30 12:00",
        "2024-03-08 25:00",
        "2024-03-08 12:00 Mars/Olympus",
        "2024-03-08 12:00:00.1234567890",
        "now",
    ],
)
def test_what_is_no_timestamp(text: str) -> None:
    assert parse_timestamp(text) is None


@pytest.mark.parametrize(
    ("text", "hours"),
    [("Z", 0), ("utc", 0), ("+02:00", 2), ("-0500", -5), ("+02", 2), ("Asia/Tokyo", 9)],
)
def test_zones(text: str, hours: int) -> None:
    zone = parse_zone(text)
    assert zone is not None
    assert zone.utcoffset(dt.datetime(2024, 3, 8)) == dt.timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "+24:00", "Mars/Olympus", "../etc/passwd", "2"])
def test_what_is_no_zone(text: str) -> None:
    assert parse_zone(text) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(dt.date(2024, 3, 1), dt.date(2024, 3, 1), id="a date"),
        pytest.param("2024-3-1", dt.date(2024, 3, 1), id="its text"),
        pytest.param("2024-03-01 00:00:00", None, id="the text of a time"),
        pytest.param(Timestamp(0, zoned=False), None, id="a time"),
        pytest.param(19_783, None, id="a number"),
    ],
)
def test_a_day_is_a_date_or_its_text(value: object, expected: dt.date | None) -> None:
    assert day_of(value) == expected
