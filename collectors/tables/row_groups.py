"""The row groups of many files, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.parquet.column_chunks import ChunkPlaces, ColumnChunks
from prunescope.collectors.parquet.layouts import ChunkLayout
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.footer_columns import FileColumns


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Row groups of some files that have the same `columns`: the `first` of each file, and their
    end; the number of `records` of each, and its compressed `sizes` in bytes; and the `statistics`
    of wanted columns. `places` returns the other places of chunks (dictionaries, filters, indexes)
    of a column of a comparable type, and `thrift` the serialised footer of a file, by its number.

    `absent` names the wanted columns that are null in all rows, because the files do not have them,
    and `constants` those that have one value in all rows for the same reason, their
    `initial-default`. Both are empty for files without field ids or a mapping of names to them:
    nothing is known of their columns.
    """

    columns: FileColumns
    first: IntArray
    records: IntArray
    sizes: IntArray
    statistics: Mapping[ColumnKey, ColumnChunks]
    places: Callable[[ColumnKey], ChunkPlaces]
    thrift: Callable[[int], bytes]
    absent: frozenset[ColumnKey] = frozenset()
    constants: Mapping[ColumnKey, PhysicalValue] = field(default_factory=dict)


FileRowGroups = tuple[RowGroups, int]
"""The row groups of one file: those that it is among, and its number there."""


class JoinedRowGroups:
    """Row groups of some files, one after the other, whatever columns the files have."""

    def __init__(self, files: Sequence[FileRowGroups]) -> None:
        self._parts: list[tuple[RowGroups, IntArray | None]] = []
        counts = [np.zeros(0, np.int64)]
        for _, members in groupby(files, lambda file: id(file[0])):
            of_part = list(members)
            groups = of_part[0][0]
            numbers = np.array([number for _, number in of_part])
            first, count = groups.first[numbers], np.diff(groups.first)[numbers]
            rows = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
            is_whole = np.array_equal(rows, np.arange(len(groups.records)))
            self._parts.append((groups, None if is_whole else rows))
            counts.append(count)
        self.counts: IntArray = np.concatenate(counts)
        """The row groups of each file."""

    @property
    def records(self) -> IntArray:
        """The number of rows of each row group."""
        return self._numbers(lambda groups: groups.records)

    @property
    def sizes(self) -> IntArray:
        """The compressed bytes of each row group."""
        return self._numbers(lambda groups: groups.sizes)

    def statistics(self, key: ColumnKey) -> ColumnChunks:
        """The statistics of a column, null if unknown."""
        found = [ColumnChunks.unknown(0, key[1])]
        for groups, rows in self._parts:
            of_part = groups.statistics.get(key)
            if of_part is None:
                count = len(groups.records if rows is None else rows)
                found.append(ColumnChunks.unknown(count, key[1]))
            else:
                found.append(of_part if rows is None else of_part.take(rows))
        return ColumnChunks.joined(found)

    def layouts(
        self, key: ColumnKey, wanted: BoolArray, *places: str
    ) -> Iterator[tuple[int, ChunkLayout]]:
        """The layouts of a column, by wanted row group that has all of these places."""
        end = 0
        for groups, rows in self._parts:
            numbers = np.arange(len(groups.records)) if rows is None else rows
            start, end = end, end + len(numbers)
            is_wanted = wanted[start:end]
            if key in groups.columns.conversions:
                of_part = groups.places(key)
                for name in places:
                    if is_wanted.any():
                        is_wanted = is_wanted & (of_part.places(name)[numbers, 0] > 0)
                for place in np.flatnonzero(is_wanted).tolist():
                    yield start + place, of_part.layout(numbers[place])

    def has_any(self, key: ColumnKey, place: str) -> bool:
        """True if a column has such a place in any of the files with these row groups."""
        return any(
            groups.places(key).places(place)[:, 0].any()
            for groups, _ in self._parts
            if key in groups.columns.conversions
        )

    def _numbers(self, of: Callable[[RowGroups], IntArray]) -> IntArray:
        found = [of(groups) if rows is None else of(groups)[rows] for groups, rows in self._parts]
        return np.concatenate([np.zeros(0, np.int64), *found])
