"""The known functions of constants, by dialect, and by sqlglot's node or by name. Those of Spark
4.1 and Trino 483 were compared with these; those of engines that were not compared are here if
their documentation leaves no doubt."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from prunescope.collectors.sql.constants import (
    arrays,
    bits,
    calls,
    days,
    differences,
    encodings,
    epochs,
    intervals,
    json_scalars,
    patterns,
    texts,
)
from prunescope.collectors.sql.constants.bigquery import BIGQUERY
from prunescope.collectors.sql.constants.branches import certain
from prunescope.collectors.sql.constants.call import Fold, Function, null_of_failure
from prunescope.collectors.sql.constants.choices import CHOICES, MAY_FAIL
from prunescope.collectors.sql.constants.clickhouse import CLICKHOUSE
from prunescope.collectors.sql.constants.duckdb import DUCKDB
from prunescope.collectors.sql.constants.numbers import computed
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.shared import BOTH, EVERYWHERE, MADE_TIME, SAFE
from prunescope.collectors.sql.constants.snowflake import SNOWFLAKE
from prunescope.collectors.sql.constants.values import Folded, not_constant
from prunescope.collectors.sql.dialects import dialect_of

DOCUMENTED: Mapping[str, Mapping[type[exp.Expr] | str, Function]] = {
    "clickhouse": CLICKHOUSE,
    "bigquery": BIGQUERY,
    "snowflake": SNOWFLAKE,
    "duckdb": DUCKDB,
    **{name: {exp.RegexpLike: EVERYWHERE[exp.RegexpLike]} for name in ("postgres", "redshift")},
    "dremio": {
        exp.LastDay: Function(days.last_day),
        exp.Pow: Function(calls.power, ("this", "expression")),
        "to_date": Function(epochs.read_day_by_name, ("this", "format")),
        "to_timestamp": Function(epochs.read_moment_by_name, ("this", "format")),
    },
}


_Functions = Mapping[type[exp.Expr] | str, Function]

_COMMON: _Functions = {
    **EVERYWHERE,
    exp.Extract: Function(days.extracted, ("expression",), frozenset({"this"})),
    exp.LastDay: Function(days.last_day, ignored=frozenset({"unit"})),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format")),
    exp.StrToTime: Function(epochs.read_moment, ("this", "format")),
    exp.Pad: Function(
        texts.padded, ("this", "expression", "fill_pattern"), frozenset({"is_left"}), most_lacking=1
    ),
    exp.Translate: Function(texts.translated, ("this", "from_", "to")),
    exp.StrPosition: Function(texts.place, ("this", "substr", "position"), most_lacking=1),
    exp.Format: Function(texts.printed, ("this", "expressions"), takes_null=True),
    exp.SHA: Function(encodings.digest("sha1")),
    **dict.fromkeys((exp.Hex, exp.LowerHex), Function(encodings.hexadecimal)),
    exp.Unhex: Function(encodings.of_hexadecimal),
    exp.ToBase64: Function(encodings.base64),
    exp.FromBase64: Function(encodings.of_base64),
    exp.Encode: Function(encodings.encoded, ignored=frozenset({"charset"})),
    exp.Decode: Function(encodings.decoded, ignored=frozenset({"charset"})),
    "url_encode": Function(encodings.url_encoded),
    "url_decode": Function(encodings.url_decoded),
    exp.Chr: Function(encodings.character, ("expressions",)),
    exp.Array: Function(arrays.array, ("expressions",), refuses_null=True),
    exp.ArrayToString: Function(arrays.joined, BOTH),
    exp.SplitPart: Function(arrays.split_part, ("this", "delimiter", "part_index")),
    exp.RegexpReplace: Function(patterns.replaced, ("this", "expression", "replacement")),
    exp.RegexpExtract: Function(
        patterns.extracted,
        ("this", "expression", "group"),
        frozenset({"null_if_pos_overflow"}),
    ),
    exp.JSONExtractScalar: Function(json_scalars.scalar, ignored=frozenset({"expression"})),
}
_SPARK: _Functions = {
    **_COMMON,
    exp.AddMonths: Function(days.add_months, BOTH),
    exp.NextDay: Function(days.next_day, BOTH),
    exp.DateDiff: Function(differences.days_between, BOTH),
    exp.TimestampDiff: Function(differences.whole_units, BOTH, frozenset({"unit"}), bits=64),
    exp.MonthsBetween: Function(differences.months_between, BOTH, frozenset({"roundoff"})),
    exp.TimestampFromParts: MADE_TIME,
    exp.ConvertTimezone: Function(epochs.converted, ("source_tz", "target_tz", "timestamp")),
    exp.EndsWith: Function(texts.ends, BOTH),
    exp.Contains: Function(texts.holds, BOTH),
    "try_to_timestamp": Function(null_of_failure(epochs.read_moment_by_name), ("this", "format")),
    "try_to_date": Function(null_of_failure(epochs.read_day_by_name), ("this", "format")),
    exp.UnixDate: Function(days.days_of),
    exp.DateFromUnixDate: Function(days.of_days),
    exp.DayOfWeek: Function(days.part_of("from Sunday")),
    "weekday": Function(days.part_of("after Monday")),
    exp.MakeInterval: Function(
        intervals.make_interval,
        ("year", "month", "week", "day", "hour", "minute", "second"),
        most_lacking=7,
    ),
    "make_dt_interval": Function(
        intervals.make_day_time, ("days", "hours", "minutes", "seconds"), most_lacking=4
    ),
    "make_ym_interval": Function(intervals.make_year_month, ("years", "months"), most_lacking=2),
    "positive": Function(calls.unchanged),
    exp.Negative: Function(calls.negated),
    "bround": Function(calls.rounded_to_even),
    **SAFE,
    exp.BitwiseRightShift: Function(bits.shifted_right, BOTH),
    exp.BitwiseLeftShift: Function(bits.shifted_left, BOTH),
    exp.Dayname: Function(days.named("short day name"), ignored=frozenset({"abbreviated"})),
    exp.Monthname: Function(days.named("short month name"), ignored=frozenset({"abbreviated"})),
    "pmod": Function(calls.positive_remainder, ("value", "divisor")),
    "make_date": Function(days.make_date, ("year", "month", "day")),
    exp.TsOrDsToDate: Function(epochs.read_day, ignored=frozenset({"format", "safe"})),
    # An implicit cast, as sqlglot writes it.
    exp.TimeStrToTime: Function(calls.unchanged),
    exp.StrToUnix: Function(epochs.unix_timestamp, ignored=frozenset({"format"}), bits=64),
    exp.UnixToStr: Function(epochs.seconds_text, ignored=frozenset({"format"})),
    exp.UnixSeconds: Function(epochs.units(1_000_000_000), bits=64),
    exp.UnixMillis: Function(epochs.units(1_000_000), bits=64),
    exp.UnixMicros: Function(epochs.units(1_000), bits=64),
    "timestamp_seconds": Function(epochs.of_units(1_000_000_000)),
    "timestamp_millis": Function(epochs.of_units(1_000_000)),
    "timestamp_micros": Function(epochs.of_units(1_000)),
    exp.AtTimeZone: Function(epochs.from_utc, ("this", "zone")),
    exp.FromTimeZone: Function(epochs.to_utc, ("this", "zone")),
    exp.Left: Function(texts.beginning, BOTH),
    exp.Right: Function(texts.ending, BOTH),
    exp.Repeat: Function(texts.repeated, ("this", "times")),
    exp.Space: Function(texts.spaces),
    exp.Initcap: Function(texts.titled, ignored=frozenset({"expression"})),
    "btrim": Function(texts.trimmed, BOTH, most_lacking=1),
    "printf": Function(texts.printed, ("this", "expressions"), takes_null=True),
    exp.MD5: Function(encodings.digest("md5")),
    exp.SHA2: Function(encodings.sha2, ("this", "length")),
    exp.Ascii: Function(encodings.code),
    exp.RegexpSplit: Function(patterns.split, BOTH),
    exp.SubstringIndex: Function(arrays.before, ("this", "delimiter", "count")),
}
_TRINO: _Functions = {
    **_COMMON,
    exp.DateDiff: Function(differences.whole_units_of_trino, BOTH, frozenset({"unit"})),
    "millisecond": Function(days.part_of("millisecond")),
    "bitwise_right_shift": Function(bits.filled_right, BOTH),
    "bitwise_right_shift_arithmetic": Function(bits.shifted_right, BOTH),
    "bitwise_left_shift": Function(bits.shifted_left, BOTH),
    exp.WidthBucket: Function(bits.width_bucket, ("this", "min_value", "max_value", "num_buckets")),
    exp.Trunc: Function(bits.cut, ("this",)),
    "to_iso8601": Function(days.iso_text),
    "yow": Function(days.part_of("year of week")),
    "format_datetime": Function(epochs.formatted, ("this", "format")),
    exp.TimeToUnix: Function(epochs.to_unixtime),
    exp.UnixToTime: Function(epochs.of_seconds, ("this", "zone"), most_lacking=1),
    "from_unixtime_nanos": Function(epochs.of_units(1, 9)),
    exp.FromISO8601Timestamp: Function(epochs.of_iso_text),
    exp.FromISO8601TimestampNanos: Function(epochs.of_iso_text_in_nanoseconds),
    exp.ParseDatetime: Function(epochs.read_zoned_moment, ("this", "format")),
    exp.AtTimeZone: Function(epochs.at_zone, ("this", "zone")),
    "at_timezone": Function(epochs.at_zone, ("this", "zone")),
    "with_timezone": Function(epochs.with_zone, ("this", "zone")),
    "to_milliseconds": Function(epochs.milliseconds),
    "parse_duration": Function(epochs.duration),
    "nan": Function(calls.nan, ()),
    "infinity": Function(calls.infinity, ()),
    exp.MD5Digest: Function(encodings.digest("md5")),
    exp.SHA2Digest: Function(encodings.sha2, ("this", "length")),
    "codepoint": Function(encodings.code, bits=32),
    exp.Split: Function(arrays.split, BOTH),
}


def called(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """The value of a call; raises CannotConvert for other expressions."""
    dialect = dialect_of(session.dialect)
    is_named = isinstance(expression, exp.Anonymous)
    key = str(expression.this).lower() if is_named else type(expression)
    choose = CHOICES.get(key)
    if choose is not None and (dialect.is_measured or dialect.chooses_constants):
        chosen = choose(expression, fold if key in MAY_FAIL else certain(fold), session)
        return computed(chosen)
    function = functions_of(session.dialect).get(key)
    if function is None:
        raise not_constant()
    return computed(function.value(expression, session, fold))


_FOLDED = (
    *(exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv, exp.Cast, exp.Paren),
    *(exp.Date, exp.TsOrDsToDate, exp.FromISO8601Date, exp.DateAdd, exp.TsOrDsAdd, exp.DateSub),
    *(exp.TimestampAdd, exp.TimestampTrunc, exp.DateTrunc, exp.DatetimeTrunc, exp.Bracket),
    *(exp.Like, exp.ILike, exp.StartsWith),
)
"""Operations that have one meaning in all dialects, or of which `folding` knows those of each."""


def is_known(expression: exp.Expr, session: Session) -> bool:
    """True if the meaning of a call is known in the dialect of a session."""
    is_named = isinstance(expression, exp.Anonymous)
    key = str(expression.this).lower() if is_named else type(expression)
    is_folded = isinstance(expression, _FOLDED) or key in ("timestampadd", "to_timestamp_ntz")
    return is_folded or key in functions_of(session.dialect)


def functions_of(name: str) -> Mapping[type[exp.Expr] | str, Function]:
    """The known functions of the dialect with this name in sqlglot."""
    dialect = dialect_of(name)
    if dialect.has_joda_time:
        return _TRINO
    if dialect.has_java_time:
        return _SPARK
    return EVERYWHERE if dialect.is_measured else DOCUMENTED.get(name, {})
