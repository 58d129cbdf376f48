"""The laws of functions, by sqlglot's node or by name, alike in all dialects. Laws are not used for
a function that has no forward value in a dialect."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.clickhouse_values import KINDS
from prunescope.collectors.sql.constants.days import NODES
from prunescope.collectors.sql.constants.values import Whole, is_int
from prunescope.collectors.sql.functions import beginnings, patterns
from prunescope.collectors.sql.functions.clickhouse import CLICKHOUSE
from prunescope.collectors.sql.functions.ends import zero_between
from prunescope.collectors.sql.functions.law import (
    Asked,
    Law,
    at_end,
    corners,
    monotone,
    of_one,
    rising,
)
from prunescope.collectors.sql.functions.months import by_whole_days, months
from prunescope.collectors.sql.functions.parts import made_date
from prunescope.collectors.sql.functions.reading import (
    converted,
    number_of,
    read,
    read_time,
    text_of,
    written_in,
)
from prunescope.collectors.sql.functions.spans import Span, hull, numbers_of
from prunescope.collectors.sql.functions.texts import cut, ending, length, printed, unchanged
from prunescope.collectors.sql.functions.times import formatted, part, seconds

_FIELDS = {
    "YEAR": "year",
    "ISOYEAR": "year",
    "YEAROFWEEK": "year",
    "YEAR_OF_WEEK": "year",
    "YEAROFWEEKISO": "year",
    "YOW": "year",
    "DATE": "year",
    "EPOCH": "year",
    "EPOCH_SECOND": "year",
    "EPOCH_MILLISECOND": "year",
    "EPOCH_MICROSECOND": "year",
    "EPOCH_NANOSECOND": "year",
    "YEARWEEK": "year",
    "DECADE": "year",
    "CENTURY": "year",
    "QUARTER": "quarter",
    "MONTH": "month",
    "WEEK": "week",
    "WEEK_FROM_SUNDAY": "week of the year",
    "ISOWEEK": "week",
    "WEEKISO": "week",
    "WEEK_OF_YEAR": "week",
    "DAY": "day",
    "DAYOFMONTH": "day",
    "DAY_OF_MONTH": "day",
    "DOY": "day of year",
    "DAYOFYEAR": "day of year",
    "DAY_OF_YEAR": "day of year",
    "DOW_ISO": "from Monday",
    "DAYOFWEEK_ISO": "from Monday",
    "DAYOFWEEKISO": "from Monday",
    "ISODOW": "from Monday",
    "DAY_OF_WEEK": "from Monday",
    "HOUR": "hour",
    "MINUTE": "minute",
    "SECOND": "second",
}
"""The parts that EXTRACT names. `year` stands for all parts that rise without end."""


def _shifted(asked: Asked, span: Span) -> Span | None:
    """The law of right shifts, for numbers of one sign: some engines fill with zeros."""
    ends = numbers_of(span)
    if ends is None or ends[0] < 0 <= ends[1]:
        return None
    return monotone(asked, [span], {"this": 1, 0: 1})


def _extracted(asked: Asked, spans: Sequence[Span]) -> Span | None:
    return _of_field(asked, spans, asked.expression.name.upper())


def _named_part(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of date_part(), whose first argument is the name of a part."""
    name = asked.constant(0)
    return _of_field(asked, spans, name.upper()) if isinstance(name, str) else None


def _of_field(asked: Asked, spans: Sequence[Span], name: str) -> Span | None:
    if name == "WEEK" and asked.session.dialect == "bigquery":
        name = "WEEK_FROM_SUNDAY"
    if name == "SECOND":
        return seconds(asked, spans)
    if name in ("DOW", "DAYOFWEEK", "WEEKDAY"):
        return _day_of_week(asked, spans)
    known = _FIELDS.get(name)
    return None if known is None else part(known)(asked, spans)


def _day_of_week(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of days of the week, numbered from the day that the number of a Sunday implies."""
    sunday = asked.value(_SUNDAY)
    for name, number in _SUNDAYS.items():
        if sunday == number:
            return part(name)(asked, spans)
    return None


_SUNDAY = dt.date(2023, 1, 1)
_SUNDAYS = {"from Monday": 7, "from Sunday": 1, "after Monday": 6, "after Sunday": 0}
"""Numbers of Sundays in the ways to count days of weeks."""


def _absolute(asked: Asked, span: Span) -> Span | None:
    """The law of abs(), which falls up to 0 and rises from there."""
    ends = numbers_of(span)
    if ends is None:
        return None
    if ends[0] >= 0 or ends[1] <= 0:
        return monotone(asked, [span], {"this": 1 if ends[0] >= 0 else -1})
    zero = zero_between(*ends)
    if zero is None:
        return None
    found = hull(at_end(asked, [value]) for value in (*ends, zero))
    return None if found is None else found.or_null(span.null)


def _remainder(asked: Asked, span: Span) -> Span | None:
    """The law of remainders by a whole number, which rise between its multiples."""
    if asked.names[0] not in ("this", 0):
        return None
    by = asked.constant("expression" if asked.names[0] == "this" else 1)
    if not is_int(by) or by <= 0 or not is_int(span.low) or not is_int(span.high):
        return None
    low, high = asked.value(span.low), asked.value(span.high)
    if low is None or high is None:
        return None
    if span.low >= 0 and span.low // by == span.high // by:
        return Span(low, high, null=span.null)
    least = 0 if span.low >= 0 or asked.expression.name == "pmod" else 1 - by
    if isinstance(low, Whole):
        return Span(Whole(least, low.bits), Whole(by - 1, low.bits), null=span.null)
    return Span(least, by - 1, null=span.null)


def _moved(law: Law) -> Law:
    """The law of times that are moved on a clock. The result is not monotone at a gap of the clock:
    a skipped reading becomes a later moment than readings after the gap."""

    def moved(asked: Asked, spans: Sequence[Span]) -> Span | None:
        found = law(asked, spans)
        if found is None or all(span.is_point for span in spans):
            return found
        low, high = found.low, found.high
        if not isinstance(low, Timestamp) or not isinstance(high, Timestamp) or not low.zoned:
            return found
        first, last = asked.clocks.beside_skipped(low.nanos, high.nanos)
        return replace(found, low=replace(low, nanos=first), high=replace(high, nanos=last))

    return moved


_RISING = rising("this", 0)
_SUM = by_whole_days(_moved(rising("this", "expression")))
_DIFFERENCE = by_whole_days(_moved(rising("this", falling=("expression",))))


def _elapsed(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of time differences, which rise with the later time; unknown beyond all calendars,
    where the numbers of some engines wrap around."""
    return None if any(span.is_cut for span in spans) else _DIFFERENCE(asked, spans)


_SECOND = Timestamp(1_000_000_000, zoned=False)
_MILLISECONDS = 1_000


def _milliseconds(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of millisecond(), which in DuckDB includes the seconds of the minute."""
    is_of_minute = asked.value(_SECOND) == _MILLISECONDS
    return part("milliseconds of the minute" if is_of_minute else "millisecond")(asked, spans)


LAWS: Mapping[type[exp.Expr] | str, Law] = {
    **{node: part(name) for node, name in NODES.items()},
    **CLICKHOUSE,
    exp.YearOfWeekIso: part("year of week"),
    exp.Week: part("week"),
    exp.Extract: _extracted,
    "date_part": _named_part,
    exp.DayOfWeek: _day_of_week,
    "weekday": _day_of_week,
    "millisecond": _milliseconds,
    exp.Add: _SUM,
    exp.Sub: _DIFFERENCE,
    exp.Mul: corners,
    exp.Div: corners,
    exp.IntDiv: corners,
    **dict.fromkeys((exp.Mod, "pmod", "moduloorzero"), of_one(_remainder)),
    exp.Abs: of_one(_absolute),
    **dict.fromkeys(
        (
            *(exp.BitwiseRightShift, "bitwise_right_shift", "bitwise_right_shift_arithmetic"),
            "bitshiftright",
        ),
        of_one(_shifted),
    ),
    **dict.fromkeys((exp.Neg, exp.Negative), rising(falling=("this",))),
    **dict.fromkeys(
        (
            exp.Floor,
            exp.Ceil,
            exp.Round,
            exp.Trunc,
            exp.DateTrunc,
            exp.DatetimeTrunc,
            exp.TimeSlice,
            exp.LastDay,
            exp.NextDay,
            exp.PreviousDay,
            exp.UnixDate,
            exp.UnixSeconds,
            exp.UnixMillis,
            exp.UnixMicros,
            exp.TimeToUnix,
            exp.UnixToTime,
            exp.DateFromUnixDate,
            exp.TimeStrToTime,
            exp.AtTimeZone,
            exp.FromTimeZone,
            exp.Paren,
            "timestamp_seconds",
            "timestamp_millis",
            "timestamp_micros",
            "from_unixtime_nanos",
            "at_timezone",
            "with_timezone",
            "to_timestamp_ntz",
            "positive",
            "to_milliseconds",
            exp.StrToUnix,
            exp.WidthBucket,
            exp.Sign,
            exp.Timestamp,
            exp.Datetime,
            exp.TsOrDsToTimestamp,
            exp.TsOrDsToDatetime,
            exp.TimestampFromParts,
            "bround",
            "timestamp_bucket",
            "epoch_us",
            "epoch_ns",
            "make_timestamp_ms",
            "date_bucket",
            "datetime_bucket",
            "isoyear",
            "yearweek",
            "decade",
            "century",
            "yow",
        ),
        _RISING,
    ),
    exp.ConvertTimezone: rising("timestamp"),
    **dict.fromkeys(
        (
            exp.AddMonths,
            exp.DateAdd,
            exp.TsOrDsAdd,
            exp.DateBin,
            exp.TimestampAdd,
            exp.DatetimeAdd,
        ),
        _SUM,
    ),
    **dict.fromkeys((exp.DateSub, exp.TimestampSub, exp.DatetimeSub), _DIFFERENCE),
    **dict.fromkeys((exp.DateDiff, exp.TimestampDiff, exp.DatetimeDiff), _elapsed),
    **dict.fromkeys(("age", "date_sub"), rising(2, falling=(1,))),
    exp.MonthsBetween: of_one(months),
    **dict.fromkeys((exp.DateFromParts, "make_date", "makedate", "makedate32"), made_date),
    **dict.fromkeys((exp.Cast, exp.TryCast), of_one(converted)),
    **dict.fromkeys(
        (exp.Date, exp.TsOrDsToDate, exp.FromISO8601Date, exp.TimestampTrunc), of_one(read_time)
    ),
    **dict.fromkeys((exp.TimeToStr, "format_datetime"), of_one(formatted)),
    exp.ToChar: of_one(written_in),
    **dict.fromkeys(("tostring", "to_iso8601"), of_one(text_of)),
    **dict.fromkeys(
        (
            *(exp.ToNumber, "accuratecastornull"),
            *(f"to{name}{suffix}" for name in KINDS for suffix in ("", "ornull")),
        ),
        of_one(number_of),
    ),
    **dict.fromkeys(
        (
            exp.StrToTime,
            exp.StrToDate,
            exp.ParseDatetime,
            exp.FromISO8601Timestamp,
            "try_strptime",
            "try_to_timestamp",
            "try_to_date",
        ),
        of_one(read),
    ),
    **dict.fromkeys((exp.Substring, exp.Left), of_one(cut)),
    exp.Right: of_one(ending),
    **dict.fromkeys((exp.Lower, exp.Upper, "lowerutf8"), of_one(unchanged)),
    exp.Trim: of_one(unchanged),
    exp.Replace: of_one(beginnings.replaced),
    exp.Pad: of_one(beginnings.filled),
    exp.Reverse: of_one(beginnings.turned),
    exp.SplitPart: of_one(beginnings.part),
    exp.SubstringIndex: of_one(beginnings.before),
    **dict.fromkeys((exp.Split, exp.RegexpSplit), of_one(beginnings.parts)),
    exp.Bracket: of_one(beginnings.element),
    exp.StrPosition: of_one(beginnings.found_at),
    **dict.fromkeys(
        (
            *(exp.Like, exp.StartsWith, exp.EndsWith, exp.Contains),
            *(exp.RegexpLike, exp.RegexpFullMatch, exp.SimilarTo, exp.Glob),
        ),
        of_one(patterns.matched),
    ),
    exp.RegexpExtract: of_one(patterns.extracted),
    exp.Length: of_one(length),
    **dict.fromkeys((exp.Format, "printf"), printed),
}


def law_of(expression: exp.Expr) -> Law | None:
    """The law of a call; None if it has none."""
    if isinstance(expression, exp.Anonymous):
        return LAWS.get(str(expression.this).lower())
    return LAWS.get(type(expression))
