"""Dates, times and timestamps as SQL text writes them."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prunescope.collectors.predicates.calendar import EPOCH_UTC, NANOS_PER_DAY, date_of
from prunescope.collectors.predicates.literals import Timestamp

_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?")
_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})?")
_NANOS_PER_SECOND = 1_000_000_000
_LARGEST_OFFSET = dt.timedelta(hours=18)  # of Java, and no engine has a larger one
_CAST_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[ T](.*))?)?)?", re.DOTALL | re.ASCII)
_CAST_TIME = re.compile(
    r"(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:(\.\d+)|\.)?([ Z+-].*|))?)?", re.DOTALL | re.ASCII
)
_SPACES = " \t\n\r\f\v"


def cast_text(text: str, *, is_date: bool) -> str | None:
    """A text that Spark casts to a date or timestamp as others write that: `2026` is
    `2026-01-01`, and `2026-11-26 12` is `2026-11-26 12:00:00`; of a date, what follows it after a
    blank or a T is left out. None for any other text, as `2026-11-26 12:30 UTC`, of which Spark
    makes null without ANSI types (stringToDate and stringToTimestamp of SparkDateTimeUtils; 3.5.9,
    4.0.5 and 4.1.4 were seen to)."""
    found = _CAST_DATE.fullmatch(text.strip(_SPACES))
    if found is None:
        return None
    year, month, day, after = found.groups()
    date = f"{year}-{month or '1':0>2}-{day or '1':0>2}"
    if is_date or after is None:
        return date
    clock = _CAST_TIME.fullmatch(after)
    if clock is None:
        return None
    hour, minute, second, fraction, zone = clock.groups()
    return f"{date} {hour:0>2}:{minute or '':0>2}:{second or '':0>2}{fraction or ''}{zone or ''}"


def parse_date(text: str) -> dt.date | None:
    """`2024-03-01`; None for anything else."""
    match = _DATE.fullmatch(text.strip())
    try:
        return dt.date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def day_of(value: object) -> dt.date | None:
    """The day that a literal is, a date or its text; None for anything else."""
    day = parse_date(value) if isinstance(value, str) else value
    return day if isinstance(day, dt.date) else None


def day_beginning(value: object) -> dt.date | None:
    """The day that a literal is, or at whose beginning a clock is; None for anything else, and for
    instants, which are of a day by a zone."""
    if isinstance(value, Timestamp):
        is_one = not value.zoned and value.nanos % NANOS_PER_DAY == 0
        return date_of(value.nanos) if is_one else None
    return value if isinstance(value, dt.date) else None


def parse_time(text: str) -> dt.time | None:
    """`12:30`, `12:30:15.123456`; None for anything else, and beyond microseconds."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    hour, minute, second, fraction = match.groups()
    nanos = int((fraction or "0").ljust(9, "0"))
    if nanos % 1000:
        return None
    try:
        return dt.time(int(hour), int(minute), int(second or 0), nanos // 1000)
    except ValueError:
        return None


def parse_timestamp(text: str) -> Timestamp | None:
    """`2024-03-01 12:30:15.123456789`, with `T` or a space, and optionally `Z`, an offset or
    an IANA zone after it; None for anything else."""
    found = _split(text)
    if found is None:
        return None
    date, time, zone_text = found
    try:
        year, month, day = map(int, date.groups())
        moment = dt.datetime(year, month, day, int(time[1]), int(time[2]), int(time[3] or 0))
    except ValueError:
        return None
    nanos = int((time[4] or "0").ljust(9, "0"))
    if not zone_text:
        return Timestamp(_seconds(moment) * _NANOS_PER_SECOND + nanos, zoned=False)
    zone = parse_zone(zone_text)
    if zone is None:
        return None
    instant = _seconds(moment.replace(tzinfo=zone)) * _NANOS_PER_SECOND + nanos
    return Timestamp(instant, zoned=True, zone=zone_text)


def parse_reading(text: str) -> Timestamp | None:
    """Parses as `parse_timestamp`, but to a timestamp without zone: the clock's reading, whichever
    zone is written after it; None if that is no zone."""
    found = _split(text)
    if found is None or parse_timestamp(text) is None:
        return None
    date, time, _ = found
    return parse_timestamp(f"{date[0]} {time[0]}")


def _split(text: str) -> tuple[re.Match[str], re.Match[str], str] | None:
    """The date, the time and the zone of a timestamp; None for anything else."""
    text = text.strip()
    date = _DATE.match(text)
    if date is None:
        return None
    rest = text[date.end() :]
    time = _TIME.match(rest.lstrip(" T"))
    if time is None or rest[:1] not in (" ", "T"):
        return None
    return date, time, rest.lstrip(" T")[time.end() :].strip()


def parse_zone(text: str) -> dt.tzinfo | None:
    """`Z`, `UTC`, `+02:00`, `-0530` or an IANA name; None for anything else."""
    if text.upper() in ("Z", "UTC", "GMT"):
        return dt.UTC
    offset = _OFFSET.fullmatch(text)
    if offset is not None:
        span = dt.timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        if span > _LARGEST_OFFSET:
            return None
        return dt.timezone(-span if offset[1] == "-" else span)
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _seconds(moment: dt.datetime) -> int:
    """Whole seconds since the epoch, exactly."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    span = moment - EPOCH_UTC
    return span.days * 86_400 + span.seconds
