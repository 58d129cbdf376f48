"""Constant dates and times, moved and truncated as every engine of the dialect does it. Raises
CannotConvert if engines differ or fail."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    add,
    date_of,
    nanos_of,
    period_start,
    unit_named,
)
from prunescope.collectors.predicates.instants import parse_date
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.casts import implied_time, to_date
from prunescope.collectors.sql.constants.clocks import at_digits, clock_of, in_zone
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, Folded, not_constant
from prunescope.collectors.sql.constants.weeks import first_day
from prunescope.collectors.sql.dialects import dialect_of

_MOST_DAYS = 10_000
_MILLISECONDS = 3  # digits


def shifted(
    value: Folded,
    interval: Interval,
    session: Session,
    *,
    is_added: bool = False,
) -> Folded:
    """A value moved by an interval; `is_added` if by date_add(). In Trino, date_add() keeps the
    type of a time, while an interval of days and seconds is in milliseconds."""
    dialect = dialect_of(session.dialect)
    in_hours = dialect.has_java_time and interval.nanos
    if isinstance(value, dt.date) and (dialect.dates_become_times or in_hours):
        value = Timestamp(nanos_of(value), zoned=False)
    found = _moved(value, interval, session, is_added=is_added)
    if not isinstance(found, Timestamp) or found.digits is None:
        return found
    is_fine = not is_added and not interval.months
    return at_digits(found, max(found.digits, _MILLISECONDS) if is_fine else found.digits)


def _moved(value: Folded, interval: Interval, session: Session, *, is_added: bool) -> Folded:
    match value:
        case dt.date() if not interval.nanos:
            return date_of(add(nanos_of(value), interval))
        case Timestamp(nanos, zoned=False):
            moved = add(nanos, interval)
            # Spark's plain timestamps are instants: hours across a change of the clock's offset
            # are not the difference of its readings.
            if dialect_of(session.dialect).timestamps_are_instants and session.time_zone:
                span = session.instant_nanos(moved) - session.instant_nanos(nanos)
                if interval.nanos and span != moved - nanos:
                    raise not_constant()
                # What the clock skips is moved, and of what it repeats the offset is kept.
                if any(session.is_ambiguous(wall) for wall in (nanos, moved)):
                    raise not_constant()
            return replace(value, nanos=moved)
        case Timestamp(nanos, zoned=True):
            # Spark moves days on the session's clock; in Trino a day is 24 hours as an interval,
            # but one of the value's clock as a unit of date_add(). Which of both a day is to
            # others only matters where that clock is put forward or back in between.
            dialect = dialect_of(session.dialect)
            has_days = is_added or not dialect.keeps_zones
            in_hours = replace(value, nanos=add(nanos, interval))
            if not interval.months and not (interval.days and has_days):
                return in_hours
            clock = clock_of(value, session)
            calendar = Interval(interval.months, interval.days)
            moved = add(clock.wall_nanos(value), calendar)
            if clock.is_ambiguous(moved):  # the offset of `value` is kept where it can be
                raise not_constant()
            on_clock = replace(value, nanos=clock.instant_nanos(moved) + interval.nanos)
            if not dialect.is_measured and (interval.months or on_clock != in_hours):
                raise not_constant()
            return on_clock
    raise not_constant()


def days_between(start: Folded, end: Folded, step: Folded) -> list[dt.date]:
    """The days of BigQuery's GENERATE_DATE_ARRAY(); raises CannotConvert."""
    first, last = (parse_date(each) if isinstance(each, str) else each for each in (start, end))
    if not isinstance(first, dt.date) or not isinstance(last, dt.date):
        raise not_constant()
    if not isinstance(step, Interval) or step.nanos or (step.months, step.days) <= (0, 0):
        raise not_constant()
    found: list[dt.date] = []
    while len(found) <= _MOST_DAYS:
        day = date_of(add(nanos_of(first), step.times(len(found))))
        if day > last:
            return found
        found.append(day)
    raise not_constant()


def _is_moment(value: Folded) -> TypeGuard[Timestamp]:
    return isinstance(value, Timestamp) and value.zoned


def truncated(expression: exp.Expr, value: Folded, session: Session) -> Folded:
    """The start of the period around a value, in the unit that an expression names."""
    if value is NULL:
        return NULL
    dialect, zone = dialect_of(session.dialect), expression.args.get("zone")
    unit, start_of = _periods(expression, session)
    if unit is None:
        return NULL
    if zone is not None:
        if not isinstance(zone, exp.Literal) or not _is_moment(value):
            raise not_constant()
        session = in_zone(zone.name, session)
        value = replace(value, zone=zone.name if dialect.plain_are_moments else None)
    if isinstance(expression, exp.TimestampTrunc):
        value = implied_time(value, session)
    if dialect.plain_are_moments and unit > Unit.DAY:
        value = to_date(value, session)  # of which these functions are dates
    if isinstance(expression, exp.DateTrunc) and dialect.has_hive_functions:
        # Spark's trunc(), which gives a date; date_trunc() is a TimestampTrunc.
        if unit < Unit.WEEK:
            raise not_constant()
        value = to_date(value, session)
    match value:
        case dt.date() if unit >= Unit.DAY:
            start = start_of(nanos_of(value))
            is_timestamp = isinstance(expression, exp.TimestampTrunc)
            if dialect.dates_become_times or (is_timestamp and dialect.has_hive_functions):
                return Timestamp(start, zoned=False)
            return date_of(start)
        case Timestamp(nanos, zoned=False):
            start = start_of(nanos)
            is_instant = dialect.timestamps_are_instants and session.time_zone is not None
            if is_instant and any(session.is_ambiguous(wall) for wall in (nanos, start)):
                raise not_constant()
            return replace(value, nanos=start, is_ntz=value.is_ntz and not dialect.has_java_time)
        case Timestamp():
            return _truncated_moment(value, unit, start_of, session)
    raise not_constant()


def _periods(expression: exp.Expr, session: Session) -> tuple[Unit | None, Callable[[int], int]]:
    """The unit that an expression names, None if Spark does not know it; and a function from a
    clock reading to the start of its period."""
    name = expression.text("unit").upper()
    first = first_day(expression.args.get("unit"), session)
    unit = unit_named(name) if first is None else Unit.WEEK
    if name == "ISOYEAR":
        return Unit.YEAR, _start_of_iso_year
    if dialect_of(session.dialect).has_hive_functions and name == "Q":
        return None, _start_of_iso_year
    if unit is None:
        raise not_constant()
    shift = (first or 0) * NANOS_PER_DAY
    return unit, lambda nanos: period_start(nanos - shift, unit) + shift


def _start_of_iso_year(nanos: int) -> int:
    return nanos_of(dt.date.fromisocalendar(date_of(nanos).isocalendar().year, 1, 1))


def _truncated_moment(
    value: Timestamp, unit: Unit, start_of: Callable[[int], int], session: Session
) -> Timestamp:
    clock = clock_of(value, session)
    wall = clock.wall_nanos(value)
    if unit >= Unit.DAY:
        start = start_of(wall)
        if not clock.is_boundary(start):
            raise not_constant()
        return replace(value, nanos=clock.instant_nanos(start))
    start = period_start(wall, unit)
    moved = replace(value, nanos=value.nanos - (wall - start))
    if clock.wall_nanos(moved) != start:  # the clock changes in between
        raise not_constant()
    # Of others it is not known whether they take the hour of the clock or of UTC.
    is_known = dialect_of(session.dialect).has_known_functions
    if not is_known and moved.nanos != period_start(value.nanos, unit):
        raise not_constant()
    return moved
