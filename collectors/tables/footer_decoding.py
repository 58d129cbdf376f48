"""Serialised footers decoded to row groups: those of files with the same columns at once, as lanes;
few of them, or those that lanes do not read, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from prunescope.collectors.parquet.chunk_statistics import chunk_statistics, order_of, row_groups
from prunescope.collectors.parquet.column_chunks import (
    ChunkPlaces,
    ColumnChunks,
    WantedColumn,
    places_of,
    statistics_of,
)
from prunescope.collectors.parquet.footer_lanes import read_lanes
from prunescope.collectors.parquet.footer_parts import parts_of
from prunescope.collectors.parquet.layouts import ChunkLayout, chunk_layouts
from prunescope.collectors.parquet.thrift_types import (
    EncryptedParquet,
    FileMetaData,
    MalformedParquet,
    decode,
)
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.footer_columns import FileColumns
from prunescope.collectors.tables.row_groups import FileRowGroups, RowGroups
from prunescope.collectors.types import physical

_FEW = 64 << 10
"""Bytes of footers that are decoded one by one, as that takes no longer."""

_MANY = 8 << 20
"""Bytes of footers that are decoded at once, and more only of a single one: as numbers they take
several times as much."""


@dataclass(frozen=True, slots=True)
class SerialisedFooter:
    """A footer, the columns of its file, and those that the file lacks but that have a value for
    that case, None if it is unknown."""

    thrift: bytes
    columns: FileColumns
    lacked: tuple[tuple[ColumnKey, PhysicalValue | None], ...]


def is_encrypted(thrift: bytes) -> bool:
    """True if columns of a file are encrypted, by its serialised footer, which is not."""
    try:
        return decode(FileMetaData, thrift)[0].encryption_algorithm is not None
    except MalformedParquet:
        return False


def decode_footers(
    footers: Sequence[SerialisedFooter | Exception],
) -> list[FileRowGroups | Exception]:
    """Row groups of each footer, or the error that decoding raises; errors in `footers` stay as
    they are."""
    found: dict[int, FileRowGroups | Exception] = {}
    alike: dict[tuple[int, object], list[tuple[int, SerialisedFooter]]] = {}
    for number, footer in enumerate(footers):
        if isinstance(footer, Exception):
            found[number] = footer
        else:
            alike.setdefault((id(footer.columns), footer.lacked), []).append((number, footer))
    for members in alike.values():
        for portion in _portions(members):
            some = [footer for _, footer in portion]
            is_few = sum(len(footer.thrift) for footer in some) < _FEW
            of_lanes = {} if is_few else by_lanes(some)
            for place, (number, footer) in enumerate(portion):
                found[number] = of_lanes.get(place) or alone(footer)
    return [found[number] for number in range(len(footers))]


def _portions(
    footers: Sequence[tuple[int, SerialisedFooter]],
) -> Iterator[list[tuple[int, SerialisedFooter]]]:
    """Portions of the footers, each small enough to be decoded at once."""
    portion: list[tuple[int, SerialisedFooter]] = []
    size = 0
    for one in footers:
        length = len(one[1].thrift)
        if portion and size + length > _MANY:
            yield portion
            portion, size = [], 0
        portion.append(one)
        size += length
    yield portion


def by_lanes(footers: Sequence[SerialisedFooter]) -> dict[int, FileRowGroups]:
    """The row groups of the footers that can be read as lanes, by their places."""
    columns = footers[0].columns
    if not columns.types:
        return {}
    wanted = [key for key in columns.leaves if physical(key[1]) is not None]
    lanes = read_lanes(
        [footer.thrift for footer in footers],
        len(columns.head),
        columns.types,
        [columns.leaves[key] for key in wanted],
    )
    read_as = [
        WantedColumn(columns.forms[columns.leaves[key]], key[1], columns.conversions.get(key))
        for key in wanted
    ]
    statistics, is_short = statistics_of(lanes, read_as)
    groups = _lacking(
        footers[0],
        RowGroups(
            columns=columns,
            first=np.concatenate([[0], np.cumsum(lanes.row_groups)]),
            records=lanes.records,
            sizes=lanes.sizes,
            statistics=dict(zip(wanted, statistics, strict=True)),
            places=cache(lambda key: places_of(lanes, wanted.index(key), columns.conversions[key])),
            thrift=lanes.footer,
        ),
    )
    odd = set(np.repeat(np.arange(len(lanes.files)), lanes.row_groups)[is_short].tolist())
    return {
        place: (groups, number)
        for number, place in enumerate(lanes.files.tolist())
        if number not in odd
    }


def alone(footer: SerialisedFooter) -> FileRowGroups | Exception:
    """The row groups of one footer, or the error that decoding it raises."""
    try:
        return _decoded(footer), 0
    except Exception as error:  # noqa: BLE001  # decoders fail in many ways on malformed footers
        return error.with_traceback(None)


def _decoded(footer: SerialisedFooter) -> RowGroups:
    columns = footer.columns
    parts = parts_of(footer.thrift, len(columns.head), len(columns.types))
    rest = parts.rest()
    if rest.encryption_algorithm is not None:
        raise EncryptedParquet("columns are encrypted")
    groups = row_groups(parts, columns.types, columns.leaves.values())
    count = parts.count
    statistics = {
        key: ColumnChunks.of(
            chunk_statistics(
                groups.chunks[leaf],
                columns.forms[leaf],
                columns.conversions.get(key),
                order_of(rest, leaf),
            ),
            key[1],
        )
        for key, leaf in columns.leaves.items()
        if physical(key[1]) is not None
    }

    @cache
    def layouts() -> list[dict[int, ChunkLayout]]:
        conversions = {columns.leaves[key]: of for key, of in columns.conversions.items()}
        try:
            return chunk_layouts(parts, conversions)
        except MalformedParquet:  # it contradicts itself
            return [{}] * count

    def places(key: ColumnKey) -> ChunkPlaces:
        leaf = columns.leaves[key]
        return ChunkPlaces.of([group.get(leaf) for group in layouts()], columns.conversions[key])

    return _lacking(
        footer,
        RowGroups(
            columns=columns,
            first=np.array([0, count]),
            records=np.array(groups.records, np.int64),
            sizes=np.array(groups.sizes, np.int64),
            statistics=statistics,
            places=cache(places),
            thrift=lambda _: footer.thrift,
        ),
    )


def _lacking(footer: SerialisedFooter, groups: RowGroups) -> RowGroups:
    """Row groups of files like this one, with the statistics of the columns that they lack."""
    values = dict(footer.lacked)
    absent = frozenset(key for key in footer.columns.lacked if key not in values)
    constants = {key: value for key, value in values.items() if value is not None}
    made = {
        key: ColumnChunks.repeated(constants.get(key), counts, key[1])
        for keys, counts in ((absent, np.ones_like(groups.records)), (constants, groups.records))
        for key in keys
        if physical(key[1]) is not None
    }
    return replace(
        groups, absent=absent, constants=constants, statistics={**groups.statistics, **made}
    )
