"""Measuring: from manifests and their entries to `TableHealth`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.health.clustering import clustering, share_held, share_mixed
from prunescope.audit_jobs.health.measured_files import MeasuredFiles
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.health.sketch import (
    MAX_FILES,
    MAX_PARTITIONS,
    Measure,
    Sketch,
    hash_of,
    smallest,
)
from prunescope.audit_jobs.tuning import ENDS, NEARLY_ALL, SMALL
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.observed import TableName
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import (
    DELETED_FROM,
    ColumnKey,
    ColumnStatistics,
    Content,
    FileBatch,
    ManifestBatch,
)
from prunescope.collectors.tables.metrics_modes import USUAL_LENGTH

MAX_MEASURED_MANIFESTS = 1_000
"""Data manifests of a table that are measured; of more, a random sample."""


@dataclass(frozen=True, slots=True)
class ManifestFacts:
    """Facts of a manifest list about a snapshot. `files_by_spec` counts live data files, `planned`
    the data manifests that are measured; `added_since` and `listed_since` are those of a
    TableHealth."""

    manifests: int
    planned: int
    bytes: int
    depth: float | None
    files_by_spec: Mapping[int, int]
    added_since: int | None = None
    listed_since: int | None = None


def added_since(manifests: Iterable[tuple[int | None, int | None, int | None]]) -> int | None:
    """The sequence number of the commit since which nine in ten of the live files were added, as
    far as manifests tell: each is given as its sequence number, and the numbers of files that it
    adds and has. None if that is unknown for too many files, because commits have no numbers or
    manifests were merged."""
    found = list(manifests)
    if any(files is None for _, _, files in found):
        return None
    wanted = NEARLY_ALL * sum(files or 0 for _, _, files in found)
    added = 0
    for number, of_manifest, _ in sorted(found, key=lambda one: -(one[0] or 0)):
        if not number:
            return None
        added += of_manifest or 0
        if added and added >= wanted:
            return number
    return None


def manifest_depth(batches: Iterable[ManifestBatch], spec: PartitionSpec) -> float | None:
    """The depth of the partition field that separates the manifests of a spec best; None if no
    field has summaries."""
    depths = []
    for batch in batches:
        if batch.spec_id != spec.spec_id:
            continue
        for statistics in batch.statistics.columns.values():
            bounds = _pairs(statistics.lower, statistics.upper, batch.live)
            found = clustering(bounds, int(np.count_nonzero(batch.live)))
            if found is not None:
                depths.append(found.depth)
    return min(depths, default=None)


def measure_files(
    measured: MeasuredFiles, contradictions: Mapping[ColumnKey, npt.NDArray[np.bool_]]
) -> Sketch:
    """The sketch of data files; `contradictions` marks the files whose counts of a column are
    impossible."""
    files, chosen, measure = measured.files, measured.chosen, measured.measure
    sketch = Sketch(
        files=int(np.count_nonzero(chosen)),
        bytes=int(files.size.sum(where=chosen & (files.size > 0))),
        records=int(files.records.sum(where=chosen & (files.records > 0))),
        small_files=int(
            np.count_nonzero(chosen & (files.size >= 0) & (files.size < measure.small_bytes))
        ),
    )
    for key in measure.columns:
        column = files.metrics.columns[key]
        _count_column(sketch, key, column, chosen, contradictions.get(key))
    found: dict[int, tuple[int, int]] = {}
    for number, key_hash in measured.partitions.items():
        count, size = found.get(key_hash, (0, 0))
        found[key_hash] = (count + 1, size + max(0, int(files.size[number])))
    sketch.partitions = smallest(found, MAX_PARTITIONS)
    sketch.times = _bytes_by_times(measured)
    sampled = smallest(dict(measured.numbers), MAX_FILES)
    sketch.sample = {key: measured.sampled(number) for key, number in sampled.items()}
    return sketch


def _bytes_by_times(measured: MeasuredFiles) -> Counter[int]:
    """The bytes of partitions by time, without files that have none."""
    has_time = measured.times.is_valid().to_numpy(zero_copy_only=False)
    values, place = np.unique(measured.times.drop_null().to_numpy(), return_inverse=True)
    sizes = np.maximum(measured.files.size[measured.chosen][has_time], 0)
    sums = np.bincount(place, sizes, len(values)).astype(np.int64)
    return Counter(dict(zip(values.tolist(), sums.tolist(), strict=True)))


def measure_deletes(files: FileBatch, chosen: BoolArray) -> Sketch:
    """The sketch of the `chosen` delete files of a batch."""
    kinds, counts = np.unique(files.content[chosen], return_counts=True)
    of_one = _deleted_from(files, chosen & (files.content == Content.POSITION_DELETES))
    return Sketch(
        deletes=Counter(dict(zip(kinds.tolist(), counts.tolist(), strict=True))),
        of_one=len(of_one),
        deletes_of_one=smallest(Counter(map(hash_of, of_one)), MAX_FILES),
    )


def _deleted_from(files: FileBatch, chosen: BoolArray) -> list[str]:
    """The data files of those position delete files that are for one data file each: both of their
    bounds are its path."""
    known = files.metrics.columns.get(DELETED_FROM)
    if known is None:
        return []
    one = pc.fill_null(pc.equal(known.lower, known.upper), False)
    paths = known.lower.filter(pc.and_(one, pa.array(chosen))).to_pylist()
    return [path.decode(errors="replace") for path in paths]


def table_health(
    table: TableName,
    measure: Measure,
    facts: ManifestFacts,
    sketch: Sketch,
    names: Mapping[int, str],
    spec: PartitionSpec,
) -> TableHealth:
    """The layout of a table. `names` are its columns by field id."""
    measured = 1.0 if facts.planned == 0 else facts.planned / max(1, facts.manifests)
    is_partitioned = any(field.transform != "void" for field in spec.fields)
    by_partition = list(sketch.partitions.values()) if is_partitioned else []

    def scaled(count: int) -> int:
        return round(count / measured)

    return TableHealth(
        table=table,
        snapshot_id=measure.snapshot_id,
        spec_id=measure.spec_id,
        measured=measured,
        manifests=facts.manifests,
        manifest_bytes=facts.bytes,
        manifest_depth=facts.depth if is_partitioned else None,
        data_files=scaled(sketch.files),
        records=scaled(sketch.records),
        bytes=scaled(sketch.bytes),
        target_file_bytes=round(measure.small_bytes / SMALL),
        small_files=scaled(sketch.small_files),
        files_by_spec=facts.files_by_spec,
        position_delete_files=sketch.deletes[Content.POSITION_DELETES],
        equality_delete_files=sketch.deletes[Content.EQUALITY_DELETES],
        deletion_vectors=sketch.deletes[Content.DELETION_VECTOR],
        deletes_of_one_file=sketch.of_one,
        deletes_of_a_file=fmean(of_one) if (of_one := sketch.deletes_of_one.values()) else 0.0,
        partitions=sketch.partition_count if by_partition else None,
        partition_files=median(files for files, _ in by_partition) if by_partition else None,
        partition_bytes=median(size for _, size in by_partition) if by_partition else None,
        columns=tuple(
            _column_health(
                key,
                names[key[0]],
                sketch,
                scaled(sketch.files),
                measure.small_bytes,
                is_partitioned=is_partitioned,
            )
            for key in measure.columns
            if key[0] in names
        ),
        added_since=facts.added_since,
        listed_since=facts.listed_since,
    )


def _count_column(
    sketch: Sketch,
    key: ColumnKey,
    column: ColumnStatistics,
    chosen: BoolArray,
    contradicts: BoolArray | None,
) -> None:
    mask = pa.array(chosen)
    both = pc.and_(pc.is_valid(column.lower), pc.is_valid(column.upper))
    told = pc.or_(both, pc.fill_null(column.all_null, False))
    sketch.bounded[key] = pc.and_(told, mask).true_count
    inverted = pc.fill_null(pc.greater(column.lower, column.upper), False)
    wrong = np.asarray(inverted) if contradicts is None else np.asarray(inverted) | contradicts
    sketch.impossible[key] = int(np.count_nonzero(wrong & chosen))
    sketch.with_null[key] = pc.and_(pc.fill_null(column.has_null, False), mask).true_count
    ends = pc.min(column.lower.filter(mask)).as_py(), pc.max(column.upper.filter(mask)).as_py()
    if ends[0] is not None:
        sketch.low[key] = ends[0]
    if ends[1] is not None:
        sketch.high[key] = ends[1]


def _column_health(
    key: ColumnKey,
    name: str,
    sketch: Sketch,
    population: int,
    small_bytes: float,
    *,
    is_partitioned: bool,
) -> ColumnHealth:
    files = [file for file in sketch.sample.values() if key in file.bounds]
    bounds = [file.bounds[key] for file in files]
    found = clustering(bounds, population)
    by_partition: dict[int, list[tuple[Any, Any]]] = {}
    for file, of_file in zip(files, bounds, strict=True):
        if is_partitioned and file.partition is not None:
            by_partition.setdefault(file.partition, []).append(of_file)
    return ColumnHealth(
        field_id=key[0],
        name=name,
        type=key[1],
        bounded=sketch.bounded[key] / sketch.files if sketch.files else None,
        overlap=None if found is None else found.overlap,
        depth=None if found is None else found.depth,
        common_bounds=_common_bounds(bounds) if key[1] == "string" else None,
        impossible=sketch.impossible[key],
        low=sketch.low.get(key),
        high=sketch.high.get(key),
        ranges=() if found is None else found.ranges,
        mixed=share_mixed(by_partition.values()),
        held=share_held(by_partition.values()),
        spanned=_spanned(bounds, sketch.low.get(key), sketch.high.get(key)),
        with_null=sketch.with_null[key] / sketch.files if sketch.files else None,
        small_from=_small_from(
            [file.bounds[key][0] for file in files if 0 <= file.size < small_bytes],
            [low for low, _ in bounds],
            sketch.low.get(key),
            sketch.high.get(key),
        ),
    )


def _spanned(bounds: Sequence[tuple[Any, Any]], low: Any, high: Any) -> float | None:
    """The mean share of the interval between two whole numbers that ranges span."""
    sound = [last - first for first, last in bounds if first <= last] if type(low) is int else []
    if not sound or type(high) is not int or low >= high:
        return None
    return min(1.0, float(sum(sound) / len(sound) / (high - low)))


def _small_from(begins: Sequence[Any], of_all: Sequence[Any], low: Any, high: Any) -> float | None:
    """The position between two bounds (0 to 1) from which all but one in twenty of some files
    begin; for strings, the position among the values with which any file begins. None if unknown.
    """
    if not begins:
        return None
    first = sorted(begins)[len(begins) // 20]
    if isinstance(first, bytes):
        values = sorted(set(of_all))
        return bisect_left(values, first) / len(values)
    if not isinstance(low, int) or not isinstance(high, int) or low >= high:
        return None
    return float(max(0.0, min(1.0, (first - low) / (high - low))))


def _common_bounds(bounds: Sequence[tuple[Any, Any]]) -> float | None:
    """The share of files whose lower bound was truncated, and equals that of several others, and
    whose upper bound differs from it, and is no longer."""
    cut = Counter(
        low
        for low, high in bounds
        if low != high
        and len(low.decode(errors="replace")) == USUAL_LENGTH
        and len(high.decode(errors="replace")) <= USUAL_LENGTH
    )
    return sum(n for n in cut.values() if n > ENDS) / len(bounds) if bounds else None


def _pairs(lower: pa.Array, upper: pa.Array, chosen: BoolArray) -> list[tuple[Any, Any]]:
    return list(_both(lower.to_pylist(), upper.to_pylist(), chosen.tolist()))


def _both(
    lower: Sequence[Any], upper: Sequence[Any], chosen: Sequence[bool]
) -> Iterator[tuple[Any, Any]]:
    for low, high, wanted in zip(lower, upper, chosen, strict=True):
        if wanted and low is not None and high is not None:
            yield low, high
