"""Spans of time as people write them."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.windows import (
    BadWindow,
    between,
    days_text,
    last_hour,
    latest,
    named,
    require_passed,
    today,
    up_to_now,
    zone_of,
)

NOW = dt.datetime(2026, 3, 10, 13, 45, 59, 123, tzinfo=dt.UTC)
BERLIN = ZoneInfo("Europe/Berlin")
UTC = ZoneInfo("UTC")


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        pytest.param("24h", "2026-03-09T13:45", id="hours"),
        pytest.param("90m", "2026-03-10T12:15", id="minutes"),
        pytest.param("7d", "2026-03-03T13:45", id="days"),
        pytest.param(" 2H ", "2026-03-10T11:45", id="in any case, with blanks"),
    ],
)
def test_the_last_hours_end_at_the_last_full_minute(text: str, start: str) -> None:
    assert latest(text, NOW) == Window(utc(start), utc("2026-03-10T13:45"))


@pytest.mark.parametrize("text", ["", "24", "h", "0h", "-1h", "1.5h", "3w", "1h30m", "9999999d"])
def test_what_is_no_length_of_time_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadWindow, match=r"Use minutes, hours or days: 90m, 24h, 7d."):
        latest(text, NOW)


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        pytest.param(UTC, "2026-03-10T00:00", id="UTC"),
        pytest.param(BERLIN, "2026-03-09T23:00", id="Berlin"),
        pytest.param(ZoneInfo("Pacific/Auckland"), "2026-03-10T11:00", id="tomorrow"),
    ],
)
def test_today_is_what_has_passed_of_the_day_in_a_zone(zone: ZoneInfo, start: str) -> None:
    window = today(zone, NOW)
    assert window.start == utc(start)
    assert dt.timedelta(0) < window.end - NOW <= dt.timedelta(seconds=1)
    require_passed(window, NOW)


@pytest.mark.parametrize(
    ("now", "zone", "start"),
    [
        ("2026-03-10T13:59:59", UTC, "2026-03-10T12:00"),
        ("2026-03-10T14:00:00", UTC, "2026-03-10T13:00"),
        ("2026-03-10T14:10:00", ZoneInfo("Asia/Kolkata"), "2026-03-10T12:30"),
        ("2026-03-29T01:30:00", BERLIN, "2026-03-29T00:00"),  # clocks went forward
        ("2026-10-25T01:30:00", BERLIN, "2026-10-25T00:00"),  # and back
    ],
)
def test_the_last_full_hour_of_clocks(now: str, zone: ZoneInfo, start: str) -> None:
    assert last_hour(zone, utc(now)) == Window(utc(start), utc(start) + dt.timedelta(hours=1))


def test_hours_neither_overlap_nor_leave_a_gap() -> None:
    """Runs that begin an hour apart, at any minute, over a change of clocks."""
    begins = [utc("2026-03-28T20:07") + number * dt.timedelta(hours=1) for number in range(12)]
    hours = [last_hour(BERLIN, begin) for begin in begins]
    assert all(one.end == after.start for one, after in pairwise(hours))


def test_up_to_now_leaves_no_query_out_whose_clock_is_ahead() -> None:
    window = up_to_now("90m", NOW)
    assert window.start == NOW - dt.timedelta(minutes=90)
    assert window.end > NOW


def test_the_midnight_has_a_today() -> None:
    midnight = utc("2026-03-10T00:00")
    assert today(UTC, midnight) == Window(midnight, midnight + dt.timedelta(seconds=1))


def test_a_window_that_is_not_over_is_refused() -> None:
    for minutes in (0, 4):
        end = NOW + dt.timedelta(minutes=minutes)
        require_passed(Window(NOW - dt.timedelta(days=1), end), NOW)
    for ahead in (dt.timedelta(minutes=6), dt.timedelta(days=1_000)):
        with pytest.raises(BadWindow, match=f"is not over: it is {NOW:%Y-%m-%dT%H:%M}.*--today"):
            require_passed(Window(NOW - dt.timedelta(days=1), NOW + ahead), NOW)


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("2026-03-08T05:00", "2026-03-08T06:00", "2026-03-08"),
        ("2026-03-07T05:00", "2026-03-08T06:00", "2026-03-07/2026-03-09"),
        ("2026-03-08T05:00", f"{NOW:%Y-%m-%dT%H:%M}", f"2026-03-08/{NOW:%Y-%m-%dT%H:%M}"),
        ("2026-03-08T05:00", "2030-01-01T00:00", f"2026-03-08/{NOW:%Y-%m-%dT%H:%M}"),
    ],
)
def test_days_are_told_as_far_as_they_have_passed(first: str, last: str, text: str) -> None:
    assert days_text(utc(first), utc(last), NOW) == text
    require_passed(named(text, UTC), NOW)


@pytest.mark.parametrize("ahead", [dt.timedelta(minutes=1), dt.timedelta(days=400)])
def test_no_window_is_told_of_times_that_have_not_come(ahead: dt.timedelta) -> None:
    assert days_text(NOW + ahead, NOW + 2 * ahead, NOW) is None


@pytest.mark.parametrize(
    ("text", "zone", "start", "end"),
    [
        pytest.param("2026-03-10", UTC, "2026-03-10T00:00", "2026-03-11T00:00", id="day"),
        pytest.param("2026-03-10", BERLIN, "2026-03-09T23:00", "2026-03-10T23:00", id="of a zone"),
        pytest.param("2026-03-29", BERLIN, "2026-03-28T23:00", "2026-03-29T22:00", id="23 hours"),
        pytest.param("2026-10-25", BERLIN, "2026-10-24T22:00", "2026-10-25T23:00", id="25 hours"),
        pytest.param("2026-03-10T13", UTC, "2026-03-10T13:00", "2026-03-10T14:00", id="hour"),
        pytest.param("2026-03-10 13", UTC, "2026-03-10T13:00", "2026-03-10T14:00", id="blank"),
        pytest.param("2026-03-10T23", UTC, "2026-03-10T23:00", "2026-03-11T00:00", id="last hour"),
        pytest.param("2026-03-10T13Z", BERLIN, "2026-03-10T13:00", "2026-03-10T14:00", id="Z"),
        pytest.param(
            "2026-03-10T13+02:00", UTC, "2026-03-10T11:00", "2026-03-10T12:00", id="offset"
        ),
        pytest.param(
            "2026-10-25T02", BERLIN, "2026-10-25T00:00", "2026-10-25T02:00", id="an hour twice"
        ),
        pytest.param(
            "2026-03-01/2026-03-08", UTC, "2026-03-01T00:00", "2026-03-08T00:00", id="days"
        ),
        pytest.param(
            "2026-03-10T08/2026-03-10T17:30",
            BERLIN,
            "2026-03-10T07:00",
            "2026-03-10T16:30",
            id="times",
        ),
        pytest.param(
            "2026-03-01 / 2026-03-02T06:00Z",
            UTC,
            "2026-03-01T00:00",
            "2026-03-02T06:00",
            id="mixed",
        ),
    ],
)
def test_a_window_is_a_day_an_hour_or_a_range(
    text: str, zone: ZoneInfo, start: str, end: str
) -> None:
    window = named(text, zone)
    assert window == Window(utc(start), utc(end))
    assert (window.start.tzinfo, window.end.tzinfo) == (dt.UTC, dt.UTC)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "yesterday", "Use a day (2026-03-10), an hour (2026-03-10T13, last-hour)", id="word"
        ),
        pytest.param("2026-03-10T13:30", "an hour", id="a minute is no window"),
        pytest.param("2026-02-30", "Invalid window '2026-02-30'", id="no such day"),
        pytest.param("2026-03-10/", "Invalid window '2026-03-10/'", id="open"),
        pytest.param("2026-03-10/x", "Invalid window '2026-03-10/x'", id="no time"),
        pytest.param("a/b/c", "Invalid window", id="too many"),
        pytest.param(
            "2026-03-10/2026-03-10", "ends when it starts; the end is exclusive", id="empty"
        ),
        pytest.param("2026-03-10/2026-03-09", "ends before it starts", id="backwards"),
        pytest.param(
            "2026-03-29T02", "2026-03-29T02 does not exist in Europe/Berlin", id="no such hour"
        ),
        pytest.param("9999-12-31", "Invalid window", id="beyond time"),
    ],
)
def test_what_is_no_window_is_refused_with_the_forms(text: str, message: str) -> None:
    with pytest.raises(BadWindow) as raised:
        named(text, BERLIN)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param(
            "2026-03-01", None, ("2026-02-28T23:00", "2026-03-01T23:00"), id="a day from it"
        ),
        pytest.param(
            "2026-03-29", None, ("2026-03-28T23:00", "2026-03-29T22:00"), id="a day of 23 hours"
        ),
        pytest.param(
            None, "2026-03-10", ("2026-03-08T23:00", "2026-03-09T23:00"), id="from yesterday"
        ),
        pytest.param(
            "2026-03-01T00:00Z",
            "2026-03-01T06:00:30Z",
            ("2026-03-01T00:00:00", "2026-03-01T06:00:30"),
            id="zones of their own",
        ),
    ],
)
def test_a_start_and_an_end(start: str | None, end: str | None, expected: tuple[str, str]) -> None:
    first, last = (
        None if text is None else dt.datetime.fromisoformat(text) for text in (start, end)
    )
    assert between(first, last, BERLIN, NOW) == Window(utc(expected[0]), utc(expected[1]))


def test_yesterday_is_what_nothing_says() -> None:
    assert between(None, None, UTC, NOW) == Window(utc("2026-03-09"), utc("2026-03-10"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("Europe/Berln", "did you mean Europe/Berlin?", id="typo"),
        pytest.param("europe/berlin", "did you mean Europe/Berlin?", id="case"),
        pytest.param("Middle-earth", "such as Europe/Berlin or UTC", id="nothing like it"),
        pytest.param("../etc/passwd", "such as Europe/Berlin or UTC", id="a path"),
        pytest.param("", "such as Europe/Berlin or UTC", id="nothing"),
    ],
)
def test_an_unknown_zone_is_refused_with_what_is_like_it(name: str, message: str) -> None:
    with pytest.raises(BadWindow) as raised:
        zone_of(name)
    assert message in str(raised.value)


def test_a_zone_by_its_name() -> None:
    assert zone_of("Europe/Berlin") == BERLIN


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        pytest.param("2026-03-10", "2026-03-11", {10}, id="a day"),
        pytest.param("2026-03-10T22:00", "2026-03-11T22:00", {10}, id="a night"),
        pytest.param("2026-03-10T04:00", "2026-03-10T05:00", {10}, id="an hour"),
        pytest.param("2026-03-10", "2026-03-10", {10}, id="nothing"),
        pytest.param("2026-03-10T22:00", "2026-03-12T22:01", {10, 11, 12}, id="days and more"),
        pytest.param("2026-03-03", "2026-03-10", {3, 4, 5, 6, 7, 8, 9}, id="a week"),
    ],
)
def test_the_days_of_a_window_are_those_that_begin_in_it(
    start: str, end: str, days: set[int]
) -> None:
    found = Window(utc(start), utc(end)).days
    assert found == {dt.date(2026, 3, day) for day in days}
