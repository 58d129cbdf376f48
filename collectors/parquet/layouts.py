"""Places of a column chunk's dictionary, bloom filter and page indexes in a Parquet file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prunescope.collectors.parquet.footer_parts import FooterParts
from prunescope.collectors.parquet.thrift_types import (
    ColumnChunk,
    ColumnMetaData,
    PageEncodingStats,
)
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.storage.ranges import ByteRange

# Page types and encodings of parquet.thrift.
_DATA_PAGES = (0, 3)
_DICTIONARY_ENCODINGS = (2, 8)
# Encodings of levels, and the one of dictionaries in files of format 1.
_NOT_OF_VALUES = {3, 4}
_DICTIONARY_1 = 2
_CODECS: Mapping[int | None, str] = dict(
    enumerate(("UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"))
)

LONGEST_DICTIONARY = (2 << 20) + 4096
"""Bytes to read where a dictionary's end is unknown: the limit of Iceberg's writers
(`write.parquet.dict-size-bytes`, twice that of parquet-java), and a header."""


@dataclass(frozen=True, slots=True)
class ChunkLayout:
    """Places of what describes one column chunk; None where there is none that can be used.

    `dictionary` is set only if every value of the chunk is in it. The length of `bloom_filter`
    is 0 where the file does not tell it. `codec` is the chunk's compression, by its name in
    parquet.thrift.
    """

    conversion: Conversion
    codec: str
    dictionary: ByteRange | None
    bloom_filter: ByteRange | None
    column_index: ByteRange | None
    offset_index: ByteRange | None


def chunk_layouts(
    parts: FooterParts, conversions: Mapping[int, Conversion]
) -> list[dict[int, ChunkLayout]]:
    """Per row group, the layouts of the columns (by leaf index) that `conversions` names. Columns
    that are encrypted are left out. Raises MalformedParquet where a row group has not one chunk for
    each column of the file."""
    # parquet-java and Arrow, too, use no bounds of pages in an order that they do not know.
    orders = parts.rest().column_orders or []
    ordered = {leaf for leaf, order in enumerate(orders) if order.known is not None}
    return [
        {
            leaf: _layout(chunk, conversions[leaf], leaf in ordered)
            for leaf, chunk in chunks.items()
            if chunk.crypto_metadata is None
        }
        for chunks in parts.chunks(ColumnChunk, conversions)
    ]


def _layout(raw: ColumnChunk, conversion: Conversion, is_ordered: bool) -> ChunkLayout:
    facts = raw.meta_data or ColumnMetaData()
    return ChunkLayout(
        conversion=conversion,
        codec=codec_of(facts),
        dictionary=None if has_values_elsewhere(facts) else _dictionary(facts),
        bloom_filter=_range(facts.bloom_filter_offset, facts.bloom_filter_length or 0),
        column_index=(
            _range(raw.column_index_offset, raw.column_index_length) if is_ordered else None
        ),
        offset_index=_range(raw.offset_index_offset, raw.offset_index_length),
    )


def codec_of(facts: ColumnMetaData) -> str:
    """The compression of a chunk, by its name."""
    return _CODECS.get(facts.codec, "unknown")


def has_values_elsewhere(facts: ColumnMetaData) -> bool:
    """True if a chunk has, or may have, values that are not in its dictionary."""
    return has_other_pages(facts.encoding_stats, facts.encodings or ())


def has_other_pages(stats: Sequence[PageEncodingStats] | None, encodings: Sequence[int]) -> bool:
    """True if a chunk has, or may have, pages whose values are not in its dictionary. Decided as by
    ParquetUtil.hasNonDictionaryPages (Iceberg Java 1.11): by the counts of pages per encoding, else
    by the list of encodings, which is conclusive only for files of format 1."""
    if stats:
        for page in stats:
            is_of_data = page.page_type in _DATA_PAGES and page.count != 0
            if is_of_data and page.encoding not in _DICTIONARY_ENCODINGS:
                return True
        return False
    return set(encodings) - _NOT_OF_VALUES != {_DICTIONARY_1}


def _dictionary(facts: ColumnMetaData) -> ByteRange | None:
    start, data, size = (
        facts.dictionary_page_offset,
        facts.data_page_offset,
        facts.total_compressed_size,
    )
    if data is None or size is None:
        return None
    if start is not None and 0 < start < data:
        return _range(start, data - start)
    # parquet-java before 1.12 writes no offset (PARQUET-1850), others write 0: the dictionary is
    # then the first page.
    return _range(data, min(size, LONGEST_DICTIONARY))


def _range(offset: int | None, length: int | None) -> ByteRange | None:
    if offset is None or length is None or offset <= 0 or length < 0:
        return None
    return ByteRange(offset, length)
