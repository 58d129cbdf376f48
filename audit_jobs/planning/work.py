"""Units of work: the data that a task needs to plan scans, and that it hands to the next pass.

All of it is plain data that pickles, so the same functions run in-process and on executors. Scans
travel in blocks, apart from the data of their table. The scans of a block for which a container is
kept travel as a bitmap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.health.sketch import Measure
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.pruning.counts import Counts, no_counts
from prunescope.audit_jobs.pruning.lifting import Lifted, project, project_strict
from prunescope.audit_jobs.pruning.literals import Leaf
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import Shape, shapes
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.storage.clock import tick
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.manifest_list import Manifest
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.name_mapping import NameMapping


@dataclass(frozen=True)
class TableContext:
    """Data that all scans of one table under one schema share.

    `table` names the table in messages; `defaults` are the columns with an `initial-default` and
    its value, None if unknown; `name_mapping` holds the ids of columns in files without any.
    `snapshots` has those that any of the scans reads (`scanned`), or that is measured, by id.
    `schema_id` is the schema's. New files are written under `default_spec_id`. `measure` says what
    is measured of the table's health, in one of its contexts. `listed` has manifest lists that were
    read already, by the id of their snapshot.
    """

    table: str
    specs: Mapping[int, PartitionSpec]
    storage: Storage
    defaults: Mapping[ColumnKey, PhysicalValue | None]
    name_mapping: NameMapping
    snapshots: Mapping[int, Snapshot]
    scanned: frozenset[int] = frozenset()
    schema_id: int = 0
    default_spec_id: int = 0
    measure: Measure | None = None
    listed: Mapping[int, tuple[Manifest, ...]] = field(default_factory=dict)


class Home(NamedTuple):
    """The table and place of the items that wait for the scans of a block."""

    table: str = ""
    place: int = 0


@dataclass(frozen=True, eq=False)
class Block:
    """S distinct scans of one table under one schema, as columns for tasks.

    `key` is unique within a run, `schema_id` the schema's, and `home` is where counts of the scans
    go. `first[s]` is the place of the first conjunct of scan s among those of all. `snapshots` maps
    ids to the positions of the scans that read one. `columns` are those that any scan compares;
    `partition_columns` has, by spec, the partition fields onto which any comparison lifts.
    """

    key: int
    schema_id: int
    first: IntArray
    shapes: tuple[Shape, ...]
    snapshots: Mapping[int, IntArray]
    columns: tuple[ColumnKey, ...]
    partition_columns: Mapping[int, tuple[ColumnKey, ...]]
    home: Home

    @property
    def count(self) -> int:
        """S."""
        return len(self.first) - 1

    def no_counts(self) -> Counts:
        """Zeros for the scans."""
        return Counts(self.first)


@dataclass(frozen=True, slots=True, eq=False)
class TableWork:
    """A block of scans, and the scans that it was made of. `specs` are the table's under the
    block's schema."""

    table: str
    specs: Mapping[int, PartitionSpec]
    scans: tuple[Scan, ...]
    block: Block

    @property
    def key(self) -> int:
        """The key of the block."""
        return self.block.key


def table_work(
    key: int,
    table: str,
    schema_id: int,
    specs: Mapping[int, PartitionSpec],
    scans: Sequence[tuple[int, Scan]],
    home: Home = Home(),  # noqa: B008  # it cannot be changed
) -> TableWork:
    """The work of scans of a table under a schema, each with the id of its snapshot."""
    own = tuple(scan for _, scan in scans)
    positions: dict[int, list[int]] = {}
    for position, (snapshot_id, _) in enumerate(scans):
        positions.setdefault(snapshot_id, []).append(position)
    by_shape = shapes(own)
    leaves = [leaf for shape in by_shape for leaf in shape.leaves]
    sources = frozenset(leaf.field.field_id for leaf in leaves)
    block = Block(
        key=key,
        schema_id=schema_id,
        first=no_counts(own).first,
        shapes=by_shape,
        snapshots={id_: np.array(found, np.int64) for id_, found in positions.items()},
        columns=tuple(dict.fromkeys((leaf.field.field_id, leaf.field.type) for leaf in leaves)),
        partition_columns={
            spec_id: _lifted_onto(leaves, _of_sources(spec, sources))
            for spec_id, spec in specs.items()
        },
        home=home,
    )
    return TableWork(table, specs, own, block)


def _lifted_onto(leaves: Iterable[Leaf], spec: PartitionSpec) -> tuple[ColumnKey, ...]:
    """The partition fields onto which any comparison of any scan lifts, strictly or inclusively,
    though the scan as a whole may not: residuals are made of single comparisons, and a lift onto
    a field that is not there counts as unknown."""
    return tuple(
        dict.fromkeys(
            (lifted.leaf.field.field_id, lifted.leaf.field.type)
            for leaf in leaves
            for lift in (project, project_strict)
            for lifted in _ticked(lift(leaf, spec))
        )
    )


def _of_sources(spec: PartitionSpec, sources: frozenset[int]) -> PartitionSpec:
    """The spec with only the fields that derive from `sources`: nothing else lifts onto other
    fields."""
    return replace(spec, fields=tuple(one for one in spec.fields if one.source_id in sources))


def _ticked(lifted: tuple[Lifted, ...]) -> tuple[Lifted, ...]:
    tick()
    return lifted


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table as tasks plan it: its contexts by schema id, at least one, and the blocks of its
    scans by key, of which there may be more than memory holds at once."""

    contexts: Mapping[int, TableContext]
    blocks: Mapping[int, Block]

    @property
    def any_context(self) -> TableContext:
        """One of the contexts, for data that is the same in all of them."""
        return next(iter(self.contexts.values()))

    @property
    def name(self) -> str:
        """The name of the table, in messages."""
        return self.any_context.table

    @property
    def storage(self) -> Storage:
        """The storage of the table's files."""
        return self.any_context.storage

    @property
    def snapshots(self) -> dict[int, Snapshot]:
        """The snapshots that any scan reads, or that is measured, by id."""
        return {id_: found for c in self.contexts.values() for id_, found in c.snapshots.items()}

    @property
    def measured(self) -> TableContext | None:
        """The context whose `measure` says what is measured of the table."""
        return next((c for c in self.contexts.values() if c.measure is not None), None)


@dataclass(frozen=True, slots=True)
class Listed:
    """A manifest as its lists describe it. `snapshots` maps the ids of the snapshots whose lists
    agree on it to the least data sequence number that any of their data files may have; `measured`
    is true if it is read for the table's health."""

    manifest: Manifest
    snapshots: Mapping[int, int]
    measured: bool = False


@dataclass(frozen=True, slots=True)
class FooterTask:
    """A Parquet file whose row groups the predicates of `scans` (a bitmap over the scans of a
    block) could rule out. `partition` maps partition field ids to values. `size` (bytes), `records`
    (0: perhaps unknown) and `row_groups` (-1: not recorded) are from its manifest."""

    path: str
    size: int
    records: int
    row_groups: int
    spec_id: int
    block: int
    partition: Mapping[int, Any]
    scans: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """A container of a table that could not be read, and so the outcome of the scans of a block, at
    some positions, that needed it; without a block, of no scan."""

    table: str
    why: Failed
    block: int | None = None
    positions: IntArray = field(default_factory=lambda: np.empty(0, np.int64))


def bitmaps(masks: npt.NDArray[np.bool_]) -> list[bytes]:
    """Bitmaps over S scans for each of N containers, from masks of shape (S, N)."""
    return [column.tobytes() for column in np.packbits(masks, axis=0).T]


def of_bitmaps(found: Sequence[bytes], scans: int) -> npt.NDArray[np.bool_]:
    """Masks of shape (S, N) from bitmaps over S scans."""
    packed = np.frombuffer(b"".join(found), np.uint8).reshape(len(found), -1)
    return np.unpackbits(packed.T, axis=0, count=scans).astype(np.bool_)
