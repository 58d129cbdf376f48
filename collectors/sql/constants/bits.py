"""Functions of the bits of whole numbers, and of the digits of numbers. Each function raises
CannotConvert if engines differ or fail."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

from prunescope.collectors.predicates.literals import is_nan
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.values import Exact, Folded, Whole, is_int, not_constant
from prunescope.collectors.sql.dialects import dialect_of

_BITS = 64


def bitwise(combined: Callable[[int, int], int]) -> Callable[[Call, Folded, Folded], int]:
    """A function of two numbers that applies `combined` to their bits."""

    def of(call: Call, left: Folded, right: Folded) -> int:
        if not is_int(left) or not is_int(right):
            raise not_constant()
        found, dialect = combined(left, right), dialect_of(call.session.dialect)
        if not dialect.has_hive_functions:
            return found
        if not isinstance(left, Whole) or not isinstance(right, Whole):
            raise not_constant()
        return Whole(found, max(left.bits, right.bits))

    return of


AND, OR, XOR = map(bitwise, (operator.and_, operator.or_, operator.xor))


def shifted_right(_call: Call, value: Folded, places: Folded) -> int:
    """The arithmetic right shift of a number, which keeps the sign."""
    number, places = _shift(value, places)
    return _as_wide(number >> places, value)


def filled_right(_call: Call, value: Folded, places: Folded) -> int:
    """The logical right shift of a number of 64 bits, which fills with zeros."""
    number, places = _shift(value, places)
    if isinstance(value, Whole) and value.bits != _BITS and number < 0:
        raise not_constant()
    unsigned = number if number >= 0 else number + (1 << _BITS)
    return _as_wide(unsigned >> places if places else number, value)


def shifted_left(_call: Call, value: Folded, places: Folded) -> int:
    """The left shift of a number whose result fits into 31 bits."""
    number, places = _shift(value, places)
    found = number << min(places, 31)
    if places > 31 or not 0 <= found < 1 << 31:
        raise not_constant()
    return _as_wide(found, value)


def _as_wide(found: int, value: Folded) -> int:
    return Whole(found, value.bits) if isinstance(value, Whole) else found


def _shift(value: Folded, places: Folded) -> tuple[int, int]:
    if not is_int(value) or not is_int(places) or not 0 <= places < _BITS:
        raise not_constant()
    return value, places


def sign(call: Call, value: Folded) -> Folded:
    """The sign of a number: -1, 0 or 1; a double for doubles, and in Spark for all numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    found = (value > 0) - (value < 0)
    if is_nan(value):
        raise not_constant()
    if dialect_of(call.session.dialect).has_strftime:
        return found  # of DuckDB's smallest integers
    if isinstance(value, float):
        return math.copysign(abs(float(found)), value)
    if dialect_of(call.session.dialect).has_hive_functions:
        return float(found)
    if isinstance(value, Exact):
        return Exact(Decimal(found), 1)
    if isinstance(value, Whole) and dialect_of(call.session.dialect).has_joda_time:
        return Whole(found, value.bits)
    return found


def cut(_call: Call, value: Folded, places: Folded = 0) -> Folded:
    """A number truncated to so many digits behind the point, or before it if `places` is
    negative."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | Decimal)
        or not is_int(places)
    ):
        raise not_constant()
    if isinstance(value, float):
        if places:
            raise not_constant()
        return math.copysign(float(int(value)), value)
    if isinstance(value, int) and places >= 0:
        return value
    found = _at_place(Decimal(value), -places)
    return int(found) if isinstance(value, int) else found


def _at_place(value: Decimal, exponent: int) -> Decimal:
    exact = value.as_tuple().exponent
    if isinstance(exact, int) and exact >= exponent:
        return value
    return value.quantize(Decimal(1).scaleb(exponent), rounding=ROUND_DOWN) + Decimal(0)


def width_bucket(_call: Call, value: Folded, low: Folded, high: Folded, count: Folded) -> int:
    """The number of the bucket that holds a double, of `count` equally wide ones between two
    bounds."""
    numbers = [
        float(each) for each in (value, low, high) if isinstance(each, int | float | Decimal)
    ]
    if len(numbers) != 3 or not is_int(count) or count < 1 or not numbers[1] < numbers[2]:
        raise not_constant()
    number, first, last = numbers
    if number < first:
        return 0
    if number >= last:
        return count + 1
    exact = count * (Fraction(number) - Fraction(first)) / (Fraction(last) - Fraction(first)) + 1
    found = int(count * (number - first) / (last - first) + 1)
    if found != int(exact):  # as engines may round on the way, or not
        raise not_constant()
    return found
