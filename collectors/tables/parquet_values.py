"""Minimum and maximum values of Parquet statistics in the physical form of an Iceberg type."""

from __future__ import annotations

import json
from typing import Any

from collectors.types import (
    NANOS_PER_UNIT,
    Physical,
    decimal_parameters,
    from_unscaled,
    physical,
)

_NANOS = {"milliseconds": 1_000_000, "microseconds": 1_000, "nanoseconds": 1}


def physical_bounds(lower: Any, upper: Any, column: Any, type_name: str) -> tuple[Any, Any]:
    """A chunk's raw bounds as bounds of `type_name`; (None, None) where the column was written
    with a type that is not, or not surely, the same or promoted to it.

    `column` is pyarrow's ColumnSchema. UUIDs are unknown: parquet-java orders them signed,
    other writers unsigned. INT96 never has usable bounds.
    """
    try:
        return _convert(lower, column, type_name), _convert(upper, column, type_name)
    except (ValueError, TypeError, ArithmeticError):
        return None, None


def _convert(value: Any, column: Any, type_name: str) -> Any:
    stored = column.physical_type
    logical = json.loads(column.logical_type.to_json())
    kind = logical.get("Type", "None")
    form = physical(type_name)
    if type_name == "boolean":
        return _require(int(value), stored == "BOOLEAN")
    if form is Physical.FLOATING:
        return _require(float(value), stored in ("FLOAT", "DOUBLE"))
    if form is Physical.DECIMAL:
        scale = decimal_parameters(type_name)[1]
        number = int.from_bytes(value, "big", signed=True) if isinstance(value, bytes) else value
        return _require(from_unscaled(number, scale), kind == "Decimal" and column.scale == scale)
    if type_name == "string" or form is Physical.BINARY:
        bytes_like = stored in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
        plain = kind in ("None", "String", "Enum", "JSON", "BSON")
        return _require(value, bytes_like and plain and type_name != "uuid")
    if type_name in NANOS_PER_UNIT and kind == "Timestamp":
        return value * _NANOS[logical["timeUnit"]] // NANOS_PER_UNIT[type_name]
    if type_name in NANOS_PER_UNIT:
        days = value * (NANOS_PER_UNIT["date"] // NANOS_PER_UNIT[type_name])
        return _require(days, kind == "Date")
    if type_name == "time":
        return _require(value * _NANOS[logical.get("timeUnit", "")] // 1_000, kind == "Time")
    signed = kind == "None" or (kind == "Int" and logical.get("isSigned", False))
    return _require(value, stored in ("INT32", "INT64") and signed)


def _require(value: Any, trusted: bool) -> Any:
    if not trusted:
        raise ValueError("the column was written with another type")
    return value
