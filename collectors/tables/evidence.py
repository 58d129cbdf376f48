"""Evidence of row groups beyond their statistics: dictionaries and bloom filters, fetched and
decoded for many files at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.budget import Budget, TooMuch
from prunescope.collectors.parquet.bloom_filters import (
    HEADER_BYTES,
    Blocks,
    filter_length,
    hashes,
    might_contain,
    read_filter,
)
from prunescope.collectors.parquet.dictionaries import dictionary_values
from prunescope.collectors.parquet.layouts import ChunkLayout
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.statistics import ColumnKey, MayContain, ValueSets, Wanted
from prunescope.collectors.storage.ranges import ByteRange, RangeRequest, read_ranges
from prunescope.collectors.storage.unreadable import FileUnreadable
from prunescope.collectors.tables.footers import Footer, ParquetFile
from prunescope.collectors.tables.row_groups import JoinedRowGroups
from prunescope.collectors.types import arrow_type

MAX_BYTES = 64 << 20
"""Dictionaries and filters that are read at once, unless those of a single file have more."""

_HELD = 256 << 20
"""Bytes of those of a single file that are read, and of what they hold: of others nothing is
known."""

Values = npt.NDArray[Any]
OpenedFile = tuple[ParquetFile, Footer]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A dictionary or bloom filter of one column in one row group, and its place.

    `row_group` counts over all files of a batch; `file` is the ordinal of the file. `without_nulls`
    tells that the chunk is known to hold no null.
    """

    file: int
    row_group: int
    key: ColumnKey
    layout: ChunkLayout
    place: ByteRange
    is_dictionary: bool
    without_nulls: bool

    @property
    def size(self) -> int:
        """Bytes to read."""
        return self.place.length


def plan_evidence(
    files: Sequence[OpenedFile], wanted: Mapping[ColumnKey, Wanted]
) -> list[Evidence]:
    """Places of the wanted dictionaries and bloom filters, as far as the files have any. The masks
    of `wanted` are over the row groups of all files, in order."""
    joined = JoinedRowGroups([(footer.row_groups, footer.number) for _, footer in files])
    owner = np.repeat(np.arange(len(files)), joined.counts).tolist()
    found: list[Evidence] = []
    for key, of in wanted.items():
        for name, is_wanted in (("dictionary", of.dictionary), ("bloom_filter", of.bloom_filter)):
            layouts = list(joined.layouts(key, is_wanted, name))
            here = [row_group for row_group, _ in layouts]
            nulls = joined.statistics(key).null_count.take(here).to_pylist() if here else []
            found += (
                Evidence(
                    file=owner[row_group],
                    row_group=row_group,
                    key=key,
                    layout=layout,
                    place=getattr(layout, name),
                    is_dictionary=name == "dictionary",
                    without_nulls=null_count == 0,
                )
                for (row_group, layout), null_count in zip(layouts, nulls, strict=True)
            )
    return sorted(found, key=attrgetter("row_group"))


def read_evidence(
    files: Sequence[OpenedFile], evidence: Sequence[Evidence], row_groups: int
) -> tuple[dict[ColumnKey, ValueSets], dict[ColumnKey, MayContain]]:
    """The dictionaries and bloom filters by column, over so many row groups. What cannot be read
    or decoded is unknown."""
    some = _within(_with_lengths(files, evidence))
    held = Budget(_HELD)
    dictionaries: dict[ColumnKey, list[tuple[Evidence, pa.Array]]] = {}
    filters: dict[ColumnKey, dict[int, tuple[Blocks, Conversion]]] = {}
    for part, data in _fetch(files, some):
        try:
            if part.is_dictionary:
                values = dictionary_values(data, part.layout)
                held.take(values.nbytes)
                dictionaries.setdefault(part.key, []).append((part, values))
            else:
                blocks = read_filter(data)
                held.take(blocks.nbytes)
                of_column = filters.setdefault(part.key, {})
                of_column[part.row_group] = (blocks, part.layout.conversion)
        except MalformedParquet:
            continue
        except TooMuch:
            break
    return (
        {key: _value_sets(key, found, row_groups) for key, found in dictionaries.items()},
        {key: _may_contain(found, row_groups) for key, found in filters.items()},
    )


def _within(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence whose bytes can be held: row groups may have theirs in one place."""
    total = accumulate(part.size for part in evidence)
    return [part for part, size in zip(evidence, total, strict=True) if size <= _HELD]


def _with_lengths(files: Sequence[OpenedFile], evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence, with the lengths of bloom filters that only their own headers tell."""
    known = [part for part in evidence if part.place.length]
    headers = [part for part in evidence if not part.place.length]
    for part, data in _fetch(files, [_resized(part, HEADER_BYTES) for part in headers]):
        try:
            known.append(_resized(part, filter_length(data)))
        except MalformedParquet:
            continue
    return known


def _resized(part: Evidence, length: int) -> Evidence:
    return Evidence(
        part.file,
        part.row_group,
        part.key,
        part.layout,
        ByteRange(part.place.offset, length),
        part.is_dictionary,
        part.without_nulls,
    )


def _fetch(
    files: Sequence[OpenedFile], evidence: Sequence[Evidence]
) -> Iterator[tuple[Evidence, bytes]]:
    """The bytes of what can be read."""
    by_file: dict[int, list[Evidence]] = {}
    for part in evidence:
        by_file.setdefault(part.file, []).append(part)
    requests = [
        RangeRequest(
            files[number][0].storage,
            files[number][0].path,
            tuple(part.place for part in parts),
            files[number][0].size,
        )
        for number, parts in by_file.items()
    ]
    for parts, read in zip(by_file.values(), read_ranges(requests), strict=True):
        if not isinstance(read, FileUnreadable):
            yield from zip(parts, read, strict=True)


def _value_sets(
    key: ColumnKey, found: Sequence[tuple[Evidence, pa.Array]], row_groups: int
) -> ValueSets:
    complete = np.zeros(row_groups, np.bool_)
    without_nulls = np.zeros(row_groups, np.bool_)
    for part, _ in found:
        complete[part.row_group] = True
        without_nulls[part.row_group] = part.without_nulls
    kind = arrow_type(key[1])
    return ValueSets(
        values=pa.concat_arrays([v if v.type == kind else v.cast(kind) for _, v in found]),
        owner=np.repeat(
            np.array([part.row_group for part, _ in found], np.int64),
            [len(values) for _, values in found],
        ),
        complete=complete,
        without_nulls=without_nulls,
    )


def _may_contain(filters: Mapping[int, tuple[Blocks, Conversion]], row_groups: int) -> MayContain:
    def ask(values: Values, rows: IntArray, count: int) -> tuple[BoolArray, BoolArray]:
        possible = np.ones((count, row_groups), np.bool_)
        known = np.zeros(row_groups, np.bool_)
        hashed = {
            conversion: hashes(values.tolist(), conversion)
            for conversion in {conversion for _, conversion in filters.values()}
        }
        for row_group, (blocks, conversion) in filters.items():
            of_values = hashed[conversion]
            if of_values is not None:
                found, places = of_values
                known[row_group] = True
                possible[:, row_group] = False
                possible[rows[places[might_contain(blocks, found)]], row_group] = True
        return possible, known

    return ask
