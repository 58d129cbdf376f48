"""Files of many writers (parquet-java since 1.5, Impala, Arrow, parquet-rs, DuckDB, Trino): what
their dictionaries, filters and indexes say holds for the values that Arrow reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.collectors.parquet.bloom_filters import (
    HEADER_BYTES,
    filter_length,
    hashes,
    might_contain,
    read_filter,
)
from prunescope.collectors.parquet.dictionaries import dictionary_values
from prunescope.collectors.parquet.footer_parts import head_of, parts_of
from prunescope.collectors.parquet.layouts import ChunkLayout, chunk_layouts
from prunescope.collectors.parquet.page_indexes import decode_pages
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from prunescope.collectors.parquet.values import conversion_of

pytestmark = [pytest.mark.shared, pytest.mark.slow]

_TYPES = {
    "INT32": "int",
    "INT64": "long",
    "FLOAT": "float",
    "DOUBLE": "double",
    "BYTE_ARRAY": "binary",
    "BOOLEAN": "boolean",
}
# Impala's own tests of readers: lists of different lengths, and rows out of order.
_BROKEN = {"alltypes_empty_pages.parquet"}


def type_name(column: Any) -> str | None:
    logical = json.loads(column.logical_type.to_json())
    match logical["Type"]:
        case "Decimal":
            return f"decimal({logical['precision']},{logical['scale']})"
        case "Timestamp":
            return "timestamp_ns" if logical["timeUnit"] == "nanoseconds" else "timestamp"
        case "Date" | "UUID":
            return str(logical["Type"]).lower()
        case _ if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
            return f"fixed[{column.length}]"
        case _:
            return _TYPES.get(column.physical_type)


def physical_values(values: pa.Array) -> list[Any]:
    """Arrow's values in physical form, NaN as None."""
    kind = values.type
    if pa.types.is_timestamp(kind):
        factor = 1_000 if kind.unit == "ms" else 1
        return [None if v is None else v * factor for v in values.cast(pa.int64()).to_pylist()]
    if pa.types.is_date(kind):
        values = values.cast(pa.int32())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        values = values.cast(pa.binary())
    elif isinstance(values, pa.ExtensionArray):
        values = values.storage
    return [None if v != v else v for v in values.to_pylist()]  # noqa: PLR0124  # only NaN


def chunks(path: Path) -> Iterator[tuple[str, ChunkLayout, list[Any]]]:
    """The chunks of columns outside of structs and lists, and their values."""
    content = path.read_bytes()
    file = pq.ParquetFile(path)
    schema = file.metadata.schema
    conversions = {}
    for leaf in range(file.metadata.num_columns):
        column = schema.column(leaf)
        name = type_name(column)
        if name is not None and column.path == column.name and not column.max_repetition_level:
            found = conversion_of(column, name)
            if found is not None:
                conversions[leaf] = found
    length = int.from_bytes(content[-8:-4], "little")
    thrift = content[-length - 8 : -8]
    parts = parts_of(thrift, len(head_of(thrift)), file.metadata.num_columns)
    for number, by_leaf in enumerate(chunk_layouts(parts, conversions)):
        for leaf, layout in by_leaf.items():
            name = schema.column(leaf).name
            try:
                read = file.read_row_group(number, columns=[name]).column(0).combine_chunks()
            except (OSError, pa.ArrowException):  # broken on purpose
                continue
            yield name, layout, physical_values(read)


def check(content: bytes, layout: ChunkLayout, values: list[Any], counts: Counter[str]) -> None:
    present = {value for value in values if value is not None}
    if layout.dictionary is not None:
        start, length = layout.dictionary
        found = dictionary_values(content[start : start + length], layout)
        assert set(physical_values(found)) - {None} == present
        counts["dictionaries"] += 1
    if layout.bloom_filter is not None:
        start, length = layout.bloom_filter
        length = length or filter_length(content[start : start + HEADER_BYTES])
        hashed = hashes(present - {0.0}, layout.conversion)
        if hashed is not None:
            assert might_contain(read_filter(content[start : start + length]), hashed[0]).all()
            counts["filters"] += 1
    if layout.column_index is not None and layout.offset_index is not None:
        parts = [content[at : at + n] for at, n in (layout.column_index, layout.offset_index)]
        pages = decode_pages(parts[0], parts[1], layout, len(values))
        for number, first in enumerate(pages.first_row.tolist()):
            here = values[first : first + int(pages.records[number])]
            known = [value for value in here if value is not None]
            lower, upper = pages.lower[number].as_py(), pages.upper[number].as_py()
            assert lower is None or not known or lower <= min(known)
            assert upper is None or not known or upper >= max(known)
            if layout.conversion.type_name not in ("float", "double"):
                assert pages.null_count[number].as_py() in (None, len(here) - len(known))
            counts["pages"] += 1


def test_what_files_say_holds_for_their_values(shared: Path) -> None:
    counts: Counter[str] = Counter()
    for path in sorted([*shared.rglob("*.parquet"), *shared.rglob("*.parq")]):
        try:
            pq.read_metadata(path)
        except (OSError, pa.ArrowException):  # broken on purpose
            continue
        content = path.read_bytes()
        for name, layout, values in chunks(path):
            try:
                check(content, layout, values, counts)
            except MalformedParquet:
                assert path.name in _BROKEN, (path.name, name)
            except AssertionError as failed:
                failed.add_note(f"{path.name}, column {name}")
                raise
    assert counts["dictionaries"] > 1_000
    assert counts["filters"] > 20
    assert counts["pages"] > 10_000
