"""The axis of dates and timestamps: boxes are split at the beginnings of years and days before
those of seconds."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Unit,
    date_of,
    nanos_of,
    period_around,
)
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert, Folded
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.spans import Span
from prunescope.collectors.sql.ranges.boxes import Apart, Box, Place, WholePlaces, ends_of
from prunescope.collectors.types import INT64_RANGE, NANOS_PER_UNIT

_YEARS = nanos_of(dt.date(1, 1, 1)), nanos_of(dt.date(9999, 12, 31)) + NANOS_PER_DAY
_LATE = Span(
    Timestamp(_YEARS[1], zoned=False, digits=6), Timestamp(2 * _YEARS[1], zoned=False, digits=6)
)
_KNOWN = nanos_of(dt.date(1000, 1, 8)), nanos_of(dt.date(9990, 1, 1))
"""Times that functions of all engines take."""
_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)
_ANCHORS = tuple(nanos_of(dt.date(year, 1, 1)) for year in (1000, 9990, 2000, 2032, 2020))
"""Times at which years and their texts change form, or most data begins or ends."""
_WITHIN_DAYS = 3 * NANOS_PER_DAY
"""The longest box that is split at changes of clocks."""


class Times(WholePlaces):
    """The axis of dates or timestamps, whose places are physical values."""

    def __init__(
        self, type_name: str, session: Session, clocks: Clocks, named: Sequence[int] = ()
    ) -> None:
        self._unit = NANOS_PER_UNIT[type_name]
        self.is_date = type_name == "date"
        self.step = NANOS_PER_DAY // self._unit
        self._zoned = type_name.startswith("timestamptz")
        self._session = session
        dialect = dialect_of(session.dialect)
        self._base = Timestamp(
            0,
            zoned=self._zoned,
            is_ntz=dialect.timestamps_are_instants and not self._zoned,
            zone="UTC" if self._zoned and dialect.keeps_zones else None,
            digits=9 if type_name.endswith("_ns") else 6,
        )
        self._named = sorted({place for at in named for place in self._places(at)})
        self._marks = () if self.is_date else clocks.marks(zoned=self._zoned)
        first, end = (year // self._unit for year in _YEARS)
        if type_name.endswith("_ns"):
            first, end = max(first, INT64_RANGE[0]), min(end, INT64_RANGE[1] + 1)
        self.whole = Box(first, end)
        self.apart = {**self.apart, Apart.LATE: _LATE}

    def _places(self, nanos: int) -> Sequence[int]:
        """The places of a time that is read on the session's clock and in UTC."""
        return [-(-(nanos - shift) // self._unit) for shift in {0, self._shift(nanos)}]

    def place(self, nanos: int) -> int:
        """The place of a time."""
        return nanos // self._unit

    def value(self, place: int) -> Folded:
        """The value at a place."""
        nanos = place * self._unit
        return date_of(nanos) if self.is_date else replace(self._base, nanos=nanos)

    def _nanos(self, box: Box) -> tuple[int, int]:
        """The start of a box and of the next one, in nanoseconds since 1970."""
        start, end = ends_of(box)
        return start * self._unit, end * self._unit

    def named(self, box: Box) -> Place | None:
        """The middle one of the times within a box that constants name; None if there is none."""
        start, end = ends_of(box)
        first, last = bisect_right(self._named, start), bisect_left(self._named, end)
        return self._named[(first + last) // 2] if first < last else None

    def split(self, box: Box) -> Place | None:
        """The start of the second half of a box: a time that a constant names, a year, or the start
        of the longest other period. None for a single value."""
        start, end = ends_of(box)
        if end - start == 1:
            return None
        named = self.named(box)
        if named is not None:
            return named
        for place in self._candidates(*self._nanos(box)):
            if start < place < end:
                return place
        return (start + end) // 2

    def _candidates(self, low: int, high: int) -> Iterator[int]:
        """The places at which a box may be split, the best first."""
        for anchor in _ANCHORS:
            if low < anchor < high:
                yield anchor // self._unit
        if high - low <= _WITHIN_DAYS:
            after = bisect_right(self._marks, low)
            yield from (-(-mark // self._unit) for mark in self._marks[after : after + 1])
        middle = (low + high) // 2
        shift = self._shift(middle)
        for unit in _UNITS:
            try:
                ends = period_around(middle + shift, unit)
            except (ValueError, OverflowError):
                continue
            for end in sorted(ends, key=lambda at: abs(2 * (at - shift) - low - high)):
                yield (end - shift) // self._unit

    def _shift(self, nanos: int) -> int:
        """Nanoseconds by which the clock of periods is ahead of UTC; 0 if that is unknown."""
        if not self._zoned or self._base.zone is not None:
            return 0
        try:
            return self._session.wall_nanos(Timestamp(nanos, zoned=True)) - nanos
        except (CannotConvert, ValueError, OverflowError):
            return 0

    def literal(self, place: Place) -> LiteralValue:
        """The literal of a place: a date if the time is the start of one, else a timestamp."""
        assert isinstance(place, int)
        nanos = place * self._unit
        has_date = not self._zoned or self._session.time_zone == "UTC"
        if self.is_date or (has_date and nanos % NANOS_PER_DAY == 0):
            return date_of(nanos)
        return Timestamp(nanos, zoned=self._zoned, is_ntz=self._base.is_ntz)

    def is_edge(self, box: Box) -> bool:
        """True if a box lies in years that not all functions take."""
        low, high = self._nanos(box)
        return high <= _KNOWN[0] or low >= _KNOWN[1]

    def is_coarse(self, box: Box) -> bool:
        """True if a box holds years of several kinds."""
        low, high = self._nanos(box)
        return any(low < anchor < high for anchor in _ANCHORS)


def time_type(value: Folded, dialect: Dialect) -> exp.DType | None:
    """The type that a text is cast to beside a time; None if the value is no time."""
    if isinstance(value, Timestamp):
        is_moment = value.zoned or (dialect.timestamps_are_instants and not value.is_ntz)
        return exp.DType.TIMESTAMPTZ if is_moment else exp.DType.TIMESTAMPNTZ
    return exp.DType.DATE if isinstance(value, dt.date) else None
