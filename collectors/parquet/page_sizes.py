"""The memory that the pages of a column chunk take when they are decoded, from their headers.

A page, or a dictionary of one long value that all rows share, can be a thousand times as large in
memory as in the file. Readers make room for the size in a page's header before they unpack the
page, and for no more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prunescope.collectors.parquet.thrift_types import MalformedParquet, PageHeader, decode
from prunescope.collectors.storage.clock import tick

PLAIN, PLAIN_DICTIONARY, DELTA_BYTE_ARRAY, RLE_DICTIONARY = 0, 2, 7, 8
"""Encodings of parquet.thrift."""
_HEADER = 64 << 10
"""Bytes of the longest header: that of a page with bounds of some kilobytes."""
_ITEMS = 16

Read = Callable[[int, int], bytes]
"""The bytes from a place to before another."""


@dataclass(frozen=True, slots=True)
class PageSizes:
    """Unpacked sizes of the pages of a chunk, in bytes: the dictionary, the largest page, and all
    together; with the number of their values, and the encodings of these."""

    dictionary: int
    largest: int
    unpacked: int
    values: int
    encodings: frozenset[int | None]


def page_sizes(read: Read, start: int, end: int, values: int) -> PageSizes:
    """Reads the sizes of the pages from `start` to `end` that hold `values` values. Raises
    MalformedParquet for headers that make no sense."""
    position, dictionary, largest, unpacked, found = start, 0, 0, 0, 0
    encodings: set[int | None] = set()
    while position < end and found < max(values, 1):
        tick()
        header, size = decode(PageHeader, read(position, min(position + _HEADER, end)), _ITEMS)
        full, packed = header.uncompressed_page_size, header.compressed_page_size
        if full is None or packed is None or full < 0 or packed < 0:
            raise MalformedParquet("a page without a size")
        data = header.data_page_header or header.data_page_header_v2
        if data is None:
            dictionary = max(dictionary, full)
        else:
            largest = max(largest, full)
            found += max(data.num_values or 0, 0)
            encodings.add(data.encoding)
        unpacked += full
        position += size + packed
    return PageSizes(dictionary, largest, unpacked, found, frozenset(encodings))
