"""Numbers and names of days and of times of a clock, by the words of EXTRACT and the letters of
patterns."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Mapping

from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND, date_of


def _after(day: dt.date, first: int) -> int:
    """The number of weeks of a year up to a day, counted from its first day of the week `first`
    (Monday is 0)."""
    return (day.timetuple().tm_yday - 1 + 7 - (day.weekday() - first) % 7) // 7


def _iso(day: dt.date) -> int:
    year, week, _ = day.isocalendar()
    return year * 100 + week


PARTS: Mapping[str, Callable[[dt.date], int]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "day of year": lambda day: day.timetuple().tm_yday,
    "week": lambda day: day.isocalendar().week,
    "year of week": lambda day: day.isocalendar().year,
    "year and week": _iso,
    "weeks from Sunday": lambda day: _after(day, 6),
    "weeks from Monday": lambda day: _after(day, 0),
    "from Monday": lambda day: day.isoweekday(),
    "after Monday": lambda day: day.weekday(),
    "from Sunday": lambda day: day.isoweekday() % 7 + 1,
    "after Sunday": lambda day: day.isoweekday() % 7,
    "decade": lambda day: day.year // 10,
    "century": lambda day: (day.year + 99) // 100,
    "millennium": lambda day: (day.year + 999) // 1000,
}
"""Numbers that days have; days of weeks count from 1, and those after a day from 0."""

CLOCK_PARTS: Mapping[str, Callable[[int], int]] = {
    "hour": lambda nanos: nanos // (3_600 * NANOS_PER_SECOND),
    "minute": lambda nanos: nanos // (60 * NANOS_PER_SECOND) % 60,
    "second": lambda nanos: nanos // NANOS_PER_SECOND % 60,
    "millisecond": lambda nanos: nanos // 1_000_000 % 1_000,
    "microsecond": lambda nanos: nanos // 1_000 % 1_000_000,
    "nanosecond": lambda nanos: nanos % NANOS_PER_SECOND,
}
"""Numbers that times of a clock have, in nanoseconds since midnight."""

_DIGITS = {
    "Y": (4, "year"),
    "m": (2, "month"),
    "d": (2, "day"),
    "H": (2, "hour"),
    "M": (2, "minute"),
    "S": (2, "second"),
    "week year": (4, "year of week"),
    "week": (2, "week"),
    "weeks from Sunday": (2, "weeks from Sunday"),
    "weeks from Monday": (2, "weeks from Monday"),
    "day of year": (3, "day of year"),
    "quarter": (1, "quarter"),
    "weekday": (1, "from Monday"),
    "microseconds": (6, "microsecond"),
    "milliseconds": (3, "millisecond"),
    "plain month": (1, "month"),
    "plain day": (1, "day"),
    "plain hour": (1, "hour"),
}
"""The least digits of parts of a pattern, and the number that each is."""
_NAMES: Mapping[str, Callable[[dt.date], str]] = {
    "month name": lambda day: calendar.month_name[day.month],
    "short month name": lambda day: calendar.month_abbr[day.month],
    "day name": lambda day: calendar.day_name[day.weekday()],
    "short day name": lambda day: calendar.day_abbr[day.weekday()],
    "short year": lambda day: f"{day.year % 100:02}",
}
WRITTEN = frozenset((*_DIGITS, *_NAMES))
"""The parts of a pattern that stand for a number or a name."""


def written(part: str, wall: int) -> str:
    """The text of a part of a pattern at the reading of a clock, in nanoseconds since 1970-01-01; a
    part that is none of `WRITTEN` is itself."""
    if part in _NAMES:
        return _NAMES[part](date_of(wall))
    if part not in _DIGITS:
        return part
    digits, name = _DIGITS[part]
    in_clock = CLOCK_PARTS.get(name)
    number = PARTS[name](date_of(wall)) if in_clock is None else in_clock(wall % NANOS_PER_DAY)
    return f"{number:0{digits}}"
