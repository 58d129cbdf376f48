"""The physical form that the chunks of a column must have."""

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
"""Names of types by their numbers in parquet.thrift."""
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
"""Bytes."""


@dataclass(frozen=True, slots=True)
class ChunkForm:
    """The physical form that the chunks of a column must have: their type, by its number; the least
    bytes of a bound; and whether a row can have several values of the column, as in a list."""

    type: int
    width: int
    is_repeated: bool


def form_of(column: Any) -> ChunkForm:
    """The form that chunks of a column (pyarrow's ColumnSchema) must have."""
    kind = column.physical_type
    return ChunkForm(
        type=TYPES.index(kind),
        width=column.length if kind == "FIXED_LEN_BYTE_ARRAY" else _WIDTHS.get(kind, 0),
        is_repeated=column.max_repetition_level > 0,
    )
