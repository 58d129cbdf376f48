"""Spark's functions that are null if an operand is, as far as Spark knows when it infers
(NullIntolerant): it infers IS NOT NULL of their operands. Every function that Spark 4.1.4 has, and
can be called with a column, was asked (tests/differential/spark/functions.txt). Functions of which
3.5 or 4.0 do not infer it are left out."""

from __future__ import annotations

from sqlglot import exp

OPERATORS = (
    exp.Add, exp.Between, exp.BitwiseAnd, exp.BitwiseNot, exp.BitwiseOr, exp.BitwiseXor, exp.Date,
    exp.Div, exp.EQ, exp.Escape, exp.GT, exp.GTE, exp.IntDiv, exp.LT, exp.LTE, exp.Mod, exp.Mul,
    exp.NEQ, exp.Neg, exp.Not, exp.Paren, exp.Sub, exp.TimeStrToTime, exp.TsOrDsToTimestamp,
)  # fmt: skip

FUNCTIONS = (
    exp.Abs, exp.Acos, exp.Acosh, exp.AddMonths, exp.ArrayContains, exp.ArrayDistinct,
    exp.ArrayExcept, exp.ArrayIntersect, exp.ArrayMax, exp.ArrayMin, exp.ArrayPosition,
    exp.ArrayRemove, exp.ArraySlice, exp.Ascii, exp.Asin, exp.Asinh, exp.AtTimeZone, exp.Atan,
    exp.Atan2, exp.Atanh, exp.BitLength,
    exp.BitwiseCount, exp.BitwiseLeftShift, exp.BitwiseRightShift, exp.Bracket,
    exp.Cast, exp.Cbrt, exp.Ceil, exp.Chr, exp.Contains, exp.ConvertTimezone, exp.Cos, exp.Cosh,
    exp.Cot, exp.Csc, exp.DateDiff, exp.DateFromUnixDate, exp.Day, exp.DayOfMonth, exp.DayOfWeek,
    exp.DayOfYear, exp.Dayname, exp.Decode, exp.Degrees, exp.Encode, exp.EndsWith, exp.Exp,
    exp.Extract, exp.Factorial, exp.Floor, exp.FromBase64, exp.FromJson, exp.FromTimeZone,
    exp.Getbit, exp.Hex, exp.Hour, exp.ILike, exp.Initcap, exp.JSONFormat,
    exp.LastDay, exp.Left, exp.Length, exp.Levenshtein, exp.Like, exp.Ln, exp.Log, exp.Lower,
    exp.MD5, exp.MakeInterval, exp.MapContainsKey, exp.Minute, exp.Month, exp.Monthname,
    exp.MonthsBetween, exp.Negative, exp.NextDay, exp.Pad, exp.ParseJSON, exp.Pow,
    exp.Quarter, exp.Radians, exp.RegexpExtract, exp.RegexpExtractAll, exp.RegexpInstr,
    exp.RegexpLike, exp.RegexpReplace, exp.RegexpSplit, exp.Repeat, exp.Replace, exp.Reverse,
    exp.Rint, exp.SHA, exp.SHA2, exp.SafeAdd, exp.SafeDivide, exp.SafeMultiply, exp.SafeSubtract,
    exp.Sec, exp.Second, exp.Sign, exp.Sin, exp.Sinh, exp.Soundex, exp.Space, exp.SplitPart,
    exp.Sqrt, exp.StartsWith, exp.StrPosition, exp.StrToMap, exp.Substring, exp.SubstringIndex,
    exp.Tan, exp.Tanh, exp.TimeToStr, exp.TimestampFromParts, exp.ToBinary,
    exp.ToChar, exp.ToNumber, exp.Translate, exp.TsOrDsAdd, exp.TsOrDsToDate, exp.Unhex,
    exp.UnixDate, exp.UnixMicros, exp.UnixMillis, exp.UnixSeconds, exp.UnixToStr, exp.Upper,
    exp.WeekOfYear, exp.WidthBucket, exp.Year,
)  # fmt: skip

_NAMED = """
    array_union arrays_overlap bin conv crc32 expm1 find_in_set format_number from_csv from_xml
    get hypot is_valid_utf8 log1p make_date make_dt_interval make_timestamp_ltz
    make_timestamp_ntz make_valid_utf8 make_ym_interval octet_length pmod positive quote regexp
    shiftrightunsigned timestamp_micros timestamp_millis timestamp_seconds to_varchar
    to_variant_object try_make_interval try_make_timestamp try_make_timestamp_ltz
    try_make_timestamp_ntz try_mod try_parse_json try_parse_url try_to_binary try_to_number
    try_url_decode try_validate_utf8 try_variant_get validate_utf8 variant_get weekday xpath
    xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short
    xpath_string to_timestamp_ltz to_timestamp_ntz try_to_date try_to_timestamp
"""
NAMED = frozenset(_NAMED.split())
"""The functions that sqlglot knows by name alone."""

_OF_ONE_OPERAND = """
    to_timestamp_ltz to_timestamp_ntz try_to_date try_to_timestamp
"""
OF_ONE_OPERAND = frozenset(_OF_ONE_OPERAND.split())
"""The functions of `NAMED` that are null-intolerant only without a format."""
