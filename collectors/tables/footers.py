"""Parquet footers: row groups as containers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.collectors.budget import Budget
from prunescope.collectors.parquet.chunk_statistics import ChunkStatistics, serialised_footer
from prunescope.collectors.parquet.footer_parts import FooterParts, parts_of
from prunescope.collectors.parquet.thrift_types import EncryptedParquet
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    RowGroupBatch,
    Statistics,
    constant,
    from_counts,
)
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.cached_parts import Place, fetch, place_of
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.kept_ranges import keep_footer, kept_footer
from prunescope.collectors.storage.ranges import read_tails
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, Kind
from prunescope.collectors.tables.file_batches import partition_statistics
from prunescope.collectors.tables.footer_columns import ColumnLookup, as_file
from prunescope.collectors.tables.footer_decoding import (
    SerialisedFooter,
    decode_footers,
    is_encrypted,
)
from prunescope.collectors.tables.name_mapping import NameMapping
from prunescope.collectors.tables.row_groups import JoinedRowGroups, RowGroups
from prunescope.collectors.types import is_floating, physical


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


@dataclass(frozen=True, slots=True)
class Footer:
    """The row groups of one Parquet file, which is file `number` of those of `row_groups`.
    `from_cache` is True if nothing was read."""

    row_groups: RowGroups
    number: int
    from_cache: bool

    @property
    def thrift(self) -> bytes:
        """The serialised footer, for fields that are not decoded here."""
        return self.row_groups.thrift(self.number)

    @property
    def records(self) -> list[int]:
        """The number of rows of each row group."""
        found: list[int] = self.row_groups.records[self._rows].tolist()
        return found

    @property
    def record_count(self) -> int:
        """The number of rows of all row groups."""
        return int(self.row_groups.records[self._rows].sum())

    @property
    def sizes(self) -> list[int]:
        """The compressed bytes of each row group's column chunks."""
        found: list[int] = self.row_groups.sizes[self._rows].tolist()
        return found

    @property
    def chunks(self) -> Mapping[ColumnKey, ChunkStatistics]:
        """The statistics of the chunks of the wanted columns that hold values."""
        return {
            key: ChunkStatistics(*(values[self._rows].to_pylist() for values in of.arrays))
            for key, of in self.row_groups.statistics.items()
            if key not in self.absent
        }

    @property
    def absent(self) -> frozenset[ColumnKey]:
        """The wanted columns that are null in all rows, as in RowGroups."""
        return self.row_groups.absent

    @property
    def constants(self) -> Mapping[ColumnKey, PhysicalValue]:
        """The wanted columns that have one value in all rows, as in RowGroups."""
        return self.row_groups.constants

    @property
    def leaves(self) -> Mapping[ColumnKey, int]:
        """The places of the wanted columns that the file has."""
        return self.row_groups.columns.leaves

    @property
    def conversions(self) -> Mapping[ColumnKey, Conversion]:
        """Conversions of the wanted columns that are of a comparable type."""
        return self.row_groups.columns.conversions

    @property
    def _rows(self) -> slice:
        first, end = self.row_groups.first[self.number : self.number + 2].tolist()
        return slice(first, end)

    @property
    def parts(self) -> FooterParts:
        """The serialised footer taken apart."""
        columns = self.row_groups.columns
        return parts_of(self.thrift, len(columns.head), len(columns.types))


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
    Kind.DAMAGED: "unread_corrupt",
}


def read_footers(files: Sequence[ParquetFile]) -> Iterator[Footer | FooterUnreadable]:
    """The footer of each file, or the reason why it cannot be read, in order; many are read at
    once."""
    places = [place_of(file.storage, file.path, file.size, "footer 1") for file in files]
    fetch(places)
    kept = [None if place is None else kept_footer(place) for place in places]
    found = _read(files, kept, places)
    # What is kept is no footer of this file, whoever wrote it: it is read anew.
    wrong = [
        number
        for number, (one, known) in enumerate(zip(found, kept, strict=True))
        if known is not None and not isinstance(one, Footer)
    ]
    for number in wrong:
        place = places[number]
        assert place is not None
        place.forget()
    if wrong:
        some, of_some = [files[n] for n in wrong], [places[n] for n in wrong]
        anew = dict(zip(wrong, _read(some, [None] * len(some), of_some), strict=True))
        found = [anew.get(number, one) for number, one in enumerate(found)]
    return iter(found)


def _read(
    files: Sequence[ParquetFile], kept: Sequence[bytes | None], places: Sequence[Place | None]
) -> list[Footer | FooterUnreadable]:
    """The footers of files, some of which were kept; the others are read, and kept at their
    places."""
    missing = [file for file, known in zip(files, kept, strict=True) if known is None]
    tails = read_tails([(file.storage, file.path, file.size) for file in missing])
    lookup = ColumnLookup()
    budget = Budget(limits.FOOTERS)
    opened = [
        _open(file, next(tails) if known is None else known, lookup, budget)
        for file, known in zip(files, kept, strict=True)
    ]
    read: list[Footer | FooterUnreadable] = []
    for found, one, place, known in zip(decode_footers(opened), opened, places, kept, strict=True):
        if isinstance(found, Exception) or isinstance(one, Exception):
            read.append(FooterUnreadable(_cause(found)))
            continue
        if place is not None and known is None:
            keep_footer(place, as_file(one.thrift))
        read.append(Footer(*found, from_cache=known is not None))
    return read


def _open(
    file: ParquetFile, tail: bytes | FileUnreadable, lookup: ColumnLookup, budget: Budget
) -> SerialisedFooter | Exception:
    if isinstance(tail, FileUnreadable):
        return tail
    thrift = b""
    try:
        thrift = serialised_footer(tail)
        budget.take(len(thrift))
        columns = lookup.columns(thrift, file.columns, file.name_mapping)
    except Exception as error:  # noqa: BLE001  # decoders fail in many ways on malformed footers
        # Frames hold on to the footer, and there may be many.
        return EncryptedParquet() if is_encrypted(thrift) else error.with_traceback(None)
    lacked = [(key, file.defaults[key]) for key in columns.lacked if key in file.defaults]
    return SerialisedFooter(thrift, columns, tuple(lacked))


def _cause(error: object) -> str:
    if isinstance(error, FileMissing):
        return "unread_missing"
    if isinstance(error, FileUnreadable):
        return _CAUSES.get(error.kind, "unread_unreachable")
    return "unread_encrypted" if isinstance(error, EncryptedParquet) else "unread_corrupt"


def row_group_batch(
    files: Sequence[tuple[Footer, Mapping[int, Any]]],
    spec: PartitionSpec,
    columns: Iterable[ColumnKey],
    partition_columns: Iterable[ColumnKey],
) -> RowGroupBatch:
    """The row groups of several files of one spec as one batch of N containers.

    `files` pairs each footer with the partition tuple of its file.
    """
    joined = JoinedRowGroups([(footer.row_groups, footer.number) for footer, _ in files])
    records = joined.records
    keys = [key for key in columns if physical(key[1]) is not None]
    kinds = ("dictionary", "bloom_filter")
    return RowGroupBatch(
        spec_id=spec.spec_id,
        file=np.repeat(np.arange(len(files)), joined.counts),
        records=records,
        size=joined.sizes,
        partition=Statistics(
            len(files),
            constant(False, len(files)),
            partition_statistics([values for _, values in files], spec, partition_columns),
        ),
        metrics=Statistics(
            len(records),
            pa.array(records <= 0),
            {key: _column(key, joined) for key in keys},
        ),
        bare=frozenset(key for key in keys if not any(joined.has_any(key, of) for of in kinds)),
    )


def _column(key: ColumnKey, joined: JoinedRowGroups) -> ColumnStatistics:
    chunks = joined.statistics(key)
    count = len(chunks.lower)
    return from_counts(
        chunks.lower,
        chunks.upper,
        null_count=chunks.null_count,
        nan_count=pa.nulls(count, pa.int64()) if is_floating(key[1]) else None,
        value_count=chunks.value_count,
    )
