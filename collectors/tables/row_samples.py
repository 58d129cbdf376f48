"""Rows of data files as containers of one row each, so that the same algebra tells which match."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import le

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.budget import TooMuch
from prunescope.collectors.parquet.bounded_rows import MAX_UNPACKED, MAX_VALUES, read_rows
from prunescope.collectors.parquet.chunk_files import ReadRowGroup, place_of
from prunescope.collectors.parquet.thrift_types import MalformedParquet, ReadChunk, ReadMetaData
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    Statistics,
    constant,
    from_counts,
    from_values,
)
from prunescope.collectors.storage.in_flight import concurrently
from prunescope.collectors.storage.random_access import is_local
from prunescope.collectors.storage.ranges import ByteRange, RangeRequest, read_now
from prunescope.collectors.storage.unreadable import FileUnreadable
from prunescope.collectors.tables.footers import Footer, FooterUnreadable, ParquetFile, read_footers
from prunescope.collectors.types import Physical, arrow_type, is_floating, physical

MAX_BYTES = 32_000_000
"""Compressed bytes of the wanted columns in the row groups of a file that are read whole."""

MAX_ROW_GROUPS = 16
"""Row groups of one file of which rows are read."""

MAX_ROWS = 10_000
"""Rows of one file that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class RowsOfFile:
    """Rows of a file, as containers of one row, from row groups that have `part` of its rows. They
    may be all rows (`is_whole`). The file has a `size` in bytes."""

    rows: Statistics
    part: float
    size: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class RowsRefused:
    """The reason why the rows of an existing file are not read: they take too much memory, or are
    not as its footer says."""

    why: str


def rows_of_files(
    files: Sequence[ParquetFile], seed: int, most: int = MAX_ROWS, budget: int | None = None
) -> list[RowsOfFile | RowsRefused | None]:
    """Reads a random sample of rows of each file that can be read, `most` at most, from some of its
    row groups: the wanted columns, as N containers of one row. A column that the file does not have
    is null, one that cannot be decoded unknown. Many files are fetched at once. Rows may be sorted
    inside of files: row groups are drawn as long as their wanted columns have no more than
    MAX_BYTES together, nor unpack to more than that many times over.

    Row groups whose wanted columns have more than that are not drawn; nor are files, in a random
    order, once their bytes are more than a `budget`. None for files that cannot be fetched, or are
    not drawn.
    """
    of_each = [
        None
        if isinstance(footer, FooterUnreadable)
        else _drawn(file, footer, random.Random(f"{seed}/{file.path}"), most)  # noqa: S311
        for file, footer in zip(files, read_footers(files), strict=True)
    ]
    drawn = [one if isinstance(one, _Drawn) else None for one in of_each]
    within = _within(drawn, budget, seed)
    fetched = concurrently(
        _fetch,
        [one for one in within if one is not None],
        size=lambda one: one.size,
        is_near=lambda one: is_local(one.file.storage, one.file.path),
    )
    return [
        why if isinstance(why, RowsRefused) else None if one is None else _read(one, next(fetched))
        for why, one in zip(of_each, within, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Row groups whose rows are read, by the facts of their chunks, `size` compressed bytes of
    them; which rows are kept; and the part of the file's rows that these row groups have."""

    file: ParquetFile
    footer: Footer
    leaves: Mapping[ColumnKey, int]
    row_groups: Sequence[tuple[int, Mapping[int, ReadMetaData]]]
    size: int
    rows: Sequence[int]
    part: float

    @property
    def places(self) -> tuple[ByteRange, ...]:
        """Byte ranges of the chunks, row group by row group."""
        return tuple(place_of(one) for _, facts in self.row_groups for one in facts.values())


def _drawn(
    file: ParquetFile, footer: Footer, generator: random.Random, most: int
) -> _Drawn | RowsRefused | None:
    forms = footer.row_groups.columns.forms
    # A value of a list or a map is none of its row.
    leaves = {k: leaf for k, leaf in footer.leaves.items() if not forms[leaf].is_repeated}
    records = footer.records
    some = [number for number, count in enumerate(records) if count]
    tried = generator.sample(some, min(len(some), 4 * MAX_ROW_GROUPS))
    try:
        of_tried = footer.parts.chunks(ReadChunk, set(leaves.values()), set(tried))
        facts = dict(zip(sorted(tried), map(_facts, of_tried), strict=True))
        sizes = {
            number: sum(place_of(o).length for o in facts[number].values()) for number in tried
        }
    except MalformedParquet as error:
        return _refused(file, str(error))

    def weights(number: int) -> tuple[int, int, int]:
        """Bytes, bytes when they are unpacked, and values."""
        unpacked = sum(max(0, o.total_uncompressed_size or 0) for o in facts[number].values())
        return sizes[number], unpacked, records[number] * max(1, len(leaves))

    room: tuple[int, ...] = (MAX_BYTES, MAX_UNPACKED, MAX_VALUES)
    small = [n for n in tried if all(map(le, weights(n), room))][:MAX_ROW_GROUPS]
    if not small:
        return (
            _refused(file, "its row groups are much larger in memory than in the file")
            if any(size <= MAX_BYTES for size in sizes.values())
            else None
        )
    drawn = []
    for number in small:
        weight = weights(number)
        if not all(map(le, weight, room)):
            break
        room = (room[0] - weight[0], room[1] - weight[1], room[2] - weight[2])
        drawn.append(number)
    drawn.sort()
    count = sum(records[number] for number in drawn)
    return _Drawn(
        file,
        footer,
        leaves,
        [(records[number], facts[number]) for number in drawn],
        sum(sizes[number] for number in drawn),
        sorted(generator.sample(range(count), most)) if count > most else range(count),
        count / sum(records),
    )


def _refused(file: ParquetFile, why: str) -> RowsRefused:
    return RowsRefused(f"the rows of {file.path} cannot be sampled: {why}")


def _facts(chunks: Mapping[int, ReadChunk]) -> dict[int, ReadMetaData]:
    return {leaf: chunk.meta_data or ReadMetaData() for leaf, chunk in chunks.items()}


def _within(
    drawn: Sequence[_Drawn | None], budget: int | None, seed: int
) -> Sequence[_Drawn | None]:
    """The samples that a budget lets be read, in a random order; one in any case."""
    if budget is None:
        return drawn
    order = [place for place, one in enumerate(drawn) if one is not None]
    random.Random(seed).shuffle(order)  # noqa: S311
    kept: set[int] = set()
    for place in order:
        one = drawn[place]
        assert one is not None
        if kept and budget < one.size:
            break
        budget -= one.size
        kept.add(place)
    return [one if place in kept else None for place, one in enumerate(drawn)]


def _fetch(one: _Drawn) -> tuple[bytes, ...]:
    """The bytes of the chunks, row group by row group. Raises FileUnreadable."""
    return read_now(RangeRequest(one.file.storage, one.file.path, one.places))


def _read(
    one: _Drawn, fetched: tuple[bytes, ...] | FileUnreadable
) -> RowsOfFile | RowsRefused | None:
    if isinstance(fetched, FileUnreadable):
        return None
    contents = iter(fetched)
    groups = [
        ReadRowGroup(records, {leaf: (of, next(contents)) for leaf, of in facts.items()})
        for records, facts in one.row_groups
    ]
    columns = one.footer.row_groups.columns
    forms = {leaf: columns.forms[leaf] for leaf in one.leaves.values()}
    try:
        with one.file.storage.clock.running():
            values = read_rows(columns.head, columns.types, forms, groups, one.rows)
    except (TooMuch, MalformedParquet, pa.ArrowException, OSError) as error:
        is_told = isinstance(error, TooMuch | MalformedParquet)  # Arrow may quote values
        return _refused(one.file, str(error) if is_told else type(error).__name__)
    is_whole = len(one.rows) == sum(one.footer.records)
    return RowsOfFile(_rows(one, values), one.part, one.file.size, is_whole)


def _rows(one: _Drawn, values: Mapping[int, pa.Array]) -> Statistics:
    count = len(one.rows)
    columns = {}
    for key, leaf in one.leaves.items():
        statistics = _one_row_each(values.get(leaf), key[1])
        if statistics is not None:
            columns[key] = statistics
    for key in one.footer.absent:
        columns[key] = _all_null(key, count)
    for key, value in one.footer.constants.items():
        repeated = pa.array([value] * count, arrow_type(key[1]))
        columns[key] = from_values(repeated)
    return Statistics(count, constant(False, count), columns)


def _one_row_each(values: pa.Array | None, type_name: str) -> ColumnStatistics | None:
    if values is None:
        return None
    try:
        array = physical_array(values, type_name)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
        # The file has values of a type that cannot become the column's (Arrow calls a cast that
        # there is not "not implemented"): what its rows have there is unknown.
        return None
    is_null = pc.cast(pc.is_null(array), pa.int64())
    is_nan = None
    if is_floating(type_name):
        nan = pc.fill_null(pc.is_nan(array), False)
        is_nan = pc.cast(nan, pa.int64())
        array = pc.if_else(nan, pa.scalar(None, array.type), array)
    ones = pa.array(np.ones(len(array), np.int64))
    return from_counts(array, array, null_count=is_null, nan_count=is_nan, value_count=ones)


def _all_null(key: ColumnKey, count: int) -> ColumnStatistics:
    nothing = pa.nulls(count, arrow_type(key[1]))
    ones, zeros = pa.array(np.ones(count, np.int64)), pa.array(np.zeros(count, np.int64))
    return from_counts(
        nothing,
        nothing,
        null_count=ones,
        nan_count=zeros if is_floating(key[1]) else None,
        value_count=ones,
    )


def physical_array(values: pa.Array, type_name: str) -> pa.Array:
    """Arrow's values of a column in the physical form of an Iceberg type (see
    `prunescope.collectors.types`). Raises ArrowInvalid, ArrowNotImplementedError or ValueError
    where they are of no type that can become it."""
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    match physical(type_name):
        case Physical.INTEGER if type_name.startswith("timestamp"):
            zone = getattr(values.type, "tz", None)
            unit = "ns" if type_name.endswith("_ns") else "us"
            return values.cast(pa.timestamp(unit, zone), safe=False).cast(pa.int64())
        case Physical.INTEGER if type_name == "date":
            return values.cast(pa.date32()).cast(pa.int32()).cast(pa.int64())
        case Physical.INTEGER if type_name == "time":
            return values.cast(pa.time64("us")).cast(pa.int64())
        case Physical.BINARY if pa.types.is_fixed_size_binary(values.type):
            return values.cast(pa.binary())
        case None:
            raise ValueError(f"{type_name!r} has no physical form to compare")
    return values.cast(arrow_type(type_name))
