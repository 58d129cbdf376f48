"""Sets of numbers as unions of spans between exact bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from collectors.predicates.operators import Op


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers from `low` to `high`, None where there is no bound; the bounds themselves are
    in it unless they are `open`."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False

    def times(self, factor: Fraction) -> Span:
        """The products with a factor, which is not 0."""
        low = None if self.low is None else self.low * factor
        high = None if self.high is None else self.high * factor
        if factor > 0:
            return replace(self, low=low, high=high)
        return Span(high, low, self.high_open, self.low_open)

    def plus(self, offset: Fraction | int) -> Span:
        """The sums with a number."""
        low = None if self.low is None else self.low + offset
        high = None if self.high is None else self.high + offset
        return replace(self, low=low, high=high)

    def widened(self, relative: Fraction, absolute: Fraction) -> Span:
        """The numbers that are not further away than a part of the bounds and a number."""
        if self.is_empty:
            return self
        low, high = self.low, self.high
        return Span(
            None if low is None else low - abs(low) * relative - absolute,
            None if high is None else high + abs(high) * relative + absolute,
        )

    def within(self, low: Fraction | int | None, high: Fraction | int | None) -> Span | None:
        """What of it lies between two numbers, these included; None for nothing."""
        found = self
        if low is not None and (found.low is None or found.low < low):
            found = replace(found, low=Fraction(low), low_open=False)
        if high is not None and (found.high is None or found.high > high):
            found = replace(found, high=Fraction(high), high_open=False)
        return None if found.is_empty else found

    @property
    def is_empty(self) -> bool:
        """Whether no number is in it."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def holds(self, number: Fraction) -> bool:
        """Whether a number is in it."""
        above = self.low is None or self.low < number or (self.low == number and not self.low_open)
        below = (
            self.high is None or number < self.high or (self.high == number and not self.high_open)
        )
        return above and below

    def whole(self) -> tuple[int | None, int | None]:
        """The first and the last whole number in it; None where there is no bound."""
        low = None if self.low is None else math.ceil(self.low)
        if low is not None and self.low_open and low == self.low:
            low += 1
        high = None if self.high is None else math.floor(self.high)
        if high is not None and self.high_open and high == self.high:
            high -= 1
        return low, high


Spans = Sequence[Span]


def satisfying(op: Op, value: Fraction) -> Spans:
    """The numbers x of which `x op value` is true, for a comparison with one value."""
    match op:
        case Op.LT:
            return [Span(None, value, high_open=True)]
        case Op.LT_EQ:
            return [Span(None, value)]
        case Op.GT:
            return [Span(value, None, low_open=True)]
        case Op.GT_EQ:
            return [Span(value, None)]
        case Op.EQ:
            return [Span(value, value)]
    assert op is Op.NOT_EQ
    return [Span(None, value, high_open=True), Span(value, None, low_open=True)]


def hold(spans: Spans, number: Fraction) -> bool:
    """Whether one of them holds a number."""
    return any(span.holds(number) for span in spans)


def merged(spans: Spans) -> list[Span]:
    """The same numbers in spans that do not touch, in order."""
    found: list[Span] = []
    for span in sorted((s for s in spans if not s.is_empty), key=_start):
        last = found[-1] if found else None
        if last is None or not _touch(last, span):
            found.append(span)
        elif _end(span) > _end(last):
            found[-1] = replace(last, high=span.high, high_open=span.high_open)
    return found


def _start(span: Span) -> tuple[bool, Fraction, bool]:
    return span.low is not None, span.low or Fraction(0), span.low_open


def _end(span: Span) -> tuple[bool, Fraction, bool]:
    return span.high is None, span.high or Fraction(0), not span.high_open


def _touch(before: Span, after: Span) -> bool:
    if before.high is None or after.low is None:
        return True
    is_gap = before.high_open and after.low_open
    return after.low < before.high or (after.low == before.high and not is_gap)


def merged_whole(spans: Spans, low: int, high: int) -> list[tuple[int | None, int | None]]:
    """The whole numbers of spans, of a type that has those from `low` to `high`, as distinct
    ranges in order, with None for the type's own bounds."""
    found: list[tuple[int, int]] = []
    for span in spans:
        inside = span.within(low, high)
        if inside is not None:
            first, last = inside.whole()
            if first is not None and last is not None and first <= last:
                found.append((first, last))
    merged: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return [(None if a == low else a, None if b == high else b) for a, b in merged]
