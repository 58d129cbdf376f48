"""Values at the ends of a type's domain, and in its middle."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import CALENDAR, Exact, Folded, Whole
from prunescope.collectors.sql.functions.spans import AFTER_TEXTS, is_number, key

_NUMBER = Decimal(10) ** 400
_UNITS = (1, 1_000, 1_000_000, NANOS_PER_SECOND, NANOS_PER_DAY)
_CALENDAR_EDGES = tuple(
    sorted(first + step for first in (CALENDAR[0], CALENDAR[1] + 1) for step in (-1_000, 0))
)
_FIRSTS = {
    *(sign * (1 << bits) for bits in (7, 15, 31, 63) for sign in (-1, 1)),
    *(-(-edge // unit) for edge in (CALENDAR[0], CALENDAR[1] + 1) for unit in _UNITS),
}
_EDGES = tuple(sorted(edge + step for edge in _FIRSTS for step in (-1, 0)))


def zero_between(low: Folded, high: Folded) -> Folded | None:
    """0 if it lies between two numbers; None otherwise."""
    if not is_number(low) or not is_number(high) or not min(low, high) <= 0 <= max(low, high):
        return None
    return origin_of(low)


def origin_of(value: Folded) -> Folded | None:
    """0, or the start of 1970, in the type of a value; None if the type has neither."""
    match value:
        case Whole():
            return Whole(0, value.bits)
        case int() if is_number(value):
            return 0
        case Exact():
            return Exact(Decimal(0).scaleb(-value.scale), value.precision)
        case float():
            return type(value)(0.0)
        case Timestamp():
            return replace(value, nanos=0)
        case dt.date():
            return dt.date(1970, 1, 1)
    return None


def edges_between(low: Folded, high: Folded) -> list[Folded]:
    """The values between two others, in ascending order, at which functions often begin or end to
    have a value: the ends of types and of the calendar."""
    match low:
        case Whole():
            known: Sequence[Folded] = [Whole(edge, low.bits) for edge in _EDGES]
        case int() if is_number(low):
            known = _EDGES
        case Timestamp():
            known = [replace(low, nanos=nanos) for nanos in _CALENDAR_EDGES]
        case _:
            return []
    return [edge for edge in known if key(low) < key(edge) < key(high)]


def extreme_of(value: Folded, *, is_least: bool) -> Folded | None:
    """The least or greatest value of a value's kind; None if there is none."""
    match value:
        case bool():
            return not is_least
        case int() | Decimal():
            return -_NUMBER if is_least else _NUMBER
        case float():
            return -math.inf if is_least else math.inf
        case str():
            return "" if is_least else AFTER_TEXTS
        case Timestamp():
            return replace(value, nanos=CALENDAR[not is_least])
        case dt.date():
            return dt.date.min if is_least else dt.date.max
    return None


def after_calendar(value: Folded) -> Folded:
    """A time after all calendars, in the type of a time; for dates the last one, and for other
    values the value itself."""
    if isinstance(value, Timestamp):
        return replace(value, nanos=2 * CALENDAR[1])
    return dt.date.max if isinstance(value, dt.date) else value


def before_calendar(value: Folded) -> Folded:
    """A time before all calendars, in the type of a time; for dates the first one, and for other
    values the value itself."""
    if isinstance(value, Timestamp):
        return replace(value, nanos=2 * CALENDAR[0])
    return dt.date.min if isinstance(value, dt.date) else value
