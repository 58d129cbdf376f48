"""Laws of functions of texts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.constants.values import NULL, is_int
from collectors.sql.functions.law import Asked
from collectors.sql.functions.spans import LAST, Span, is_digit


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
    if start < 0 and not is_even(span):
        return None
    start = max(start, 1) if start >= 0 else max(1, len(found[0]) + start + 1)
    length = max(map(len, ends))
    each = None
    if span.each is not None and len(span.each[0]) >= start - 1 + length:
        each = tuple(text[start - 1 : start - 1 + length] for text in span.each)
    if start == 1:
        even = min(span.even, length)
        return Span(*ends, null=span.null, even=even, each=each, of_times=span.of_times)
    if found[0][: start - 1] == found[1][: start - 1] and len(found[0]) >= start - 1:
        even = max(0, min(span.even, start - 1 + length) - start + 1)
        return Span(*ends, null=span.null, even=even, each=each)
    if span.even < start - 1 + len(ends[0]) or len(ends[0]) != len(ends[1]):
        return None
    return Span(*(each or _image(ends[0])), null=span.null, even=len(ends[0]), each=each)


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


def padded(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of lpad(): whole numbers with zeros before them rise as these do."""
    if len(spans) != 1 or not is_int(spans[0].low) or not is_int(spans[0].high):
        return by_place(asked, spans)
    (span,) = spans
    low, high = asked.value(span.low), asked.value(span.high)
    fill = asked.constant("fill_pattern")
    if not isinstance(low, str) or not isinstance(high, str) or fill != "0":
        return None
    if not low.isdecimal() or len(low) != len(high) or len(str(span.high)) > len(high):
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
    found = Span("", "", even=0, each=("", ""), of_times=True)
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
            each = _each_joined(part, found)
            is_of = part.of_times and found.of_times
            found = Span(ends[0] + after[0], ends[1] + after[1], null, even, each, is_of)
        else:
            # What follows a shorter text may be more than what follows a longer one.
            shared = _common(*ends)
            highs = (ends[1][:length] + after[1] for length in range(shared, len(ends[1]) + 1))
            low = ends[0] + after[0] if ends[0] == ends[1] else ends[0]
            each = _each_joined(part, found)
            found = Span(low, max(highs), null, min(part.even, shared), each)
    return found


def _each_joined(part: Span, after: Span) -> tuple[str, str] | None:
    if part.each is None or after.each is None:
        return None
    return part.each[0] + after.each[0], part.each[1] + after.each[1]


def _common(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def digits_between(low: str, high: str) -> tuple[str, str]:
    """The digits that numbers of one length between two may have at each place."""
    shared = _common(low, high)
    rest = len(low) - shared - 1
    if rest < 0:
        return low, high
    return low[: shared + 1] + "0" * rest, high[: shared + 1] + "9" * rest


def written(asked: Asked, span: Span) -> Span | None:
    """All texts of numbers with as many digits."""
    low, high = asked.value(span.low), asked.value(span.high)
    if not isinstance(low, str) or not isinstance(high, str):
        return None
    if len(low) == len(high) and low[:1] != "-" and high[:1] != "-" and low.isdecimal():
        return Span(low, high, null=span.null, even=len(low), each=digits_between(low, high))
    first = ("-" if low[:1] == "-" else "0"), ("-" if high[:1] == "-" else "9")
    return Span(first[0], first[1] + LAST, null=span.null)
