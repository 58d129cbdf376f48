"""What has to hold of a footer before Arrow is asked for its column chunks.

Arrow 26 throws where pyarrow catches nothing, and so ends the process, where a chunk is of another
type than its column, a bound is too short for its type, or a histogram of levels has another
length than its column has levels (`ColumnChunkMetaDataImpl`, `MakeColumnStats`,
`SizeStatistics::Validate`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from collectors.parquet.thrift_types import (
    MalformedParquet,
    SizedFooter,
    SizedMetaData,
    SizeStatistics,
    Statistics,
    decode,
)

_TYPES = (
    "BOOLEAN",
    "INT32",
    "INT64",
    "INT96",
    "FLOAT",
    "DOUBLE",
    "BYTE_ARRAY",
    "FIXED_LEN_BYTE_ARRAY",
)
"""By their numbers in parquet.thrift."""
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
"""Bytes."""


def sound_sizes(metadata: Any, thrift: bytes, leaves: Collection[int]) -> list[int]:
    """The bytes of each row group, as it is stored, once it is sure that Arrow can be asked for the
    chunks of some leaves. `metadata` is pyarrow's FileMetaData of the same footer. Raises
    MalformedParquet.
    """
    groups = decode(SizedFooter, thrift)[0].row_groups or []
    if len(groups) != metadata.num_row_groups:
        raise MalformedParquet("another number of row groups")
    columns = [(leaf, metadata.schema.column(leaf)) for leaf in leaves]
    sizes = []
    for group in groups:
        chunks = [chunk.meta_data for chunk in group.columns or [] if chunk.meta_data is not None]
        if len(chunks) != metadata.num_columns:
            raise MalformedParquet("a row group has not one chunk for each column")
        for leaf, column in columns:
            _require_sound(chunks[leaf], column)
        sizes.append(sum(_size(chunk) for chunk in chunks))
    return sizes


def _size(chunk: SizedMetaData) -> int:
    if chunk.total_compressed_size is None or chunk.total_compressed_size < 0:
        raise MalformedParquet("a column chunk has no size")
    return chunk.total_compressed_size


def _require_sound(chunk: SizedMetaData, column: Any) -> None:
    kind = column.physical_type
    if chunk.type is None or _TYPES[chunk.type : chunk.type + 1] != (kind,):
        raise MalformedParquet("a column chunk is of another type than its column")
    width = column.length if kind == "FIXED_LEN_BYTE_ARRAY" else _WIDTHS.get(kind, 0)
    bounds = chunk.statistics or Statistics()
    for bound in (bounds.min, bounds.max, bounds.min_value, bounds.max_value):
        if bound and len(bound) < width:
            raise MalformedParquet("a bound is shorter than the values of its column")
    sizes = chunk.size_statistics or SizeStatistics()
    if sizes.unencoded_bytes is not None and kind != "BYTE_ARRAY":
        raise MalformedParquet("a column of a fixed width has a size of its values")
    for levels, most in (
        (sizes.repetition_levels, column.max_repetition_level),
        (sizes.definition_levels, column.max_definition_level),
    ):
        if levels and len(levels) != most + 1:
            raise MalformedParquet("a histogram has another length than its column has levels")
