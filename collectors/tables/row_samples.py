"""Rows of data files as containers of one row each, so that the same algebra tells which match."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from collectors.parquet.thrift_types import MalformedParquet
from collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    Statistics,
    constant,
    from_counts,
    from_values,
)
from collectors.storage.in_flight import concurrently
from collectors.storage.random_access import is_local, patiently
from collectors.storage.traffic import count_read
from collectors.storage.unreadable import FileUnreadable
from collectors.tables.footers import Footer, FooterUnreadable, ParquetFile, read_footers
from collectors.types import Physical, arrow_type, is_floating, physical

MAX_BYTES = 32_000_000
"""Compressed bytes of the wanted columns in the row groups of a file that are read whole."""

MAX_ROW_GROUPS = 16
"""Row groups of one file of which rows are read."""

MAX_ROWS = 10_000
"""Rows of one file that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class RowsOfFile:
    """Rows of a file, as containers of one row: of row groups that have such a `part` of all."""

    rows: Statistics
    part: float


def rows_of_files(
    files: Sequence[ParquetFile], seed: int, most: int = MAX_ROWS, budget: int | None = None
) -> list[RowsOfFile | None]:
    """For each file that can be read, at most so many rows of some of its row groups, drawn at
    random: the columns that are wanted, as N containers of one row. A column that the file does not
    have is null, one that cannot be decoded unknown. Many are read at once. Rows may be in an order
    inside of files: row groups are drawn as long as their wanted columns have no more than
    MAX_BYTES together.

    Row groups of which the wanted columns have more than MAX_BYTES are not drawn; nor are files,
    in an order that is drawn as well, once their bytes are more than a `budget`. None for files
    that cannot be read, or are not drawn.
    """
    drawn = [
        None
        if isinstance(footer, FooterUnreadable)
        else _drawn(file, footer, random.Random(f"{seed}/{file.path}"), most)  # noqa: S311
        for file, footer in zip(files, read_footers(files), strict=True)
    ]
    within = _within(drawn, budget, seed)
    read = concurrently(
        _read,
        [one for one in within if one is not None],
        size=lambda one: one.size,
        is_near=lambda one: is_local(one.file.storage, one.file.path),
    )
    tables = [None if one is None else next(read) for one in within]
    return [
        None
        if one is None or table is None or isinstance(table, FileUnreadable)
        else RowsOfFile(_rows(one, table), one.part)
        for one, table in zip(within, tables, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Row groups whose rows are read, `size` compressed bytes of them; which rows are
    kept; and the part of the file's rows that these row groups have."""

    file: ParquetFile
    footer: Footer
    schema: Any
    leaves: Mapping[ColumnKey, int]
    row_groups: Sequence[int]
    size: int
    rows: Sequence[int]
    part: float


def _drawn(file: ParquetFile, footer: Footer, generator: random.Random, most: int) -> _Drawn | None:
    try:
        metadata = footer.arrow_metadata()
    except (MalformedParquet, pa.ArrowException, OSError):
        return None
    schema = metadata.schema
    # A value of a list or a map is none of its row.
    leaves = {k: leaf for k, leaf in footer.leaves.items() if not _is_repeated(schema, leaf)}
    sizes = [
        _size(metadata.row_group(number), leaves.values())
        for number in range(metadata.num_row_groups)
    ]
    small = [
        number
        for number, size in enumerate(sizes)
        if size <= MAX_BYTES and metadata.row_group(number).num_rows
    ]
    if not small:
        return None
    in_turn = generator.sample(small, min(len(small), MAX_ROW_GROUPS))
    together = accumulate(sizes[number] for number in in_turn)
    drawn = sorted(n for n, size in zip(in_turn, together, strict=True) if size <= MAX_BYTES)
    count = sum(metadata.row_group(number).num_rows for number in drawn)
    rows = sorted(generator.sample(range(count), most)) if count > most else range(count)
    size = sum(sizes[number] for number in drawn)
    part = count / metadata.num_rows
    return _Drawn(file, footer, schema, leaves, drawn, size, rows, part)


def _within(
    drawn: Sequence[_Drawn | None], budget: int | None, seed: int
) -> Sequence[_Drawn | None]:
    """Those that a budget lets be read, in a random order: the first in any case."""
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


def _read(one: _Drawn) -> pa.Table:
    """The kept rows. Raises FileUnreadable, also where Arrow does not decode them."""
    import pyarrow.parquet as pq  # noqa: PLC0415  # slow to import

    storage, path = one.file.storage, one.file.path
    wanted = [one.schema.column(leaf).path for leaf in one.leaves.values()]

    def read() -> pa.Table:
        with storage.open(path) as stream:
            return pq.ParquetFile(stream).read_row_groups(one.row_groups, wanted)

    table = patiently(storage, path, read)
    count_read(one.size)
    return table if len(one.rows) == len(table) else table.take(one.rows)


def _rows(one: _Drawn, table: pa.Table) -> Statistics:
    count = len(one.rows)
    columns = {}
    for key, leaf in one.leaves.items():
        statistics = _one_row_each(_leaf(table, one.schema.column(leaf).path), key[1])
        if statistics is not None:
            columns[key] = statistics
    for key in one.footer.absent:
        columns[key] = _all_null(key, count)
    for key, value in one.footer.constants.items():
        repeated = pa.array([value] * count, arrow_type(key[1]))
        columns[key] = from_values(repeated)
    return Statistics(count, constant(False, count), columns)


def _is_repeated(schema: Any, leaf: int) -> bool:
    return bool(schema.column(leaf).max_repetition_level)


def _leaf(table: pa.Table, path: str) -> pa.ChunkedArray | None:
    """The column of a path with dots, or the field of a struct: null where any struct on the way
    is. None where names with dots make it another's as well."""
    found = [(column, names) for column, names in _paths(table.schema) if ".".join(names) == path]
    if len(found) != 1:
        return None
    column, names = found[0]
    values = table.column(column)
    for name in names[1:]:
        values = pc.struct_field(values, name)
    return values


def _paths(fields: Iterable[pa.Field]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each leaf outside of lists and maps: the number of its column, and its names."""
    for number, field in enumerate(fields):
        if pa.types.is_struct(field.type):
            for _, names in _paths(field.type.fields):
                yield number, (field.name, *names)
        else:
            yield number, (field.name,)


def _size(row_group: Any, leaves: Iterable[int]) -> int:
    return sum(row_group.column(leaf).total_compressed_size for leaf in leaves)


def _one_row_each(values: pa.ChunkedArray | None, type_name: str) -> ColumnStatistics | None:
    if values is None:
        return None
    try:
        array = physical_array(values.combine_chunks(), type_name)
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
    `collectors.types`). Raises ArrowInvalid, ArrowNotImplementedError or ValueError where they
    are of no type that can become it."""
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
