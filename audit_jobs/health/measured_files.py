"""The data files of a batch that are measured, and the facts kept of sampled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.health.sketch import Measure, SampledFile, hash_of
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.statistics import FileBatch


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredFiles:
    """The `chosen` data files of a batch. `partitions` has the hashes of their partitions, if they
    were written under the measured spec, and `numbers` their numbers by hashes of their paths.
    `times` has the value of each chosen file in the measured field of a time, if any."""

    files: FileBatch
    chosen: BoolArray
    measure: Measure
    partitions: Mapping[int, int]
    numbers: Mapping[int, int]
    times: pa.Array

    @classmethod
    def of(
        cls,
        files: FileBatch,
        chosen: BoolArray,
        partitions: Sequence[Mapping[int, Any]] | None,
        measure: Measure,
    ) -> MeasuredFiles:
        """The chosen files of a batch, with all of its partition tuples, or None if it has another
        spec."""
        hashes = {} if partitions is None else _partition_hashes(partitions, chosen)
        numbers = np.flatnonzero(chosen).tolist()
        paths = files.paths.filter(pa.array(chosen)).to_pylist()
        by_path = {hash_of(path): number for path, number in zip(paths, numbers, strict=True)}
        times = _times(partitions or (), numbers, measure.times)
        return cls(files, chosen, measure, hashes, by_path, times)

    def sampled(self, number: int) -> SampledFile:
        """The known facts about a file."""
        bounds, untold = {}, set()
        for key in self.measure.of_sampled:
            column = self.files.metrics.columns[key]
            low, high = column.lower[number].as_py(), column.upper[number].as_py()
            if low is not None and high is not None:
                bounds[key] = (low, high)
            elif not column.all_null[number].as_py():
                untold.add(key)
        return SampledFile(
            path=self.files.paths[number].as_py(),
            size=int(self.files.size[number]),
            records=int(self.files.records[number]),
            parquet=bool(self.files.parquet[number]),
            bounds=bounds,
            spec_id=self.files.spec_id,
            partition=self.partitions.get(number),
            untold=frozenset(untold),
        )


def _times(
    partitions: Sequence[Mapping[int, Any]], numbers: Sequence[int], field: int | None
) -> pa.Array:
    """Returns the values of files in a field of a time; null if a value is no whole number, as days
    are."""
    if field is None or not partitions:
        return pa.nulls(len(numbers), pa.int64())
    found = (partitions[number].get(field) for number in numbers)
    return pa.array([value if type(value) is int else None for value in found], pa.int64())


def _partition_hashes(partitions: Sequence[Mapping[int, Any]], chosen: BoolArray) -> dict[int, int]:
    """The hashes of the partitions of chosen files, by the numbers of these."""
    return {
        number: hash_of(repr(sorted(partitions[number].items())))
        for number in np.flatnonzero(chosen).tolist()
    }
