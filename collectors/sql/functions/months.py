"""Laws of months: of times that are moved by months, and of months between two times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    date_of,
    interval_of,
    nanos_of,
    unit_named,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.clocks import clock_of, wall_of
from prunescope.collectors.sql.constants.days import last_of_month
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded, is_in_calendar
from prunescope.collectors.sql.functions.law import Asked, Law, over_clocks
from prunescope.collectors.sql.functions.spans import Span, hull, point

_SHORTEST = 28
"""The number of days of the shortest month."""


def by_whole_days(law: Law) -> Law:
    """The law of times that are moved by months, given the law of days so moved: the last days of a
    month may come to one day, on which those that were earlier have later hours. So a span of
    several days is read from the start of the first one to the end of the last one."""

    def moved(asked: Asked, spans: Sequence[Span]) -> Span | None:
        if not _may_move_months(asked):
            return law(asked, spans)
        try:
            return law(asked, [_in_whole_days(span, asked.session) for span in spans])
        except (CannotConvert, ValueError, OverflowError):
            return None

    return moved


def _may_move_months(asked: Asked) -> bool:
    """True unless a call is known to move times by days or units of them."""
    by = asked.constant("expression") or asked.constant("this")
    if isinstance(by, Interval):
        return bool(by.months)
    unit = unit_named(asked.expression.text("unit"))
    return unit is None or bool(interval_of(1, unit).months)


def _in_whole_days(span: Span, session: Session) -> Span:
    low, high = span.low, span.high
    if not isinstance(low, Timestamp) or not isinstance(high, Timestamp) or span.is_point:
        return span
    if not (is_in_calendar(low) and is_in_calendar(high)):
        return span
    first, last = wall_of(low, session), wall_of(high, session)
    ends = first // NANOS_PER_DAY * NANOS_PER_DAY, -(-(last + 1) // NANOS_PER_DAY) * NANOS_PER_DAY
    if ends[1] - ends[0] <= NANOS_PER_DAY:
        return span
    if date_of(first).day >= _SHORTEST:
        low = _at(low, ends[0], session)
    if date_of(last).day > _SHORTEST:
        high = _at(high, ends[1] - _MICROSECOND, session)
    return replace(span, low=low, high=high)


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
