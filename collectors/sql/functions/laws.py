"""Laws that rows of the table of functions name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.days import field_named, field_of
from prunescope.collectors.sql.constants.values import Whole, is_int
from prunescope.collectors.sql.functions import beginnings, months, patterns, reading, texts, times
from prunescope.collectors.sql.functions.ends import zero_between
from prunescope.collectors.sql.functions.law import (
    Asked,
    Law,
    at_end,
    monotone,
    of_one,
    rising,
)
from prunescope.collectors.sql.functions.spans import Span, hull, numbers_of


def _shifted(asked: Asked, span: Span) -> Span | None:
    """The law of right shifts, for numbers of one sign: some engines fill with zeros."""
    ends = numbers_of(span)
    if ends is None or ends[0] < 0 <= ends[1]:
        return None
    return monotone(asked, [span], {"this": 1, 0: 1})


def _extracted(asked: Asked, spans: Sequence[Span]) -> Span | None:
    field = field_of(asked.expression, asked.session)
    return None if field is None else times.part(field)(asked, spans)


def _named_part(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of date_part(), whose first argument is the name of a part."""
    name = asked.constant(0)
    field = field_named(name, asked.session) if isinstance(name, str) else None
    return None if field is None else times.part(field)(asked, spans)


def _absolute(asked: Asked, span: Span) -> Span | None:
    """The law of abs(), which falls up to 0 and rises from there."""
    ends = numbers_of(span)
    if ends is None:
        return None
    if ends[0] >= 0 or ends[1] <= 0:
        return monotone(asked, [span], {"this": 1 if ends[0] >= 0 else -1})
    zero = zero_between(*ends)
    if zero is None:
        return None
    found = hull(at_end(asked, [value]) for value in (*ends, zero))
    return None if found is None else found.or_null(span.null)


def _remainder(asked: Asked, span: Span) -> Span | None:
    """The law of remainders by a whole number, which rise between its multiples."""
    if asked.names[0] not in ("this", 0):
        return None
    by = asked.constant("expression" if asked.names[0] == "this" else 1)
    if not is_int(by) or by <= 0 or not is_int(span.low) or not is_int(span.high):
        return None
    low, high = asked.value(span.low), asked.value(span.high)
    if low is None or high is None:
        return None
    if span.low >= 0 and span.low // by == span.high // by:
        return Span(low, high, null=span.null)
    least = 0 if span.low >= 0 or asked.expression.name == "pmod" else 1 - by
    if isinstance(low, Whole):
        return Span(Whole(least, low.bits), Whole(by - 1, low.bits), null=span.null)
    return Span(least, by - 1, null=span.null)


def _moved(law: Law) -> Law:
    """The law of times that are moved on a clock. The result is not monotone at a gap of the clock:
    a skipped reading becomes a later moment than readings after the gap."""

    def moved(asked: Asked, spans: Sequence[Span]) -> Span | None:
        found = law(asked, spans)
        if found is None or all(span.is_point for span in spans):
            return found
        low, high = found.low, found.high
        if not isinstance(low, Timestamp) or not isinstance(high, Timestamp) or not low.zoned:
            return found
        first, last = asked.clocks.beside_skipped(low.nanos, high.nanos)
        return replace(found, low=replace(low, nanos=first), high=replace(high, nanos=last))

    return moved


def _elapsed(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of time differences, which rise with the later time; unknown beyond all calendars,
    where the numbers of some engines wrap around."""
    return None if any(span.is_cut for span in spans) else DIFFERENCE(asked, spans)


RISING = rising("this", 0)
FALLING = rising(falling=("this",))
SUM = months.by_whole_days(_moved(rising("this", "expression")))
DIFFERENCE = months.by_whole_days(_moved(rising("this", falling=("expression",))))
ELAPSED: Law = _elapsed
AGE = rising(2, falling=(1,))
ABSOLUTE = of_one(_absolute)
REMAINDER = of_one(_remainder)
SHIFTED = of_one(_shifted)
MONTHS = of_one(months.months)
EXTRACTED: Law = _extracted
NAMED_PART: Law = _named_part
CONVERTED = of_one(reading.converted)
READ_TIME = of_one(reading.read_time)
READ = of_one(reading.read)
NUMBER = of_one(reading.number_of)
TEXT = of_one(reading.text_of)
WRITTEN = of_one(reading.written_in)
FORMATTED = of_one(times.formatted)
CUT = of_one(texts.cut)
ENDING = of_one(texts.ending)
LENGTH = of_one(texts.length)
UNCHANGED = of_one(texts.unchanged)
REPLACED = of_one(beginnings.replaced)
FILLED = of_one(beginnings.filled)
TURNED = of_one(beginnings.turned)
SPLIT_PART = of_one(beginnings.part)
BEFORE = of_one(beginnings.before)
SPLIT = of_one(beginnings.parts)
ELEMENT = of_one(beginnings.element)
PLACE = of_one(beginnings.found_at)
MATCHED = of_one(patterns.matched)
EXTRACTED_TEXT = of_one(patterns.extracted)
