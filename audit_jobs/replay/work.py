"""Units of work: what a task must know to plan scans, and what it hands to the next pass.

All of it is plain data that pickles, so the same functions run in-process and on executors.
Which scans a container is kept for travels as a bitmap over the scans of its table's work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from audit_jobs.health.sketch import Measure
from audit_jobs.pruning.scans import Scan, comparisons, inclusive, strict
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import PhysicalValue
from collectors.statistics import BoolArray, ColumnKey, columns_of
from collectors.tables.metadata import Snapshot
from collectors.tables.name_mapping import NameMapping
from collectors.tables.storage import Storage

_Kind = TypeVar("_Kind", bound=np.generic)


@dataclass(frozen=True)
class TableWork:
    """The scans of one table under one schema, on any number of its snapshots.

    `table` names the table in messages; `defaults` are the columns with an `initial-default` and
    its value, None where unknown, `name_mapping` those of columns in files without any.
    `snapshots` maps ids to a snapshot and the positions in `scans` of those that read it.
    New files are written under `default_spec_id`. `measure` says what is measured of the table's
    health, in one of its works.
    """

    key: int
    table: str
    specs: Mapping[int, PartitionSpec]
    storage: Storage
    defaults: Mapping[ColumnKey, PhysicalValue | None]
    name_mapping: NameMapping
    scans: tuple[Scan, ...]
    snapshots: Mapping[int, tuple[Snapshot, tuple[int, ...]]]
    default_spec_id: int = 0
    measure: Measure | None = None

    @cached_property
    def columns(self) -> tuple[ColumnKey, ...]:
        """The columns that any of the scans compares, or that are measured."""
        measured = () if self.measure is None else self.measure.columns
        compared = columns_of(scan.predicate for scan in self.scans)
        return tuple(dict.fromkeys((*compared, *measured)))

    @cached_property
    def partition_columns(self) -> dict[int, tuple[ColumnKey, ...]]:
        """Per spec, the partition fields onto which any comparison of any scan lifts, strictly
        or inclusively, though the scan as a whole may not: residuals are made of single
        comparisons, and a lift onto a field that is not there counts as unknown."""
        leaves = dict.fromkeys(leaf for scan in self.scans for leaf in comparisons(scan.predicate))
        return {
            spec_id: tuple(
                columns_of(
                    lift(leaf, spec, old_rounding=True)
                    for leaf in leaves
                    for lift in (inclusive, strict)
                )
            )
            for spec_id, spec in self.specs.items()
        }


@dataclass(frozen=True, slots=True)
class ManifestTask:
    """A manifest that pass 1 kept, or that is `measured`; `scans` is a bitmap over the scans of
    its work. `sequence_number`, `length` (bytes, 0 if unknown) and `live_files` are what its list
    says; no data file of the snapshot has a lower data sequence number than
    `min_data_sequence_number`."""

    path: str
    spec_id: int
    deletes: bool
    work_key: int
    scans: bytes
    measured: bool = False
    sequence_number: int | None = None
    min_data_sequence_number: int = 0
    length: int = 0
    live_files: int | None = None


@dataclass(frozen=True, slots=True)
class FooterTask:
    """A Parquet file whose row groups the predicates of `scans` (a bitmap over the scans of
    its work) could rule out. `partition` maps partition field ids to values. `size` (bytes),
    `records` (0: perhaps not known) and `row_groups` (-1: not recorded) are what its manifest
    says."""

    path: str
    size: int
    records: int
    row_groups: int
    spec_id: int
    work_key: int
    partition: Mapping[int, Any]
    scans: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """A container that could not be read, and so the outcome of every scan that needed it."""

    table: str
    scan_ids: tuple[int, ...]
    code: str
    message: str


def failed_snapshot(work: TableWork, snapshot_id: int, code: str, message: str) -> Failure:
    """The failure of every scan of a snapshot."""
    _, positions = work.snapshots[snapshot_id]
    ids = tuple(work.scans[position].scan_id for position in positions)
    return Failure(work.table, ids, code, message)


def pack(masks: npt.NDArray[np.bool_]) -> list[bytes]:
    """Bitmaps over S scans for each of N containers, from masks of shape (S, N)."""
    return [column.tobytes() for column in np.packbits(masks, axis=0).T]


def unpack(bitmaps: Sequence[bytes], scans: int) -> npt.NDArray[np.bool_]:
    """Masks of shape (S, N) from bitmaps over S scans."""
    packed = np.frombuffer(b"".join(bitmaps), np.uint8).reshape(len(bitmaps), -1)
    return np.unpackbits(packed.T, axis=0, count=scans).astype(np.bool_)


def scan_ids(work: TableWork, bitmap: bytes) -> tuple[int, ...]:
    """The ids of the scans that a bitmap names."""
    mask = unpack([bitmap], len(work.scans))[:, 0]
    return tuple(work.scans[position].scan_id for position in np.flatnonzero(mask).tolist())


@dataclass(frozen=True, slots=True)
class Reach:
    """Scans of one or more works, and which of N containers each of them reaches: `masks` has
    shape (len(scans), N). `first` is the position of each work's first scan, by work key."""

    scans: list[Scan]
    masks: npt.NDArray[np.bool_]
    first: Mapping[int, int]

    def of(self, work: TableWork, rows: npt.NDArray[_Kind]) -> npt.NDArray[_Kind]:
        """Of an array of shape (len(scans), …), a view of the rows of a work's scans."""
        first = self.first[work.key]
        return rows[first : first + len(work.scans)]


def reach(bitmaps: Sequence[tuple[TableWork, int, bytes]], containers: int) -> Reach:
    """Who reaches what, from (work, ordinal of the container, bitmap) triples."""
    works = {work.key: work for work, _, _ in bitmaps}
    scans: list[Scan] = []
    first = {}
    for key, work in works.items():
        first[key] = len(scans)
        scans.extend(work.scans)
    masks = np.zeros((len(scans), containers), np.bool_)
    for work, ordinal, bitmap in bitmaps:
        rows = slice(first[work.key], first[work.key] + len(work.scans))
        masks[rows, ordinal] |= unpack([bitmap], len(work.scans))[:, 0]
    return Reach(scans, masks, first)


def total(values: npt.NDArray[np.int64], mask: BoolArray) -> int:
    """The sum over a mask."""
    return int(values.sum(where=mask))
