"""Changes of clocks, between which a clock's reading is monotone in the moment."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    date_of,
    nanos_of,
)
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.sql.constants.values import CALENDAR

_FIRST, _LAST = nanos_of(dt.date(1800, 1, 1)), nanos_of(dt.date(2100, 1, 1))
"""No clock changed before the first; changes after the second are not looked up."""
_TOP = nanos_of(dt.date(9995, 1, 1))
"""The time from which changes are looked up again, because dates there mean forever."""
_OFTEN = nanos_of(dt.date(1900, 1, 1))
_RARELY, _STEP = 365 * NANOS_PER_DAY, 15 * NANOS_PER_DAY
"""The shortest time between two changes of a clock, until 1900 and since then."""
_MOST_PIECES = 6
MARGIN = 2 * NANOS_PER_DAY
"""More than the clocks of one zone ever differ, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Change:
    """The moment of a change, and the first and last reading that it skips or repeats, in
    nanoseconds since 1970: the moment in UTC, and readings on the clock."""

    moment: int
    first: int
    last: int
    is_back: bool


@lru_cache(maxsize=256)
def changes_of(zone: str) -> tuple[Change, ...]:
    """The changes of a zone's clock, sorted by moment."""
    known = parse_zone(zone)
    if known is None or isinstance(known, dt.timezone):
        return ()
    found = []
    before, start = _offset(_FIRST, known), _FIRST
    for end in (
        *range(_FIRST, _OFTEN, _RARELY),
        *range(_OFTEN, _LAST, _STEP),
        *range(_TOP, CALENDAR[1] - NANOS_PER_DAY, _STEP),
    ):
        after = _offset(end, known)
        if after != before and end != _TOP:
            moment = _between(start, end, known)
            first, last = sorted((moment + before, moment + after))
            found.append(Change(moment, first, last, is_back=after < before))
        before, start = after, end
    return tuple(found)


def _between(low: int, high: int, zone: dt.tzinfo) -> int:
    offset = _offset(low, zone)
    while high - low > NANOS_PER_SECOND:
        middle = (low + high) // 2 // NANOS_PER_SECOND * NANOS_PER_SECOND
        if _offset(middle, zone) == offset:
            low = middle
        else:
            high = middle
    return high


def _offset(nanos: int, zone: dt.tzinfo) -> int:
    day, rest = date_of(nanos), nanos % NANOS_PER_DAY // NANOS_PER_SECOND
    moment = dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC) + dt.timedelta(seconds=rest)
    offset = moment.astimezone(zone).utcoffset()
    assert offset is not None
    return round(offset.total_seconds()) * NANOS_PER_SECOND


class Clocks:
    """The clocks that a condition may read. Functions that round a time first may meet a change up
    to `early` nanoseconds before it."""

    def __init__(self, zones: Iterable[str], early: int = 0) -> None:
        self.zones = frozenset(zones)
        self._changes = sorted(
            {change for zone in self.zones for change in changes_of(zone)}, key=lambda c: c.moment
        )
        back = [change.moment for change in self._changes if change.is_back]
        self._back = sorted({mark for moment in back for mark in (moment - early, moment)})
        self._read = sorted({(change.first - early, change.last) for change in self._changes})
        self._firsts = [first for first, _ in self._read]
        self._skipped = [
            (change.moment, change.moment + change.last - change.first)
            for change in self._changes
            if not change.is_back
        ]

    @property
    def are_changed(self) -> bool:
        """True if any of the clocks ever changed."""
        return bool(self._changes)

    def marks(self, *, zoned: bool) -> Sequence[int]:
        """The times, with a zone or without, at which readings may stop rising."""
        if zoned:
            return self._back
        return sorted({mark for region in self._read for mark in region})

    def pieces(self, low: int, high: int, *, zoned: bool) -> Iterator[tuple[int, int]]:
        """Intervals that cover the times from `low` to `high`: on each, a function that rises on a
        clock lies between its values at the interval's ends."""
        if not self._changes:
            yield low, high
        elif high >= _LAST and low < _TOP:
            yield _beyond(low, high)
        elif zoned:
            yield from self._of_moments(low, high)
        else:
            yield from self._of_readings(low, high)

    def beside_skipped(self, low: int, high: int) -> tuple[int, int]:
        """The interval of moments, extended by the moments that skipped readings near it may stand
        for."""
        for start, end in self._at(low, high):
            low, high = min(low, start), max(high, end - 1)
        return low, high

    def _at(self, *moments: int) -> list[tuple[int, int]]:
        """The skipped readings, as intervals of moments after a change, that hold one of the
        moments."""
        found = []
        for moment in moments:
            place = bisect_right(self._skipped, (moment, CALENDAR[1])) - 1
            found += [each for each in self._skipped[max(place, 0) : place + 1] if moment < each[1]]
        return found

    def _of_moments(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        start, end = bisect_right(self._back, low), bisect_right(self._back, high)
        if end - start > _MOST_PIECES:
            yield _beyond(low, high)
            return
        for mark in self._back[start:end]:
            yield low, mark - 1
            low = mark
        yield low, high

    def _of_readings(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        start, end = bisect_left(self._firsts, low), bisect_right(self._firsts, high)
        while start and self._read[start - 1][1] > low:
            start -= 1
        if end - start > _MOST_PIECES:
            yield _beyond(low, high)
            return
        for first, last in self._read[start:end]:
            if low < first:
                yield low, first - 1
            yield max(low, first) - MARGIN, min(high, last) + MARGIN
            low = max(low, last)
        if low <= high:
            yield low, high


def _beyond(low: int, high: int) -> tuple[int, int]:
    """Times that are read before and after all times of an interval, whatever clock changes lie
    between. Before all changes, the interval's start is not moved."""
    earlier = max(CALENDAR[0], low - (MARGIN if low >= _FIRST else 0))
    return min(low, earlier), max(high, min(CALENDAR[1], high + MARGIN))
