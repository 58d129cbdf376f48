"""Boxes of values, and the axes on which they lie."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.sql.constants.values import Folded
from prunescope.collectors.sql.functions.spans import NOTHING, Span, common_length, point

Place = int | str
"""The position of a value on an axis, in the order of values."""


@dataclass(frozen=True, slots=True)
class Box:
    """A half-open interval of places, from `start` to before `end`; None for no end."""

    start: Place
    end: Place | None

    @property
    def is_single(self) -> bool:
        """True if the box holds one value."""
        return self.end == after(self.start)

    def __and__(self, other: Box) -> bool:
        """True if the boxes overlap."""
        return _is_before(self.start, other.end) and _is_before(other.start, self.end)


def _is_before(one: Place | None, other: Place | None) -> bool:
    """True if an end or start of a box comes before another one; None comes after all."""
    if one is None or other is None:
        return one is not None
    return one < other if isinstance(one, int) and isinstance(other, int) else str(one) < str(other)


class Apart(Enum):
    """Values of a column that lie in no box."""

    NULL = auto()
    NAN = auto()
    LATE = auto()
    """Times after all calendars."""


@dataclass(frozen=True, slots=True)
class Values:
    """Values of a column: sorted boxes with gaps between them, and values apart from boxes."""

    boxes: tuple[Box, ...]
    apart: frozenset[Apart] = frozenset()

    def __or__(self, other: Values) -> Values:
        return Values(merged((*self.boxes, *other.boxes)), self.apart | other.apart)


def merged(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Sorted boxes, with those joined that overlap or touch."""
    found: list[Box] = []
    for box in sorted(boxes, key=lambda each: each.start):
        last = found[-1] if found else None
        if last is None or _is_before(last.end, box.start):
            found.append(box)
        elif _is_before(last.end, box.end):
            found[-1] = Box(last.start, box.end)
    return tuple(found)


def after(place: Place) -> Place:
    """The place of the next value."""
    return f"{place}\0" if isinstance(place, str) else place + 1


def single(place: Place) -> Box:
    """The box of one value."""
    return Box(place, after(place))


def ends_of(box: Box) -> tuple[int, int]:
    """The first place of a box of whole places, and the first place after the box."""
    assert isinstance(box.start, int)
    assert isinstance(box.end, int)
    return box.start, box.end


def distance(one: str, other: str) -> float:
    """The distance from a text to a later one, measured at the first character that differs."""
    common = common_length(one, other)
    codes = (ord(text[common : common + 1] or "\0") for text in (other, one))
    return (next(codes) - next(codes) + 1) / 10.0 ** (6 * common)


class Axis(Protocol):
    """The values of a column."""

    whole: Box
    apart: Mapping[Apart, Span]
    """Spans that conditions are evaluated for, of values that lie in no box."""
    most_looks: int
    """The most boxes that are evaluated for one condition."""

    def span(self, box: Box) -> Span:
        """The values of a box."""

    def width(self, box: Box) -> float:
        """The number of boxes that a box can be split into, so that the widest is split first."""

    def named(self, box: Box) -> Place | None:
        """The place of a constant within a box at which it is split first; None if there is
        none."""

    def split(self, box: Box) -> Place | None:
        """The place where the second half of a box starts; None if the box is not split."""

    def cells(self, box: Box) -> Sequence[Box]:
        """The pieces that constants split a box into, if constants tell how large values are."""

    def literal(self, place: Place) -> LiteralValue:
        """The value at a place, as a literal that the column is compared with."""

    def is_edge(self, box: Box) -> bool:
        """True if a box lies outside the domain that functions are known to take."""

    def is_coarse(self, box: Box) -> bool:
        """True if a box mixes values of several kinds for functions: more and fewer digits, or
        years before and after the usual ones."""


class WholePlaces(ABC):
    """An axis of values whose places are whole numbers."""

    whole: Box
    apart: Mapping[Apart, Span] = {Apart.NULL: NOTHING}
    most_looks = 800
    step = 1
    """The width of the smallest steps in which functions usually rise; 0 if values are not spread
    evenly over places."""

    def named(self, _box: Box) -> Place | None:
        """The place of a constant within a box at which it is split first; None if there is
        none."""
        return None

    @abstractmethod
    def split(self, box: Box) -> Place | None:
        """The place where the second half of a box starts; None for a single value."""

    @abstractmethod
    def value(self, place: int) -> Folded:
        """The value at a place."""

    def width(self, box: Box) -> float:
        """The number of places of a box."""
        start, end = ends_of(box)
        return end - start

    def cells(self, box: Box) -> Sequence[Box]:
        """The box, if there are no constants."""
        return (box,)

    def span(self, box: Box) -> Span:
        """The values of a box."""
        start, end = ends_of(box)
        if end - start == 1:
            return point(self.value(start))
        return Span(self.value(start), self.value(end - 1))
