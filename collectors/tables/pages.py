"""Pages of row groups as containers, from column and offset indexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
import pyarrow as pa

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.budget import Budget, TooMuch
from prunescope.collectors.parquet.layouts import ChunkLayout
from prunescope.collectors.parquet.page_indexes import Pages, decode_pages
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    PageBatch,
    Statistics,
    constant,
    from_counts,
)
from prunescope.collectors.storage.ranges import RangeRequest, read_ranges
from prunescope.collectors.storage.unreadable import FileUnreadable
from prunescope.collectors.tables.evidence import OpenedFile
from prunescope.collectors.tables.row_groups import JoinedRowGroups
from prunescope.collectors.types import arrow_type, is_floating, physical

_READ, _HELD = 64 << 20, 256 << 20
"""Bytes of indexes that are read at once, and of pages that are held: row groups may have theirs in
one place. Others are left out."""
_OF_PAGE = 100


@dataclass(frozen=True, slots=True)
class _RowGroup:
    """The pages of one row group, by column; `absent` are columns that are null throughout.
    `ordinal` counts over all files."""

    ordinal: int
    records: int
    pages: Mapping[ColumnKey, Pages]
    absent: frozenset[ColumnKey]


@dataclass(frozen=True, slots=True)
class _Slices:
    """Slices of one row group: their first rows, and numbers of rows."""

    of: _RowGroup
    first_row: IntArray
    records: IntArray


def read_pages(
    files: Sequence[OpenedFile], columns: Sequence[ColumnKey], wanted: BoolArray
) -> PageBatch:
    """The pages of `columns` in the row groups that `wanted` selects, a mask over those of all
    files.

    Row groups without an index of any of the columns are left out, as are those whose indexes
    cannot be read.
    """
    keys = [key for key in columns if physical(key[1]) is not None]
    slices = [_slices(group) for group in _indexed(files, keys, wanted)]
    sizes = [len(part.records) for part in slices]
    first_slice = np.cumsum([0, *sizes])[:-1].tolist()
    spans = [
        (keys.index(key), *_span(part, pages, first))
        for part, first in zip(slices, first_slice, strict=True)
        for key, pages in part.of.pages.items()
    ]
    count = sum(sizes)
    return PageBatch(
        row_group=np.repeat(np.array([part.of.ordinal for part in slices], np.int64), sizes),
        records=_joined([part.records for part in slices]),
        metrics=Statistics(
            count, constant(False, count), {key: _column(key, slices) for key in keys if count}
        ),
        columns=tuple(keys),
        column=_joined([np.full(len(size), column) for column, _, _, size in spans]),
        first_slice=_joined([first for _, first, _, _ in spans]),
        end_slice=_joined([end for _, _, end, _ in spans]),
        size=_joined([size for _, _, _, size in spans]),
    )


def _joined(arrays: Sequence[IntArray]) -> IntArray:
    return np.concatenate([np.zeros(0, np.int64), *arrays])


def _indexed(
    files: Sequence[OpenedFile], keys: Sequence[ColumnKey], wanted: BoolArray
) -> Iterator[_RowGroup]:
    """The row groups that have an index of some column."""
    joined = JoinedRowGroups([(footer.row_groups, footer.number) for _, footer in files])
    owner = np.repeat(np.arange(len(files)), joined.counts)
    records = joined.records.tolist()
    by_file: dict[int, list[tuple[int, ColumnKey, ChunkLayout]]] = {}
    held = Budget(_HELD)
    total = 0
    for ordinal, key, layout in _places(joined, keys, wanted):
        total += sum(one.length for one in (layout.column_index, layout.offset_index) if one)
        if total > _READ:
            break
        by_file.setdefault(int(owner[ordinal]), []).append((ordinal, key, layout))
    requests = []
    for number, here in by_file.items():
        ranges = [r for *_, at in here for r in (at.column_index, at.offset_index) if r]
        file = files[number][0]
        requests.append(RangeRequest(file.storage, file.path, tuple(ranges), file.size))
    for (number, here), read in zip(by_file.items(), read_ranges(requests), strict=True):
        if isinstance(read, FileUnreadable):
            continue
        pages: dict[int, dict[ColumnKey, Pages]] = {}
        for (ordinal, key, layout), column_index, offset_index in zip(
            here, read[::2], read[1::2], strict=True
        ):
            try:
                found = decode_pages(column_index, offset_index, layout, records[ordinal])
                held.take(_OF_PAGE * len(found.records) + found.lower.nbytes + found.upper.nbytes)
            except (MalformedParquet, TooMuch):
                continue
            pages.setdefault(ordinal, {})[key] = found
        for ordinal, by_key in pages.items():
            yield _RowGroup(ordinal, records[ordinal], by_key, files[number][1].absent)


def _places(
    joined: JoinedRowGroups, keys: Sequence[ColumnKey], wanted: BoolArray
) -> list[tuple[int, ColumnKey, ChunkLayout]]:
    """The wanted row groups and columns that have both indexes, in the order of row groups."""
    found = [
        (ordinal, key, layout)
        for key in keys
        for ordinal, layout in joined.layouts(key, wanted, "column_index", "offset_index")
    ]
    return sorted(found, key=itemgetter(0))


def _slices(group: _RowGroup) -> _Slices:
    starts = np.unique(np.concatenate([pages.first_row for pages in group.pages.values()]))
    return _Slices(group, starts, np.diff(starts, append=group.records))


def _span(part: _Slices, pages: Pages, first: int) -> tuple[IntArray, IntArray, IntArray]:
    """First and last slice of each page, and its size."""
    start = np.searchsorted(part.first_row, pages.first_row)
    end = np.append(start[1:], len(part.first_row))
    return first + start, first + end, pages.size


def _column(key: ColumnKey, slices: Iterable[_Slices]) -> ColumnStatistics:
    """The statistics of a column by slice, taken from the pages that cover each slice."""
    kind = arrow_type(key[1])
    lower, upper, nulls, values = [], [], [], []
    for part in slices:
        size = len(part.records)
        pages = part.of.pages.get(key)
        if pages is None:
            # A column that the file lacks is null in each of the rows.
            known = part.records if key in part.of.absent else None
            lower.append(pa.nulls(size, kind))
            upper.append(pa.nulls(size, kind))
            nulls.append(pa.nulls(size, pa.int64()) if known is None else pa.array(known))
            values.append(pa.nulls(size, pa.int64()) if known is None else pa.array(known))
            continue
        covering = pa.array(np.searchsorted(pages.first_row, part.first_row, "right") - 1)
        lower.append(pages.lower.take(covering))
        upper.append(pages.upper.take(covering))
        nulls.append(pages.null_count.take(covering))
        values.append(pa.array(pages.records).take(covering))
    count = sum(len(part) for part in nulls)
    return from_counts(
        pa.concat_arrays(lower),
        pa.concat_arrays(upper),
        null_count=pa.concat_arrays(nulls),
        nan_count=pa.nulls(count, pa.int64()) if is_floating(key[1]) else None,
        value_count=pa.concat_arrays(values),
    )
