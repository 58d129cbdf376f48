"""The rewrites of whole leaves that there are."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from sqlglot import exp

from collectors.predicates.literals import Timestamp
from collectors.sql.conditions import (
    choices,
    dates_of_parts,
    dates_of_sums,
    function_rows,
    gone_by,
    joined_texts,
    listed,
    truths,
    weighted_sums,
    whole_parts,
)
from collectors.sql.conditions.leaf_rewrite import Around, IsValue, LeafRewrite, Replacement
from collectors.sql.constants.folding import fold
from collectors.sql.constants.values import CannotConvert
from collectors.sql.text.boolean import AnyOf, Leaf

LEAF_REWRITES: tuple[LeafRewrite, ...] = (
    truths.REWRITE,
    choices.REWRITE,
    function_rows.REWRITE,
    listed.REWRITE,
)
"""The first that finds something counts."""
_MAX_LISTED = 64


def may_be_replaced(subject: exp.Expr, dialect: str, is_value: IsValue) -> bool:
    """Whether a leaf that compares an expression may be rewritten as a whole."""
    return any(one.may_concern(subject, dialect, is_value) for one in LEAF_REWRITES)


def replacement(leaf: Leaf, around: Around) -> Replacement | None:
    """What stands for a leaf; None for one that is left as it is. Raises CannotConvert."""
    found = (one.replace(leaf, around) for one in LEAF_REWRITES)
    return next((one for one in found if one is not None), None) or _of_each(leaf, around)


def _of_each(leaf: Leaf, around: Around) -> Replacement | None:
    """What stands for a list of dates, or of times, where something does for each of them. Others
    may be cast otherwise in a list."""
    listed = leaf.expression
    if leaf.negated or not isinstance(listed, exp.In):
        return None
    if not 0 < len(listed.expressions) <= _MAX_LISTED:
        return None
    if not may_be_replaced(listed.this, around.session.dialect, around.is_value):
        return None
    try:
        values = [fold(item, around.session) for item in listed.expressions]
    except CannotConvert:
        return None
    if not any(all(isinstance(value, kind) for value in values) for kind in (dt.date, Timestamp)):
        return None
    found: list[Replacement] = []
    for item in listed.expressions:
        same = exp.EQ(this=listed.this.copy(), expression=item.copy())
        one = replacement(replace(leaf, expression=same), around)
        if one is None:
            return None
        found.append(one)
    return Replacement(
        AnyOf(tuple(one.condition for one in found)),
        is_all=all(one.is_all for one in found),
        is_made=any(one.is_made for one in found),
    )
