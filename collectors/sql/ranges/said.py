"""Boxes of a column's values as a predicate of the column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.functions.spans import LAST
from prunescope.collectors.sql.ranges.boxes import (
    Apart,
    Axis,
    Box,
    Place,
    Values,
    after,
    distance,
    ends_of,
)

_MOST_ZEROS = 30
"""More zeros than the nanoseconds of a timestamp end with."""
MOST_RANGES = 64
"""The most ranges of one condition: beyond that, the closest ones are joined."""


def predicate_of(
    values: Values,
    axis: Axis,
    column: Column,
    told: Collection[str] = (),
    *,
    orders_nan: bool = False,
) -> Predicate:
    """The predicate that a column has one of some values. Each end of a range is written with a
    number in `told` if possible, or else in the shorter of two ways."""
    boxes, apart = values.boxes, {*values.apart}
    if boxes and boxes[-1].end == axis.whole.end:
        # A range without an end has what comes after all others.
        apart -= {Apart.LATE, Apart.NAN} if orders_nan else {Apart.LATE}
    said = _within_boxes(boxes, axis, column, told)
    if boxes == (axis.whole,) and Apart.NULL not in apart:
        said = Comparison(Op.NOT_NULL, column)
    return any_of(said, *(_is_apart(each, axis, column) for each in Apart if each in apart))


def _is_apart(apart: Apart, axis: Axis, column: Column) -> Predicate:
    match apart:
        case Apart.NULL:
            return Comparison(Op.IS_NULL, column)
        case Apart.NAN:
            return Comparison(Op.IS_NAN, column)
        case Apart.LATE:
            return Comparison(Op.GT, column, (axis.literal(ends_of(axis.whole)[1] - 1),))


def _within_boxes(
    boxes: Sequence[Box], axis: Axis, column: Column, told: Collection[str]
) -> Predicate:
    if not boxes:
        return FALSE
    missing = _missing(boxes, axis)
    if missing is not None:
        return Comparison(Op.NOT_EQ, column, (axis.literal(missing),))
    prefix = _missing_prefix(boxes, axis)
    if prefix is not None:
        return Comparison(Op.NOT_STARTS_WITH, column, (prefix,))
    if len(boxes) > 1 and all(box.is_single for box in boxes):
        return Comparison(Op.IN, column, tuple(axis.literal(box.start) for box in boxes))
    return any_of(*(_within(box, axis, column, told) for box in boxes))


def _missing_prefix(boxes: Sequence[Box], axis: Axis) -> str | None:
    """The prefix of all texts in no box, if two boxes hold exactly the other texts; None
    otherwise."""
    if len(boxes) != 2 or boxes[0].start != axis.whole.start or boxes[1].end != axis.whole.end:
        return None
    start = boxes[0].end
    if not isinstance(start, str) or not start:
        return None
    return start if boxes[1].start in _after_all(start) else None


def _missing(boxes: Sequence[Box], axis: Axis) -> Place | None:
    """The only value in no box, if two boxes hold exactly the other values; None otherwise."""
    if len(boxes) != 2 or boxes[0].start != axis.whole.start or boxes[1].end != axis.whole.end:
        return None
    end = boxes[0].end
    return end if end is not None and boxes[1].start == after(end) else None


def _within(box: Box, axis: Axis, column: Column, told: Collection[str]) -> Predicate:
    start, end = box.start, box.end
    if box.is_single:
        return Comparison(Op.EQ, column, (axis.literal(start),))
    parts = []
    if start != axis.whole.start:
        ends = [(Op.GT_EQ, start), *((Op.GT, before) for before in _before(start))]
        parts.append(_shortest(ends, axis, column, told))
    if end is not None and end != axis.whole.end:
        ends = [*((Op.LT_EQ, before) for before in _before(end)), (Op.LT, end)]
        parts.append(_shortest(ends, axis, column, told))
    return all_of(*parts)


def _after_all(start: str) -> Sequence[str]:
    """The first text after all texts with a prefix, if one of the same length exists."""
    return (start[:-1] + chr(ord(start[-1]) + 1),) if start and start[-1] < LAST else ()


def _before(place: Place) -> Sequence[Place]:
    """The value before a place, if there is a last one."""
    if isinstance(place, int):
        return (place - 1,)
    return (place[:-1],) if place.endswith("\0") else ()


def _shortest(
    ends: Sequence[tuple[Op, Place]], axis: Axis, column: Column, told: Collection[str]
) -> Comparison:
    """The comparison with one end of a range that is most like the query's, or shortest."""
    found = [Comparison(op, column, (axis.literal(place),)) for op, place in ends]

    def length(comparison: Comparison) -> tuple[bool, bool, int]:
        (value,) = comparison.values
        if isinstance(value, Timestamp):
            return False, comparison.op is Op.LT_EQ, -_zeros(value.nanos)
        # Of dates and texts, ranges end before the first that is not in them.
        if isinstance(value, dt.date):
            return False, comparison.op is Op.LT_EQ, -_MOST_ZEROS
        if isinstance(value, str):
            return False, value.endswith("\0"), 0
        text = str(value)
        is_told = text.lstrip("-").removesuffix(".0") in told
        return not is_told, False, len(text)

    return min(found, key=length)


def _zeros(nanos: int) -> int:
    """The number of trailing zeros of a number."""
    text = str(nanos)
    return len(text) - len(text.rstrip("0"))


def coarser(boxes: Sequence[Box], most: int = MOST_RANGES) -> tuple[Box, ...]:
    """At most `most` boxes: the closest ones are joined."""
    found = [*boxes]
    while len(found) > most:
        gaps = [(_gap(one, other), place) for place, (one, other) in enumerate(pairwise(found))]
        _, place = min(gaps)
        found[place : place + 2] = [Box(found[place].start, found[place + 1].end)]
    return tuple(found)


def _gap(one: Box, other: Box) -> float:
    if isinstance(one.end, int) and isinstance(other.start, int):
        return other.start - one.end
    return distance(str(one.end), str(other.start))


def shortened(values: Values, domain: Values, axis: Axis, most: int) -> Values:
    """Values in at most `most` boxes. The domain's boxes, if the gaps leave out only single values,
    and times that hardly any table has."""
    found = replace(values, boxes=coarser(values.boxes, most))
    if all(gap.is_single or axis.is_edge(gap) for gap in _gaps(found.boxes, domain.boxes)):
        return replace(values, boxes=domain.boxes)
    return found


def _gaps(boxes: Sequence[Box], domain: Sequence[Box]) -> list[Box]:
    """The gaps that boxes leave in a domain."""
    if not boxes:
        return [*domain]
    inner = [Box(one.end, other.start) for one, other in pairwise(boxes) if one.end is not None]
    first, last = Box(domain[0].start, boxes[0].start), boxes[-1].end
    rest = [] if last is None else [Box(last, domain[-1].end)]
    outside = [box for box in (first, *rest) if box.start != box.end]
    return [*outside, *(gap for gap in inner if not _lies_between(gap, domain))]


def _lies_between(gap: Box, domain: Sequence[Box]) -> bool:
    return any(gap == Box(one.end, other.start) for one, other in pairwise(domain) if one.end)
