"""Two readers of a manifest's entries: all records at once, and, if that is impossible, one by one.

The first (`avro_columns`) gives up on anything that it does not know. The second (`avro`) judges
the file: what it refuses is unreadable, and it reads all that the first gave up on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FixedType,
    FloatType,
    IcebergType,
    IntegerType,
    StringType,
    UUIDType,
)

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.tables import entries as ids
from prunescope.collectors.tables.avro import AvroContent, field_type, positions
from prunescope.collectors.tables.avro_columns import Columns, columns
from prunescope.collectors.tables.avro_lanes import Cells, Unusual
from prunescope.collectors.tables.bounds import decimals
from prunescope.collectors.tables.entries import Entries, check, chosen, spread, statuses

_FEW = 16 << 10
"""Bytes of manifests of so few entries that to read them one by one takes no longer."""


_PART = 8_192
"""Entries that are read one by one before they become columns: as objects they take much more."""

_Part = TypeVar("_Part")


class Read(NamedTuple):
    """Some live entries of manifests, concatenated: the manifests that they are from, by their
    places, and the number of entries of each."""

    entries: Entries
    places: Sequence[int]
    counts: IntArray


def read_entries(
    manifests: Sequence[bytes], each: Callable[[Read], _Part], *, with_metrics: bool
) -> tuple[list[_Part], bool]:
    """The live entries of manifests, part by part what `each` makes of them, and whether they were
    read one by one though they are many. Of large manifests not all is in memory at once. Raises
    Unusual for several of which not all can be read together, and what PyIceberg's decoder, and
    ours, raise on malformed content."""
    fields = (*ids.FILE_FIELDS, *ids.METRICS) if with_metrics else ids.FILE_FIELDS
    wanted = {ids.STATUS: None, ids.SEQUENCE: None, ids.DATA_FILE: dict.fromkeys(fields)}
    contents = [AvroContent(data, wanted) for data in manifests]
    is_few = sum(map(len, manifests)) < _FEW
    if not is_few:
        try:
            return [each(read) for read in at_once(contents)], False
        except Unusual:
            pass
    if len(contents) > 1:
        raise Unusual("manifests that are read each by itself")
    return [each(_alone(part)) for part in one_by_one(contents[0])], not is_few


def _alone(part: Entries) -> Read:
    return Read(part, (0,), np.array([len(part)]))


def at_once(contents: Sequence[AvroContent]) -> Iterator[Read]:
    """Reads the entries of manifests whose entries have the same fields. Raises Unusual, and what
    `avro_blocks.blocks` raises."""
    for counts, of_blocks in columns(contents, (ids.DATA_FILE, ids.PATH)):
        try:
            found, live = _of_columns(of_blocks, sum(counts.values()), contents[0])
        except (KeyError, ValueError, pa.ArrowInvalid) as error:
            raise Unusual(str(error)) from error
        ends = np.cumsum(list(counts.values()))
        before = np.concatenate(([0], np.cumsum(live)))[np.concatenate(([0], ends))]
        yield Read(found, list(counts), np.diff(before))


def _partition_types(content: AvroContent) -> dict[int, IcebergType]:
    data_file: Any = field_type(content.struct, ids.DATA_FILE)
    partition: Any = field_type(data_file, ids.PARTITION)
    return {} if partition is None else {f.field_id: f.field_type for f in partition.fields}


def _of_columns(found: Columns, count: int, content: AvroContent) -> tuple[Entries, BoolArray]:
    """The live entries of so many, and which these are."""
    partition_types = _partition_types(content)
    status = statuses(_integers(found[ids.STATUS,], count))
    live = status != ids.DELETED

    def kept(cells: Cells) -> Cells:
        return cells if bool(live.all()) else chosen(cells, live)

    left = int(np.count_nonzero(live))

    def of_file(*path: int) -> Cells | None:
        cells = found.get((ids.DATA_FILE, *path))
        return None if cells is None else kept(cells)

    def required(field_id: int) -> Any:
        return _integers(kept(found[ids.DATA_FILE, field_id]), left)

    def text(field_id: int) -> pa.StringArray:
        values = kept(found[ids.DATA_FILE, field_id])
        if values.rows is not None or not pa.types.is_string(values.values.type):
            raise ValueError("no text")
        return values.values

    contents, offsets = of_file(ids.CONTENT), of_file(ids.SPLIT_OFFSETS)
    sequence = found.get((ids.SEQUENCE,))
    entries = check(
        Entries(
            paths=text(ids.PATH),
            formats=text(ids.FORMAT),
            content=_filled(contents, left, 0),
            records=required(ids.RECORDS),
            size=required(ids.SIZE),
            row_groups=_row_groups(offsets, required(ids.SIZE)),
            sequence_numbers=ids.sequence_numbers(
                status[live],
                pa.nulls(left, pa.int64()) if sequence is None else spread(kept(sequence), left),
            ),
            partition={
                field: _narrow(spread(kept(found[ids.DATA_FILE, ids.PARTITION, field]), left), of)
                for field, of in partition_types.items()
            },
            metrics={
                map_id: _by_column(cells, live)
                for map_id in ids.METRICS
                if (cells := found.get((ids.DATA_FILE, map_id))) is not None
            },
        )
    )
    return entries, live


def _narrow(values: pa.Array, kind: IcebergType) -> pa.Array:
    """Numbers of 32 bits as such: a promoted column's tell by that in which unit they are."""
    return values.cast(pa.int32()) if isinstance(kind, IntegerType | DateType) else values


def _integers(cells: Cells, count: int) -> Any:
    if cells.rows is not None or len(cells.values) != count or cells.values.dtype != np.int64:
        raise ValueError("no number")
    return cells.values


def _filled(cells: Cells | None, shape: int | tuple[int, int], value: int) -> Any:
    found = np.full(shape, value, np.int64)
    if cells is not None:
        found[slice(None) if cells.rows is None else cells.rows] = cells.values
    return found


def _row_groups(offsets: Cells | None, size: IntArray) -> IntArray:
    counts, last = _filled(offsets, (len(size), 2), 0).T
    return ids.row_groups(counts, last, size)


def _by_column(cells: Cells, live: Any) -> Mapping[int, Cells]:
    """Maps that some rows have, by column, as cells of all live rows."""
    found = {}
    for column, of_maps in cells.values.items():
        rows = of_maps.rows
        if cells.rows is not None:
            rows = cells.rows if rows is None else cells.rows[rows]
        of_rows = Cells(rows, of_maps.values)
        found[column] = of_rows if bool(live.all()) else chosen(of_rows, live)
    return found


def one_by_one(content: AvroContent) -> Iterator[Entries]:
    """Raises what PyIceberg's decoder, and ours, raise on malformed content."""
    some: list[Any] = []
    is_first = True
    for record in content.records():
        if len(some) == _PART or content.built.is_half_taken:
            yield _of_records(content, some)
            some, is_first = [], False
            content.built.refill()
        some.append(record)
    if some or is_first:
        yield _of_records(content, some)


def _of_records(content: AvroContent, records: Sequence[Any]) -> Entries:
    at = positions(content.struct)
    status = statuses([record[at[ids.STATUS]] for record in records])
    live = status != ids.DELETED
    kept = [record for record, is_live in zip(records, live.tolist(), strict=True) if is_live]
    rows = [record[at[ids.DATA_FILE]] for record in kept]
    data_file: Any = field_type(content.struct, ids.DATA_FILE)
    file_at = positions(data_file)

    def values(field_id: int) -> list[Any]:
        place = file_at.get(field_id)
        return [None if place is None else row[place] for row in rows]

    def required(field_id: int) -> Any:
        return pa.array(values(field_id), pa.int64()).to_numpy(zero_copy_only=True)

    partition: Any = field_type(data_file, ids.PARTITION)
    tuples, offsets = values(ids.PARTITION), values(ids.SPLIT_OFFSETS)
    sequence = at.get(ids.SEQUENCE)
    return check(
        Entries(
            paths=pa.array(values(ids.PATH), pa.string()),
            formats=pa.array(values(ids.FORMAT), pa.string()),
            content=np.array([value or 0 for value in values(ids.CONTENT)], np.int64),
            records=required(ids.RECORDS),
            size=required(ids.SIZE),
            row_groups=ids.row_groups(
                np.array([len(v or ()) for v in offsets], np.int64),
                np.array([v[-1] if v else 0 for v in offsets], np.int64),
                required(ids.SIZE),
            ),
            sequence_numbers=ids.sequence_numbers(
                status[live],
                pa.array([None if sequence is None else r[sequence] for r in kept], pa.int64()),
            ),
            partition={}
            if partition is None
            else {
                field.field_id: _array([row[place] for row in tuples], field.field_type)
                for place, field in enumerate(partition.fields)
            },
            metrics={
                **{i: _counts(values(i)) for i in ids.COUNTS if file_at.get(i) is not None},
                **{i: _bounds(values(i)) for i in ids.BOUNDS if file_at.get(i) is not None},
            },
        )
    )


def _array(values: list[Any], kind: IcebergType) -> pa.Array:
    match kind:
        case StringType():
            return pa.array(values, pa.string())
        case BinaryType() | FixedType():
            return pa.array(values, pa.binary())
        case UUIDType():
            return pa.array([None if v is None else v.bytes for v in values], pa.binary())
        case BooleanType():
            return pa.array(values, pa.bool_())
        case FloatType() | DoubleType():
            return pa.array(values, pa.float64())
        case DecimalType():
            return decimals(values, f"decimal({kind.precision},{kind.scale})")
        case IntegerType() | DateType():
            return pa.array(values, pa.int32())
        case _:
            return pa.array(values, pa.int64())


def _counts(flat: Sequence[Sequence[int] | None]) -> Mapping[int, Cells]:
    """N flat maps (key, value, key, value, …) by key; of keys that are there twice the last."""
    found: dict[int, dict[int, int]] = {}
    for row, items in enumerate(flat):
        for key, value in zip((items or ())[::2], (items or ())[1::2], strict=True):
            found.setdefault(key, {})[row] = value
    return {
        key: Cells(np.array(list(of)), np.array(list(of.values()), np.int64))
        for key, of in found.items()
    }


def _bounds(maps: Sequence[Mapping[int, bytes] | None]) -> Mapping[int, Cells]:
    found: dict[int, tuple[list[int], list[bytes]]] = {}
    for row, items in enumerate(maps):
        for key, value in (items or {}).items():
            rows, of_key = found.setdefault(key, ([], []))
            rows.append(row)
            of_key.append(value)
    return {
        key: Cells(np.array(rows), pa.array(of_key, pa.binary()))
        for key, (rows, of_key) in found.items()
    }
