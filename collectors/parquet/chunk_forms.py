"""What the chunks of a column have to be like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TYPES = (
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
    """What the chunks of a column have to be like: their type, by its number, and the least bytes
    of a bound; and whether rows have several values of it, as of what is in a list."""

    type: int
    width: int
    is_repeated: bool


def form_of(column: Any) -> ChunkForm:
    """What chunks of a column (pyarrow's ColumnSchema) have to be like."""
    kind = column.physical_type
    return ChunkForm(
        type=TYPES.index(kind),
        width=column.length if kind == "FIXED_LEN_BYTE_ARRAY" else _WIDTHS.get(kind, 0),
        is_repeated=column.max_repetition_level > 0,
    )
