"""Functions of constants in Snowflake, from its reference, for sessions with default parameters for
weeks and for formats of texts."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_SECOND, date_of
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants import (
    arrays,
    bits,
    buckets,
    days,
    differences,
    epochs,
)
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import as_text
from prunescope.collectors.sql.constants.clocks import in_zone, instant_of
from prunescope.collectors.sql.constants.unreadable import no_number
from prunescope.collectors.sql.constants.values import NULL, Fails, Folded, is_int, not_constant
from prunescope.collectors.sql.functions.law import rising
from prunescope.collectors.sql.functions.laws import (
    MONTHS,
    NUMBER,
    READ,
    READ_TIME,
    RISING,
    SHIFTED,
    SPLIT_PART,
    SUM,
    WRITTEN,
)
from prunescope.collectors.sql.functions.parts import made_date
from prunescope.collectors.sql.functions.row import Function, Functions
from prunescope.collectors.sql.functions.shared import BOTH, DOCUMENTED_TIMES, UNIT, part_row

_WHOLE = re.compile(r"[+-]?\d{1,38}", re.ASCII)
_NANOS_OF_SCALE = {"0": NANOS_PER_SECOND, "3": 1_000_000, "6": 1_000, "9": 1}


def _text(call: Call, value: Folded, *pattern: Folded) -> str:
    """TO_CHAR() of a number, or of a date or time in a pattern."""
    return epochs.formatted(call, value, *pattern) if pattern else as_text(value, call.session)


def _number(call: Call, value: Folded) -> Folded:
    """TO_NUMBER() of a whole number's text, or of a number, which is rounded."""
    if isinstance(value, str):
        if _WHOLE.fullmatch(value.strip()):
            return int(value)
        error = no_number(value)
        if isinstance(error, Fails) and call.expression.args.get("safe"):
            return NULL
        raise error
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise not_constant()
    return int(Decimal(value).to_integral_value(ROUND_HALF_UP))


def _read_day(call: Call, value: Folded) -> Folded:
    """TO_DATE() and TRY_TO_DATE() of a text in a pattern."""
    try:
        return epochs.read_day(call, value)
    except Fails:
        if call.expression.args.get("safe"):
            return NULL
        raise


def _of_units(call: Call, count: Folded) -> Timestamp:
    """TO_TIMESTAMP_NTZ() of a number of seconds, or of parts of seconds given by a scale."""
    length = _NANOS_OF_SCALE.get(call.expression.text("scale") or "0")
    if length is None or not is_int(count):
        raise not_constant()
    date_of(count * length)
    return Timestamp(count * length, zoned=False)


def _converted(call: Call, *zones_and_value: Folded) -> Timestamp:
    """CONVERT_TIMEZONE() of a moment to another clock, or of a clock reading to the reading of
    another clock at the same moment."""
    *zones, value = zones_and_value
    if not isinstance(value, Timestamp):
        raise not_constant()
    target = in_zone(zones[-1], call.session)
    if len(zones) == 1:
        return Timestamp(instant_of(value, call.session), zoned=True, zone=target.time_zone)
    if value.zoned:
        raise not_constant()
    instant = instant_of(value, in_zone(zones[0], call.session))
    return Timestamp(target.wall_nanos(Timestamp(instant, zoned=True)), zoned=False)


def _moved(call: Call, value: Folded, months: Folded) -> Folded:
    """ADD_MONTHS() of a date, or of a time."""
    if not isinstance(value, Timestamp) or value.zoned:
        return days.add_months(call, value, months)
    day = date_of(value.nanos)
    moved = days.add_months(call, day, months)
    return replace(value, nanos=value.nanos + (moved - day) // dt.timedelta(1) * _NANOS_PER_DAY)


def _months_between(call: Call, end: Folded, start: Folded) -> Folded:
    """MONTHS_BETWEEN() of dates."""
    if not isinstance(end, dt.date) or not isinstance(start, dt.date):
        raise not_constant()
    return differences.months_between(call, end, start)


_NANOS_PER_DAY = 86_400 * NANOS_PER_SECOND
SNOWFLAKE: Functions = {
    # YEAROFWEEK() is as the parameter WEEK_OF_YEAR_POLICY says.
    **{node: row for node, row in DOCUMENTED_TIMES.items() if node is not exp.YearOfWeek},
    exp.YearOfWeekIso: part_row("year of week"),
    exp.Dayname: Function(days.named("short day name"), ignored=frozenset({"abbreviated"})),
    exp.Monthname: Function(days.named("short month name"), ignored=frozenset({"abbreviated"})),
    exp.AddMonths: Function(_moved, BOTH, frozenset({"preserve_end_of_month"}), law=SUM),
    exp.NextDay: Function(days.next_day, BOTH, law=RISING),
    exp.PreviousDay: Function(days.previous_day, BOTH, law=RISING),
    exp.DateFromParts: Function(
        days.made_date, ("year", "month", "day"), frozenset({"allow_overflow"}), law=made_date
    ),
    exp.MonthsBetween: Function(_months_between, BOTH, law=MONTHS),
    exp.ConvertTimezone: Function(
        _converted,
        ("source_tz", "target_tz", "timestamp"),
        most_lacking=1,
        lacks_first=True,
        law=rising("timestamp"),
    ),
    exp.TimeSlice: Function(buckets.sliced, BOTH, UNIT | {"kind"}, law=RISING),
    exp.TsOrDsToDate: Function(_read_day, ignored=frozenset({"format", "safe"}), law=READ_TIME),
    exp.StrToTime: Function(
        epochs.read_moment, ("this", "format"), ignored=frozenset({"safe", "target_type"}), law=READ
    ),
    exp.ToChar: Function(_text, ("this", "format"), most_lacking=1, law=WRITTEN),
    exp.ToNumber: Function(_number, ignored=frozenset({"precision", "scale", "safe"}), law=NUMBER),
    exp.UnixToTime: Function(_of_units, ignored=frozenset({"scale", "target_type"}), law=RISING),
    "to_timestamp_ntz": Function(_of_units, law=RISING),
    exp.SplitPart: Function(
        arrays.split_part,
        ("this", "delimiter", "part_index"),
        frozenset({"part_index_zero_as_one", "empty_delimiter_returns_whole"}),
        law=SPLIT_PART,
    ),
    exp.BitwiseRightShift: Function(bits.shifted_right, BOTH, law=SHIFTED),
}
"""Snowflake's functions, by sqlglot's node or by name in lower case."""
