"""The pruning algebra: L predicates of one form against the statistics of N containers.

The result is a tri-state for each predicate and container (see `tristate`):

    shown        some row can match, as far as the statistics tell
    ruled out    no row can match: proven, the container can be skipped
    unknown      the statistics are missing

Only what is ruled out prunes. AND and OR are Kleene's, so an unknown part never hides a proof and
never makes one. What single comparisons say is in `comparisons`; one literal is L = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from prunescope.audit_jobs.pruning.comparisons import can_match
from prunescope.audit_jobs.pruning.literals import CELLS, Leaf
from prunescope.audit_jobs.pruning.ordered import Ordered, ordered
from prunescope.audit_jobs.pruning.packed import Packed
from prunescope.audit_jobs.pruning.rules import BesideNulls, Rules
from prunescope.audit_jobs.pruning.shapes import AllOf, AnyOf, Place, Tree
from prunescope.audit_jobs.pruning.transforms import ROW_FUNCTIONS, transform_bounds
from prunescope.audit_jobs.pruning.tristate import (
    ALWAYS,
    NEVER,
    UNKNOWN,
    Masks,
    TriState,
    all_of,
    any_of,
    as_masks,
    both,
    masks,
)
from prunescope.collectors.predicates.model import Always, Field, Unsupported
from prunescope.collectors.predicates.operators import UNARY
from prunescope.collectors.statistics import Statistics

_BESIDE_NULLS: Mapping[BesideNulls, Callable[[Ordered], Ordered]] = {
    BesideNulls.BOTH: lambda column: column,
    BesideNulls.UPPER: lambda column: column.with_nulls_first,
    BesideNulls.NEITHER: lambda column: column.with_nulls_anywhere,
    BesideNulls.EQUAL: lambda column: column.with_nulls_between,
}


class Evaluation:
    """Evaluates comparisons against one `Statistics`. What is known of a column is brought in
    order once, for all predicates."""

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self._columns: dict[Field, Ordered | None] = {}
        empty, known = as_masks(statistics.empty)
        self._holds_rows = ALWAYS
        if empty.any() or not known.all():
            self._holds_rows = masks(~empty[None, :], known[None, :]).packed(self.count)

    @property
    def count(self) -> int:
        """N."""
        return self._statistics.count

    @property
    def holds_rows(self) -> TriState:
        """True for each container that holds a row at all."""
        return self._holds_rows

    def __call__(self, leaf: Leaf, rules: Rules) -> TriState:
        """The tri-states of K comparisons by the containers' own statistics."""
        column = self._column(leaf, rules) if rules.asks(leaf) else None
        if column is not None and not rules.judges(leaf.field):
            column = column.without_bounds
        if column is not None and leaf.op not in UNARY:
            column = column.without_counts if leaf.op in rules.by_bounds_alone else column
            column = _BESIDE_NULLS[rules.beside_nulls](column)
        if column is None:
            return both(self._holds_rows, UNKNOWN)
        known = column
        said = packed_states(leaf, self.count, lambda some: can_match(some, known, rules))
        return both(self._holds_rows, said)

    def _column(self, leaf: Leaf, rules: Rules) -> Ordered | None:
        field = leaf.field
        if field.transform is not None and not rules.transform_terms:
            return None
        if field.transform in ROW_FUNCTIONS and not rules.row_functions:
            return None
        if field not in self._columns:
            column = self._statistics.columns.get((field.field_id, field.type))
            if column is not None and field.transform is not None:
                column = transform_bounds(column, field)
            self._columns[field] = None if column is None else ordered(column)
        return self._columns[field]


def packed_states(leaf: Leaf, count: int, say: Callable[[Leaf], Masks]) -> TriState:
    """The tri-states of K comparisons over `count` containers, from the masks that `say` returns.
    Asks for slices of the comparisons, so that masks of one byte per cell stay small."""
    step = max(1, CELLS // max(1, count))
    found: list[tuple[int, Masks, TriState]] = []
    for start in range(0, leaf.literals.count, step):
        some = leaf.slice(start, start + step)
        said = say(some)
        known = found and found[-1][1] is said
        state = found[-1][2] if known else said.packed(count)
        found.append((some.literals.count, said, state))
    if all(state is found[0][2] for _, _, state in found):
        return found[0][2]
    possible = _stacked([(rows, state.possible) for rows, _, state in found])
    if all(state.is_known for _, _, state in found):
        return TriState(possible, possible)
    return TriState(possible, _stacked([(rows, state.shown) for rows, _, state in found]))


def _stacked(parts: Sequence[tuple[int, Packed]]) -> Packed:
    """Masks stacked in order; each part is a number of comparisons and their masks."""
    width = max(mask.shape[1] for _, mask in parts)
    return np.concatenate([np.broadcast_to(mask, (rows, width)) for rows, mask in parts])


def evaluate(
    tree: Tree, place: Callable[[Place], TriState], *, unsupported: TriState = UNKNOWN
) -> TriState:
    """The tri-states of L predicates of one form, given those of their comparisons.

    Parts that are no comparison are `unsupported`: unknown, unless a lift has made them
    something else.
    """
    match tree:
        case Always(value):
            return ALWAYS if value else NEVER
        case Unsupported():
            return unsupported
        case AllOf(children):
            return all_of([evaluate(c, place, unsupported=unsupported) for c in children])
        case AnyOf(children):
            return any_of([evaluate(c, place, unsupported=unsupported) for c in children])
        case Place():
            return place(tree)
