"""Pass 1 with its reading: manifest lists, each read once, and their manifests against all scans
of the snapshots that list them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.health.measure import (
    MAX_MEASURED_MANIFESTS,
    ManifestFacts,
    added_since,
    manifest_depth,
)
from prunescope.audit_jobs.health.sketch import hash_of, smallest
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.work import Block, Failure, Listed, PlannedTable
from prunescope.audit_jobs.pruning.counts import Counts
from prunescope.audit_jobs.pruning.packed import counts
from prunescope.audit_jobs.pruning.passes import prune_manifests
from prunescope.audit_jobs.pruning.summary import SnapshotTotals
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.statistics import ColumnKey, ManifestBatch
from prunescope.collectors.storage.clock import tick
from prunescope.collectors.tables.manifest_list import (
    Manifest,
    manifest_batches,
    read_manifest_list,
)
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.properties import count_of


@dataclass(frozen=True, slots=True)
class ListedSnapshot:
    """A manifest list as read: totals of the snapshot, its manifests, and, for the snapshot that is
    measured, `facts` and the paths of the measured manifests."""

    totals: SnapshotTotals
    manifests: tuple[Manifest, ...]
    measured: frozenset[str] = frozenset()
    facts: ManifestFacts | None = None

    @property
    def min_data_sequence_number(self) -> int:
        """A lower bound of the data sequence numbers of the snapshot's data files; above those of
        all deletes if there is no data file."""
        return min(
            (m.min_sequence_number for m in self.manifests if not m.deletes and m.live_files != 0),
            default=sys.maxsize,
        )


def list_manifests(table: PlannedTable, snapshot: Snapshot) -> ListedSnapshot:
    """Reads the manifest list of a snapshot. Raises UnreadableMetadata and TableTooSlow."""
    manifests = table.any_context.listed.get(snapshot.snapshot_id)
    if manifests is None:
        manifests = read_manifest_list(snapshot, table.storage)
    for deletes in (False, True):
        # Raises where a spec is missing.
        manifest_batches(manifests, dict(table.any_context.specs), (), deletes=deletes)
    totals = snapshot_totals(manifests, snapshot)
    context = table.measured
    if (
        context is None
        or context.measure is None
        or context.measure.snapshot_id != snapshot.snapshot_id
    ):
        return ListedSnapshot(totals, manifests)
    spec = context.specs[context.measure.spec_id]
    fields = [(f.field_id, f.result_type) for f in spec.fields if f.result_type is not None]
    batches = manifest_batches(manifests, dict(context.specs), fields, deletes=False)
    data = [manifest for manifest in manifests if not manifest.deletes]
    files_by_spec: Counter[int] = Counter()
    for manifest in data:
        files_by_spec[manifest.spec_id] += manifest.live_files or 0
    facts = ManifestFacts(
        manifests=len(data),
        planned=min(len(data), MAX_MEASURED_MANIFESTS),
        bytes=sum(manifest.length for manifest in data),
        depth=manifest_depth(batches, spec),
        files_by_spec=dict(files_by_spec),
        added_since=added_since(
            (manifest.sequence_number, manifest.added_files, manifest.live_files)
            for manifest in data
        ),
        listed_since=added_since(
            (manifest.sequence_number, manifest.live_files, manifest.live_files)
            for manifest in data
        ),
    )
    return ListedSnapshot(totals, manifests, _measured(manifests), facts)


def _measured(manifests: Sequence[Manifest]) -> frozenset[str]:
    """The paths of the manifests to measure: all, or those of the smallest hashes."""
    data = [manifest.path for manifest in manifests if not manifest.deletes]
    if len(data) <= MAX_MEASURED_MANIFESTS:
        return frozenset(manifest.path for manifest in manifests)
    drawn = smallest({hash_of(path): path for path in data}, MAX_MEASURED_MANIFESTS)
    return frozenset((*drawn.values(), *(m.path for m in manifests if m.deletes)))


@dataclass(frozen=True, slots=True)
class Kept:
    """The listed manifests, of M, that each of S scans of a block keeps: a mask of the shape (S,
    M), packed along the manifests."""

    schema_id: int
    packed: npt.NDArray[np.uint8]
    manifests: int

    def mask(self) -> BoolArray:
        """The mask."""
        return np.unpackbits(self.packed, axis=1, count=self.manifests).view(np.bool_)


@dataclass(slots=True)
class Needed:
    """The needs of the scans of one schema: a mask of M listed manifests, and, for their files, the
    columns whose statistics are read and, by spec, the partition fields."""

    manifests: BoolArray
    columns: dict[ColumnKey, None] = field(default_factory=dict)
    partition_columns: dict[int, dict[ColumnKey, None]] = field(default_factory=dict)

    def add(self, block: Block, kept: BoolArray) -> None:
        """Adds the needs of the scans of a block, by the manifests that they keep."""
        if not kept.any():
            return
        self.manifests |= kept.any(axis=0)
        self.columns.update(dict.fromkeys(block.columns))
        for spec_id, columns in block.partition_columns.items():
            self.partition_columns.setdefault(spec_id, {}).update(dict.fromkeys(columns))


@dataclass(slots=True)
class ManifestPlan:
    """Results of pass 1 over M listed manifests: counts and kept manifests by block, needs by
    schema id, and failures."""

    listed: Sequence[Listed]
    counts: dict[int, Counts] = field(default_factory=dict)
    kept: dict[int, Kept] = field(default_factory=dict)
    needed: dict[int, Needed] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def of_schema(self, schema_id: int) -> Needed:
        """The needs of the scans of a schema."""
        if schema_id not in self.needed:
            self.needed[schema_id] = Needed(np.zeros(len(self.listed), np.bool_))
        return self.needed[schema_id]


def plan_manifests(table: PlannedTable, listed: Sequence[Listed]) -> ManifestPlan:
    """Runs pass 1 over manifests for the scans of all blocks, one block after the other."""
    plan = ManifestPlan(listed)
    manifests = [found.manifest for found in listed]
    lists = {
        snapshot_id: np.array([snapshot_id in found.snapshots for found in listed], np.bool_)
        for snapshot_id in _ticked(table.snapshots)
    }
    decoded: dict[tuple[int, frozenset[ColumnKey]], list[tuple[bool, ManifestBatch]]] = {}
    if table.measured is not None and any(found.measured for found in listed):
        assert table.measured.measure is not None
        needed = plan.of_schema(table.measured.schema_id)
        needed.manifests |= np.array([found.measured for found in listed], np.bool_)
        needed.columns.update(dict.fromkeys(table.measured.measure.of_sampled))
    for key in table.blocks:
        tick()
        block = table.blocks[key]
        reading = np.zeros((block.count, len(listed)), np.bool_)
        for snapshot_id, positions in block.snapshots.items():
            reading[positions] = lists[snapshot_id]
        if not reading.any():
            continue
        specs = dict(table.contexts[block.schema_id].specs)
        columns = frozenset(c for found in block.partition_columns.values() for c in found)
        if (block.schema_id, columns) not in decoded:
            decoded[block.schema_id, columns] = [
                (deletes, batch)
                for deletes in (False, True)
                for batch in manifest_batches(manifests, specs, columns, deletes=deletes)
            ]
        found = plan.counts[key] = block.no_counts()
        kept = np.zeros_like(reading)
        for deletes, batch in decoded[block.schema_id, columns]:
            reach = Reach(reading[:, batch.ordinal], np.arange(len(batch.ordinal)))
            for part in prune_manifests(block.shapes, batch, specs[batch.spec_id], reach):
                kept[np.ix_(part.scans, batch.ordinal)] = part.kept
                if deletes:
                    found.add("delete_manifests_kept", part.scans, counts(part.kept_bits))
                else:
                    found.add("manifests_kept", part.scans, counts(part.kept_bits))
                    found.add_conjuncts(("manifests_pruned", "manifests_unknown"), part)
        packed = np.packbits(kept, axis=1)
        plan.kept[key] = Kept(block.schema_id, packed, len(listed))
        plan.of_schema(block.schema_id).add(block, kept)
    return plan


def _ticked(found: Iterable[int]) -> Iterator[int]:
    for one in found:
        tick()
        yield one


def try_manifests(table: PlannedTable, listed: Sequence[Listed]) -> ManifestPlan:
    """Runs pass 1 over manifests; one that cannot be judged fails all scans of the snapshots that
    list it."""
    doing = f"judging the manifest lists of {table.name}"
    clock = table.storage.clock
    plan = attempt(doing, clock.timed(plan_manifests), table, listed)
    if not isinstance(plan, PrunescopeError):
        return plan
    sound = []
    for found in listed:
        alone = attempt(doing, clock.timed(plan_manifests), table, [found])
        if not isinstance(alone, PrunescopeError):
            sound.append(found)
    again = attempt(doing, clock.timed(plan_manifests), table, sound)
    if isinstance(again, PrunescopeError):
        sound, again = [], ManifestPlan([])
    snapshots = {id_ for found in listed if found not in sound for id_ in found.snapshots}
    again.failures += failed_snapshots(table, snapshots, Failed.of(plan))
    return again


def failed_snapshots(table: PlannedTable, snapshots: Collection[int], why: Failed) -> list[Failure]:
    """The failures of every scan of some snapshots, or one failure without scans if none reads
    them."""
    found = []
    for key in table.blocks:
        block = table.blocks[key]
        positions = [block.snapshots[id_] for id_ in block.snapshots if id_ in snapshots]
        if positions:
            found.append(Failure(table.name, why, key, np.concatenate(positions)))
    return found or [Failure(table.name, why)]


def snapshot_totals(manifests: tuple[Manifest, ...], snapshot: Snapshot) -> SnapshotTotals:
    """The totals of the whole snapshot, from its manifest list and its summary."""
    data = [manifest for manifest in manifests if not manifest.deletes]
    deletes = [manifest for manifest in manifests if manifest.deletes]
    delete_files = _sum([manifest.live_files for manifest in deletes])
    return SnapshotTotals(
        manifests=len(data),
        delete_manifests=len(deletes),
        data_files=_sum([manifest.live_files for manifest in data]),
        delete_files=delete_files,
        records=_sum([manifest.live_records for manifest in data]),
        bytes=count_of(snapshot.summary, "total-files-size") if delete_files == 0 else None,
        spec_ids=tuple(sorted({manifest.spec_id for manifest in data})),
    )


def _sum(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(count for count in counts if count is not None)
