"""Texts and days of Unix seconds, which are those that the session's clock reads."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import SECONDS, SIGNS, chosen


def test_days_of_unix_seconds() -> None:
    for sign, compare in SIGNS.items():
        sql = f"to_date(from_unixtime(e)) {sign} DATE '2026-01-05'"
        found = condition(sql, "spark", time_zone="UTC")
        days = [(e, dt.datetime.fromtimestamp(e, dt.UTC).date()) for e in SECONDS]
        wanted = [e for e, day in days if compare(day, dt.date(2026, 1, 5))]
        assert chosen(found, "e", SECONDS, pa.int64()) == wanted, render(found)


def test_texts_of_unix_seconds() -> None:
    for sign, compare in SIGNS.items():
        sql = f"from_unixtime(e, 'yyyy-MM-dd') {sign} '2026-01-05'"
        found = condition(sql, "spark", time_zone="UTC")
        texts = [(e, f"{dt.datetime.fromtimestamp(e, dt.UTC):%F}") for e in SECONDS]
        wanted = [e for e, text in texts if compare(text, "2026-01-05")]
        assert chosen(found, "e", SECONDS, pa.int64()) == wanted, render(found)


@pytest.mark.parametrize(
    ("zone", "pattern", "form", "value"),
    [
        ("Asia/Tokyo", "yyyy-MM-dd", "%Y-%m-%d", "2026-01-05"),
        ("Europe/Berlin", "yyyy-MM-dd", "%Y-%m-%d", "2026-03-29"),
        ("Europe/Berlin", "yyyy-MM", "%Y-%m", "2026-10"),
        ("America/New_York", "yyyy-MM-dd HH", "%Y-%m-%d %H", "2026-01-05 02"),
    ],
)
def test_texts_of_seconds_are_those_of_the_session(
    zone: str, pattern: str, form: str, value: str
) -> None:
    start = int(dt.datetime(2026, 1, 1, tzinfo=dt.UTC).timestamp())
    seconds = [start + 1800 * n - n % 2 for n in range(-100, 15_500)]
    texts = [(e, f"{dt.datetime.fromtimestamp(e, ZoneInfo(zone)):{form}}") for e in seconds]
    for sign, compare in SIGNS.items():
        sql = f"from_unixtime(e, '{pattern}') {sign} '{value}'"
        found = condition(sql, "spark", time_zone=zone)
        wanted = [e for e, one in texts if compare(one, value)]
        assert chosen(found, "e", seconds, pa.int64()) == wanted, render(found)


@pytest.mark.parametrize(
    ("sql", "zone"),
    [
        ("from_unixtime(e, 'yyyy-MM-dd') = '2026-01-05'", None),
        # Skipped, and read twice.
        ("from_unixtime(e, 'yyyy-MM-dd HH') = '2026-03-29 02'", "Europe/Berlin"),
        ("from_unixtime(e, 'yyyy-MM-dd HH') = '2026-10-25 02'", "Europe/Berlin"),
        ("from_unixtime(e, 'yyyy-MM-dd') = '2011-12-30'", "Pacific/Apia"),
        ("from_unixtime(unix_timestamp(e), 'yyyy-MM-dd') = '2026-01-05'", "Europe/Berlin"),
    ],
)
def test_texts_of_seconds_that_no_range_is_known_of(sql: str, zone: str | None) -> None:
    assert isinstance(condition(sql, "spark", time_zone=zone), Unsupported)
