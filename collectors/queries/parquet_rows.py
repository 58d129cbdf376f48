"""Rows of a Parquet file that anybody may have written, in bounded memory.

A page, a dictionary of one long value that all rows share, or a run of a list's elements, can be a
thousand times as large in memory as in the file. The headers of pages are checked before any page
is unpacked; texts stay in their dictionaries until their row is made; and a row's size is known
before it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import IO, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.parquet.page_sizes import (
    PLAIN,
    PLAIN_DICTIONARY,
    RLE_DICTIONARY,
    PageSizes,
    page_sizes,
)
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from prunescope.collectors.queries.lines import MAX_LINE, check_ratio
from prunescope.collectors.queries.parts import Part
from prunescope.collectors.storage.clock import tick

TOO_LONG: Literal["too long"] = "too long"
"""The replacement of a row of more than MAX_LINE bytes."""

Row = dict[str, Any]

_BATCH = 1024
_BUFFER = 1 << 20
_MAX_PAGE = 64 << 20
_MAX_PAGES = 256 << 20
"""Bytes of the largest pages of all columns together: one of each is unpacked at a time."""
_MAX_ELEMENTS = 16 << 20
"""Elements of a list column in one row group: all may belong to one row."""
_OF_ELEMENT = 16
_MAX_TOGETHER = 64 << 20
# Arrow 26 makes dictionaries of no other pages.
_KEPT_IN_DICTIONARIES = frozenset({PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY})
# Far dates, text that is not UTF-8, time zones that nobody knows.
_UNREADABLE_VALUE = (ValueError, ArithmeticError, LookupError)


class ParquetTooLarge(QueryError):
    """A row group takes more memory than there is for any log."""

    code = Outcome.ROW_GROUP_TOO_LARGE


def read_rows(
    stream: IO[bytes], part: Part | None = None
) -> Iterator[tuple[int, Row | Exception | Literal["too long"]]]:
    """The rows of a file, or of the row groups that are a part's, with their numbers in the file,
    from 1; the error in place of one with a value that cannot be read. Of a file that has no footer
    only the first part says so.

    Raises ParquetTooLarge, UnpacksTooMuch, OSError, and what PyArrow raises for damage.
    """
    packed = stream.seek(0, 2)
    stream.seek(0)
    try:
        metadata = pq.read_metadata(stream)
    except pa.ArrowException:
        if part is None or not part.start:
            raise
        return
    groups: Sequence[int] = range(metadata.num_row_groups)
    if part is not None:
        groups = [group for group in groups if part.has(_begin(metadata.row_group(group)))]
        packed = min(packed, sum(_packed(metadata.row_group(group)) for group in groups))
    unpacked = 0
    counts = (metadata.row_group(group).num_rows for group in range(metadata.num_row_groups))
    first = list(accumulate(counts, initial=1))
    for group in groups:
        tick()
        number = first[group]
        if first[group + 1] == number:
            continue  # it may have no page
        texts, rows = _plan(stream, metadata, group)
        file = pq.ParquetFile(
            stream, metadata=metadata, read_dictionary=texts, pre_buffer=False, buffer_size=_BUFFER
        )
        for batch in file.iter_batches(batch_size=rows, row_groups=[group]):
            sizes = _sizes(batch.to_struct_array()) + _OF_ELEMENT
            unpacked += int(sizes.sum())
            check_ratio(unpacked, packed)
            for row in _in_parts(batch, sizes):
                yield number, row
                number += 1


def _begin(group: pq.RowGroupMetaData) -> int:
    """The place where a row group begins, from its first column."""
    return _first_page(group.column(0)) if group.num_columns else 0


def _packed(group: pq.RowGroupMetaData) -> int:
    return sum(group.column(n).total_compressed_size for n in range(group.num_columns))


def _first_page(chunk: pq.ColumnChunkMetaData) -> int:
    position = int(chunk.data_page_offset)
    if chunk.has_dictionary_page and chunk.dictionary_page_offset:
        position = min(position, chunk.dictionary_page_offset)
    return position


def _plan(stream: IO[bytes], metadata: pq.FileMetaData, group: int) -> tuple[list[str], int]:
    """The columns of a row group whose texts stay in dictionaries, and how many rows of it can be
    read together. Raises ParquetTooLarge."""
    texts: list[str] = []
    together, widest = 0, 1
    for number in range(metadata.num_columns):
        leaf = metadata.schema.column(number)
        pages = _pages(stream, metadata.row_group(group).column(number))
        size = pages.dictionary + pages.largest
        together += size
        if size > _MAX_PAGE or together > _MAX_PAGES:
            raise ParquetTooLarge(f"pages of row group {group} are too large; write smaller ones")
        if leaf.max_repetition_level and pages.values > _MAX_ELEMENTS:
            raise ParquetTooLarge(f"lists of row group {group} are too long; write smaller groups")
        if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY":
            widest = max(widest, leaf.length)
        elif leaf.physical_type == "BYTE_ARRAY" and pages.encodings <= _KEPT_IN_DICTIONARIES:
            texts.append(leaf.path)
        elif leaf.physical_type == "BYTE_ARRAY":
            # Any value may be as long as its page, and repeat the one before.
            widest = max(widest, size)
    if widest > _MAX_PAGE:
        raise ParquetTooLarge(f"values of row group {group} are too large")
    return texts, max(1, min(_BATCH, _MAX_TOGETHER // widest))


def _pages(stream: IO[bytes], chunk: Any) -> PageSizes:
    """The pages of a chunk, from their headers. Raises ParquetTooLarge for headers that make no
    sense."""

    def read(start: int, stop: int) -> bytes:
        stream.seek(start)
        return stream.read(stop - start)

    start = _first_page(chunk)
    try:
        return page_sizes(read, start, start + chunk.total_compressed_size, chunk.num_values)
    except MalformedParquet as error:
        raise ParquetTooLarge(f"the file has {error}") from None


def _sizes(array: pa.Array) -> NDArray[np.int64]:
    """Bytes of the texts of each value, and some for each element of a list."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        lengths = _lengths(array.dictionary)
        indices = array.indices
        taken = pa.array(lengths).take(indices) if len(lengths) else pa.nulls(len(indices))
        return _numbers(taken)
    if pa.types.is_struct(kind):
        return sum(map(_sizes, array.flatten()), np.zeros(len(array), np.int64))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        offsets = array.offsets.to_numpy()
        inner = (
            array.values
            if not pa.types.is_map(kind)
            else pa.StructArray.from_arrays([array.keys, array.items], ["key", "value"])
        )
        sums = np.concatenate(([0], np.cumsum(_sizes(inner) + _OF_ELEMENT)))
        return np.asarray(sums[offsets[1:]] - sums[offsets[:-1]], np.int64)
    return _lengths(array)


def _lengths(array: pa.Array) -> NDArray[np.int64]:
    kind = array.type
    if pa.types.is_fixed_size_binary(kind):
        return np.full(len(array), kind.byte_width, np.int64)
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return _numbers(pc.binary_length(array))
    if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        return _numbers(pc.binary_length(array))
    return np.zeros(len(array), np.int64)


def _numbers(array: pa.Array) -> NDArray[np.int64]:
    return np.asarray(array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False), np.int64)


def _in_parts(
    batch: pa.RecordBatch, sizes: NDArray[np.int64]
) -> Iterator[Row | Exception | Literal["too long"]]:
    """The rows of a batch in parts, so that no more than MAX_LINE bytes are made at once."""
    ends = np.cumsum(sizes)
    start, before = 0, 0
    while start < batch.num_rows:
        end = int(np.searchsorted(ends, before + MAX_LINE, side="right"))
        if end == start:
            yield TOO_LONG
            end = start + 1
        else:
            yield from _rows(batch.slice(start, end - start))
        start, before = end, int(ends[end - 1])


def _rows(batch: pa.RecordBatch) -> Iterator[Row | Exception]:
    """The rows of a batch; the error in place of one that cannot be read."""
    try:
        rows = batch.to_pylist()
    except _UNREADABLE_VALUE as error:
        if batch.num_rows == 1:
            yield error
            return
        for number in range(batch.num_rows):
            yield from _rows(batch.slice(number, 1))
    else:
        yield from rows
