"""Conditions beyond queries' filters on the rows that they need: keys of joins, ranges that joins
found while they ran, and LIMIT, min() and max(); and the bytes that these could skip.

All of it is potential: bounds prove that no row is lost. For keys, the proof is in
`prunescope.collectors.sql.extraction.among`, for the rest in `needed_files`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from prunescope.audit_jobs.advice.workload import AskedScan
from prunescope.collectors.needed_rows import FewRows
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Predicate


@dataclass(frozen=True, slots=True)
class AskedKey:
    """A scan that needs only those values of a column that `other_column` of another table has in
    rows that pass any of `filters`. With `merge`, the scan is of the target or the source of a
    MERGE."""

    scan: AskedScan
    column: str
    other: TableName
    other_column: str
    filters: tuple[Predicate, ...]
    merge: bool


@dataclass(frozen=True, slots=True)
class AskedRows:
    """A scan that needs only some of the rows that pass its filter."""

    scan: AskedScan
    needed: FewRows


@dataclass(frozen=True, slots=True)
class AskedFilter:
    """A scan of a snapshot, and the filter that its engine collected from the other sides of joins,
    as a predicate on the table."""

    snapshot_id: int
    scan: AskedScan
    collected: Predicate


@dataclass(slots=True)
class AskedBeyond:
    """Numbers of scans of a table by their conditions beyond filters; for `filters`, also the
    number of rows that the engine read in all (`rows_read`)."""

    keys: Counter[AskedKey] = field(default_factory=Counter)
    rows: Counter[AskedRows] = field(default_factory=Counter)
    filters: Counter[AskedFilter] = field(default_factory=Counter)
    rows_read: Counter[AskedFilter] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class JoinSkip:
    """Joins by a column. A run keeps `now` bytes on average, and `then` if it had the range of
    values that the other table's column has in the files that its own filter keeps. `range` is that
    of the most frequent of these joins: it holds values of rows."""

    column: str
    other: TableName
    other_column: str
    merge: bool
    runs: int
    now: float
    then: float
    range: Predicate


@dataclass(frozen=True, slots=True)
class FilterSkip:
    """Runs with dynamic filters on some columns: the records of the planned files, the records that
    the filters leave by bounds, and the rows that their engine read."""

    columns: tuple[str, ...]
    runs: int
    planned: int
    left: int
    read: int

    @property
    def could_skip(self) -> float:
        """The part of the planned records that the filters rule out by bounds."""
        return 1 - self.left / self.planned

    @property
    def skipped(self) -> float:
        """The part of the planned records that the engine did not read."""
        return max(0.0, 1 - self.read / self.planned)


@dataclass(frozen=True, slots=True)
class RowsSkip:
    """Runs that need few rows, by `kind` (`limit`, `top_k` or `min_max`) and the columns that
    decide; a run keeps `now` bytes on average, `then` as far as bounds decide. Metadata alone
    answers `in_metadata` runs."""

    kind: str
    columns: tuple[str, ...]
    runs: int
    in_metadata: int
    now: float
    then: float


@dataclass(frozen=True, slots=True)
class Beyond:
    """Bytes of a table that could be skipped beyond filters, most bytes first. `unbounded` counts
    runs of joins for which nothing bounds the other side's column, and `left_out` distinct scans of
    each kind beyond those that were replayed."""

    joins: tuple[JoinSkip, ...] = ()
    filters: tuple[FilterSkip, ...] = ()
    rows: tuple[RowsSkip, ...] = ()
    unbounded: int = 0
    left_out: int = 0
