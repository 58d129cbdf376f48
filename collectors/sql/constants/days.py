"""Days that are calculated from constants, and what is asked of these, as Spark 4 and Trino 483
compute it. Each function raises what `call.Function` allows where engines differ or fail."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Interval,
    add,
    date_of,
    nanos_of,
)
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.call import Call
from collectors.sql.constants.casts import as_text, to_date
from collectors.sql.constants.clocks import wall_of
from collectors.sql.constants.numbers import exact
from collectors.sql.constants.values import Exact, Folded, is_int, not_constant
from collectors.sql.dialects import dialect_of

PARTS: Mapping[str, Callable[[dt.date], int]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "day of year": lambda day: day.timetuple().tm_yday,
    "week": lambda day: day.isocalendar().week,
    "year of week": lambda day: day.isocalendar().year,
    "from Monday": lambda day: day.isoweekday(),
    "after Monday": lambda day: day.weekday(),
    "from Sunday": lambda day: day.isoweekday() % 7 + 1,
    "after Sunday": lambda day: day.isoweekday() % 7,
}
"""Numbers that days have; days of weeks count from 1, and those after a day from 0."""

NODES: Mapping[type[exp.Expr] | str, str] = {
    exp.Year: "year",
    exp.Quarter: "quarter",
    exp.Month: "month",
    exp.Day: "day",
    exp.DayOfMonth: "day",
    exp.DayOfYear: "day of year",
    exp.WeekOfYear: "week",
    exp.YearOfWeek: "year of week",
    exp.DayOfWeekIso: "from Monday",
    exp.Hour: "hour",
    exp.Minute: "minute",
    exp.Second: "second",
}
"""The parts that nodes ask for."""

_CLOCK_PARTS = {"hour": (3600, 24), "minute": (60, 60), "second": (1, 60)}
_FIELDS = {
    "YEAR": "year",
    "QUARTER": "quarter",
    "MONTH": "month",
    "WEEK": "week",
    "DAY": "day",
    "DOY": "day of year",
    "HOUR": "hour",
    "MINUTE": "minute",
}
# Spark's seconds are decimals with their fractions.
_SPARK_FIELDS = {
    **_FIELDS,
    "YEAROFWEEK": "year of week",
    "DOW": "from Sunday",
    "DAYOFWEEK": "from Sunday",
    "DOW_ISO": "from Monday",
    "DAYOFWEEK_ISO": "from Monday",
}
_TRINO_FIELDS = {
    **_FIELDS,
    "SECOND": "second",
    "DAY_OF_MONTH": "day",
    "DAY_OF_YEAR": "day of year",
    "DOW": "from Monday",
    "DAY_OF_WEEK": "from Monday",
    "YOW": "year of week",
    "YEAR_OF_WEEK": "year of week",
}
# Spark 4: DateTimeUtils.getDayOfWeekFromString.
_WEEKDAYS = {
    name: number
    for number, day in enumerate(calendar.day_name)
    for name in (day.upper(), day[:3].upper(), day[:2].upper())
}


def part_of(name: str) -> Callable[[Call, Folded], int]:
    """The function that finds one of PARTS, or the hour, minute or second."""
    return lambda call, value: _part(name, call, value)


def extracted(call: Call, value: Folded) -> Folded:
    """EXTRACT(field FROM value)."""
    is_spark = dialect_of(call.session.dialect).is_spark
    fields = _SPARK_FIELDS if is_spark else _TRINO_FIELDS
    if is_spark and call.expression.name.upper() == "SECOND":
        return seconds_of(call, value)
    field = fields.get(call.expression.name.upper())
    if field is None:
        raise not_constant()
    return _part(field, call, value)


def seconds_of(call: Call, value: Folded) -> Exact:
    """Spark's seconds of a time, with their parts."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    nanos = wall_of(value, call.session) % (60 * NANOS_PER_SECOND)
    return exact(Decimal(nanos // 1_000).scaleb(-6), (8, 6))


def iso_text(call: Call, value: Folded) -> str:
    """Trino's to_iso8601() of a date."""
    if not isinstance(value, dt.date):
        raise not_constant()
    return as_text(value, call.session)


def milliseconds_of(call: Call, value: Folded) -> int:
    """Trino's milliseconds of a second."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    return wall_of(value, call.session) % NANOS_PER_SECOND // 1_000_000


def _part(name: str, call: Call, value: Folded) -> int:
    if name in PARTS:
        return PARTS[name](_day(call, value))
    if not isinstance(value, Timestamp):
        raise not_constant()
    length, count = _CLOCK_PARTS[name]
    return wall_of(value, call.session) // NANOS_PER_SECOND // length % count


def _day(call: Call, value: Folded) -> dt.date:
    """The day of a first argument; Spark casts texts to dates."""
    if isinstance(value, str) and not dialect_of(call.session.dialect).is_spark:
        raise not_constant()
    return to_date(value, call.session)


def add_months(call: Call, value: Folded, months: Folded) -> dt.date:
    """Spark's add_months(), which keeps the day, or takes the last of the month."""
    if not is_int(months):
        raise not_constant()
    return date_of(add(nanos_of(_day(call, value)), Interval(months=months)))


def last_day(call: Call, value: Folded) -> dt.date:
    """The last day of the month of a date or time."""
    day = _day(call, value)
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def next_day(call: Call, value: Folded, name: Folded) -> dt.date:
    """Spark's next_day(): the first day after a date that has this name."""
    if not isinstance(name, str) or name.upper() not in _WEEKDAYS:
        raise not_constant()
    day = _day(call, value)
    return day + dt.timedelta((_WEEKDAYS[name.upper()] - day.weekday() - 1) % 7 + 1)


def make_date(_call: Call, year: Folded, month: Folded, day: Folded) -> dt.date:
    """The day of a year, month and day of month."""
    if not is_int(year) or not is_int(month) or not is_int(day):
        raise not_constant()
    return dt.date(year, month, day)


def days_of(call: Call, value: Folded) -> int:
    """Days since 1970-01-01."""
    return nanos_of(_day(call, value)) // NANOS_PER_DAY


def of_days(_call: Call, days: Folded) -> dt.date:
    """The day that is so many days after 1970-01-01."""
    if not is_int(days):
        raise not_constant()
    return date_of(days * NANOS_PER_DAY)
