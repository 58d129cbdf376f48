"""Single-value binary serialisation of bounds (table spec, "Appendix D") as Arrow arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from collectors.types import NANOS_PER_UNIT, Physical, arrow_type, physical

_NANOS_PER_DAY = NANOS_PER_UNIT["date"]


def decode_bounds(raw: Sequence[bytes | None], type_name: str) -> pa.Array:
    """N serialised values of one column as an array of physical values.

    Null where the value is absent or its length fits no type that may be promoted to
    `type_name` (int to long, float to double, date to timestamp, narrower decimals): such a
    bound is unknown. UUID bounds are unknown too: Java orders them signed, others unsigned.
    """
    form = physical(type_name)
    if form is None or type_name == "uuid":
        return pa.nulls(len(raw), pa.binary() if form is None else arrow_type(type_name))
    if form is Physical.BINARY:
        return pa.array(raw, pa.binary())
    if form is Physical.DECIMAL:
        return _decode_decimals(raw, type_name)
    lengths = _lengths(raw)
    if type_name == "boolean":
        values = _fixed_width(raw, lengths, 1, "u1") != 0
        return pa.array(values.astype(np.int64), mask=lengths != 1)
    if form is Physical.FLOATING:
        narrow = _fixed_width(raw, lengths, 4, "<f4").astype(np.float64)
        if type_name == "float":
            return pa.array(narrow, mask=lengths != 4)
        wide = _fixed_width(raw, lengths, 8, "<f8")
        return pa.array(np.where(lengths == 4, narrow, wide), mask=(lengths != 4) & (lengths != 8))
    narrow = _fixed_width(raw, lengths, 4, "<i4").astype(np.int64)
    if type_name in ("int", "date"):
        return pa.array(narrow, mask=lengths != 4)
    if type_name in NANOS_PER_UNIT:
        narrow *= _NANOS_PER_DAY // NANOS_PER_UNIT[type_name]
    elif type_name != "long":
        lengths = np.where(lengths == 4, 0, lengths)
    wide = _fixed_width(raw, lengths, 8, "<i8")
    return pa.array(np.where(lengths == 4, narrow, wide), mask=(lengths != 4) & (lengths != 8))


def _lengths(raw: Sequence[bytes | None]) -> npt.NDArray[np.int64]:
    """Lengths in bytes, 0 for absent values."""
    try:
        widths = set(map(len, raw))  # type: ignore[arg-type]  # None has no length: see below
    except TypeError:
        widths = set()
    if len(widths) == 1:  # as from one writer: no need to look at each
        return np.full(len(raw), widths.pop())
    return np.fromiter((len(value) if value else 0 for value in raw), np.int64, len(raw))


def _fixed_width(
    raw: Sequence[bytes | None], lengths: npt.NDArray[np.int64], width: int, dtype: str
) -> npt.NDArray[np.generic]:
    """The values of exactly `width` bytes, zero in all other places."""
    fits = lengths == width
    result = np.zeros(len(raw), dtype)
    if not fits.any():
        return result
    chosen = raw if fits.all() else [v for v, fit in zip(raw, fits.tolist(), strict=True) if fit]
    joined = b"".join(chosen)  # type: ignore[arg-type]  # a value of that width is there
    result[fits] = np.frombuffer(joined, dtype)
    return result


def _decode_decimals(raw: Sequence[bytes | None], type_name: str) -> pa.Array:
    """Big-endian two's complement, in as few bytes as the writer liked."""
    words = []
    valid = np.zeros(len(raw), np.bool_)
    for index, value in enumerate(raw):
        if value and len(value) <= 16:
            sign = b"\xff" if value[0] & 0x80 else b"\x00"
            words.append(value.rjust(16, sign)[::-1])
            valid[index] = True
        else:
            words.append(bytes(16))
    return _decimal_array(b"".join(words), valid, type_name)


def _decimal_array(words: bytes, valid: npt.NDArray[np.bool_], type_name: str) -> pa.Array:
    bitmap = pa.array(valid).buffers()[1]
    return pa.Array.from_buffers(arrow_type(type_name), len(valid), [bitmap, pa.py_buffer(words)])
