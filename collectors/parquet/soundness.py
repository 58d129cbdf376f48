"""What has to hold of a footer before Arrow is asked for its column chunks, or reads their rows.

Arrow 26 throws where pyarrow catches nothing, and so ends the process, where a chunk is of another
type than its column, a bound is too short for its type, or a histogram of levels has another
length than its column has levels (`ColumnChunkMetaDataImpl`, `MakeColumnStats`,
`SizeStatistics::Validate`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collectors.parquet.thrift_types import MalformedParquet, SizedFooter, SizedMetaData, decode

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


def require_sound(thrift: bytes, forms: Mapping[int, ChunkForm]) -> None:
    """Makes sure that Arrow can be asked for the chunks of the leaves that `forms` names, of a
    serialised footer of a file without encrypted columns. Raises MalformedParquet."""
    footer, _ = decode(SizedFooter, thrift)
    for group in footer.row_groups or []:
        chunks = group.columns or []
        for leaf, form in forms.items():
            chunk = chunks[leaf].meta_data if leaf < len(chunks) else None
            if chunk is None:
                raise MalformedParquet("a row group has not one chunk for each column")
            _require_sound(chunk, form)


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
