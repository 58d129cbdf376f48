"""Laws of conversions between numbers, times and texts."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.sql.constants.values import is_int
from prunescope.collectors.sql.functions.law import Asked, monotone
from prunescope.collectors.sql.functions.reading import read
from prunescope.collectors.sql.functions.spans import Span, is_even, is_number, texts_of
from prunescope.collectors.sql.functions.texts import cut, written
from prunescope.collectors.sql.functions.times import beyond_text, formatted


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
