"""Choices among constants, and what else is no function that is NULL of a NULL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from collectors.predicates.literals import Timestamp, is_nan
from collectors.sql.constants.call import Fold
from collectors.sql.constants.calls import compared, order
from collectors.sql.constants.session import Session
from collectors.sql.constants.texts import joined
from collectors.sql.constants.values import NULL, Folded, Null, not_constant


def _case(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    operand = expression.args.get("this")
    value = None if operand is None else fold(operand)
    branches = []
    for branch in expression.args.get("ifs", ()):
        test = fold(branch.this)
        holds = test if value is None else compared(exp.EQ, value, test)
        branches.append((holds, fold(branch.args.get("true"))))
    return _first_that_holds(branches, expression.args.get("default"), fold)


def _if(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    branches = [(fold(expression.this), fold(expression.args.get("true")))]
    return _first_that_holds(branches, expression.args.get("false"), fold)


def _first_that_holds(
    branches: Sequence[tuple[Folded, Folded]], default: exp.Expr | None, fold: Fold
) -> Folded:
    """What follows the first condition that holds. All are read: the types of all make its type."""
    otherwise = NULL if default is None else fold(default)
    _require_alike([*(value for _, value in branches), otherwise])
    for holds, value in branches:
        if holds is not NULL and not isinstance(holds, bool):
            raise not_constant()
        if holds is True:
            return value
    return otherwise


def _coalesce(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    values = [fold(each) for each in (expression.this, *expression.expressions)]
    _require_alike(values)
    return next((value for value in values if value is not NULL), NULL)


def _nullif(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    left, right = fold(expression.this), fold(expression.expression)
    _require_alike([left, right])
    return NULL if compared(exp.EQ, left, right) is True else left


def _extreme(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    """The least or the greatest of values of one kind. Of NULL, Spark takes the others, and of NaN
    engines think otherwise."""
    values = [fold(each) for each in (expression.this, *expression.expressions)]
    found = values[0]
    for value in values:
        if isinstance(value, Null) or is_nan(value):
            raise not_constant()
        if isinstance(value, float) is not isinstance(found, float):
            raise not_constant()
        compared = order(value, found)
        if not compared and _zone(value) != _zone(found):
            raise not_constant()  # one moment, of which either clock may be told
        if compared and (compared < 0) == isinstance(expression, exp.Least):
            found = value
    return found


def _zone(value: Folded) -> str | None:
    return value.zone if isinstance(value, Timestamp) else None


def _connected(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    sides = [fold(expression.this), fold(expression.expression)]
    if not all(side is NULL or isinstance(side, bool) for side in sides):
        raise not_constant()
    return _any(sides) if isinstance(expression, exp.Or) else _all(sides)


def _is(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    """IS NULL, IS TRUE and IS FALSE."""
    value, other = fold(expression.this), expression.expression
    if isinstance(other, exp.Null):
        return value is NULL
    if not isinstance(other, exp.Boolean) or not (value is NULL or isinstance(value, bool)):
        raise not_constant()
    return value is bool(other.this)


def _distinct(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    """IS DISTINCT FROM, and its opposite."""
    left, right = fold(expression.this), fold(expression.expression)
    is_null = left is NULL, right is NULL
    is_same = all(is_null) if any(is_null) else compared(exp.EQ, left, right) is True
    return is_same == isinstance(expression, exp.NullSafeEQ)


def _between(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    value = fold(expression.this)
    low, high = fold(expression.args.get("low")), fold(expression.args.get("high"))
    if expression.args.get("symmetric"):
        raise not_constant()
    return _all([compared(exp.GTE, value, low), compared(exp.LTE, value, high)])


def _listed(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    if not expression.expressions or expression.args.get("unnest"):
        raise not_constant()
    value = fold(expression.this)
    return _any([compared(exp.EQ, value, fold(each)) for each in expression.expressions])


def _all(values: Sequence[Folded]) -> Folded:
    """AND of three values."""
    if False in values:
        return False
    return NULL if NULL in values else True


def _any(values: Sequence[Folded]) -> Folded:
    """OR of three values."""
    if True in values:
        return True
    return NULL if NULL in values else False


def _joined(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    return joined([fold(each) for each in expression.expressions], session)


def _require_alike(values: Sequence[Folded]) -> None:
    """Values of several types are cast to one that all have in common."""
    kinds = {
        (type(value), isinstance(value, Timestamp) and (value.zoned, value.is_ntz))
        for value in values
        if value is not NULL
    }
    if len(kinds) > 1:
        raise not_constant()


CHOICES: Mapping[type[exp.Expr], Callable[[exp.Expr, Fold, Session], Folded]] = {
    exp.Case: _case,
    exp.If: _if,
    exp.Coalesce: _coalesce,
    exp.Nullif: _nullif,
    exp.Least: _extreme,
    exp.Greatest: _extreme,
    exp.And: _connected,
    exp.Or: _connected,
    exp.Is: _is,
    exp.NullSafeEQ: _distinct,
    exp.NullSafeNEQ: _distinct,
    exp.Between: _between,
    exp.In: _listed,
    exp.ConcatWs: _joined,
}
"""By their nodes in syntax trees."""
