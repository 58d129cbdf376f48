"""Units of work: what a task must know to plan scans, and what it hands to the next pass.

All of it is plain data that pickles, so the same functions run in-process and on executors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from audit_jobs.pruning.scans import Scan, inclusive
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import Predicate
from collectors.statistics import ColumnKey, columns_of
from collectors.tables.metadata import Snapshot
from collectors.tables.storage import Storage


@dataclass(frozen=True)
class SnapshotWork:
    """The scans of one snapshot of one table. `table` names the table in messages; `defaults`
    are the ids of fields with an `initial-default`."""

    key: int
    table: str
    snapshot: Snapshot
    specs: Mapping[int, PartitionSpec]
    storage: Storage
    defaults: frozenset[int]
    scans: tuple[Scan, ...]

    @cached_property
    def columns(self) -> tuple[ColumnKey, ...]:
        """The columns that any of the scans compares."""
        return tuple(columns_of(scan.predicate for scan in self.scans))

    @cached_property
    def partition_columns(self) -> dict[int, tuple[ColumnKey, ...]]:
        """Per spec, the partition fields onto which any part of any scan lifts."""
        parts: dict[Predicate, None] = {}
        for scan in self.scans:
            parts.update(dict.fromkeys(scan.conjuncts))
        return {
            spec_id: tuple(columns_of(inclusive(part, spec) for part in parts))
            for spec_id, spec in self.specs.items()
        }

    @cached_property
    def scan_by_id(self) -> dict[int, Scan]:
        """The scans by their ids."""
        return {scan.scan_id: scan for scan in self.scans}


@dataclass(frozen=True, slots=True)
class ManifestTask:
    """A manifest that pass 1 kept for `scan_ids` of one snapshot."""

    path: str
    spec_id: int
    deletes: bool
    work_key: int
    scan_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FooterTask:
    """A Parquet file whose row groups the predicates of `scan_ids` could rule out.

    `partition` maps partition field ids to values. `records` and `row_groups` are what the
    manifest says of the file (-1: not recorded).
    """

    path: str
    spec_id: int
    work_key: int
    partition: Mapping[int, Any]
    scan_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A container that could not be read, and so every scan that needed it: the outcome of
    those scans."""

    work_key: int
    scan_ids: tuple[int, ...]
    code: str
    message: str
