"""Casts of columns that Trino undoes where they are compared with a value, and the values that it
compares columns with (UnwrapCastInComparison, as Trino 483 was seen to do it)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Context, Decimal

import numpy as np

from prunescope.collectors.predicates.bound_values import is_beyond_whole
from prunescope.collectors.predicates.calendar import nanos_of
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    Unsupported,
    Written,
)
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.types import decimal_parameters

# Digits that a number of each type holds exactly: of decimals with more, a comparison with such a
# number is one of approximate numbers (hasInjectiveImplicitCoercion).
_EXACT_DIGITS, _EXACT_DIGITS_OF_REAL = 15, 6

# Whole numbers up to which a DOUBLE holds each, beside those that no INTEGER, and no BIGINT is.
_EXACT_WHOLE, _WHOLE = 1 << 53, {"int": 1 << 31, "long": 1 << 63}

# The same of a REAL, and how one is written.
_EXACT_WHOLE_OF_REAL = 1 << 23
_REAL = re.compile(r"\bAS REAL\)(?! AS )", re.IGNORECASE)

_WHOLE_DIGITS = {"int": 10, "long": 19}
_MICROSECONDS = 6
_ALL_DIGITS = Context(prec=400)
"""Room for those of any double, with the places of any decimal."""


def uncast(leaf: Unsupported, kind: str, *, is_listed: bool) -> Comparison | None:
    """A comparison of a cast as one of the column itself, of an Iceberg type `kind`; None where
    the cast stays. Of lists of several, casts to REAL do, and those to DOUBLE of all that a DOUBLE
    does not hold."""
    calculated = leaf.calculated
    if calculated is None:
        return None
    match calculated.calculation.types:
        case (target,) if _loses_nothing(kind, target):
            pass
        case _:
            return None
    is_exact = target != "float" and (target != "double" or kind in ("int", "float"))
    if is_listed and not (is_exact and kind != "date"):
        return None
    value = _of_type(calculated.value, target)
    if value is None or stays_approximate(target, (value,), leaf.text):
        return None
    column, written = Column(calculated.calculation.path), Written(leaf.text, leaf.redacted)
    or_nan = calculated.matches_nan and calculated.op in ORDERED
    return Comparison(calculated.op, column, (value,), written, or_nan)


def _of_type(value: LiteralValue, target: str) -> LiteralValue | None:
    """A value in the type that a column is cast to; None for one that is no such value."""
    if target.startswith("timestamp"):
        if isinstance(value, dt.date):
            return Timestamp(nanos_of(value), zoned=False)
        return value if isinstance(value, Timestamp) and not value.zoned else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return _rounded(value, target) if target in ("double", "float") else value


def _rounded(value: float | Decimal, target: str) -> float:
    if target == "double" or isinstance(value, float):
        return float(value)
    return _single(float(value))


def _single(value: float) -> float:
    with np.errstate(over="ignore"):  # beyond the largest is infinity
        return float(np.float32(value))


def _loses_nothing(kind: str, target: str) -> bool:
    """True if Trino casts a type to another one unasked, as that holds all of it, or all that a
    comparison asks for (`stays_approximate`)."""
    if target.startswith("timestamp"):
        is_enough = int(target[len("timestamp(") : -1]) >= _MICROSECONDS
        return kind == "date" or (kind == "timestamp" and is_enough)
    match kind:
        case "int" if target in ("int", "long", "double", "float"):
            return True
        case "long" if target in ("long", "double", "float"):
            return True
        case "float" | "double":
            return target in (kind, "double")
    if not target.startswith("decimal"):
        return kind.startswith("decimal") and target in ("double", "float")
    digits, scale = decimal_parameters(target)
    if kind in _WHOLE_DIGITS:
        return digits - scale >= _WHOLE_DIGITS[kind]
    if not kind.startswith("decimal"):
        return False
    own_digits, own_scale = decimal_parameters(kind)
    return scale >= own_scale and digits - scale >= own_digits - own_scale


def has_zone(type_name: str) -> bool:
    """True if a type is a timestamp with time zone."""
    return type_name.startswith("timestamptz")


def stays_approximate(type_name: str, values: Sequence[LiteralValue], written: str) -> bool:
    """True if a comparison of a type with values that it may not hold stays one of casts."""
    times = [value for value in values if isinstance(value, Timestamp)]
    is_list = len(set(values)) > 1
    if type_name == "date":
        return is_list and bool(times)
    if has_zone(type_name) or (type_name == "timestamp" and is_list):
        return any(value.nanos % 1000 or value.zoned > has_zone(type_name) for value in times)
    numbers = [abs(value) for value in values if isinstance(value, float)]
    is_real = _REAL.search(written) is not None
    if not numbers or (type_name == "int" and not is_real):
        return False
    if type_name in _WHOLE:
        exact = _EXACT_WHOLE_OF_REAL if is_real else _EXACT_WHOLE
        return is_list or any(exact <= n <= _WHOLE[type_name] for n in numbers)
    if not type_name.startswith("decimal"):
        return False
    digits = _EXACT_DIGITS_OF_REAL if is_real else _EXACT_DIGITS
    return is_list or decimal_parameters(type_name)[0] > digits


def converted(leaf: Comparison, kind: str) -> Predicate:
    """A comparison with the values that Trino makes of its own for a column of a type: decimals of
    doubles that are rounded to them, whole numbers of doubles that are such, of REAL columns REALs
    of exact numbers; no REAL equals a double that is none."""
    if kind in _WHOLE:
        return _of_whole(leaf)
    if kind.startswith("decimal") and len(leaf.values) == 1:
        return replace(leaf, values=(_decimal(leaf.values[0], kind),))
    if kind != "float":
        return leaf
    values = [_real(value) for value in leaf.values]
    if leaf.op in (Op.EQ, Op.IN):
        values = [value for value in values if not isinstance(value, float) or _is_single(value)]
        if not values:
            return FALSE
    op = Op.EQ if leaf.op is Op.IN and len(values) == 1 else leaf.op
    return replace(leaf, op=op, values=tuple(dict.fromkeys(values)))


def _of_whole(leaf: Comparison) -> Predicate:
    """A comparison of a whole number: with values below, or above, all of them, IS NOT NULL."""
    is_below = leaf.op in (Op.LT, Op.LT_EQ)
    if leaf.op in ORDERED and all(
        is_beyond_whole(value) and (value > 0) == is_below for value in leaf.values
    ):
        return replace(leaf, op=Op.NOT_NULL, values=())
    values = [
        int(value) if isinstance(value, float) and value.is_integer() else value
        for value in leaf.values
    ]
    return replace(leaf, values=tuple(values))


def _decimal(value: LiteralValue, kind: str) -> LiteralValue:
    if not isinstance(value, float) or not np.isfinite(value):
        return value
    unit = Decimal(1).scaleb(-decimal_parameters(kind)[1])
    nearest = Decimal(value).quantize(unit, context=_ALL_DIGITS)
    return nearest if float(nearest) == value else value


def _real(value: LiteralValue) -> LiteralValue:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return value
    return _single(float(value))


def _is_single(value: float) -> bool:
    return value != value or _single(value) == value  # noqa: PLR0124  # NaN
