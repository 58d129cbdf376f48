"""Parquet footers: row groups as containers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from collectors.parquet.layouts import ChunkLayout, chunk_layouts
from collectors.parquet.soundness import is_ordered, sound_chunks, stored_size
from collectors.parquet.thrift_types import MalformedParquet, SizedFooter, SizedMetaData, decode
from collectors.parquet.values import Conversion
from collectors.partitioning import PartitionSpec
from collectors.predicates.literals import PhysicalValue
from collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    RowGroupBatch,
    Statistics,
    constant,
    from_counts,
)
from collectors.storage.files import Storage
from collectors.storage.kept import fetch, place_of
from collectors.storage.kept_ranges import keep_footer, kept_footer
from collectors.storage.ranges import read_tails
from collectors.storage.unreadable import FileMissing, FileUnreadable, Kind
from collectors.tables.file_batches import partition_statistics
from collectors.tables.footer_columns import ColumnLookup
from collectors.tables.name_mapping import NameMapping
from collectors.types import arrow_type, is_floating, physical


@dataclass(frozen=True, slots=True)
class ChunkStatistics:
    """Statistics of one column chunk: bounds in physical form, None where unknown."""

    lower: Any
    upper: Any
    null_count: int | None
    value_count: int | None


@dataclass(frozen=True, slots=True)
class RowGroup:
    """One row group; `size` is the compressed size of its column chunks in bytes."""

    records: int
    size: int
    chunks: Mapping[ColumnKey, ChunkStatistics]


@dataclass(frozen=True, slots=True)
class ParquetFile:
    """A data file whose footer is wanted: its `size` in bytes as its manifest has it, and the
    columns of interest. `defaults` are the columns with an `initial-default` and its value, None
    where that is unknown, `name_mapping` the field ids of columns in files that have none of their
    own."""

    path: str
    size: int
    storage: Storage
    columns: tuple[ColumnKey, ...]
    defaults: Mapping[ColumnKey, PhysicalValue | None] = field(default_factory=dict)
    name_mapping: NameMapping = field(default_factory=dict)


@dataclass(frozen=True)
class Footer:
    """The row groups of one Parquet file.

    `absent` names the wanted columns that are null in all of its rows, because the file does not
    have them, and `constants` those that all rows hold one value of for the same reason, their
    `initial-default`. Both are empty for files without field ids or a mapping of names to them: of
    their columns nothing is known. `leaves` are the places of the wanted columns that the file
    has, and `conversions` how to read those that are of a type that can be compared. `metadata`
    (pyarrow's FileMetaData) and `thrift` (its serialised form) tell more. It was `from_cache` if
    nothing was read.
    """

    row_groups: tuple[RowGroup, ...]
    absent: frozenset[ColumnKey]
    constants: Mapping[ColumnKey, PhysicalValue]
    leaves: Mapping[ColumnKey, int]
    conversions: Mapping[ColumnKey, Conversion]
    metadata: Any
    thrift: bytes
    from_cache: bool = False

    @cached_property
    def layouts(self) -> list[dict[ColumnKey, ChunkLayout]]:
        """Per row group, the layouts of the columns in `conversions`; none of a file whose footer
        contradicts itself."""
        conversions = {self.leaves[key]: of for key, of in self.conversions.items()}
        try:
            found = chunk_layouts(self.thrift, self.metadata, conversions)
        except MalformedParquet:
            return []
        keys = {self.leaves[key]: key for key in self.conversions}
        return [{keys[leaf]: layout for leaf, layout in group.items()} for group in found]


class FooterUnreadable(Exception):
    """A footer could not be read; `cause` is `unread_missing`, `unread_unreachable`,
    `unread_not_allowed`, `unread_encrypted` or `unread_corrupt`."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


_CAUSES = {
    Kind.NOT_ALLOWED: "unread_not_allowed",
    Kind.NOT_A_FILE: "unread_corrupt",
    Kind.TOO_LARGE: "unread_corrupt",
}


def read_footers(files: Sequence[ParquetFile]) -> Iterator[Footer | FooterUnreadable]:
    """The footer of each file, or why it cannot be read, in order; many are read at once."""
    places = [place_of(file.storage, file.path, file.size, "footer 1") for file in files]
    fetch(places)
    kept = [None if place is None else kept_footer(place) for place in places]
    missing = [file for file, found in zip(files, kept, strict=True) if found is None]
    tails = read_tails([(file.storage, file.path, file.size) for file in missing])
    lookup = ColumnLookup()
    for file, place, known in zip(files, places, kept, strict=True):
        tail = next(tails) if known is None else known
        try:
            footer = _parse(file, tail, lookup)
        except FooterUnreadable as error:
            yield error
            continue
        if known is not None:
            footer = replace(footer, from_cache=True)
        elif place is not None and isinstance(tail, bytes):
            keep_footer(place, tail)
        yield footer


def _parse(file: ParquetFile, tail: bytes | FileUnreadable, lookup: ColumnLookup) -> Footer:
    import pyarrow.parquet as pq  # noqa: PLC0415  # slow to import, and rarely needed

    if isinstance(tail, FileMissing):
        raise FooterUnreadable("unread_missing") from tail
    if isinstance(tail, FileUnreadable):
        raise FooterUnreadable(_CAUSES.get(tail.kind, "unread_unreachable")) from tail
    try:
        length = int.from_bytes(tail[-8:-4], "little")
        thrift = tail[-8 - length : -8]
        metadata = pq.read_metadata(pa.BufferReader(tail))
        return _footer(file, metadata, thrift, lookup)
    except FooterUnreadable:
        raise
    except Exception as error:  # Arrow raises many kinds on malformed footers
        raise FooterUnreadable("unread_corrupt") from error


def _footer(file: ParquetFile, metadata: Any, thrift: bytes, lookup: ColumnLookup) -> Footer:
    raw, _ = decode(SizedFooter, thrift)
    if raw.encryption_algorithm is not None:
        raise FooterUnreadable("unread_encrypted")
    columns = lookup.columns(metadata.schema, file.columns, file.name_mapping)
    lacked, defaults = columns.lacked, file.defaults
    constants = {key: default for key in lacked if (default := defaults.get(key)) is not None}
    row_groups = []
    for number, chunks in enumerate(sound_chunks(metadata, raw, columns.forms)):
        group = metadata.row_group(number)
        if group.num_rows < 0:
            raise FooterUnreadable("unread_corrupt")
        row_groups.append(
            RowGroup(
                records=group.num_rows,
                size=sum(stored_size(chunk) for chunk in chunks),
                chunks={
                    key: _chunk(group.column(leaf), columns.conversions.get(key), chunks[leaf])
                    for key, leaf in columns.leaves.items()
                }
                | {k: ChunkStatistics(v, v, 0, group.num_rows) for k, v in constants.items()},
            )
        )
    absent = frozenset(key for key in lacked if key not in defaults)
    return Footer(
        tuple(row_groups),
        absent,
        constants,
        columns.leaves,
        columns.conversions,
        metadata,
        thrift,
    )


def _chunk(chunk: Any, conversion: Conversion | None, raw: SizedMetaData) -> ChunkStatistics:
    statistics = chunk.statistics if chunk.is_stats_set else None
    lower, upper, nulls = None, None, None
    if statistics is not None:
        if conversion is not None and statistics.has_min_max and _are_bounds(conversion, raw):
            lower = conversion.bound(statistics.min_raw)
            upper = conversion.bound(statistics.max_raw)
            if lower is None or upper is None:  # parquet-java drops both where either is NaN
                lower = upper = None
        if statistics.has_null_count:
            nulls = _counted(statistics.null_count)
    return ChunkStatistics(lower, upper, nulls, _counted(chunk.num_values))


def _are_bounds(conversion: Conversion, raw: SizedMetaData) -> bool:
    """Whether a minimum and a maximum bound the values in the order of their type."""
    return conversion.is_ordered and (not conversion.is_decimal_in_bytes or is_ordered(raw))


def _counted(count: int) -> int | None:
    """A count that can be one."""
    return count if count >= 0 else None


def row_group_batch(
    files: Sequence[tuple[Footer, Mapping[int, Any]]],
    spec: PartitionSpec,
    columns: Iterable[ColumnKey],
    partition_columns: Iterable[ColumnKey],
) -> RowGroupBatch:
    """The row groups of several files of one spec as one batch of N containers.

    `files` pairs each footer with the partition tuple of its file.
    """
    footers = [footer for footer, _ in files]
    groups = [group for footer in footers for group in footer.row_groups]
    owners = [number for number, f in enumerate(footers) for _ in f.row_groups]
    records = np.array([group.records for group in groups], np.int64)
    return RowGroupBatch(
        spec_id=spec.spec_id,
        file=np.array(owners, np.int64),
        records=records,
        size=np.array([group.size for group in groups], np.int64),
        partition=Statistics(
            len(footers),
            constant(False, len(footers)),
            partition_statistics([values for _, values in files], spec, partition_columns),
        ),
        metrics=Statistics(
            len(groups),
            pa.array(records <= 0),
            {
                key: _column(key, groups, [footers[owner] for owner in owners])
                for key in columns
                if physical(key[1]) is not None
            },
        ),
    )


def _column(
    key: ColumnKey,
    groups: Sequence[RowGroup],
    footers: Sequence[Footer],
) -> ColumnStatistics:
    _, type_name = key
    chunks = [group.chunks.get(key) for group in groups]
    all_null = [key in footer.absent for footer in footers]
    value_count = [
        chunk.value_count if chunk else (1 if absent else None)
        for chunk, absent in zip(chunks, all_null, strict=True)
    ]
    null_count = [
        chunk.null_count if chunk else (1 if absent else None)
        for chunk, absent in zip(chunks, all_null, strict=True)
    ]
    bounds_type = arrow_type(type_name)
    return from_counts(
        pa.array([chunk.lower if chunk else None for chunk in chunks], bounds_type),
        pa.array([chunk.upper if chunk else None for chunk in chunks], bounds_type),
        null_count=pa.array(null_count, pa.int64()),
        nan_count=pa.nulls(len(groups), pa.int64()) if is_floating(type_name) else None,
        value_count=pa.array(value_count, pa.int64()),
    )
