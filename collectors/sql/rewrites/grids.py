"""Buckets of one width, into which times are cut."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collectors.predicates.calendar import NANOS_PER_DAY, Interval, date_of, nanos_of

_MONTHS_PER_YEAR = 12


@dataclass(frozen=True, slots=True)
class Grid:
    """Buckets of so many months or nanoseconds, of which one begins at `origin`, in months since
    year 0 or in nanoseconds since 1970."""

    months: int
    nanos: int
    origin: int

    @property
    def is_of_days(self) -> bool:
        """Whether each bucket begins with a day."""
        return bool(self.months) or not (self.nanos % NANOS_PER_DAY or self.origin % NANOS_PER_DAY)

    def index(self, nanos: int) -> int:
        """Which bucket a time is in. Raises ValueError or OverflowError beyond the calendar."""
        if not self.months:
            return (nanos - self.origin) // self.nanos
        day = date_of(nanos)
        return (day.year * _MONTHS_PER_YEAR + day.month - 1 - self.origin) // self.months

    def start(self, index: int) -> int:
        """Where a bucket begins, in nanoseconds since 1970. Raises likewise."""
        if not self.months:
            start = self.origin + index * self.nanos
            date_of(start)
            return start
        year, month = divmod(self.origin + index * self.months, _MONTHS_PER_YEAR)
        return nanos_of(dt.date(year, month + 1, 1))


def fixed(interval: Interval) -> int | None:
    """The nanoseconds of an interval that is always as long; None for one of months."""
    return None if interval.months else interval.days * NANOS_PER_DAY + interval.nanos


def grid_of(width: Interval, origin: int) -> Grid | None:
    """The buckets of a width, one of which begins at a time, in nanoseconds since 1970; None where
    it is none, and of months that begin within one."""
    nanos = fixed(width)
    if nanos is not None:
        return Grid(0, nanos, origin) if nanos > 0 else None
    day = date_of(origin)
    if width.days or width.nanos or width.months < 0 or day.day != 1 or origin % NANOS_PER_DAY:
        return None
    return Grid(width.months, 0, day.year * _MONTHS_PER_YEAR + day.month - 1)
