"""The functions of constants that are known, by dialect: for each the node that sqlglot has for it,
or its name. They are what was compared with Spark 4.1 and Trino 483."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from collectors.sql.constants import calls, days, epochs, texts
from collectors.sql.constants.call import Fold, Function
from collectors.sql.constants.choices import CHOICES
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import Folded, not_constant
from collectors.sql.dialects import Dialect, dialect_of

_Functions = Mapping[type[exp.Expr] | str, Function]
_BOTH = ("this", "expression")

_EVERYWHERE: _Functions = {
    exp.Abs: Function(calls.absolute),
    exp.Lower: Function(texts.cased),
    exp.Upper: Function(texts.cased),
    exp.Not: Function(calls.opposite),
    **dict.fromkeys(calls.HOLDS, Function(calls.compared_in, _BOTH)),
}
_PARTS: Mapping[type[exp.Expr], str] = {
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
_COMMON: _Functions = {
    **_EVERYWHERE,
    **{node: Function(days.part_of(part)) for node, part in _PARTS.items()},
    exp.Extract: Function(days.extracted, ("expression",), frozenset({"this"})),
    exp.LastDay: Function(days.last_day),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format")),
    exp.StrToTime: Function(epochs.read_moment, ("this", "format")),
    exp.Floor: Function(calls.rounded_down),
    exp.Ceil: Function(calls.rounded_up),
    exp.Pad: Function(texts.padded, ("this", "expression", "fill_pattern"), frozenset({"is_left"})),
    exp.Substring: Function(texts.part, ("this", "start", "length"), most_lacking=1),
    exp.Replace: Function(texts.replaced, ("this", "expression", "replacement")),
}
_SPARK: _Functions = {
    **_COMMON,
    exp.AddMonths: Function(days.add_months, _BOTH),
    exp.NextDay: Function(days.next_day, _BOTH),
    exp.DateDiff: Function(days.days_between, _BOTH),
    exp.UnixDate: Function(days.days_of),
    exp.DateFromUnixDate: Function(days.of_days),
    exp.DayOfWeek: Function(days.part_of("from Sunday")),
    "weekday": Function(days.part_of("after Monday")),
    "make_date": Function(days.make_date, ("year", "month", "day")),
    exp.TsOrDsToDate: Function(epochs.read_day, ignored=frozenset({"format", "safe"})),
    # An implicit cast, as sqlglot writes it.
    exp.TimeStrToTime: Function(calls.unchanged),
    exp.StrToUnix: Function(epochs.unix_timestamp, ignored=frozenset({"format"})),
    exp.UnixToStr: Function(epochs.seconds_text, ignored=frozenset({"format"})),
    exp.UnixSeconds: Function(epochs.units(1_000_000_000)),
    exp.UnixMillis: Function(epochs.units(1_000_000)),
    exp.UnixMicros: Function(epochs.units(1_000)),
    "timestamp_seconds": Function(epochs.of_units(1_000_000_000)),
    "timestamp_millis": Function(epochs.of_units(1_000_000)),
    "timestamp_micros": Function(epochs.of_units(1_000)),
    exp.AtTimeZone: Function(epochs.from_utc, ("this", "zone")),
    exp.FromTimeZone: Function(epochs.to_utc, ("this", "zone")),
    exp.Left: Function(texts.beginning, _BOTH),
}
_TRINO: _Functions = {
    **_COMMON,
    exp.DateDiff: Function(days.units_between, _BOTH, frozenset({"unit"})),
    "yow": Function(days.part_of("year of week")),
    "format_datetime": Function(epochs.formatted, ("this", "format")),
    exp.TimeToUnix: Function(epochs.to_unixtime),
    exp.UnixToTime: Function(epochs.of_seconds, ignored=frozenset({"zone"})),
    "from_unixtime_nanos": Function(epochs.of_units(1)),
    exp.FromISO8601Timestamp: Function(epochs.of_iso_text),
    exp.FromISO8601TimestampNanos: Function(epochs.of_iso_text_in_nanoseconds),
    exp.AtTimeZone: Function(epochs.at_zone, ("this", "zone")),
    "at_timezone": Function(epochs.at_zone, ("this", "zone")),
    "with_timezone": Function(epochs.with_zone, ("this", "zone")),
    "to_milliseconds": Function(epochs.milliseconds),
    "parse_duration": Function(epochs.duration),
    "nan": Function(calls.nan, ()),
    "infinity": Function(calls.infinity, ()),
    exp.Try: Function(calls.unchanged),
}


def called(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """The value of a call; raises CannotConvert for others."""
    dialect = dialect_of(session.dialect)
    choose = CHOICES.get(type(expression))
    if choose is not None and dialect.is_measured:
        return choose(expression, fold, session)
    is_named = isinstance(expression, exp.Anonymous)
    key = str(expression.this).lower() if is_named else type(expression)
    function = _functions_of(dialect).get(key)
    if function is None:
        raise not_constant()
    return function.value(expression, session, fold)


def _functions_of(dialect: Dialect) -> _Functions:
    if dialect.is_trino:
        return _TRINO
    if dialect.has_java_time:
        return _SPARK
    return _EVERYWHERE if dialect.is_measured else {}
