"""Leaves as engines simplify them before they look at columns: choices that constants decide, and
conditions that are compared with true or false, as `(a > 5) = true`, which is `a > 5`, and
`coalesce(f, false) = true`, which is `coalesce(f, false)`."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.sql.conditions.constant_choices import decided
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.conditions.sole_cases import sole_case
from prunescope.collectors.sql.text.boolean import Formula, Leaf, as_written, formula

_CONDITIONS = (
    *(exp.Predicate, exp.Connector, exp.Not),
    *(exp.RegexpLike, exp.StartsWith, exp.Contains, exp.IsNan),
)


def compared_truth(leaf: Leaf) -> Formula | None:
    """The condition that a leaf compares with true or false, negated if necessary; None for other
    leaves. Both are null for the same rows, so that this holds for negations as well."""
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


def wanted_truth(leaf: Leaf) -> Formula | None:
    """The condition that a leaf tests for true or false, which selects the same rows; None for
    other leaves, and for a leaf that holds if the condition is null."""
    match leaf.expression:
        case exp.Is(this=subject, expression=exp.Boolean(this=wanted)) if not leaf.negated:
            bare = subject.unnest()
            return formula(bare, negated=not wanted) if isinstance(bare, _CONDITIONS) else None
    return None


def _value(expression: exp.Expr) -> bool | None:
    """The value of a constant true or false; None for other expressions."""
    bare = expression.unnest()
    return bool(bare.this) if isinstance(bare, exp.Boolean) else None


def _has_default(expression: exp.Expr) -> bool:
    """True if an expression replaces null by true or false."""
    match expression:
        case exp.Coalesce(expressions=[*_, last]):
            return _value(last) is not None
    return False


def simplified(leaf: Leaf, reader: Reader) -> Formula | None:
    """The condition that is left of a leaf once constants, and then the reader's planner, have
    simplified it, at the leaf's place in the query; None for a leaf that stays as it is."""
    found = decided(leaf, reader)
    if found is None:
        found = _planned(leaf, reader)
    return None if found is None else as_written(found, leaf)


def _planned(leaf: Leaf, reader: Reader) -> Formula | None:
    planner = reader.planner
    if planner is None:
        return compared_truth(leaf) or wanted_truth(leaf)
    profile, version = planner.profile, planner.version
    found = compared_truth(leaf) if profile.rewording.simplifies_truths else None
    if found is None and profile.rewording.knows_sole_cases(version) and not reader.is_part:
        found = sole_case(leaf, reader.session)
    return found
