"""The rewrites of whole leaves that there are."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.conditions import (
    choices,
    dates_of_parts,
    dates_of_sums,
    fiscal_years,
    function_rows,
    gone_by,
    joined_texts,
    listed,
    text_beginnings,
    truths,
    weighted_sums,
    whole_parts,
)
from collectors.sql.conditions.leaf_rewrite import Around, IsValue, LeafRewrite, Replacement
from collectors.sql.text.boolean import Leaf

LEAF_REWRITES: tuple[LeafRewrite, ...] = (
    whole_parts.REWRITE,
    truths.REWRITE,
    fiscal_years.REWRITE,
    choices.REWRITE,
    function_rows.REWRITE,
    dates_of_parts.REWRITE,
    dates_of_sums.REWRITE,
    gone_by.REWRITE,
    joined_texts.REWRITE,
    weighted_sums.REWRITE,
    listed.REWRITE,
    text_beginnings.REWRITE,
)
"""The first that finds something counts."""


def may_be_replaced(subject: exp.Expr, dialect: str, is_value: IsValue) -> bool:
    """Whether a leaf that compares an expression may be rewritten as a whole."""
    return any(one.may_concern(subject, dialect, is_value) for one in LEAF_REWRITES)


def replacement(leaf: Leaf, around: Around) -> Replacement | None:
    """What stands for a leaf; None for one that is left as it is. Raises CannotConvert."""
    found = (one.replace(leaf, around) for one in LEAF_REWRITES)
    return next((one for one in found if one is not None), None)
