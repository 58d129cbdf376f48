"""Conditions by which Polars' `scan_iceberg` skips files and row groups (Polars 2.1), of which
PyIceberg plans what it is given."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    PredicateLeaf,
    Reason,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.sql.planners.plain_conditions import (
    COMPARISONS,
    beside_nulls,
    refusal_but_of,
)
from prunescope.collectors.sql.planners.profile import (
    Planning,
    Profile,
    Pushdown,
    Version,
    known_parts,
)
from prunescope.collectors.sql.text.boolean import Leaf


def refusal(leaf: Leaf, _version: Version) -> Reason | None:
    """The reason why nothing is skipped by a condition, or None: by comparisons, IN, NOT IN and
    null checks of plain columns something is."""
    return refusal_but_of((*COMPARISONS, exp.In, exp.Is), leaf)


def convertible(bound: Predicate) -> Predicate:
    """The pushed part, of which `<>` and NOT IN rule out nothing that has nulls, but of a boolean,
    of which `<> TRUE` is `= FALSE`."""

    def judged(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case BoundComparison(Op.NOT_EQ, Field(type="boolean") as field, (value,)):
                return BoundComparison(Op.EQ, field, (not value,))
        return beside_nulls(leaf, Op.NOT_EQ, Op.NOT_IN)

    return known_parts(map_leaves(bound, judged))


PROFILE = Profile(
    "polars",
    Pushdown(refusal, as_pushed=known_parts, convertible=convertible),
    planning=Planning(by_pyiceberg=True),
    newest=(2, 1),
    runs_queries=False,
    in_logs=False,
)
