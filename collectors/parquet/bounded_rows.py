"""Values of some rows of column chunks that anybody may have written, in bounded memory and time.

Texts stay in their dictionaries until it is known how long those that are kept are together. Of
others, as many are decoded at once as cannot be too long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.budget import Budget, TooMuch
from prunescope.collectors.parquet.chunk_files import ReadRowGroup, file_of
from prunescope.collectors.parquet.chunk_forms import TYPES, ChunkForm
from prunescope.collectors.parquet.page_sizes import (
    DELTA_BYTE_ARRAY,
    PLAIN,
    PLAIN_DICTIONARY,
    RLE_DICTIONARY,
    PageSizes,
    page_sizes,
)
from prunescope.collectors.parquet.thrift_types import MalformedParquet

MAX_UNPACKED = 512 << 20
"""Bytes of the pages of all chunks together, unpacked."""

MAX_VALUES = 1 << 28
"""Values of all chunks together; of those of a fixed length, each counts as often as it has 16
bytes."""

_WIDTH = 16
_KEPT = 64 << 20
"""Bytes of the values that are kept."""
_DECODED = 4 << 30
"""Bytes that are decoded to find these."""
_TOGETHER = 64 << 20
_ROWS, _BATCHES = 1 << 16, 50_000
# Arrow 26 makes dictionaries of no other pages.
_KEPT_IN_DICTIONARIES = frozenset({PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY})
_REPEATING = frozenset({PLAIN_DICTIONARY, DELTA_BYTE_ARRAY, RLE_DICTIONARY})
_BYTE_ARRAY = TYPES.index("BYTE_ARRAY")


@dataclass(frozen=True, slots=True)
class _Plan:
    """The way to decode a leaf: whether its texts stay in dictionaries, and how many rows are
    decoded at once."""

    in_dictionaries: bool
    rows: int


def read_rows(
    head: bytes,
    types: Sequence[int],
    forms: Mapping[int, ChunkForm],
    groups: Sequence[ReadRowGroup],
    rows: Sequence[int],
) -> dict[int, pa.Array]:
    """Values of the leaves that `forms` names, none of them repeated, in some rows of row groups:
    those of the numbers of `rows`, in order, from the first row of the first group on. A leaf whose
    path is that of another as well is left out. The file is one of which the footer begins with
    `head`, with leaves of these types.

    Raises TooMuch, MalformedParquet where a chunk has not one value for each row, and what Arrow
    raises.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415  # slow to import

    plans = _plans(forms, groups)
    content = pa.BufferReader(file_of(head, types, groups))
    metadata = pq.read_metadata(content)
    paths = [metadata.schema.column(leaf).path for leaf in range(len(types))]
    texts = [paths[leaf] for leaf, plan in plans.items() if plan.in_dictionaries]
    file = pq.ParquetFile(content, metadata=metadata, read_dictionary=texts, pre_buffer=False)
    wanted = np.array(rows, np.int64)
    kept, decoded = Budget(_KEPT), Budget(_DECODED)
    found: dict[int, pa.Array] = {}
    for leaves, at_once in _together(plans, paths):
        found |= _values(file.reader, leaves, at_once, wanted, kept, decoded)
    return found


def _together(
    plans: Mapping[int, _Plan], paths: Sequence[str]
) -> Iterator[tuple[Sequence[int], int]]:
    """Groups of leaves that are decoded together, with the number of rows at once: fields of
    structs alone, because several may be of one struct."""
    by_rows: dict[int, list[int]] = {}
    times = Counter(paths)
    for leaf, plan in sorted(plans.items()):
        if times[paths[leaf]] > 1:
            continue
        if "." in paths[leaf]:
            yield [leaf], plan.rows
        else:
            by_rows.setdefault(plan.rows, []).append(leaf)
    for at_once, leaves in by_rows.items():
        yield leaves, at_once


def _plans(forms: Mapping[int, ChunkForm], groups: Sequence[ReadRowGroup]) -> dict[int, _Plan]:
    unpacked, values = Budget(MAX_UNPACKED), Budget(MAX_VALUES)
    plans = {}
    for leaf, form in forms.items():
        pages = []
        for group in groups:
            facts, content = group.chunks[leaf]
            read = partial(_slice, content)
            found = page_sizes(read, 0, len(content), group.records)
            if found.values != group.records or facts.num_values != group.records:
                raise MalformedParquet("a chunk has not one value for each row")
            unpacked.take(found.unpacked)
            values.take(found.values * max(1, form.width // _WIDTH))
            pages.append(found)
        plans[leaf] = _plan(form, pages)
    return plans


def _slice(content: bytes, start: int, stop: int) -> bytes:
    return content[start:stop]


def _plan(form: ChunkForm, pages: Sequence[PageSizes]) -> _Plan:
    encodings = frozenset[int | None]().union(*(one.encodings for one in pages))
    is_text = form.type == _BYTE_ARRAY
    in_dictionaries = is_text and encodings <= _KEPT_IN_DICTIONARIES
    widest = form.width
    if is_text and not in_dictionaries and encodings & _REPEATING:
        # Any value may be as long as its page, or dictionary, and repeat the one before.
        widest = max(one.dictionary + one.largest for one in pages)
    rows = max(1, min(_ROWS, _TOGETHER // max(widest, 1)))
    if widest > _TOGETHER or sum(one.values for one in pages) > rows * _BATCHES:
        raise TooMuch(f"values may have {widest:,} bytes each")
    return _Plan(in_dictionaries, rows)


def _values(
    reader: Any,
    leaves: Sequence[int],
    at_once: int,
    wanted: IntArray,
    kept: Budget,
    decoded: Budget,
) -> dict[int, pa.Array]:
    """The values of leaves in the wanted rows."""
    groups = range(reader.metadata.num_row_groups)
    found: list[list[pa.Array]] = [[] for _ in leaves]
    start = 0
    for batch in reader.iter_batches(at_once, row_groups=groups, column_indices=leaves):
        decoded.take(batch.nbytes)
        end = start + batch.num_rows
        first, last = np.searchsorted(wanted, (start, end)).tolist()
        rows = pa.array(wanted[first:last] - start)
        for of_leaf, column in zip(found, batch.columns, strict=True):
            if first < last or not of_leaf:
                of_leaf.append(_plain(_field(column).take(rows), kept))
        start = end
    if start < (int(wanted[-1]) + 1 if len(wanted) else 0):
        raise MalformedParquet("a chunk has not one value for each row")
    return dict(zip(leaves, map(pa.concat_arrays, found), strict=True))


def _field(values: pa.Array) -> pa.Array:
    """The only field that is read of a struct."""
    while pa.types.is_struct(values.type):
        values = pc.struct_field(values, [0])
    return values


def _plain(values: pa.Array, kept: Budget) -> pa.Array:
    """Values out of their dictionary."""
    if not pa.types.is_dictionary(values.type):
        kept.take(values.nbytes)
        return values
    lengths = pc.binary_length(values.dictionary).take(values.indices)
    kept.take(pc.sum(lengths.cast(pa.int64())).as_py() or 0)
    return values.dictionary_decode()
