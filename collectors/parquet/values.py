"""Values of Parquet columns in the physical form of an Iceberg type, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.types import (
    INT64_RANGE,
    MAX_DECIMAL_DIGITS,
    NANOS_PER_UNIT,
    Physical,
    arrow_type,
    decimal_parameters,
    physical,
    unscaled,
)

_NANOS = {"milliseconds": 1_000_000, "microseconds": 1_000, "nanoseconds": 1}
_PLAIN_BYTES = ("None", "String", "Enum", "JSON", "BSON")
_DTYPES = {"INT32": "<i4", "INT64": "<i8", "FLOAT": "<f4", "DOUBLE": "<f8"}

_DECIMAL_END = 10**MAX_DECIMAL_DIGITS


class _Form(Enum):
    BOOLEAN = auto()
    NUMBER = auto()
    FLOATING = auto()
    DECIMAL = auto()
    BYTES = auto()


@dataclass(frozen=True, slots=True)
class Conversion:
    """Converts values as a column stores them to values of an Iceberg type.

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

    @property
    def is_signed(self) -> bool:
        """True if values are ordered as numbers with a sign. Old writers knew no other order, so
        their bounds hold for these only: not for decimals in byte arrays."""
        return self.stored in _DTYPES or self.form is _Form.BOOLEAN

    def bounds(self, plain: Sequence[bytes]) -> Sequence[PhysicalValue | None]:
        """Minimums or maximums, each in Parquet's PLAIN encoding (byte arrays without their
        length); None for NaN, which is no bound, and for a value beyond the range of the type's
        physical form. Numbers must be at least as long as their type."""
        found: list[PhysicalValue | None] = self.bounds_of(pa.array(plain, pa.binary())).to_pylist()
        return found

    def bounds_of(self, plain: pa.BinaryArray) -> pa.Array:
        """The same as arrays, without nulls at first."""
        if self.form is _Form.BYTES:
            is_whole = self.is_ordered or pc.equal(pc.binary_length(plain), self.width)
            return plain if is_whole is True else pc.if_else(is_whole, plain, None)
        if self.form is _Form.DECIMAL:
            if self.stored in _DTYPES:
                numbers = self._firsts(plain).tolist()
            else:
                numbers = [int.from_bytes(one, "big", signed=True) for one in plain.to_pylist()]
            fits = [abs(number) < _DECIMAL_END for number in numbers]
            within = (n if fit else 0 for n, fit in zip(numbers, fits, strict=True))
            found = _decimals(within, arrow_type(self.type_name))
            return found if all(fits) else pc.if_else(pa.array(fits), found, None)
        raw = self._firsts(plain)
        if self.form is _Form.BOOLEAN:
            return pa.array((raw & 1).astype(np.int64))
        if self.form is _Form.FLOATING:
            return pa.array(raw.astype(np.float64), mask=np.isnan(raw))
        wide = raw.astype(np.int64)
        if self.factor == self.divisor:
            return pa.array(wide)
        low, high = -(-INT64_RANGE[0] // self.factor), INT64_RANGE[1] // self.factor
        beyond = (wide < low) | (wide > high)
        return pa.array(wide * self.factor // self.divisor, mask=beyond)

    def _firsts(self, plain: pa.BinaryArray) -> npt.NDArray[Any]:
        """Numbers of a type of a fixed width, by the first bytes of each."""
        kind = np.dtype(_DTYPES.get(self.stored, "u1"))
        if not pc.all(pc.equal(pc.binary_length(plain), kind.itemsize)).as_py():
            plain = pc.binary_slice(plain, 0, kind.itemsize)
        _, offsets, data = plain.buffers()
        start = np.frombuffer(offsets, np.int32, 1, 4 * plain.offset)[0] if len(plain) else 0
        return np.frombuffer(data or b"", kind, len(plain), start)

    def decode(self, plain: list[bytes]) -> pa.Array:
        """Bounds, each in Parquet's PLAIN encoding (byte arrays without their length), as an array
        of physical values. Those of byte arrays of fixed length may have been cut off. Raises
        ValueError for others that are too short or too long."""
        if self.stored in _DTYPES:
            _require_width(np.dtype(_DTYPES[self.stored]).itemsize, plain)
            return self.numbers(np.frombuffer(b"".join(plain), _DTYPES[self.stored]))
        if self.stored == "BOOLEAN":
            _require_width(1, plain)
            return pa.array([value[0] & 1 for value in plain], pa.int64())
        if self.form is _Form.DECIMAL and self.width:
            _require_width(self.width, plain)
        return self.byte_strings(plain)

    def numbers(self, raw: npt.NDArray[Any]) -> pa.Array:
        """Values of a column of numbers."""
        kind = arrow_type(self.type_name)
        match self.form:
            case _Form.FLOATING:
                return pa.array(raw.astype(np.float64))
            case _Form.DECIMAL:
                return _decimals(raw.tolist(), kind)
            case _:
                wide = raw.astype(np.int64)
                if self.factor == self.divisor:
                    return pa.array(wide)
                low, high = -(-INT64_RANGE[0] // self.factor), INT64_RANGE[1] // self.factor
                if ((wide < low) | (wide > high)).any():
                    raise ValueError("a value is beyond the range of its type")
                return pa.array(wide * self.factor // self.divisor)

    def byte_strings(self, raw: list[bytes]) -> pa.Array:
        """Values of a column of byte arrays."""
        if self.form is _Form.DECIMAL:
            numbers = (int.from_bytes(value, "big", signed=True) for value in raw)
            return _decimals(numbers, arrow_type(self.type_name))
        return pa.array(raw, pa.binary())

    def encode(self, value: PhysicalValue) -> bytes | None:
        """A value in Parquet's PLAIN encoding, without a length; None if the column cannot hold
        it. Raises ValueError where the column has several encodings for it: NaN, decimals in byte
        arrays, and times of a unit that is coarser than the column's."""
        if self.form is _Form.BYTES:
            assert isinstance(value, bytes)
            return None if self.width and len(value) != self.width else value
        if self.form is _Form.FLOATING:
            assert isinstance(value, float)
            if math.isnan(value):
                raise ValueError("there are many NaN")
            with np.errstate(over="ignore"):  # what is beyond a float is not found in one
                stored = np.array([value]).astype(_DTYPES[self.stored])
            return bytes(stored.tobytes()) if float(stored[0]) == value else None
        if self.form is _Form.DECIMAL:
            assert isinstance(value, Decimal)
            number = unscaled(value, decimal_parameters(self.type_name)[1])
        else:
            assert isinstance(value, int)
            if self.divisor != 1:
                raise ValueError("several values of the column are rounded to the same")
            number, rest = divmod(value, self.factor)
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


def _require_width(width: int, plain: Sequence[bytes]) -> None:
    if any(len(value) != width for value in plain):
        raise ValueError("a value is not as long as its type")


def _decimals(unscaled_values: Iterable[int], kind: pa.DataType) -> pa.Array:
    """Decimals by their unscaled values, without a Decimal for each."""
    data = b"".join(number.to_bytes(16, "little", signed=True) for number in unscaled_values)
    found = pa.Array.from_buffers(kind, len(data) // 16, [None, pa.py_buffer(data)])
    found.validate(full=True)  # of more digits than the type has
    return found


def conversion_of(column: Any, type_name: str) -> Conversion | None:
    """The conversion that reads a column (pyarrow's ColumnSchema) as an Iceberg type; None if the
    column was written with a type that is not, or not surely, the same or promoted to it."""
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
        if kind == "Timestamp" and type_name != "date":
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
