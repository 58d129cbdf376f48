"""Dictionary pages: the distinct values of a column chunk."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from prunescope.collectors.parquet.layouts import ChunkLayout
from prunescope.collectors.parquet.thrift_types import MalformedParquet, PageHeader, decode

_DICTIONARY_PAGE = 2
_ENCODINGS = (0, 2)  # PLAIN, and PLAIN_DICTIONARY of format 1
_NUMBERS = {"INT32": "<i4", "INT64": "<i8", "FLOAT": "<f4", "DOUBLE": "<f8"}
# LZ4 (not raw) is framed in several ways, and LZO is in no reader.
_CODECS = {
    "SNAPPY": "snappy",
    "GZIP": "gzip",
    "BROTLI": "brotli",
    "ZSTD": "zstd",
    "LZ4_RAW": "lz4_raw",
}

MAX_BYTES = 16 << 20
"""Uncompressed bytes of a dictionary, of which each text takes ten times those of its length.
Writers stop at one or two MiB."""


def dictionary_values(page: bytes, layout: ChunkLayout) -> pa.Array:
    """The values of a dictionary page, in physical form and in its order.

    `page` starts with the page's header. Raises MalformedParquet, also where the codec is not one
    that Arrow reads page by page.
    """
    header, start = decode(PageHeader, page)
    dictionary = header.dictionary_page_header
    count = None if dictionary is None else dictionary.num_values
    if header.type != _DICTIONARY_PAGE or dictionary is None or count is None or count < 0:
        raise MalformedParquet("not a dictionary page")
    if dictionary.encoding not in _ENCODINGS:
        raise MalformedParquet("a dictionary of an unknown encoding")
    data = _uncompressed(page[start:], header, layout.codec)
    try:
        return _values(data, count, layout)
    except (ValueError, pa.ArrowException, ArithmeticError) as error:
        raise MalformedParquet(f"not the values of a dictionary ({error})") from error


def _uncompressed(body: bytes, header: PageHeader, codec: str) -> bytes:
    size, full = header.compressed_page_size, header.uncompressed_page_size
    if size is None or full is None or not 0 <= size <= len(body) or not 0 <= full <= MAX_BYTES:
        raise MalformedParquet("a dictionary page whose size cannot be")
    if codec == "UNCOMPRESSED":
        return body[:size]
    if not full:
        return b""
    if codec not in _CODECS:
        raise MalformedParquet(f"a dictionary compressed with {codec}")
    try:
        return bytes(pa.Codec(_CODECS[codec]).decompress(body[:size], full, asbytes=True))
    except (OSError, ValueError, pa.ArrowException) as error:
        raise MalformedParquet("a dictionary page that cannot be decompressed") from error


def _values(data: bytes, count: int, layout: ChunkLayout) -> pa.Array:
    conversion = layout.conversion
    if conversion.stored in _NUMBERS:
        dtype = np.dtype(_NUMBERS[conversion.stored])
        _require_all(count * dtype.itemsize, data)
        return conversion.numbers(np.frombuffer(data, dtype))
    if conversion.stored == "FIXED_LEN_BYTE_ARRAY":
        width = conversion.width
        _require_all(count * width, data)
        return conversion.byte_strings([data[n * width : (n + 1) * width] for n in range(count)])
    if conversion.stored == "BYTE_ARRAY":
        return conversion.byte_strings(_byte_arrays(data, count))
    raise ValueError(f"dictionaries of {conversion.stored} are not read")


def _require_all(size: int, data: bytes) -> None:
    """Raises ValueError for a page with more or fewer values than its header says: values that are
    not looked at would be ruled out."""
    if size != len(data):
        raise ValueError("another number of values than the page says")


def _byte_arrays(data: bytes, count: int) -> list[bytes]:
    """Values that are each preceded by their length, in four bytes."""
    found = []
    start = 0
    for _ in range(count):
        end = start + 4
        stop = end + int.from_bytes(data[start:end], "little")
        if end > len(data) or stop > len(data):
            raise ValueError("fewer values than the page says")
        found.append(data[end:stop])
        start = stop
    _require_all(start, data)
    return found
