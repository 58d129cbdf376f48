"""Pages of row groups as containers, from column and offset indexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from collectors.parquet.layouts import ChunkLayout
from collectors.parquet.page_indexes import Pages, decode_pages
from collectors.parquet.thrift_types import MalformedParquet
from collectors.statistics import (
    BoolArray,
    ColumnKey,
    ColumnStatistics,
    PageBatch,
    Statistics,
    constant,
    from_counts,
)
from collectors.storage.ranges import RangeRequest, read_ranges
from collectors.storage.unreadable import FileUnreadable
from collectors.tables.evidence import OpenedFile
from collectors.types import arrow_type, is_floating, physical

IntArray = npt.NDArray[np.int64]


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
    """Slices of one row group: their first rows, and lengths."""

    of: _RowGroup
    first_row: IntArray
    records: IntArray


def read_pages(
    files: Sequence[OpenedFile], columns: Sequence[ColumnKey], wanted: BoolArray
) -> PageBatch:
    """The pages of `columns` in the row groups that `wanted` selects of those of all files.

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
    places: list[list[tuple[int, int, ColumnKey, ChunkLayout]]] = []
    requests = []
    first = 0
    for file, footer in files:
        count = len(footer.records)
        is_wanted = wanted[first : first + count]
        here = list(_places(first, footer.layouts, keys, is_wanted)) if is_wanted.any() else []
        if here:
            ranges = [r for *_, at in here for r in (at.column_index, at.offset_index) if r]
            requests.append(RangeRequest(file.storage, file.path, tuple(ranges), file.size))
            places.append(here)
        first += count
    footers = [footer for _, footer in files]
    owner = np.repeat(np.arange(len(files)), [len(footer.records) for footer in footers])
    for here, read in zip(places, read_ranges(requests), strict=True):
        if isinstance(read, FileUnreadable):
            continue
        pages: dict[tuple[int, int], dict[ColumnKey, Pages]] = {}
        for (ordinal, number, key, layout), column_index, offset_index in zip(
            here, read[::2], read[1::2], strict=True
        ):
            records = footers[owner[ordinal]].records[number]
            try:
                found = decode_pages(column_index, offset_index, layout, records)
            except MalformedParquet:
                continue
            pages.setdefault((ordinal, number), {})[key] = found
        for (ordinal, number), by_key in pages.items():
            footer = footers[owner[ordinal]]
            yield _RowGroup(ordinal, footer.records[number], by_key, footer.absent)


def _places(
    first: int,
    layouts: Sequence[Mapping[ColumnKey, ChunkLayout]],
    keys: Sequence[ColumnKey],
    wanted: BoolArray,
) -> Iterator[tuple[int, int, ColumnKey, ChunkLayout]]:
    """The wanted row groups of a file (over all files, and within the file) and columns that have
    both indexes."""
    for number, by_key in enumerate(layouts):
        if wanted[number]:
            for key in keys:
                layout = by_key.get(key)
                if layout is None:
                    continue
                if layout.column_index is not None and layout.offset_index is not None:
                    yield first + number, number, key, layout


def _slices(group: _RowGroup) -> _Slices:
    starts = np.unique(np.concatenate([pages.first_row for pages in group.pages.values()]))
    return _Slices(group, starts, np.diff(starts, append=group.records))


def _span(part: _Slices, pages: Pages, first: int) -> tuple[IntArray, IntArray, IntArray]:
    """First and last slice of each page, and its size."""
    start = np.searchsorted(part.first_row, pages.first_row)
    end = np.append(start[1:], len(part.first_row))
    return first + start, first + end, pages.size


def _column(key: ColumnKey, slices: Iterable[_Slices]) -> ColumnStatistics:
    """What the covering pages say of a column, slice by slice."""
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
