"""Conditions by which ClickHouse skips files of Iceberg and row groups (ClickHouse 26.9)."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import Predicate, PredicateLeaf, Reason
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.sql.planners.plain_conditions import (
    COMPARISONS,
    PREFIXES,
    beside_nulls,
    refusal_but_of,
)
from prunescope.collectors.sql.planners.profile import Profile, Pushdown, Version, known_parts
from prunescope.collectors.sql.text.boolean import Leaf


def refusal(leaf: Leaf, _version: Version) -> Reason | None:
    """The reason why nothing is skipped by a condition, or None."""
    return refusal_but_of((*COMPARISONS, *PREFIXES, exp.In, exp.Is), leaf)


def convertible(bound: Predicate) -> Predicate:
    """The pushed part, of which negations rule out nothing that has nulls."""

    def judged(leaf: PredicateLeaf) -> Predicate:
        return beside_nulls(leaf, Op.NOT_EQ, Op.NOT_IN, Op.NOT_STARTS_WITH)

    return known_parts(map_leaves(bound, judged))


PROFILE = Profile(
    "clickhouse",
    Pushdown(refusal, as_pushed=known_parts, convertible=convertible),
    newest=(26, 9),
    runs_queries=False,
    in_logs=False,
)
