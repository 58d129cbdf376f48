"""Parquet footers: row groups as containers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from collectors.parquet.chunk_statistics import (
    ChunkStatistics,
    chunk_statistics,
    order_of,
    row_groups,
    serialised_footer,
)
from collectors.parquet.layouts import ChunkLayout, chunk_layouts
from collectors.parquet.soundness import require_sound
from collectors.parquet.thrift_types import CountedFooter, MalformedParquet, decode
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
from collectors.tables.footer_columns import ColumnLookup, FileColumns, as_file
from collectors.tables.name_mapping import NameMapping
from collectors.types import arrow_type, is_floating, physical


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
    """The row groups of one Parquet file: how many `records` each has, the compressed `sizes` of
    their column chunks in bytes, and the statistics of `chunks` of the wanted columns.

    `absent` names the wanted columns that are null in all of its rows, because the file does not
    have them, and `constants` those that all rows hold one value of for the same reason, their
    `initial-default`. Both are empty for files without field ids or a mapping of names to them: of
    their columns nothing is known. `columns` are where the others are, and how to read them;
    `thrift`, the serialised footer, tells more. It was `from_cache` if nothing was read.
    """

    records: Sequence[int]
    sizes: Sequence[int]
    chunks: Mapping[ColumnKey, ChunkStatistics]
    absent: frozenset[ColumnKey]
    constants: Mapping[ColumnKey, PhysicalValue]
    columns: FileColumns
    thrift: bytes
    from_cache: bool = False

    @property
    def leaves(self) -> Mapping[ColumnKey, int]:
        """The places of the wanted columns that the file has."""
        return self.columns.leaves

    @property
    def conversions(self) -> Mapping[ColumnKey, Conversion]:
        """How to read those that are of a type that can be compared."""
        return self.columns.conversions

    @cached_property
    def layouts(self) -> list[dict[ColumnKey, ChunkLayout]]:
        """Per row group, the layouts of the columns in `conversions`; none of a file whose footer
        contradicts itself."""
        conversions = {self.leaves[key]: of for key, of in self.conversions.items()}
        try:
            found = chunk_layouts(self.thrift, len(self.columns.types), conversions)
        except MalformedParquet:
            return []
        keys = {self.leaves[key]: key for key in self.conversions}
        return [{keys[leaf]: layout for leaf, layout in group.items()} for group in found]

    def arrow_metadata(self) -> Any:
        """The footer as Arrow has it (pyarrow's FileMetaData). Raises MalformedParquet, or what
        Arrow raises, for a file whose rows Arrow cannot read."""
        import pyarrow.parquet as pq  # noqa: PLC0415  # slow to import, and rarely needed

        require_sound(self.thrift, self.columns.forms)
        return pq.read_metadata(pa.BufferReader(as_file(self.thrift)))


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
    if isinstance(tail, FileMissing):
        raise FooterUnreadable("unread_missing") from tail
    if isinstance(tail, FileUnreadable):
        raise FooterUnreadable(_CAUSES.get(tail.kind, "unread_unreachable")) from tail
    try:
        return _footer(file, serialised_footer(tail), lookup)
    except FooterUnreadable:
        raise
    except Exception as error:  # decoders fail in many ways on malformed footers
        raise FooterUnreadable("unread_corrupt") from error


def _footer(file: ParquetFile, thrift: bytes, lookup: ColumnLookup) -> Footer:
    raw, _ = decode(CountedFooter, thrift)
    if raw.encryption_algorithm is not None:
        raise FooterUnreadable("unread_encrypted")
    columns = lookup.columns(thrift, file.columns, file.name_mapping)
    groups = row_groups(raw, columns.types)
    records = [group.records for group in groups]
    lacked, defaults = columns.lacked, file.defaults
    constants = {key: default for key in lacked if (default := defaults.get(key)) is not None}
    count = len(groups)
    return Footer(
        records=records,
        sizes=[group.size for group in groups],
        chunks={
            key: chunk_statistics(
                [group.chunks[leaf] for group in groups],
                columns.forms[leaf],
                columns.conversions.get(key),
                order_of(raw, leaf),
            )
            for key, leaf in columns.leaves.items()
        }
        | {
            key: ChunkStatistics([value] * count, [value] * count, [0] * count, records)
            for key, value in constants.items()
        },
        absent=frozenset(key for key in lacked if key not in defaults),
        constants=constants,
        columns=columns,
        thrift=thrift,
    )


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
    owners = np.repeat(np.arange(len(footers)), [len(footer.records) for footer in footers])
    records = np.array([n for footer in footers for n in footer.records], np.int64)
    return RowGroupBatch(
        spec_id=spec.spec_id,
        file=owners,
        records=records,
        size=np.array([size for footer in footers for size in footer.sizes], np.int64),
        partition=Statistics(
            len(footers),
            constant(False, len(footers)),
            partition_statistics([values for _, values in files], spec, partition_columns),
        ),
        metrics=Statistics(
            len(records),
            pa.array(records <= 0),
            {key: _column(key, footers) for key in columns if physical(key[1]) is not None},
        ),
    )


def _column(key: ColumnKey, footers: Sequence[Footer]) -> ColumnStatistics:
    _, type_name = key
    chunks = [footer.chunks.get(key) or _without(key, footer) for footer in footers]
    bounds_type = arrow_type(type_name)
    count = sum(len(footer.records) for footer in footers)

    def together(parts: Iterable[Sequence[Any]], kind: pa.DataType) -> pa.Array:
        return pa.array(list(chain.from_iterable(parts)), kind)

    return from_counts(
        together((part.lower for part in chunks), bounds_type),
        together((part.upper for part in chunks), bounds_type),
        null_count=together((part.null_count for part in chunks), pa.int64()),
        nan_count=pa.nulls(count, pa.int64()) if is_floating(type_name) else None,
        value_count=together((part.value_count for part in chunks), pa.int64()),
    )


def _without(key: ColumnKey, footer: Footer) -> ChunkStatistics:
    """Of a column that the file does not have, or that is not looked for in it."""
    unknown = [None] * len(footer.records)
    counts = [1] * len(footer.records) if key in footer.absent else unknown
    return ChunkStatistics(unknown, unknown, counts, counts)
