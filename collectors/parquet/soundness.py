"""What has to hold of a footer before Arrow is asked for its column chunks.

Arrow 26 throws where pyarrow catches nothing, and so ends the process, where a chunk is of another
type than its column, a bound is too short for its type, or a histogram of levels has another
length than its column has levels (`ColumnChunkMetaDataImpl`, `MakeColumnStats`,
`SizeStatistics::Validate`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collectors.parquet.thrift_types import MalformedParquet, SizedFooter, SizedMetaData

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


@dataclass(frozen=True, slots=True)
class ChunkForm:
    """What the chunks of a column have to be like: their type, by its number, the least bytes of
    a bound, whether values differ in size, and how many levels there are."""

    type: int
    width: int
    has_sizes: bool
    repetition_levels: int
    definition_levels: int


def form_of(column: Any) -> ChunkForm:
    """What chunks of a column (pyarrow's ColumnSchema) have to be like."""
    kind = column.physical_type
    return ChunkForm(
        type=_TYPES.index(kind),
        width=column.length if kind == "FIXED_LEN_BYTE_ARRAY" else _WIDTHS.get(kind, 0),
        has_sizes=kind == "BYTE_ARRAY",
        repetition_levels=column.max_repetition_level + 1,
        definition_levels=column.max_definition_level + 1,
    )


def sound_chunks(
    metadata: Any, footer: SizedFooter, forms: Mapping[int, ChunkForm]
) -> list[list[SizedMetaData]]:
    """The chunks of each row group, by leaf, once it is sure that Arrow can be asked for those of
    the leaves that `forms` names. `metadata` is pyarrow's FileMetaData of the same footer, of a
    file without encrypted columns. Raises MalformedParquet.
    """
    groups = footer.row_groups or []
    if len(groups) != metadata.num_row_groups:
        raise MalformedParquet("another number of row groups")
    found = []
    for group in groups:
        chunks = [chunk.meta_data for chunk in group.columns or [] if chunk.meta_data is not None]
        if len(chunks) != metadata.num_columns:
            raise MalformedParquet("a row group has not one chunk for each column")
        for leaf, form in forms.items():
            _require_sound(chunks[leaf], form)
        found.append(chunks)
    return found


def stored_size(chunk: SizedMetaData) -> int:
    """The bytes of a chunk, as it is stored. Raises MalformedParquet."""
    size = chunk.total_compressed_size
    if size is None or size < 0:
        raise MalformedParquet("a column chunk has no size")
    return size


def is_ordered(chunk: SizedMetaData) -> bool:
    """Whether the bounds of a chunk follow the order of its type. Old writers had one order of
    bytes for all types, which is wrong for decimals in byte arrays: parquet-java 1.15 ignores
    their bounds, Arrow 26 does not."""
    return chunk.statistics is not None and chunk.statistics.min_value is not None


def _require_sound(chunk: SizedMetaData, form: ChunkForm) -> None:
    if chunk.type != form.type:
        raise MalformedParquet("a column chunk is of another type than its column")
    if (bounds := chunk.statistics) is not None:
        for bound in (bounds.min, bounds.max, bounds.min_value, bounds.max_value):
            if bound and len(bound) < form.width:
                raise MalformedParquet("a bound is shorter than the values of its column")
    if (sizes := chunk.size_statistics) is not None:
        if sizes.unencoded_bytes is not None and not form.has_sizes:
            raise MalformedParquet("a column of a fixed width has a size of its values")
        for levels, count in (
            (sizes.repetition_levels, form.repetition_levels),
            (sizes.definition_levels, form.definition_levels),
        ):
            if levels and len(levels) != count:
                raise MalformedParquet("a histogram has another length than its column has levels")
