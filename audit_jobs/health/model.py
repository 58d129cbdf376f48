"""Layout of a table, for the columns that its workload filters by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunescope.audit_jobs.tuning import SPREAD, TWICE
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.literals import PhysicalValue


@dataclass(frozen=True, slots=True)
class ColumnHealth:
    """Clustering of a table by one column's bounds. Shares are of data files; None is unknown.

    `bounded` have both bounds. `overlap` is the share of other files whose range overlaps that of a
    file: 0 if ranges are disjoint, 1 if all overlap. `depth` is the number of files whose range
    holds the lowest value of one, on average: 1 is perfect. `common_bounds` is the share of files
    that have the same truncated lower bound as several others: a common prefix. `impossible` counts
    files whose statistics contradict themselves. `low` and `high` bound all values (physical form);
    they stay in the process.

    `mixed` is the share of the pairs of files of one partition whose ranges overlap: 0 if the files
    of each are in order, whatever other partitions hold; None also if there are few. `held` is the
    share of the other files of a file's partition whose range holds its lower bound: the count of
    `depth`, within partitions. `spanned` is the share of the interval from `low` to `high` that the
    range of a file spans, on average; None for types whose values are no whole numbers. `with_null`
    are known to have nulls.

    `ranges` are those of up to 100 files, as shares of the domain by rank: (0.0, 0.5) spans the
    lower half. They reveal no values. `small_from` is the position between `low` (0) and `high` (1)
    from which the small sampled files begin, but for one in twenty, for strings by rank; None if
    there are none, and for types that are neither.
    """

    field_id: int
    name: str
    type: str
    bounded: float | None
    overlap: float | None
    depth: float | None
    common_bounds: float | None
    impossible: int
    low: PhysicalValue | None
    high: PhysicalValue | None
    ranges: tuple[tuple[float, float], ...] = ()
    small_from: float | None = None
    mixed: float | None = None
    held: float | None = None
    spanned: float | None = None
    with_null: float | None = None

    @property
    def is_clustered(self) -> bool:
        """True if files separate values as those of a sorted table do: a value is in the files at
        both ends of a run of equal ones. Two or three unsorted files of each partition have the
        same depth, but most of them overlap."""
        is_mixed = self.mixed is not None and self.mixed > SPREAD
        return self.depth is not None and self.depth <= TWICE and not is_mixed


@dataclass(frozen=True, slots=True)
class TableHealth:
    """The layout of a table's current snapshot.

    Of more than `MAX_MEASURED_MANIFESTS` data manifests a random sample is measured: `measured` is
    its share, and counts are scaled by it. `files_by_spec` counts data files by partition spec.
    `partitions` (estimated), `partition_files` and `partition_bytes` (medians) are those of the
    current spec, None if it has no fields. `small_files` are smaller than a quarter of
    `target_file_bytes`. `manifest_depth` is the estimated number of manifests whose summaries hold
    a given partition: 1 is perfect; None for unpartitioned tables.

    Of the position delete files, `deletes_of_one_file` are for one data file each, which has
    `deletes_of_a_file` of them on average, of those that have any.

    `partition_fields` are those of new files, as strings, None if there is one of an unknown kind,
    and `sort_columns` the names of the columns by which new files are sorted. `sequence_number` is
    that of the snapshot's commit, None if commits have none. Nine in ten data files were added by
    the commit of the sequence number `added_since` or by later ones, and are listed in manifests of
    the commit of `listed_since` or of later ones; None if unknown. New files have row groups of
    `written_row_group_bytes` (None: a default), and bloom filters of `written_bloom_filters`.
    """

    table: TableName
    snapshot_id: int
    spec_id: int
    measured: float
    manifests: int
    manifest_bytes: int
    manifest_depth: float | None
    data_files: int
    records: int
    bytes: int
    target_file_bytes: int
    small_files: int
    files_by_spec: Mapping[int, int]
    position_delete_files: int
    equality_delete_files: int
    deletion_vectors: int
    partitions: int | None
    partition_files: float | None
    partition_bytes: float | None
    columns: tuple[ColumnHealth, ...]
    partition_fields: tuple[str, ...] | None = None
    sort_columns: tuple[str, ...] = ()
    sequence_number: int | None = None
    added_since: int | None = None
    listed_since: int | None = None
    written_row_group_bytes: int | None = None
    written_bloom_filters: tuple[str, ...] = ()
    deletes_of_one_file: int = 0
    deletes_of_a_file: float = 0.0

    def column(self, name: str) -> ColumnHealth | None:
        """The health of a column by its full name."""
        return next((column for column in self.columns if column.name == name), None)

    def files_of_value(self, column: ColumnHealth) -> float | None:
        """The number of files of a partition whose range holds a value that the partition may hold,
        estimated, on average over partitions of any size: 1 is perfect. None if unknown."""
        if column.mixed is None or not self.partitions:
            return None
        return 1 + column.mixed * self._others_of_partition

    def partitions_of_value(self, column: ColumnHealth) -> float | None:
        """The number of partitions with files whose range holds a given value, estimated. None if
        unknown."""
        if column.held is None or column.depth is None or not self.partitions:
            return None
        return column.depth / (1 + column.held * self._others_of_partition)

    @property
    def _others_of_partition(self) -> float:
        """The number of other files in a file's partition, on average."""
        files = self.files_by_spec.get(self.spec_id, self.data_files)
        return max(0.0, files / (self.partitions or 1) - 1)
