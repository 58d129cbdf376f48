"""Column statistics that no scan of a log needs, proven by replay.

Statistics only ever rule out files, so a planner with fewer statistics keeps the same files or
more: a removal that changes no plan for all columns together changes none for some of them. One
pass over the files is therefore enough: columns that later files need are given back, and the proof
for earlier files still holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.pruning.passes import prune_files
from prunescope.audit_jobs.pruning.shapes import Shape
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import ColumnKey, ColumnStatistics, FileBatch
from prunescope.collectors.tables.entries import BOUNDS, COUNTS, VALUE_COUNTS, Entries
from prunescope.collectors.tables.metrics_modes import DEFAULT_MODE, mode_property

FULL, COUNTS_ONLY, NONE = "full", "counts", "none"
_LESS = (NONE, COUNTS_ONLY)
"""Modes that a column may be left with, the least first (`write.metadata.metrics.column.*`)."""
_ENTRY_BYTES = 48
"""The bytes of an entry beside its path and its metrics, about."""
_HEADER_BYTES = 4_096
"""The bytes of a manifest before its entries, about: Avro's schema, most of all."""


@dataclass
class Proof:
    """Metrics modes that suffice for some columns, for the files and scans that were shown. `modes`
    has the mode left to each column: FULL if any plan would change otherwise."""

    modes: dict[int, str]
    scans: int = 0
    files: int = 0

    @classmethod
    def of(cls, candidates: Iterable[int]) -> Proof:
        """The proof with no file shown yet: no column needs statistics."""
        return cls(dict.fromkeys(candidates, NONE))

    def show(
        self, shapes: Sequence[Shape], files: FileBatch, spec: PartitionSpec, reach: Reach
    ) -> None:
        """Restores the modes that these files need, so that each scan keeps the same files."""
        self.files += files.metrics.count
        self.scans = max(self.scans, len(reach.parents))
        less: dict[int, str] = {}
        for column, mode in self.modes.items():
            concerned = [shape for shape in shapes if column in compared(shape)]
            for tried in (*_LESS[_LESS.index(mode) :], FULL) if mode != FULL else (FULL,):
                less[column] = tried
                if tried == FULL or _same(concerned, files, spec, reach, less):
                    break
        self.modes = less


def compared(shape: Shape) -> set[int]:
    """The columns that scans of a shape compare."""
    return {leaf.field.field_id for leaf in shape.leaves}


def _same(
    shapes: Sequence[Shape],
    files: FileBatch,
    spec: PartitionSpec,
    reach: Reach,
    modes: Mapping[int, str],
) -> bool:
    """True if scans keep the same files with columns cut to these modes."""
    if not shapes:
        return True
    columns: dict[ColumnKey, ColumnStatistics] = {}
    for key, known in files.metrics.columns.items():
        mode = modes.get(key[0], FULL)
        if mode != NONE:
            columns[key] = known if mode == FULL else without_bounds(known)
    fewer = replace(files, metrics=replace(files.metrics, columns=columns))
    plans = (prune_files(shapes, some, spec, reach) for some in (files, fewer))
    return all(np.array_equal(a.kept, b.kept) for a, b in zip(*plans, strict=True))


def without_bounds(known: ColumnStatistics) -> ColumnStatistics:
    """The statistics of a column by its counts alone."""
    nothing = pa.nulls(len(known.lower), known.lower.type)
    no_value = pc.or_kleene(known.all_null, known.all_nan)
    return replace(
        known,
        lower=nothing,
        upper=nothing,
        none_low=no_value,
        none_high=no_value,
    )


@dataclass
class MetricBytes:
    """Bytes of manifests' entries before compression: in all, and for the metrics of each column,
    including its bounds. The manifests have `manifests` bytes, of which their entries take
    `entries`."""

    manifests: int = 0
    entries: int = 0
    all: int = 0
    metrics: Counter[int] = field(default_factory=Counter)
    bounds: Counter[int] = field(default_factory=Counter)

    def add(self, manifest_bytes: int, parts: Iterable[Entries], *, count: int = 1) -> None:
        """Adds `count` manifests of `manifest_bytes` each, and their entries."""
        self.manifests += manifest_bytes
        self.entries += max(0, manifest_bytes - count * _HEADER_BYTES)
        for part in parts:
            self.all += len(part) * _ENTRY_BYTES
            self.all += pc.sum(pc.binary_length(part.paths)).as_py() or 0
            for map_id in (*COUNTS, *BOUNDS):
                for column, cells in part.metrics.get(map_id, {}).items():
                    size = _map_bytes(column, cells.values)
                    if map_id == VALUE_COUNTS:
                        size *= 2  # a column's size is written beside its count of values
                    if map_id in BOUNDS:
                        self.bounds[column] += size
                    self.metrics[column] += size
                    self.all += size

    def saved(self, column: int, mode: str) -> float:
        """The bytes of manifests that a column's mode saves, if all its parts are compressed
        alike."""
        raw = (self.metrics if mode == NONE else self.bounds)[column]
        return raw * min(1.0, self.entries / max(1, self.all))


def _map_bytes(column: int, values: object) -> int:
    """Bytes of map entries with the key of a column, as Avro writes them."""
    if isinstance(values, pa.Array) and not pa.types.is_integer(values.type):
        lengths = np.asarray(pc.fill_null(pc.binary_length(values), 0))
        return int(lengths.sum() + _varint_bytes(lengths).sum()) + len(lengths) * _key(column)
    numbers = np.asarray(values, np.int64)
    return int(_varint_bytes(numbers).sum()) + len(numbers) * _key(column)


def _key(column: int) -> int:
    return int(_varint_bytes(np.array([column])).sum())


def _varint_bytes(values: np.ndarray) -> np.ndarray:
    """Bytes of whole numbers in Avro: seven bits each, one of them for the sign."""
    bits = np.ceil(np.log2(2.0 * np.abs(values.astype(np.float64)) + 1))
    return np.maximum(1, np.ceil(bits / 7)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Spare:
    """A column that needs no more than `mode` for all plans to stay the same, the bytes of
    manifests that this saves, and the number of runs that compared it."""

    column: str
    mode: str
    bytes: float
    runs: float


@dataclass(frozen=True, slots=True)
class Missing:
    """A column that `runs` scans compared, and of which `files` of the table's have no bounds: all
    of them, or new ones will have none by the `mode` that the table's properties set."""

    column: str
    runs: float
    files: int
    mode: str


@dataclass(frozen=True, slots=True)
class Diet:
    """Columns whose statistics can go because no scan compares them (`dropped`), columns that scans
    compare without any effect (`idle`: these keep theirs, because another order of rows would use
    them), and columns that lack statistics. Proven for `scans` distinct scans of `files` data
    files, whose manifests have `manifest_bytes`."""

    dropped: tuple[Spare, ...]
    idle: tuple[Spare, ...]
    missing: tuple[Missing, ...]
    scans: int
    files: int
    manifest_bytes: int

    @property
    def bytes(self) -> float:
        """The bytes of manifests that are saved, estimated."""
        return sum(one.bytes for one in self.dropped)

    @property
    def properties(self) -> dict[str, str]:
        """The table properties to set: columns to drop, then columns to add."""
        found = {mode_property(one.column): one.mode for one in self.dropped}
        return found | {mode_property(one.column): DEFAULT_MODE for one in self.missing}

    @property
    def limits(self) -> tuple[str, ...]:
        """Sentences on the limits of the proof."""
        return tuple(self._limits())

    def _limits(self) -> Iterator[str]:
        if self.dropped:
            yield (
                f"Verified: without these statistics, all {self.scans:,} distinct scans keep the "
                f"same data files (of {self.files:,}). Manifest and row group pruning is "
                f"unaffected. Not covered: skipped log entries, and readers outside this log."
            )
            yield (
                "The bytes are those that the columns' bounds and counts need in the entries of "
                "the manifests, as if all of these were compressed alike."
            )
            yield (
                "Optimizers estimate by bounds and counts (Trino's joins), and Spark answers "
                "min(), max() and count() of a column by them: keep those that are asked so."
            )
        if self.properties:
            yield (
                "Metrics settings apply to new files only. Set them before the rewrite, in Spark: "
                "Trino has no such property."
            )
        if self.missing:
            yield "Files without bounds have none of a column until they are rewritten."
