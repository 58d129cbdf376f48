"""How far apart two times are, whichever comes first, compared with a number: `abs(date_diff('day',
ts, DATE '2026-04-03')) <= 3` is `date_diff(…) <= 3 AND date_diff(…) >= -3`. No engine makes
anything of it.

Spark's days between dates are a number of 32 bits, of whose least one abs() makes none:
`counted` reads these, and what is calculated of numbers.
"""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import Unit, unit_named
from collectors.sql.conditions.leaf_rewrite import Around, LeafRewrite, Replacement
from collectors.sql.conditions.sides import FLIPPED
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, own_columns

_DIFFERENCES = (exp.DateDiff, exp.DatetimeDiff, exp.TimestampDiff, exp.MonthsBetween)
_NEGATED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
}
_MIRRORED = {**FLIPPED, exp.NEQ: exp.NEQ}
_MAX_LISTED = 64


def may_be_distance(subject: exp.Expr, dialect: str) -> bool:
    """Whether an expression is the distance between two times."""
    subject = subject.unnest()
    difference = subject.this.unnest() if isinstance(subject, exp.Abs) else None
    known = dialect_of(dialect)
    if not isinstance(difference, _DIFFERENCES):
        return False
    if known.is_spark:
        unit = unit_named(difference.text("unit"))
        is_long = isinstance(difference, exp.TimestampDiff) and unit not in (None, Unit.MICROSECOND)
        return is_long or isinstance(difference, exp.MonthsBetween)
    return known.is_trino or known.has_documented_moves


def distance(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the difference whose size it compares; None for any other leaf."""
    expression, session = leaf.expression, around.session
    kind: type[exp.Expr] = exp.EQ
    if isinstance(expression, exp.In):
        subject, others = expression.this, expression.expressions
        if expression.args.get("unnest") or not 0 < len(others) <= _MAX_LISTED:
            return None
    elif type(expression) in _NEGATED:
        subject, others, kind = expression.this, [expression.expression], type(expression)
        if own_columns(others[0]):
            subject, others, kind = others[0], [subject], _MIRRORED[kind]
    else:
        return None
    if not may_be_distance(subject, session.dialect) or not all(
        _is_distance(other, session) for other in others
    ):
        return None
    kind = _NEGATED[kind] if leaf.negated else kind
    parts = tuple(_sides(kind, subject.unnest().this, other) for other in others)
    if len(parts) == 1:
        return Replacement(parts[0], is_all=True, is_made=True)
    whole = AllOf(parts) if leaf.negated else AnyOf(parts)
    return Replacement(whole, is_all=True, is_made=True)


def _is_distance(other: exp.Expr, session: Session) -> bool:
    """Whether a constant is a number that is none below zero."""
    try:
        value = None if own_columns(other) else fold(other, session)
    except CannotConvert:
        return False
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return is_number and value >= 0  # type: ignore[operator]  # a number


def _sides(kind: type[exp.Expr], difference: exp.Expr, other: exp.Expr) -> Formula:
    """What is asked of a difference to both sides of zero."""
    below = exp.Neg(this=other.copy())
    sides = (
        Leaf(kind(this=difference.copy(), expression=other.copy()), False),
        Leaf(_MIRRORED[kind](this=difference.copy(), expression=below), False),
    )
    return AllOf(sides) if kind in (exp.LT, exp.LTE, exp.NEQ) else AnyOf(sides)


REWRITE = LeafRewrite(
    may_concern=lambda subject, dialect, _is_value: may_be_distance(subject, dialect),
    replace=distance,
)
