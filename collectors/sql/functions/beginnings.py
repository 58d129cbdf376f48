"""Laws of text functions whose results begin as the beginnings of their arguments determine: texts
that are cut at a separator, reversed, padded, or have parts replaced."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.constants.patterns import text_of_pattern
from prunescope.collectors.sql.constants.values import NULL, Whole, is_int
from prunescope.collectors.sql.functions.law import Asked
from prunescope.collectors.sql.functions.spans import (
    AFTER_TEXTS,
    LAST,
    Span,
    common_length,
    point,
    texts_of,
    union,
)
from prunescope.collectors.sql.functions.texts import by_place, cut, padded


@dataclass(frozen=True, slots=True)
class Beginning:
    """The common prefix of a span's texts, whether it is one of these texts itself, and the first
    and last character that may follow; both are empty if none does."""

    text: str
    is_whole: bool
    least: str
    most: str

    def may_go_on(self, letters: str) -> bool:
        """True if one of some letters may follow the prefix."""
        return any(self.least <= each <= self.most for each in letters)

    def after(self, start: str, span: Span) -> Span:
        """All texts that begin with `start` and continue as the texts of the span do."""
        least = start if self.is_whole else start + self.least
        return texts_between(least, start + self.most + AFTER_TEXTS if self.most else start, span)


def beginning_of(span: Span) -> Beginning | None:
    """The common prefix of a span's texts; None for other values."""
    found = texts_of(span)
    if found is None:
        return None
    low, high = found
    size = common_length(low, high)
    most = high[size : size + 1]
    least = (low[size : size + 1] or "\0") if most else ""
    return Beginning(low[:size], len(low) == size, least, most)


def texts_between(low: str, high: str, span: Span) -> Span:
    """The span of all texts from one to another, with the NULL of `span`."""
    return Span(low, high, null=span.null, even=common_length(low, high))


def replaced(asked: Asked, span: Span) -> Span | None:
    """The law of replace(): the result is known up to the last place at which a replacement may
    begin."""
    found, begun, old = by_place(asked, span), beginning_of(span), asked.constant("expression")
    if found is not None or begun is None or not isinstance(old, str) or not old:
        return found
    left = _begun(begun.text.split(old)[-1], old, begun)
    image = asked.value(begun.text[: len(begun.text) - (left or 0)])
    if not isinstance(image, str):
        return None
    return begun.after(image, span) if left is None else _after(image, span)


def _after(start: str, span: Span) -> Span:
    return texts_between(start, start + AFTER_TEXTS, span)


def _begun(text: str, separator: str, begun: Beginning) -> int | None:
    """The length of the longest part of a separator that ends `text` and may continue. None if no
    separator begins before the second character after the common prefix."""
    sizes = range(min(len(text), len(separator) - 1), -1, -1)
    return next(
        (
            size
            for size in sizes
            if text.endswith(separator[:size]) and begun.may_go_on(separator[size])
        ),
        None,
    )


def _parts(span: Span, separator: object) -> tuple[list[str], Span] | None:
    """The parts before separators in the common prefix of a span's texts, and the span of the next
    part; None if they are unknown."""
    begun = beginning_of(span)
    if begun is None or not isinstance(separator, str) or not separator:
        return None
    *known, rest = begun.text.split(separator)
    left = _begun(rest, separator, begun)
    low = rest[: len(rest) - (left or 0)]
    if left is None and not begun.is_whole:
        low += begun.least
    return known, texts_between(low, str(span.high)[len(begun.text) - len(rest) :], span)


def part(asked: Asked, span: Span) -> Span | None:
    """The law of split_part()."""
    found, place = _parts(span, asked.constant("delimiter")), asked.constant("part_index")
    if found is None or asked.names[0] != "this" or not is_int(place) or place < 1:
        return None
    known, following = found
    if place <= len(known):
        return texts_between(known[place - 1], known[place - 1], span)
    return following if place == len(known) + 1 else None


def before(asked: Asked, span: Span) -> Span | None:
    """The law of substring_index() with a positive count."""
    separator, count = asked.constant("delimiter"), asked.constant("count")
    found = _parts(span, separator)
    if found is None or asked.names[0] != "this" or not is_int(count) or count < 1:
        return None
    known, following = found
    if count <= len(known):
        whole = str(separator).join(known[:count])
        return texts_between(whole, whole, span)
    return texts_between(str(separator).join([*known, str(following.low)]), str(span.high), span)


def parts(asked: Asked, span: Span) -> Span | None:
    """The law of split(): arrays are ordered by their first texts, as their arguments are."""
    separator = asked.constant("expression")
    if isinstance(asked.expression, exp.RegexpSplit) and isinstance(separator, str):
        separator = text_of_pattern(separator)
    found = _parts(span, separator) if asked.names[0] == "this" else None
    if found is None or (span.null and asked.value(NULL) is not NULL):
        return None
    known, following = found
    return Span((*known, str(following.low)), (*known, str(following.high)), null=span.null)


def element(asked: Asked, span: Span) -> Span | None:
    """The law of elements of arrays that are equal before the place; for other values, of parts of
    texts."""
    if not isinstance(span.low, tuple) or not isinstance(span.high, tuple):
        return cut(asked, span)
    place = asked.constant(0)
    if asked.names[0] != "this" or not is_int(place):
        return None
    place -= bool(asked.expression.args.get("offset"))
    if place < 0 or len(span.low) <= place or span.low[:place] != span.high[:place]:
        return None
    return texts_between(span.low[place], span.high[place], span)


def found_at(asked: Asked, span: Span) -> Span | None:
    """The law of the position of a text in others, which is 0 if it is not found."""
    begun, sought = beginning_of(span), asked.constant("substr")
    if begun is None or asked.names[0] != "this" or not isinstance(sought, str) or not sought:
        return None
    *known, rest = begun.text.split(sought)
    left = _begun(rest, sought, begun)
    start = begun.text + begun.least if left is None else begun.text[: len(rest) - left]
    none, first = asked.value(""), asked.value(begun.text if known else start + sought)
    if not is_int(none) or not is_int(first):
        return None
    if known:
        return Span(first, first, null=span.null)
    last = Whole(_MOST_LETTERS, none.bits) if isinstance(none, Whole) else _MOST_LETTERS
    return union([point(none), Span(first, last, null=span.null)])


_MOST_LETTERS = 1 << 31
"""More than a text has."""


def turned(_asked: Asked, span: Span) -> Span | None:
    """The law of reverse(): results end with the reversed common prefix."""
    begun = beginning_of(span)
    if begun is None:
        return None
    places = [
        (least, most)
        if least == most or len(least) == 1
        else ("\0" * len(least), LAST * len(least))
        for least, most in span.ending
    ]
    low, high = ("".join(place[side] for place in places) for side in (0, 1))
    text = begun.text[::-1]
    ending = ((text, text),) if begun.is_whole else ((begun.least, begun.most), (text, text))
    return Span(low[::-1], high[::-1] + AFTER_TEXTS, null=span.null, ending=ending)


def filled(asked: Asked, span: Span) -> Span | None:
    """The law of lpad() and rpad(): long texts are cut to their beginning, and short ones are
    filled up before or after it."""
    found, begun = padded(asked, span), beginning_of(span)
    size, fill = asked.constant("expression"), asked.constant("fill_pattern")
    if found is not None or begun is None or not is_int(size) or asked.names[0] != "this":
        return found
    low, high = str(span.low)[:size], str(span.high)[:size] + AFTER_TEXTS
    shortest = len(begun.text) + (not begun.is_whole)
    if len(begun.text) >= size:
        return texts_between(low, begun.text[:size], span)
    if not isinstance(fill, str) or not fill or size > len(AFTER_TEXTS):
        return None
    if not asked.expression.args.get("is_left"):
        return texts_between(low, begun.text + max(begun.most, fill[0]) + AFTER_TEXTS, span)
    before = ((fill * count)[:count] for count in range(size - shortest + 1))
    return union(texts_between(each + low, each + high, span) for each in before)
