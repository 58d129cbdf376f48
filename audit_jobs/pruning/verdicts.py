"""What a pass decides, for blocks of scans of one shape: which containers they consider and keep,
and what each conjunct alone rules out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from audit_jobs.pruning.rules import PlannerRules
from audit_jobs.pruning.shapes import Planned, Shape, Tree
from audit_jobs.pruning.tristate import TriState
from collectors.statistics import BoolArray, IntArray

CELLS = 1 << 20
"""Scans × containers that are judged at once: masks of them stay in a processor's cache."""
_NUMBERS = 1 << 16
"""The same as numbers, eight times as large."""
_FEW = 32
"""Of masks of which fewer than one in so many are true, these are looked up one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """B scans against one batch of N containers. `scans` are their positions; the masks have the
    shape (B, N), those of `conjuncts` 1 in place of either where it is the same for all.

    Two planners that decide the same of the same scans share `considered` and `kept`.
    """

    shape: Shape
    rules: PlannerRules
    scans: IntArray
    rows: IntArray | slice
    considered: BoolArray
    kept: BoolArray
    conjuncts: tuple[TriState, ...]


@dataclass(frozen=True, eq=False)
class Reach:
    """Which of M parents (manifests, files, row groups) each of S scans keeps, as a mask of the
    shape (S, M), and the parent of each of N containers, in ascending order."""

    parents: BoolArray
    of: IntArray

    def __post_init__(self) -> None:
        assert len(self.of) < 2 or bool((self.of[1:] >= self.of[:-1]).all())

    @property
    def count(self) -> int:
        """N."""
        return len(self.of)

    @cached_property
    def _children(self) -> IntArray:
        """How many containers each parent has."""
        return np.bincount(self.of, minlength=self.parents.shape[1])

    def expand(self, parents: BoolArray) -> BoolArray:
        """Masks over containers, of the shape (B, N), from masks over parents."""
        return np.repeat(parents, self._children, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some scans of one shape and one planner that reach any container of a batch: `shape` is cut
    to the block's rows of literals, of which `rows` are those of the scans."""

    shape: Shape
    planned: Planned
    rows: IntArray | slice
    considered: BoolArray

    def of_rows(self, state: TriState) -> TriState:
        """The tri-states of the scans, from those of the block's rows of literals."""
        if isinstance(self.rows, slice):
            return state
        possible = state.possible
        possible = possible[self.rows] if len(possible) > 1 else possible
        if state.is_known:
            return TriState(possible, possible)
        shown = state.shown[self.rows] if len(state.shown) > 1 else state.shown
        return TriState(possible, shown)


def blocks(shapes: Iterable[Shape], reach: Reach) -> Iterator[tuple[Shape, list[Block]]]:
    """The scans that reach any of N containers, in blocks of at most CELLS scans × containers:
    of each, the shape cut to its rows of literals, and the scans of each planner."""
    step = max(1, CELLS // max(1, reach.count))
    reaching = np.asarray(reach.parents.any(axis=1))
    for shape in shapes:
        whole = shape.of(reaching)
        for start in range(0, whole.count, step):
            part = whole.slice(start, start + step)
            yield part, [_block(part, planned, reach) for planned in part.planned]


def _block(shape: Shape, planned: Planned, reach: Reach) -> Block:
    # Scans of several snapshots may have the same literals.
    in_order = np.array_equal(planned.rows, np.arange(shape.count))
    rows = slice(None) if in_order else planned.rows
    return Block(shape, planned, rows, reach.expand(reach.parents[planned.scans]))


Judge = Callable[[Tree, PlannerRules], TriState]
"""The tri-states of a conjunct for a block's rows of literals, by a planner's rules."""


def verdicts(block: Block, judge: Judge, eligible: BoolArray | None = None) -> Verdicts:
    """The verdicts on the scans of a block; `eligible` (N) are the containers that may be kept
    at all, None for all."""
    conjuncts = tuple(
        block.of_rows(judge(tree, block.planned.rules)) for tree in block.shape.conjuncts
    )
    kept = block.considered if eligible is None else block.considered & eligible
    for state in conjuncts:
        kept = kept & state.possible
    return Verdicts(
        block.shape,
        block.planned.rules,
        block.planned.scans,
        block.rows,
        block.considered,
        kept,
        conjuncts,
    )


def counts(masks: BoolArray, which: BoolArray | None = None) -> IntArray:
    """Of each of B masks of length N, how many are true, of all or of those that are `which`
    (N)."""
    if which is not None and not which.any():
        return np.zeros(len(masks), np.int64)
    if which is not None and not which.all():
        masks = masks & which
    packed = np.packbits(masks, axis=1)
    words = np.zeros((len(packed), -(-packed.shape[1] // 8)), np.uint64)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    return np.asarray(np.bitwise_count(words).sum(axis=1, dtype=np.int64))


def sums(masks: BoolArray, *weights: IntArray) -> list[IntArray]:
    """Of each of B masks of length N, the sum of each of the weights where it is true."""
    if np.count_nonzero(masks) * _FEW <= masks.size:
        return _sums_of_few(masks, weights)
    found = [np.zeros(len(masks), np.int64) for _ in weights]
    columns = min(masks.shape[1], _NUMBERS)
    rows = _NUMBERS // columns
    for top in range(0, len(masks), rows):
        for left in range(0, masks.shape[1], columns):
            numbers = masks[top : top + rows, left : left + columns].astype(np.int64)
            for weight, total in zip(weights, found, strict=True):
                total[top : top + rows] += np.einsum(
                    "bn,n->b", numbers, weight[left : left + columns]
                )
    return found


def _sums_of_few(masks: BoolArray, weights: Sequence[IntArray]) -> list[IntArray]:
    """The same place by place."""
    size = masks.shape[1]
    places = np.flatnonzero(masks)
    ends = np.searchsorted(places, np.arange(len(masks) + 1) * size)
    found = []
    for weight in weights:
        before = np.concatenate(([0], np.cumsum(weight[places % size])))
        found.append(before[ends[1:]] - before[ends[:-1]])
    return found
