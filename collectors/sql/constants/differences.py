"""Units of time between two constants, as engines count them: Trino counts whole units by the rules
of Joda-Time, Spark whole units by java.time, and DuckDB the boundaries in between. Each function
raises the errors that `call.Function` allows if engines differ or fail."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Unit,
    date_of,
    interval_of,
    nanos_of,
    period_start,
    unit_named,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import to_date, to_timestamp
from prunescope.collectors.sql.constants.clocks import wall_of
from prunescope.collectors.sql.constants.days import last_of_month
from prunescope.collectors.sql.constants.values import Folded, not_constant
from prunescope.collectors.sql.constants.weeks import first_day
from prunescope.collectors.sql.dialects import dialect_of

_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}
_MONTHS_OF_YEAR = 12
_MILLISECOND = 1_000_000
_DAYS_OF_MONTH = 31  # of those that months_between() counts
_LEAP_DAY = 59
"""Days of a year before the 29th of February."""
_Count = Callable[[Unit, int, int], int]


def days_between(call: Call, end: Folded, start: Folded) -> int:
    """Spark's date_diff(end, start)."""
    last, first = (to_date(side, call.session) for side in (end, start))
    return (last - first).days


def months_between(call: Call, end: Folded, start: Folded) -> float:
    """Spark's months_between(): whole months between equal days and between last days of months,
    else months of 31 days, rounded to eight digits by default (DateTimeUtils.monthsBetween of 4.1).
    """
    rounds = call.expression.args.get("roundoff")
    if rounds is not None and not isinstance(rounds, exp.Boolean):
        raise not_constant()
    sides = [_wall(call, side) for side in (end, start)]
    days = [date_of(wall) for wall in sides]
    months = (days[0].year - days[1].year) * _MONTHS_OF_YEAR + days[0].month - days[1].month
    if days[0].day == days[1].day or all(_is_last(day) for day in days):
        return float(months)
    seconds = [
        day.day * 86_400 + wall % NANOS_PER_DAY // NANOS_PER_SECOND
        for day, wall in zip(days, sides, strict=True)
    ]
    found = months + (seconds[0] - seconds[1]) / (_DAYS_OF_MONTH * 86_400)
    if rounds is not None and not rounds.this:
        return found
    return _nearest(found * 1e8) / 1e8


def _nearest(number: float) -> int:
    """The nearest whole number, the upper one of two (java.lang.Math.round)."""
    whole = int(number // 1)
    return whole + (number - whole >= 0.5)


def _is_last(day: dt.date) -> bool:
    return day == last_of_month(day)


def whole_units(call: Call, end: Folded, start: Folded) -> int:
    """Spark's timestampdiff(unit, start, end), from readings of the session's clock."""
    return _counted(call, _of_java, (_wall(call, end), _wall(call, start)))


def whole_units_of_trino(call: Call, end: Folded, start: Folded) -> int:
    """Trino's date_diff(unit, start, end) of dates, or of times in whole milliseconds. Beside a
    time, a date is its midnight; times with a zone must be on the clock of UTC."""
    are_dates = isinstance(end, dt.date) and isinstance(start, dt.date)
    unit = _unit(call)
    if are_dates and unit < Unit.DAY:
        raise not_constant()
    sides = [wall_of(side, call.session) for side in (end, start)]
    zones = {side.zone for side in (end, start) if isinstance(side, Timestamp) and side.zoned}
    if zones and not (zones == {"UTC"} and call.session.time_zone == "UTC"):
        raise not_constant()
    return _counted(call, _of_joda, [wall - wall % _MILLISECOND for wall in sides])


def boundaries(call: Call, end: Folded, start: Folded) -> int:
    """date_diff(unit, start, end) that counts the starts of units in between, for dates, or for
    times on a clock. DuckDB's weeks are any seven days, and BigQuery's begin on the named day."""
    sides, asked = _readings(call, end, start), call.expression.args.get("unit")
    first = first_day(asked, call.session)
    if first is not None:
        shift = first * NANOS_PER_DAY
        return _crossed(Unit.WEEK, sides[0] - shift, sides[1] - shift)
    if _unit(call) is Unit.WEEK and dialect_of(call.session.dialect).has_strftime:
        days = [side // NANOS_PER_DAY for side in sides]
        return _towards_zero(days[0] - days[1], 7)
    return _counted(call, _crossed, sides)


def whole_units_by_name(call: Call, name: Folded, start: Folded, end: Folded) -> int:
    """DuckDB's date_sub(unit, start, end) and ClickHouse's age(unit, start, end). Raises
    CannotConvert for months until the last day of a shorter one, which is a whole month to DuckDB.
    """
    unit = unit_named(name) if isinstance(name, str) else None
    if unit is None:
        raise not_constant()
    last, first = _readings(call, end, start)
    if unit in _MONTHS and dialect_of(call.session.dialect).has_strftime:
        days = sorted((date_of(last), date_of(first)), key=lambda day: day.day)
        if _is_last(days[0]) and days[0].day < days[1].day:
            raise not_constant()
    return _of_java(unit, last, first)


def whole_units_of_moments(call: Call, end: Folded, start: Folded) -> int:
    """BigQuery's TIMESTAMP_DIFF(), in units of at most a day."""
    unit = _unit(call)
    sides = [side.nanos for side in (end, start) if isinstance(side, Timestamp) and side.zoned]
    if unit > Unit.DAY or len(sides) != 2:
        raise not_constant()
    return _cut(sides[0] - sides[1], unit)


def _readings(call: Call, end: Folded, start: Folded) -> list[int]:
    """The clock readings of both values; raises CannotConvert for times with a zone whose clock
    does not read UTC."""
    is_read = dialect_of(call.session.dialect).coerces_texts
    values = [
        to_timestamp(value) if is_read and isinstance(value, str) else value
        for value in (end, start)
    ]
    if not all(isinstance(value, dt.date | Timestamp) for value in values):
        raise not_constant()
    readings = [wall_of(value, call.session) for value in values]
    for value, reading in zip(values, readings, strict=True):
        if isinstance(value, Timestamp) and value.zoned and value.nanos != reading:
            raise not_constant()
    return readings


def _unit(call: Call) -> Unit:
    unit = unit_named(call.expression.text("unit"))
    if unit is None:
        raise not_constant()
    return unit


def _counted(call: Call, count: _Count, sides: list[int] | tuple[int, int]) -> int:
    end, start = sides
    return count(_unit(call), end, start)


def _wall(call: Call, value: Folded) -> int:
    if isinstance(value, str):
        raise not_constant()
    return wall_of(value, call.session)


def _of_java(unit: Unit, end: int, start: int) -> int:
    """Whole units, truncated towards zero (java.time.temporal.ChronoUnit.between)."""
    if unit not in _MONTHS:
        return _cut(end - start, unit)
    first, last = date_of(start), date_of(end)
    # A day that is not over is none.
    if last > first and end % NANOS_PER_DAY < start % NANOS_PER_DAY:
        last -= dt.timedelta(1)
    elif last < first and end % NANOS_PER_DAY > start % NANOS_PER_DAY:
        last += dt.timedelta(1)
    packed = [(day.year * _MONTHS_OF_YEAR + day.month) * 32 + day.day for day in (last, first)]
    months = _towards_zero(packed[0] - packed[1], 32)
    return _towards_zero(months, _MONTHS[unit])


def _of_joda(unit: Unit, end: int, start: int) -> int:
    """Whole units, by Joda-Time's getDifferenceAsLong()."""
    if end < start:
        return -_of_joda(unit, start, end)
    if unit is Unit.YEAR:
        return _years_of_joda(end, start)
    if unit in _MONTHS:
        return _months_of_joda(end, start) // _MONTHS[unit]
    return _cut(end - start, unit)


def _months_of_joda(end: int, start: int) -> int:
    last, first = date_of(end), date_of(start)
    months = (last.year - first.year) * _MONTHS_OF_YEAR + last.month - first.month
    day = min(first.day, last.day) if _is_last(last) else first.day
    is_whole = (last.day, end % NANOS_PER_DAY) >= (day, start % NANOS_PER_DAY)
    return months if is_whole else months - 1


def _years_of_joda(end: int, start: int) -> int:
    """Whole years; after 29 February, days of leap years count as those of other years."""
    last, first = date_of(end), date_of(start)
    sides = ((end, last), (start, first))
    rests = [nanos - nanos_of(day.replace(month=1, day=1)) for nanos, day in sides]
    are_leap = [calendar.isleap(day.year) for day in (last, first)]
    after = [rest >= _LEAP_DAY * NANOS_PER_DAY for rest in rests]
    if after[1] and are_leap[1] and not are_leap[0]:
        rests[1] -= NANOS_PER_DAY
    elif after[1] and not are_leap[1] and after[0] and are_leap[0]:
        rests[0] -= NANOS_PER_DAY
    years = last.year - first.year
    return years if rests[0] >= rests[1] else years - 1


def _crossed(unit: Unit, end: int, start: int) -> int:
    """Returns how many periods of the unit begin after `start` and until `end`."""
    starts = [period_start(side, unit) for side in (end, start)]
    if unit in _MONTHS:
        return _of_java(unit, starts[0], starts[1])
    return _cut(starts[0] - starts[1], unit)


def _cut(nanos: int, unit: Unit) -> int:
    span = interval_of(1, unit)
    return _towards_zero(nanos, span.days * NANOS_PER_DAY + span.nanos)


def _towards_zero(count: int, length: int) -> int:
    return count // length if count >= 0 else -(-count // length)
