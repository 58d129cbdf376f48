"""Dates and times that are known, moved, truncated and written as text, as every engine of the
dialect does it alike."""

from __future__ import annotations

import datetime as dt
import re

from sqlglot import exp

from collectors.predicates.calendar import (
    Interval,
    Unit,
    add,
    date_of,
    nanos_of,
    period_around,
    unit_named,
)
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.session import Session, clock_reading
from collectors.sql.constants.values import NULL, Folded, Null, not_constant
from collectors.sql.dialects import dialect_of

# Year, month and day with all their digits in patterns of strftime, as sqlglot has those of Trino
# and of Spark, and of Joda-Time. Other letters are refused.
_SEPARATORS = "[-/.:, _0-9]"
STRFTIME_DAYS = re.compile(f"(%Y)|(%m)|(%d)|{_SEPARATORS}")
STRICT_DAYS = re.compile(f"(%Y)|(%mstrict)|(%dstrict)|{_SEPARATORS}")
JODA_DAYS = re.compile(f"(yyyy)|(MM)|(dd)|{_SEPARATORS}")
# Before, and after the year 9999, years are not of four digits in all engines.
_FIRST_YEAR = 1000


def shifted(value: Folded, interval: Interval, base: exp.Expr, session: Session) -> Folded:
    """`base`, whose value is known, moved by an interval."""
    match value:
        case dt.date() if not interval.nanos:
            return date_of(add(nanos_of(value), interval))
        case Timestamp(nanos, zoned=False):
            moved = add(nanos, interval)
            # Spark's plain timestamps are instants: hours across a change of the clock's offset
            # are not the difference of its readings.
            if dialect_of(session.dialect).is_spark and session.time_zone:
                span = session.instant_nanos(moved) - session.instant_nanos(nanos)
                if interval.nanos and span != moved - nanos:
                    raise not_constant()
                # What the clock skips is moved, and of what it repeats the offset is kept.
                if any(session.is_ambiguous(wall) for wall in (nanos, moved)):
                    raise not_constant()
            return Timestamp(moved, zoned=False)
        case Timestamp(nanos, zoned=True):
            # Spark moves days on the session's clock; in Trino a day is 24 hours.
            on_clock = interval.months or (interval.days and dialect_of(session.dialect).is_spark)
            if not on_clock:
                return Timestamp(add(nanos, interval), zoned=True)
            if not dialect_of(session.dialect).is_measured:
                raise not_constant()
            wall = clock_reading(value, base, session)
            calendar = Interval(interval.months, interval.days)
            moved = add(wall, calendar)
            if session.is_ambiguous(moved):  # the offset of `value` is kept where it can be
                raise not_constant()
            start = session.instant_nanos(moved)
            return Timestamp(start + interval.nanos, zoned=True)
    raise not_constant()


def truncated(expression: exp.Expr, value: Folded, session: Session) -> Folded:
    """The start of the period around a value that an expression asks for."""
    unit = unit_named(expression.text("unit"))
    if unit is None or expression.args.get("zone"):
        raise not_constant()
    match value:
        case dt.date() if unit >= Unit.DAY:
            start = period_around(nanos_of(value), unit)[0]
            # Spark's trunc(), which gives a date, is a DateTrunc; date_trunc() is the other.
            is_timestamp = isinstance(expression, exp.TimestampTrunc)
            if is_timestamp and dialect_of(session.dialect).is_spark:
                return Timestamp(start, zoned=False)
            return date_of(start)
        case Timestamp(nanos, zoned=False):
            start = period_around(nanos, unit)[0]
            is_instant = dialect_of(session.dialect).is_spark and session.time_zone is not None
            if is_instant and any(session.is_ambiguous(wall) for wall in (nanos, start)):
                raise not_constant()
            return Timestamp(start, zoned=False)
        case Timestamp() if unit >= Unit.DAY:
            wall = clock_reading(value, expression.this, session)
            start = period_around(wall, unit)[0]
            if not session.is_boundary(start):
                raise not_constant()
            return Timestamp(session.instant_nanos(start), zoned=True)
    raise not_constant()


def day_text(
    value: Folded, base: exp.Expr, pattern: object, fields: re.Pattern[str], session: Session
) -> Folded:
    """The day of a date or timestamp as text, in a pattern of these fields."""
    if not dialect_of(session.dialect).has_known_functions or not isinstance(pattern, exp.Literal):
        raise not_constant()
    match value:
        case Null():
            return NULL
        case Timestamp(nanos, zoned=False):
            day = date_of(nanos)
        case Timestamp() as moment:
            day = date_of(clock_reading(moment, base, session))
        case dt.date() as day:
            pass
        case _:
            raise not_constant()
    parts = list(fields.finditer(pattern.name))
    if "".join(found[0] for found in parts) != pattern.name or day.year < _FIRST_YEAR:
        raise not_constant()
    widths = (day.year, 4), (day.month, 2), (day.day, 2)
    return "".join(
        found[0] if found.lastindex is None else "{:0{}d}".format(*widths[found.lastindex - 1])
        for found in parts
    )
