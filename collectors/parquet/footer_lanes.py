"""Footers of files of one schema, read at once: each chunk of their row groups is a lane.

The start of a chunk is known only once the end of the one before is. So the bytes that the metadata
of a chunk begins with, of any writer, are searched for, and what was read from there is believed
only if each chunk ends where the next one begins, the first where its footer has it: by induction,
sequential reading gives the same. A footer for which this does not hold is left to another reader,
which reports what it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.parquet.footer_parts import NEXT_LIST, parts_of, rest_of
from prunescope.collectors.parquet.thrift_lanes import (
    BINARY,
    I32,
    I64,
    LIST,
    STRUCT,
    Field,
    Fields,
    Structures,
    read_structures,
)
from prunescope.collectors.parquet.thrift_numbers import Bytes
from prunescope.collectors.parquet.thrift_types import (
    ColumnChunk,
    CountedChunk,
    FileMetaData,
    MalformedParquet,
    decode,
)
from prunescope.collectors.types import MAX_COUNTED

_REFUSED = Field(0)
_CHUNK: Fields = {
    (3,): Field(STRUCT),
    (3, 1): Field(I32, is_fixed=True),  # type
    (3, 2): Field(LIST, I32, is_fixed=True),  # encodings
    (3, 4): Field(I32, is_fixed=True),  # codec
    (3, 5): Field(I64, name="num_values"),
    (3, 7): Field(I64, name="total_compressed_size"),
    (3, 9): Field(I64, name="data_page_offset"),
    (3, 11): Field(I64, name="dictionary_page_offset"),
    (3, 12): Field(STRUCT),
    (3, 12, 1): Field(BINARY, name="max"),
    (3, 12, 2): Field(BINARY, name="min"),
    (3, 12, 3): Field(I64, name="null_count"),
    (3, 12, 5): Field(BINARY, name="max_value"),
    (3, 12, 6): Field(BINARY, name="min_value"),
    (3, 13): Field(LIST, STRUCT),
    (3, 13, 1): Field(I32, is_fixed=True),  # type of pages
    (3, 13, 2): Field(I32, is_fixed=True),  # encoding
    (3, 13, 3): Field(I32, is_positive=True),  # count
    (3, 14): Field(I64, name="bloom_filter_offset"),
    (3, 15): Field(I32, name="bloom_filter_length"),
    (4,): Field(I64, name="offset_index_offset"),
    (5,): Field(I32, name="offset_index_length"),
    (6,): Field(I64, name="column_index_offset"),
    (7,): Field(I32, name="column_index_length"),
    (8,): _REFUSED,  # encryption
    (9,): _REFUSED,
}
_ROW_GROUP: Fields = {(3,): Field(I64, name="num_rows")}

# In the compact protocol: the field after the next, an i64.
_LATER_NUMBER = b"\x26"
_FILE_OFFSET = b"\x26\x00"
"""Bytes before the metadata of a chunk."""
_METADATA, _OF_METADATA = np.uint64(0x05_19_00_15_1C), np.uint64(0x0F_FF_00_FF_FF)
"""A structure, whose first field is an i32, and whose second is a list of such."""


@dataclass(frozen=True)
class FooterLanes:
    """Footers that were read: their places in the order of those that were given, the `spans` of
    `content` that they are, the row groups of each, and the number of the `rest` that follows. Of
    each row group, its `records` and its `sizes` in compressed bytes; of its chunks, by wanted leaf
    and row group, the number of the first one of their `shape`."""

    files: IntArray
    spans: IntArray
    row_groups: IntArray
    rest: IntArray
    rests: list[FileMetaData]
    records: IntArray
    sizes: IntArray
    leaves: Sequence[int]
    shape: IntArray
    firsts: list[ColumnChunk]
    content: Bytes
    _places: Mapping[str, IntArray]
    _sizes: Mapping[str, IntArray]

    def footer(self, number: int) -> bytes:
        """One of the footers, serialised."""
        begin, end = self.spans[number].tolist()
        return self.content.data[begin:end].tobytes()

    def numbers(self, name: str, wanted: int | slice, missing: int = -1) -> IntArray:
        """The values of a number field, by its name, of the chunks of some wanted leaves."""
        return _numbers(self.content, self._of(self._places, name)[wanted], missing)

    def texts(self, name: str) -> tuple[IntArray, IntArray]:
        """Starts and sizes of a field of bytes in the chunks of wanted leaves; -1 if a chunk lacks
        it."""
        return self._of(self._places, name), self._of(self._sizes, name)

    def _of(self, noted: Mapping[str, IntArray], name: str) -> IntArray:
        return noted[name] if name in noted else np.full(self.shape.shape, -1)


def read_lanes(
    footers: Sequence[bytes], head: int, types: Sequence[int], wanted: Sequence[int]
) -> FooterLanes:
    """Reads those footers that can be read as lanes. All begin with the same `head` bytes, and
    their leaves are of these types. Of the chunks of wanted leaves, all fields of use are read."""
    content, leaves = Bytes(*footers), len(types)
    end = np.cumsum([len(footer) for footer in footers])
    listed: IntArray = np.array([_parts(footer, head, leaves) for footer in footers], np.int64)
    begin = np.concatenate([[0], end[:-1]])
    at = begin + listed[:, 1]
    hits = _metadata(content)
    first = np.searchsorted(hits, at)
    is_enough = first + listed[:, 0] * leaves <= np.searchsorted(hits, end)
    files = np.flatnonzero((listed[:, 0] > 0) & is_enough)

    groups = listed[files, 0]
    leading = np.cumsum(groups) - groups
    count = int(groups.sum())
    lanes = np.repeat(first[files] - leading * leaves, groups * leaves) + np.arange(count * leaves)
    starts = hits[lanes]
    chunks = read_structures(content, starts, _CHUNK, before=2)
    firsts, is_sound = _firsts(content, starts, chunks, types)
    chunk_ends = chunks.ends.reshape(-1, leaves)
    tails = read_structures(content, chunk_ends[:, -1], _ROW_GROUP, before=1)

    # A row group begins where the one before ends, the first after the head of their list; and
    # likewise a chunk in its row group.
    group_starts = np.roll(tails.ends, 1)
    group_starts[leading] = at[files]
    opening = _opening(leaves)
    chunks_before = np.roll(chunk_ends, 1, axis=1)
    chunks_before[:, 0] = group_starts + len(opening)
    before = chunks_before.ravel()
    is_next = content.have(before, _LATER_NUMBER)
    is_next &= before + 1 + content.lengths(before + 1) == starts
    is_fine = (is_next & is_sound).reshape(-1, leaves).all(axis=1)
    is_fine &= content.have(group_starts, opening) & (tails.shape >= 0)

    nowhere = np.full(count * leaves, -1)
    places = chunks.places.get("total_compressed_size", nowhere)
    sizes = _numbers(content, places).reshape(-1, leaves)
    records = _numbers(content, tails.places.get("num_rows", nowhere[:count]))
    counted = np.column_stack((records, sizes))
    is_fine &= ((counted >= 0) & (counted <= MAX_COUNTED)).all(axis=1)
    fine = np.minimum.reduceat(is_fine, leading) if count else np.zeros(0, np.bool_)
    if count:
        counted_by_file = listed[files, 2]
        fine &= (counted_by_file == np.add.reduceat(records, leading)) | (counted_by_file == 0)
    ends = tails.ends[leading + groups - 1]
    rest, rests = _rests(content, ends, np.where(fine, end[files], 0), leaves)
    fine &= rest >= 0
    rows = np.repeat(fine, groups)

    def of_fine(values: IntArray) -> IntArray:
        of_wanted: IntArray = values.reshape(-1, leaves).T[np.array(wanted, np.int64)]
        return of_wanted if rows.all() else of_wanted[:, rows]

    return FooterLanes(
        files=files[fine],
        spans=np.stack([begin, end], axis=1)[files][fine],
        row_groups=groups[fine],
        rest=rest[fine],
        rests=rests,
        records=records[rows],
        sizes=sizes[rows].sum(axis=1),
        leaves=wanted,
        shape=of_fine(chunks.shape),
        firsts=firsts,
        content=content,
        _places={name: of_fine(places) for name, places in chunks.places.items()},
        _sizes={name: of_fine(found) for name, found in chunks.sizes.items()},
    )


def _parts(footer: bytes, head: int, leaves: int) -> tuple[int, int, int]:
    """The number of row groups of a footer, the place where they begin, and its number of rows; 0,
    0, 0 for bytes that are no footer."""
    try:
        found = parts_of(footer, head, leaves)
    except MalformedParquet:
        return 0, 0, 0
    # More than 64 bits are no count.
    return found.count, found.first, found.records if 0 <= found.records <= MAX_COUNTED else -1


def _opening(leaves: int) -> bytes:
    """The bytes that a row group begins with: the head of a list of so many structures."""
    if leaves < 0xF:
        return NEXT_LIST + bytes([leaves << 4 | STRUCT])
    found = NEXT_LIST + bytes([0xF0 | STRUCT])
    while leaves > 0x7F:
        found, leaves = found + bytes([leaves & 0x7F | 0x80]), leaves >> 7
    return found + bytes([leaves])


def _metadata(content: Bytes) -> IntArray:
    """The places where the metadata of chunks may begin."""
    found = np.flatnonzero(content.data[: content.size] == 0x1C)
    hits: IntArray = found[content.words_at(found) & _OF_METADATA == _METADATA]
    return hits


def _firsts(
    content: Bytes, starts: IntArray, chunks: Structures, types: Sequence[int]
) -> tuple[list[ColumnChunk], BoolArray]:
    """The first chunk of each shape, and which chunks are of the type of their leaf."""
    firsts, kinds = [], []
    for first in chunks.firsts:
        text = _FILE_OFFSET + content.data[starts[first] : chunks.ends[first]].tobytes()
        try:
            (counted, _), (chunk, _) = decode(CountedChunk, text), decode(ColumnChunk, text)
        except MalformedParquet:
            counted, chunk = CountedChunk(), ColumnChunk()
        firsts.append(chunk)
        kinds.append(-1 if counted.meta_data is None else counted.meta_data.type)
    of_shapes = np.array([*kinds, -1])  # the last is that of chunks that were not read
    return firsts, of_shapes[chunks.shape] == np.tile(types, len(starts) // len(types))


def _rests(
    content: Bytes, start: IntArray, end: IntArray, leaves: int
) -> tuple[IntArray, list[FileMetaData]]:
    """The parts of footers behind row groups: for each footer the number of the first part with the
    same orders of columns, -1 if it cannot be read; and these parts. Most files of a writer have
    the whole part in common."""
    known: dict[bytes, int] = {}
    rests: dict[tuple[bool, ...] | None, tuple[int, FileMetaData]] = {}
    numbers = []
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        text = content.data[first:last].tobytes()
        if text not in known:
            found = _rest(text, leaves)
            orders = found and found.column_orders
            kind = None if orders is None else tuple(one.known is not None for one in orders)
            known[text] = -1 if found is None else rests.setdefault(kind, (len(rests), found))[0]
        numbers.append(known[text])
    return np.array(numbers, np.int64), [found for _, found in rests.values()]


def _rest(text: bytes, leaves: int) -> FileMetaData | None:
    try:
        found = rest_of(text, leaves)
    except MalformedParquet:
        return None
    return None if found.encryption_algorithm is not None else found


def _numbers(content: Bytes, places: IntArray, missing: int = -1) -> IntArray:
    """The numbers at these places, `missing` for places that are negative."""
    known = places >= 0
    if known.all():
        return content.numbers(places)
    found = np.full(places.shape, missing)
    if known.any():
        found[known] = content.numbers(places[known])
    return found
