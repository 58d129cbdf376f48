"""The Z-order as Iceberg for Spark has it: places of rows by several columns at once.

Each column counts by eight bytes that sort as its values do (Iceberg's ZOrderByteUtils), so that
one whose values differ in few low bits counts for little beside one of large numbers. A timestamp
with a time zone counts by whole seconds, a date by days, a text by its first eight bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunescope.audit_jobs.advice.rows import RankedColumn
from prunescope.collectors.arrays import IntArray, Words

_MICROS = 1_000_000
_SIGN = np.uint64(1 << 63)


def curve_places(columns: Sequence[RankedColumn]) -> IntArray:
    """The places of rows along a Z-order."""
    words = [_words(column) for column in columns]
    bits = np.stack(
        [np.unpackbits(w.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1) for w in words],
        axis=2,
    )
    interleaved = np.packbits(bits.reshape(len(words[0]), -1), axis=1)
    keys = [interleaved[:, n : n + 8] for n in range(0, interleaved.shape[1], 8)]
    numbers = [np.ascontiguousarray(key).view(">u8")[:, 0].astype(np.uint64) for key in keys]
    order = np.lexsort(numbers[::-1])
    changes = np.zeros(len(order), np.int64)
    for number in numbers:
        changes[1:] |= number[order][1:] != number[order][:-1]
    places = np.empty(len(order), np.int64)
    places[order] = np.cumsum(changes)
    return places


def _words(column: RankedColumn) -> Words:
    """Eight bytes of each row's value as a number that sorts as the values do; zero for null."""
    of_value = np.append(_value_words(column), np.uint64(2**64 - 1))  # NaN
    return np.where(column.rank < 0, np.uint64(0), of_value[column.rank])


def _value_words(column: RankedColumn) -> Words:
    values = column.distinct
    if column.type in ("float", "double"):
        bits = np.asarray(values.to_numpy(zero_copy_only=False), np.float64).view(np.int64)
        return (bits ^ ((bits >> 63) & np.int64(2**63 - 1))).view(np.uint64) ^ _SIGN
    if column.type in ("string", "binary", "uuid") or column.type.startswith("fixed"):
        raw = values.to_pylist()
        if column.type == "uuid":  # Spark has it as text
            raw = [value.hex()[:8].encode() for value in raw]
        first = b"".join(value[:8].ljust(8, b"\0") for value in raw)
        return np.frombuffer(first, ">u8").astype(np.uint64)
    numbers = np.asarray(values.to_numpy(zero_copy_only=False), np.int64)
    if column.type == "timestamptz":
        numbers = numbers // _MICROS
    return numbers.view(np.uint64) ^ _SIGN
