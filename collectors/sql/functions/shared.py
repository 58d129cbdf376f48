"""Functions that mean the same in every dialect, or differ by the dialect's properties; by
sqlglot's nodes."""

from __future__ import annotations

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
from prunescope.collectors.sql.functions.laws import (
    ABSOLUTE,
    CUT,
    ELAPSED,
    ENDING,
    EXTRACTED,
    FILLED,
    FORMATTED,
    LENGTH,
    MATCHED,
    PLACE,
    REPLACED,
    RISING,
    SPLIT,
    TURNED,
    UNCHANGED,
)
from prunescope.collectors.sql.functions.parts import made_date
from prunescope.collectors.sql.functions.row import Function, Functions
from prunescope.collectors.sql.functions.times import part

BOTH = ("this", "expression")
UNIT = frozenset({"unit"})
_YEAR_TO_DAY = ("year", "month", "day")


def part_row(name: str) -> Function:
    """The row of a function that returns a part of dates and times."""
    return Function(days.part_of(name), law=part(name))


EVERYWHERE: Functions = {
    exp.Abs: Function(calls.absolute, law=ABSOLUTE),
    exp.Lower: Function(texts.cased, takes_padded=True, law=UNCHANGED),
    exp.Upper: Function(texts.cased, takes_padded=True, law=UNCHANGED),
    exp.Not: Function(calls.opposite),
    exp.Pow: Function(calls.power, BOTH),
    exp.Floor: Function(calls.rounded_down, law=RISING),
    exp.Ceil: Function(calls.rounded_up, law=RISING),
    exp.Round: Function(calls.rounded, ("this", "decimals"), most_lacking=1, law=RISING),
    exp.Substring: Function(texts.part, ("this", "start", "length"), most_lacking=1, law=CUT),
    exp.Replace: Function(
        texts.replaced, ("this", "expression", "replacement"), most_lacking=1, law=REPLACED
    ),
    exp.Trim: Function(texts.trimmed, BOTH, frozenset({"position"}), most_lacking=1, law=UNCHANGED),
    exp.Length: Function(texts.length, law=LENGTH),
    exp.StartsWith: Function(texts.begins, BOTH, law=MATCHED),
    exp.RegexpLike: Function(patterns.found, BOTH, frozenset({"full_match"}), law=MATCHED),
    exp.Reverse: Function(arrays.turned, law=TURNED),
    exp.BitwiseAnd: Function(bits.AND, BOTH),
    exp.BitwiseOr: Function(bits.OR, BOTH),
    exp.BitwiseXor: Function(bits.XOR, BOTH),
    exp.Sign: Function(bits.sign, law=RISING),
    **{node: part_row(name) for node, name in days.NODES.items()},
}
DOCUMENTED: Functions = {
    **EVERYWHERE,
    exp.Trunc: Function(
        bits.cut,
        ("this", "decimals"),
        frozenset({"fractions_supported"}),
        most_lacking=1,
        law=RISING,
    ),
    exp.Pad: Function(
        texts.padded,
        ("this", "expression", "fill_pattern"),
        frozenset({"is_left"}),
        most_lacking=1,
        law=FILLED,
    ),
    exp.StrPosition: Function(
        texts.place, ("this", "substr"), frozenset({"clamp_position"}), law=PLACE
    ),
    exp.Left: Function(texts.beginning, BOTH, law=CUT),
    exp.Right: Function(texts.ending, BOTH, law=ENDING),
    exp.Repeat: Function(texts.repeated, ("this", "times")),
    exp.EndsWith: Function(texts.ends, BOTH, law=MATCHED),
    exp.Contains: Function(texts.holds, BOTH, law=MATCHED),
    exp.Array: Function(arrays.array, ("expressions",), refuses_null=True),
    exp.Split: Function(arrays.split, BOTH, law=SPLIT),
    exp.DateFromParts: Function(days.make_date, _YEAR_TO_DAY, law=made_date),
    exp.LastDay: Function(days.last_day, ignored=UNIT, law=RISING),
}
"""The functions of dialects that are known from their documentation."""
SAFE: Functions = {
    exp.SafeDivide: Function(calls.quotient_or_null, BOTH),
    exp.SafeAdd: Function(calls.result_or_null(exp.Add), BOTH),
    exp.SafeSubtract: Function(calls.result_or_null(exp.Sub), BOTH),
    exp.SafeMultiply: Function(calls.result_or_null(exp.Mul), BOTH),
}
"""Arithmetic whose errors are NULL, in Spark and BigQuery."""
MADE_TIME = Function(days.made_time, ("year", "month", "day", "hour", "min", "sec"), law=RISING)
DOCUMENTED_TIMES: Functions = {
    **DOCUMENTED,
    exp.Extract: Function(days.extracted, ("expression",), frozenset({"this"}), law=EXTRACTED),
    exp.TimestampFromParts: MADE_TIME,
    exp.DateDiff: Function(
        differences.boundaries, BOTH, frozenset({"unit", "date_part_boundary"}), law=ELAPSED
    ),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format"), law=FORMATTED),
}
"""Functions of DuckDB, Snowflake and BigQuery, which name parts and bounds of periods alike."""
