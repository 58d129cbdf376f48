"""The search: boxes of a column's values of which a condition is true of all are kept, those of which
it is true of none are dropped, and others are split."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from collectors.sql.functions.spans import NOTHING, UNKNOWN, Span
from collectors.sql.ranges.axes import Axis, Box

BUDGET = 1_000
"""Boxes that are looked at for one condition."""
_FOR_NULLS = 150
"""Boxes that are looked at to tell where a condition is null and where it is true."""
_HOPELESS = 100
"""Boxes after which none is known to be dropped, so that none will be."""


class Truth(Enum):
    """Of a condition, for all values of a box."""

    ALL = auto()
    NONE = auto()
    SOME = auto()


@dataclass(frozen=True, slots=True)
class Solution:
    """The boxes outside of which a condition is not true, in their order, and whether it is true of
    all values in them; `null` tells whether it is true of NULL, None where that is not known."""

    boxes: tuple[Box, ...]
    is_exact: bool
    null: bool | None
    is_all: bool = False
    """Whether nothing is ruled out."""


Test = Callable[[Span], Span | None]
"""The truths of a condition for values of its column."""


def solve(test: Test, axis: Axis, domain: Sequence[Box]) -> Solution:
    """What a condition leaves of a column whose values lie in a domain."""
    kept: list[tuple[Box, bool]] = []
    edges: list[Box] = []
    queue: list[tuple[int, float, int, Box]] = []
    count = 0
    for box in domain:
        heapq.heappush(queue, (0, -axis.width(box), count, box))
        count += 1
    dropped = looked = last = 0
    while queue:
        rank, _, _, box = heapq.heappop(queue)
        looked += 1
        if rank and not last:
            last = min(BUDGET, looked + _FOR_NULLS)
        found = test(axis.span(box))
        truth = truth_of(found)
        if truth is Truth.NONE:
            dropped += 1
            continue
        if truth is Truth.ALL:
            kept.append((box, True))
            continue
        if looked > (last or BUDGET) or (looked > _HOPELESS and not dropped):
            kept.append((box, False))
            continue
        at = axis.split(box)
        if at is None or _is_dark(found, test, axis, box):
            if axis.is_edge(box):
                edges.append(box)
            else:
                kept.append((box, False))
            continue
        for half in (Box(box.start, at), Box(at, box.end)):
            heapq.heappush(queue, (_rank(found), -axis.width(half), count, half))
            count += 1
    kept = _with_edges(kept, edges)
    return Solution(
        _merged(kept),
        all(is_true for _, is_true in kept),
        _null_truth(test),
        is_all=not dropped and not edges,
    )


def truth_of(found: Span | None) -> Truth:
    """What the truths of a condition say of all values."""
    found = found or UNKNOWN
    if found.is_empty or found.high is False:
        return Truth.NONE
    return Truth.ALL if found.low is True and not found.null else Truth.SOME


def _rank(found: Span | None) -> int:
    """1 for what is true or null, which is looked at once all else was."""
    return int(found is not None and not found.is_empty and found.low is True)


def _is_dark(found: Span | None, test: Test, axis: Axis, box: Box) -> bool:
    """Whether nothing is known of single values of a box, either."""
    if (found is not None and found != UNKNOWN) or axis.is_coarse(box):
        return False
    middle = axis.split(box)
    places = [box.start] if middle is None else [box.start, middle]
    ends = [Box(at, at + 1 if isinstance(at, int) else f"{at}\0") for at in places]
    if isinstance(box.end, int):
        ends.append(Box(box.end - 1, box.end))
    return all(truth_of(test(axis.span(end))) is Truth.SOME for end in ends)


def _with_edges(kept: list[tuple[Box, bool]], edges: list[Box]) -> list[tuple[Box, bool]]:
    """What is kept, with what functions are not known to take where that is beside it."""
    starts = {box.start: is_true for box, is_true in kept}
    ends = {box.end: is_true for box, is_true in kept}
    found = [*kept]
    left = [*edges]
    while left:
        beside = [edge for edge in left if edge.end in starts or edge.start in ends]
        if not beside:
            return found
        for edge in beside:
            is_true = starts[edge.end] if edge.end in starts else ends[edge.start]  # type: ignore[index]
            starts[edge.start] = ends[edge.end] = is_true
            found.append((edge, is_true))
        left = [edge for edge in left if edge not in beside]
    return found


def _merged(kept: Sequence[tuple[Box, bool]]) -> tuple[Box, ...]:
    found: list[Box] = []
    for box, _ in sorted(kept, key=lambda each: each[0].start):  # type: ignore[arg-type, return-value]
        if found and found[-1].end == box.start:
            found[-1] = Box(found[-1].start, box.end)
        else:
            found.append(box)
    return tuple(found)


def _null_truth(test: Test) -> bool | None:
    truth = truth_of(test(NOTHING))
    return None if truth is Truth.SOME else truth is Truth.ALL
