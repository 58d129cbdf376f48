"""The one case of a choice between constants of which a condition holds, as Trino 483 plans it:
`CASE WHEN i < 10 THEN 'a' WHEN i < 20 THEN 'b' END = 'b'` is `i < 20`, and not `i < 10`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.conditions.cases import parts_of
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import NULL, CannotConvert
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, formula, own_columns

_COMPARED = (exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_COMPARED_NEGATED = (exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def sole_case(leaf: Leaf, session: Session) -> Formula | None:
    """The condition by which the only constant is chosen that a leaf holds of, and what is left of
    the cases before it; what never holds where it holds of none. None for any other leaf: of a
    choice that is never null, or whose cases are values, Trino makes nothing."""
    name = _place(leaf)
    subject = leaf.expression if name is None else leaf.expression.args[name].unnest()
    if not isinstance(subject, exp.Case | exp.If):
        return None
    base, cases, default = parts_of(subject)
    if base is not None:
        return None
    values = [*(case.args["true"] for case in cases), exp.Null() if default is None else default]
    try:
        is_null = [fold(value, session) is NULL for value in values]
        held = [at for at, value in enumerate(values) if _holds(leaf, name, value, session)]
    except CannotConvert:
        return None
    if not held and name is not None:
        return Leaf(exp.false(), False)
    if len(held) != 1 or not any(is_null):
        return None
    before = _none_of([case.this for case in cases[: held[0]]])
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


def _holds(leaf: Leaf, name: str | None, value: exp.Expr, session: Session) -> bool:
    """Whether a leaf holds of a constant; raises CannotConvert."""
    if name is None:
        found = fold(value, session)
        return found is not NULL and bool(found) and not leaf.negated
    whole = leaf.expression.copy()
    whole.set(name, value.copy())
    found = fold(whole, session)
    return found is not NULL and found is not leaf.negated


def _none_of(conditions: Sequence[exp.Expr]) -> list[Formula]:
    """What Trino takes of cases that were not chosen: the opposite of a condition on a column as it
    is, or its null. Of others it takes nothing."""
    found: list[Formula] = []
    for condition in (each.unnest() for each in conditions):
        opposite = formula(condition, negated=True)
        match condition:
            case exp.Is(this=exp.Column(), expression=exp.Null()):
                found.append(opposite)
            case exp.NullSafeEQ() if _column_of(condition) is not None:
                found.append(opposite)
            case exp.Column() | exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
                column = _column_of(condition)
                if column is not None:
                    is_null = exp.Is(this=column.copy(), expression=exp.Null())
                    found.append(AnyOf((opposite, Leaf(is_null, False))))
    return found


def _column_of(condition: exp.Expr) -> exp.Column | None:
    """The column that a condition is, or compares as it is with a constant."""
    if isinstance(condition, exp.Column):
        return condition
    sides = condition.this.unnest(), condition.expression.unnest()
    columns = [side for side in sides if isinstance(side, exp.Column)]
    return columns[0] if len(columns) == 1 == len(own_columns(condition)) else None
