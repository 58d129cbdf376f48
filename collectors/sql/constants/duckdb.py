"""Functions of constants in DuckDB, as 2.0 was seen to compute them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_SECOND, date_of
from collectors.predicates.literals import Timestamp
from collectors.sql.constants import arrays, buckets, calls, days, differences, epochs, texts
from collectors.sql.constants.call import Call, Function
from collectors.sql.constants.clocks import in_one_type
from collectors.sql.constants.values import Folded, is_int, not_constant

_BOTH = ("this", "expression")
_NANOS = {"": NANOS_PER_SECOND, "3": 1_000_000, "6": 1_000}
"""Nanoseconds of the units of which a time is made, by the scale that its node has."""


def _reading(call: Call, value: Folded) -> int:
    """Returns what a clock reads at a date or time without zone, in nanoseconds since
    1970-01-01."""
    found, _ = in_one_type(value, value, call.session)
    if found.zoned:
        raise not_constant()
    return found.nanos


def _count(length: int) -> Callable[[Call, Folded], int]:
    """epoch_ms() and the like, of a time without zone: units of so many nanoseconds."""

    def of(call: Call, value: Folded) -> int:
        return _reading(call, value) // length

    return of


def _seconds(call: Call, value: Folded) -> float:
    """epoch()."""
    return _reading(call, value) // 1_000 / 1e6


def _of_units(call: Call, count: Folded) -> Timestamp:
    """epoch_ms() and make_timestamp() of a number, a time without zone, and to_timestamp(), a
    moment."""
    scale = call.expression.text("scale")
    if not is_int(count) or scale not in _NANOS:
        raise not_constant()
    nanos = count * _NANOS[scale]
    date_of(nanos)
    return Timestamp(nanos, zoned=not scale)


_PARTS: Mapping[type[exp.Expr] | str, str] = {
    **days.NODES,
    exp.Week: "week",
    exp.DayOfWeek: "after Sunday",
    "isoyear": "year of week",
    "weekday": "after Sunday",
}
DUCKDB: Mapping[type[exp.Expr] | str, Function] = {
    **{node: Function(days.part_of(part)) for node, part in _PARTS.items()},
    exp.Not: Function(calls.opposite),
    exp.Abs: Function(calls.absolute),
    exp.DateDiff: Function(
        differences.boundaries, _BOTH, frozenset({"unit", "date_part_boundary"})
    ),
    exp.DateBin: Function(
        buckets.bucketed(buckets.FROM_2000), ("this", "expression", "unit"), most_lacking=1
    ),
    exp.TimeToStr: Function(epochs.formatted, ("this", "format")),
    exp.TimeToUnix: Function(_seconds),
    exp.UnixToTime: Function(_of_units, ignored=frozenset({"scale"})),
    "epoch_us": Function(_count(1_000), bits=64),
    "epoch_ns": Function(_count(1), bits=64),
    exp.Lower: Function(texts.cased),
    exp.Upper: Function(texts.cased),
    exp.Length: Function(texts.length),
    exp.Left: Function(texts.beginning, _BOTH),
    exp.Right: Function(texts.ending, _BOTH),
    exp.Substring: Function(texts.part, ("this", "start", "length"), most_lacking=1),
    exp.StrPosition: Function(texts.place, ("this", "substr")),
    exp.StartsWith: Function(texts.begins, _BOTH),
    exp.EndsWith: Function(texts.ends, _BOTH),
    exp.Contains: Function(texts.holds, _BOTH),
    exp.Replace: Function(texts.replaced, ("this", "expression", "replacement")),
    exp.Pad: Function(texts.padded, ("this", "expression", "fill_pattern"), frozenset({"is_left"})),
    exp.Reverse: Function(arrays.turned),
    exp.SplitPart: Function(arrays.split_part, ("this", "delimiter", "part_index")),
}
"""By the nodes that sqlglot has for them, or their names."""
