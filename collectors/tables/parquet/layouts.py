"""Where a Parquet file keeps what else it tells of a column chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collectors.tables.parquet.thrift_types import (
    ColumnChunk,
    ColumnMetaData,
    FileMetaData,
    MalformedParquet,
    PageEncodingStats,
    decode,
)
from collectors.tables.parquet.values import Conversion
from collectors.tables.ranges import ByteRange

# Page types and encodings of parquet.thrift.
_DATA_PAGES = (0, 3)
_DICTIONARY_ENCODINGS = (2, 8)
# Encodings of levels, and the one of dictionaries in files of format 1.
_NOT_OF_VALUES = {"RLE", "BIT_PACKED"}
_DICTIONARY_1 = "PLAIN_DICTIONARY"


@dataclass(frozen=True, slots=True)
class ChunkLayout:
    """Places of what describes one column chunk; None where there is none that can be used.

    `dictionary` is set only if every value of the chunk is in it. The length of `bloom_filter`
    is 0 where the file does not tell it. `codec` names the chunk's compression.
    """

    conversion: Conversion
    codec: str
    dictionary: ByteRange | None
    bloom_filter: ByteRange | None
    column_index: ByteRange | None
    offset_index: ByteRange | None


def chunk_layouts(
    thrift: bytes, metadata: Any, conversions: Mapping[int, Conversion]
) -> list[dict[int, ChunkLayout]]:
    """Per row group, the layouts of the columns (by leaf index) that `conversions` names.

    `metadata` is pyarrow's FileMetaData, `thrift` its serialised form, which tells what pyarrow
    does not. Raises MalformedParquet where the two do not fit together.
    """
    row_groups = decode(FileMetaData, thrift)[0].row_groups or []
    if len(row_groups) != metadata.num_row_groups:
        raise MalformedParquet("the footer has another number of row groups")
    found = []
    for number, row_group in enumerate(row_groups):
        columns = row_group.columns or []
        if len(columns) != metadata.num_columns:
            raise MalformedParquet("the footer has another number of columns")
        chunks = metadata.row_group(number)
        found.append(
            {
                leaf: _layout(columns[leaf], chunks.column(leaf), conversion)
                for leaf, conversion in conversions.items()
            }
        )
    return found


def _layout(raw: ColumnChunk, chunk: Any, conversion: Conversion) -> ChunkLayout:
    facts = raw.meta_data or ColumnMetaData()
    has_values_elsewhere = has_other_pages(facts.encoding_stats, chunk.encodings)
    return ChunkLayout(
        conversion=conversion,
        codec=chunk.compression,
        dictionary=None if has_values_elsewhere else _dictionary(chunk),
        bloom_filter=_range(facts.bloom_filter_offset, facts.bloom_filter_length or 0),
        column_index=_range(raw.column_index_offset, raw.column_index_length),
        offset_index=_range(raw.offset_index_offset, raw.offset_index_length),
    )


def has_other_pages(stats: Sequence[PageEncodingStats] | None, encodings: Sequence[str]) -> bool:
    """Whether a chunk has, or may have, pages whose values are not in its dictionary, as
    ParquetUtil.hasNonDictionaryPages decides it (Iceberg Java 1.11): by the counts of pages per
    encoding, else by the list of encodings, which tells only for files of format 1."""
    if stats:
        return any(
            page.page_type in _DATA_PAGES
            and page.encoding not in _DICTIONARY_ENCODINGS
            and page.count != 0
            for page in stats
        )
    return set(encodings) - _NOT_OF_VALUES != {_DICTIONARY_1}


def _dictionary(chunk: Any) -> ByteRange | None:
    start = chunk.dictionary_page_offset
    if start is None or not 0 < start < chunk.data_page_offset:
        return None
    return ByteRange(start, chunk.data_page_offset - start)


def _range(offset: int | None, length: int | None) -> ByteRange | None:
    if offset is None or length is None or offset < 0 or length < 0:
        return None
    return ByteRange(offset, length)
