"""Choices among constants by conditions."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from sqlglot import exp

from prunescope.collectors.sql.constants.call import Fold
from prunescope.collectors.sql.constants.calls import compared
from prunescope.collectors.sql.constants.one_type import of_one_type, untyped
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import (
    NULL,
    Fails,
    Folded,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialects import dialect_of


def certain(fold: Fold) -> Fold:
    """A fold that raises CannotConvert instead of Fails, because a failure may not be reached, or
    may be NULL."""

    def folded(part: exp.Expr | None) -> Folded:
        try:
            return fold(part)
        except Fails:
            raise not_constant() from None

    return folded


def case(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """CASE, of conditions or of values."""
    operand, tested = expression.args.get("this"), certain(fold)
    value = None if operand is None else tested(operand)
    branches = []
    for branch in expression.args.get("ifs", ()):
        test = tested(branch.this)
        holds = test if value is None else compared(exp.EQ, value, test, session)
        branches.append((holds, branch.args.get("true")))
    return _first_that_holds(branches, expression.args.get("default"), fold, session)


def if_else(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """IF() and IFF()."""
    branches = [(certain(fold)(expression.this), expression.args.get("true"))]
    return _first_that_holds(branches, expression.args.get("false"), fold, session)


def _first_that_holds(
    branches: Sequence[tuple[Folded, exp.Expr | None]],
    default: exp.Expr | None,
    fold: Fold,
    session: Session,
) -> Folded:
    """The value behind the first condition that holds. All values are evaluated, because the types
    of all make its type."""
    otherwise = exp.Null() if default is None else default
    options = [*(value for _, value in branches), otherwise]
    chosen = len(branches)
    for place, (holds, _) in reversed([*enumerate(branches)]):
        if holds is not NULL and not isinstance(holds, bool):
            raise not_constant()
        chosen = place if holds is True else chosen
    try:
        return of_one_type(options, fold, session)[chosen]
    except Fails:
        if dialect_of(session.dialect).has_known_functions:
            raise not_constant() from None
        # What is not chosen fails, and so does not tell its type.
        value = fold(options[chosen])
        return Decimal(value) if is_int(value) else untyped(value)


def by_value(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """DECODE(), for which two NULLs are equal."""
    (searched, *others), tested = expression.expressions, certain(fold)
    value, branches = tested(searched), []
    while len(others) > 1:
        test, found, *others = others
        branches.append((are_same(value, tested(test), session), found))
    return _first_that_holds(branches, others[0] if others else None, fold, session)


def by_null(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """NVL2()."""
    branches = [(certain(fold)(expression.this) is not NULL, expression.args.get("true"))]
    return _first_that_holds(branches, expression.args.get("false"), fold, session)


def by_several(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """ClickHouse's multiIf()."""
    *pairs, default = expression.expressions
    branches = [
        (certain(fold)(test), value) for test, value in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    return _first_that_holds(branches, default, fold, session)


def are_same(left: Folded, right: Folded, session: Session) -> bool:
    """True if two values are equal, or both are NULL."""
    is_null = left is NULL, right is NULL
    return all(is_null) if any(is_null) else compared(exp.EQ, left, right, session) is True
