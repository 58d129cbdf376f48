"""Iceberg primitive types, by their names in the table spec, and their physical arrays.

Statistics of every granularity are compared in one of four physical forms, so that type
promotion (int to long, float to double, decimal precision, date to timestamp) happens once,
when a value is decoded:

    int64        boolean (0, 1), int, long, date (days), time and timestamps (own unit)
    float64      float, double
    decimal128   decimal, at the type's scale
    binary       string (UTF-8), binary, fixed, uuid; compared as unsigned bytes
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from functools import lru_cache

import pyarrow as pa

_DECIMAL = re.compile(r"decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)")


class Physical(Enum):
    """The array form in which values of a type are compared."""

    INTEGER = "int64"
    FLOATING = "float64"
    DECIMAL = "decimal128"
    BINARY = "binary"


_PHYSICAL = {
    "boolean": Physical.INTEGER,
    "int": Physical.INTEGER,
    "long": Physical.INTEGER,
    "date": Physical.INTEGER,
    "time": Physical.INTEGER,
    "timestamp": Physical.INTEGER,
    "timestamptz": Physical.INTEGER,
    "timestamp_ns": Physical.INTEGER,
    "timestamptz_ns": Physical.INTEGER,
    "float": Physical.FLOATING,
    "double": Physical.FLOATING,
    "string": Physical.BINARY,
    "binary": Physical.BINARY,
    "uuid": Physical.BINARY,
}

NANOS_PER_UNIT = {
    "timestamp": 1_000,
    "timestamptz": 1_000,
    "timestamp_ns": 1,
    "timestamptz_ns": 1,
    "date": 86_400_000_000_000,
}
"""Nanoseconds that one unit of a date or timestamp type's physical value stands for."""

INTEGER_RANGE = {
    "boolean": (0, 1),
    "int": (-(2**31), 2**31 - 1),
    "date": (-(2**31), 2**31 - 1),
    "time": (0, 86_400_000_000 - 1),
}
MAX_INT64 = 2**63 - 1
INT64_RANGE = (-MAX_INT64 - 1, MAX_INT64)
MAX_COUNTED = 2**46
"""Bytes or records: no file has more (no object store takes one of 70 TB), and 64 bits hold the sum
of what 100,000 files may have. More is unknown, as less than nothing is."""
MAX_DECIMAL_DIGITS = 38


def physical(type_name: str) -> Physical | None:
    """The physical form of a type; None for types without an order that planners use
    (structs, lists, maps, variant, geometry, geography, unknown)."""
    found = _PHYSICAL.get(type_name)
    if found is None and type_name.startswith("decimal"):
        return Physical.DECIMAL
    if found is None and type_name.startswith("fixed"):
        return Physical.BINARY
    return found


def has_same_values(one: str, other: str) -> bool:
    """True if physical values of two types mean the same: of int and long, not of int and date."""
    units = NANOS_PER_UNIT.get(one), NANOS_PER_UNIT.get(other)
    return physical(one) is physical(other) and units[0] == units[1]


def has_null_counts(type_name: str) -> bool:
    """True if files count the nulls of columns of the type: not of structs, lists and maps, whose
    fields are columns of their own."""
    kind = type_name.partition("(")[0]
    return physical(type_name) is not None or kind in ("variant", "geometry", "geography")


@lru_cache(maxsize=1_024)
def decimal_parameters(type_name: str) -> tuple[int, int]:
    """Precision and scale of `decimal(P, S)`. Raises ValueError for any other text."""
    match = _DECIMAL.fullmatch(type_name)
    if match is None:
        raise ValueError(f"not a decimal type: {type_name!r}")
    return int(match.group(1)), int(match.group(2))


def arrow_type(type_name: str) -> pa.DataType:
    """The Arrow type of arrays that hold physical values of `type_name`."""
    match physical(type_name):
        case Physical.INTEGER:
            return pa.int64()
        case Physical.FLOATING:
            return pa.float64()
        case Physical.DECIMAL:
            return pa.decimal128(38, decimal_parameters(type_name)[1])
        case Physical.BINARY:
            return pa.binary()
        case None:
            raise ValueError(f"{type_name!r} has no physical form to compare")


def is_floating(type_name: str) -> bool:
    """True if values of the type can be NaN."""
    return type_name in ("float", "double")


def is_ordered(type_name: str) -> bool:
    """True if all engines agree on the order of the type's values: Java compares UUIDs as signed
    numbers, others as unsigned ones."""
    return type_name != "uuid"


def unscaled(value: Decimal, scale: int) -> int:
    """The unscaled integer of a decimal that has at most `scale` fractional digits, exactly
    (decimal arithmetic would round to the context's 28 digits)."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    magnitude = int("".join(map(str, digits))) * int(10 ** (scale + exponent))
    return -magnitude if sign else magnitude


def from_unscaled(number: int, scale: int) -> Decimal:
    """The decimal with this unscaled integer, exactly."""
    digits = tuple(map(int, str(abs(number))))
    return Decimal((1 if number < 0 else 0, digits, -scale))
