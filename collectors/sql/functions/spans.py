"""Sets of values: intervals in the order in which engines compare values."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Any, TypeGuard

from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, Interval, nanos_of
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import NULL, Exact, Folded, Null, Single, Whole

LAST = "\U0010ffff"
"""The last character of all."""
AFTER_TEXTS = LAST * 40
"""More than what texts have in practice."""
Number = int | float | Decimal


@dataclass(frozen=True, slots=True)
class Span:
    """All values from `low` to `high`, both of one type; NULL as both if there is none. With
    `null`, NULL is a value as well. The first `even` characters of texts are digits at the same
    places, and equal at all others."""

    low: Folded
    high: Folded
    null: bool = False
    even: int = 0
    each: tuple[str, str] | None = None
    """The least and greatest character at each place, for texts of one length."""
    of_times: bool = False
    """True if texts are those of times, from which the times can be read again."""
    is_cut: bool = False
    """True if values beyond all calendars are replaced by the first or last value."""
    ending: tuple[tuple[str, str], ...] = ()
    """The least and greatest text of each of the last pieces of texts, which have one length."""
    among: tuple[Span, ...] = ()
    """Spans whose union holds all values; empty if they are unknown."""

    def __hash__(self) -> int:
        return hash((self.low, self.high))

    @property
    def is_point(self) -> bool:
        """True if the span is one value, or NULL alone."""
        if self.low is NULL:
            return True
        if self.null or self.is_cut or type(self.low) is not type(self.high):
            return False
        return self.low is self.high or self.low == self.high

    @property
    def is_empty(self) -> bool:
        """True if there is no value but NULL."""
        return self.low is NULL

    def or_null(self, null: bool) -> Span:
        """The span, with NULL added if `null`."""
        return replace(self, null=True) if null and not self.null else self


NOTHING = Span(NULL, NULL, null=True)
NEVER = Span(NULL, NULL)
"""No value, not even NULL, of an expression that always fails."""
TRUE, FALSE, EITHER = Span(True, True), Span(False, False), Span(False, True)
UNKNOWN = Span(False, True, null=True)
"""A truth that is unknown."""


def point(value: Folded) -> Span:
    """The span of one value."""
    if value is NULL:
        return NOTHING
    if isinstance(value, str):
        return Span(value, value, even=len(value), each=(value, value), of_times=True)
    return Span(value, value)


def may_have(span: Span, value: Folded) -> bool:
    """True if the span may contain a text or number that lies between its ends."""
    if span.among:
        return any(_is_in(piece, value) for piece in span.among)
    return not isinstance(value, str) or has_text(span, value)


def _is_in(span: Span, value: Folded) -> bool:
    if isinstance(value, str) and isinstance(span.low, str) and isinstance(span.high, str):
        return span.low <= value <= span.high and may_have(span, value)
    if not (is_exact(value) and is_exact(span.low) and is_exact(span.high)):
        return True
    return span.low <= value <= span.high


def is_exact(value: object) -> TypeGuard[int | Decimal]:
    """True for a number that is not floating-point."""
    return is_number(value) and not isinstance(value, float)


def has_text(span: Span, text: str) -> bool:
    """True if the span may contain a text, judged by the characters at its places."""
    if not isinstance(span.low, str) or len(text) < span.even:
        return not isinstance(span.low, str)
    if not may_begin(span, text) or not _may_end(span.ending, text):
        return False
    if span.each is None:
        return True
    least, most = span.each
    if len(text) != len(least):
        return False
    return all(a <= c <= b for a, c, b in zip(least, text, most, strict=True))


def _may_end(ending: Sequence[tuple[str, str]], text: str) -> bool:
    for least, most in reversed(ending):
        before = len(text) - len(least)
        if before < 0 or not least <= text[before:] <= most:
            return False
        text = text[:before]
    return True


def may_begin(span: Span, start: str) -> bool:
    """True if texts of a span may begin with `start`, judged by the places of digits."""
    if not isinstance(span.low, str):
        return True
    pairs = zip(span.low[: span.even], start, strict=False)
    return all(a == b or (is_digit(a) and is_digit(b)) for a, b in pairs)


def key(value: Folded) -> Any:
    """The value in a form that Python orders within its kind. Raises TypeError if it has no
    order."""
    match value:
        case Timestamp(nanos):
            return nanos
        case dt.date():
            return nanos_of(value)
        case Interval(months, days, nanos) if not months or not (days or nanos):
            return months or days * NANOS_PER_DAY + nanos
        case Null() | tuple() | Interval():
            raise TypeError
    return value


def are_of_one_kind(values: Iterable[Folded]) -> bool:
    """True if values are all numbers, or all times of one type, or all of another type."""
    return len({_kind(value) for value in values}) < 2


def _kind(value: Folded) -> object:
    if isinstance(value, Timestamp):
        return Timestamp, value.zoned
    if isinstance(value, Interval):
        return Interval, bool(value.months)
    return float if is_number(value) else str if isinstance(value, str) else type(value)


def is_number(value: object) -> TypeGuard[Number]:
    """True for numbers, which booleans are not."""
    return isinstance(value, int | Decimal | float) and not isinstance(value, bool)


def numbers_of(span: Span) -> tuple[Number, Number] | None:
    """The ends of a span of numbers; None for other spans."""
    low, high = span.low, span.high
    return (low, high) if is_number(low) and is_number(high) else None


def texts_of(span: Span) -> tuple[str, str] | None:
    """The ends of a span of texts; None for other spans."""
    low, high = span.low, span.high
    return (low, high) if isinstance(low, str) and isinstance(high, str) else None


def is_even(span: Span) -> bool:
    """True if all texts have one length, and digits at the same places."""
    found = texts_of(span)
    return found is not None and len(found[0]) == len(found[1]) == span.even


def common_length(one: str, other: str) -> int:
    """The length of the common prefix of two texts."""
    for length, (letter, beside) in enumerate(zip(one, other, strict=False)):
        if letter != beside:
            return length
    return min(len(one), len(other))


_MOST_PIECES = 24
"""The most pieces of a union that are remembered."""


def hull(spans: Iterable[Span | None]) -> Span | None:
    """The least span that holds all spans and the values between them; None if one is unknown."""
    found = union(spans)
    return found if found is None or not found.among else replace(found, among=())


def union(spans: Iterable[Span | None]) -> Span | None:
    """The union of spans; None if one of them is unknown."""
    known = [*spans]
    if len(known) == 1:
        return known[0]
    found: Span | None = NOTHING
    null, is_cut, pieces = False, False, tuple[Span, ...]()
    for span in known:
        if span is None or found is None:
            return None
        null |= span.null
        is_cut |= span.is_cut
        if not span.is_empty:
            pieces += span.among or (span,)
        found = _joined(found, span)
    if found is None or found.is_empty:
        return found
    among = pieces if len(pieces) <= _MOST_PIECES else ()
    return replace(found, null=null, is_cut=is_cut, among=among)


def _joined(one: Span, other: Span) -> Span | None:
    if one.is_empty or other.is_empty:
        return other if one.is_empty else one
    if not are_of_one_kind((one.low, one.high, other.low, other.high)):
        return None
    try:
        low = min(one.low, other.low, key=key)
        high = max(one.high, other.high, key=key)
    except TypeError:
        return None
    even = min(one.even, other.even, alike(one.low, other.low))
    are_even = is_even(one) and is_even(other) and one.even == other.even == even
    if isinstance(low, str) and not are_even:
        even = max(0, min(even, len(low) - 1))  # as some have other lengths
    return Span(low, high, even=even, each=_each_of(one.each, other.each))


def _each_of(one: tuple[str, str] | None, other: tuple[str, str] | None) -> tuple[str, str] | None:
    """The least and greatest character at each place of the texts of two spans."""
    if one is None or other is None or len(one[0]) != len(other[0]):
        return None
    return "".join(map(min, one[0], other[0])), "".join(map(max, one[1], other[1]))


def alike(one: object, other: object) -> int:
    """The length of the common prefix of two texts in which all digits are alike."""
    if not isinstance(one, str) or not isinstance(other, str):
        return 0
    pairs = zip(one, other, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if a != b and not (is_digit(a) and is_digit(b))),
        min(len(one), len(other)),
    )


def is_digit(character: str) -> bool:
    """True for the ten digits of ASCII."""
    return "0" <= character <= "9"


def middle(low: Folded, high: Folded) -> Folded | None:
    """The number or time midway between two, or near there the start of a day or the microsecond
    before one; None if none lies between. Raises TypeError for others."""
    match low, high:
        case Whole(), Whole():
            found: Folded = Whole((low + high) // 2, low.bits)
        case int(), int() if is_number(low):
            found = (low + high) // 2
        case Timestamp(), Timestamp():
            found = replace(low, nanos=_nanos_between(low.nanos, high.nanos))
        case dt.date(), dt.date():
            found = dt.date.fromordinal((low.toordinal() + high.toordinal()) // 2)
        case float(), float():
            kind = 32 if isinstance(low, Single) else 64
            at = (ordered(low, kind) + ordered(high, kind)) // 2
            found = type(low)(float_at(at, kind))
        case Exact(), Exact():
            unit = Decimal(1).scaleb(-low.scale)
            with localcontext(prec=80):
                found = Exact(
                    ((low + high) / 2).quantize(unit, rounding=ROUND_FLOOR), low.precision
                )
        case _:
            raise TypeError
    return None if key(found) in (key(low), key(high)) else found


def _nanos_between(low: int, high: int) -> int:
    day = (low + high + NANOS_PER_DAY) // (2 * NANOS_PER_DAY) * NANOS_PER_DAY
    first, last = sorted((low, high))
    for found in (day, day - _MICROSECOND, day + NANOS_PER_DAY - _MICROSECOND):
        if first < found < last:
            return found
    return (low + high) // (2 * _MICROSECOND) * _MICROSECOND


_MICROSECOND = 1_000


def ordered(value: float, bits: int) -> int:
    """The rank of a floating-point number of `bits` bits among all such numbers."""
    kind, whole = ("<f", "<i") if bits == 32 else ("<d", "<q")
    (found,) = struct.unpack(whole, struct.pack(kind, value))
    return int(found) if found >= 0 else -(found & ((1 << (bits - 1)) - 1))


def float_at(place: int, bits: int) -> float:
    """The floating-point number of a rank."""
    kind, whole = ("<f", "<i") if bits == 32 else ("<d", "<q")
    (found,) = struct.unpack(kind, struct.pack(whole, abs(place)))
    return float(found) if place >= 0 else -float(found)


def is_between(low: Folded, value: Folded, high: Folded) -> bool:
    """True if a value lies between two others, or equals one of them."""
    ends = sorted((key(low), key(high)))
    return bool(ends[0] <= key(value) <= ends[1])
