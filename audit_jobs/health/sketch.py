"""Facts about files that add up over any split of them: counts, and two random samples that are
the same however the files are split (the k smallest hashes: bottom-k, or KMV, sketches)."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeVar

from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey

MAX_FILES = 500
"""Sampled files per table."""
MAX_PARTITIONS = 1_000
"""Sampled partitions per table."""
MAX_VOTERS = 64
"""Scans per table of which it is known what they keep."""
MAX_KEPT = 16
"""Sampled files of what such a scan keeps."""

_HASHES = 2.0**64
_Sampled = TypeVar("_Sampled")


@dataclass(frozen=True, slots=True)
class Measure:
    """Subject of measuring: a table's snapshot; bounds of `columns`, and of other `partitioned`
    columns in sampled files; files smaller than `small_bytes`; partitions of the spec `spec_id`,
    and bytes by the times of its field `times`, if it has one."""

    snapshot_id: int
    spec_id: int
    columns: tuple[ColumnKey, ...]
    small_bytes: float
    partitioned: tuple[ColumnKey, ...] = ()
    times: int | None = None

    @property
    def of_sampled(self) -> tuple[ColumnKey, ...]:
        """The columns whose bounds sampled files have."""
        return (*self.columns, *self.partitioned)


@dataclass(frozen=True, slots=True)
class SampledFile:
    """A data file of the sample, with the bounds that its manifest gives, by column, the spec that
    it was written under, and a hash of its partition, if that is the measured one. For columns that
    are `untold` the manifest has neither bounds nor a count that shows all to be null, such as
    columns added to the table since."""

    path: str
    size: int
    records: int
    parquet: bool
    bounds: Mapping[ColumnKey, tuple[PhysicalValue, PhysicalValue]]
    spec_id: int = 0
    partition: int | None = None
    untold: frozenset[ColumnKey] = frozenset()


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """The number of files that a scan keeps, and the smallest hashes of these, in ascending
    order."""

    count: int
    smallest: tuple[int, ...]

    def also(self, other: KeptFiles) -> KeptFiles:
        """The sum with the files that the scan keeps elsewhere."""
        hashes = sorted({*self.smallest, *other.smallest})[:MAX_KEPT]
        return KeptFiles(self.count + other.count, tuple(hashes))


@dataclass
class Sketch:
    """Facts about some data and delete files of one table.

    `deletes` counts delete files by content, `of_one` those of positions in one data file each, and
    `deletes_of_one` these by hashes of the paths of data files. `bounded` counts data files with
    both bounds of a column, or none because all is null; `impossible` those whose bounds or counts
    contradict themselves; `with_null` those that have nulls; `low` and `high` bound all values.
    `partitions` maps hashes of partitions to their numbers of files and bytes, and `times` the
    times of partitions (days since 1970, say) to their bytes. `kept` has the files that some scans
    keep, by hashes of the scans, and `kept_files` these files, by hashes of the files.
    """

    manifests: int = 0
    files: int = 0
    bytes: int = 0
    records: int = 0
    small_files: int = 0
    deletes: Counter[int] = field(default_factory=Counter)
    of_one: int = 0
    deletes_of_one: dict[int, int] = field(default_factory=dict)
    bounded: Counter[ColumnKey] = field(default_factory=Counter)
    impossible: Counter[ColumnKey] = field(default_factory=Counter)
    with_null: Counter[ColumnKey] = field(default_factory=Counter)
    low: dict[ColumnKey, PhysicalValue] = field(default_factory=dict)
    high: dict[ColumnKey, PhysicalValue] = field(default_factory=dict)
    sample: dict[int, SampledFile] = field(default_factory=dict)
    partitions: dict[int, tuple[int, int]] = field(default_factory=dict)
    times: Counter[int] = field(default_factory=Counter)
    kept: dict[int, KeptFiles] = field(default_factory=dict)
    kept_files: dict[int, SampledFile] = field(default_factory=dict)

    def add(self, other: Sketch) -> None:
        """Adds facts about other files."""
        self.manifests += other.manifests
        self.files += other.files
        self.bytes += other.bytes
        self.records += other.records
        self.small_files += other.small_files
        self.deletes.update(other.deletes)
        self.of_one += other.of_one
        for key_hash, count in other.deletes_of_one.items():
            self.deletes_of_one[key_hash] = self.deletes_of_one.get(key_hash, 0) + count
        self.deletes_of_one = smallest(self.deletes_of_one, MAX_FILES)
        self.bounded.update(other.bounded)
        self.impossible.update(other.impossible)
        self.with_null.update(other.with_null)
        for key, value in other.low.items():
            self.low[key] = min(self.low.get(key, value), value)
        for key, value in other.high.items():
            self.high[key] = max(self.high.get(key, value), value)
        self.sample = smallest({**self.sample, **other.sample}, MAX_FILES)
        for key_hash, (files, size) in other.partitions.items():
            known = self.partitions.get(key_hash, (0, 0))
            self.partitions[key_hash] = (known[0] + files, known[1] + size)
        self.partitions = smallest(self.partitions, MAX_PARTITIONS)
        self.times.update(other.times)
        if other.kept:
            for scan, found in other.kept.items():
                known_files = self.kept.get(scan)
                self.kept[scan] = found if known_files is None else known_files.also(found)
            self.kept = smallest(self.kept, MAX_VOTERS)
            asked = {**self.kept_files, **other.kept_files}
            wanted = {key for found in self.kept.values() for key in found.smallest}
            self.kept_files = {key: asked[key] for key in wanted}

    @property
    def partition_count(self) -> int:
        """The estimated number of partitions: exact below MAX_PARTITIONS, else from the largest of
        the smallest hashes (Bar-Yossef et al., 2002), and never more than files."""
        if len(self.partitions) < MAX_PARTITIONS:
            return len(self.partitions)
        estimate = round((MAX_PARTITIONS - 1) / (max(self.partitions) / _HASHES))
        return min(estimate, self.files)


def smallest(by_hash: dict[int, _Sampled], count: int) -> dict[int, _Sampled]:
    """The entries of the smallest hashes: a random sample without repetition."""
    if len(by_hash) <= count:
        return by_hash
    return {key: by_hash[key] for key in heapq.nsmallest(count, by_hash)}


def hash_of(text: str) -> int:
    """A hash of 64 bits, the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
