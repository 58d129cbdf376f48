"""Conditions on how the text of a cast begins, in other words than LIKE: `strpos(CAST(x AS
varchar), '2026-11') = 1` is `CAST(x AS varchar) LIKE '2026-11%'`, and that holds wherever
`split_part(CAST(x AS varchar), ' ', 1) = '2026-11'` does. (`rewrites.text_starts` has those of text
columns.) No engine makes anything of them."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.constants.terms import cast_to_text
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import Leaf
from collectors.sql.text.nodes import given

_FIRST = exp.Literal.number(1)


def tells_beginning(subject: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be a place in the text of a cast, or a part of it."""
    bare = subject.unnest()
    is_known = isinstance(bare, exp.StrPosition | exp.SplitPart | exp.SubstringIndex)
    return is_known and cast_to_text(bare.this.unnest(), dialect) is not None


def beginning(leaf: Leaf, dialect: str) -> Replacement | None:
    """What a leaf says of how a text begins; None for any other leaf."""
    comparison = leaf.expression
    if not isinstance(comparison, exp.EQ) or not dialect_of(dialect).is_measured:
        return None
    if not tells_beginning(comparison.this, dialect):
        return None
    subject, value = comparison.this.unnest(), comparison.expression
    match subject:
        case exp.StrPosition(this=text, args={"substr": exp.Literal(is_string=True) as start}) if (
            given(subject) == {"this", "substr"} and value == _FIRST and start.name
        ):
            return Replacement(_starts(text, start.name, leaf.negated), True, True)
        case (
            exp.SplitPart(this=text, args={"part_index": index})
            | exp.SubstringIndex(this=text, args={"count": index})
        ) if index == _FIRST and not leaf.negated and value.is_string and value.name:
            return Replacement(_starts(text, value.name, negated=False), False, True)
    return None


def _starts(text: exp.Expr, prefix: str, negated: bool) -> Leaf:
    start = exp.Literal.string(prefix)
    return Leaf(exp.StartsWith(this=text.copy(), expression=start), negated)


REWRITE = LeafRewrite(
    may_concern=lambda subject, dialect, _: tells_beginning(subject, dialect),
    replace=lambda leaf, around: beginning(leaf, around.session.dialect),
)
