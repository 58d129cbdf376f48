"""Axes: the values that a column of a type may have, in their order, and the places at which boxes
of them are split."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Unit,
    nanos_of,
    period_around,
)
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Exact, Folded, Single, Whole
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.spans import (
    AFTER_TEXTS,
    LAST,
    NOTHING,
    Span,
    common_length,
    float_at,
    ordered,
    point,
)
from prunescope.collectors.sql.ranges.boxes import Apart, Axis, Box, Place, WholePlaces, ends_of
from prunescope.collectors.sql.ranges.times import Times
from prunescope.collectors.types import (
    INT64_RANGE,
    INTEGER_RANGE,
    NANOS_PER_UNIT,
    decimal_parameters,
    from_unscaled,
)

_NAMED = re.compile(
    r"(\d{4})(?:[-/]?(\d\d)(?:[-/]?(\d\d)(?:[ T](\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?)?"
)
_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)
_FIRSTS = (1, 1, 1, 0, 0, 0)
_AFTER_CALENDAR = nanos_of(dt.date.max) + NANOS_PER_DAY


def named_times(constants: Iterable[str], early: int) -> Sequence[int]:
    """Sorted bounds of the years, months, days and so on that constants name, and the end of
    calendars, in nanoseconds since 1970. Each comes also `early` nanoseconds before, for functions
    that round times."""
    ends = {_AFTER_CALENDAR, *(end for constant in constants for end in _ends(constant))}
    return sorted({end - before for end in ends for before in (0, early)})


def _ends(constant: str) -> Sequence[int]:
    found = _NAMED.match(constant)
    if found is None:
        return ()
    parts = [int(each) for each in found.groups() if each is not None]
    year, month, day, hour, minute, second = (*parts, *_FIRSTS[len(parts) :])
    seconds = (hour * 60 + minute) * 60 + second
    try:
        start = nanos_of(dt.date(year, month, day)) + seconds * NANOS_PER_SECOND
        return period_around(start, _UNITS[len(parts) - 1])
    except (ValueError, OverflowError):
        return ()


class Numbers(WholePlaces):
    """The axis of numbers, whose places are whole numbers in the order of the values."""

    def __init__(self, type_name: str, constants: Sequence[int]) -> None:
        self._type = type_name
        is_whole = type_name in ("int", "long")
        self._constants = sorted({0, *constants}) if is_whole and constants else []
        self._scale = 0
        self.step = int(type_name not in ("float", "double", "boolean"))
        if type_name.startswith("decimal"):
            precision, self._scale = decimal_parameters(type_name)
            low, high = 1 - 10**precision, 10**precision - 1
            self._precision = precision
        elif type_name in ("float", "double"):
            high = ordered(float("inf"), self._bits)
            low = ordered(float("-inf"), self._bits)
            self.apart = {**self.apart, Apart.NAN: point(float("nan"))}
        else:
            low, high = INTEGER_RANGE.get(type_name, INT64_RANGE)
        self.whole = Box(low, high + 1)

    @property
    def _bits(self) -> int:
        return 32 if self._type in ("int", "float") else 64

    def value(self, place: int) -> Folded:
        """The value at a place."""
        if self._type == "boolean":
            return bool(place)
        if self._type in ("int", "long"):
            return Whole(place, self._bits)
        if self._type in ("float", "double"):
            found = float_at(place, self._bits)
            return Single(found) if self._type == "float" else found
        return Exact(from_unscaled(place, self._scale), self._precision)

    def named(self, box: Box) -> Place | None:
        """0 or the middle constant, if one lies within a box; None otherwise."""
        start, end = ends_of(box)
        if start < 0 < end:
            return 0
        inside = self._inside(box)
        return inside[len(inside) // 2] if inside else None

    def split(self, box: Box) -> Place | None:
        """The start of the second half of a box: 0, the middle constant, or a round number. None
        for a single value."""
        start, end = ends_of(box)
        low, high = start, end - 1
        if low == high:
            return None
        named = self.named(box)
        if named is not None:
            return named
        if self._type in ("float", "double"):
            return (low + high + 1) // 2
        return _round(low, high) if low >= 0 else 1 - _round(-high, -low)

    def literal(self, place: Place) -> LiteralValue:
        """The number at a place, as a plain Python value."""
        assert isinstance(place, int)
        value = self.value(place)
        if isinstance(value, bool):
            return value
        if isinstance(value, Decimal):
            return Decimal(value)
        if isinstance(value, float):
            return float(value)
        return place

    def is_edge(self, _box: Box) -> bool:
        """False: functions take all numbers."""
        return False

    def is_coarse(self, box: Box) -> bool:
        """True if numbers of a box differ in sign or number of digits, or lie around a constant."""
        start, end = ends_of(box)
        is_mixed = start < 0 < end or len(str(start)) != len(str(end - 1))
        return is_mixed or bool(self._inside(box))

    def cells(self, box: Box) -> Sequence[Box]:
        """The pieces of a box between constants."""
        start, end = ends_of(box)
        places = [start, *self._inside(box), end]
        return [Box(*ends) for ends in pairwise(places)]

    def _inside(self, box: Box) -> Sequence[int]:
        """The constants within a box, except its first number."""
        known = self._constants
        start, end = ends_of(box)
        return known[bisect_right(known, start) : bisect_left(known, end)]


def _round(low: int, high: int) -> int:
    """The roundest number in the middle half of an interval, because texts of numbers get longer at
    powers of ten."""
    sizes = len(str(low)), len(str(high))
    if sizes[0] < sizes[1]:
        return int(10 ** ((sizes[0] + sizes[1]) // 2))
    quarter = (high - low) // 4
    unit = 10 ** len(str(quarter)) if quarter else 1
    while unit > 1:
        found = -(-(low + quarter + 1) // unit) * unit
        if found <= high - quarter:
            return int(found)
        unit //= 10
    return (low + high + 1) // 2


class Texts:
    """Texts, in the order of their characters' code points."""

    whole = Box("", None)
    apart: Mapping[Apart, Span] = {Apart.NULL: NOTHING}
    # Of long texts, the ways to write them in upper and lower case have no short answer.
    most_looks = 250

    def __init__(self, constants: Sequence[str]) -> None:
        self._constants = sorted({each for text in constants for each in _beside(text)})
        letters = {letter for text in constants for letter in text}
        self._next = sorted({each for letter in letters for each in _beside(letter)})
        self._longest = sum(sorted(map(len, constants))[-2:])

    def span(self, box: Box) -> Span:
        """The values of a box."""
        assert isinstance(box.start, str)
        if box.end is None:
            return Span(box.start, AFTER_TEXTS)
        assert isinstance(box.end, str)
        if box.is_single:
            return point(box.start)
        low, high = box.start, _before(box.end)
        return Span(low, high, even=common_length(low, high))

    def width(self, box: Box) -> float:
        """The number of constants at which a box is split, plus one."""
        return len(_inside(box, self._constants)) + 1

    def named(self, box: Box) -> Place | None:
        """The middle one of the constants within a box; None if there is none."""
        inside = _inside(box, self._constants)
        return inside[len(inside) // 2] if inside else None

    def split(self, box: Box) -> Place | None:
        """The middle one of the constants within a box; None if the box is not split. Without
        constants, the common prefix of the box's texts, continued with a letter of a constant, if
        that prefix is at most as long as the two longest constants together: one may follow the
        other."""
        span = self.span(box)
        inside = _inside(box, self._constants)
        if not inside and not span.is_point and span.even <= self._longest:
            start = str(span.low)[: span.even]
            inside = _inside(box, [start + each for each in self._next])
        return inside[len(inside) // 2] if inside else None

    def cells(self, box: Box) -> Sequence[Box]:
        """The box alone."""
        return (box,)

    def literal(self, place: Place) -> LiteralValue:
        """The text at a place."""
        assert isinstance(place, str)
        return place

    def is_edge(self, _box: Box) -> bool:
        """False: functions take all texts."""
        return False

    def is_coarse(self, _box: Box) -> bool:
        """True: texts may always be of several kinds."""
        return True


def _inside(box: Box, places: Sequence[str]) -> Sequence[str]:
    """The part of the sorted places that lies within a box, except its first text."""
    assert isinstance(box.start, str)
    end = None if box.end is None else bisect_left(places, str(box.end))
    return places[bisect_right(places, box.start) : end]


def _beside(text: str) -> Sequence[str]:
    """The places at which boxes of texts are split for a constant: each prefix of up to 40
    characters, and the end of the texts that begin with it."""
    found = ["\0"]
    for length in range(1, min(len(text), 40) + 1):
        start = text[:length]
        found += [start, f"{start}\0"]
        if start[-1] < LAST:
            found.append(start[:-1] + chr(ord(start[-1]) + 1))
    return [each for each in found if not any("\ud800" <= c <= "\udfff" for c in each)]


def _before(end: str) -> str:
    """The last text before `end`."""
    if end.endswith("\0"):
        return end[:-1]
    return end[:-1] + chr(ord(end[-1]) - 1) + AFTER_TEXTS


def axis_of(
    type_name: str,
    session: Session,
    clocks: Clocks,
    texts: Sequence[str],
    numbers: Sequence[int] = (),
    times: Sequence[int] = (),
) -> Axis | None:
    """The axis of a type, split at the given constants; None if values of the type have no order
    here."""
    if type_name in NANOS_PER_UNIT:
        return Times(type_name, session, clocks, times)
    if type_name in ("int", "long", "float", "double", "boolean") or type_name.startswith(
        "decimal"
    ):
        return Numbers(type_name, numbers)
    return Texts(texts) if type_name == "string" else None


def held_of(axis: Axis, session: Session) -> Box:
    """The values of an axis that a dialect's functions hold: others come out as any value."""
    held = dialect_of(session.dialect).held_days
    if held is None or not isinstance(axis, Times):
        return axis.whole
    start, end = (axis.place(nanos_of(day)) for day in held)
    return Box(start, end)
