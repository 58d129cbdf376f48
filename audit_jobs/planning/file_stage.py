"""Pass 2 with its reading: manifests, each decoded once, against all blocks of scans that keep
them, one block after the other."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.errors import OutOfMemory
from prunescope.audit_jobs.health.files_of_scans import AskedFiles
from prunescope.audit_jobs.health.measure import measure_deletes, measure_files
from prunescope.audit_jobs.health.measured_files import MeasuredFiles
from prunescope.audit_jobs.health.sketch import Sketch
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.file_counts import FileCounter, count_deletes
from prunescope.audit_jobs.planning.footer_tasks import FooterTasks, Unread
from prunescope.audit_jobs.planning.manifest_kinds import Kind, Opened, any_of_each, kinds
from prunescope.audit_jobs.planning.manifest_stage import ManifestPlan, try_manifests
from prunescope.audit_jobs.planning.voters import voters_of
from prunescope.audit_jobs.planning.work import Block, Failure, FooterTask, Listed, PlannedTable
from prunescope.audit_jobs.pruning.counts import Counts, merge_into
from prunescope.audit_jobs.pruning.packed import counts, sums, unpack
from prunescope.audit_jobs.pruning.passes import prune_files
from prunescope.audit_jobs.pruning.row_groups import FooterNeeds
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.errors import PrunescopeError, TableTooSlow, UnreadableMetadata
from prunescope.collectors.statistics import DELETED_FROM, ColumnKey, FileBatch
from prunescope.collectors.storage.clock import tick
from prunescope.collectors.tables.file_batches import (
    contradicting_counts,
    file_batch,
    partition_tuples,
)
from prunescope.collectors.tables.manifest_list import Manifest
from prunescope.collectors.tables.manifests import ManifestEntries, Together, read_manifests

MAX_BATCH = 65_536
"""Files evaluated together: enough to make array operations dominate, and a bounded amount of
memory per task."""


@dataclass(slots=True)
class FilePlan:
    """Results of passes 1 and 2 over some manifests of a table: counts by block, files whose
    footers some scan needs and their number, manifests that were taken up, how they were read,
    failures, the sketch of measured files, and (if asked for) the paths that each scan kept, by
    block and position."""

    counts: dict[int, Counts] = field(default_factory=dict)
    manifests: int = 0
    read: Counter[str] = field(default_factory=Counter)
    footers: list[FooterTask] = field(default_factory=list)
    footer_files: int = 0
    failures: list[Failure] = field(default_factory=list)
    sketch: Sketch = field(default_factory=Sketch)
    kept_paths: dict[tuple[int, int], list[str]] = field(default_factory=dict)

    def merge(self, other: FilePlan) -> None:
        """Adds the results over other manifests."""
        for key, found in other.counts.items():
            merge_into(self.counts, key, found)
        self.manifests += other.manifests
        self.read.update(other.read)
        self.footers += other.footers
        self.footer_files += other.footer_files
        self.failures += other.failures
        self.sketch.add(other.sketch)
        for scan, paths in other.kept_paths.items():
            self.kept_paths.setdefault(scan, []).extend(paths)


def plan_files(
    table: PlannedTable, listed: Sequence[Listed], *, list_files: bool = False
) -> Iterator[FilePlan]:
    """Runs passes 1 and 2 over manifests of one table, one plan per batch of files.

    Pass 1 comes first for all blocks: a manifest that no scan keeps is not read unless it is
    measured, and every other is read and decoded once. A manifest that cannot be read is a failure
    of the scans that keep it, and nothing else.
    """
    first = try_manifests(table, listed)
    manifests, numbers = _to_read(first)
    columns = {column for needed in first.needed.values() for column, _ in needed.columns}
    if any(manifest.deletes for manifest in manifests):
        columns.add(DELETED_FROM[0])
    plan = FilePlan(counts=first.counts, failures=first.failures)
    batch: list[Opened] = []
    unread: dict[Failed, list[int]] = {}
    size = 0
    for places, read in _uncollected(read_manifests(manifests, table.storage, columns=columns)):
        if size >= MAX_BATCH:
            plan.merge(_plan_batch(table, first, batch, list_files=list_files))
            yield plan
            plan, batch, size = FilePlan(), [], 0
        plan.manifests += len(places)
        found = attempt(f"reading manifest {manifests[places[0]].path}", _entries, read)
        if isinstance(found, PrunescopeError):
            # A table that is too slow is so for each of its manifests.
            failed = unread.setdefault(Failed.of(found), [])
            failed += [number for place in places for number in numbers[place]]
            continue
        plan.read.update(
            manifests_read=len(places) - found.from_cache,
            manifests_cached=found.from_cache,
            manifests_one_by_one=found.one_by_one,
        )
        size += len(found)
        batch.append(Opened(found, [numbers[place] for place in places]))
    plan.merge(_plan_batch(table, first, batch, list_files=list_files))
    for why, failed in unread.items():
        plan.failures += _failed(table, first, failed, why)
    yield plan


def _to_read(first: ManifestPlan) -> tuple[list[Manifest], list[tuple[int, ...]]]:
    """The manifests that any scan keeps, or that are measured, each once, with its numbers among
    those listed. Manifests of one kind follow each other, because they are read together."""
    needed = np.zeros(len(first.listed), np.bool_)
    for of_schema in first.needed.values():
        needed |= of_schema.manifests
    numbers: dict[str, list[int]] = {}
    for number in np.flatnonzero(needed).tolist():
        numbers.setdefault(first.listed[number].manifest.path, []).append(number)
    manifests = [first.listed[of_path[0]].manifest for of_path in numbers.values()]
    manifests.sort(key=lambda one: (one.spec_id, one.deletes, one.path))
    return manifests, [tuple(numbers[manifest.path]) for manifest in manifests]


def _entries(read: ManifestEntries | BaseException) -> ManifestEntries:
    if isinstance(read, BaseException):
        raise read
    return read


def _failed(
    table: PlannedTable,
    first: ManifestPlan,
    numbers: Sequence[int],
    why: Failed,
    schema_ids: Collection[int] | None = None,
) -> list[Failure]:
    """The failures of the scans that keep any of some manifests, or one failure without scans if
    these are only measured."""
    found = []
    for key, kept in first.kept.items():
        if schema_ids is None or kept.schema_id in schema_ids:
            positions = np.flatnonzero(kept.mask()[:, numbers].any(axis=1))
            if len(positions):
                found.append(Failure(table.name, why, key, positions))
    return found or [Failure(table.name, why)]


@contextmanager
def _paused_collector() -> Iterator[None]:
    """Holds off Python's cycle collector: decoded entries are millions of objects without a
    cycle, which it would walk again and again (a quarter of the time)."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _uncollected(reads: Iterator[Together]) -> Iterator[Together]:
    """The reads, with the cycle collector paused during each."""
    while True:
        with _paused_collector():
            read = next(reads, None)
        if read is None:
            return
        yield read


def _plan_batch(
    table: PlannedTable, first: ManifestPlan, batch: Sequence[Opened], *, list_files: bool
) -> FilePlan:
    plan = FilePlan()
    with _paused_collector():
        for kind in kinds(table, first, batch):
            plan.merge(_try_kind(table, first, kind, list_files=list_files))
    return plan


def _try_kind(
    table: PlannedTable, first: ManifestPlan, kind: Kind, *, list_files: bool
) -> FilePlan:
    """Plans manifests of one kind, or, if that fails, each half of them: a manifest with invalid
    entries (a count of null, a partition value of another type) fails only its own scans."""
    doing = "judging the entries of manifests"
    clock = table.storage.clock
    planned = attempt(doing, clock.timed(_plan_kind), table, first, kind, list_files=list_files)
    if not isinstance(planned, PrunescopeError):
        return planned
    numbers = kind.numbers
    if isinstance(planned, TableTooSlow):
        late = [number for of_manifest in numbers for number in of_manifest]
        return FilePlan(failures=_failed(table, first, late, Failed.of(planned), kind.schema_ids))
    if len(numbers) == 1:
        path = first.listed[numbers[0][0]].manifest.path
        message = (
            f"the entries of manifest {path} make no sense ({planned}); rewrite it with "
            "rewrite_manifests"
        )
        why = Failed(UnreadableMetadata.code, message)
        if isinstance(planned, OutOfMemory):
            why = Failed.of(planned)
        failures = _failed(table, first, numbers[0], why, kind.schema_ids)
        return FilePlan(failures=failures)
    plan = FilePlan()
    for half in kind.halves():
        plan.merge(_try_kind(table, first, half, list_files=list_files))
    return plan


def _plan_kind(
    table: PlannedTable, first: ManifestPlan, kind: Kind, *, list_files: bool
) -> FilePlan:
    plan = FilePlan()
    spec = kind.spec
    files = _load(first, kind)
    asked = _measure(plan, table, first, kind, files)
    needs = FooterNeeds(files, spec)
    tasks = FooterTasks(files, kind.entries, kind.spec)
    numbers = kind.numbers
    for key, kept in first.kept.items():
        if kept.schema_id not in kind.schema_ids:
            continue
        tick()
        by_manifest = any_of_each(kept.mask(), numbers)
        if not by_manifest.any():
            continue
        block = table.blocks[key]
        found = plan.counts[key] = block.no_counts()
        verdicts = prune_files(block.shapes, files, spec, Reach(by_manifest, files.manifest))
        if kind.deletes:
            oldest = _oldest_data(block, first, kind)
            for part in verdicts:
                count_deletes(found, part, files, oldest)
            continue
        counted = FileCounter(files, by_manifest)
        counted.considered(found)
        unread = Unread(block.count, len(files.paths))
        for part in verdicts:
            wanted = part.kept_bits & needs(part)
            counted.kept(found, part, wanted)
            if table.any_context.default_spec_id != spec.spec_id:
                (size,) = sums(part.kept_bits, np.maximum(files.size, 0))
                found.add("old_spec_files_kept", part.scans, counts(part.kept_bits))
                found.add("old_spec_bytes_kept", part.scans, size)
            if list_files:
                for scan, of_scan in zip(part.scans.tolist(), part.kept, strict=True):
                    paths = files.paths.filter(pa.array(of_scan)).to_pylist()
                    plan.kept_paths.setdefault((key, scan), []).extend(paths)
            unread.add(part.scans, wanted)
            if asked is not None and part.rules == FLOOR:
                voters = voters_of(block)
                voting = np.isin(part.scans, voters.scans)
                kept_files = unpack(part.kept_bits[voting], len(files.paths))
                asked.add(voters, part.scans[voting], kept_files)
        tasks.add(key, unread)
    if asked is not None:
        plan.sketch.add(asked.sketch())
    plan.footers, plan.footer_files = tasks.found, tasks.files
    return plan


def _load(first: ManifestPlan, kind: Kind) -> FileBatch:
    """The files of the manifests, which are numbered in order."""
    columns: dict[ColumnKey, None] = {}
    partition_columns: dict[ColumnKey, None] = {}
    for schema_id in kind.schema_ids:
        columns.update(first.needed[schema_id].columns)
        partition_columns.update(
            first.needed[schema_id].partition_columns.get(kind.spec.spec_id, {})
        )
    if kind.deletes:
        columns[DELETED_FROM] = None
    return file_batch(kind.entries, kind.spec, columns, partition_columns)


def _measure(
    plan: FilePlan, table: PlannedTable, first: ManifestPlan, kind: Kind, files: FileBatch
) -> AskedFiles | None:
    """Sets the sketch of the table, if these manifests count towards its health. Returns the
    collector to which the files that scans ask for are to be added, or None."""
    context = table.measured
    if context is None or context.schema_id not in kind.schema_ids:
        return None
    assert context.measure is not None
    wanted = [
        place
        for place, numbers in enumerate(kind.numbers)
        if any(first.listed[number].measured for number in numbers)
    ]
    if not wanted:
        return None
    chosen = np.isin(files.manifest, wanted)
    if kind.deletes:
        plan.sketch = measure_deletes(files, chosen)
        return None
    is_current = kind.spec.spec_id == context.measure.spec_id
    known = partition_tuples(kind.entries, kind.spec) if is_current else None
    measured = MeasuredFiles.of(files, chosen, known, context.measure)
    contradictions = contradicting_counts(kind.entries, context.measure.columns)
    plan.sketch = measure_files(measured, contradictions)
    plan.sketch.manifests = len(wanted)
    return AskedFiles(measured.numbers, measured.sampled)


def _oldest_data(block: Block, first: ManifestPlan, kind: Kind) -> IntArray:
    """Per scan, a lower bound of the data sequence numbers of its snapshot's data files."""
    oldest = np.zeros(block.count, np.int64)
    for numbers in kind.numbers:
        for number in numbers:
            for snapshot_id, of_snapshot in first.listed[number].snapshots.items():
                if snapshot_id in block.snapshots:
                    oldest[block.snapshots[snapshot_id]] = of_snapshot
    return oldest
