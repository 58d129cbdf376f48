"""Columns that are cast to their own type, which leaves them as they are."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from collectors.sql.conditions.computed_types import CAST_TYPES
from collectors.sql.conditions.leaf_rewrite import TypeOf
from collectors.sql.text.boolean import Leaf
from collectors.sql.text.nodes import nodes_that_are

_EXACT = frozenset({"boolean", "int", "long", "double", "string"})
"""Types that have no other of their name: integers of engines are as wide, or wider. Times may have
fewer digits, and the floats of some are doubles."""


def without_own_casts(leaf: Leaf, type_of: TypeOf) -> Leaf:
    """The leaf with columns in the place of their casts to what they are."""
    if not any(_is_own(cast, type_of) for cast in nodes_that_are(exp.Cast, leaf.expression)):
        return leaf
    bare = leaf.expression.transform(
        lambda node: node.this.unnest() if _is_own(node, type_of) else node
    )
    return replace(leaf, expression=bare)


def _is_own(cast: exp.Expr, type_of: TypeOf) -> bool:
    if not isinstance(cast, exp.Cast):
        return False
    kind = None if cast.to.expressions or cast.args.get("format") else CAST_TYPES.get(cast.to.this)
    return kind in _EXACT and type_of(cast.this) == kind
