"""Laws of conversions between numbers, times and texts, and of times that are read from texts."""

from __future__ import annotations

import calendar
from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.time_texts import parts_of
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, is_int
from prunescope.collectors.sql.functions.ends import after_calendar, before_calendar
from prunescope.collectors.sql.functions.law import Asked, monotone
from prunescope.collectors.sql.functions.spans import NOTHING, Span, is_even, is_number, texts_of
from prunescope.collectors.sql.functions.texts import cut, written
from prunescope.collectors.sql.functions.times import FIELDS, beyond_text, digits_of, formatted

_ISO = [*"Y-m-d H:M:S"]
_ISO_PARTS = {10: 5, 19: 11}
"""Parts of a text without a format, by its length."""


def read(asked: Asked, span: Span) -> Span | None:
    """The law of times that are read from texts with digits at the same places: monotone if fields
    are in order of size. A text that is no date or time gives NULL or an error."""
    texts = texts_of(span)
    if texts is None:
        return None
    if not is_even(span):
        return _beyond(asked, span) if span.of_times else None
    parts = _read_parts(asked, len(texts[0]))
    fields = "".join(part for part in parts if part in FIELDS)
    if not fields or not FIELDS.startswith(fields):
        return None
    low, high = _valid(texts[0], parts, is_up=True), _valid(texts[1], parts, is_up=False)
    if low is None or high is None:
        return None
    if low > high:
        return NOTHING
    first, last = asked.value(low), asked.value(high)
    if first is None or last is None or NULL in (first, last):
        return None
    return Span(first, last, null=span.null or not span.of_times)


def _beyond(asked: Asked, span: Span) -> Span | None:
    """The times that Spark reads from its own texts of years after 9999, which have a sign, or
    before 1000."""
    texts = texts_of(span)
    size = next(iter(_ISO_PARTS)) if asked.expression.args.get("format") is None else 0
    limit = "".join(_LIMITS.get(part, part) for part in _read_parts(asked, size))
    is_late = texts is not None and texts[0] >= "+1" and texts[1] < ","
    is_early = texts is not None and texts[0] >= "-" and texts[1] < "1"
    known = asked.value(limit if is_late else limit.replace("9999", "0999", 1))
    if known is None or known is NULL or not (is_late or is_early):
        return None
    low, high = (known, after_calendar(known)) if is_late else (before_calendar(known), known)
    return Span(low, high, null=span.null, is_cut=not isinstance(known, Timestamp))


_LIMITS = {"Y": "9999", "m": "12", "d": "31", "H": "23", "M": "59", "S": "59"}


def _read_parts(asked: Asked, size: int) -> Sequence[str]:
    """The parts of texts of a length; empty if they are unknown."""
    pattern = asked.expression.args.get("format")
    if pattern is None and isinstance(asked.expression, exp.Anonymous | exp.ParseDatetime):
        arguments = asked.expression.expressions
        pattern = arguments[1] if len(arguments) > 1 else None
    if pattern is None:
        return _ISO[: _ISO_PARTS.get(size, 0)]
    try:
        return parts_of(pattern, asked.session)
    except CannotConvert:
        return ()


def _valid(text: str, parts: Sequence[str], *, is_up: bool) -> str | None:
    """The nearest text, upwards or downwards, that is a date and time; None for a text of another
    form."""
    numbers = _numbers(text, parts)
    found = None if numbers is None else _valid_numbers(numbers, is_up=is_up)
    if found is None:
        return None
    left = iter(found)
    return "".join(f"{next(left):0{digits_of(part)}}" if part in FIELDS else part for part in parts)


def _numbers(text: str, parts: Sequence[str]) -> list[int] | None:
    """The fields of a text; None for a text of another form."""
    numbers, place = [], 0
    for part in parts:
        size = digits_of(part) if part in FIELDS else len(part)
        piece = text[place : place + size]
        place += size
        if part not in FIELDS:
            if piece != part:
                return None
        elif piece.isdecimal() and len(piece) == size:
            numbers.append(int(piece))
        else:
            return None
    return numbers if place == len(text) else None


def _limits(numbers: Sequence[int], place: int) -> tuple[int, int]:
    """The least and greatest number of a field, given the fields before it."""
    if place == FIELDS.index("d"):
        return 1, calendar.monthrange(numbers[0], numbers[1])[1]
    return ((1, 9999), (1, 12), (1, 31), (0, 23), (0, 59), (0, 59))[place]


def _valid_numbers(numbers: Sequence[int], *, is_up: bool) -> list[int] | None:
    """The nearest valid fields of a time, upwards or downwards; None if there are none."""
    found = [*numbers]
    for place, number in enumerate(found):
        least, most = _limits(found, place)
        if least <= number <= most:
            continue
        if (number < least) is is_up:
            return _filled(found[:place], len(found), is_up=is_up)
        return _carried(found, place, is_up=is_up)
    return found


def _carried(numbers: Sequence[int], place: int, *, is_up: bool) -> list[int] | None:
    """The next fields after a carry into those before a place, or the last ones before them."""
    for before in reversed(range(place)):
        if numbers[before] != _limits(numbers, before)[is_up]:
            following = numbers[before] + (1 if is_up else -1)
            return _filled([*numbers[:before], following], len(numbers), is_up=is_up)
    return None


def _filled(numbers: list[int], size: int, *, is_up: bool) -> list[int]:
    """The fields, completed with the least numbers upwards, or the greatest ones downwards."""
    while len(numbers) < size:
        numbers.append(_limits(numbers, len(numbers))[not is_up])
    return numbers


def converted(asked: Asked, span: Span) -> Span | None:
    """The law of CAST: monotone in numbers and times, and in texts with digits at the same
    places."""
    target = asked.expression.args.get("to")
    kind = target.this if isinstance(target, exp.DataType) else None
    is_text = kind in exp.DataType.TEXT_TYPES
    if isinstance(span.low, str):
        if is_text:
            return cut(asked, span) if kind is not exp.DType.CHAR else None
        return number_of(asked, span) if kind in _NUMBERS else read(asked, span)
    if is_text:
        return text_of(asked, span)
    return None if isinstance(span.low, bool) else monotone(asked, [span], {"this": 1})


def number_of(asked: Asked, span: Span) -> Span | None:
    """The law of conversions to numbers, from numbers and from texts of digits."""
    is_read = not isinstance(span.low, str) or (is_even(span) and span.low.isdecimal())
    return monotone(asked, [span], {asked.names[0]: 1}) if is_read else None


def written_in(asked: Asked, span: Span) -> Span | None:
    """The law of conversions to text, in a pattern or without one."""
    law = formatted if asked.expression.args.get("format") else text_of
    return law(asked, span)


_NUMBERS = {*exp.DataType.INTEGER_TYPES, exp.DType.DECIMAL, exp.DType.DOUBLE}
"""Types that read digits as a number which rises with them."""


def text_of(asked: Asked, span: Span) -> Span | None:
    """The law of texts of whole numbers and of times."""
    if is_int(span.low):
        return written(asked, span)
    if is_number(span.low) or isinstance(span.low, bool):
        return None
    if asked.value(span.low) is None or asked.value(span.high) is None:
        return beyond_text(asked, span)
    found = monotone(asked, [span], {asked.names[0]: 1})
    ends = None if found is None else texts_of(found)
    if found is None or ends is None:
        return found
    shortest = min(len(ends[0]), len(ends[1]), _TIME_TO_SECONDS)
    return Span(*ends, null=found.null, even=shortest, of_times=True)


_TIME_TO_SECONDS = len("2020-01-01 00:00:00")


def read_time(asked: Asked, span: Span) -> Span | None:
    """The law of dates and other times that are made of times or texts."""
    if isinstance(span.low, str):
        return read(asked, span)
    return monotone(asked, [span], {"this": 1, 0: 1})
