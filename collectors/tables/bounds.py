"""Single-value binary serialisation of bounds (table spec, "Appendix D") as Arrow arrays."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.types import (
    INT64_RANGE,
    NANOS_PER_UNIT,
    Physical,
    arrow_type,
    decimal_parameters,
    is_ordered,
    physical,
    unscaled,
)

_NANOS_PER_DAY = NANOS_PER_UNIT["date"]
UUID_BYTES = 16
_WORD = 16
"""Bytes of a decimal, as Arrow has it."""


def decode_pair(
    lower: pa.BinaryArray, upper: pa.BinaryArray, type_name: str
) -> tuple[pa.Array, pa.Array]:
    """The lower and the upper bounds of N containers; of values without an order those that are the
    same at both ends, as then there is one value."""
    ends = decode_bounds(lower, type_name), decode_bounds(upper, type_name)
    return ends if is_ordered(type_name) else same_ends(*ends)


def same_ends(lower: pa.Array, upper: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Bounds where both are the same, and null elsewhere."""
    found = pc.if_else(pc.equal(lower, upper), lower, pa.scalar(None, lower.type))
    return found, found


def of_length(values: pa.BinaryArray, size: int) -> pa.BinaryArray:
    """The values of exactly `size` bytes, and null for others."""
    is_of_it = pc.equal(pc.binary_length(values), size)
    return pc.if_else(is_of_it, values, pa.scalar(None, pa.binary()))


def decode_bounds(raw: pa.BinaryArray | pa.FixedSizeBinaryArray, type_name: str) -> pa.Array:
    """N serialised values of one column as an array of physical values.

    Null where the value is absent or its length fits no type that may be promoted to
    `type_name` (int to long, float to double, date to timestamp, narrower decimals): such a
    bound is unknown.
    """
    form = physical(type_name)
    if form is None:
        return pa.nulls(len(raw), pa.binary())
    if form is Physical.BINARY:
        found = raw.cast(pa.binary())
        return found if is_ordered(type_name) else of_length(found, UUID_BYTES)
    if not len(raw):
        return pa.array([], arrow_type(type_name))
    if form is Physical.DECIMAL:
        return decode_decimals(raw, type_name)
    values = _Values(raw)
    lengths = values.lengths
    if type_name == "boolean":
        found = values.of_width(1, "u1") != 0
        return pa.array(found.astype(np.int64), mask=lengths != 1)
    kind = "f" if form is Physical.FLOATING else "i"
    if type_name in ("float", "int", "date"):
        narrow = values.of_width(4, f"<{kind}4").astype(f"{kind}8")
        return pa.array(narrow, mask=_unless(lengths == 4))
    found, known = values.of_width(8, f"<{kind}8"), lengths == 8
    promoted = form is Physical.FLOATING or type_name == "long" or type_name in NANOS_PER_UNIT
    if promoted and not known.all() and (is_narrow := lengths == 4).any():
        narrow = values.of_width(4, f"<{kind}4").astype(f"{kind}8")
        if type_name in NANOS_PER_UNIT:
            narrow = promoted_days(narrow, type_name)
        found, known = np.where(is_narrow, narrow, found), known | is_narrow
    return pa.array(found, mask=_unless(known))


def promoted_days(days: npt.NDArray[np.int64], type_name: str) -> npt.NDArray[np.int64]:
    """Dates as values of the timestamp type to which their column was promoted. Dates beyond its
    range, which nobody can read, are the least and the greatest number: order stays."""
    factor = _NANOS_PER_DAY // NANOS_PER_UNIT[type_name]
    least, greatest = INT64_RANGE
    last = greatest // factor
    found = np.clip(days, -last, last) * factor
    found[days < -last] = least
    found[days > last] = greatest
    return found


def _unless(known: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_] | None:
    """A mask of the unknown values, None if all are known."""
    return None if known.all() else ~known


class _Values:
    """Serialised values, whose bytes lie one after the other; absent ones have a length of 0."""

    def __init__(self, raw: pa.BinaryArray | pa.FixedSizeBinaryArray) -> None:
        if pa.types.is_fixed_size_binary(raw.type):
            width = raw.type.byte_width
            found = np.arange(raw.offset, raw.offset + len(raw) + 1, dtype=np.int64) * width
        else:
            offsets = np.frombuffer(raw.buffers()[1], np.int32)
            found = offsets[raw.offset : raw.offset + len(raw) + 1].astype(np.int64)
        self._starts = found[:-1]
        self._data = np.frombuffer(raw.buffers()[-1] or b"", np.uint8)
        self.lengths: npt.NDArray[np.int64] = np.diff(found)
        if raw.null_count:
            self.lengths[raw.is_null().to_numpy(zero_copy_only=False)] = 0

    def of_width(self, width: int, dtype: str) -> npt.NDArray[np.generic]:
        """The values of exactly `width` bytes, zero in all other places."""
        is_of_width = self.lengths == width
        if is_of_width.all():
            found = self.bytes_of(slice(None), width).view(dtype)[:, 0]
            return np.require(found, requirements="A")  # Arrow takes them as they lie
        fits = np.flatnonzero(is_of_width)
        result = np.zeros(len(self.lengths), dtype)
        if len(fits):
            result[fits] = self.bytes_of(fits, width).view(dtype)[:, 0]
        return result

    def bytes_of(self, places: npt.NDArray[np.int64] | slice, width: int) -> npt.NDArray[np.uint8]:
        """The bytes of some values, of this width, as a matrix."""
        starts = self._starts[places]
        if int(starts[-1] - starts[0]) == width * (len(starts) - 1):  # without gaps
            return self._data[starts[0] : starts[-1] + width].reshape(-1, width)
        found: npt.NDArray[np.uint8] = self._data[starts[:, None] + np.arange(width)]
        return found


def decode_decimals(raw: pa.BinaryArray, type_name: str) -> pa.Array:
    """Big-endian two's complement, in as few bytes as the writer liked."""
    if not len(raw):
        return pa.array([], arrow_type(type_name))
    values = _Values(raw)
    words = np.zeros((len(raw), _WORD), np.uint8)
    for width in np.unique(values.lengths).tolist():
        if 0 < width <= _WORD:
            places = np.flatnonzero(values.lengths == width)
            found = values.bytes_of(places, width)
            sign = np.where(found[:, :1] & 0x80, 0xFF, 0).astype(np.uint8)
            words[places] = np.hstack([found[:, ::-1], np.repeat(sign, _WORD - width, axis=1)])
    valid = (values.lengths > 0) & (values.lengths <= _WORD)
    buffers = [pa.array(valid).buffers()[1], pa.py_buffer(words)]
    return pa.Array.from_buffers(arrow_type(type_name), len(valid), buffers)


def decimals(values: Sequence[Decimal | None], type_name: str) -> pa.Array:
    """Decimals as an array: also those that a truncation made a digit longer than Arrow takes."""
    scale = decimal_parameters(type_name)[1]
    raw = [
        None if v is None else unscaled(v, scale).to_bytes(_WORD, "big", signed=True)
        for v in values
    ]
    return decode_decimals(pa.array(raw, pa.binary()), type_name)
