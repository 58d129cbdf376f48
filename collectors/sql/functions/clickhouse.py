"""Functions of constants in ClickHouse, from its documentation.

Its times are moments, which are read on the clock of the zone that they were made with, or the
session's; a zone as the last argument is the clock of that function. Each function raises the
errors that `call.Function` allows, for other arguments.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants import (
    arrays,
    bits,
    days,
    differences,
    epochs,
    texts,
)
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import as_text, to_date, to_timestamp
from prunescope.collectors.sql.constants.clickhouse_values import (
    DATE,
    DATE_32,
    DATE_TIME,
    KINDS,
    Days,
    accurate,
    digits,
    every,
    in_bytes,
    interval_start,
    is_empty,
    number,
    on_clock,
    part_at,
    remainder,
    require_held,
    week_start,
    year_and_week,
)
from prunescope.collectors.sql.constants.clocks import in_zone, instant_of
from prunescope.collectors.sql.constants.constant_times import shifted
from prunescope.collectors.sql.constants.values import (
    Fails,
    Folded,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.functions.law import Law, rising
from prunescope.collectors.sql.functions.laws import (
    AGE,
    BEFORE,
    ELAPSED,
    FORMATTED,
    LENGTH,
    NUMBER,
    REMAINDER,
    RISING,
    SHIFTED,
    SPLIT,
    TEXT,
    UNCHANGED,
)
from prunescope.collectors.sql.functions.months import by_whole_days
from prunescope.collectors.sql.functions.parts import made_date
from prunescope.collectors.sql.functions.row import Function, Functions
from prunescope.collectors.sql.functions.shared import BOTH, DOCUMENTED, UNIT, part_row
from prunescope.collectors.sql.functions.texts import printed
from prunescope.collectors.sql.functions.times import part

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


def _date(held: Days) -> Callable[..., dt.date]:
    """toDate() of a date, of its text, and of a time on the session's clock or a zone's."""

    def of(call: Call, value: Folded, *zone: Folded) -> dt.date:
        if not isinstance(value, str | dt.date | Timestamp) or (zone and isinstance(value, str)):
            raise not_constant()
        return require_held(to_date(on_clock(value, zone), call.session), held)

    return of


def _own_zone(others: Sequence[Folded]) -> str | None:
    """The zone that the last argument beside a time names; None if there is none."""
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
    require_held(date_of(reading.nanos), DATE_32 if is_fine else DATE_TIME)
    if session.time_zone is None:
        return reading  # on a clock that is not known
    return Timestamp(instant_of(reading, session), zoned=True, zone=zone)


def _moment(call: Call, value: Folded, *others: Folded) -> Timestamp:
    """toDateTime() of a text or of seconds since 1970, and fromUnixTimestamp() of seconds."""
    if is_int(value):
        if not 0 <= value < 1 << 32:
            raise not_constant()
        return Timestamp(value * NANOS_PER_SECOND, zoned=True, zone=_own_zone(others))
    return _time(call, value, *others)


def _seconds(call: Call, value: Folded, *others: Folded) -> int:
    """toUnixTimestamp() of a time, or of its text in the session's zone or another."""
    moment = value if isinstance(value, Timestamp) else _time(call, value, *others)
    return instant_of(moment, call.session) // NANOS_PER_SECOND


def _units(length: int) -> Callable[[Call, Folded], int]:
    """toUnixTimestamp64Milli() and the like, truncated to whole units."""

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
        require_held(date_of(count * length), DATE_32)
        return Timestamp(count * length, zoned=True, zone=_own_zone(zone))

    return of


def _to_zone(_call: Call, value: Folded, zone: Folded) -> Folded:
    """toTimeZone()."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    return on_clock(value, (zone,))


def _text(call: Call, value: Folded) -> str:
    """toString()."""
    return as_text(value, call.session)


def _day_after(count: int) -> Callable[[Call], dt.date]:
    """ClickHouse's today(), or the day `count` days later."""

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
            require_held(date_of(moved.nanos), DATE_TIME)
        elif isinstance(moved, dt.date):
            require_held(moved, DATE)
        return moved

    return of


def _interval(unit: Unit) -> Callable[[Call, Folded], Interval]:
    """ClickHouse's toIntervalDay() and the like."""

    def of(_call: Call, count: Folded) -> Interval:
        if not is_int(count):
            raise not_constant()
        return interval_of(count, unit)

    return of


def _made_date(held: Days) -> Callable[[Call, Folded, Folded, Folded], dt.date]:
    """makeDate() of a year, month and day."""

    def of(call: Call, year: Folded, month: Folded, day: Folded) -> dt.date:
        try:
            return require_held(days.make_date(call, year, month, day), held)
        except Fails:
            raise not_constant() from None  # which is another day

    return of


_ZONED = ("this", "zone")


def _moves(unit: Unit, sign: int) -> Law:
    """The law of addDays() and the like."""
    law = rising(0, 1) if sign > 0 else rising(0, falling=(1,))
    return by_whole_days(law) if unit >= Unit.MONTH else law


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
"""Parts of dates and times, by the names of their functions."""
CLICKHOUSE: Functions = {
    **DOCUMENTED,
    **{
        node: Function(
            in_bytes(function.of),
            function.names,
            most_lacking=function.most_lacking,
            law=function.law,
        )
        for node, function in DOCUMENTED.items()
        if node in (exp.Substring, exp.Left, exp.Right, exp.StrPosition)
    },
    exp.Length: Function(in_bytes(texts.length), ignored=frozenset({"binary"}), law=LENGTH),
    "lowerutf8": Function(texts.of_unicode_in_lower_case, law=UNCHANGED),
    "empty": Function(is_empty),
    # An array is never null: of a null, it has no items.
    exp.Split: Function(arrays.split, BOTH, refuses_null=True, law=SPLIT),
    "printf": Function(texts.printed, ("this", "expressions"), law=printed),
    exp.SubstringIndex: Function(arrays.before, ("this", "delimiter", "count"), law=BEFORE),
    "replaceall": Function(texts.replaced, ("this", "old", "new")),
    exp.YearOfWeekIso: part_row("year of week"),
    exp.BitwiseRightShift: Function(bits.shifted_right, BOTH, law=SHIFTED),
    "bitshiftright": Function(bits.shifted_right, BOTH, law=SHIFTED),
    "bitshiftleft": Function(bits.shifted_left, BOTH),
    "bitand": Function(bits.AND, BOTH),
    "moduloorzero": Function(remainder, BOTH, law=REMAINDER),
    **{
        name: Function(part_at(known), _ZONED, most_lacking=1, law=part(known, zone=1))
        for name, known in _PARTS.items()
    },
    **{
        name: Function(digits(pattern), _ZONED, most_lacking=1, law=RISING)
        for name, pattern in (
            ("toyyyymm", "%Y%m"),
            ("toyyyymmdd", "%Y%m%d"),
            ("toyyyymmddhhmmss", "%Y%m%d%H%M%S"),
        )
    },
    **{
        f"to{name}{suffix}": Function(number(kind, is_tried=bool(suffix)), law=NUMBER)
        for name, kind in KINDS.items()
        for suffix in ("", "ornull")
    },
    "accuratecastornull": Function(accurate, ("this", "type"), law=NUMBER),
    "todate": Function(_date(DATE), _ZONED, most_lacking=1, law=RISING),
    "todate32": Function(_date(DATE_32), _ZONED, most_lacking=1, law=RISING),
    "todatetime": Function(_moment, _ZONED, most_lacking=1, law=RISING),
    "fromunixtimestamp": Function(_moment, law=RISING),
    "tounixtimestamp": Function(_seconds, _ZONED, most_lacking=1, law=RISING),
    **{
        f"tounixtimestamp64{name}": Function(_units(length), law=RISING)
        for name, length in (("milli", 1_000_000), ("micro", 1_000), ("nano", 1))
    },
    **{
        f"fromunixtimestamp64{name}": Function(
            _of_units(length), _ZONED, most_lacking=1, law=RISING
        )
        for name, length in (("milli", 1_000_000), ("micro", 1_000), ("nano", 1))
    },
    "totimezone": Function(_to_zone, _ZONED, law=RISING),
    "tostring": Function(_text, law=TEXT),
    "todatetime64": Function(_time, ("this", "scale", "zone"), most_lacking=1, law=RISING),
    "today": Function(_day_after(0), ()),
    "yesterday": Function(_day_after(-1), ()),
    "makedate": Function(_made_date(DATE), ("year", "month", "day"), law=made_date),
    "makedate32": Function(_made_date(DATE_32), ("year", "month", "day"), law=made_date),
    "tostartofweek": Function(week_start, ("this", "mode", "zone"), most_lacking=2, law=RISING),
    "toyearweek": Function(year_and_week, ("this", "mode", "zone"), most_lacking=2, law=RISING),
    "tostartofinterval": Function(
        interval_start, ("this", "width", "zone"), most_lacking=1, law=RISING
    ),
    "tostartoffiveminutes": Function(every(5), law=RISING),
    "tostartoftenminutes": Function(every(10), law=RISING),
    "tostartoffifteenminutes": Function(every(15), law=RISING),
    "timeslot": Function(every(30), law=RISING),
    "tolastdayofmonth": Function(days.last_day, law=RISING),
    exp.DateDiff: Function(differences.boundaries, BOTH, UNIT, law=ELAPSED),
    "age": Function(differences.whole_units_by_name, ("unit", "start", "end"), law=AGE),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format"), law=FORMATTED),
    **{f"tointerval{name}": Function(_interval(unit)) for name, unit in _UNITS.items()},
    **{
        f"{word}{name}s": Function(_moved(unit, sign), BOTH, law=_moves(unit, sign))
        for word, sign in (("add", 1), ("subtract", -1))
        for name, unit in _UNITS.items()
    },
}
"""ClickHouse's functions, by sqlglot's node or by name in lower case."""
