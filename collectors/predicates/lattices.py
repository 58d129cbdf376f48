"""Comparisons of numbers with ones that their type may not hold, as comparisons with ones that it
does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Always,
    BoundComparison,
    Field,
    Predicate,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.scales import Position, scaled
from prunescope.collectors.types import decimal_parameters, from_unscaled


def compare_decimal(
    op: Op, field: Field, type_name: str, position: Position
) -> Always | BoundComparison:
    """A comparison of decimals with an exact number."""
    precision, scale = decimal_parameters(type_name)
    limit = 10**precision - 1
    bound = on_lattice(op, scaled(position, scale), (-limit, limit))
    if isinstance(bound, Always):
        return bound
    return BoundComparison(bound[0], field, (from_unscaled(bound[1], scale),))


def compare_whole(
    op: Op, field: Field, limits: tuple[int, int], position: Position
) -> Always | BoundComparison:
    """A comparison of whole numbers, of a type with these limits, with an exact number."""
    bound = on_lattice(op, position, limits)
    if isinstance(bound, Always):
        return bound
    return BoundComparison(bound[0], field, (bound[1],))


def widened(
    op: Op,
    position: Position,
    ends: tuple[Position, Position],
    compare: Callable[..., Always | BoundComparison],
) -> Predicate:
    """A comparison of numbers with one for which engines round them: numbers between the `ends` are
    equal to it. A number that is less after rounding was less before."""
    low, high = ends
    match op:
        case Op.EQ:
            least, most = compare(Op.GT_EQ, position=low), compare(Op.LT_EQ, position=high)
            if isinstance(least, BoundComparison) and isinstance(most, BoundComparison):
                if least.values == most.values:
                    return replace(least, op=Op.EQ)
                if least.values > most.values:
                    return FALSE
            return all_of(least, most)
        case Op.GT_EQ:
            return compare(op, position=low)
        case Op.LT_EQ:
            return compare(op, position=high)
    return compare(op, position=position)


def single(number: float) -> float:
    """The nearest number of single precision."""
    with np.errstate(over="ignore"):  # beyond the largest is infinity
        return float(np.float32(number))


def approximate_ends(value: float, *, may_be_single: bool) -> tuple[Position, Position]:
    """The least and the greatest exact number that is rounded to an approximate one, which is not
    infinite. Of what single precision holds, it is not known whether numbers are rounded to that:
    Spark compares whole numbers with a FLOAT as FLOATs, and with `spark.sql.ansi.enabled` as
    DOUBLEs."""
    with np.errstate(over="ignore"):  # beyond the largest number is infinity
        is_single = may_be_single and single(value) == value
        kind = np.float32 if is_single else np.float64
        ends = [float(np.nextafter(kind(value), kind(end))) for end in (-math.inf, math.inf)]
    low, high = (
        (Fraction(value) + Fraction(end)) / 2 if math.isfinite(end) else end for end in ends
    )
    return low, high


def compare_single(op: Op, field: Field, number: float) -> BoundComparison:
    """A comparison of single precision values with a number that may not be one. Trino rounds
    the literal to single precision, Spark widens the column to double: what matches under
    either is kept."""
    rounded = single(number)
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
