"""Functions of constants in ClickHouse, as its documentation tells of them.

Its times are moments, which are read on the clock of the zone that they were made with, or the
session's; a zone that a function is given last is the clock of that function. Each function raises
what `call.Function` allows for others.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
    period_start,
)
from collectors.predicates.literals import Timestamp
from collectors.sql.constants import (
    bits,
    days,
    differences,
    epochs,
    texts,
)
from collectors.sql.constants.call import Call, Function
from collectors.sql.constants.casts import as_text, cast, to_date, to_timestamp
from collectors.sql.constants.clocks import in_zone, instant_of, wall_of
from collectors.sql.constants.day_parts import CLOCK_PARTS, PARTS
from collectors.sql.constants.moments import shifted
from collectors.sql.constants.shared import BOTH, DOCUMENTED, UNIT
from collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Fails,
    Folded,
    fails,
    is_int,
    not_constant,
)

_Days = tuple[dt.date, dt.date]
# What ClickHouse's types of dates hold: what is beyond is none of them, or another one.
_DATE: _Days = (dt.date(1970, 1, 1), dt.date(2149, 6, 6))
_DATE_32: _Days = (dt.date(1900, 1, 1), dt.date(2299, 12, 31))
_FIRST_YEAR = 1970
_DATE_TIME: _Days = (dt.date(1970, 1, 2), dt.date(2106, 2, 5))
_UNITS = {
    "second": Unit.SECOND,
    "minute": Unit.MINUTE,
    "hour": Unit.HOUR,
    "day": Unit.DAY,
    "week": Unit.WEEK,
    "month": Unit.MONTH,
    "quarter": Unit.QUARTER,
    "year": Unit.YEAR,
}


def _held(day: dt.date, held: _Days) -> dt.date:
    if not held[0] <= day <= held[1]:
        raise not_constant()
    return day


def _date(held: _Days) -> Callable[..., dt.date]:
    """toDate() of a date, of its text, and of a time on the session's clock or a zone's."""

    def of(call: Call, value: Folded, *zone: Folded) -> dt.date:
        if not isinstance(value, str | dt.date | Timestamp) or (zone and isinstance(value, str)):
            raise not_constant()
        return _held(to_date(_in_zone(value, zone), call.session), held)

    return of


def _in_zone(value: Folded, zone: Sequence[Folded]) -> Folded:
    """A moment on the clock of a zone, if one is named."""
    if zone and isinstance(value, Timestamp):
        if not value.zoned or not isinstance(zone[0], str):
            raise not_constant()
        return replace(value, zone=zone[0])
    return value


def _own_zone(others: Sequence[Folded]) -> str | None:
    """The zone that is named last of what a function is given beside a time."""
    return next((other for other in others[-1:] if isinstance(other, str)), None)


def _time(call: Call, text: Folded, *others: Folded) -> Timestamp:
    """toDateTime() and toDateTime64() of a text, in a zone that is named last, or the session's."""
    if not isinstance(text, str):
        raise not_constant()
    reading, zone = to_timestamp(text), _own_zone(others)
    session = call.session if zone is None else in_zone(zone, call.session)
    is_fine = call.expression.name.lower() == "todatetime64"
    if reading.zoned or (reading.nanos % NANOS_PER_SECOND and not is_fine):
        raise not_constant()
    _held(date_of(reading.nanos), _DATE_32 if is_fine else _DATE_TIME)
    if session.time_zone is None:
        return reading  # on a clock that is not known
    return Timestamp(instant_of(reading, session), zoned=True, zone=zone)


def _moment(call: Call, value: Folded, *others: Folded) -> Timestamp:
    """toDateTime() of a text, or of seconds since 1970, which fromUnixTimestamp() is of, too."""
    if is_int(value):
        if not 0 <= value < 1 << 32:
            raise not_constant()
        return Timestamp(value * NANOS_PER_SECOND, zoned=True, zone=_own_zone(others))
    return _time(call, value, *others)


def _seconds(call: Call, value: Folded, *others: Folded) -> int:
    """toUnixTimestamp() of a time, or of its text in the session's zone or another."""
    moment = value if isinstance(value, Timestamp) else _time(call, value, *others)
    return instant_of(moment, call.session) // NANOS_PER_SECOND


def _digits(pattern: str) -> Callable[..., int]:
    """toYYYYMM() and the like, of dates, and of times by a clock."""

    def of(call: Call, value: Folded, *zone: Folded) -> int:
        wall = _reading(call, value, *zone)
        clock = dt.timedelta(seconds=wall % NANOS_PER_DAY // NANOS_PER_SECOND)
        return int((dt.datetime.combine(date_of(wall), dt.time()) + clock).strftime(pattern))

    return of


def _reading(call: Call, value: Folded, *zone: Folded) -> int:
    """What a clock reads at a date or a time."""
    if not isinstance(value, dt.date | Timestamp):
        raise not_constant()
    return wall_of(_in_zone(value, zone), call.session)


def _part(name: str) -> Callable[..., int]:
    """toYear() and the like, in a zone that is named last."""

    def of(call: Call, value: Folded, *zone: Folded) -> int:
        wall = _reading(call, value, *zone)
        if name in PARTS:
            return PARTS[name](date_of(wall))
        if not isinstance(value, Timestamp):
            raise not_constant()
        return CLOCK_PARTS[name](wall % NANOS_PER_DAY)

    return of


def _units(length: int) -> Callable[[Call, Folded], int]:
    """toUnixTimestamp64Milli() and the like, which cut what is left of a unit."""

    def of(call: Call, value: Folded) -> int:
        if not isinstance(value, Timestamp):
            raise not_constant()
        instant = instant_of(value, call.session)
        return instant // length if instant >= 0 else -(-instant // length)

    return of


def _of_units(length: int) -> Callable[..., Timestamp]:
    """fromUnixTimestamp64Milli() and the like."""

    def of(_call: Call, count: Folded, *zone: Folded) -> Timestamp:
        if not is_int(count):
            raise not_constant()
        _held(date_of(count * length), _DATE_32)
        return Timestamp(count * length, zoned=True, zone=_own_zone(zone))

    return of


def _to_zone(_call: Call, value: Folded, zone: Folded) -> Folded:
    """toTimeZone()."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    return _in_zone(value, (zone,))


def _week_start(call: Call, value: Folded, *mode_and_zone: Folded) -> dt.date:
    """toStartOfWeek(), from Sunday in the mode 0 and in other even ones."""
    mode, *zone = (*mode_and_zone, 0)[: max(1, len(mode_and_zone))]
    if not is_int(mode):
        raise not_constant()
    first = -NANOS_PER_DAY if mode % 2 == 0 else 0
    start = period_start(_reading(call, value, *zone) - first, Unit.WEEK) + first
    return _held(date_of(start), _DATE)


def _year_and_week(call: Call, value: Folded, *mode_and_zone: Folded) -> int:
    """toYearWeek() in mode 3, that of ISO 8601, and in mode 0, in which weeks begin on Sunday and
    the first one of a year with its first Sunday."""
    mode, *zone = (*mode_and_zone, 0)[: max(1, len(mode_and_zone))]
    day = date_of(_reading(call, value, *zone))
    if mode == 3 and is_int(mode):
        return PARTS["year and week"](day)
    if mode != 0 or not is_int(mode):
        raise not_constant()
    sunday = day - dt.timedelta(day.isoweekday() % 7)
    return sunday.year * 100 + (sunday.timetuple().tm_yday - 1) // 7 + 1


def _interval_start(call: Call, value: Folded, width: Folded, *zone: Folded) -> Folded:
    """toStartOfInterval(), whose days, weeks and months are counted from 1970."""
    if not isinstance(width, Interval) or not isinstance(value, dt.date | Timestamp):
        raise not_constant()
    is_of_time = not width.months and bool(width.nanos)
    wall = _reading(call, value, *zone)
    if is_of_time:
        if not isinstance(value, Timestamp) or wall != value.nanos:
            raise not_constant()
        start = wall // width.nanos * width.nanos
        return replace(value, nanos=start)
    if width.months:
        months = date_of(wall).year * 12 + date_of(wall).month - 1
        first = _FIRST_YEAR * 12
        if (12 % width.months and width.months % 12) or (width.months > 12 and not months >= first):
            raise not_constant()
        start_month = (months - first) // width.months * width.months + first
        return _held(dt.date(start_month // 12, start_month % 12 + 1, 1), _DATE)
    if width.days % 7 == 0:
        start = period_start(wall, Unit.WEEK)
        if width.days != 7:
            raise not_constant()
        return _held(date_of(start), _DATE)
    if width.days != 1:
        raise not_constant()
    if isinstance(value, Timestamp):
        raise not_constant()
    return _held(date_of(wall), _DATE)


def _every(minutes: int) -> Callable[[Call, Folded], Folded]:
    """toStartOfFiveMinutes() and the like."""
    return lambda call, value: _interval_start(call, value, interval_of(minutes, Unit.MINUTE))


def _number(kind: exp.DType, *, is_tried: bool = False) -> Callable[[Call, Folded], Folded]:
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


def _accurate(call: Call, value: Folded, name: Folded) -> Folded:
    """accurateCastOrNull() of a whole number, to the type of one."""
    kind = _KINDS.get(name.lower()) if isinstance(name, str) else None
    if kind is None or not is_int(value):
        raise not_constant()
    try:
        return _number(kind)(call, value)
    except CannotConvert:  # which the type does not hold
        return NULL


def _remainder(_call: Call, value: Folded, divisor: Folded) -> int:
    """moduloOrZero() of whole numbers."""
    if not is_int(value) or not is_int(divisor):
        raise not_constant()
    if divisor == 0:
        return 0
    return abs(value) % abs(divisor) * (1 if value >= 0 else -1)


def _in_bytes(of: Callable[..., Folded]) -> Callable[..., Folded]:
    """A function of texts whose places and lengths are those of bytes."""

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


def _is_empty(_call: Call, value: Folded) -> bool:
    """empty()."""
    if not isinstance(value, str):
        raise not_constant()
    return not value


def _text(call: Call, value: Folded) -> str:
    """toString()."""
    return as_text(value, call.session)


def _day_after(count: int) -> Callable[[Call], dt.date]:
    """ClickHouse's today(), or the day that is so many days after it."""

    def of(call: Call) -> dt.date:
        today = date_of(call.session.wall_nanos(call.session.now))
        return today + dt.timedelta(count)

    return of


def _moved(unit: Unit, sign: int) -> Callable[[Call, Folded, Folded], Folded]:
    """ClickHouse's addDays() and the like, of dates and times."""

    def of(call: Call, value: Folded, count: Folded) -> Folded:
        if not isinstance(value, dt.date | Timestamp) or not is_int(count):
            raise not_constant()
        moved = shifted(value, interval_of(sign * count, unit), call.session)
        if isinstance(moved, Timestamp):
            _held(date_of(moved.nanos), _DATE_TIME)
        elif isinstance(moved, dt.date):
            _held(moved, _DATE)
        return moved

    return of


def _interval(unit: Unit) -> Callable[[Call, Folded], Interval]:
    """ClickHouse's toIntervalDay() and the like."""

    def of(_call: Call, count: Folded) -> Interval:
        if not is_int(count):
            raise not_constant()
        return interval_of(count, unit)

    return of


def _made_date(held: _Days) -> Callable[[Call, Folded, Folded, Folded], dt.date]:
    """makeDate() of a year, month and day."""

    def of(call: Call, year: Folded, month: Folded, day: Folded) -> dt.date:
        try:
            return _held(days.make_date(call, year, month, day), held)
        except Fails:
            raise not_constant() from None  # which is another day

    return of


_ZONED = ("this", "zone")
_KINDS = {
    "int8": exp.DType.TINYINT,
    "int16": exp.DType.SMALLINT,
    "int32": exp.DType.INT,
    "int64": exp.DType.BIGINT,
    "uint8": exp.DType.UTINYINT,
    "uint16": exp.DType.USMALLINT,
    "uint32": exp.DType.UINT,
    "uint64": exp.DType.UBIGINT,
}
_PARTS = {
    "toyear": "year",
    "toquarter": "quarter",
    "tomonth": "month",
    "todayofmonth": "day",
    "todayofyear": "day of year",
    "toisoyear": "year of week",
    "toisoweek": "week",
    "tohour": "hour",
    "tominute": "minute",
    "tosecond": "second",
    "tomillisecond": "millisecond",
}
CLICKHOUSE: Mapping[type[exp.Expr] | str, Function] = {
    **DOCUMENTED,
    **{
        node: Function(_in_bytes(function.of), function.names, most_lacking=function.most_lacking)
        for node, function in DOCUMENTED.items()
        if node in (exp.Substring, exp.Left, exp.Right, exp.StrPosition)
    },
    exp.Length: Function(_in_bytes(texts.length), ignored=frozenset({"binary"})),
    "lowerutf8": Function(texts.of_unicode_in_lower_case),
    "empty": Function(_is_empty),
    "replaceall": Function(texts.replaced, ("this", "old", "new")),
    exp.YearOfWeekIso: Function(days.part_of("year of week")),
    exp.BitwiseRightShift: Function(bits.shifted_right, BOTH),
    "bitshiftright": Function(bits.shifted_right, BOTH),
    "bitshiftleft": Function(bits.shifted_left, BOTH),
    "bitand": Function(bits.AND, BOTH),
    "moduloorzero": Function(_remainder, BOTH),
    **{name: Function(_part(part), _ZONED, most_lacking=1) for name, part in _PARTS.items()},
    **{
        name: Function(_digits(pattern), _ZONED, most_lacking=1)
        for name, pattern in (
            ("toyyyymm", "%Y%m"),
            ("toyyyymmdd", "%Y%m%d"),
            ("toyyyymmddhhmmss", "%Y%m%d%H%M%S"),
        )
    },
    **{
        f"to{name}{suffix}": Function(_number(kind, is_tried=bool(suffix)))
        for name, kind in _KINDS.items()
        for suffix in ("", "ornull")
    },
    "accuratecastornull": Function(_accurate, ("this", "type")),
    "todate": Function(_date(_DATE), _ZONED, most_lacking=1),
    "todate32": Function(_date(_DATE_32), _ZONED, most_lacking=1),
    "todatetime": Function(_moment, _ZONED, most_lacking=1),
    "fromunixtimestamp": Function(_moment),
    "tounixtimestamp": Function(_seconds, _ZONED, most_lacking=1),
    **{
        f"tounixtimestamp64{name}": Function(_units(length))
        for name, length in (("milli", 1_000_000), ("micro", 1_000), ("nano", 1))
    },
    **{
        f"fromunixtimestamp64{name}": Function(_of_units(length), _ZONED, most_lacking=1)
        for name, length in (("milli", 1_000_000), ("micro", 1_000), ("nano", 1))
    },
    "totimezone": Function(_to_zone, _ZONED),
    "tostring": Function(_text),
    "todatetime64": Function(_time, ("this", "scale", "zone"), most_lacking=1),
    "today": Function(_day_after(0), ()),
    "yesterday": Function(_day_after(-1), ()),
    "makedate": Function(_made_date(_DATE), ("year", "month", "day")),
    "makedate32": Function(_made_date(_DATE_32), ("year", "month", "day")),
    "tostartofweek": Function(_week_start, ("this", "mode", "zone"), most_lacking=2),
    "toyearweek": Function(_year_and_week, ("this", "mode", "zone"), most_lacking=2),
    "tostartofinterval": Function(_interval_start, ("this", "width", "zone"), most_lacking=1),
    "tostartoffiveminutes": Function(_every(5)),
    "tostartoftenminutes": Function(_every(10)),
    "tostartoffifteenminutes": Function(_every(15)),
    "timeslot": Function(_every(30)),
    "tolastdayofmonth": Function(days.last_day),
    exp.DateDiff: Function(differences.boundaries, BOTH, UNIT),
    "age": Function(differences.whole_units_by_name, ("unit", "start", "end")),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format")),
    **{f"tointerval{name}": Function(_interval(unit)) for name, unit in _UNITS.items()},
    **{
        f"{word}{name}s": Function(_moved(unit, sign), BOTH)
        for word, sign in (("add", 1), ("subtract", -1))
        for name, unit in _UNITS.items()
    },
}
"""By the nodes that sqlglot has for them, or their names in lower case."""
