"""What a pass decides, for blocks of scans of one shape: which containers they consider and keep,
and what each conjunct alone rules out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit_jobs.pruning.algebra import spread
from audit_jobs.pruning.rules import PlannerRules
from audit_jobs.pruning.shapes import Planned, Shape, Tree
from audit_jobs.pruning.tristate import TriState
from collectors.statistics import BoolArray, IntArray

CELLS = 1 << 20
"""Scans × containers that are judged at once: masks of them stay in a processor's cache."""
_CELLS_OF_NUMBERS = 1 << 16
"""The same as floating-point numbers, eight times as large."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """B scans against one batch of N containers. `scans` are their positions; the masks have the
    shape (B, N), and so have those of `conjuncts`.

    Two planners that decide the same of the same scans share `considered` and `kept`.
    """

    shape: Shape
    rules: PlannerRules
    scans: IntArray
    rows: IntArray | slice
    considered: BoolArray
    kept: BoolArray
    conjuncts: tuple[TriState, ...]


@dataclass(frozen=True, slots=True, eq=False)
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

    def expand(self, parents: BoolArray) -> BoolArray:
        """Masks over containers, of the shape (B, N), from masks over parents."""
        children = np.bincount(self.of, minlength=parents.shape[1])
        return np.repeat(parents, children, axis=1)


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
    for whole in shapes:
        for start in range(0, whole.count, step):
            shape = whole.slice(start, start + step)
            found = [_block(shape, planned, reach) for planned in shape.planned]
            reaching = [block for block in found if block is not None]
            if reaching:
                yield shape, reaching


def _block(shape: Shape, planned: Planned, reach: Reach) -> Block | None:
    parents = reach.parents[planned.scans]
    reaching = parents.any(axis=1)
    if not reaching.any():
        return None
    if not reaching.all():
        planned = Planned(planned.rules, planned.rows[reaching], planned.scans[reaching])
        parents = parents[reaching]
    # Scans of several snapshots may have the same literals.
    in_order = np.array_equal(planned.rows, np.arange(shape.count))
    rows = slice(None) if in_order else planned.rows
    return Block(shape, planned, rows, reach.expand(parents))


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
        tuple(spread(state, kept.shape) for state in conjuncts),
    )


def counts(masks: BoolArray) -> npt.NDArray[np.int64]:
    """Of each of B masks of length N, how many are true: several at a time, as words."""
    size = masks.shape[1]
    whole = size - size % 8
    words = np.ascontiguousarray(masks[:, :whole]).view(np.uint64)
    # A byte holds up to 255 ones, so words are summed up in groups of so many.
    found = np.zeros(len(masks), np.int64)
    for start in range(0, words.shape[1], 255):
        group = words[:, start : start + 255].sum(axis=1, dtype=np.uint64)
        found += group.view(np.uint8).reshape(len(masks), 8).sum(axis=1, dtype=np.int64)
    found += masks[:, whole:].sum(axis=1, dtype=np.int64)
    return found


def sums(masks: BoolArray, *weights: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Of each of B masks of length N, the sum of each of the weights where it is true. Exact: what
    floating point cannot hold is summed up as integers."""
    if any(weight.sum() >= 2**53 or weight.min(initial=0) < 0 for weight in weights):
        return [np.array([w.sum(where=m) for m in masks], np.int64) for w in weights]
    table = np.stack(weights, axis=1).astype(np.float64)
    found = np.zeros((len(masks), len(weights)))
    step = max(1, _CELLS_OF_NUMBERS // max(1, len(masks)))
    for start in range(0, masks.shape[1], step):
        found += masks[:, start : start + step].astype(np.float64) @ table[start : start + step]
    return list(found.astype(np.int64).T)
