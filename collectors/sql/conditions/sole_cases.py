"""The one case of a choice between constants for which a condition holds, as Trino 483 plans it:
`CASE WHEN i < 10 THEN 'a' WHEN i < 20 THEN 'b' END = 'b'` is `i < 20`, and not `i < 10`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, not_constant
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, formula, own_columns
from prunescope.collectors.sql.text.cases import parts_of

_ORDERED = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_COMPARED = (exp.EQ, *_ORDERED)
_COMPARED_NEGATED = (exp.NEQ, *_ORDERED)
_ALIKE = (exp.EQ, exp.NullSafeEQ, exp.NullSafeNEQ)


def sole_case(leaf: Leaf, session: Session) -> Formula | None:
    """The condition that chooses the only constant for which a leaf holds, and the negations that
    Trino keeps of the cases before; FALSE if the leaf holds for no constant. None for other leaves:
    Trino does not simplify a choice that is never null, or between values."""
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
    """The name of a comparison's side that may be a choice; None if Trino does not take the
    expression apart, so that the whole may be a choice."""
    expression = leaf.expression
    if isinstance(expression, exp.In):
        is_one = len(set(expression.expressions)) == 1 and not leaf.negated
        return "this" if is_one else None
    if isinstance(expression, _COMPARED_NEGATED if leaf.negated else _COMPARED):
        return "expression" if own_columns(expression.expression) else "this"
    return None


def _inner(side: exp.Expr) -> exp.Expr:
    """The expression inside brackets, and inside casts of numbers to other numbers."""
    found = side.unnest()
    while type(found) is exp.Cast and found.to.this in exp.DataType.NUMERIC_TYPES:
        found = found.this.unnest()
    return found


def _holds(leaf: Leaf, name: str | None, value: exp.Expr, session: Session) -> bool:
    """True if a leaf holds for a constant; raises CannotConvert."""
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
    """The conditions that Trino keeps of cases that were not chosen: the negation of a condition on
    a column, or the column's null. Other cases are dropped. Raises CannotConvert for unknown
    constants."""
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
    """The column that a condition is, tests for null, or compares with a constant, bare or within a
    function of it by an order; None for other conditions."""
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
