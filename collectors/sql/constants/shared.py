"""Functions that mean the same in every dialect, or differ by the dialect's properties; by
sqlglot's nodes."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from prunescope.collectors.sql.constants import (
    arrays,
    bits,
    calls,
    days,
    differences,
    epochs,
    patterns,
    texts,
)
from prunescope.collectors.sql.constants.call import Function

BOTH = ("this", "expression")
UNIT = frozenset({"unit"})
_YEAR_TO_DAY = ("year", "month", "day")

EVERYWHERE: Mapping[type[exp.Expr] | str, Function] = {
    exp.Abs: Function(calls.absolute),
    exp.Lower: Function(texts.cased, takes_padded=True),
    exp.Upper: Function(texts.cased, takes_padded=True),
    exp.Not: Function(calls.opposite),
    exp.Pow: Function(calls.power, BOTH),
    exp.Floor: Function(calls.rounded_down),
    exp.Ceil: Function(calls.rounded_up),
    exp.Round: Function(calls.rounded, ("this", "decimals"), most_lacking=1),
    exp.Substring: Function(texts.part, ("this", "start", "length"), most_lacking=1),
    exp.Replace: Function(texts.replaced, ("this", "expression", "replacement"), most_lacking=1),
    exp.Trim: Function(texts.trimmed, BOTH, frozenset({"position"}), most_lacking=1),
    exp.Length: Function(texts.length),
    exp.StartsWith: Function(texts.begins, BOTH),
    exp.RegexpLike: Function(patterns.found, BOTH, frozenset({"full_match"})),
    exp.Reverse: Function(arrays.turned),
    exp.BitwiseAnd: Function(bits.AND, BOTH),
    exp.BitwiseOr: Function(bits.OR, BOTH),
    exp.BitwiseXor: Function(bits.XOR, BOTH),
    exp.Sign: Function(bits.sign),
    **{node: Function(days.part_of(part)) for node, part in days.NODES.items()},
}
DOCUMENTED: Mapping[type[exp.Expr] | str, Function] = {
    **EVERYWHERE,
    exp.Trunc: Function(
        bits.cut, ("this", "decimals"), frozenset({"fractions_supported"}), most_lacking=1
    ),
    exp.Pad: Function(
        texts.padded, ("this", "expression", "fill_pattern"), frozenset({"is_left"}), most_lacking=1
    ),
    exp.StrPosition: Function(texts.place, ("this", "substr"), frozenset({"clamp_position"})),
    exp.Left: Function(texts.beginning, BOTH),
    exp.Right: Function(texts.ending, BOTH),
    exp.Repeat: Function(texts.repeated, ("this", "times")),
    exp.EndsWith: Function(texts.ends, BOTH),
    exp.Contains: Function(texts.holds, BOTH),
    exp.Array: Function(arrays.array, ("expressions",), refuses_null=True),
    exp.Split: Function(arrays.split, BOTH),
    exp.DateFromParts: Function(days.make_date, _YEAR_TO_DAY),
    exp.LastDay: Function(days.last_day, ignored=UNIT),
}
"""The functions of dialects that are known from their documentation."""
SAFE: Mapping[type[exp.Expr] | str, Function] = {
    exp.SafeDivide: Function(calls.quotient_or_null, BOTH),
    exp.SafeAdd: Function(calls.result_or_null(exp.Add), BOTH),
    exp.SafeSubtract: Function(calls.result_or_null(exp.Sub), BOTH),
    exp.SafeMultiply: Function(calls.result_or_null(exp.Mul), BOTH),
}
"""Arithmetic whose errors are NULL, in Spark and BigQuery."""
MADE_TIME = Function(days.made_time, ("year", "month", "day", "hour", "min", "sec"))
DOCUMENTED_TIMES: Mapping[type[exp.Expr] | str, Function] = {
    **DOCUMENTED,
    exp.Extract: Function(days.extracted, ("expression",), frozenset({"this"})),
    exp.TimestampFromParts: MADE_TIME,
    exp.DateDiff: Function(differences.boundaries, BOTH, frozenset({"unit", "date_part_boundary"})),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format")),
}
"""Functions of DuckDB, Snowflake and BigQuery, which name parts and bounds of periods alike."""
