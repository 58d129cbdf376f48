"""Casts that engines make of a column before they compare it, which its type decides: a cast to a
timestamp leaves times alone as they are, a comparison with another type may be null, and in a list
with text a column may be text.

Spark is measured. With ANSI types, the text of a list is cast to the column's type; without them,
the column is cast to text, and so is all else in the list. Sessions do not tell which it was: the
results of this module hold for both.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from prunescope.collectors.predicates.clock_changes import is_read_once, is_time
from prunescope.collectors.predicates.instants import cast_text
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.scales import NotOfType, binary, floating, number, position_of
from prunescope.collectors.types import NANOS_PER_UNIT, Physical, decimal_parameters, physical

_MOST_DIGITS = 38
_DIGITS_OF_WHOLE = 20
"""The digits of the decimal that Spark makes of a 64-bit number."""
_EXCLUDING = {Op.NOT_EQ, Op.NOT_IN}
_ZONED = ("timestamptz", "timestamptz_ns")
_WHOLE_TEXT = re.compile("0|-?[1-9][0-9]*")
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DATE_TEXT = re.compile(_DATE)
_TIME_TEXT = re.compile(_DATE + r" [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{0,5}[1-9])?")


def as_compared(leaf: Comparison, type_name: str, time_zone: str | None) -> Comparison | None:
    """The comparison with its casts resolved for a column of this type, so that it selects values
    of the column itself; None if these are unknown."""
    if leaf.op is Op.NOT_NULL:
        return leaf
    if not all(_is_never_null(type_name, value, time_zone) for value in leaf.beside):
        return None
    if not _keeps_time(leaf, type_name):
        return None
    if leaf.in_list and type_name != "string":
        kind = "timestamp" if leaf.of_time and type_name == "date" else type_name
        return _in_list(leaf, kind, time_zone)
    return leaf


def with_cast_texts(leaf: Comparison, type_name: str) -> Comparison | None:
    """A comparison of a column of this type, with its texts replaced by the dates and times that
    Spark casts them to; None if Spark casts one to null. NOT IN keeps its texts, because it
    excludes them as text as well."""
    is_excluded = leaf.in_list and leaf.op in _EXCLUDING
    if not leaf.casts_text or is_excluded or type_name not in NANOS_PER_UNIT:
        return leaf
    is_date = type_name == "date" and not leaf.of_time
    values = [
        cast_text(value, is_date=is_date) if isinstance(value, str) else value
        for value in leaf.values
    ]
    known = tuple(value for value in values if value is not None)
    return replace(leaf, values=known) if len(known) == len(values) else None


def _keeps_time(leaf: Comparison, type_name: str) -> bool:
    return not leaf.of_time or type_name in NANOS_PER_UNIT


def _is_never_null(type_name: str, value: LiteralValue, time_zone: str | None) -> bool:
    """True if comparing this value with a non-null value of this type is never null: one can be
    cast to the type of the other."""
    kind = physical(type_name)
    if kind is None:
        return False
    is_number = type_name in ("int", "long") or kind in (Physical.FLOATING, Physical.DECIMAL)
    if is_number and isinstance(value, float):
        return True
    try:
        if kind is Physical.BINARY:
            binary(value, type_name)
        elif kind is Physical.FLOATING:
            floating(value)
        elif kind is Physical.DECIMAL:
            number(value)
        elif type_name in NANOS_PER_UNIT:
            if isinstance(value, str):
                text = cast_text(value, is_date=type_name == "date")
                return text is not None and is_time(text, type_name, time_zone)
            return is_time(value, type_name, time_zone)
        else:
            position_of(value, type_name)
    except NotOfType:
        return False
    return not is_number or kind is Physical.FLOATING or _have_room(type_name, value)


def _have_room(type_name: str, value: LiteralValue) -> bool:
    """True if a decimal can hold both the values of a type and an exact number."""
    if isinstance(value, str):
        return True
    exact = Decimal(value) if isinstance(value, int | Decimal) else Decimal(0)
    precision, scale = _DIGITS_OF_WHOLE, 0
    if physical(type_name) is Physical.DECIMAL:
        precision, scale = decimal_parameters(type_name)
    exponent = exact.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else _MOST_DIGITS
    return max(precision - scale, exact.adjusted() + 1) + max(scale, places) <= _MOST_DIGITS


def _in_list(leaf: Comparison, type_name: str, time_zone: str | None) -> Comparison | None:
    """A comparison with a list that has text, for a column that is not text."""
    if leaf.op in _EXCLUDING:
        values = tuple(v for v in leaf.values if _is_excluded(v, type_name, time_zone))
        if len(values) == len(leaf.values):
            return leaf
        if not values:
            return replace(leaf, op=Op.NOT_NULL, values=())
        return replace(leaf, op=leaf.op if len(values) > 1 else Op.NOT_EQ, values=values)
    if type_name in _ZONED:
        # The text of a moment that the clock repeats is that of another one.
        texts = [v for v in leaf.values if not isinstance(v, str) or _TIME_TEXT.fullmatch(v)]
        return leaf if all(is_read_once(text, time_zone) for text in texts) else None
    has_single = type_name == "double" and any(map(_is_single, leaf.values))
    return None if has_single else leaf


def _is_excluded(value: LiteralValue, type_name: str, time_zone: str | None) -> bool:
    """True if NOT IN excludes the same values of a column, whichever side is cast."""
    is_cast = _is_never_null(type_name, value, time_zone)
    return is_cast and is_text_of((value,), type_name, time_zone)


def _is_single(value: LiteralValue) -> bool:
    """True if a value may be one of single precision, whose text is that of another double."""
    if not isinstance(value, float):
        return False
    with np.errstate(over="ignore"):  # beyond the largest float is infinity
        single = np.float32(value)
    return float(single) == value != float(str(single))


def is_text_of(values: Sequence[LiteralValue], type_name: str, time_zone: str | None) -> bool:
    """True if the texts of all values are the texts of those values of a column that equal them."""
    are_texts = all(_is_its_text(value, type_name) for value in values)
    is_zoned = are_texts and type_name in _ZONED
    return are_texts and (not is_zoned or all(is_read_once(v, time_zone) for v in values))


def _is_its_text(value: LiteralValue, type_name: str) -> bool:
    """True if a value has the text of a column's values that equal it, on a clock that reads each
    time once."""
    match value:
        case str() if type_name in ("int", "long"):
            return _WHOLE_TEXT.fullmatch(value) is not None
        case str() if type_name == "date":
            return _DATE_TEXT.fullmatch(value) is not None
        case str() if type_name in NANOS_PER_UNIT:
            return _TIME_TEXT.fullmatch(value) is not None
        case str() if type_name == "uuid":
            return _is_uuid(value)
        case int():
            return type_name in ("int", "long") and not isinstance(value, bool)
        case Timestamp():
            is_of_it = value.is_ntz != (type_name in _ZONED)
            return type_name != "date" and type_name in NANOS_PER_UNIT and is_of_it
        case dt.date():
            return type_name == "date"
    return False


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
