"""Functions of constants in DuckDB, as 2.0 was seen to compute them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

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
    patterns,
    texts,
)
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.clocks import in_one_type
from prunescope.collectors.sql.constants.values import Folded, is_int, not_constant
from prunescope.collectors.sql.functions.laws import (
    AGE,
    MATCHED,
    NAMED_PART,
    READ,
    RISING,
    SHIFTED,
    SPLIT_PART,
    SUM,
)
from prunescope.collectors.sql.functions.row import Function, Functions, null_of_failure
from prunescope.collectors.sql.functions.shared import BOTH, DOCUMENTED_TIMES, part_row
from prunescope.collectors.sql.functions.texts import printed
from prunescope.collectors.sql.functions.times import part

_NANOS = {"": NANOS_PER_SECOND, "3": 1_000_000, "6": 1_000}
"""Nanoseconds of the units from which a time is made, by the scale of its node."""


def _reading(call: Call, value: Folded) -> int:
    """The clock reading at a date or time without zone, in nanoseconds since 1970-01-01."""
    found, _ = in_one_type(value, value, call.session)
    if found.zoned:
        raise not_constant()
    return found.nanos


def _count(length: int) -> Callable[[Call, Folded], int]:
    """epoch_ms() and the like of a time without zone, in units of `length` nanoseconds."""

    def of(call: Call, value: Folded) -> int:
        return _reading(call, value) // length

    return of


def _seconds(call: Call, value: Folded) -> float:
    """epoch()."""
    return _reading(call, value) // 1_000 / 1e6


def _milliseconds(call: Call, value: Folded) -> int:
    """millisecond(): the milliseconds of the minute, including its seconds."""
    return _reading(call, value) // 1_000_000 % 60_000


def _of_milliseconds(_call: Call, count: Folded) -> Timestamp:
    """make_timestamp_ms()."""
    if not is_int(count):
        raise not_constant()
    date_of(count * _NANOS["3"])
    return Timestamp(count * _NANOS["3"], zoned=False)


def _of_units(call: Call, count: Folded) -> Timestamp | int:
    """epoch_ms() and make_timestamp() of a number, a time without zone, and to_timestamp(), a
    moment; and epoch_ms() of a time, a number."""
    scale = call.expression.text("scale")
    if isinstance(count, dt.date | Timestamp) and scale in _NANOS:
        reading, length = _reading(call, count), _NANOS[scale]
        whole = (abs(reading) + length // 2) // length  # halves away from zero
        return whole if reading >= 0 else -whole
    if not is_int(count) or scale not in _NANOS:
        raise not_constant()
    nanos = count * _NANOS[scale]
    date_of(nanos)
    return Timestamp(nanos, zoned=not scale)


_PARTS: Mapping[type[exp.Expr] | str, str] = {
    exp.Week: "week",
    exp.DayOfWeek: "after Sunday",
    "isoyear": "year of week",
    "yearweek": "year and week",
    "decade": "decade",
    "century": "century",
    "weekday": "after Sunday",
}
DUCKDB: Functions = {
    **DOCUMENTED_TIMES,
    exp.StrToTime: Function(
        epochs.read_moment, ("this", "format"), ignored=frozenset({"safe", "target_type"}), law=READ
    ),
    "date_part": Function(days.named_part, ("name", "value"), law=NAMED_PART),
    "date_sub": Function(differences.whole_units_by_name, ("unit", "start", "end"), law=AGE),
    "try_strptime": Function(
        null_of_failure(epochs.read_moment_by_name), ("this", "format"), law=READ
    ),
    "make_timestamp_ms": Function(_of_milliseconds, law=RISING),
    exp.AtTimeZone: Function(epochs.moved_to_zone, ("this", "zone"), law=RISING),
    exp.BitwiseRightShift: Function(bits.shifted_right, BOTH, law=SHIFTED),
    exp.BitwiseLeftShift: Function(bits.shifted_left, BOTH),
    "printf": Function(texts.printed, ("this", "expressions"), law=printed),
    exp.RegexpFullMatch: Function(patterns.is_of, BOTH, law=MATCHED),
    exp.SimilarTo: Function(patterns.is_of, BOTH, law=MATCHED),
    exp.Glob: Function(patterns.is_of_glob, BOTH, law=MATCHED),
    exp.Dayname: Function(days.named("day name")),
    exp.Monthname: Function(days.named("month name")),
    **{node: part_row(name) for node, name in _PARTS.items()},
    exp.DateBin: Function(
        buckets.on_clock_of_utc(buckets.FROM_2000),
        ("this", "expression", "unit"),
        most_lacking=1,
        law=SUM,
    ),
    exp.TimeToUnix: Function(_seconds, law=RISING),
    "millisecond": Function(_milliseconds, law=part("milliseconds of the minute")),
    exp.UnixToTime: Function(_of_units, ignored=frozenset({"scale"}), law=RISING),
    "epoch_us": Function(_count(1_000), bits=64, law=RISING),
    "epoch_ns": Function(_count(1), bits=64, law=RISING),
    exp.SplitPart: Function(arrays.split_part, ("this", "delimiter", "part_index"), law=SPLIT_PART),
}
"""DuckDB's functions, by sqlglot's node or by name."""
