"""Decimals of two types, in Spark: both are cast to a type that has room for either. Where that had
more than 38 digits, digits behind the point are left out, and both are rounded, halves away from
zero (DecimalType.boundedPreferIntegralDigits; Spark 4.1 was seen to). Before 4.0 it is the digits
before the point that are left out, and what is too large is null (DecimalType.bounded); Trino has
no such type, and fails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.types import (
    INT64_RANGE,
    INTEGER_RANGE,
    MAX_DECIMAL_DIGITS,
    decimal_parameters,
)

# As decimals: Spark's DecimalType.forType.
_WHOLE_DIGITS = {"int": 10, "long": 20}
_HALF = Fraction(1, 2)


def common_scale(type_name: str, values: Sequence[LiteralValue]) -> int | None:
    """The number of digits behind the point to which a column and the exact numbers that it is
    compared with are rounded; None if no digit is lost."""
    own = _digits_of_type(type_name)
    if own is None:
        return None
    is_list = len(values) > 1
    digits = [own, *(found for value in values if (found := _digits(value, is_list)) is not None)]
    whole, scale = (max(column) for column in zip(*digits, strict=True))
    return None if whole + scale <= MAX_DECIMAL_DIGITS else max(0, MAX_DECIMAL_DIGITS - whole)


def rounded_ends(value: Fraction, type_name: str, scale: int) -> tuple[Fraction, Fraction]:
    """The least and the greatest number of a column that is equal to a value where both are rounded
    to so many digits."""
    own = _digits_of_type(type_name)
    unit = Fraction(1, 10**scale)
    rounded = math.floor(abs(value) / unit + _HALF) * unit * (-1 if value < 0 else 1)
    margin = unit / 2 if own is not None and own[1] > scale else 0
    return rounded - margin, rounded + margin


def _digits_of_type(type_name: str) -> tuple[int, int] | None:
    """Digits before and behind the point of an exact number type; None for other types."""
    if type_name in _WHOLE_DIGITS:
        return _WHOLE_DIGITS[type_name], 0
    if not type_name.startswith("decimal"):
        return None
    precision, scale = decimal_parameters(type_name)
    return precision - scale, scale


def _digits(value: LiteralValue, is_list: bool) -> tuple[int, int] | None:
    """Digits before and behind the point of a literal: in a list, whole numbers count as all of
    their type."""
    if isinstance(value, int) and not isinstance(value, bool):
        if not is_list or not INT64_RANGE[0] <= value <= INT64_RANGE[1]:
            return len(str(abs(value))), 0
        low, high = INTEGER_RANGE["int"]
        return _WHOLE_DIGITS["int" if low <= value <= high else "long"], 0
    if not isinstance(value, Decimal) or not value.is_finite():
        return None
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, value.adjusted() + 1), max(0, -exponent)
