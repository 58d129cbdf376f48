"""The values that a column of a type may have, in their order: boxes of them, and where boxes are
split, at the beginnings of years and days before those of seconds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Protocol

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Unit,
    date_of,
    nanos_of,
    period_around,
)
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert, Exact, Folded, Single, Whole
from collectors.sql.dialects import dialect_of
from collectors.sql.functions.clocks import Clocks
from collectors.sql.functions.spans import LAST, Span, float_at, ordered, point
from collectors.types import (
    INT64_RANGE,
    INTEGER_RANGE,
    NANOS_PER_UNIT,
    decimal_parameters,
    from_unscaled,
)

Place = int | str
"""Of a value on an axis, in the order of values."""


@dataclass(frozen=True, slots=True)
class Box:
    """The values from one place to before another one; None for no end."""

    start: Place
    end: Place | None


class Axis(Protocol):
    """The values of a column."""

    whole: Box

    def span(self, box: Box) -> Span:
        """The values of a box."""

    def width(self, box: Box) -> float:
        """How much of the axis a box takes, to split the widest first."""

    def split(self, box: Box) -> Place | None:
        """Where the second half of a box starts; None for one that is not split."""

    def literal(self, place: Place) -> LiteralValue:
        """The value at a place, as one that the column is compared with."""

    def is_edge(self, box: Box) -> bool:
        """Whether a box lies beyond what functions are known to take."""

    def is_coarse(self, box: Box) -> bool:
        """Whether a box holds values of several kinds, for functions: of more and fewer digits, of
        years before and after the usual ones."""


_YEARS = nanos_of(dt.date(1, 1, 1)), nanos_of(dt.date(9999, 12, 31)) + NANOS_PER_DAY
LATE = Span(
    Timestamp(_YEARS[1], zoned=False, digits=6), Timestamp(2 * _YEARS[1], zoned=False, digits=6)
)
"""Times after all calendars."""
LAST_OF_CALENDAR: tuple[LiteralValue, LiteralValue] = (
    Timestamp(_YEARS[1] - 1_000, zoned=False, is_ntz=True),
    dt.date.max,
)
"""The last time of all calendars, and the last date."""
_KNOWN = nanos_of(dt.date(1000, 1, 8)), nanos_of(dt.date(9990, 1, 1))
_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)
_ANCHORS = tuple(nanos_of(dt.date(year, 1, 1)) for year in (1000, 9990, 2000, 2032, 2020))


class Times:
    """Dates or timestamps, by their physical values."""

    def __init__(self, type_name: str, session: Session, clocks: Clocks) -> None:
        self._unit = NANOS_PER_UNIT[type_name]
        self._is_date = type_name == "date"
        self._zoned = type_name.startswith("timestamptz")
        self._session = session
        dialect = dialect_of(session.dialect)
        self._base = Timestamp(
            0,
            zoned=self._zoned,
            is_ntz=dialect.is_spark and not self._zoned,
            zone="UTC" if self._zoned and dialect.is_trino else None,
            digits=9 if type_name.endswith("_ns") else 6,
        )
        self._marks = () if self._is_date else clocks.marks(zoned=self._zoned)
        first, end = (year // self._unit for year in _YEARS)
        if type_name.endswith("_ns"):
            first, end = max(first, INT64_RANGE[0]), min(end, INT64_RANGE[1] + 1)
        self.whole = Box(first, end)

    def place(self, nanos: int) -> int:
        """The place of a time."""
        return nanos // self._unit

    def _value(self, place: int) -> Folded:
        nanos = place * self._unit
        return date_of(nanos) if self._is_date else replace(self._base, nanos=nanos)

    def span(self, box: Box) -> Span:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        if box.end - box.start == 1:
            return point(self._value(box.start))
        return Span(self._value(box.start), self._value(box.end - 1))

    def width(self, box: Box) -> float:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        return (box.end - box.start) * self._unit

    def split(self, box: Box) -> Place | None:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        low, high = box.start * self._unit, box.end * self._unit
        if box.end - box.start == 1:
            return None
        for anchor in _ANCHORS:
            if low < anchor < high:
                return anchor // self._unit
        if high - low <= 3 * NANOS_PER_DAY:
            for mark in self._marks:
                place = -(-mark // self._unit)
                if box.start < place < box.end:
                    return place
        shift = self._shift((low + high) // 2)
        for unit in _UNITS:
            try:
                ends = period_around((low + high) // 2 + shift, unit)
            except (ValueError, OverflowError):
                continue
            for end in sorted(ends, key=lambda at: abs(2 * (at - shift) - low - high)):
                place = (end - shift) // self._unit
                if box.start < place < box.end:
                    return place
        return (box.start + box.end) // 2

    def _shift(self, nanos: int) -> int:
        """By how much the clock that periods go by is ahead."""
        if not self._zoned or self._base.zone is not None:
            return 0
        try:
            return self._session.wall_nanos(Timestamp(nanos, zoned=True)) - nanos
        except (CannotConvert, ValueError, OverflowError):
            return 0

    def literal(self, place: Place) -> LiteralValue:
        assert isinstance(place, int)
        nanos = place * self._unit
        if self._is_date:
            return date_of(nanos)
        if not self._zoned and nanos % NANOS_PER_DAY == 0:
            return date_of(nanos)
        if not self._zoned:
            return Timestamp(nanos, zoned=False, is_ntz=self._base.is_ntz)
        if self._session.time_zone == "UTC" and nanos % NANOS_PER_DAY == 0:
            return date_of(nanos)
        return Timestamp(nanos, zoned=True)

    def is_edge(self, box: Box) -> bool:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        low, high = box.start * self._unit, box.end * self._unit
        return high <= _KNOWN[0] or low >= _KNOWN[1]

    def is_coarse(self, box: Box) -> bool:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        low, high = box.start * self._unit, box.end * self._unit
        return any(low < anchor < high for anchor in _ANCHORS)


class Numbers:
    """Numbers, by places that are whole numbers in their order."""

    def __init__(self, type_name: str) -> None:
        self._type = type_name
        self._scale = 0
        if type_name.startswith("decimal"):
            precision, self._scale = decimal_parameters(type_name)
            low, high = 1 - 10**precision, 10**precision - 1
            self._precision = precision
        elif type_name in ("float", "double"):
            high = ordered(float("inf"), self._bits)
            low = ordered(float("-inf"), self._bits)
        else:
            low, high = INTEGER_RANGE.get(type_name, INT64_RANGE)
        self.whole = Box(low, high + 1)

    @property
    def _bits(self) -> int:
        return 32 if self._type in ("int", "float") else 64

    def _value(self, place: int) -> Folded:
        if self._type == "boolean":
            return bool(place)
        if self._type in ("int", "long"):
            return Whole(place, self._bits)
        if self._type in ("float", "double"):
            found = float_at(place, self._bits)
            return Single(found) if self._type == "float" else found
        return Exact(from_unscaled(place, self._scale), self._precision)

    def span(self, box: Box) -> Span:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        if box.end - box.start == 1:
            return point(self._value(box.start))
        return Span(self._value(box.start), self._value(box.end - 1))

    def width(self, box: Box) -> float:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        return box.end - box.start

    def split(self, box: Box) -> Place | None:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        low, high = box.start, box.end - 1
        if low == high:
            return None
        if low < 0 <= high:
            return 0
        if self._type in ("float", "double"):
            return (low + high + 1) // 2
        return _round(low, high) if low >= 0 else 1 - _round(-high, -low)

    def literal(self, place: Place) -> LiteralValue:
        assert isinstance(place, int)
        value = self._value(place)
        if isinstance(value, bool):
            return value
        if isinstance(value, Decimal):
            return Decimal(value)
        if isinstance(value, float):
            return float(value)
        return place

    def is_edge(self, box: Box) -> bool:
        return False

    def is_coarse(self, box: Box) -> bool:
        assert isinstance(box.start, int) and isinstance(box.end, int)
        low, high = box.start, box.end - 1
        return low < 0 <= high or len(str(low)) != len(str(high))


def _round(low: int, high: int) -> int:
    """The roundest number within the middle of others: texts of numbers get longer at powers of
    ten."""
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

    def __init__(self, constants: Sequence[str]) -> None:
        self._constants = sorted({each for text in constants for each in _beside(text)})

    def span(self, box: Box) -> Span:
        assert isinstance(box.start, str)
        if box.end is None:
            return Span(box.start, LAST * 40)
        assert isinstance(box.end, str)
        if box.end == f"{box.start}\0":
            return point(box.start)
        return Span(box.start, _before(box.end), even=_common(box.start, box.end))

    def width(self, box: Box) -> float:
        assert isinstance(box.start, str)
        if box.end is None:
            return 1e9
        common = _common(box.start, str(box.end))
        one, other = (text[common : common + 1] for text in (box.start, str(box.end)))
        return (ord(other or "\0") - ord(one or "\0") + 1) / 10.0 ** (6 * common)

    def split(self, box: Box) -> Place | None:
        assert isinstance(box.start, str)
        inside = [
            text
            for text in self._constants
            if box.start < text and (box.end is None or text < str(box.end))
        ]
        if inside:
            return inside[len(inside) // 2]
        return None

    def literal(self, place: Place) -> LiteralValue:
        assert isinstance(place, str)
        return place

    def is_edge(self, box: Box) -> bool:
        return False

    def is_coarse(self, box: Box) -> bool:
        return True


def _beside(text: str) -> Sequence[str]:
    """Where boxes of texts are split for a constant: at each of its beginnings, and after what
    begins with it."""
    found = []
    for length in range(1, min(len(text), 40) + 1):
        start = text[:length]
        found += [start, f"{start}\0"]
        if start[-1] < LAST:
            found.append(start[:-1] + chr(ord(start[-1]) + 1))
    return [each for each in found if not any("\ud800" <= c <= "\udfff" for c in each)]


def _before(end: str) -> str:
    if end.endswith("\0"):
        return end[:-1]
    return end[:-1] + chr(ord(end[-1]) - 1) + LAST * 40


def _common(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def axis_of(
    type_name: str, session: Session, clocks: Clocks, constants: Sequence[str]
) -> Axis | None:
    """The axis of a type; None for one whose values have no order here."""
    if type_name in NANOS_PER_UNIT:
        return Times(type_name, session, clocks)
    if type_name in ("int", "long", "float", "double", "boolean") or type_name.startswith(
        "decimal"
    ):
        return Numbers(type_name)
    return Texts(constants) if type_name == "string" else None


def held_of(axis: Axis, session: Session) -> Box:
    """The values of an axis that functions of a dialect hold: others come out as any."""
    held = dialect_of(session.dialect).held_days
    if held is None or not isinstance(axis, Times):
        return axis.whole
    start, end = (axis.place(nanos_of(day)) for day in held)
    return Box(start, end)
