"""A sample of a table's rows, ready to be laid out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.advice.written_bounds import bounds
from prunescope.collectors.arrays import Floats, IntArray
from prunescope.collectors.statistics import ColumnKey, ColumnStatistics, Statistics
from prunescope.collectors.tables.metrics_modes import MetricsModes
from prunescope.collectors.types import is_floating


@dataclass(frozen=True, slots=True, eq=False)
class RankedColumn:
    """A column of N rows. `distinct` are its values in their order, `rank` the place of each row's
    value among them: −1 for null, and the number of values for NaN, so that rows sort by it as the
    advised statements sort them. `before[r]` rows have a value below the one of rank r, and `ranks`
    are those of the values of all rows, in order. `lower` and `upper` are the bounds that writers
    keep of each value, in a metrics mode."""

    type: str
    mode: str
    distinct: pa.Array
    rank: IntArray
    before: IntArray
    ranks: IntArray
    lower: pa.Array
    upper: pa.Array

    @property
    def nan(self) -> int:
        """The rank of NaN."""
        return len(self.distinct)

    def in_mode(self, mode: str) -> RankedColumn:
        """The column if writers keep bounds in a metrics mode."""
        lower, upper = bounds(self.distinct, self.type, mode)
        return replace(self, mode=mode, lower=lower, upper=upper)

    @property
    def has_value(self) -> npt.NDArray[np.bool_]:
        """Mask of the rows with a value that is neither null nor NaN."""
        return (self.rank >= 0) & (self.rank < self.nan)


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows:
    """N rows of a table with `bytes`, `records` and `files` in all. `weight` is the number of the
    table's rows that each stands for, and `cluster` the sampled file that it comes from. If rows of
    a partition stand for those of no other, `records_each` has the number of rows of each such
    file. Columns that could not be read are absent."""

    columns: Mapping[ColumnKey, RankedColumn]
    weight: Floats
    cluster: IntArray
    bytes: int
    records: int
    files: int
    records_each: Floats | None = None

    @property
    def count(self) -> int:
        """N."""
        return len(self.weight)

    @property
    def clusters(self) -> int:
        """The number of sampled files."""
        return int(self.cluster.max(initial=-1)) + 1

    @property
    def row_bytes(self) -> float:
        """The mean bytes of a row."""
        return self.bytes / max(1, self.records)

    def in_modes(self, modes: Mapping[ColumnKey, str]) -> SampledRows:
        """The rows if writers keep bounds of columns in other metrics modes."""
        others = {
            key: column.in_mode(modes[key])
            for key, column in self.columns.items()
            if modes.get(key, column.mode) != column.mode
        }
        return replace(self, columns={**self.columns, **others}) if others else self


def sampled_rows(
    samples: Sequence[Statistics],
    records: Sequence[int],
    names: Mapping[ColumnKey, str],
    *,
    table: tuple[int, int, int],
    modes: MetricsModes,
    files_each: Floats | None = None,
) -> SampledRows:
    """Rows of sampled files with these `records` each, of a `table` with the given bytes, records
    and files. `names` are those of columns, whose bounds are written in these `modes`. All files
    stand for the same number of files, or for `files_each`."""
    sizes = np.array([sample.count for sample in samples], np.int64)
    of_files = np.array(records, np.float64)
    if files_each is not None:
        of_files = of_files * files_each
    total_bytes, total_records, files = table
    scale = total_records / max(1.0, float(of_files.sum()))
    per_file = scale * of_files / np.maximum(sizes, 1)
    found: dict[ColumnKey, RankedColumn] = {}
    for key, name in names.items():
        if all(key in sample.columns for sample in samples):
            parts = [sample.columns[key] for sample in samples]
            found[key] = _ranked(key[1], parts, modes.mode(name))
    return SampledRows(
        found,
        np.repeat(per_file, sizes),
        np.repeat(np.arange(len(samples)), sizes),
        total_bytes,
        total_records,
        files,
    )


def _ranked(type_name: str, parts: Sequence[ColumnStatistics], mode: str) -> RankedColumn:
    values = pa.concat_arrays([part.lower for part in parts])
    is_null = pa.concat_arrays([part.all_null for part in parts])
    encoded = values.dictionary_encode()
    order = np.asarray(pc.sort_indices(encoded.dictionary), np.int64)
    distinct = encoded.dictionary.take(pa.array(order))
    place = np.empty(len(order) + 1, np.int64)
    place[order] = np.arange(len(order))
    place[-1] = -1
    codes = pc.fill_null(encoded.indices.cast(pa.int64()), len(order))
    rank = place[codes.to_numpy(zero_copy_only=False)]
    if is_floating(type_name):
        null = pc.fill_null(is_null, False).to_numpy(zero_copy_only=False)
        rank = np.where((rank < 0) & ~null, len(order), rank)
    own = rank[(rank >= 0) & (rank < len(order))]
    before = np.concatenate(([0], np.cumsum(np.bincount(own, minlength=len(order)))))
    lower, upper = bounds(distinct, type_name, mode)
    return RankedColumn(type_name, mode, distinct, rank, before, np.sort(own), lower, upper)
