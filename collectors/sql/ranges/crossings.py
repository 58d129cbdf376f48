"""Places at which the sides of a comparison change their order, found at single values: boxes that
are split there are decided sooner."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from prunescope.collectors.predicates.literals import Timestamp, is_nan
from prunescope.collectors.sql.constants.values import Folded
from prunescope.collectors.sql.functions.spans import Span, is_number, key
from prunescope.collectors.sql.ranges.boxes import Box, WholePlaces, ends_of
from prunescope.collectors.sql.ranges.truths import Evaluate, Given

_INTERPOLATIONS = 3
"""Interpolations of one crossing: expressions that need more rise in steps."""
_FASTER = 8
"""The factor by which steps away from an interpolated place grow."""
_FEW = 16
"""Places that are halved, rather than split at round ones."""
_MOST_COMPARED = 12
"""The most comparisons of a condition that are looked at."""

Range = tuple[Fraction, Fraction]
"""The least and the greatest of some numbers."""
Differences = Callable[[Span], Range | None]
"""The range of differences of the sides of a comparison, for values of a column; None if
unknown."""


def _difference(left: Folded, right: Folded) -> Fraction | None:
    """The difference between two numbers or two times; None for other values."""
    if is_number(left) and is_number(right):
        return None if is_nan(left) or is_nan(right) else _exact(left) - _exact(right)
    times = (Timestamp, dt.date)
    if isinstance(left, times) and isinstance(right, times):
        return Fraction(key(left) - key(right))
    return None


def _exact(value: float | Decimal) -> Fraction:
    return Fraction(int(value)) if isinstance(value, int) else Fraction(value)


@dataclass(frozen=True, slots=True)
class Compared:
    """The sides of a comparison, of which one is constant; `in_one_kind` casts constant texts to
    times beside times."""

    left: Evaluate
    right: Evaluate
    in_one_kind: Callable[[Span, Span], tuple[Span, Span]]

    def differences(self, given: Given) -> Range | None:
        """The range of differences of both sides, if they are numbers or times, and never NULL."""
        one, other = self.left(given), self.right(given)
        if one is None or other is None:
            return None
        one, other = self.in_one_kind(one, other)
        if one.null or other.null or one.is_cut or other.is_cut:
            return None
        least, most = _difference(one.low, other.high), _difference(one.high, other.low)
        return None if least is None or most is None else (least, most)


@dataclass
class _Bracket:
    """Two places between which an order changes."""

    low: int
    high: int


@dataclass(frozen=True)
class Guide:
    """The crossings of comparisons on the axis of a column."""

    axis: WholePlaces
    differences: Sequence[Differences]
    _known: dict[tuple[int, int], Fraction | None] = field(default_factory=dict)
    _crosses_once: dict[int, bool] = field(default_factory=dict)
    """Flags by comparison: True if its sides are known to change their order once."""

    def crossing(self, box: Box) -> int | None:
        """A place within a box at which the sides of a comparison change their order, which differs
        at the box's ends; None if there is none."""
        start, end = ends_of(box)
        if len(self.differences) > _MOST_COMPARED:
            return None
        for number in range(len(self.differences)):
            if not self._crosses_once.get(number, True):
                continue
            ends = self._difference(number, start), self._difference(number, end - 1)
            if ends[0] is None or ends[1] is None:
                continue
            for level in (0, 1):
                if _order(ends[0], level) is not _order(ends[1], level):
                    found = self._crossed(number, level, _Bracket(start, end - 1))
                    if found is not None and number not in self._crosses_once:
                        self._crosses_once[number] = self._is_only(number, level, found, box)
                    if found is None or self._crosses_once[number]:
                        return found
                    break
        return None

    def _is_only(self, number: int, level: int, crossing: int, box: Box) -> bool:
        """True if the order is known to be the same for all values on each side of a crossing: it
        is not for functions with a period."""
        start, end = ends_of(box)
        before = self._range(number, Box(start, crossing))
        after = self._range(number, Box(crossing, end))
        if before is None or after is None:
            return False
        orders = [{_order(each, level) for each in side} for side in (before, after)]
        return all(len(side) == 1 for side in orders)

    def _difference(self, number: int, place: int) -> Fraction | None:
        at = number, place
        if at not in self._known:
            found = self._range(number, Box(place, place + 1))
            self._known[at] = found[0] if found is not None and found[0] == found[1] else None
        return self._known[at]

    def _range(self, number: int, box: Box) -> Range | None:
        try:
            return self.differences[number](self.axis.span(box))
        except (ValueError, OverflowError):
            return None

    def _crossed(self, number: int, level: int, bracket: _Bracket) -> int | None:
        high = self._difference(number, bracket.high)
        for place in self._places(number, bracket):
            if not bracket.low < place < bracket.high:
                continue
            found = self._difference(number, place)
            if found is None or high is None:
                return None
            if _order(found, level) is _order(high, level):
                bracket.high = place
            else:
                bracket.low = place
            if bracket.high - bracket.low == 1:
                break
        return bracket.high

    def _places(self, number: int, bracket: _Bracket) -> Iterator[int]:
        """Places to look at next: interpolated ones, then in growing steps from the last of these,
        and at last round ones."""
        last = bracket.low
        for _ in range(_INTERPOLATIONS):
            last = self._interpolated(number, bracket)
            yield last
            if not self._difference(number, last):
                break  # which may be one of many places where the sides are equal
        step = self.axis.step if last == bracket.low else -self.axis.step
        while bracket.low < last + step < bracket.high:
            yield last + step
            step *= _FASTER
        while bracket.high - bracket.low > 1:
            if bracket.high - bracket.low <= _FEW:
                yield (bracket.low + bracket.high) // 2
                continue
            at = self.axis.split(Box(bracket.low + 1, bracket.high + 1))
            assert isinstance(at, int)
            yield from (at - 1, at)

    def _interpolated(self, number: int, bracket: _Bracket) -> int:
        low, high = (self._difference(number, at) for at in (bracket.low, bracket.high))
        width = bracket.high - bracket.low
        if low is None or high is None or low == high:
            return bracket.low + width // 2
        found = bracket.low + int(width * low / (low - high))
        return min(max(found, bracket.low + 1), bracket.high - 1)


def _order(difference: Fraction, level: int) -> bool:
    """True if a difference reaches 0 (level 0) or exceeds it (level 1)."""
    return difference > 0 if level else difference >= 0
