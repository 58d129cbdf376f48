"""Types of numbers, and of the results of arithmetic in Spark 3 and 4 and in Trino 483: bits of
whole numbers, and digits of decimals. A result that its type does not hold is refused: Spark wraps
it around without ANSI types, and with other settings it is an error."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal

from sqlglot import exp

from prunescope.collectors.sql.constants.values import (
    CannotConvert,
    Exact,
    Folded,
    Overflows,
    Single,
    Whole,
    fails,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.types import MAX_DECIMAL_DIGITS

# Digits behind the point that are kept where all before it leave no place for more.
_LEAST_SCALE = 6
_WIDE = Context(prec=4 * MAX_DECIMAL_DIGITS, rounding=ROUND_HALF_UP)
_DIGITS_OF_BITS = {8: 3, 16: 5, 32: 10, 64: 19}
BITS_OF = {
    exp.DType.TINYINT: 8,
    exp.DType.SMALLINT: 16,
    exp.DType.INT: 32,
    exp.DType.BIGINT: 64,
}
UNSIGNED_BITS_OF = {
    exp.DType.UTINYINT: 8,
    exp.DType.USMALLINT: 16,
    exp.DType.UINT: 32,
    exp.DType.UBIGINT: 64,
}
Number = int | float | Decimal
_Size = tuple[int, int]
"""Precision and scale of a decimal."""

OPERATIONS: Mapping[type[exp.Expr], Callable[[Context, Decimal, Decimal], Decimal]] = {
    exp.Add: Context.add,
    exp.Sub: Context.subtract,
    exp.Mul: Context.multiply,
    exp.Div: Context.divide,
    exp.Mod: Context.remainder,
}


def whole(value: int, bits: int, dialect: Dialect | None = None) -> Whole:
    """A whole number of a type; raises Overflows if the type does not hold it, or Fails if that is
    an error in the dialect. For Spark, Overflows has the number that wraps around."""
    if not holds(value, bits):
        if dialect is not None and dialect.overflow_by_mode:
            ends = ends_of(bits)
            wrapped = Whole((value - ends[0]) % (1 << bits) + ends[0], bits)
            raise Overflows(*ends, end=ends[value > 0], wrapped=wrapped)
        raise beyond(value > 0, ends_of(bits), dialect)
    return Whole(value, bits)


def holds(value: int, bits: int) -> bool:
    """True if a signed type of `bits` bits holds a whole number."""
    return -(1 << (bits - 1)) <= value < 1 << (bits - 1)


def ends_of(bits: int) -> tuple[Whole, Whole]:
    """The least and greatest number of a signed type of `bits` bits."""
    return Whole(-(1 << (bits - 1)), bits), Whole((1 << (bits - 1)) - 1, bits)


def beyond(
    is_above: bool, ends: tuple[Folded, Folded], dialect: Dialect | None = None
) -> CannotConvert:
    """The refusal of a number outside of its type, whose domain has such `ends`."""
    is_error = dialect is not None and dialect.overflow_fails
    return fails(ends[is_above]) if is_error else Overflows(*ends, end=ends[is_above])


def exact(value: Decimal, size: _Size, dialect: Dialect) -> Exact:
    """A decimal of a type, halves rounded away from zero; raises CannotConvert if the type does not
    hold it."""
    precision, scale = size
    rounded = value.quantize(Decimal(1).scaleb(-scale), context=_WIDE)
    if rounded and rounded.adjusted() + 1 > precision - scale:
        if not (dialect.overflow_fails or dialect.overflow_by_mode):
            raise not_constant()
        most = Decimal((0, (9,) * precision, -scale))
        raise fails(Exact(most.copy_sign(value), precision))
    return Exact(rounded or rounded.copy_abs(), precision)


def written(text: str, dialect: Dialect) -> int | Decimal:
    """The value of a number without exponent in a query: with a point it is a decimal of its own
    digits, else of 32 or 64 bits, which Spark may also take as a decimal."""
    value = Decimal(text)
    if not dialect.has_known_functions:
        return int(text) if text.isdecimal() else value
    if text.isdecimal():
        fitting = (bits for bits in (32, 64) if int(text) < 1 << (bits - 1))
        bits = next(fitting, None)
        # Its sign may make it the least number of 64 bits.
        return int(text) if bits is None else Whole(int(text), bits, is_written=True)
    digits = value.as_tuple()
    assert isinstance(digits.exponent, int)
    scale = -digits.exponent
    precision = max(len(digits.digits), scale, 1)
    if precision > MAX_DECIMAL_DIGITS:
        raise not_constant()
    return Exact(value, precision)


def opposite(value: Number, dialect: Dialect) -> Number:
    """The number with the opposite sign."""
    if isinstance(value, Whole):
        if not value.is_written or value < 0:
            return whole(-value, value.bits, dialect)
        return Whole(-value, 32 if value <= 1 << 31 else value.bits, is_written=True)
    if isinstance(value, Exact):
        return Exact(value.copy_negate() if value else value, value.precision)
    if is_int(value) and dialect.has_known_functions:
        return Whole(-value, 64, is_written=True) if value == 1 << 63 else -value
    if isinstance(value, Decimal):
        return value.copy_negate() if value else value
    return Single(-value) if isinstance(value, Single) else -value


def calculated(kind: type[exp.Expr], left: Number, right: Number, dialect: Dialect) -> Number:
    """The sum, difference, product, quotient or remainder of two exact numbers, one of them a
    decimal, with a divisor other than 0; raises CannotConvert if the type of the result is unknown.
    """
    if kind is exp.Div and dialect.has_standard_decimals:
        raise not_constant()  # of which older versions keep fewer digits
    sizes = [_size(value, dialect) for value in (left, right)]
    precision, scale = _SIZES[kind](*sizes)
    if kind is exp.Mul and not dialect.has_standard_decimals:
        precision += 1
    if precision > MAX_DECIMAL_DIGITS:
        is_cut = not dialect.has_standard_decimals or kind not in (exp.Add, exp.Sub)
        kept = max(MAX_DECIMAL_DIGITS - (precision - scale), min(scale, _LEAST_SCALE))
        precision, scale = MAX_DECIMAL_DIGITS, kept if is_cut else scale
    found = OPERATIONS[kind](_WIDE, Decimal(left), Decimal(right))
    return exact(found, (precision, scale), dialect)


def _size(value: Number, dialect: Dialect) -> _Size:
    if isinstance(value, Exact):
        return value.precision, value.scale
    if not isinstance(value, Whole):
        raise not_constant()
    if value.is_written and not dialect.has_standard_decimals:
        return len(str(abs(value))), 0
    # Spark takes one digit more for those of 64 bits than they have.
    return _DIGITS_OF_BITS[value.bits] + (value.bits == 64 and not dialect.has_standard_decimals), 0


def is_beyond_decimals(one: Number, other: Number, dialect: Dialect) -> bool:
    """True if no decimal has all digits of two numbers, so that their conversion to one type may
    overflow. Only for a decimal beside another one or a whole number."""
    if not any(isinstance(each, Exact) for each in (one, other)):
        return False
    if not all(isinstance(each, Exact | Whole) for each in (one, other)):
        return False
    sizes = _size(one, dialect), _size(other, dialect)
    before, behind = (max(p - s for p, s in sizes), max(s for _, s in sizes))
    return before + behind > MAX_DECIMAL_DIGITS


def _of_sum(left: _Size, right: _Size) -> _Size:
    scale = max(left[1], right[1])
    return max(left[0] - left[1], right[0] - right[1]) + scale + 1, scale


def _of_quotient(left: _Size, right: _Size) -> _Size:
    scale = max(_LEAST_SCALE, left[1] + right[0] + 1)
    return left[0] - left[1] + right[1] + scale, scale


def _of_remainder(left: _Size, right: _Size) -> _Size:
    scale = max(left[1], right[1])
    return min(left[0] - left[1], right[0] - right[1]) + scale, scale


def _of_product(left: _Size, right: _Size) -> _Size:
    return left[0] + right[0], left[1] + right[1]


_SIZES: Mapping[type[exp.Expr], Callable[[_Size, _Size], _Size]] = {
    exp.Add: _of_sum,
    exp.Sub: _of_sum,
    exp.Mul: _of_product,
    exp.Div: _of_quotient,
    exp.Mod: _of_remainder,
}


def common(values: Sequence[Folded], dialect: Dialect) -> Callable[[Folded], Folded]:
    """Returns a conversion of any of the numbers, all of one kind, to their common type."""
    if all(isinstance(value, Whole) for value in values):
        bits = max(value.bits for value in values if isinstance(value, Whole))
        return lambda value: Whole(value, bits) if is_int(value) else value
    if all(isinstance(value, Exact) for value in values):
        sizes = [_size(value, dialect) for value in values if isinstance(value, Exact)]
        scale = max(size[1] for size in sizes)
        before = max(size[0] - size[1] for size in sizes)
        if before + scale > MAX_DECIMAL_DIGITS and not dialect.has_standard_decimals:
            scale = MAX_DECIMAL_DIGITS - before
        size = min(before + scale, MAX_DECIMAL_DIGITS), scale
        return lambda value: exact(value, size, dialect) if isinstance(value, Decimal) else value
    return untyped


def computed(value: Folded) -> Folded:
    """A value that is not written in the query."""
    return Whole(value, value.bits) if isinstance(value, Whole) and value.is_written else value


def untyped(value: Folded) -> Folded:
    """A number whose type is unknown."""
    if is_int(value):
        return int(value)
    return Decimal(value) if isinstance(value, Decimal) else value


def to_whole(value: Decimal, *, is_up: bool, dialect: Dialect) -> Folded:
    """The next whole number below or above a decimal, in a decimal type that holds it."""
    found = value.to_integral_value(ROUND_CEILING if is_up else ROUND_FLOOR)
    if not isinstance(value, Exact) or not dialect.has_known_functions:
        return Decimal(found)
    before = value.precision - value.scale
    return exact(found, (min(before + bool(value.scale), MAX_DECIMAL_DIGITS), 0), dialect)


def rounded(value: Exact, places: int, dialect: Dialect, *, is_told: bool) -> Exact:
    """A decimal rounded to `places` digits behind the point. If the query states them, Trino keeps
    the scale, with digits of 0."""
    places = min(places, value.scale)
    before = value.precision - value.scale
    if dialect.has_standard_decimals and is_told:
        found = value.quantize(Decimal(1).scaleb(-places), context=_WIDE)
        size = min(value.precision + 1, MAX_DECIMAL_DIGITS), value.scale
        return exact(found, size, dialect)
    more = 1 if value.scale or not dialect.has_standard_decimals else 0
    return exact(value, (min(before + more + places, MAX_DECIMAL_DIGITS), places), dialect)


def single(value: float) -> Single:
    """The nearest floating-point number of 32 bits; raises OverflowError beyond their domain."""
    return Single(struct.unpack("f", struct.pack("f", value))[0])
