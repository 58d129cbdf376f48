"""Records of an Avro file as columns, without a Python object for each.

All records of some blocks are read at once, as lanes (`avro_lanes`). The start of a record is known
only once the end of the one before is; so a text field that all records have is searched for, and
the places that were found are believed only if each record that is read from there ends where the
next one begins. Content that this does not read, or not faster, is `Unusual`, and the reader of
`avro` judges it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DecimalType,
    DoubleType,
    FixedType,
    FloatType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    UUIDType,
)
from pyiceberg.utils.decimal import decimal_required_bytes

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.tables import avro_lanes as lanes
from prunescope.collectors.tables.avro import MAX_RECORDS, AvroContent, Wanted
from prunescope.collectors.tables.avro_lanes import Bytes, Cells, Read, Unusual
from prunescope.collectors.tables.avro_values import INTEGERS
from prunescope.collectors.tables.bounds import decode_decimals

Ids = tuple[int, ...]
"""The ids of a field and of the structs around it, outermost first."""

Columns = Mapping[Ids, Cells]

_CHUNK = 2 << 20
"""Bytes of the blocks that are read at once: as numbers, they take up to fifty times as much."""
_LARGEST_BLOCK = 8 << 20
_TRIES = 4
"""The number of times that another text is tried to find records by."""


def columns(
    contents: Sequence[AvroContent], split: Ids
) -> Iterator[tuple[Mapping[int, int], Columns]]:
    """The wanted fields of the records of one run of blocks after the other, with their numbers by
    the places of the files that they are from. `split` is a required field of text to find records
    by. Raises Unusual, and what `avro_blocks.blocks` raises."""
    if any(content.struct != contents[0].struct for content in contents[1:]):
        raise Unusual("files of different records")
    steps = _steps(contents[0].struct, contents[0].wanted, ())
    places = [place for place, step in enumerate(steps) if step.ids == split]
    if not places or steps[places[0]].is_optional:
        raise Unusual("records cannot be told apart")
    head, tail = steps[: places[0]], steps[places[0] :]
    total = 0
    for of_files, counts, blocks in _chunks(contents):
        total += sum(counts)
        if total > MAX_RECORDS:
            raise Unusual("too many records")
        try:
            yield of_files, _read(counts, blocks, head, tail)
        except (IndexError, pa.ArrowInvalid) as error:
            raise Unusual("a value beyond the end, or no text") from error


@dataclass(frozen=True, slots=True)
class _Step:
    """A field that is read, or, without `kind`, read past."""

    ids: Ids
    kind: IcebergType | None
    read: Read
    is_optional: bool


def _steps(struct: StructType, wanted: Wanted | None, above: Ids) -> list[_Step]:
    """The fields of a record in order, structs taken apart."""
    found = []
    for field in struct.fields:
        ids = (*above, field.field_id)
        is_wanted = wanted is None or field.field_id in wanted
        if isinstance(field.field_type, StructType):
            if not field.required:
                raise Unusual("a struct that may be null")
            within = {} if not is_wanted else None if wanted is None else wanted[field.field_id]
            found += _steps(field.field_type, within, ids)
        else:
            found.append(_step(field, ids, is_wanted=is_wanted))
    return found


def _step(field: NestedField, ids: Ids, *, is_wanted: bool) -> _Step:
    kind = field.field_type
    read = _reader(kind) if is_wanted else _past(kind)
    is_optional = not field.required
    if is_optional:
        read = lanes.optional(read)
    return _Step(ids, kind if is_wanted else None, read, is_optional)


def _reader(kind: IcebergType) -> Read:
    match kind:
        case _ if isinstance(kind, INTEGERS):
            return lanes.integers
        case BooleanType():
            return lanes.booleans
        case FloatType():
            return lanes.floats
        case DoubleType():
            return lanes.doubles
        case StringType() | BinaryType():
            return lanes.binaries
        case UUIDType():
            return lanes.fixed(16)
        case FixedType():
            return lanes.fixed(len(kind))
        case DecimalType():
            return lanes.fixed(decimal_required_bytes(kind.precision))
        case ListType(element_required=True) if isinstance(kind.element_type, INTEGERS):
            return lanes.lists
        case MapType(key_type=IntegerType(), value_type=LongType(), value_required=True):
            return lanes.counts
        case MapType(key_type=IntegerType(), value_type=BinaryType(), value_required=True):
            return lanes.bounds
        case _:
            raise Unusual(f"values of type {kind}")


def _past(kind: IcebergType) -> Read:
    read = _reader(kind)
    quicker: dict[Read, Read] = {
        lanes.integers: lanes.past_integers,
        lanes.counts: lanes.past_counts,
        lanes.bounds: lanes.past_bounds,
        lanes.binaries: lanes.past_binaries,
    }
    return quicker.get(read, read)


def _chunks(
    contents: Sequence[AvroContent],
) -> Iterator[tuple[Mapping[int, int], list[int], list[bytes]]]:
    """Blocks that have records: how many are of each file, how many each block has, and its
    bytes."""
    of_files: dict[int, int] = {}
    counts: list[int] = []
    blocks: list[bytes] = []
    size = 0
    for file, content in enumerate(contents):
        if 2 * size > _CHUNK:  # most files are in one chunk
            yield of_files, counts, blocks
            of_files, counts, blocks, size = {}, [], [], 0
        first = len(counts)
        for count, block in content.blocks():
            length = len(block)
            if length > _LARGEST_BLOCK:
                raise Unusual("a large block")
            if size + length > _CHUNK and blocks:
                of_files |= _counted(file, counts[first:])
                yield of_files, counts, blocks
                of_files, counts, blocks, size, first = {}, [], [], 0, 0
            if count:
                counts.append(count)
                blocks.append(block)
                size += length
        of_files |= _counted(file, counts[first:])
    if blocks:
        yield of_files, counts, blocks


def _counted(file: int, counts: Sequence[int]) -> dict[int, int]:
    """The number of records of some blocks by their file, empty if there are no blocks."""
    return {file: sum(counts)} if counts else {}


def _read(counts: list[int], blocks: list[bytes], head: list[_Step], tail: list[_Step]) -> Columns:
    joined = b"".join(blocks)
    content = Bytes(joined)
    sizes = np.array([len(block) for block in blocks])
    ends = np.cumsum(sizes)
    begins = ends - sizes
    last = np.cumsum(counts) - 1  # of each block, among all records
    if len(last) and last[-1] == len(counts) - 1:
        splits, before = _take(content, begins, head)
        after, found = _take(content, splits, tail)
        if not np.array_equal(after, ends):
            raise Unusual("a block does not end with its last record")
        return {**before, **found}
    for splits in _guesses(joined, content, head, int(last[-1]) + 1):
        try:
            after, found = _take(content, splits, tail)
        except (Unusual, IndexError, pa.ArrowInvalid):
            continue
        starts = np.concatenate([begins[:1], after[:-1]])
        if np.array_equal(after[last], ends):
            reached, before = _take(content, starts, head)
            if np.array_equal(reached, splits):
                return {**before, **found}
    raise Unusual("no text tells the records apart")


def _guesses(joined: bytes, content: Bytes, head: list[_Step], total: int) -> Iterator[IntArray]:
    """Guesses of the places where the splitting field of each record begins: each occurrence of a
    text that begins the first record's, or one in so many if other fields begin with it as well."""
    first, _ = _take(content, np.zeros(1, np.int64), head)
    start, size = content.longs(first)
    text = joined[int(start[0]) : int(start[0] + size[0])]
    tries = 0
    for cut in (match.end() for match in re.finditer(b"/+", text)):
        count = joined.count(text[:cut])
        if count < total:
            return
        if count % total == 0:
            places = [m.start() for m in re.finditer(re.escape(text[:cut]), joined)]
            yield _sizes_before(content, np.array(places[:: count // total], np.int64))
            tries += 1
            if tries == _TRIES:
                return


def _sizes_before(content: Bytes, at: IntArray) -> IntArray:
    """The places where the sizes before these texts begin, of one or two bytes."""
    return np.where((at > 1) & (content.data[at - 2] >= 0x80), at - 2, at - 1)


def _take(content: Bytes, at: IntArray, steps: list[_Step]) -> tuple[IntArray, Columns]:
    found: dict[Ids, Cells] = {}
    for step in steps:
        at, values = step.read(content, at)
        if step.kind is not None:
            cells = values if step.is_optional else Cells(None, values)
            found[step.ids] = Cells(cells.rows, _typed(cells.values, step.kind))
    return at, found


def _typed(values: object, kind: IcebergType) -> object:
    """Values in arrays of their type: numbers stay NumPy's, other values are Arrow's."""
    match kind:
        case StringType():
            assert isinstance(values, pa.Array)
            return values.cast(pa.string())  # which looks at each byte
        case DecimalType():
            assert isinstance(values, pa.Array)
            return decode_decimals(values, f"decimal({kind.precision},{kind.scale})")
        case _:
            return values
