"""Starts of the buckets of one width that hold constant times, from the functions' references:

| function | a bucket begins with |
|---|---|
| Databricks' `time_bucket` | 1970-01-01, or an origin |
| Snowflake's `TIME_SLICE` | 1970-01-01; weeks by the session's setting |
| BigQuery's `TIMESTAMP_BUCKET`, `DATETIME_BUCKET`, `DATE_BUCKET` | 1950-01-01, or an origin |
| DuckDB's `time_bucket` | 2000-01-03, or 2000-01-01 for months, or an origin |

Each function raises the errors that `call.Function` allows, for other arguments.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    add,
    date_of,
    interval_of,
    nanos_of,
    unit_named,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.values import Folded, is_int, not_constant

EPOCH, FROM_1950, FROM_2000 = (nanos_of(dt.date(year, 1, 1)) for year in (1970, 1950, 2000))
_MONDAY_2000 = nanos_of(dt.date(2000, 1, 3))


def bucketed(origin: int) -> Callable[..., Folded]:
    """A function of a time and the width of buckets, in either order, and perhaps their origin, or
    an interval that moves it."""

    def of(_call: Call, *values: Folded) -> Folded:
        first, second, *origins = values
        width, value = (first, second) if isinstance(first, Interval) else (second, first)
        start = _MONDAY_2000 if origin == FROM_2000 and _is_of_time(width) else origin
        if origins:
            told = origins[0]
            if isinstance(told, Timestamp) and isinstance(value, dt.date):
                value = Timestamp(nanos_of(value), zoned=False)
            start = add(start, told) if isinstance(told, Interval) else _nanos(told)
        return _start(value, width, start)

    return of


def _is_of_time(width: Folded) -> bool:
    return isinstance(width, Interval) and not width.months


def on_clock_of_utc(origin: int) -> Callable[..., Folded]:
    """The function of `bucketed` that also takes moments, on the clock of UTC."""

    def of(call: Call, *values: Folded) -> Folded:
        readings = [
            replace(each, zoned=False) if isinstance(each, Timestamp) else each for each in values
        ]
        found = bucketed(origin)(call, *readings)
        is_moment = any(isinstance(each, Timestamp) and each.zoned for each in values)
        return replace(found, zoned=is_moment) if isinstance(found, Timestamp) else found

    return of


def sliced(call: Call, value: Folded, count: Folded) -> Folded:
    """Snowflake's TIME_SLICE()."""
    unit, kind = unit_named(call.expression.text("unit")), call.expression.args.get("kind")
    if unit is None or unit is Unit.WEEK or not is_int(count):
        raise not_constant()
    is_end = isinstance(kind, exp.Expr) and kind.name.upper() == "END"
    return _start(value, interval_of(count, unit), EPOCH, number=int(is_end))


def _start(value: Folded, width: Folded, origin: int, number: int = 0) -> Folded:
    """The start of the bucket around a time, or of the one that is `number` later."""
    if not isinstance(width, Interval) or (isinstance(value, Timestamp) and value.zoned):
        raise not_constant()
    nanos = _nanos(value)
    months, length = width.months, width.days * NANOS_PER_DAY + width.nanos
    if months > 0 and not length:
        first = _months(origin)
        if origin != nanos_of(date_of(origin).replace(day=1)):
            raise not_constant()
        index = (_months(nanos) - first) // months + number
        start = add(origin, Interval(months=index * months))
    elif length > 0 and not months:
        start = origin + ((nanos - origin) // length + number) * length
    else:
        raise not_constant()
    if isinstance(value, Timestamp):
        date_of(start)
        return replace(value, nanos=start)
    if start % NANOS_PER_DAY:
        raise not_constant()
    return date_of(start)


def _nanos(value: Folded) -> int:
    match value:
        case dt.date():
            return nanos_of(value)
        case Timestamp(nanos, zoned=False):
            return nanos
    raise not_constant()


def _months(nanos: int) -> int:
    day = date_of(nanos)
    return 12 * day.year + day.month
