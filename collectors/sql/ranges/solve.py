"""Branch and bound: a condition is asked about boxes of its column's values; those of which it is
true of none are dropped, and others are split."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from collectors.sql.functions.spans import NOTHING, UNKNOWN, Span
from collectors.sql.ranges.boxes import Axis, Box, single

BUDGET = 1_000
"""Boxes that are looked at for one condition."""
_FOR_NULLS = 150
"""Boxes that are looked at to tell where a condition is null and where it is true."""
_HOPELESS = 100
"""Boxes after which none is known to be dropped, so that none will be."""


class Truth(Enum):
    """The values of a box that a condition is true of."""

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
    """The boxes that a condition leaves of a column whose values lie in a domain."""
    search = _Search(test, axis)
    for box in domain:
        search.push(box, rank=0)
    search.run()
    kept = _with_edges(search.kept, search.edges)
    return Solution(
        _merged(kept),
        all(is_true for _, is_true in kept),
        _null_truth(test),
        is_all=not search.dropped and not search.edges,
    )


@dataclass
class _Search:
    """Boxes that are kept, with whether the condition is true of all their values, boxes beyond
    what functions take, and those that are still to be looked at: first those that hold values of
    which the condition is false, and of these the widest."""

    test: Test
    axis: Axis
    kept: list[tuple[Box, bool]] = field(default_factory=list)
    edges: list[Box] = field(default_factory=list)
    dropped: int = 0
    _queue: list[tuple[int, float, int, Box]] = field(default_factory=list)
    _pushed: int = 0

    def push(self, box: Box, *, rank: int) -> None:
        """Takes a box to be looked at."""
        heapq.heappush(self._queue, (rank, -self.axis.width(box), self._pushed, box))
        self._pushed += 1

    def run(self) -> None:
        """Looks at all boxes, and splits them as long as that may help."""
        looked, most = 0, BUDGET
        is_null_only = False
        while self._queue:
            rank, _, _, box = heapq.heappop(self._queue)
            looked += 1
            if rank and not is_null_only:
                is_null_only, most = True, min(BUDGET, looked + _FOR_NULLS)
            is_last = looked > most or (looked > _HOPELESS and not self.dropped)
            self._look(box, is_last=is_last)

    def _look(self, box: Box, *, is_last: bool) -> None:
        found = self.test(self.axis.span(box))
        truth = truth_of(found)
        if truth is Truth.NONE:
            self.dropped += 1
        elif truth is Truth.ALL or is_last:
            self.kept.append((box, truth is Truth.ALL))
        else:
            self._split(box, found)

    def _split(self, box: Box, found: Span | None) -> None:
        at = self.axis.split(box)
        if at is not None and not _is_dark(found, self.test, self.axis, box):
            for half in (Box(box.start, at), Box(at, box.end)):
                self.push(half, rank=_rank(found))
        elif self.axis.is_edge(box):
            self.edges.append(box)
        else:
            self.kept.append((box, False))


def truth_of(found: Span | None) -> Truth:
    """The values that a condition is true of, by its truths for all of them."""
    found = found or UNKNOWN
    if found.is_empty or found.high is False:
        return Truth.NONE
    return Truth.ALL if found.low is True and not found.null else Truth.SOME


def _rank(found: Span | None) -> int:
    """1 for what is true or null, which is looked at once all else was."""
    return int(found is not None and not found.is_empty and found.low is True)


def _is_dark(found: Span | None, test: Test, axis: Axis, box: Box) -> bool:
    """Whether no more is known of single values of a box, either."""
    if (found is not None and found.low is found.high) or axis.is_coarse(box):
        return False
    middle = axis.split(box)
    places = [box.start] if middle is None else [box.start, middle]
    if isinstance(box.end, int):
        places.append(box.end - 1)
    return all(truth_of(test(axis.span(single(at)))) is Truth.SOME for at in places)


def _with_edges(kept: list[tuple[Box, bool]], edges: list[Box]) -> list[tuple[Box, bool]]:
    """The kept boxes, with those of the edges that lie beside them."""
    starts = {box.start: is_true for box, is_true in kept}
    ends = {box.end: is_true for box, is_true in kept}
    found = [*kept]
    left = [*edges]
    while left:
        beside = [edge for edge in left if edge.end in starts or edge.start in ends]
        if not beside:
            return found
        for edge in beside:
            is_true = starts[edge.end] if edge.end in starts else ends[edge.start]
            starts[edge.start] = ends[edge.end] = is_true
            found.append((edge, is_true))
        left = [edge for edge in left if edge not in beside]
    return found


def _merged(kept: Sequence[tuple[Box, bool]]) -> tuple[Box, ...]:
    found: list[Box] = []
    for box, _ in sorted(kept, key=lambda each: each[0].start):
        if found and found[-1].end == box.start:
            found[-1] = Box(found[-1].start, box.end)
        else:
            found.append(box)
    return tuple(found)


def _null_truth(test: Test) -> bool | None:
    truth = truth_of(test(NOTHING))
    return None if truth is Truth.SOME else truth is Truth.ALL
