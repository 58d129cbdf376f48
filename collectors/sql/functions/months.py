"""The law of months between two times."""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.predicates.calendar import date_of, nanos_of
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.clocks import clock_of, wall_of
from prunescope.collectors.sql.constants.days import last_of_month
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded
from prunescope.collectors.sql.functions.law import Asked, over_clocks
from prunescope.collectors.sql.functions.spans import Span, hull, point


def months(asked: Asked, span: Span) -> Span | None:
    """The law of months_between(), which rises with the first time and falls with the other, except
    at last days of months: two last days are whole months apart, and earlier days may be further
    apart."""
    if isinstance(span.low, str):
        return None
    return over_clocks(asked, [span], lambda pieces: _months(asked, pieces[0]))


def _months(asked: Asked, span: Span) -> Span | None:
    try:
        values = [asked.value(at) for at in (span.low, *_turns(asked, span), span.high)]
    except CannotConvert:  # what the clock skips or repeats
        return None
    if any(value is None or value is NULL for value in values):
        return None
    found = hull(point(value) for value in values if value is not None)
    return None if found is None else found.or_null(span.null)


def _turns(asked: Asked, span: Span) -> list[Folded]:
    """The turning points within a span: the last day of the first month, and the end of the day
    before the last day of the last month."""
    walls = [wall_of(end, asked.session) for end in (span.low, span.high)]
    first, last = (nanos_of(last_of_month(date_of(wall))) for wall in walls)
    inside = (wall for wall in (first, last - _MICROSECOND) if walls[0] < wall < walls[1])
    return [_at(span.low, wall, asked.session) for wall in inside]


_MICROSECOND = 1_000


def _at(value: Folded, wall: int, session: Session) -> Folded:
    """The time of a clock reading, in the type of another time. Raises CannotConvert."""
    if not isinstance(value, Timestamp):
        return date_of(wall)
    nanos = clock_of(value, session).instant_nanos(wall) if value.zoned else wall
    return replace(value, nanos=nanos)
