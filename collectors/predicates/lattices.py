"""Comparisons of numbers with ones that their type may not hold: as comparisons with those that it
does."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from collectors.predicates.model import (
    FALSE,
    TRUE,
    Always,
    BoundComparison,
    Field,
    Predicate,
    all_of,
)
from collectors.predicates.operators import Op
from collectors.predicates.scales import Position, scaled
from collectors.types import decimal_parameters, from_unscaled


def compare_decimal(op: Op, field: Field, type_name: str, position: Position) -> Predicate:
    """A comparison of decimals with an exact number."""
    precision, scale = decimal_parameters(type_name)
    limit = 10**precision - 1
    bound = on_lattice(op, scaled(position, scale), (-limit, limit))
    if isinstance(bound, Always):
        return bound
    return BoundComparison(bound[0], field, (from_unscaled(bound[1], scale),))


def compare_approximately(op: Op, field: Field, type_name: str, value: float) -> Predicate:
    """A comparison of decimals with an approximate number, for which engines round the decimals:
    those that are rounded to it are equal to it. Of what single precision holds, it is not known
    whether they are rounded to that."""
    if math.isinf(value):
        return compare_decimal(op, field, type_name, value)
    with np.errstate(over="ignore"):  # beyond the largest number is infinity
        kind = np.float32 if float(np.float32(value)) == value else np.float64
        ends = [float(np.nextafter(kind(value), kind(end))) for end in (-math.inf, math.inf)]
    low, high = (
        (Fraction(value) + Fraction(end)) / 2 if math.isfinite(end) else end for end in ends
    )
    match op:
        case Op.EQ:
            least = compare_decimal(Op.GT_EQ, field, type_name, low)
            most = compare_decimal(Op.LT_EQ, field, type_name, high)
            values = [one.values for one in (least, most) if isinstance(one, BoundComparison)]
            if len(values) == 2 and values[0] == values[1]:
                return BoundComparison(Op.EQ, field, values[0])
            return FALSE if len(values) == 2 and values[0] > values[1] else all_of(least, most)
        case Op.GT_EQ:
            return compare_decimal(op, field, type_name, low)
        case Op.LT_EQ:
            return compare_decimal(op, field, type_name, high)
    return compare_decimal(op, field, type_name, Fraction(value))


def compare_single(op: Op, field: Field, number: float) -> BoundComparison:
    """A comparison of single precision values with a number that may not be one. Trino rounds
    the literal to single precision, Spark widens the column to double: what matches under
    either is kept."""
    with np.errstate(over="ignore"):  # beyond the largest float is infinity
        rounded = float(np.float32(number))
    if rounded == number:
        return BoundComparison(op, field, (number,))
    low, high = sorted((number, rounded))
    match op:
        case Op.EQ:
            return BoundComparison(Op.IN, field, (low, high))
        case Op.LT | Op.LT_EQ:
            return BoundComparison(op, field, (high,))
        case Op.GT | Op.GT_EQ:
            return BoundComparison(op, field, (low,))
        case _:
            return BoundComparison(op, field, (number,))


def on_lattice(op: Op, position: Position, limits: tuple[int, int]) -> tuple[Op, int] | Always:
    """A comparison with any number, as one with a whole number within `limits`, or the
    constant it has for all whole numbers within them."""
    low, high = limits
    if isinstance(position, float):
        above = position > 0
    elif position.denominator == 1 and low <= position <= high:
        return op, int(position)
    elif low < position < high:
        floor = math.floor(position)
        match op:
            case Op.LT | Op.LT_EQ:
                return Op.LT_EQ, floor
            case Op.GT | Op.GT_EQ:
                return Op.GT_EQ, floor + 1
            case _:
                return Always(op is Op.NOT_EQ)
    else:
        above = position > high
    match op:
        case Op.EQ:
            return FALSE
        case Op.NOT_EQ:
            return TRUE
        case Op.LT | Op.LT_EQ:
            return Always(above)
        case _:
            return Always(not above)
