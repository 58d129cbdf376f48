"""The live entries of manifests as columns, however they were decoded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.tables.avro_lanes import Cells

# Field ids of the table spec, "Manifests".
STATUS, SEQUENCE, DATA_FILE = 0, 3, 2
CONTENT, PATH, FORMAT, PARTITION, RECORDS, SIZE = 134, 100, 101, 102, 103, 104
VALUE_COUNTS, NULL_COUNTS, NAN_COUNTS, LOWER, UPPER = 109, 110, 137, 125, 128
SPLIT_OFFSETS = 132
COUNTS = (VALUE_COUNTS, NULL_COUNTS, NAN_COUNTS)
BOUNDS = (LOWER, UPPER)
FILE_FIELDS = (CONTENT, PATH, FORMAT, PARTITION, RECORDS, SIZE, SPLIT_OFFSETS)
METRICS = (*COUNTS, *BOUNDS)
EXISTING, ADDED, DELETED = 0, 1, 2

UNKNOWN = -1
INHERITED = -2
"""The data sequence number of an entry that has that of its manifest."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Some live entries of manifests that have the same fields.

    `content`, `records`, `size` and `sequence_numbers` are as written, the last of these UNKNOWN
    or INHERITED where it was not; `row_groups` is that of the function of this name.
    `partition` has the values of the partition fields that the manifest has, by field id, and
    `metrics` what each map of column metrics that it has says, by the map's field id and the
    column's.
    """

    paths: pa.StringArray
    formats: pa.StringArray
    content: IntArray
    records: IntArray
    size: IntArray
    row_groups: IntArray
    sequence_numbers: IntArray
    partition: Mapping[int, pa.Array]
    metrics: Mapping[int, Mapping[int, Cells]]

    def __len__(self) -> int:
        return len(self.paths)

    def metric(self, map_id: int, column: int) -> pa.Array:
        """The values of a column in a map of metrics, null for entries without one."""
        found = self.metrics.get(map_id, {}).get(column)
        if found is None:
            return pa.nulls(len(self), pa.binary() if map_id in BOUNDS else pa.int64())
        return spread(found, len(self))

    def narrowed(self, columns: Collection[int] | None) -> Entries:
        """The same entries with the metrics of some columns, None for all."""
        if columns is None:
            return self
        metrics = {
            map_id: {column: _own(by_column[column]) for column in columns if column in by_column}
            for map_id, by_column in self.metrics.items()
        }
        return replace(self, metrics=metrics)

    def inheriting(self, inherited: int | IntArray) -> Entries:
        """The same entries with the sequence number of their manifest, one for all or one by entry,
        if theirs is inherited."""
        numbers = self.sequence_numbers
        return replace(self, sequence_numbers=np.where(numbers == INHERITED, inherited, numbers))

    def slice(self, start: int, stop: int) -> Entries:
        """The entries from `start` to before `stop`."""
        return self._mapped(
            lambda values: values[start:stop],
            lambda values: values.slice(start, stop - start),
            lambda cells: _sliced(cells, start, stop),
        )

    def chosen(self, keep: BoolArray) -> Entries:
        """The entries that a mask selects."""
        mask = pa.array(keep)
        return self._mapped(
            lambda values: values[keep],
            lambda values: values.filter(mask),
            lambda cells: chosen(cells, keep),
        )

    def _mapped(
        self,
        numbers: Callable[[IntArray], IntArray],
        arrays: Callable[[pa.Array], pa.Array],
        cells: Callable[[Cells], Cells],
    ) -> Entries:
        return Entries(
            paths=arrays(self.paths),
            formats=arrays(self.formats),
            content=numbers(self.content),
            records=numbers(self.records),
            size=numbers(self.size),
            row_groups=numbers(self.row_groups),
            sequence_numbers=numbers(self.sequence_numbers),
            partition={field: arrays(values) for field, values in self.partition.items()},
            metrics={
                map_id: {column: cells(found) for column, found in by_column.items()}
                for map_id, by_column in self.metrics.items()
            },
        )


def _own(cells: Cells) -> Cells:
    """Cells in arrays of their own, so that the arrays of all columns can be freed."""
    values = cells.values
    return Cells(cells.rows, values.copy() if isinstance(values, np.ndarray) else values)


def _sliced(cells: Cells, start: int, stop: int) -> Cells:
    """The cells of the rows from a place to before another."""
    if cells.rows is None:
        return Cells(None, cells.values[start:stop])
    first, last = np.searchsorted(cells.rows, (start, stop)).tolist()
    return Cells(cells.rows[first:last] - start, cells.values[first:last])


def spread(cells: Cells, count: int) -> pa.Array:
    """Cells as an array of `count` values, null for rows without a cell."""
    values = cells.values if isinstance(cells.values, pa.Array) else pa.array(cells.values)
    if cells.rows is None or len(cells.rows) == count:
        return values
    places = np.full(count, -1)
    places[cells.rows] = np.arange(len(cells.rows))
    return values.take(pa.array(places, mask=places < 0))


def chosen(cells: Cells, keep: BoolArray) -> Cells:
    """The cells of some rows."""
    there = keep if cells.rows is None else keep[cells.rows]
    values = cells.values
    values = values.filter(pa.array(there)) if isinstance(values, pa.Array) else values[there]
    if cells.rows is None:
        return Cells(None, values)
    return Cells((np.cumsum(keep) - 1)[cells.rows[there]], values)


def joined(arrays: Sequence[pa.Array], kind: pa.DataType) -> pa.Array:
    """Arrays of one type, one after the other."""
    return pa.concat_arrays(arrays) if arrays else pa.array([], kind)


def together(parts: Sequence[npt.NDArray[Any]]) -> IntArray:
    """Integers, one array after the other."""
    return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64, copy=False)


def check(entries: Entries) -> Entries:
    """The entries, unless a file lacks what the spec requires of it. Raises ValueError."""
    if entries.paths.null_count or entries.formats.null_count:
        raise ValueError("a file without a path or format")
    if len(entries) and not 0 <= int(entries.content.min()) <= int(entries.content.max()) <= 2:
        raise ValueError("a file of unknown content")
    return entries


def statuses(values: Iterable[int] | IntArray) -> IntArray:
    """The statuses of entries. Raises ValueError for any other."""
    found = np.asarray(values, np.int64)
    if not bool(np.isin(found, (EXISTING, ADDED, DELETED)).all()):
        raise ValueError("an entry of another status")
    return found


def row_groups(counts: IntArray, last: IntArray, size: IntArray) -> IntArray:
    """The number of row groups of files, from the number of their split offsets, the last one and
    the file's size. UNKNOWN if there are none, or the last one lies beyond the file: then Iceberg
    trusts none of them (BaseFile.splitOffsets of 1.11)."""
    return np.where((counts > 0) & (last < size), counts, np.int64(UNKNOWN))


def sequence_numbers(status: IntArray, numbers: pa.Array) -> IntArray:
    """Data sequence numbers, by the table spec's "Sequence Number Inheritance"."""
    known = np.asarray(pc.fill_null(numbers, UNKNOWN).to_numpy(zero_copy_only=False))
    missing = numbers.is_null().to_numpy(zero_copy_only=False)
    known = np.maximum(known, UNKNOWN)
    return np.where(missing & (status == ADDED), INHERITED, known).astype(np.int64)
