"""Functions of constant dates and times in BigQuery, from the reference of GoogleSQL.

Its TIMESTAMP is a moment, its DATETIME has no zone. A moment is moved by hours, 24 to a day, and
never by months; a time that is written without a zone is read in the session's.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    date_of,
    interval_of,
    unit_named,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants import (
    bits,
    buckets,
    calls,
    days,
    differences,
    epochs,
    texts,
)
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import to_timestamp
from prunescope.collectors.sql.constants.clocks import in_zone, instant_of
from prunescope.collectors.sql.constants.constant_times import shifted
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.time_texts import read_time, time_text
from prunescope.collectors.sql.constants.values import Folded, fails, is_int, not_constant
from prunescope.collectors.sql.functions.laws import (
    DIFFERENCE,
    ELAPSED,
    FORMATTED,
    READ,
    READ_TIME,
    RISING,
    SHIFTED,
    SUM,
)
from prunescope.collectors.sql.functions.row import Function, Functions
from prunescope.collectors.sql.functions.shared import BOTH, DOCUMENTED_TIMES, SAFE, UNIT
from prunescope.collectors.sql.functions.texts import printed

_COUNT = re.compile(r"-?\d{1,9}", re.ASCII)
NANOS_OF_SCALE = {"0": 1_000_000_000, "3": 1_000_000, "6": 1_000}
"""The units of TIMESTAMP_SECONDS(), TIMESTAMP_MILLIS() and TIMESTAMP_MICROS(), by the scale that
their node has."""


def _clock(call: Call, *zone: Folded) -> Session:
    """The session, in the zone of the call's last argument if there is one."""
    return in_zone(zone[0], call.session) if zone else call.session


def _span(call: Call, count: Folded) -> Interval:
    """`INTERVAL 7 DAY`, whose number is a text in the tree, and `INTERVAL (7 * 4) DAY`."""
    unit = unit_named(call.expression.text("unit"))
    if isinstance(count, str) and _COUNT.fullmatch(count):
        count = int(count)
    if unit is None or not is_int(count):
        raise not_constant()
    return interval_of(count, unit)


def _moved(sign: int) -> Callable[[Call, Folded, Folded], Folded]:
    """DATE_ADD() of a date, DATETIME_ADD() of a time without zone."""

    def of(call: Call, value: Folded, count: Folded) -> Folded:
        is_of_times = isinstance(call.expression, exp.DatetimeAdd | exp.DatetimeSub)
        is_time = isinstance(value, Timestamp) and not value.zoned
        if not (is_time if is_of_times else isinstance(value, dt.date)):
            raise not_constant()
        try:
            return shifted(value, _span(call, count).times(sign), call.session)
        except (ValueError, OverflowError):
            raise fails() from None  # beyond the years 1 to 9999

    return of


def _moved_moment(sign: int) -> Callable[[Call, Folded, Folded], Timestamp]:
    """TIMESTAMP_ADD()."""

    def of(call: Call, value: Folded, count: Folded) -> Timestamp:
        span = _span(call, count)
        unit = unit_named(call.expression.text("unit"))
        if unit is None or unit > Unit.DAY or not isinstance(value, Timestamp):
            raise not_constant()
        nanos = span.days * NANOS_PER_DAY + span.nanos
        return Timestamp(instant_of(value, call.session) + sign * nanos, zoned=True)

    return of


def _today(call: Call, zone: Folded) -> dt.date:
    """CURRENT_DATE('zone')."""
    return date_of(_clock(call, zone).wall_nanos(call.session.now))


def _now(call: Call, *zone: Folded) -> Timestamp:
    """CURRENT_DATETIME()."""
    return Timestamp(_clock(call, *zone).wall_nanos(call.session.now), zoned=False)


def _moment(call: Call, value: Folded, *zone: Folded) -> Timestamp:
    """TIMESTAMP() of a text, a date or a time; a text's own zone takes precedence."""
    if isinstance(value, Timestamp) and value.zoned:
        return value
    read = to_timestamp(value)
    return Timestamp(instant_of(read, _clock(call, *zone)), zoned=True)


def _reading(call: Call, value: Folded, *zone: Folded) -> Timestamp:
    """DATETIME(): the clock's reading at a moment; of dates and texts, the time as it is
    written."""
    read = to_timestamp(value)
    if not isinstance(value, Timestamp):
        if read.zoned:
            raise not_constant()
        return read
    return Timestamp(_clock(call, *zone).wall_nanos(read), zoned=False)


def _day_in_zone(call: Call, value: Folded, zone: Folded) -> dt.date:
    """DATE() of a moment, in a zone."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    moment = Timestamp(instant_of(value, call.session), zoned=True)
    return date_of(_clock(call, zone).wall_nanos(moment))


def _read_day(call: Call, text: Folded, _pattern: Folded) -> dt.date:
    """PARSE_DATE()."""
    return date_of(read_time(text, call.expression.args.get("format"), call.session).nanos)


def _read_moment(call: Call, text: Folded, _pattern: Folded, *zone: Folded) -> Timestamp:
    """PARSE_TIMESTAMP()."""
    read = read_time(text, call.expression.args.get("format"), call.session)
    return Timestamp(instant_of(read, _clock(call, *zone)), zoned=True)


def _of_units(call: Call, count: Folded) -> Timestamp:
    """TIMESTAMP_SECONDS(), TIMESTAMP_MILLIS() and TIMESTAMP_MICROS()."""
    length = NANOS_OF_SCALE.get(call.expression.text("scale") or "0")
    if length is None or not is_int(count):
        raise not_constant()
    try:
        date_of(count * length)
    except (ValueError, OverflowError):
        raise fails() from None
    return Timestamp(count * length, zoned=True)


def _text(call: Call, value: Folded, _pattern: Folded, *zone: Folded) -> str:
    """FORMAT_DATE() and the like, in a zone."""
    return time_text(value, call.arguments[1], _clock(call, *zone))


_UNIT_OF_DIFF = frozenset({"unit", "date_part_boundary"})
_READ_BY = frozenset({"default_year"})

BIGQUERY: Functions = {
    **DOCUMENTED_TIMES,
    **SAFE,
    exp.BitwiseRightShift: Function(bits.filled_right, BOTH, law=SHIFTED),
    exp.BitwiseLeftShift: Function(bits.shifted_left, BOTH),
    "ieee_divide": Function(calls.quotient_of_ieee, ("dividend", "divisor")),
    exp.Format: Function(texts.printed, ("this", "expressions"), law=printed),
    exp.AtTimeZone: Function(epochs.at_zone, ("this", "zone"), law=RISING),
    exp.Datetime: Function(_reading, BOTH, most_lacking=1, law=RISING),
    exp.DatetimeDiff: Function(differences.boundaries, BOTH, _UNIT_OF_DIFF, law=ELAPSED),
    exp.TimestampDiff: Function(differences.whole_units_of_moments, BOTH, UNIT, law=ELAPSED),
    **dict.fromkeys(
        ("datetime_bucket", "date_bucket"),
        Function(
            buckets.bucketed(buckets.FROM_1950),
            ("this", "width", "origin"),
            most_lacking=1,
            law=RISING,
        ),
    ),
    "timestamp_bucket": Function(
        buckets.on_clock_of_utc(buckets.FROM_1950),
        ("this", "width", "origin"),
        most_lacking=1,
        law=RISING,
    ),
    **dict.fromkeys((exp.DateAdd, exp.DatetimeAdd), Function(_moved(1), BOTH, UNIT, law=SUM)),
    **dict.fromkeys(
        (exp.DateSub, exp.DatetimeSub), Function(_moved(-1), BOTH, UNIT, law=DIFFERENCE)
    ),
    exp.TimestampAdd: Function(_moved_moment(1), BOTH, UNIT, law=SUM),
    exp.TimestampSub: Function(_moved_moment(-1), BOTH, UNIT, law=DIFFERENCE),
    exp.CurrentDate: Function(_today),
    exp.CurrentDatetime: Function(_now, most_lacking=1),
    exp.Timestamp: Function(
        _moment, ("this", "zone"), frozenset({"with_tz"}), most_lacking=1, law=RISING
    ),
    exp.TsOrDsToTimestamp: Function(_moment, law=RISING),
    exp.TsOrDsToDatetime: Function(_reading, law=RISING),
    exp.Date: Function(_day_in_zone, ("this", "zone"), law=READ_TIME),
    exp.StrToDate: Function(_read_day, ("this", "format"), _READ_BY, law=READ),
    exp.StrToTime: Function(
        _read_moment, ("this", "format", "zone"), _READ_BY, most_lacking=1, law=READ
    ),
    exp.TimeToStr: Function(_text, ("this", "format", "zone"), most_lacking=1, law=FORMATTED),
    exp.UnixSeconds: Function(epochs.units(1_000_000_000), law=RISING),
    exp.UnixMillis: Function(epochs.units(1_000_000), law=RISING),
    exp.UnixMicros: Function(epochs.units(1_000), law=RISING),
    exp.UnixToTime: Function(_of_units, ignored=frozenset({"scale"}), law=RISING),
    exp.UnixDate: Function(days.days_of, law=RISING),
    exp.DateFromUnixDate: Function(days.of_days, law=RISING),
}
"""BigQuery's functions, by sqlglot's node or by name."""
