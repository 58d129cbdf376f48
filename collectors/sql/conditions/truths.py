"""Conditions on what is true or false, as the conditions that it is: `coalesce(f, false) = true` is
`f`, and `NOT coalesce(f, false)` is `f = false OR f IS NULL`. No engine takes them apart."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.constants.session import Session
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AnyOf, Leaf, formula


def of_truth(leaf: Leaf, session: Session) -> Replacement | None:
    """What a leaf says that compares something with true or false, or has one of these for what is
    null; None for any other leaf."""
    if not dialect_of(session.dialect).is_measured:
        return None
    match leaf.expression:
        case exp.EQ(this=subject, expression=other) | exp.NEQ(this=subject, expression=other):
            if isinstance(subject.unnest(), exp.Boolean):
                subject, other = other, subject
            wanted = _value(other)
            if wanted is None or not _has_default(subject.unnest()):
                return None
            is_opposite = wanted is isinstance(leaf.expression, exp.NEQ)
            return Replacement(formula(subject, negated=leaf.negated != is_opposite), True, True)
        case exp.Is(this=subject, expression=exp.Boolean() as other) if leaf.negated:
            # What is never null is the opposite, or is not.
            if not _has_default(subject.unnest()):
                return None
            return Replacement(formula(subject, negated=bool(other.this)), True, True)
        case exp.Coalesce(this=exp.Column() | exp.Dot() as column, expressions=[default]):
            if _value(default) is not (not leaf.negated):
                return None
            is_null = exp.Is(this=column.copy(), expression=exp.Null())
            arms = Leaf(column, leaf.negated), Leaf(is_null, False)
            return Replacement(AnyOf(arms), True, True)
    return None


def _value(expression: exp.Expr) -> bool | None:
    """Which of both a constant is; None for anything else."""
    bare = expression.unnest()
    return bool(bare.this) if isinstance(bare, exp.Boolean) else None


def _has_default(expression: exp.Expr) -> bool:
    """Whether an expression has true or false for what is null."""
    match expression:
        case exp.Coalesce(expressions=[*_, last]):
            return _value(last) is not None
    return False


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: _has_default(subject.unnest()),
    replace=lambda leaf, around: of_truth(leaf, around.session),
)
