"""Bound predicates as PyIceberg's expressions."""

from __future__ import annotations

import uuid
from decimal import Decimal
from functools import reduce
from typing import Any

from pyiceberg.expressions import (
    AlwaysFalse,
    AlwaysTrue,
    BooleanExpression,
    EqualTo,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNaN,
    IsNull,
    LessThan,
    LessThanOrEqual,
    NotEqualTo,
    NotIn,
    NotNaN,
    NotNull,
    NotStartsWith,
    StartsWith,
)
from pyiceberg.expressions import And as PyAnd
from pyiceberg.expressions import Or as PyOr
from pyiceberg.expressions.literals import (
    DateLiteral,
    Literal,
    LongLiteral,
    TimeLiteral,
    TimestampLiteral,
    literal,
)

from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import Always, And, BoundComparison, Or, Predicate
from prunescope.collectors.predicates.operators import Op

_UNARY = {Op.IS_NULL: IsNull, Op.NOT_NULL: NotNull, Op.IS_NAN: IsNaN, Op.NOT_NAN: NotNaN}
_LITERAL = {
    Op.LT: LessThan,
    Op.LT_EQ: LessThanOrEqual,
    Op.GT: GreaterThan,
    Op.GT_EQ: GreaterThanOrEqual,
    Op.EQ: EqualTo,
    Op.NOT_EQ: NotEqualTo,
    Op.STARTS_WITH: StartsWith,
    Op.NOT_STARTS_WITH: NotStartsWith,
}
_SET = {Op.IN: In, Op.NOT_IN: NotIn}


def to_pyiceberg(predicate: Predicate) -> BooleanExpression:
    """The expression with the same meaning; predicates without transform terms only."""
    match predicate:
        case Always(value):
            return AlwaysTrue() if value else AlwaysFalse()
        case And(children):
            return _nested(PyAnd, children)
        case Or(children):
            return _nested(PyOr, children)
        case BoundComparison(op, field, values):
            assert field.transform is None
            found = [_literal(value, field.type) for value in values]
            expression: BooleanExpression
            if op in _UNARY:
                expression = _UNARY[op](field.name)
            elif op in _SET:
                expression = _SET[op](field.name, set(found))
            else:
                expression = _LITERAL[op](field.name, found[0])
            return expression
    raise TypeError(f"PyIceberg has no {predicate}")


def _nested(node: type[PyAnd | PyOr], children: tuple[Predicate, ...]) -> BooleanExpression:
    return reduce(node, map(to_pyiceberg, children))


def _literal(value: PhysicalValue, type_name: str) -> Literal[Any]:
    match type_name:
        case "boolean":
            return literal(bool(value))
        case "date":
            return DateLiteral(_int(value))
        case "time":
            return TimeLiteral(_int(value))
        case "timestamp" | "timestamptz":
            return TimestampLiteral(_int(value))
        case "int" | "long":
            return LongLiteral(_int(value))
        case "string":
            assert isinstance(value, bytes)
            return literal(value.decode())
        case "uuid":
            assert isinstance(value, bytes)
            return literal(uuid.UUID(bytes=value))
    assert isinstance(value, float | Decimal | bytes)
    return literal(value)


def _int(value: PhysicalValue) -> int:
    assert isinstance(value, int)
    return value
