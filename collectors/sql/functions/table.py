"""The table of functions by dialect: a row has the value of a call and the law of its values. Those
of Spark 4.1 and Trino 483 were compared with these; those of engines that were not compared are
here if their documentation leaves no doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

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
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.bigquery import BIGQUERY
from prunescope.collectors.sql.functions.choices import CHOICES
from prunescope.collectors.sql.functions.clickhouse import CLICKHOUSE
from prunescope.collectors.sql.functions.duckdb import DUCKDB
from prunescope.collectors.sql.functions.law import rising
from prunescope.collectors.sql.functions.laws import (
    BEFORE,
    CUT,
    ELAPSED,
    ENDING,
    EXTRACTED,
    EXTRACTED_TEXT,
    FALLING,
    FILLED,
    FORMATTED,
    MATCHED,
    MONTHS,
    PLACE,
    READ,
    READ_TIME,
    REMAINDER,
    RISING,
    SHIFTED,
    SPLIT,
    SPLIT_PART,
    SUM,
    TEXT,
)
from prunescope.collectors.sql.functions.operations import OPERATIONS
from prunescope.collectors.sql.functions.parts import made_date
from prunescope.collectors.sql.functions.row import Function, Functions, Row, Rows, null_of_failure
from prunescope.collectors.sql.functions.shared import BOTH, EVERYWHERE, MADE_TIME, SAFE, part_row
from prunescope.collectors.sql.functions.snowflake import SNOWFLAKE
from prunescope.collectors.sql.functions.texts import printed

DOCUMENTED: Mapping[str, Functions] = {
    "clickhouse": CLICKHOUSE,
    "bigquery": BIGQUERY,
    "snowflake": SNOWFLAKE,
    "duckdb": DUCKDB,
    **{name: {exp.RegexpLike: EVERYWHERE[exp.RegexpLike]} for name in ("postgres", "redshift")},
    "dremio": {
        exp.LastDay: Function(days.last_day, law=RISING),
        exp.Pow: Function(calls.power, ("this", "expression")),
        "to_date": Function(epochs.read_day_by_name, ("this", "format")),
        "to_timestamp": Function(epochs.read_moment_by_name, ("this", "format")),
    },
}


_COMMON: Functions = {
    **EVERYWHERE,
    exp.Extract: Function(days.extracted, ("expression",), frozenset({"this"}), law=EXTRACTED),
    exp.LastDay: Function(days.last_day, ignored=frozenset({"unit"}), law=RISING),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format"), law=FORMATTED),
    exp.StrToTime: Function(epochs.read_moment, ("this", "format"), law=READ),
    exp.Pad: Function(
        texts.padded,
        ("this", "expression", "fill_pattern"),
        frozenset({"is_left"}),
        most_lacking=1,
        law=FILLED,
    ),
    exp.Translate: Function(texts.translated, ("this", "from_", "to")),
    exp.StrPosition: Function(
        texts.place, ("this", "substr", "position"), most_lacking=1, law=PLACE
    ),
    exp.Format: Function(texts.printed, ("this", "expressions"), takes_null=True, law=printed),
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
    exp.SplitPart: Function(arrays.split_part, ("this", "delimiter", "part_index"), law=SPLIT_PART),
    exp.RegexpReplace: Function(patterns.replaced, ("this", "expression", "replacement")),
    exp.RegexpExtract: Function(
        patterns.extracted,
        ("this", "expression", "group"),
        frozenset({"null_if_pos_overflow"}),
        law=EXTRACTED_TEXT,
    ),
    exp.JSONExtractScalar: Function(json_scalars.scalar, ignored=frozenset({"expression"})),
}
_SPARK: Functions = {
    **_COMMON,
    exp.AddMonths: Function(days.add_months, BOTH, law=SUM),
    exp.NextDay: Function(days.next_day, BOTH, law=RISING),
    exp.DateDiff: Function(differences.days_between, BOTH, law=ELAPSED),
    exp.TimestampDiff: Function(
        differences.whole_units, BOTH, frozenset({"unit"}), bits=64, law=ELAPSED
    ),
    exp.MonthsBetween: Function(
        differences.months_between, BOTH, frozenset({"roundoff"}), law=MONTHS
    ),
    exp.TimestampFromParts: MADE_TIME,
    exp.ConvertTimezone: Function(
        epochs.converted, ("source_tz", "target_tz", "timestamp"), law=rising("timestamp")
    ),
    exp.EndsWith: Function(texts.ends, BOTH, law=MATCHED),
    exp.Contains: Function(texts.holds, BOTH, law=MATCHED),
    "try_to_timestamp": Function(
        null_of_failure(epochs.read_moment_by_name), ("this", "format"), law=READ
    ),
    "try_to_date": Function(null_of_failure(epochs.read_day_by_name), ("this", "format"), law=READ),
    exp.UnixDate: Function(days.days_of, law=RISING),
    exp.DateFromUnixDate: Function(days.of_days, law=RISING),
    exp.DayOfWeek: part_row("from Sunday"),
    "weekday": part_row("after Monday"),
    exp.MakeInterval: Function(
        intervals.make_interval,
        ("year", "month", "week", "day", "hour", "minute", "second"),
        most_lacking=7,
    ),
    "make_dt_interval": Function(
        intervals.make_day_time, ("days", "hours", "minutes", "seconds"), most_lacking=4
    ),
    "make_ym_interval": Function(intervals.make_year_month, ("years", "months"), most_lacking=2),
    "positive": Function(calls.unchanged, law=RISING),
    exp.Negative: Function(calls.negated, law=FALLING),
    "bround": Function(calls.rounded_to_even, law=RISING),
    **SAFE,
    exp.BitwiseRightShift: Function(bits.shifted_right, BOTH, law=SHIFTED),
    exp.BitwiseLeftShift: Function(bits.shifted_left, BOTH),
    exp.Dayname: Function(days.named("short day name"), ignored=frozenset({"abbreviated"})),
    exp.Monthname: Function(days.named("short month name"), ignored=frozenset({"abbreviated"})),
    "pmod": Function(calls.positive_remainder, ("value", "divisor"), law=REMAINDER),
    "make_date": Function(days.make_date, ("year", "month", "day"), law=made_date),
    exp.TsOrDsToDate: Function(
        epochs.read_day, ignored=frozenset({"format", "safe"}), law=READ_TIME
    ),
    # An implicit cast, as sqlglot writes it.
    exp.TimeStrToTime: Function(calls.unchanged, law=RISING),
    exp.StrToUnix: Function(
        epochs.unix_timestamp, ignored=frozenset({"format"}), bits=64, law=RISING
    ),
    exp.UnixToStr: Function(epochs.seconds_text, ignored=frozenset({"format"})),
    exp.UnixSeconds: Function(epochs.units(1_000_000_000), bits=64, law=RISING),
    exp.UnixMillis: Function(epochs.units(1_000_000), bits=64, law=RISING),
    exp.UnixMicros: Function(epochs.units(1_000), bits=64, law=RISING),
    "timestamp_seconds": Function(epochs.of_units(1_000_000_000), law=RISING),
    "timestamp_millis": Function(epochs.of_units(1_000_000), law=RISING),
    "timestamp_micros": Function(epochs.of_units(1_000), law=RISING),
    exp.AtTimeZone: Function(epochs.from_utc, ("this", "zone"), law=RISING),
    exp.FromTimeZone: Function(epochs.to_utc, ("this", "zone"), law=RISING),
    exp.Left: Function(texts.beginning, BOTH, law=CUT),
    exp.Right: Function(texts.ending, BOTH, law=ENDING),
    exp.Repeat: Function(texts.repeated, ("this", "times")),
    exp.Space: Function(texts.spaces),
    exp.Initcap: Function(texts.titled, ignored=frozenset({"expression"})),
    "btrim": Function(texts.trimmed, BOTH, most_lacking=1),
    "printf": Function(texts.printed, ("this", "expressions"), takes_null=True, law=printed),
    exp.MD5: Function(encodings.digest("md5")),
    exp.SHA2: Function(encodings.sha2, ("this", "length")),
    exp.Ascii: Function(encodings.code),
    exp.RegexpSplit: Function(patterns.split, BOTH, law=SPLIT),
    exp.SubstringIndex: Function(arrays.before, ("this", "delimiter", "count"), law=BEFORE),
}
_TRINO: Functions = {
    **_COMMON,
    exp.DateDiff: Function(
        differences.whole_units_of_trino, BOTH, frozenset({"unit"}), law=ELAPSED
    ),
    "millisecond": part_row("millisecond"),
    "bitwise_right_shift": Function(bits.filled_right, BOTH, law=SHIFTED),
    "bitwise_right_shift_arithmetic": Function(bits.shifted_right, BOTH, law=SHIFTED),
    "bitwise_left_shift": Function(bits.shifted_left, BOTH),
    exp.WidthBucket: Function(
        bits.width_bucket, ("this", "min_value", "max_value", "num_buckets"), law=RISING
    ),
    exp.Trunc: Function(bits.cut, ("this",), law=RISING),
    "to_iso8601": Function(days.iso_text, law=TEXT),
    "yow": part_row("year of week"),
    "format_datetime": Function(epochs.formatted, ("this", "format"), law=FORMATTED),
    exp.TimeToUnix: Function(epochs.to_unixtime, law=RISING),
    exp.UnixToTime: Function(epochs.of_seconds, ("this", "zone"), most_lacking=1, law=RISING),
    "from_unixtime_nanos": Function(epochs.of_units(1, 9), law=RISING),
    exp.FromISO8601Timestamp: Function(epochs.of_iso_text, law=READ),
    exp.FromISO8601TimestampNanos: Function(epochs.of_iso_text_in_nanoseconds),
    exp.ParseDatetime: Function(epochs.read_zoned_moment, ("this", "format"), law=READ),
    exp.AtTimeZone: Function(epochs.at_zone, ("this", "zone"), law=RISING),
    "at_timezone": Function(epochs.at_zone, ("this", "zone"), law=RISING),
    "with_timezone": Function(epochs.with_zone, ("this", "zone"), law=RISING),
    "to_milliseconds": Function(epochs.milliseconds, law=RISING),
    "parse_duration": Function(epochs.duration),
    "nan": Function(calls.nan, ()),
    "infinity": Function(calls.infinity, ()),
    exp.MD5Digest: Function(encodings.digest("md5")),
    exp.SHA2Digest: Function(encodings.sha2, ("this", "length")),
    "codepoint": Function(encodings.code, bits=32),
    exp.Split: Function(arrays.split, BOTH, law=SPLIT),
}


def functions_of(name: str) -> Functions:
    """The functions of the dialect with this name in sqlglot, without forms."""
    dialect = dialect_of(name)
    if dialect.has_joda_time:
        return _TRINO
    if dialect.has_java_time:
        return _SPARK
    return EVERYWHERE if dialect.is_measured else DOCUMENTED.get(name, {})


@cache
def rows_of(name: str) -> Rows:
    """The table of the dialect with this name in sqlglot."""
    functions = functions_of(name)
    forms = {**OPERATIONS, **CHOICES}
    both = {key: replace(form, otherwise=functions.get(key)) for key, form in forms.items()}
    return {**functions, **both}


def key_of(expression: exp.Expr) -> type[exp.Expr] | str:
    """The key of an expression in tables."""
    is_named = isinstance(expression, exp.Anonymous)
    return str(expression.this).lower() if is_named else type(expression)


def row_of(expression: exp.Expr, dialect: str) -> Row | None:
    """The row of an expression in the table of a dialect; None if it is not known."""
    return rows_of(dialect).get(key_of(expression))
