"""Arithmetic of constants, as every engine of the dialect does it alike. What these do in other
ways, or not at all, raises CannotConvert."""

from __future__ import annotations

import re
from decimal import Context, Decimal, Inexact

from sqlglot import exp

from collectors.predicates.calendar import Interval
from collectors.predicates.literals import LiteralValue
from collectors.sql.constants.numbers import (
    OPERATIONS,
    Number,
    calculated,
    opposite,
    single,
    whole,
    written,
)
from collectors.sql.constants.values import (
    NULL,
    Folded,
    Null,
    Single,
    Whole,
    not_constant,
)
from collectors.sql.dialects import Dialect
from collectors.types import INT64_RANGE, MAX_DECIMAL_DIGITS

LONG_NUMBER = 19
"""Characters of a number that may be one beyond all of 64 bits."""
_NARROWEST = 8
"""Bits of a whole number whose type is not known, at least."""
_EXACT = re.compile(r"[0-9]+(?:\.[0-9]*)?")


def number(text: str, dialect: Dialect) -> LiteralValue:
    """The value of a literal that is a number. Whole ones are integers, those with a point
    decimals, with an exponent doubles (Trino and Spark)."""
    return float(text) if "e" in text.lower() else written(text, dialect)


def is_written_beyond_whole(expression: exp.Expr) -> bool:
    """Whether an expression is an exact number beyond all of 64 bits, as it is written."""
    node = expression.unnest()
    while isinstance(node, exp.Neg) or (
        isinstance(node, exp.Cast) and node.to.this is exp.DType.DECIMAL
    ):
        node = node.this.unnest()
    if not isinstance(node, exp.Literal) or len(node.name) < LONG_NUMBER:
        return False
    return bool(_EXACT.fullmatch(node.name)) and Decimal(node.name) > INT64_RANGE[1]


def negative(value: Folded, dialect: Dialect) -> Folded:
    """The value with another sign."""
    match value:
        case Null():
            return NULL
        case Interval():
            return value.times(-1)
        case bool():
            raise not_constant()
        case int() | float() | Decimal():
            return opposite(value, dialect)
    raise not_constant()


def arithmetic(expression: exp.Binary, left: Folded, right: Folded, dialect: Dialect) -> Folded:
    """Integers and decimals exactly; in doubles as soon as one side is a double."""
    kind = type(expression)
    left, right = _number(left), _number(right)
    if kind in (exp.Div, exp.Mod, exp.IntDiv) and right == 0:
        raise not_constant()
    if isinstance(left, float) or isinstance(right, float):
        return _of_floats(kind, left, right, dialect)
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        if dialect.has_known_functions and kind in OPERATIONS:
            return calculated(kind, left, right, dialect)
        if kind not in (exp.Add, exp.Sub, exp.Mul):
            raise not_constant()
        only_exact = Context(prec=MAX_DECIMAL_DIGITS, traps=[Inexact])
        return OPERATIONS[kind](only_exact, Decimal(left), Decimal(right))
    return _of_whole(expression, left, right, dialect)


def _number(value: Folded) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    return value


def _of_floats(kind: type[exp.Expr], left: Number, right: Number, dialect: Dialect) -> float:
    if kind not in (exp.Add, exp.Sub, exp.Mul) and (kind is not exp.Div or not dialect.is_measured):
        raise not_constant()
    are_single = [isinstance(value, Single) for value in (left, right)]
    # What is exact beside a number of 32 bits becomes one of 32 bits, or of 64.
    if any(are_single) and not (isinstance(left, float) and isinstance(right, float)):
        raise not_constant()
    sides = float(left), float(right)
    match kind:
        case exp.Add:
            found = sides[0] + sides[1]
        case exp.Sub:
            found = sides[0] - sides[1]
        case exp.Mul:
            found = sides[0] * sides[1]
        case _:
            found = sides[0] / sides[1]
    return single(found) if all(are_single) else found


def _of_whole(expression: exp.Binary, left: int, right: int, dialect: Dialect) -> int | float:
    match expression:
        case exp.Add():
            found = left + right
        case exp.Sub():
            found = left - right
        case exp.Mul():
            found = left * right
        case exp.Mod():
            found = left - right * _quotient(left, right)
        case exp.IntDiv() if dialect.is_spark:
            return whole(_quotient(left, right), 64)
        case exp.Binary() if expression.args.get("typed"):
            found = _quotient(left, right)
        case exp.Div() if dialect.is_spark:
            return float(left) / float(right)
        case _:
            raise not_constant()
    if isinstance(left, Whole) and isinstance(right, Whole):
        return whole(found, max(left.bits, right.bits))
    if dialect.has_known_functions:
        return int(whole(found, _NARROWEST))
    # Engines overflow long before, and products of products grow without end.
    if abs(found) >= 10**MAX_DECIMAL_DIGITS:
        raise not_constant()
    return found


def _quotient(left: int, right: int) -> int:
    """The quotient without its fraction."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
