"""Sets of values: all from one to another, in the order in which engines compare them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from collectors.predicates.calendar import nanos_of
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.values import NULL, Folded, Null

LAST = "\U0010ffff"
"""The last character of all."""


@dataclass(frozen=True, slots=True)
class Span:
    """All values from `low` to `high`, both of one type; NULL as both where there is none. With
    `null`, NULL is one as well. Of texts, the first `even` characters are alike in all of them:
    digits where these have digits, and others where these have others."""

    low: Folded
    high: Folded
    null: bool = False
    even: int = 0

    @property
    def is_point(self) -> bool:
        """Whether it is one value, or NULL alone."""
        if self.low is NULL:
            return True
        if self.null or type(self.low) is not type(self.high):
            return False
        return self.low is self.high or self.low == self.high

    @property
    def is_empty(self) -> bool:
        """Whether there is no value but NULL."""
        return self.low is NULL

    def or_null(self, null: bool) -> Span:
        """The span, with NULL beside it."""
        return replace(self, null=True) if null and not self.null else self


NOTHING = Span(NULL, NULL, null=True)
TRUE, FALSE, EITHER = Span(True, True), Span(False, False), Span(False, True)
UNKNOWN = Span(False, True, null=True)
"""A truth of which nothing is known."""


def point(value: Folded) -> Span:
    """The span of one value."""
    if value is NULL:
        return NOTHING
    return Span(value, value, even=len(value) if isinstance(value, str) else 0)


def key(value: Folded) -> object:
    """A value as one that Python orders among others of its kind; raises TypeError."""
    match value:
        case Timestamp(nanos):
            return nanos
        case dt.date():
            return nanos_of(value)
        case Null() | tuple():
            raise TypeError
    return value


def are_of_one_kind(values: Iterable[Folded]) -> bool:
    """Whether values are numbers, or times of one type, or all of another type."""
    return len({_kind(value) for value in values}) < 2


def _kind(value: Folded) -> object:
    if isinstance(value, Timestamp):
        return Timestamp, value.zoned
    return float if is_number(value) else str if isinstance(value, str) else type(value)


def is_number(value: object) -> bool:
    """Whether it is a number."""
    return isinstance(value, int | Decimal | float) and not isinstance(value, bool)


def hull(spans: Iterable[Span | None]) -> Span | None:
    """The least span that holds others; None where one of them is not known."""
    known = [*spans]
    if len(known) == 1:
        return known[0]
    found: Span | None = NOTHING
    null = False
    for span in known:
        if span is None or found is None:
            return None
        null |= span.null
        found = _joined(found, span)
    if found is None or found.is_empty:
        return found
    return replace(found, null=null)


def _joined(one: Span, other: Span) -> Span | None:
    if one.is_empty or other.is_empty:
        return other if one.is_empty else one
    if not are_of_one_kind((one.low, one.high, other.low, other.high)):
        return None
    try:
        low = min(one.low, other.low, key=key)  # type: ignore[arg-type]
        high = max(one.high, other.high, key=key)  # type: ignore[arg-type]
    except TypeError:
        return None
    return Span(low, high, even=min(one.even, other.even, _alike(one.low, other.low)))


def _alike(one: object, other: object) -> int:
    """How many characters of two texts are alike."""
    if not isinstance(one, str) or not isinstance(other, str):
        return 0
    pairs = zip(one, other, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if a != b and not (is_digit(a) and is_digit(b))),
        min(len(one), len(other)),
    )


def is_digit(character: str) -> bool:
    """Whether it is one of the ten digits of ASCII."""
    return "0" <= character <= "9"
