"""Laws of functions of texts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.constants.texts import pieces_of
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded, is_int
from prunescope.collectors.sql.functions.law import Asked, texts_at_ends
from prunescope.collectors.sql.functions.spans import (
    AFTER_TEXTS,
    LAST,
    Span,
    common_length,
    is_digit,
    is_even,
    point,
    texts_of,
    union,
)


def _image(text: str) -> tuple[str, str]:
    """The least and greatest text with digits at the same places as a text."""
    low, high = ("".join(d if is_digit(c) else c for c in text) for d in "09")
    return low, high


def _start(asked: Asked) -> Folded | None:
    """The place, from 1, at which a text is cut out of another; None if it is unknown."""
    match asked.expression:
        case exp.Substring():
            return asked.constant("start")
        case exp.Bracket(expressions=[exp.Slice(this=exp.Literal(is_string=False) as start)]):
            return int(start.name) if start.name.isdecimal() else None
        case exp.Bracket():
            return None
    return 1


def cut(asked: Asked, span: Span) -> Span | None:
    """The law of substr() and left(): monotone in texts that are equal before the part that is cut
    out."""
    if asked.names[0] not in ("this", 0):
        return None
    found, start = texts_of(span), _start(asked)
    if found is None or not is_int(start) or (start < 0 and not is_even(span)):
        return None
    ends = texts_at_ends(asked, span)
    if ends is None:
        return None
    before = max(start, 1) - 1 if start >= 0 else max(0, len(found[0]) + start)
    size = max(len(ends[0]), len(ends[1]))
    each = _each_cut(span, before, size)
    if before == 0:
        even = min(span.even, size)
        return Span(*ends, null=span.null, even=even, each=each, of_times=span.of_times)
    if found[0][:before] == found[1][:before] and len(found[0]) >= before:
        even = max(0, min(span.even, before + size) - before)
        return Span(*ends, null=span.null, even=even, each=each)
    if span.even < before + len(ends[0]) or len(ends[0]) != len(ends[1]):
        return None
    return Span(*(each or _image(ends[0])), null=span.null, even=len(ends[0]), each=each)


def _each_cut(span: Span, before: int, size: int) -> tuple[str, str] | None:
    if span.each is None or len(span.each[0]) < before + size:
        return None
    least, most = span.each
    return least[before : before + size], most[before : before + size]


def ending(asked: Asked, span: Span) -> Span | None:
    """The law of right()."""
    texts, ends = texts_of(span), texts_at_ends(asked, span) if is_even(span) else None
    if texts is None or ends is None or len(ends[0]) != len(ends[1]):
        return None
    before = len(texts[0]) - len(ends[0])
    is_alike = texts[0][:before] == texts[1][:before]
    return Span(*(ends if is_alike else _image(ends[0])), null=span.null, even=len(ends[0]))


def unchanged(asked: Asked, span: Span) -> Span | None:
    """The law of functions that change no digit: even texts that stay the same at both ends."""
    return span if is_even(span) and texts_at_ends(asked, span) == texts_of(span) else None


def by_place(asked: Asked, span: Span) -> Span | None:
    """The law of texts that are put before even texts, or replace characters other than digits."""
    if not is_even(span) or asked.names[0] not in ("this", 0):
        return None
    old = asked.constant("expression") if isinstance(asked.expression, exp.Replace) else ""
    if not isinstance(old, str) or any(map(is_digit, old)):
        return None
    ends = texts_at_ends(asked, span)
    if ends is None or len(ends[0]) != len(ends[1]):
        return None
    return Span(*ends, null=span.null, even=len(ends[0]))


def padded(asked: Asked, span: Span) -> Span | None:
    """The law of lpad(): whole numbers with leading zeros rise with the numbers."""
    if not is_int(span.low) or not is_int(span.high):
        return by_place(asked, span)
    ends = texts_at_ends(asked, span)
    if ends is None or asked.constant("fill_pattern") != "0":
        return None
    low, high = ends
    if not low.isdecimal() or len(low) != len(high) or len(str(span.high)) > len(high):
        return None
    return Span(low, high, null=span.null, even=len(low))


def length(asked: Asked, span: Span) -> Span | None:
    """The law of length(), which is constant on even texts."""
    if not is_even(span):
        return None
    low = asked.value(span.low)
    return None if low is None or low is NULL else Span(low, low, null=span.null)


def joined(parts: Sequence[Span | None]) -> Span | None:
    """All concatenations of the parts: they rise with the first part that varies, and with later
    parts while the parts before are even."""
    found = Span("", "", even=0, each=("", ""), of_times=True)
    for part in reversed(parts):
        if part is None or texts_of(part) is None:
            found = Span("", AFTER_TEXTS, null=part is None)
        elif is_even(part):
            found = _after_even(part, found)
        else:
            found = _after_uneven(part, found)
    return found


def _after_even(part: Span, rest: Span) -> Span:
    low, high = (f"{one}{other}" for one, other in ((part.low, rest.low), (part.high, rest.high)))
    return Span(
        low,
        high,
        null=part.null or rest.null,
        even=part.even + rest.even,
        each=_each_joined(part, rest),
        of_times=part.of_times and rest.of_times,
    )


def _after_uneven(part: Span, rest: Span) -> Span:
    """All concatenations of uneven texts with others: a short text with its rest may come after a
    longer text with its own."""
    low, high = str(part.low), str(part.high)
    shared = common_length(low, high)
    starts = (high[:size] for size in range(shared, len(high) + 1))
    highs = (f"{start}{rest.high}" for start in starts if low <= start)
    return Span(
        f"{low}{rest.low}" if low == high else low,
        max(highs),
        null=part.null or rest.null,
        even=min(part.even, shared),
        each=_each_joined(part, rest),
    )


def _each_joined(part: Span, after: Span) -> tuple[str, str] | None:
    if part.each is None or after.each is None:
        return None
    return part.each[0] + after.each[0], part.each[1] + after.each[1]


def digits_between(low: str, high: str) -> tuple[str, str]:
    """The least and greatest digits at each place of the numbers between two of one length."""
    shared = common_length(low, high)
    rest = len(low) - shared - 1
    if rest < 0:
        return low, high
    return low[: shared + 1] + "0" * rest, high[: shared + 1] + "9" * rest


def written(asked: Asked, span: Span) -> Span | None:
    """The law of texts of whole numbers."""
    ends = texts_at_ends(asked, span)
    return None if ends is None else _of_digits(*ends, span)


def _of_digits(low: str, high: str, span: Span) -> Span | None:
    """The texts of the numbers from one to another: a span for each number of digits."""
    if low.isdecimal() and high.isdecimal() and len(low) <= len(high):
        sizes = range(len(low), len(high) + 1)
        lows = (low if size == len(low) else f"1{'0' * (size - 1)}" for size in sizes)
        highs = (high if size == len(high) else "9" * size for size in sizes)
        return union(
            Span(one, other, null=span.null, even=len(one), each=digits_between(one, other))
            for one, other in zip(lows, highs, strict=True)
        )
    first = ("-" if low[:1] == "-" else "0"), ("-" if high[:1] == "-" else "9")
    return Span(first[0], first[1] + LAST, null=span.null)


def printed(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of format() and printf(): numbers and texts at the places of a pattern."""
    known = dict(zip(asked.names, spans, strict=True))
    pattern, first = asked.constant("this"), 0
    if isinstance(asked.expression, exp.Anonymous):
        pattern, first = asked.constant(0), 1
    try:
        pieces = pieces_of(pattern) if isinstance(pattern, str) else []
    except CannotConvert:
        return None
    if len(pieces) // 2 != len(asked.expression.expressions) - first:
        return None
    parts = []
    for at, piece in enumerate(pieces):
        found: Span | None = point(piece)
        if at % 2:
            constant = asked.constant(first + at // 2)
            value = known.get(first + at // 2) if constant is None else point(constant)
            found = None if value is None else _printed(piece, value)
        if found is None or found.null:
            return None
        parts.append(found)
    return joined(parts)


def _printed(place: str, span: Span) -> Span | None:
    """The texts that numbers or texts are printed as; None if they are unknown."""
    if is_int(span.low) and is_int(span.high):
        if place not in ("%s", "%d") and not place.startswith("%0"):
            return None  # with spaces before it
        return _of_digits(place % span.low, place % span.high, span)
    return span if texts_of(span) is not None and place == "%s" else None


_OF_TEXTS: frozenset[type[exp.Expr] | str] = frozenset(
    (
        *(exp.Like, exp.ILike, exp.StartsWith, exp.EndsWith, exp.Contains),
        *(exp.RegexpLike, exp.RegexpExtract, exp.RegexpSplit, "regexp"),
        *(exp.Substring, exp.Left, exp.Right, exp.Lower, exp.Upper, exp.Trim, exp.Reverse),
        *(exp.Replace, exp.SplitPart, exp.SubstringIndex, exp.StrPosition, exp.Length, exp.Pad),
        *("find_in_set", exp.StrToTime),
    )
)
"""Functions whose first argument is made a text, in dialects that do so."""


def is_of_text(expression: exp.Expr) -> bool:
    """True if a call takes its first argument as text."""
    if isinstance(expression, exp.Anonymous):
        return str(expression.this).lower() in _OF_TEXTS
    is_read = isinstance(expression, exp.TsOrDsToDate) and expression.args.get("format") is not None
    return is_read or type(expression) in _OF_TEXTS
