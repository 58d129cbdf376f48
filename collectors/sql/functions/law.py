"""Laws of functions: in which argument a function rises, within which period, and where its values
lie otherwise. A law takes a call and the spans of its arguments, and gives a span that holds all
values of the call, or None where nothing is known of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from sqlglot import exp

from collectors.predicates.calendar import Interval
from collectors.predicates.literals import Timestamp, is_nan
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import NULL, Folded
from collectors.sql.functions.clocks import MARGIN, Clocks
from collectors.sql.functions.ends import after_calendar, before_calendar
from collectors.sql.functions.spans import NEVER, NOTHING, Span, hull, is_number, key, union

Name = str | int
"""Of an argument: its name in the node, or its place in a call that sqlglot does not know."""


class Asked(Protocol):
    """A call whose arguments that hang on columns are filled in."""

    expression: exp.Expr
    session: Session
    clocks: Clocks
    names: Sequence[Name]
    """Of the arguments that hang on columns."""

    notes: dict[str, Any]
    """What laws found out of the call before."""

    def value(self, *arguments: Folded) -> Folded | None:
        """The value of the call for values of these arguments; None where that is not known."""

    def between(self, *arguments: Folded) -> Span | None:
        """The values that the call may have, by settings and versions, for values of its arguments;
        None where they are not known."""

    def end(self, *arguments: Folded) -> Folded | None:
        """The end of its type that a number is beyond, so that the call has no value."""

    def limits(self, low: Folded, high: Folded) -> tuple[Folded, Folded] | None:
        """The first and the last value of its one argument between two others that it has a value
        of, or the nearest one to these as both; None where they are not known."""

    def is_error(self, *arguments: Folded) -> bool:
        """Whether these arguments make an error for certain."""

    def is_beyond(self, argument: Folded) -> bool:
        """Whether the value of an argument is one that no calendar here has, and not none."""

    def constant(self, name: Name) -> Folded | None:
        """The value of an argument that hangs on no column; None where it has none."""


_MILLISECOND = 1_000_000
"""In nanoseconds."""

Law = Callable[[Asked, Sequence[Span]], Span | None]


def of_one(law: Callable[[Asked, Span], Span | None]) -> Law:
    """The law of calls of which one argument alone hangs on columns."""

    def of_spans(asked: Asked, spans: Sequence[Span]) -> Span | None:
        return law(asked, spans[0]) if len(spans) == 1 else None

    return of_spans


def texts_at_ends(asked: Asked, span: Span) -> tuple[str, str] | None:
    """The values of a call at both ends of its argument, where these are texts."""
    low, high = asked.value(span.low), asked.value(span.high)
    return (low, high) if isinstance(low, str) and isinstance(high, str) else None


def rising(*names: Name, falling: Iterable[Name] = ()) -> Law:
    """The law of a function that never falls as one of these arguments rises, and never rises as
    one of the others does."""
    signs = {**dict.fromkeys(names, 1), **dict.fromkeys(falling, -1)}

    def law(asked: Asked, spans: Sequence[Span]) -> Span | None:
        return monotone(asked, spans, signs)

    return law


def monotone(asked: Asked, spans: Sequence[Span], signs: Mapping[Name, int]) -> Span | None:
    """All values of a call that rises with some arguments, and falls with others."""
    if not _are_told(asked, spans, signs) or any(map(_is_open_text, spans)):
        return None

    def of_pieces(parts: Sequence[Span]) -> Span | None:
        found = _between_ends(asked, parts, signs)
        for margin in (0, MARGIN):
            around = [_around(part, margin) for part in parts]
            if found is None and around != parts:
                found = _between_ends(asked, around, signs)
        return found

    return over_clocks(asked, spans, of_pieces)


def _around(span: Span, margin: int) -> Span:
    """The span of times in whole milliseconds that is longer at both ends: some times have no value
    that is known, as engines differ in how they round parts of milliseconds, and in what they make
    of readings that a clock skips."""
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
    """Whether there are texts that have not the same form, so that nothing else rises with them."""
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
    """All values of a call that rises, whose least or greatest one may be beyond its type."""
    ends = asked.end(*lows), asked.end(*highs)
    if (ends[0] is not None and key(ends[0]) > 0) or (ends[1] is not None and key(ends[1]) < 0):
        is_error = asked.is_error(*(highs if ends[0] is None else lows))
        return NEVER if is_error else NOTHING
    return hull((at_end(asked, lows), at_end(asked, highs)))


def at_end(asked: Asked, arguments: Sequence[Folded]) -> Span | None:
    """The values of a call at one end of its arguments: where there is none that its type holds,
    the end of this."""
    end = asked.end(*arguments)
    if end is not None:
        return Span(end, end, null=not asked.is_error(*arguments))
    found = asked.between(*arguments)
    return None if found is None or found.is_empty or is_nan(found.low) else found


def _within_limits(asked: Asked, span: Span, signs: Mapping[Name, int]) -> Span | None:
    """All values of a call that has none of some arguments: those that it has one of are without a
    gap, and the values of those beyond all calendars are beyond the last one."""
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
    """All values by a law of times that a clock reads, piece by piece between its changes."""
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
    for start, end in clocks.pieces(low.nanos, high.nanos, zoned=low.zoned):
        yield replace(span, low=replace(low, nanos=start), high=replace(high, nanos=end))


def _may_be_null(spans: Iterable[Span]) -> bool:
    """Whether one of some spans has NULL, or texts that may be no times or numbers."""
    return any(
        span.null or (isinstance(span.low, str) and not (span.is_point or span.of_times))
        for span in spans
    )


def corners(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """All values of a product, or of a quotient whose divisor has one sign: between those of the
    ends of what is multiplied."""
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
