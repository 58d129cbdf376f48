"""Values of ClickHouse: clock readings at dates and times, starts of periods, and numbers and
texts, whose casts fail or become NULL by rules of their own, and whose text positions count bytes.
Each function raises the errors that `call.Function` allows, for other arguments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
    period_start,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import cast
from prunescope.collectors.sql.constants.clocks import wall_of
from prunescope.collectors.sql.constants.day_parts import CLOCK_PARTS, PARTS
from prunescope.collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Fails,
    Folded,
    fails,
    is_int,
    not_constant,
)

Days = tuple[dt.date, dt.date]


# What ClickHouse's types of dates hold: what is beyond is none of them, or another one.
DATE: Days = (dt.date(1970, 1, 1), dt.date(2149, 6, 6))


DATE_32: Days = (dt.date(1900, 1, 1), dt.date(2299, 12, 31))


_FIRST_YEAR = 1970


DATE_TIME: Days = (dt.date(1970, 1, 2), dt.date(2106, 2, 5))


def require_held(day: dt.date, held: Days) -> dt.date:
    """The day itself; raises CannotConvert if its type does not hold it."""
    if not held[0] <= day <= held[1]:
        raise not_constant()
    return day


def on_clock(value: Folded, zone: Sequence[Folded]) -> Folded:
    """A moment on the clock of a zone, if one is named."""
    if zone and isinstance(value, Timestamp):
        if not value.zoned or not isinstance(zone[0], str):
            raise not_constant()
        return replace(value, zone=zone[0])
    return value


def digits(pattern: str) -> Callable[..., int]:
    """toYYYYMM() and the like, of dates, and of times by a clock."""

    def of(call: Call, value: Folded, *zone: Folded) -> int:
        wall = reading(call, value, *zone)
        clock = dt.timedelta(seconds=wall % NANOS_PER_DAY // NANOS_PER_SECOND)
        return int((dt.datetime.combine(date_of(wall), dt.time()) + clock).strftime(pattern))

    return of


def reading(call: Call, value: Folded, *zone: Folded) -> int:
    """The clock reading at a date or time, in nanoseconds since 1970."""
    if not isinstance(value, dt.date | Timestamp):
        raise not_constant()
    return wall_of(on_clock(value, zone), call.session)


def part_at(name: str) -> Callable[..., int]:
    """toYear() and the like, in a zone that is named last."""

    def of(call: Call, value: Folded, *zone: Folded) -> int:
        wall = reading(call, value, *zone)
        if name in PARTS:
            return PARTS[name](date_of(wall))
        if not isinstance(value, Timestamp):
            raise not_constant()
        return CLOCK_PARTS[name](wall % NANOS_PER_DAY)

    return of


def week_start(call: Call, value: Folded, *mode_and_zone: Folded) -> dt.date:
    """toStartOfWeek(), from Sunday in mode 0 and other even modes."""
    mode, *zone = (*mode_and_zone, 0)[: max(1, len(mode_and_zone))]
    if not is_int(mode):
        raise not_constant()
    first = -NANOS_PER_DAY if mode % 2 == 0 else 0
    start = period_start(reading(call, value, *zone) - first, Unit.WEEK) + first
    return require_held(date_of(start), DATE)


def year_and_week(call: Call, value: Folded, *mode_and_zone: Folded) -> int:
    """toYearWeek() in mode 3 (ISO 8601) and in mode 0, in which weeks begin on Sunday and the first
    week of a year with its first Sunday."""
    mode, *zone = (*mode_and_zone, 0)[: max(1, len(mode_and_zone))]
    day = date_of(reading(call, value, *zone))
    if mode == 3 and is_int(mode):
        return PARTS["year and week"](day)
    if mode != 0 or not is_int(mode):
        raise not_constant()
    sunday = day - dt.timedelta(day.isoweekday() % 7)
    return sunday.year * 100 + (sunday.timetuple().tm_yday - 1) // 7 + 1


def interval_start(call: Call, value: Folded, width: Folded, *zone: Folded) -> Folded:
    """toStartOfInterval(), which counts days, weeks and months from 1970, but years from 0. Raises
    CannotConvert for years that both do not count alike."""
    if not isinstance(width, Interval) or not isinstance(value, dt.date | Timestamp):
        raise not_constant()
    is_of_time = not width.months and bool(width.nanos)
    wall = reading(call, value, *zone)
    if is_of_time:
        if not isinstance(value, Timestamp) or wall != value.nanos:
            raise not_constant()
        start = wall // width.nanos * width.nanos
        return replace(value, nanos=start)
    if width.months:
        months = date_of(wall).year * 12 + date_of(wall).month - 1
        first = _FIRST_YEAR * 12
        is_counted_alike = 12 % width.months == 0 or first % width.months == 0
        if not is_counted_alike or (width.months > 12 and not months >= first):
            raise not_constant()
        start_month = (months - first) // width.months * width.months + first
        return require_held(dt.date(start_month // 12, start_month % 12 + 1, 1), DATE)
    if width.days % 7 == 0:
        start = period_start(wall, Unit.WEEK)
        if width.days != 7:
            raise not_constant()
        return require_held(date_of(start), DATE)
    if width.days != 1:
        raise not_constant()
    if isinstance(value, Timestamp):
        raise not_constant()
    return require_held(date_of(wall), DATE)


def every(minutes: int) -> Callable[[Call, Folded], Folded]:
    """toStartOfFiveMinutes() and the like."""
    return lambda call, value: interval_start(call, value, interval_of(minutes, Unit.MINUTE))


def number(kind: exp.DType, *, is_tried: bool = False) -> Callable[[Call, Folded], Folded]:
    """toInt32() and the like, or toInt32OrNull()."""

    def of(call: Call, value: Folded) -> Folded:
        if is_tried and not isinstance(value, str):
            raise not_constant()
        if isinstance(value, str) and value != value.strip():
            return _failed(is_tried=is_tried)
        made = exp.Cast(this=exp.Null(), to=exp.DataType(this=kind))
        try:
            return cast(made, value, call.session)
        except Fails:
            return _failed(is_tried=is_tried)

    return of


def _failed(*, is_tried: bool) -> Folded:
    if is_tried:
        return NULL
    raise fails()


def accurate(call: Call, value: Folded, name: Folded) -> Folded:
    """accurateCastOrNull() of a whole number to a type of whole numbers."""
    kind = KINDS.get(name.lower()) if isinstance(name, str) else None
    if kind is None or not is_int(value):
        raise not_constant()
    try:
        return number(kind)(call, value)
    except CannotConvert:  # which the type does not hold
        return NULL


def remainder(_call: Call, value: Folded, divisor: Folded) -> int:
    """moduloOrZero() of whole numbers."""
    if not is_int(value) or not is_int(divisor):
        raise not_constant()
    if divisor == 0:
        return 0
    return abs(value) % abs(divisor) * (1 if value >= 0 else -1)


def in_bytes(of: Callable[..., Folded]) -> Callable[..., Folded]:
    """A function of texts, changed so that its positions and lengths count bytes."""

    def in_bytes(call: Call, *values: Folded) -> Folded:
        single = [
            each.encode("utf-8", "surrogateescape").decode("latin-1")
            if isinstance(each, str)
            else each
            for each in values
        ]
        found = of(call, *single)
        if not isinstance(found, str):
            return found
        return found.encode("latin-1").decode("utf-8", "surrogateescape")

    return in_bytes


def is_empty(_call: Call, value: Folded) -> bool:
    """empty()."""
    if not isinstance(value, str):
        raise not_constant()
    return not value


KINDS = {
    "int8": exp.DType.TINYINT,
    "int16": exp.DType.SMALLINT,
    "int32": exp.DType.INT,
    "int64": exp.DType.BIGINT,
    "uint8": exp.DType.UTINYINT,
    "uint16": exp.DType.USMALLINT,
    "uint32": exp.DType.UINT,
    "uint64": exp.DType.UBIGINT,
}
