"""Choices among constants by conditions, and the common type of what is chosen from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants import numbers
from prunescope.collectors.sql.constants.call import Fold
from prunescope.collectors.sql.constants.calls import compared
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import (
    NULL,
    Fails,
    Folded,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialects import dialect_of


def of_one_type(
    expressions: Sequence[exp.Expr | None], fold: Fold, session: Session
) -> list[Folded]:
    """The values of expressions in their common type; raises CannotConvert if they are of several
    kinds. A NULL other than a bare one has an unknown type."""
    values = [fold(each) for each in expressions]
    found = [value for value in values if value is not NULL]
    kinds = {kind(value) for value in found}
    if kinds == {int, float}:
        return [float(value) if is_int(value) else value for value in values]
    if kinds == {int, Decimal} and not dialect_of(session.dialect).has_known_functions:
        return [Decimal(value) if isinstance(value, int | Decimal) else value for value in values]
    if len(kinds) > 1:
        raise not_constant()
    has_typed_null = any(
        value is NULL and not isinstance(each, exp.Null)
        for each, value in zip(expressions, values, strict=True)
    )
    if has_typed_null:
        return [untyped(value) for value in values]
    if found and isinstance(found[0], Timestamp):
        digits = {value.digits for value in found if isinstance(value, Timestamp)}
        most = None if None in digits else max(each for each in digits if each is not None)
        return [replace(v, digits=most) if isinstance(v, Timestamp) else v for v in values]
    if kinds & {int, Decimal}:
        typed = numbers.common(found, dialect_of(session.dialect))
        return [typed(value) for value in values]
    return values


def untyped(value: Folded) -> Folded:
    """The value with an unknown type."""
    return replace(value, digits=None) if isinstance(value, Timestamp) else numbers.untyped(value)


def kind(value: Folded) -> object:
    """The kind of a value: equal for values that engines hold in one type."""
    match value:
        case bool():
            return bool
        case int():
            return int
        case Decimal():
            return Decimal
        case Timestamp():
            return Timestamp, value.zoned, value.is_ntz
    return type(value)


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
