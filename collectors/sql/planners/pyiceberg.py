"""Conditions that PyIceberg's `row_filter` can express."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.sql.planners.plain_conditions import (
    COMPARISONS,
    PREFIXES,
    refusal_but_of,
)
from prunescope.collectors.sql.planners.profile import (
    Planning,
    Profile,
    Pushdown,
    Rewording,
    Version,
)
from prunescope.collectors.sql.text.boolean import Leaf


def refusal(leaf: Leaf, _version: Version) -> Reason | None:
    """The reason why a condition is no part of a `row_filter`, or None. It has only comparisons,
    IN, null and NaN checks and prefixes of plain columns and nested fields (pyiceberg.expressions
    0.12)."""
    return refusal_but_of((*COMPARISONS, *PREFIXES, exp.In, exp.Is, exp.IsNan), leaf)


PROFILE = Profile(
    "pyiceberg",
    Pushdown(refusal),
    Rewording(orders_nan=True),
    Planning(by_pyiceberg=True),
    newest=(0, 12),
    runs_queries=False,
)
