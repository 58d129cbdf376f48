"""Column and offset indexes: the pages of a column chunk (parquet-format, "PageIndex.md")."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.parquet.layouts import ChunkLayout
from prunescope.collectors.parquet.thrift_types import (
    ColumnIndex,
    MalformedParquet,
    OffsetIndex,
    decode,
)
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.types import arrow_type


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one column chunk, in order: `first_row` within the row group, `records`, and
    compressed `size` in bytes; and of their values `lower` and `upper` (physical form), and
    `null_count`, each null where unknown."""

    first_row: IntArray
    records: IntArray
    size: IntArray
    lower: pa.Array
    upper: pa.Array
    null_count: pa.Array


def decode_pages(
    column_index: bytes, offset_index: bytes, layout: ChunkLayout, records: int
) -> Pages:
    """The pages of a chunk of so many records. Raises MalformedParquet."""
    columns, _ = decode(ColumnIndex, column_index)
    offsets, _ = decode(OffsetIndex, offset_index)
    places = offsets.page_locations or []
    lower, upper, empty = columns.min_values, columns.max_values, columns.null_pages
    if lower is None or upper is None or empty is None:
        raise MalformedParquet("a column index without bounds")
    nulls = columns.null_counts
    lengths = {len(places), len(lower), len(upper), len(empty)}
    if len(lengths | ({len(nulls)} if nulls else set())) != 1:
        raise MalformedParquet("a column index with lists of different lengths")
    if not places:
        raise MalformedParquet("an offset index without pages")
    try:
        first_row = np.array([place.first_row_index for place in places], np.int64)
        size = np.array([place.compressed_page_size for place in places], np.int64)
    except TypeError as error:
        raise MalformedParquet("an offset index without offsets") from error
    rows = np.diff(first_row, append=records)
    if first_row[0] != 0 or (rows < 0).any() or (size < 0).any():
        raise MalformedParquet("an offset index whose rows are out of order")
    if nulls and (np.array(nulls, np.int64) > rows).any():
        raise MalformedParquet("a column index with more nulls than rows")
    return Pages(
        first_row=first_row,
        records=rows,
        size=size,
        lower=_bounds(lower, empty, layout.conversion),
        upper=_bounds(upper, empty, layout.conversion),
        null_count=_null_counts(nulls, empty, rows),
    )


def _bounds(plain: list[bytes], empty: list[bool], conversion: Conversion) -> pa.Array:
    """Bounds, null for pages of nulls only, for NaN, and where values have no order."""
    kind = arrow_type(conversion.type_name)
    if not conversion.is_ordered:
        return pa.nulls(len(plain), kind)
    present = [number for number, page in enumerate(empty) if not page]
    try:
        values = conversion.decode([plain[number] for number in present])
    except (ValueError, IndexError, pa.ArrowException, ArithmeticError) as error:
        raise MalformedParquet("bounds of pages that are no values of their type") from error
    places = np.full(len(plain), -1, np.int64)
    places[present] = np.arange(len(present))
    found = values.take(pa.array(places, mask=places < 0))
    if pa.types.is_floating(kind):
        found = pa.array(found.to_numpy(zero_copy_only=False), kind, from_pandas=True)
    return found


def _null_counts(nulls: list[int] | None, empty: list[bool], rows: IntArray) -> pa.Array:
    """Null counts; a page of nulls only has as many as rows."""
    counted = [None] * len(empty) if not nulls else [n if n >= 0 else None for n in nulls]
    return pa.array(
        [
            int(rows[number]) if is_empty else counted[number]
            for number, is_empty in enumerate(empty)
        ],
        pa.int64(),
    )
