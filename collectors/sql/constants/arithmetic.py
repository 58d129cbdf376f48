"""Arithmetic of constants, as every engine of the dialect does it alike. What these do in other
ways, or not at all, raises CannotConvert."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Context, Decimal, Inexact, localcontext

from sqlglot import exp

from collectors.predicates.calendar import Interval
from collectors.predicates.literals import LiteralValue
from collectors.sql.constants.casts import MAX_DECIMAL_DIGITS
from collectors.sql.constants.values import NULL, Folded, Null, is_int, not_constant
from collectors.sql.dialects import Dialect
from collectors.types import INT64_RANGE

LONG_NUMBER = 19
"""Characters of a number that may be one beyond all of 64 bits."""
_EXACT = re.compile(r"[0-9]+(?:\.[0-9]*)?")


def number(text: str) -> LiteralValue:
    """The value of a literal that is a number. Whole ones are integers, those with a point
    decimals, with an exponent doubles (Trino and Spark)."""
    if text.isdecimal():
        return int(text)
    return float(text) if "e" in text.lower() else Decimal(text)


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


def negative(value: Folded) -> Folded:
    """The value with another sign."""
    match value:
        case Null():
            return NULL
        case Interval():
            return value.times(-1)
        case bool():
            raise not_constant()
        case int() | float():
            return -value
        case Decimal():
            return value.copy_negate()
    raise not_constant()


def arithmetic(left: Folded, right: Folded, apply: Callable[..., int | float | Decimal]) -> Folded:
    """Integers and decimals exactly; in doubles as soon as one side is a double."""
    for value in (left, right):
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise not_constant()
    if isinstance(left, float) or isinstance(right, float):
        return apply(float(left), float(right))  # type: ignore[arg-type]  # numbers, see above
    if isinstance(left, int) and isinstance(right, int):
        whole = apply(left, right)
        # Engines overflow long before, and products of products grow without end.
        if abs(whole) >= 10**MAX_DECIMAL_DIGITS:
            raise not_constant()
        return whole
    with localcontext(Context(prec=MAX_DECIMAL_DIGITS, traps=[Inexact])):
        return apply(left, right)


def divided(expression: exp.Binary, left: Folded, right: Folded, dialect: Dialect) -> Folded:
    """The quotient or the remainder of a division, of doubles and whole numbers."""
    if isinstance(left, float) or isinstance(right, float):
        if not isinstance(expression, exp.Div) or not dialect.is_measured or right == 0:
            raise not_constant()
        return arithmetic(left, right, lambda a, b: a / b)
    if not (is_int(left) and is_int(right)) or right == 0:
        raise not_constant()
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    if isinstance(expression, exp.Mod):
        return left - right * quotient
    if expression.args.get("typed") or (isinstance(expression, exp.IntDiv) and dialect.is_spark):
        return quotient
    if dialect.is_spark:
        return left / right
    raise not_constant()
