"""Conditions by which DuckDB skips row groups of Parquet files (DuckDB 2.0). The planning of its
`iceberg` extension, which is no part of the package, is not known."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import Predicate, PredicateLeaf, Reason
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.sql.planners.plain_conditions import (
    COMPARISONS,
    PREFIXES,
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
    """The reason why row groups are not judged by a condition, or None: by comparisons, IN, NOT IN,
    prefixes and null checks of plain columns they are, but by no NOT LIKE."""
    if leaf.negated and isinstance(leaf.expression, PREFIXES):
        return Reason.KEPT_ABOVE
    return refusal_but_of((*COMPARISONS, *PREFIXES, exp.In, exp.Is), leaf)


def convertible(bound: Predicate) -> Predicate:
    """The pushed part, of which NOT IN rules out no row group that has nulls."""

    def judged(leaf: PredicateLeaf) -> Predicate:
        return beside_nulls(leaf, Op.NOT_IN)

    return known_parts(map_leaves(bound, judged))


PROFILE = Profile(
    "duckdb",
    Pushdown(refusal, as_pushed=known_parts, convertible=convertible),
    planning=Planning(as_expression=tightened),
    newest=(2, 0),
    runs_queries=False,
    in_logs=False,
)
