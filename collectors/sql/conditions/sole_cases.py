"""The one case of a choice between constants of which a condition holds, as Trino 483 plans it:
`CASE WHEN i < 10 THEN 'a' WHEN i < 20 THEN 'b' END = 'b'` is `i < 20`, and not `i < 10`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import NULL, CannotConvert, not_constant
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, formula, own_columns
from collectors.sql.text.cases import parts_of

_ORDERED = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_COMPARED = (exp.EQ, *_ORDERED)
_COMPARED_NEGATED = (exp.NEQ, *_ORDERED)
_ALIKE = (exp.EQ, exp.NullSafeEQ, exp.NullSafeNEQ)


def sole_case(leaf: Leaf, session: Session) -> Formula | None:
    """The condition by which the only constant is chosen that a leaf holds of, and what is left of
    the cases before it; what never holds where it holds of none. None for any other leaf: of a
    choice that is never null, or whose cases are values, Trino makes nothing."""
    name = _place(leaf)
    subject = leaf.expression if name is None else _inner(leaf.expression.args[name])
    is_bare_opposite = name is None and leaf.negated
    if not isinstance(subject, exp.Case | exp.If) or is_bare_opposite:
        return None
    base, cases, default = parts_of(subject)
    values = [*(case.args["true"] for case in cases), exp.Null() if default is None else default]
    try:
        constants = [fold(value, session) for value in values]
        held = [at for at, value in enumerate(values) if _holds(leaf, name, value, session)]
        before = _none_of([case.this for case in cases[: held[0]]], session) if held else []
    except CannotConvert:
        return None
    if not held:
        return Leaf(exp.false(), False)
    if base is not None or len(held) != 1 or NULL not in constants:
        return None
    own = (formula(cases[held[0]].this),) if held[0] < len(cases) else ()
    return AllOf((*own, *before))


def _place(leaf: Leaf) -> str | None:
    """Which side of a comparison may be a choice; None for what is no comparison that Trino takes
    apart, of which the whole may be one."""
    expression = leaf.expression
    if isinstance(expression, exp.In):
        is_one = len(set(expression.expressions)) == 1 and not leaf.negated
        return "this" if is_one else None
    if isinstance(expression, _COMPARED_NEGATED if leaf.negated else _COMPARED):
        return "expression" if own_columns(expression.expression) else "this"
    return None


def _inner(side: exp.Expr) -> exp.Expr:
    """What is in brackets, and in casts of numbers to others."""
    found = side.unnest()
    while type(found) is exp.Cast and found.to.this in exp.DataType.NUMERIC_TYPES:
        found = found.this.unnest()
    return found


def _holds(leaf: Leaf, name: str | None, value: exp.Expr, session: Session) -> bool:
    """Whether a leaf holds of a constant; raises CannotConvert."""
    if name is None:
        return fold(value, session) is True
    whole = leaf.expression.copy()
    side = whole.args[name]
    inner = _inner(side)
    if inner is not side.unnest() and isinstance(fold(value, session), str):
        raise not_constant()  # texts that are read as numbers were not seen
    inner.replace(value.copy())
    found = fold(whole, session)
    return found is not NULL and found is not leaf.negated


def _none_of(conditions: Sequence[exp.Expr], session: Session) -> list[Formula]:
    """What Trino takes of cases that were not chosen: the opposite of a condition on a column, or
    its null. Of others it takes nothing. Raises CannotConvert for constants that are not known."""
    found: list[Formula] = []
    for condition in conditions:
        bare = condition.unnest()
        while isinstance(bare, exp.Not):
            bare = bare.this.unnest()
        column = _column_of(bare, session)
        if column is None:
            continue
        opposite = formula(condition, negated=True)
        if isinstance(bare, exp.Is | exp.NullSafeEQ | exp.NullSafeNEQ):
            found.append(opposite)  # which is never null
        else:
            is_null = exp.Is(this=column.copy(), expression=exp.Null())
            found.append(AnyOf((opposite, Leaf(is_null, False))))
    return found


def _column_of(condition: exp.Expr, session: Session) -> exp.Expr | None:
    """The column that a condition is, or whether it is null, or that it compares with a constant
    as it is, or with what is less or more than a function of it; None for others."""
    match condition:
        case exp.Column():
            return condition
        case exp.Is(this=exp.Column() as column, expression=exp.Null()):
            return column
    if not isinstance(condition, (*_COMPARED_NEGATED, *_ALIKE)):
        return None
    sides = sorted((condition.this, condition.expression), key=lambda side: not own_columns(side))
    columns = own_columns(sides[0])
    if len(columns) != 1 or own_columns(sides[1]) or fold(sides[1], session) is NULL:
        return None
    subject = sides[0].unnest()
    if isinstance(subject, exp.Column):
        return subject
    # What is null where its column is not would be another condition.
    is_ordered = isinstance(condition, _ORDERED) and subject.find(exp.Dot, exp.TryCast) is None
    return columns[0] if is_ordered else None
