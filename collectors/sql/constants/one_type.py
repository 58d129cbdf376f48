"""The common type of several constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants import numbers
from prunescope.collectors.sql.constants.call import Fold
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import (
    NULL,
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
