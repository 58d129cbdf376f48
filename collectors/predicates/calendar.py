"""Calendar arithmetic on wall-clock nanoseconds since 1970-01-01 00:00."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import dataclass
from enum import IntEnum

NANOS_PER_SECOND = 1_000_000_000
NANOS_PER_DAY = 86_400 * NANOS_PER_SECOND
EPOCH = dt.datetime(1970, 1, 1)
EPOCH_UTC = EPOCH.replace(tzinfo=dt.UTC)
EPOCH_DAY = EPOCH.date()
_EPOCH_ORDINAL = EPOCH_DAY.toordinal()
_MONTHS_PER_YEAR = 12
_MONTHS_PER_QUARTER = 3


class Unit(IntEnum):
    """Units of time, ordered by length."""

    NANOSECOND = 0
    MICROSECOND = 1
    MILLISECOND = 2
    SECOND = 3
    MINUTE = 4
    HOUR = 5
    DAY = 6
    WEEK = 7
    MONTH = 8
    QUARTER = 9
    YEAR = 10


_NANOS = {
    Unit.NANOSECOND: 1,
    Unit.MICROSECOND: 1_000,
    Unit.MILLISECOND: 1_000_000,
    Unit.SECOND: NANOS_PER_SECOND,
    Unit.MINUTE: 60 * NANOS_PER_SECOND,
    Unit.HOUR: 3_600 * NANOS_PER_SECOND,
    Unit.DAY: NANOS_PER_DAY,
    Unit.WEEK: 7 * NANOS_PER_DAY,
}
_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: _MONTHS_PER_QUARTER, Unit.YEAR: _MONTHS_PER_YEAR}
_SYNONYMS = {
    "YYYY": Unit.YEAR,
    "YY": Unit.YEAR,
    "MON": Unit.MONTH,
    "MM": Unit.MONTH,
    "DD": Unit.DAY,
}


@dataclass(frozen=True, slots=True)
class Interval:
    """A span of calendar months, calendar days, and nanoseconds."""

    months: int = 0
    days: int = 0
    nanos: int = 0

    def times(self, factor: int) -> Interval:
        """The interval `factor` times."""
        return Interval(self.months * factor, self.days * factor, self.nanos * factor)

    def plus(self, other: Interval) -> Interval:
        """Both intervals together."""
        return Interval(
            self.months + other.months, self.days + other.days, self.nanos + other.nanos
        )


def unit_named(name: str) -> Unit | None:
    """`day`, `DAYS`, `MM`; None for anything else."""
    upper = name.upper()
    if upper in _SYNONYMS:
        return _SYNONYMS[upper]
    return Unit.__members__.get(upper) or Unit.__members__.get(upper.removesuffix("S"))


def interval_of(count: int, unit: Unit) -> Interval:
    """`count` units."""
    if unit in _MONTHS:
        return Interval(months=count * _MONTHS[unit])
    if unit is Unit.WEEK:
        return Interval(days=7 * count)
    return Interval(days=count) if unit is Unit.DAY else Interval(nanos=count * _NANOS[unit])


def nanos_of(date: dt.date) -> int:
    """Nanoseconds at the start of the day."""
    return (date.toordinal() - _EPOCH_ORDINAL) * NANOS_PER_DAY


def date_of(nanos: int) -> dt.date:
    """The day of a moment. Raises ValueError or OverflowError outside years 1 to 9999."""
    return dt.date.fromordinal(nanos // NANOS_PER_DAY + _EPOCH_ORDINAL)


def add(nanos: int, interval: Interval) -> int:
    """A moment moved by an interval: first months, with the day clamped to the end of the
    month, then days and time. Raises ValueError or OverflowError outside years 1 to 9999."""
    moved = nanos
    if interval.months:
        date = _add_months(date_of(nanos), interval.months)
        moved = nanos_of(date) + nanos % NANOS_PER_DAY
    moved += interval.days * NANOS_PER_DAY + interval.nanos
    date_of(moved)
    return moved


def _add_months(date: dt.date, months: int) -> dt.date:
    year, month = divmod(date.year * _MONTHS_PER_YEAR + date.month - 1 + months, _MONTHS_PER_YEAR)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError("year out of range")
    last = calendar.monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, min(date.day, last))


def period_around(nanos: int, unit: Unit) -> tuple[int, int]:
    """The start of the unit's period that holds a moment, and the start of the next one. Weeks
    start on Monday (ISO 8601). Raises ValueError or OverflowError outside years 1 to 9999."""
    start = period_start(nanos, unit)
    if unit in _MONTHS:
        return start, nanos_of(_add_months(date_of(start), _MONTHS[unit]))
    return start, start + _NANOS[unit]


def period_start(nanos: int, unit: Unit) -> int:
    """The start of the unit's period that holds a moment. Raises ValueError or OverflowError
    outside years 1 to 9999."""
    if unit in _MONTHS:
        date = date_of(nanos)
        return nanos_of(date.replace(month=date.month - (date.month - 1) % _MONTHS[unit], day=1))
    length = _NANOS[unit]
    # 1970-01-01 was a Thursday.
    shift = 3 * NANOS_PER_DAY if unit is Unit.WEEK else 0
    return (nanos + shift) // length * length - shift
