"""Arithmetic of constants, as every engine of the dialect computes it. Raises CannotConvert if
engines differ, or an operation does not exist."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal, Inexact

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Interval
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.sql.constants.numbers import (
    OPERATIONS,
    Number,
    calculated,
    holds,
    opposite,
    single,
    whole,
    written,
)
from prunescope.collectors.sql.constants.values import (
    NULL,
    Folded,
    Null,
    Single,
    Whole,
    fails,
    not_constant,
)
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.types import INT64_RANGE, MAX_DECIMAL_DIGITS

LONG_NUMBER = 19
"""The least length of a number that may exceed all of 64 bits, in characters."""
_NARROWEST = 8
"""The least number of bits of a whole number whose type is unknown."""
_MORE_DIGITS = 6
"""Digits behind the point that a quotient has in addition to those of its dividend."""
_EXACT = re.compile(r"[0-9]+(?:\.[0-9]*)?")


def number(text: str, dialect: Dialect) -> LiteralValue:
    """The value of a literal that is a number. Whole ones are integers, those with a point
    decimals, with an exponent doubles (Trino and Spark)."""
    return float(text) if "e" in text.lower() else written(text, dialect)


def is_written_beyond_whole(expression: exp.Expr) -> bool:
    """True if an expression is written as an exact number beyond all of 64 bits."""
    node = expression.unnest()
    while isinstance(node, exp.Neg) or (
        isinstance(node, exp.Cast) and node.to.this is exp.DType.DECIMAL
    ):
        node = node.this.unnest()
    if not isinstance(node, exp.Literal) or len(node.name) < LONG_NUMBER:
        return False
    return bool(_EXACT.fullmatch(node.name)) and Decimal(node.name) > INT64_RANGE[1]


def negative(value: Folded, dialect: Dialect) -> Folded:
    """The value with the opposite sign."""
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
        return _by_zero(kind, left, right, dialect)
    if isinstance(left, float) or isinstance(right, float):
        return _of_floats(kind, left, right, dialect)
    if kind is exp.Div and dialect.divides_exactly:
        return _quotient_of_exact(Decimal(left), Decimal(right))
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        if dialect.has_known_functions and kind in OPERATIONS:
            return calculated(kind, left, right, dialect)
        if kind not in (exp.Add, exp.Sub, exp.Mul):
            raise not_constant()
        only_exact = Context(prec=MAX_DECIMAL_DIGITS, traps=[Inexact])
        return OPERATIONS[kind](only_exact, Decimal(left), Decimal(right))
    return _of_whole(expression, left, right, dialect)


def _by_zero(kind: type[exp.Expr], dividend: Number, zero: Number, dialect: Dialect) -> float:
    if kind is exp.Div and dialect.zero_divides:
        signs = math.copysign(1, dividend) * math.copysign(1, zero)
        return math.copysign(math.inf, signs) if dividend else math.nan
    is_known = dialect.has_known_functions or dialect.has_documented_dates
    is_double = isinstance(dividend, float) or isinstance(zero, float)
    raise fails() if is_known and not (is_double and dialect.has_ieee_doubles) else not_constant()


def _quotient_of_exact(left: Decimal, right: Decimal) -> Decimal:
    """Snowflake's quotient, "Scale and precision in arithmetic operations" of its reference."""
    exponent = left.as_tuple().exponent
    scale = -exponent if isinstance(exponent, int) else 0
    wide = Context(prec=4 * MAX_DECIMAL_DIGITS, rounding=ROUND_HALF_UP)
    places = max(scale, min(scale + _MORE_DIGITS, 2 * _MORE_DIGITS))
    return wide.divide(left, right).quantize(Decimal(1).scaleb(-places), context=wide)


def _number(value: Folded) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    return value


def _of_floats(kind: type[exp.Expr], left: Number, right: Number, dialect: Dialect) -> float:
    divides = dialect.is_measured or dialect.has_documented_dates
    # DuckDB's // divides doubles as / does.
    if kind is exp.IntDiv and dialect.has_strftime:
        kind = exp.Div
    if kind not in (exp.Add, exp.Sub, exp.Mul) and (kind is not exp.Div or not divides):
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
        case exp.IntDiv() if dialect.has_hive_functions:
            return whole(_quotient(left, right), 64)
        case exp.IntDiv() if dialect.has_documented_dates:
            found = _quotient(left, right)
        case exp.Div() if dialect.divides_in_doubles:
            return float(left) / float(right)
        case exp.Binary() if expression.args.get("typed"):
            found = _quotient(left, right)
        case exp.Div() if dialect.has_hive_functions:
            return float(left) / float(right)
        case _:
            raise not_constant()
    if dialect.whole_bits is not None:
        return int(whole(found, dialect.whole_bits, dialect))
    if isinstance(left, Whole) and isinstance(right, Whole):
        return whole(found, max(left.bits, right.bits), dialect)
    if isinstance(left, Whole) or isinstance(right, Whole):
        bits = max(side.bits for side in (left, right) if isinstance(side, Whole))
        if dialect.overflow_fails and not dialect.has_known_functions:
            return _held(found, bits)
    if dialect.has_known_functions:
        return _held(found, _NARROWEST)
    # Engines overflow long before, and products of products grow without end.
    if abs(found) >= 10**MAX_DECIMAL_DIGITS:
        raise not_constant()
    return found


def _held(value: int, bits: int) -> int:
    """The number, if a type of at least so many bits holds it; raises CannotConvert otherwise."""
    if not holds(value, bits):
        raise not_constant()
    return value


def _quotient(left: int, right: int) -> int:
    """The quotient, truncated towards zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
