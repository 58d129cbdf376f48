"""Units of work: what a task must know to plan scans, and what it hands to the next pass.

All of it is plain data that pickles, so the same functions run in-process and on executors.
Which scans a container is kept for travels as a bitmap over the scans of its table's work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from audit_jobs.health.sketch import Measure
from audit_jobs.pruning.counts import Counts, no_counts
from audit_jobs.pruning.lifting import project, project_strict
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import Shape, shapes
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import PhysicalValue
from collectors.statistics import ColumnKey
from collectors.tables.metadata import Snapshot
from collectors.tables.name_mapping import NameMapping
from collectors.tables.storage import Storage


@dataclass(frozen=True)
class TableWork:
    """The scans of one table under one schema, on any number of its snapshots.

    `table` names the table in messages; `defaults` are the columns with an `initial-default` and
    its value, None where unknown, `name_mapping` those of columns in files without any.
    `snapshots` maps ids to a snapshot and the positions in `scans` of those that read it.
    `schema_id` is the schema's. New files are written under `default_spec_id`. `measure` says what
    is measured of the table's health, in one of its works.
    """

    key: int
    table: str
    specs: Mapping[int, PartitionSpec]
    storage: Storage
    defaults: Mapping[ColumnKey, PhysicalValue | None]
    name_mapping: NameMapping
    scans: tuple[Scan, ...]
    snapshots: Mapping[int, tuple[Snapshot, tuple[int, ...]]]
    schema_id: int = 0
    default_spec_id: int = 0
    measure: Measure | None = None

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The scans by shape."""
        return shapes(self.scans)

    @cached_property
    def columns(self) -> tuple[ColumnKey, ...]:
        """The columns that any of the scans compares, or that are measured."""
        measured = () if self.measure is None else self.measure.columns
        compared = (leaf.field for shape in self.shapes for leaf in shape.leaves)
        keys = ((field.field_id, field.type) for field in compared)
        return tuple(dict.fromkeys((*keys, *measured)))

    @cached_property
    def partition_columns(self) -> dict[int, tuple[ColumnKey, ...]]:
        """Per spec, the partition fields onto which any comparison of any scan lifts, strictly
        or inclusively, though the scan as a whole may not: residuals are made of single
        comparisons, and a lift onto a field that is not there counts as unknown."""
        leaves = [leaf for shape in self.shapes for leaf in shape.leaves]
        return {
            spec_id: tuple(
                dict.fromkeys(
                    (lifted.leaf.field.field_id, lifted.leaf.field.type)
                    for leaf in leaves
                    for lift in (project, project_strict)
                    for lifted in lift(leaf, spec)
                )
            )
            for spec_id, spec in self.specs.items()
        }

    def no_counts(self) -> Counts:
        """Zeros for the scans."""
        return no_counts(self.scans)


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
