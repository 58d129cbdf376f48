"""Conditions that PyIceberg's `row_filter` can express."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.sql.constants.terms import reason_for
from prunescope.collectors.sql.planners.profile import (
    Planning,
    Profile,
    Pushdown,
    Rewording,
    Version,
)
from prunescope.collectors.sql.text.boolean import Leaf, own_columns

_TERMS = exp.Column | exp.Dot
_CONDITIONS = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Between,
    exp.In,
    exp.Is,
    exp.Like,
    exp.StartsWith,
    exp.IsNan,
)


def refusal(leaf: Leaf, _version: Version) -> Reason | None:
    """The reason why a condition is no part of a `row_filter`, or None. It has only comparisons,
    IN, null and NaN checks and prefixes of plain columns and nested fields (pyiceberg.expressions
    0.12)."""
    condition = leaf.expression
    if not isinstance(condition, _CONDITIONS):
        return Reason.FUNCTION if own_columns(condition) else None
    for operand in condition.iter_expressions():
        bare = operand.unnest()
        if own_columns(bare) and not isinstance(bare, _TERMS):
            return reason_for(bare)
    return None


PROFILE = Profile(
    "pyiceberg",
    Pushdown(refusal),
    Rewording(orders_nan=True),
    Planning(by_pyiceberg=True),
    newest=(0, 12),
    runs_queries=False,
)
