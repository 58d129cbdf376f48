"""Values of Parquet columns in the physical form of an Iceberg type, and back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from collectors.predicates.model import PhysicalValue
from collectors.types import (
    NANOS_PER_UNIT,
    Physical,
    arrow_type,
    decimal_parameters,
    from_unscaled,
    physical,
    unscaled,
)

_NANOS = {"milliseconds": 1_000_000, "microseconds": 1_000, "nanoseconds": 1}
_PLAIN_BYTES = ("None", "String", "Enum", "JSON", "BSON")
_DTYPES = {"INT32": "<i4", "INT64": "<i8", "FLOAT": "<f4", "DOUBLE": "<f8"}


class _Form(Enum):
    BOOLEAN = auto()
    NUMBER = auto()
    FLOATING = auto()
    DECIMAL = auto()
    BYTES = auto()


@dataclass(frozen=True, slots=True)
class Conversion:
    """From values as a column stores them to those of an Iceberg type.

    `stored` is the column's physical type in Parquet, of `width` bytes if it is of fixed length;
    whole numbers are multiplied by `factor` and divided, rounding down, by `divisor`. Values of
    types without `is_ordered` can be told apart, but not compared.
    """

    type_name: str
    stored: str
    form: _Form
    width: int = 0
    factor: int = 1
    divisor: int = 1
    is_ordered: bool = True

    def bound(self, raw: Any) -> PhysicalValue | None:
        """A minimum or maximum as pyarrow has it; None for NaN, which is none."""
        match self.form:
            case _Form.BOOLEAN:
                return int(raw)
            case _Form.FLOATING:
                return None if math.isnan(raw) else float(raw)
            case _Form.DECIMAL:
                scale = decimal_parameters(self.type_name)[1]
                big_endian = isinstance(raw, bytes)
                number = int.from_bytes(raw, "big", signed=True) if big_endian else raw
                return from_unscaled(number, scale)
            case _Form.NUMBER:
                return int(raw * self.factor // self.divisor)
            case _Form.BYTES:
                return bytes(raw)

    def decode(self, plain: list[bytes]) -> pa.Array:
        """Single values, each in Parquet's PLAIN encoding (byte arrays without their length), as
        an array of physical values. Raises ValueError for one that is too short or too long."""
        if self.stored in _DTYPES:
            width = np.dtype(_DTYPES[self.stored]).itemsize
            if any(len(value) != width for value in plain):
                raise ValueError("a value is not as long as its type")
            return self.numbers(np.frombuffer(b"".join(plain), _DTYPES[self.stored]))
        if self.stored == "BOOLEAN":
            return pa.array([value[0] & 1 for value in plain], pa.int64())
        return self.byte_strings(plain)

    def numbers(self, raw: npt.NDArray[Any]) -> pa.Array:
        """Values of a column of numbers."""
        kind = arrow_type(self.type_name)
        match self.form:
            case _Form.FLOATING:
                return pa.array(raw.astype(np.float64))
            case _Form.DECIMAL:
                scale = decimal_parameters(self.type_name)[1]
                return pa.array([from_unscaled(int(v), scale) for v in raw.tolist()], kind)
            case _:
                wide = raw.astype(np.int64)
                if self.factor != 1 and len(wide):
                    limit = np.iinfo(np.int64).max // self.factor
                    if (np.abs(wide) > limit).any():
                        raise ValueError("a value is beyond the range of its type")
                return pa.array(wide * self.factor // self.divisor)

    def byte_strings(self, raw: list[bytes]) -> pa.Array:
        """Values of a column of byte arrays."""
        if self.width and any(len(value) != self.width for value in raw):
            raise ValueError("a value is not as long as its type")
        if self.form is _Form.DECIMAL:
            scale = decimal_parameters(self.type_name)[1]
            numbers = (int.from_bytes(value, "big", signed=True) for value in raw)
            return pa.array(
                [from_unscaled(number, scale) for number in numbers], arrow_type(self.type_name)
            )
        return pa.array(raw, pa.binary())

    def encode(self, value: PhysicalValue) -> bytes | None:
        """A value in Parquet's PLAIN encoding, without a length; None if the column cannot hold
        it. Raises ValueError where the column has several encodings for it."""
        if self.form is _Form.BYTES:
            assert isinstance(value, bytes)
            return None if self.width and len(value) != self.width else value
        if self.form is _Form.FLOATING:
            assert isinstance(value, float)
            stored = np.array([value]).astype(_DTYPES[self.stored])
            return bytes(stored.tobytes()) if float(stored[0]) == value else None
        if self.form is _Form.DECIMAL:
            assert isinstance(value, Decimal)
            number = unscaled(value, decimal_parameters(self.type_name)[1])
        else:
            assert isinstance(value, int)
            number, rest = divmod(value * self.divisor, self.factor)
            if rest:
                return None
        return self._encode_number(number)

    def _encode_number(self, number: int) -> bytes | None:
        if self.stored in ("INT32", "INT64"):
            width, order = (4 if self.stored == "INT32" else 8), "little"
        elif self.width:
            width, order = self.width, "big"
        else:
            raise ValueError("byte arrays hold a number with any number of leading bytes")
        try:
            return number.to_bytes(width, order, signed=True)  # type: ignore[arg-type]
        except OverflowError:
            return None


def conversion_of(column: Any, type_name: str) -> Conversion | None:
    """How to read a column (pyarrow's ColumnSchema) as an Iceberg type; None where it was written
    with a type that is not, or not surely, the same or promoted to it."""
    stored = column.physical_type
    logical = json.loads(column.logical_type.to_json())
    kind = logical.get("Type", "None")
    width = column.length if stored == "FIXED_LEN_BYTE_ARRAY" else 0
    form = physical(type_name)
    if type_name == "boolean":
        return Conversion(type_name, stored, _Form.BOOLEAN) if stored == "BOOLEAN" else None
    if form is Physical.FLOATING:
        fits = stored in ("FLOAT", "DOUBLE")
        return Conversion(type_name, stored, _Form.FLOATING) if fits else None
    if form is Physical.DECIMAL:
        fits = kind == "Decimal" and column.scale == decimal_parameters(type_name)[1]
        return Conversion(type_name, stored, _Form.DECIMAL, width) if fits else None
    if form is Physical.BINARY:
        bytes_like = stored in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
        if type_name == "uuid":
            # parquet-java orders UUIDs signed, other writers unsigned.
            fits = bytes_like and width == 16 and kind in ("None", "UUID")
            found = Conversion(type_name, stored, _Form.BYTES, width, is_ordered=False)
            return found if fits else None
        fits = bytes_like and kind in _PLAIN_BYTES
        return Conversion(type_name, stored, _Form.BYTES, width) if fits else None
    if form is None or stored not in ("INT32", "INT64"):
        return None
    if type_name in NANOS_PER_UNIT:
        if kind == "Timestamp":
            factor = _NANOS.get(logical["timeUnit"])
        else:
            factor = NANOS_PER_UNIT["date"] if kind == "Date" else None
        divisor = NANOS_PER_UNIT[type_name]
    elif type_name == "time":
        factor, divisor = (_NANOS.get(logical["timeUnit"]) if kind == "Time" else None), 1_000
    else:
        signed = kind == "None" or (kind == "Int" and logical.get("isSigned", False))
        factor, divisor = (1 if signed else None), 1
    if factor is None:
        return None
    shared = min(factor, divisor)  # units are multiples of each other
    return Conversion(
        type_name, stored, _Form.NUMBER, factor=factor // shared, divisor=divisor // shared
    )
