"""Arithmetic of constants, as every engine of the dialect does it alike."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal, Inexact, localcontext
from typing import TypeGuard

from collectors.predicates.calendar import Interval
from collectors.predicates.literals import LiteralValue
from collectors.sql.constants.casts import MAX_DECIMAL_DIGITS
from collectors.sql.constants.values import NULL, Folded, Null, not_constant


def number(text: str) -> LiteralValue:
    """The value of a literal that is a number. Whole ones are integers, those with a point
    decimals, with an exponent doubles (Trino and Spark)."""
    if text.isdecimal():
        return int(text)
    return float(text) if "e" in text.lower() else Decimal(text)


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


def is_int(value: object) -> TypeGuard[int]:
    """Whether it is a whole number, and no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


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
