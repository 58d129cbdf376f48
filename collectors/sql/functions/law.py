"""Laws of functions: the argument in which a function is monotone, within which period, and bounds
of its values elsewhere. A law maps a call and the spans of its arguments to a span that holds all
values of the call, or to None if nothing is known of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Interval
from prunescope.collectors.predicates.literals import Timestamp, is_nan
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, Folded
from prunescope.collectors.sql.functions.clocks import MARGIN, Clocks
from prunescope.collectors.sql.functions.ends import after_calendar, before_calendar
from prunescope.collectors.sql.functions.spans import (
    NEVER,
    NOTHING,
    Span,
    hull,
    is_number,
    key,
    union,
)

Name = str | int
"""An argument's name in the node, or its place in a call that sqlglot does not know."""


class Asked(Protocol):
    """A call with slots for the arguments that depend on columns."""

    expression: exp.Expr
    session: Session
    clocks: Clocks
    names: Sequence[Name]
    """The arguments that depend on columns."""

    notes: dict[str, Any]
    """Results of laws that are kept for later evaluations of the call."""

    def value(self, *arguments: Folded) -> Folded | None:
        """The value of the call for values of these arguments; None if it is unknown."""

    def between(self, *arguments: Folded) -> Span | None:
        """The values that the call may have for arguments, depending on settings and versions; None
        if they are unknown."""

    def end(self, *arguments: Folded) -> Folded | None:
        """The end of the type that the call's number lies beyond, so that the call has no value."""

    def limits(self, low: Folded, high: Folded) -> tuple[Folded, Folded] | None:
        """The first and last argument between two others for which the call has a value. If there
        is none between, the nearest one, twice; None if they are unknown."""

    def is_error(self, *arguments: Folded) -> bool:
        """True if these arguments raise an error for certain."""

    def is_beyond(self, argument: Folded) -> bool:
        """True if the call's value lies beyond Python's calendar, rather than not existing."""

    def constant(self, name: Name) -> Folded | None:
        """The value of an argument that depends on no column; None if it has none."""


_MILLISECOND = 1_000_000
"""The length of a millisecond in nanoseconds."""

Law = Callable[[Asked, Sequence[Span]], Span | None]


def of_one(law: Callable[[Asked, Span], Span | None]) -> Law:
    """The law of calls of which only one argument depends on columns."""

    def of_spans(asked: Asked, spans: Sequence[Span]) -> Span | None:
        return law(asked, spans[0]) if len(spans) == 1 else None

    return of_spans


def texts_at_ends(asked: Asked, span: Span) -> tuple[str, str] | None:
    """The values of a call at both ends of its argument, if these are texts; None otherwise."""
    low, high = asked.value(span.low), asked.value(span.high)
    return (low, high) if isinstance(low, str) and isinstance(high, str) else None


def rising(*names: Name, falling: Iterable[Name] = ()) -> Law:
    """The law of a monotone function, which never falls as an argument in `names` rises, and never
    rises as one in `falling` does."""
    signs = {**dict.fromkeys(names, 1), **dict.fromkeys(falling, -1)}

    def law(asked: Asked, spans: Sequence[Span]) -> Span | None:
        return monotone(asked, spans, signs)

    return law


def monotone(asked: Asked, spans: Sequence[Span], signs: Mapping[Name, int]) -> Span | None:
    """The image of a call that rises with the arguments of sign 1 and falls with those of
    sign -1."""
    if not _are_told(asked, spans, signs) or any(map(_is_open_text, spans)):
        return None

    def of_pieces(parts: Sequence[Span]) -> Span | None:
        found = _between_ends(asked, parts, signs)
        for margin in (0, MARGIN):
            if found is not None:
                break
            around = [_around(part, margin) for part in parts]
            if around != parts:
                found = _between_ends(asked, around, signs)
        return found

    return over_clocks(asked, spans, of_pieces)


def _around(span: Span, margin: int) -> Span:
    """The span, rounded outwards to whole milliseconds and extended by `margin` nanoseconds. Some
    times have no known value, because engines differ in rounding parts of milliseconds, and in
    readings that a clock skips."""
    low, high = span.low, span.high
    if not isinstance(low, Timestamp) or not isinstance(high, Timestamp):
        return span
    ends = low.nanos // _MILLISECOND, -(-high.nanos // _MILLISECOND)
    return replace(
        span,
        low=replace(low, nanos=ends[0] * _MILLISECOND - margin),
        high=replace(high, nanos=ends[1] * _MILLISECOND + margin),
    )


def _are_told(asked: Asked, spans: Sequence[Span], signs: Mapping[Name, int]) -> bool:
    return all(
        span.is_point or name in signs for name, span in zip(asked.names, spans, strict=True)
    )


def _is_open_text(span: Span) -> bool:
    """True if texts differ in form, so that no function of another type is monotone in them."""
    return isinstance(span.low, str) and not span.is_point and span.even < len(span.low)


def _between_ends(asked: Asked, spans: Sequence[Span], signs: Mapping[Name, int]) -> Span | None:
    lows, highs = [], []
    for name, span in zip(asked.names, spans, strict=True):
        ends = (span.low, span.high) if signs.get(name, 1) > 0 else (span.high, span.low)
        lows.append(ends[0])
        highs.append(ends[1])
    low, high = asked.value(*lows), asked.value(*highs)
    null = _may_be_null(spans)
    if is_nan(low) or is_nan(high):
        return None  # of what has no order
    if low is not None and high is not None and NULL not in (low, high):
        return Span(low, high, null=null, is_cut=any(span.is_cut for span in spans))
    found = _beyond_type(asked, lows, highs)
    if found is not None:
        return found.or_null(null)
    return _within_limits(asked, spans[0], signs) if len(spans) == 1 else None


def _beyond_type(asked: Asked, lows: Sequence[Folded], highs: Sequence[Folded]) -> Span | None:
    """The image of a monotone call whose least or greatest value may lie beyond its type."""
    ends = asked.end(*lows), asked.end(*highs)
    if (ends[0] is not None and key(ends[0]) > 0) or (ends[1] is not None and key(ends[1]) < 0):
        is_error = asked.is_error(*(highs if ends[0] is None else lows))
        return NEVER if is_error else NOTHING
    return hull((at_end(asked, lows), at_end(asked, highs)))


def at_end(asked: Asked, arguments: Sequence[Folded]) -> Span | None:
    """The values of a call at one end of its arguments, or the end of its type if the value lies
    beyond."""
    end = asked.end(*arguments)
    if end is not None:
        return Span(end, end, null=not asked.is_error(*arguments))
    found = asked.between(*arguments)
    return None if found is None or found.is_empty or is_nan(found.low) else found


def _within_limits(asked: Asked, span: Span, signs: Mapping[Name, int]) -> Span | None:
    """The image of a call that lacks a value for some arguments. Arguments with a value are an
    interval, and arguments beyond all calendars have values beyond the last one."""
    ends = (span.low, span.high)
    if not all(asked.value(end) is not None or asked.is_beyond(end) for end in ends):
        return None
    are_none = [asked.value(end) is NULL for end in ends]
    if span.is_point and all(are_none):
        return NOTHING
    limits = asked.limits(*ends)
    if limits is None:
        return None
    low, high = (asked.value(limit) for limit in limits)
    if low is None or high is None or NULL in (low, high):
        return None
    open_ends = [key(limits[0]) > key(span.low), key(limits[1]) < key(span.high)]
    if signs.get(asked.names[0], 1) < 0:
        low, high = high, low
        open_ends.reverse()
    null = span.null or any(
        is_none and not asked.is_error(end) for end, is_none in zip(ends, are_none, strict=True)
    )
    return Span(
        before_calendar(low) if open_ends[0] else low,
        after_calendar(high) if open_ends[1] else high,
        null=null,
        is_cut=span.is_cut or (not all(are_none) and not isinstance(low, Timestamp)),
    )


def over_clocks(
    asked: Asked, spans: Sequence[Span], law: Callable[[Sequence[Span]], Span | None]
) -> Span | None:
    """The union of the images under a law of times, for the pieces between changes of the clock."""
    if not asked.clocks.are_changed:
        return law(spans)
    pieces = [[*_pieces(asked.clocks, span)] for span in spans]
    if any(span is None for each in pieces for span in each):
        return None
    found = (
        law([part for part in parts if part is not None]) for parts in itertools.product(*pieces)
    )
    return union(found)


def _pieces(clocks: Clocks, span: Span) -> Iterator[Span | None]:
    low, high = span.low, span.high
    if not isinstance(low, Timestamp) or not isinstance(high, Timestamp) or span.is_point:
        yield span
        return
    whole = low.nanos, high.nanos
    for piece in clocks.pieces(*whole, zoned=low.zoned):
        if piece == whole:
            yield span
        else:
            start, end = piece
            yield replace(span, low=replace(low, nanos=start), high=replace(high, nanos=end))


def _may_be_null(spans: Iterable[Span]) -> bool:
    """True if a span has NULL, or texts that may be no times or numbers."""
    return any(
        span.null or (isinstance(span.low, str) and not (span.is_point or span.of_times))
        for span in spans
    )


def corners(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The image of a product, or of a quotient whose divisor has one sign: the hull of the values
    at the corners."""
    name = asked.names[0]
    if len(spans) == 1 and (name == "this" or isinstance(asked.expression, exp.Mul)):
        by = asked.constant("expression" if name == "this" else "this")
        if isinstance(by, Interval):
            by = by.months or by.days or by.nanos
        if is_number(by) and (by or name != "this"):
            return monotone(asked, spans, {name: 1 if by > 0 else -1})
    if isinstance(asked.expression, exp.Div | exp.IntDiv) and "expression" in asked.names:
        divisor = spans[[*asked.names].index("expression")]
        if not (key(divisor.low) > 0 or key(divisor.high) < 0):
            return None
    found = hull(
        at_end(asked, ends) for ends in itertools.product(*((s.low, s.high) for s in spans))
    )
    return None if found is None else found.or_null(_may_be_null(spans))
