"""Split-block bloom filters (parquet-format, "BloomFilter.md")."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import xxhash

from prunescope.collectors.parquet.thrift_types import BloomFilterHeader, MalformedParquet, decode
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.predicates.literals import PhysicalValue

HEADER_BYTES = 64
"""More than any header needs."""

MAX_BYTES = 128 << 20
"""The largest bloom filter: parquet-java's own limit."""

_BLOCK_BYTES = 32
_SALT = np.array(
    [
        *(0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D),
        *(0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31),
    ],
    np.uint32,
)
# ParquetBloomRowGroupFilter (Iceberg Java 1.11) asks for no others.
_NOT_ASKED = ("boolean", "timestamp_ns", "timestamptz_ns")
_WIDE = ("long", "time", "timestamp", "timestamptz")

Blocks = npt.NDArray[np.uint32]
"""A filter: an array of shape (blocks, 8)."""


def filter_length(data: bytes) -> int:
    """The length of a filter with its header, from the first HEADER_BYTES of it. Raises
    MalformedParquet."""
    num_bytes, start = _header(data)
    return start + num_bytes


def read_filter(data: bytes) -> Blocks:
    """A filter with its header. Raises MalformedParquet."""
    num_bytes, start = _header(data)
    if start + num_bytes > len(data):
        raise MalformedParquet("a bloom filter that is cut off")
    words = np.frombuffer(data, "<u4", num_bytes // 4, start)
    return words.astype(np.uint32).reshape(-1, _SALT.size)


def _header(data: bytes) -> tuple[int, int]:
    header, start = decode(BloomFilterHeader, data)
    size = header.num_bytes
    if size is None or size <= 0 or size % _BLOCK_BYTES or size > MAX_BYTES:
        raise MalformedParquet("a bloom filter whose size cannot be")
    for choice in (header.algorithm, header.hash, header.compression):
        if choice is None or choice.known is None:
            raise MalformedParquet("a bloom filter of an unknown kind")
    return size, start


def hashes(
    values: Iterable[PhysicalValue], conversion: Conversion
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]] | None:
    """The hashes under which a column's filter has the values, and the place of the value of each;
    none for a value that the column cannot hold, two for zeros of floating point, which equal each
    other with either sign. None where readers ask no filter for such columns, or none can tell.

    As Iceberg Java 1.11 asks (ParquetBloomRowGroupFilter): a long in a file of ints not at all,
    and a double in a file of floats rounded to one.
    """
    narrow = conversion.stored == "INT32" and conversion.type_name in _WIDE
    if narrow or conversion.type_name in _NOT_ASKED:
        return None
    found, places = [], []
    for place, value in enumerate(values):
        if conversion.stored == "FLOAT" and isinstance(value, float):
            with np.errstate(over="ignore"):
                value = float(np.float32(value))  # noqa: PLW2901
        for form in (0.0, -0.0) if isinstance(value, float) and value == 0 else (value,):
            try:
                plain = conversion.encode(form)
            except ValueError:
                return None
            if plain is not None:
                found.append(xxhash.xxh64_intdigest(plain))
                places.append(place)
    return np.array(found, np.uint64), np.array(places, np.int64)


def might_contain(blocks: Blocks, hashed: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Tells for each hashed value whether it may be among the values of the filter."""
    chosen = ((hashed >> np.uint64(32)) * np.uint64(len(blocks))) >> np.uint64(32)
    keys = (hashed & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    bits = (keys[:, None] * _SALT[None, :]) >> np.uint32(27)
    words = blocks[chosen.astype(np.int64)]
    bits_set = ((words >> bits) & np.uint32(1)).astype(np.bool_)
    return np.asarray(np.logical_and.reduce(bits_set, axis=1))
