"""Calculations of days from constants, and parts of days, as Spark 4 and Trino 483 compute them.
Each function raises the errors that `call.Function` allows if engines differ or fail."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Interval,
    Unit,
    add,
    date_of,
    interval_of,
    nanos_of,
    period_start,
    unit_named,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import as_text, implied_time, to_date
from prunescope.collectors.sql.constants.clocks import wall_of
from prunescope.collectors.sql.constants.day_parts import CLOCK_PARTS, PARTS, written
from prunescope.collectors.sql.constants.numbers import holds
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Exact, Folded, fails, is_int, not_constant
from prunescope.collectors.sql.constants.weeks import first_day
from prunescope.collectors.sql.dialects import dialect_of

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
"""The parts that nodes extract."""

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
_EPOCHS = {
    "epoch_second": NANOS_PER_SECOND,
    "epoch_millisecond": 1_000_000,
    "epoch_microsecond": 1_000,
    "epoch_nanosecond": 1,
}
_SPARK_FIELDS = {
    **_FIELDS,
    "SECOND": "seconds",
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
_BIGQUERY_FIELDS = {
    "YEAR": "year",
    "QUARTER": "quarter",
    "MONTH": "month",
    "DAY": "day",
    "DAYOFYEAR": "day of year",
    "DAYOFWEEK": "from Sunday",
    "WEEK": "weeks from Sunday",
    "WEEK(SUNDAY)": "weeks from Sunday",
    "WEEK(MONDAY)": "weeks from Monday",
    "ISOWEEK": "week",
    "ISOYEAR": "year of week",
    "DATE": "date",
    **{name.upper(): name for name in CLOCK_PARTS if name != "nanosecond"},
}
_SNOWFLAKE_FIELDS = {
    **{name: part for name, part in _FIELDS.items() if name != "WEEK"},  # WEEK_OF_YEAR_POLICY
    "SECOND": "second",
    "DAYOFMONTH": "day",
    "DAYOFYEAR": "day of year",
    "WEEKISO": "week",
    "WEEK_ISO": "week",
    "YEAROFWEEKISO": "year of week",
    "DAYOFWEEKISO": "from Monday",
    "DAYOFWEEK_ISO": "from Monday",
    **{name.upper(): name for name in _EPOCHS},
}
_DUCKDB_FIELDS = {
    **_FIELDS,
    "SECOND": "second",
    "DAYOFMONTH": "day",
    "DAYOFYEAR": "day of year",
    "DOW": "after Sunday",
    "DAYOFWEEK": "after Sunday",
    "WEEKDAY": "after Sunday",
    "ISODOW": "from Monday",
    "ISOYEAR": "year of week",
    "YEARWEEK": "year and week",
    "DECADE": "decade",
    "CENTURY": "century",
}
_FIELDS_OF = {
    "bigquery": _BIGQUERY_FIELDS,
    "snowflake": _SNOWFLAKE_FIELDS,
    "duckdb": _DUCKDB_FIELDS,
}
_MONTHS = 12
# Spark 4: DateTimeUtils.getDayOfWeekFromString.
_WEEKDAYS = {
    name: number
    for number, day in enumerate(calendar.day_name)
    for name in (day.upper(), day[:3].upper(), day[:2].upper())
}


def part_of(name: str) -> Callable[[Call, Folded], Folded]:
    """A function that returns a part of dates and times."""
    return lambda call, value: _part(name, call, value)


def field_named(name: str, session: Session) -> str | None:
    """The part of times that a dialect calls by a name; None if it is not known."""
    is_of_spark = dialect_of(session.dialect).has_hive_functions
    known = _SPARK_FIELDS if is_of_spark else _TRINO_FIELDS
    return _FIELDS_OF.get(session.dialect, known).get(name.upper())


def field_of(extract: exp.Expr, session: Session) -> str | None:
    """The part of times that EXTRACT asks for; None if it is not known."""
    asked = extract.this
    name = asked.sql() if isinstance(asked, exp.WeekStart) else extract.name
    return field_named(name, session)


def extracted(call: Call, value: Folded) -> Folded:
    """EXTRACT(field FROM value)."""
    field = field_of(call.expression, call.session)
    if field is None:
        raise not_constant()
    return _part(field, call, value)


def named_part(call: Call, name: Folded, value: Folded) -> Folded:
    """DuckDB's date_part()."""
    field = field_named(name, call.session) if isinstance(name, str) else None
    if field is None:
        raise not_constant()
    return _part(field, call, value)


def instant_or_reading(call: Call, value: Folded) -> int:
    """Nanoseconds since 1970-01-01 of a moment, or of a clock reading without a zone."""
    if isinstance(value, Timestamp) and value.zoned:
        return value.nanos
    if not isinstance(value, Timestamp | dt.date):
        raise not_constant()
    return wall_of(value, call.session)


def _seconds(call: Call, value: Folded) -> Exact:
    """Spark's seconds of a time, with microseconds."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    nanos = wall_of(value, call.session) % (60 * NANOS_PER_SECOND)
    return Exact(Decimal(nanos // 1_000).scaleb(-6), 8)


def iso_text(call: Call, value: Folded) -> str:
    """Trino's to_iso8601() of a date, or of a time without zone."""
    if isinstance(value, Timestamp) and not value.zoned:
        return as_text(value, call.session).replace(" ", "T")
    if not isinstance(value, dt.date):
        raise not_constant()
    return as_text(value, call.session)


def named(part: str) -> Callable[[Call, Folded], str]:
    """A function that returns the name of a day or of its month."""
    return lambda call, value: written(part, nanos_of(_day(call, value)))


def _part(name: str, call: Call, value: Folded) -> Folded:
    if name in PARTS:
        return PARTS[name](_day(call, value))
    if name == "date":
        return _day(call, value)
    if name == "seconds":
        return _seconds(call, value)
    if name in _EPOCHS:
        return instant_or_reading(call, value) // _EPOCHS[name]
    value = implied_time(value, call.session)
    if not isinstance(value, Timestamp):
        raise not_constant()
    return CLOCK_PARTS[name](wall_of(value, call.session) % NANOS_PER_DAY)


def _day(call: Call, value: Folded) -> dt.date:
    """The day of an argument; Spark casts texts to dates."""
    if isinstance(value, str) and not dialect_of(call.session.dialect).casts_arguments:
        raise not_constant()
    return to_date(value, call.session)


def add_months(call: Call, value: Folded, months: Folded) -> dt.date:
    """add_months(), which keeps the day, or takes the last of a shorter month; Snowflake's maps the
    last day of a month to the last day of another."""
    if not is_int(months):
        raise not_constant()
    day = _day(call, value)
    if isinstance(value, Timestamp) and not dialect_of(call.session.dialect).casts_arguments:
        raise not_constant()
    moved = date_of(add(nanos_of(day), Interval(months=months)))
    keeps_end = call.expression.args.get("preserve_end_of_month")
    is_end = bool(keeps_end) and day == last_of_month(day)
    return last_of_month(moved) if is_end else moved


def last_of_month(day: dt.date) -> dt.date:
    """The last day of the month of a day."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def last_day(call: Call, value: Folded) -> dt.date:
    """The last day of the month of a date or time, or of another period that is named."""
    day, asked = _day(call, value), call.expression.args.get("unit")
    first = first_day(asked, call.session)
    unit = Unit.WEEK if first is not None else unit_named(asked.name) if asked else Unit.MONTH
    if unit is None or unit < Unit.WEEK:
        raise not_constant()
    shift = (first or 0) * NANOS_PER_DAY
    start = date_of(period_start(nanos_of(day) - shift, unit) + shift)
    if unit is Unit.WEEK:
        return start + dt.timedelta(6)
    return last_of_month(start.replace(month=start.month + interval_of(1, unit).months - 1))


def next_day(call: Call, value: Folded, name: Folded) -> dt.date:
    """next_day(): the first day after a date that is the named day of the week."""
    if not isinstance(name, str) or name.upper() not in _WEEKDAYS:
        raise not_constant()
    day = _day(call, value)
    return day + dt.timedelta((_WEEKDAYS[name.upper()] - day.weekday() - 1) % 7 + 1)


def previous_day(call: Call, value: Folded, name: Folded) -> dt.date:
    """Snowflake's previous_day(): the last day before a date that is the named day of the week."""
    before = next_day(call, value, name) - dt.timedelta(7)
    return before if before < _day(call, value) else before - dt.timedelta(7)


def made_date(call: Call, year: Folded, month: Folded, day: Folded) -> dt.date:
    """Snowflake's DATE_FROM_PARTS(), whose months and days may overflow into other years and
    months."""
    if not is_int(year) or not is_int(month) or not is_int(day):
        raise not_constant()
    first = make_date(call, year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    return first + dt.timedelta(day - 1)


def make_date(_call: Call, year: Folded, month: Folded, day: Folded) -> dt.date:
    """The date of a year, month and day of month; raises Fails if it does not exist."""
    if not is_int(year) or not is_int(month) or not is_int(day):
        raise not_constant()
    if not _is_date(year, month, day):
        raise fails()
    return dt.date(year, month, day)


def _is_date(year: int, month: int, day: int) -> bool:
    """True if a day is in the calendar, or in years beyond it that engines may have."""
    if not 1 <= month <= _MONTHS or day < 1:
        return False
    return not dt.MINYEAR <= year <= dt.MAXYEAR or day <= calendar.monthrange(year, month)[1]


def made_time(call: Call, *parts: Folded) -> Timestamp:
    """A time without zone of a year, month, day, hour, minute and seconds."""
    year, month, day, hour, minute, seconds = parts
    if not is_int(hour) or not is_int(minute) or isinstance(seconds, bool):
        raise not_constant()
    if not isinstance(seconds, int | Decimal):
        raise not_constant()
    whole, rest = divmod(Decimal(seconds), 1)
    clock = dt.time(hour, minute, int(whole))
    nanos = (clock.hour * 3600 + clock.minute * 60 + clock.second) * NANOS_PER_SECOND
    fraction = rest * NANOS_PER_SECOND
    if fraction != int(fraction):
        raise not_constant()
    midnight = nanos_of(make_date(call, year, month, day))
    return Timestamp(midnight + nanos + int(fraction), zoned=False)


def days_of(call: Call, value: Folded) -> int:
    """Days since 1970-01-01."""
    return nanos_of(_day(call, value)) // NANOS_PER_DAY


def of_days(call: Call, days: Folded) -> dt.date:
    """The day `days` days after 1970-01-01. Raises CannotConvert beyond 32 bits for Spark, which
    may wrap these numbers around."""
    may_wrap = dialect_of(call.session.dialect).has_java_time
    if not is_int(days) or (may_wrap and not holds(days, 32)):
        raise not_constant()
    return date_of(days * NANOS_PER_DAY)
