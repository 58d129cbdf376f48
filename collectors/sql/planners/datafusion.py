"""Conditions by which DataFusion skips row groups of Parquet files (DataFusion 55). How it plans
tables of Iceberg depends on the library that provides them, and is not known."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import (
    TRUE,
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
)
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.sql.planners.plain_conditions import (
    COMPARISONS,
    PREFIXES,
    refusal_but_of,
)
from prunescope.collectors.sql.planners.profile import Profile, Pushdown, Version, known_parts
from prunescope.collectors.sql.text.boolean import Leaf


def refusal(leaf: Leaf, _version: Version) -> Reason | None:
    """The reason why row groups are not judged by a condition, or None: by comparisons, IN and
    prefixes of plain columns they are. It takes null counts of 0 in files with field ids, which all
    files of Iceberg have, for unknown, so that null checks rule nothing out."""
    return refusal_but_of((*COMPARISONS, *PREFIXES, exp.In), leaf)


def convertible(bound: Predicate) -> Predicate:
    """The pushed part without comparisons of booleans, by which nothing is ruled out."""

    def judged(leaf: PredicateLeaf) -> Predicate:
        is_boolean = isinstance(leaf, BoundComparison) and leaf.field.type == "boolean"
        return TRUE if is_boolean else leaf

    return known_parts(map_leaves(bound, judged))


PROFILE = Profile(
    "datafusion",
    Pushdown(refusal, as_pushed=known_parts, convertible=convertible),
    newest=(55,),
    runs_queries=False,
    in_logs=False,
)
