"""Conditions on plain columns and nested fields, which is all that most engines push."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import (
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.constants.terms import reason_for
from prunescope.collectors.sql.text.boolean import Leaf, own_columns

COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
PREFIXES = (exp.Like, exp.StartsWith)

_TERMS = exp.Column | exp.Dot


def refusal_but_of(conditions: tuple[type[exp.Expr], ...], leaf: Leaf) -> Reason | None:
    """The reason why a condition is none of these `conditions` of plain columns and nested fields,
    or None."""
    condition = leaf.expression
    if not isinstance(condition, conditions):
        return Reason.FUNCTION if own_columns(condition) else None
    for operand in condition.iter_expressions():
        bare = operand.unnest()
        if own_columns(bare) and not isinstance(bare, _TERMS):
            return reason_for(bare)
    return None


def beside_nulls(leaf: PredicateLeaf, *negations: Op) -> Predicate:
    """A comparison that is one of these `negations` as it is where a reader has nulls match it."""
    if isinstance(leaf, BoundComparison) and leaf.op in negations:
        return any_of(leaf, BoundComparison(Op.IS_NULL, leaf.field))
    return leaf
