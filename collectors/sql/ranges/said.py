"""Boxes of a column's values as a predicate of the column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from collectors.predicates.operators import Op
from collectors.sql.ranges.boxes import Axis, Box, Place

MOST_RANGES = 64
"""Ranges of one condition: more of them are joined where they are closest."""


def predicate_of(boxes: Sequence[Box], axis: Axis, column: Column, *, is_number: bool) -> Predicate:
    """The condition that a column is in one of the boxes."""
    parts = [_within(box, axis, column, is_number=is_number) for box in boxes]
    return any_of(*parts) if parts else FALSE


def _within(box: Box, axis: Axis, column: Column, *, is_number: bool) -> Predicate:
    def compared(op: Op, place: Place) -> Predicate:
        return Comparison(op, column, (axis.literal(place),))

    start, end = box.start, box.end
    if box.is_single:
        return compared(Op.EQ, start)
    parts = []
    if isinstance(start, str) and start.endswith("\0"):
        parts.append(compared(Op.GT, start[:-1]))
    elif start != axis.whole.start:
        parts.append(compared(Op.GT_EQ, start))
    if end is not None and end != axis.whole.end:
        if isinstance(end, str) and end.endswith("\0"):
            parts.append(compared(Op.LT_EQ, end[:-1]))
        elif is_number and isinstance(end, int):
            parts.append(compared(Op.LT_EQ, end - 1))
        else:
            parts.append(compared(Op.LT, end))
    return all_of(*parts)


def coarser(boxes: Sequence[Box], most: int = MOST_RANGES) -> tuple[Box, ...]:
    """At most `most` boxes, the closest of them joined."""
    found = [*boxes]
    while len(found) > most:
        gaps = [(_gap(one, other), place) for place, (one, other) in enumerate(pairwise(found))]
        _, place = min(gaps)
        found[place : place + 2] = [Box(found[place].start, found[place + 1].end)]
    return tuple(found)


def _gap(one: Box, other: Box) -> int:
    if isinstance(one.end, int) and isinstance(other.start, int):
        return other.start - one.end
    return 0
