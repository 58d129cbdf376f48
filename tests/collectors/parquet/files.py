"""Single-column Parquet files, and the parts of them that are decoded here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prunescope.collectors.parquet.footer_parts import head_of, parts_of
from prunescope.collectors.parquet.layouts import ChunkLayout, chunk_layouts
from prunescope.collectors.parquet.values import conversion_of
from prunescope.collectors.storage.ranges import ByteRange

CASES: dict[str, tuple[pa.DataType, str, list[Any]]] = {
    "int": (pa.int32(), "int", [-(2**31), -1, 0, 5, 2**31 - 1]),
    "int as long": (pa.int32(), "long", [-(2**31), -1, 0, 5, 2**31 - 1]),
    "long": (pa.int64(), "long", [-(2**63), -1, 0, 5, 2**63 - 1]),
    "float": (pa.float32(), "float", [-1.5, 0.0, 2.5]),
    "float as double": (pa.float32(), "double", [-1.5, 0.0, 2.5]),
    "double": (pa.float64(), "double", [-1e300, -0.1, 0.0, 2.5]),
    "string": (pa.string(), "string", ["", "a", "ab", "é", "日本", "\U0001f600" * 20]),
    "binary": (pa.binary(), "binary", [b"", b"\x00", b"\xff\xff"]),
    "fixed": (pa.binary(3), "fixed[3]", [b"abc", b"\x00\x00\x00"]),
    "uuid": (pa.binary(16), "uuid", [bytes(16), bytes(range(16))]),
    "date": (pa.date32(), "date", [-1, 0, 19_000]),
    "time": (pa.time64("us"), "time", [0, 1, 86_399_999_999]),
    "timestamp": (pa.timestamp("us"), "timestamp", [-1, 0, 1_700_000_000_000_000]),
    "timestamptz": (pa.timestamp("us", "UTC"), "timestamptz", [-1, 0, 5]),
    "milliseconds": (pa.timestamp("ms"), "timestamp", [-1, 0, 5]),
    "date as timestamp": (pa.date32(), "timestamp", [-1, 0, 5]),
    "decimal in 4 bytes": (pa.decimal128(9, 2), "decimal(9,2)", ["-0.01", "0.00", "9999999.99"]),
    "decimal in 16 bytes": (
        pa.decimal128(38, 10),
        "decimal(38,10)",
        ["-0.0000000001", "9999999999999999999999999999.9999999999"],
    ),
}
"""By name: the Arrow type that is written, the Iceberg type that is read, and values."""


@dataclass(frozen=True)
class Chunk:
    """A column chunk of a file."""

    content: bytes
    layout: ChunkLayout
    values: pa.Array
    records: int

    def bytes_of(self, place: ByteRange | None) -> bytes:
        """A part of the file that must be there."""
        assert place is not None
        return self.content[place.offset : place.offset + place.length]


def write(path: Path, kind: pa.DataType, values: Iterable[Any], **options: Any) -> None:
    """A file with one column `x`."""
    if pa.types.is_decimal(kind):
        values = [None if value is None else Decimal(value) for value in values]
    pq.write_table(pa.table({"x": pa.array(values, kind)}), path, **options)


def chunks(path: Path, type_name: str) -> Iterator[Chunk]:
    """The chunks of the only column, read as an Iceberg type."""
    content = path.read_bytes()
    file = pq.ParquetFile(path)
    metadata = file.metadata
    conversion = conversion_of(metadata.schema.column(0), type_name)
    assert conversion is not None, json.loads(metadata.schema.column(0).logical_type.to_json())
    thrift = content[-metadata.serialized_size - 8 : -8]
    parts = parts_of(thrift, len(head_of(thrift)), 1)
    for number, by_leaf in enumerate(chunk_layouts(parts, {0: conversion})):
        values = file.read_row_group(number).column(0).combine_chunks()
        yield Chunk(content, by_leaf[0], values, metadata.row_group(number).num_rows)


def only_chunk(path: Path, type_name: str) -> Chunk:
    """The chunk of a file with one row group."""
    (found,) = chunks(path, type_name)
    return found


def physical_values(values: pa.Array, type_name: str) -> list[Any]:
    """Arrow's values in the physical form of the Iceberg type."""
    kind, scale = values.type, 1
    if pa.types.is_timestamp(kind):
        if kind.unit == "ns":
            return [None if v is None else v // 1_000 for v in values.cast(pa.int64()).to_pylist()]
        scale = 1_000 if kind.unit == "ms" else 1
        values = values.cast(pa.int64())
    elif pa.types.is_date(kind):
        scale = 86_400_000_000 if type_name == "timestamp" else 1
        values = values.cast(pa.int32())
    elif pa.types.is_time(kind):
        values = values.cast(pa.int64())
    elif pa.types.is_string(kind):
        values = values.cast(pa.binary())
    if scale == 1:
        return list(values.to_pylist())
    return [None if value is None else value * scale for value in values.to_pylist()]
