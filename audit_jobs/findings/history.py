"""Results of earlier windows for the same queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from prunescope.audit_jobs.records import Window
from prunescope.collectors.observed import TableName


@dataclass(frozen=True, slots=True)
class PastWindow:
    """The scans of one table by queries of one fingerprint in an earlier window, summed up.
    Bytes are those of data files; the sets tell what was in use."""

    window: Window
    scans: int
    bytes_kept: int
    bytes_total: int
    data_files_total: int
    engine_versions: frozenset[str] = frozenset()
    planners: frozenset[str] = frozenset()
    snapshot_ids: frozenset[int] = frozenset()

    @property
    def start(self) -> dt.datetime:
        """Start of the window."""
        return self.window.start

    @property
    def kept_ratio(self) -> float | None:
        """Kept over all, a ratio of sums; None where there was nothing."""
        return self.bytes_kept / self.bytes_total if self.bytes_total else None


@dataclass(frozen=True, slots=True)
class PastHealth:
    """A table's health as a window found it: the spec of new files, numbers of files and manifests,
    and the depth of each column; the partition fields of new files, the columns by which these are
    sorted, the number of the last commit, and that since which nine in ten files were added, each
    None where it is not known."""

    window: Window
    spec_id: int
    data_files: int
    small_files: int
    manifests: int
    depth: Mapping[str, float] = field(default_factory=dict)
    partition_fields: frozenset[str] | None = None
    sequence_number: int | None = None
    added_since: int | None = None
    sort_columns: tuple[str, ...] | None = None


def days_seen(window: Window, past: Iterable[PastHealth]) -> int:
    """Number of days that a window and earlier ones cover."""
    return len(window.days.union(*(health.window.days for health in past)))


@dataclass(frozen=True, slots=True)
class PastFinding:
    """Finding of an earlier window, the last one that had it, without its texts. It is about the
    queries of `fingerprints`, or about all of the table."""

    window: Window
    table: TableName
    cause: str
    fingerprints: frozenset[str]
    bytes_at_stake: int | None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """Earlier windows, oldest first: of queries by table and fingerprint, of tables by name; and
    the findings of these windows by their keys."""

    queries: Mapping[tuple[TableName, str], tuple[PastWindow, ...]] = field(default_factory=dict)
    tables: Mapping[TableName, tuple[PastHealth, ...]] = field(default_factory=dict)
    findings: Mapping[str, PastFinding] = field(default_factory=dict)


NO_HISTORY = History()
