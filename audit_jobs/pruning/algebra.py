"""The pruning algebra: L predicates of one shape against the statistics of N containers.

The result is a tri-state for each predicate and container (see `tristate`):

    shown        some row can match, as far as the statistics tell
    ruled out    no row can match: proven, the container can be skipped
    unknown      the statistics are missing

Only what is ruled out prunes. AND and OR are Kleene's, so an unknown part never hides a proof and
never makes one. What single comparisons say is in `comparisons`; one literal is L = 1.
"""

from __future__ import annotations

from collections.abc import Callable

from audit_jobs.pruning.comparisons import can_match
from audit_jobs.pruning.literals import Leaf
from audit_jobs.pruning.ordered import Ordered, ordered
from audit_jobs.pruning.rules import Rules
from audit_jobs.pruning.shapes import AllOf, AnyOf, Place, Tree
from audit_jobs.pruning.transforms import transform_bounds
from audit_jobs.pruning.tristate import (
    ALWAYS,
    NEVER,
    UNKNOWN,
    TriState,
    all_of,
    any_of,
    as_masks,
    both,
)
from collectors.predicates.model import Always, Field, Unsupported
from collectors.predicates.operators import Op
from collectors.statistics import Statistics

_RANGES = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ)


class Evaluation:
    """Evaluates comparisons against one `Statistics`. What is known of a column is brought in
    order once, for all predicates."""

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self._columns: dict[Field, Ordered | None] = {}
        empty, known = as_masks(statistics.empty)
        self._holds_rows = TriState(~empty[None, :], (known & ~empty)[None, :])
        if known.all():
            self._holds_rows = TriState(~empty[None, :], self._holds_rows.possible)
            if not empty.any():
                self._holds_rows = ALWAYS

    @property
    def holds_rows(self) -> TriState:
        """Whether the containers hold any row at all."""
        return self._holds_rows

    def __call__(self, leaf: Leaf, rules: Rules) -> TriState:
        """The tri-states of K comparisons by the containers' own statistics."""
        column = self._column(leaf, rules)
        if column is not None and not rules.judges(leaf.field):
            column = column.without_bounds
        state = UNKNOWN if column is None else can_match(leaf, column, rules)
        return both(self._holds_rows, state)

    def _column(self, leaf: Leaf, rules: Rules) -> Ordered | None:
        field = leaf.field
        if field.type == "uuid" and leaf.op in _RANGES:
            return None  # Java orders UUIDs signed, others unsigned
        if field.transform is not None and not rules.transform_terms:
            return None
        if field not in self._columns:
            column = self._statistics.columns.get((field.field_id, field.type))
            if column is not None and field.transform is not None:
                column = transform_bounds(column, field)
            self._columns[field] = None if column is None else ordered(column)
        return self._columns[field]


def evaluate(
    tree: Tree, place: Callable[[Place], TriState], *, unsupported: TriState = UNKNOWN
) -> TriState:
    """The tri-states of L predicates of one shape, given those of their comparisons.

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
