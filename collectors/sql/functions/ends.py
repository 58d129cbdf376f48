"""Values at the ends of a type's domain, and in its middle."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace
from decimal import Decimal

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import CALENDAR, Exact, Folded, Whole
from prunescope.collectors.sql.functions.spans import AFTER_TEXTS, is_number

_NUMBER = Decimal(10) ** 400


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
