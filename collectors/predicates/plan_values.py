"""Literals that are not strings, as Iceberg prints them into Spark's plans: Java's toString of
what Spark hands over (Iceberg 1.11 on Spark 4.1).

Columns of `time` and of timestamps in nanoseconds have none: Spark cannot read them
(TypeToSparkType), and Iceberg would take a plain number for microseconds, not nanoseconds.
"""

from __future__ import annotations

import re
import struct
from decimal import Decimal, InvalidOperation

from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.types import NANOS_PER_UNIT, decimal_parameters

_VALUES = {
    "boolean": re.compile(r"true|false"),
    "number": re.compile(r"-?\d{1,20}(?![\d.])"),
    "decimal": re.compile(r"-?\d{1,40}(?:\.\d{1,40})?(?:E[-+]?\d{1,3})?"),
    "floating": re.compile(r"-?(?:\d{1,40}\.\d{1,40}(?:E-?\d{1,3})?|Infinity)|NaN"),
    "uuid": re.compile(r"'?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'?"),
    "binary": re.compile(r"X'((?:[0-9A-Fa-f]{2})*)'"),
}


def read_value(text: str, start: int, value_type: str) -> tuple[int, LiteralValue] | None:
    """The value of an Iceberg type that stands at `start`, and its end; None if there is none, or
    none that the type can hold."""
    kind = _kind(value_type)
    found = None if kind is None else _VALUES[kind].match(text, start)
    value = None if found is None else _value(found[0], value_type)
    return None if found is None or value is None else (found.end(), value)


def _kind(value_type: str) -> str | None:
    """The key in _VALUES for values of a type."""
    match value_type:
        case "boolean" | "uuid":
            return value_type
        case "int" | "long" | "date" | "timestamp" | "timestamptz":
            return "number"
        case "float" | "double":
            return "floating"
    if value_type.startswith("decimal"):
        return "decimal"
    return "binary" if value_type.startswith(("binary", "fixed")) else None


def _value(text: str, value_type: str) -> LiteralValue | None:
    match _kind(value_type):
        case "boolean":
            return text == "true"
        case "uuid":
            return text.strip("'")
        case "binary":
            return bytes.fromhex(text[2:-1])
        case "floating":
            return _single(float(text)) if value_type == "float" else float(text)
        case "decimal":
            return _decimal(text, value_type)
        case _ if value_type == "date":
            return Timestamp(int(text) * NANOS_PER_UNIT["date"], zoned=False)
        case _ if value_type in NANOS_PER_UNIT:
            zoned = value_type.startswith("timestamptz")
            return Timestamp(int(text) * NANOS_PER_UNIT[value_type], zoned)
        case _:
            return int(text)


def _single(number: float) -> float | None:
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", number))
    except OverflowError:
        return None
    return float(rounded)


def _decimal(text: str, value_type: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    exponent = value.as_tuple().exponent
    _, scale = decimal_parameters(value_type)
    return value if isinstance(exponent, int) and -exponent <= scale else None
