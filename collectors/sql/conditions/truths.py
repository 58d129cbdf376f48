"""Conditions on what is true or false, as the conditions that it is: `(a > 5) = true` is `a > 5`,
`coalesce(f, false) = true` is `f`, and `NOT coalesce(f, false)` is `f = false OR f IS NULL`."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.text.boolean import AnyOf, Formula, Leaf, formula

_CONDITIONS = (
    *(exp.Predicate, exp.Connector, exp.Not),
    *(exp.RegexpLike, exp.StartsWith, exp.Contains, exp.IsNan),
)
_CHOICES = (exp.Coalesce, exp.Case, exp.If)


def compared_truth(leaf: Leaf) -> Formula | None:
    """The condition that a leaf says by comparing it with true or false; None for any other leaf.
    Both are null where the other is, so that this holds for negations as well."""
    match leaf.expression:
        case exp.EQ(this=subject, expression=other) | exp.NEQ(this=subject, expression=other):
            if isinstance(subject.unnest(), exp.Boolean):
                subject, other = other, subject
            wanted, bare = _value(other), subject.unnest()
            if wanted is None or not (isinstance(bare, _CONDITIONS) or _has_default(bare)):
                return None
            is_opposite = wanted is isinstance(leaf.expression, exp.NEQ)
            return formula(subject, negated=leaf.negated != is_opposite)
    return None


def of_truth(leaf: Leaf) -> Replacement | None:
    """What a leaf says that compares something with true or false, or has one of these for what is
    null; None for any other leaf."""
    compared = compared_truth(leaf)
    if compared is not None:
        return Replacement(compared, True, True)
    match leaf.expression:
        case exp.Is(this=subject, expression=other):
            return _as_it_is(subject, _value(other), leaf.negated)
        case (
            exp.NullSafeEQ(this=subject, expression=other)
            | exp.NullSafeNEQ(this=subject, expression=other)
        ):
            if isinstance(subject.unnest(), exp.Boolean):
                subject, other = other, subject
            is_other = isinstance(leaf.expression, exp.NullSafeNEQ) != leaf.negated
            return _as_it_is(subject, _value(other), is_other)
        case exp.Coalesce(this=exp.Column() | exp.Dot() as column, expressions=[default]):
            if _value(default) is not (not leaf.negated):
                return None
            is_null = exp.Is(this=column.copy(), expression=exp.Null())
            arms = Leaf(column, leaf.negated), Leaf(is_null, False)
            return Replacement(AnyOf(arms), True, True)
    return None


def _as_it_is(subject: exp.Expr, value: bool | None, is_other: bool) -> Replacement | None:
    """`subject IS value`, or, with `is_other`, IS NOT: what is never null is the opposite then."""
    bare = subject.unnest()
    is_condition = isinstance(bare, _CONDITIONS + _CHOICES)
    if value is None or not (_has_default(bare) if is_other else is_condition):
        return None
    return Replacement(formula(subject, negated=value is is_other), True, True)


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


def _may_concern(subject: exp.Expr, *_: object) -> bool:
    return isinstance(subject.unnest(), _CONDITIONS) or _has_default(subject.unnest())


REWRITE = LeafRewrite(may_concern=_may_concern, replace=lambda leaf, _: of_truth(leaf))
