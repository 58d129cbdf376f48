"""Laws of functions of texts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.constants.values import NULL, is_int
from collectors.sql.functions.law import Asked
from collectors.sql.ranges.spans import LAST, Span, is_digit


def _texts(span: Span) -> tuple[str, str] | None:
    if isinstance(span.low, str) and isinstance(span.high, str):
        return span.low, span.high
    return None


def is_even(span: Span) -> bool:
    """Whether all texts have their digits at the same places, and as many characters."""
    found = _texts(span)
    return found is not None and len(found[0]) == len(found[1]) == span.even


def _image(text: str) -> tuple[str, str]:
    """The least and the greatest text that is even to one."""
    low, high = ("".join(d if is_digit(c) else c for c in text) for d in "09")
    return low, high


def cut(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of substr() and left(): what is at the beginning of texts rises with these."""
    if len(spans) != 1 or asked.names[0] not in ("this", 0):
        return None
    (span,) = spans
    found = _texts(span)
    start = asked.constant("start") if isinstance(asked.expression, exp.Substring) else 1
    if found is None or not is_int(start):
        return None
    ends = asked.value(span.low), asked.value(span.high)
    if not isinstance(ends[0], str) or not isinstance(ends[1], str):
        return None
    start = max(start, 1) if start >= 0 else len(found[0]) + start + 1
    if start == 1:
        length = max(map(len, ends))
        return Span(*ends, null=span.null, even=min(span.even, length))
    if found[0][: start - 1] == found[1][: start - 1] and len(found[0]) >= start - 1:
        return Span(*ends, null=span.null, even=max(0, min(span.even, start - 1 + max(map(len, ends))) - start + 1))
    if span.even < start - 1 + len(ends[0]) or len(ends[0]) != len(ends[1]):
        return None
    return Span(*_image(ends[0]), null=span.null, even=len(ends[0]))


def ending(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of right()."""
    if len(spans) != 1 or not is_even(spans[0]):
        return None
    (span,) = spans
    low, high = asked.value(span.low), asked.value(span.high)
    if not isinstance(low, str) or not isinstance(high, str) or len(low) != len(high):
        return None
    before = len(str(span.low)) - len(low)
    if str(span.low)[:before] == str(span.high)[:before]:
        return Span(low, high, null=span.null, even=len(low))
    return Span(*_image(low), null=span.null, even=len(low))


def unchanged(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of what changes no digit: of even texts that are as they were at both ends."""
    if len(spans) != 1 or not is_even(spans[0]):
        return None
    (span,) = spans
    low, high = asked.value(span.low), asked.value(span.high)
    return span if low == span.low and high == span.high else None


def by_place(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of what is put before even texts, or is put instead of characters of them that are no
    digits."""
    if len(spans) != 1 or not is_even(spans[0]) or asked.names[0] not in ("this", 0):
        return None
    (span,) = spans
    old = asked.constant("expression") if isinstance(asked.expression, exp.Replace) else ""
    if not isinstance(old, str) and isinstance(asked.expression, exp.Replace):
        return None
    if isinstance(old, str) and any(map(is_digit, old)):
        return None
    low, high = asked.value(span.low), asked.value(span.high)
    if not isinstance(low, str) or not isinstance(high, str) or len(low) != len(high):
        return None
    return Span(low, high, null=span.null, even=len(low))


def length(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of the length of texts, which all even ones share."""
    if len(spans) != 1 or not is_even(spans[0]):
        return None
    low = asked.value(spans[0].low)
    return None if low is None or low is NULL else Span(low, low, null=spans[0].null)


def joined(parts: Sequence[Span | None]) -> Span | None:
    """All texts that are made of others, one after the other: they rise with the first part that
    is not one text, and with the next ones while those before are even."""
    found = Span("", "", even=0)
    for part in reversed(parts):
        ends = None if part is None else _texts(part)
        if part is None or ends is None:
            found = Span("", LAST * 40, null=part is None)
            continue
        after = _texts(found)
        assert after is not None
        null = found.null or part.null
        if is_even(part):
            even = part.even + found.even
            found = Span(ends[0] + after[0], ends[1] + after[1], null=null, even=even)
        else:
            # What follows a shorter text may be more than what follows a longer one.
            shared = _common(*ends)
            highs = (ends[1][:length] + after[1] for length in range(shared, len(ends[1]) + 1))
            low = ends[0] + after[0] if ends[0] == ends[1] else ends[0]
            found = Span(low, max(highs), null=null, even=min(part.even, shared))
    return found


def _common(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def written(asked: Asked, span: Span) -> Span | None:
    """All texts of numbers with as many digits."""
    low, high = asked.value(span.low), asked.value(span.high)
    if not isinstance(low, str) or not isinstance(high, str):
        return None
    if len(low) == len(high) and low[:1] != "-" and high[:1] != "-" and low.isdecimal():
        return Span(low, high, null=span.null, even=len(low))
    first = ("-" if low[:1] == "-" else "0"), ("-" if high[:1] == "-" else "9")
    return Span(first[0], first[1] + LAST, null=span.null)
