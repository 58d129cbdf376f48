"""Sets of values of columns, and of rows, as the files of forms write them.

    rows    = box { " | " box }                    matched by any of these
    box     = column " in " set { " & " … }        columns that are not named may be anything
    set     = part { ", " part }
    part    = range | "{" [ value { ", " value } ] "}"
    range   = ("[" | "(") (value | "-inf") ", " (value | "inf") ("]" | ")")

A value is written by the type of its column: `2024-03-01`, `2024-03-01 10:30` (in UTC for
`timestamptz`), `-5`, `2.45`, `'text'` (with `''` for a quote), `null` (among braces).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

Value: TypeAlias = Any
Row: TypeAlias = Mapping[str, Value]

_LITERAL = r"(?:'(?:[^']|'')*'|[^\s,'\[\](){}|&][^,'\[\](){}|&]*)"
_RANGE = re.compile(rf"([\[(])\s*({_LITERAL}),\s*({_LITERAL})([\])])")
_POINTS = re.compile(rf"\{{\s*((?:{_LITERAL}(?:,\s*{_LITERAL})*)?)\s*\}}")
_AXIS = re.compile(r"\s*(\w+) in ")
_NEXT_PART = re.compile(r"\s*,\s*")
_NEXT_AXIS = re.compile(r"\s*([&|])")


@dataclass(frozen=True)
class Interval:
    """Values between two bounds, each None where there is none."""

    low: Value
    high: Value
    has_low: bool
    has_high: bool

    def __contains__(self, value: Value) -> bool:
        if self.low is not None and (value < self.low or (value == self.low and not self.has_low)):
            return False
        return self.high is None or value < self.high or (value == self.high and self.has_high)


@dataclass(frozen=True)
class ValueSet:
    """Values of a column, of which null may be one."""

    intervals: tuple[Interval, ...]
    has_null: bool

    def __contains__(self, value: Value) -> bool:
        if value is None:
            return self.has_null
        return any(value in interval for interval in self.intervals)

    @property
    def bounds(self) -> frozenset[Value]:
        """The bounds of the intervals, each once."""
        bounds = {bound for interval in self.intervals for bound in (interval.low, interval.high)}
        return frozenset(bounds - {None})


@dataclass(frozen=True)
class Box:
    """Rows whose columns have values of these sets."""

    axes: Mapping[str, ValueSet]

    def __contains__(self, row: Row) -> bool:
        return all(row[column] in values for column, values in self.axes.items())


def shown(row: Row) -> str:
    """The row as text, each value as `str` writes it."""
    return ", ".join(f"{name} = {str(value)!r}" for name, value in row.items())


def value_of(text: str, type_name: str) -> Value:
    """The value that `text` writes, of an Iceberg type.

    Raises:
        ValueError: no value of the type is written so.
    """
    if text == "null":
        return None
    parse = _PARSERS[type_name.partition("(")[0]]
    return parse(text)


def parse_boxes(text: str, columns: Mapping[str, str]) -> tuple[Box, ...]:
    """The boxes that `text` writes, of columns with these Iceberg types.

    Raises:
        ValueError: the text is not of the grammar above.
    """
    boxes: list[dict[str, ValueSet]] = [{}]
    at = 0
    while True:
        axis = _AXIS.match(text, at)
        if axis is None or axis[1] not in columns:
            raise ValueError(f"no column at {text[at:]!r} of {text!r}")
        boxes[-1][axis[1]], at = _parse_set(text, axis.end(), columns[axis[1]])
        sign = _NEXT_AXIS.match(text, at)
        if sign is None:
            break
        at = sign.end()
        if sign[1] == "|":
            boxes.append({})
    if text[at:].strip():
        raise ValueError(f"unread {text[at:]!r} of {text!r}")
    return tuple(Box(axes) for axes in boxes)


def _parse_set(text: str, start: int, type_name: str) -> tuple[ValueSet, int]:
    """A set of a column's values, and where it ends."""
    intervals: list[Interval] = []
    has_null = False
    at = start
    while True:
        if between := _RANGE.match(text, at):
            low, high = (_bound(between[group], type_name) for group in (2, 3))
            intervals.append(Interval(low, high, between[1] == "[", between[4] == "]"))
            at = between.end()
        elif points := _POINTS.match(text, at):
            values = [value_of(item, type_name) for item in _literals(points[1])]
            has_null |= None in values
            intervals += [Interval(v, v, True, True) for v in values if v is not None]
            at = points.end()
        else:
            raise ValueError(f"no set at {text[at:]!r} of {text!r}")
        comma = _NEXT_PART.match(text, at)
        if comma is None:
            return ValueSet(tuple(intervals), has_null), at
        at = comma.end()


def _literals(text: str) -> list[str]:
    return [item.strip() for item in re.findall(_LITERAL, text)]


def _bound(text: str, type_name: str) -> Value:
    literal = text.strip()
    return None if literal in {"-inf", "inf"} else value_of(literal, type_name)


def _text(literal: str) -> str:
    if len(literal) < 2 or not (literal.startswith("'") and literal.endswith("'")):
        raise ValueError(f"a text needs quotes: {literal}")
    return literal[1:-1].replace("''", "'")


_PARSERS: Mapping[str, Callable[[str], Value]] = {
    "date": date.fromisoformat,
    "decimal": Decimal,
    "double": float,
    "int": int,
    "long": int,
    "string": _text,
    "timestamp": datetime.fromisoformat,
    "timestamptz": datetime.fromisoformat,
}
