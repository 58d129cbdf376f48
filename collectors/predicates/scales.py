"""Literals on the scales of columns: whole numbers, exact numbers, doubles and bytes.

A literal that has no exact meaning in a column's type raises NotOfType.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import uuid
from decimal import Decimal
from fractions import Fraction

from prunescope.collectors.predicates.instants import parse_time
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.types import INT64_RANGE, INTEGER_RANGE

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*", re.ASCII | re.IGNORECASE)
_SPACES = " \t\n\r\f\v"
_WHOLE = re.compile(r"\s*[+-]?\d+(\.0*)?\s*", re.ASCII)
"""Matches texts that Spark casts to whole numbers as other engines do, and to no null without ANSI
types."""

Position = int | Fraction | float
"""An exact number; of floats, infinities alone."""


class NotOfType(Exception):
    """A literal has no exact meaning in the column's type."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def scaled(value: Position, scale: int) -> Position:
    """An exact number in units of 10 ** -scale."""
    if isinstance(value, float):
        return value
    return ratio(value.numerator * 10**scale, value.denominator)


def ratio(numerator: int, denominator: int) -> Position:
    """The exact quotient: as an integer if it is one, as these are fast."""
    whole, rest = divmod(numerator, denominator)
    return Fraction(numerator, denominator) if rest else whole


def number(value: LiteralValue) -> Position:
    """A literal as an exact number (infinities stay floats). Numeric text counts as one, as
    engines cast it."""
    if isinstance(value, bool):
        raise NotOfType(Reason.TYPE_MISMATCH)
    if isinstance(value, int) or (isinstance(value, float) and math.isinf(value)):
        return value
    if isinstance(value, float | Decimal):
        return Fraction(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return Fraction(value.strip())
    return _refuse()


def _refuse() -> Fraction:
    raise NotOfType(Reason.TYPE_MISMATCH)


def position_of(value: LiteralValue, type_name: str) -> Position:
    """The position of a literal on the scale of a type of whole numbers, booleans or times of
    day."""
    if type_name == "boolean":
        return int(_boolean(value))
    if type_name == "time":
        parsed = parse_time(value) if isinstance(value, str) else value
        if not isinstance(parsed, dt.time) or parsed.tzinfo is not None:
            return _refuse()
        seconds = (parsed.hour * 60 + parsed.minute) * 60 + parsed.second
        return seconds * 1_000_000 + parsed.microsecond
    if isinstance(value, str):
        return _whole(value, type_name)
    return number(value)


def _whole(text: str, type_name: str) -> Position:
    """A text as a whole number of a type, which is no null without ANSI types, and no cut one."""
    low, high = INTEGER_RANGE.get(type_name, INT64_RANGE)
    found = number(text) if _WHOLE.fullmatch(text) else _refuse()
    return found if low <= found <= high else _refuse()


def _boolean(value: LiteralValue) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and (found := value.strip(_SPACES).lower()) in ("true", "false"):
        return found == "true"
    raise NotOfType(Reason.TYPE_MISMATCH)


def floating(value: LiteralValue) -> float:
    """A literal as a double."""
    try:
        return float(number(value)) if not isinstance(value, float) else value
    except OverflowError as error:
        raise NotOfType(Reason.TYPE_MISMATCH) from error


def binary(value: LiteralValue, type_name: str) -> bytes:
    """A literal as the bytes of a string, uuid, binary or fixed value."""
    if type_name == "uuid":
        try:
            return uuid.UUID(value).bytes if isinstance(value, str) else _bytes(value, 16)
        except ValueError as error:
            raise NotOfType(Reason.TYPE_MISMATCH) from error
    if type_name == "string":
        if not isinstance(value, str):
            raise NotOfType(Reason.TYPE_MISMATCH)
        return utf8(value)
    return _bytes(value, None)


def utf8(value: str) -> bytes:
    """A text as UTF-8."""
    try:
        return value.encode()
    except UnicodeEncodeError as error:  # half a surrogate pair: no column holds it
        raise NotOfType(Reason.TYPE_MISMATCH) from error


def _bytes(value: LiteralValue, length: int | None) -> bytes:
    if not isinstance(value, bytes) or (length is not None and len(value) != length):
        raise NotOfType(Reason.TYPE_MISMATCH)
    return value
