"""Pass 2 with its reading: manifests, each decoded once, against all scans that keep them."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from audit_jobs.health.measure import measure_deletes, measure_files
from audit_jobs.health.sketch import Sketch
from audit_jobs.isolation import attempt
from audit_jobs.pruning.counts import Counts, merge_into
from audit_jobs.pruning.deletes import dangling
from audit_jobs.pruning.passes import prune_files
from audit_jobs.pruning.row_groups import FooterNeeds
from audit_jobs.pruning.verdicts import Reach, Verdicts, counts, sums
from audit_jobs.replay.work import (
    Failure,
    FooterTask,
    ManifestTask,
    TableWork,
    pack,
    scan_ids,
    unpack,
)
from collectors.errors import PrunescopeError, UnreadableMetadata
from collectors.partitioning import PartitionSpec
from collectors.statistics import BoolArray, ColumnKey, Content, FileBatch, IntArray
from collectors.tables.manifests import Entries, contradicting_counts, file_batch, read_manifest

MAX_BATCH = 65_536
"""Files evaluated together: enough to make array operations dominate, and a bounded amount of
memory per task."""


_DELETE_KINDS = {
    Content.POSITION_DELETES: "position_delete_files",
    Content.EQUALITY_DELETES: "equality_delete_files",
    Content.DELETION_VECTOR: "deletion_vectors",
}


@dataclass(slots=True)
class FilePlan:
    """What pass 2 found over some manifests: counts by work key, files whose footers some scan
    needs, manifests that were read and that could not be, sketches of what is measured by work key,
    and (if asked for) the paths that each scan kept."""

    counts: dict[int, Counts] = field(default_factory=dict)
    manifests_read: int = 0
    footers: list[FooterTask] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    sketches: dict[int, Sketch] = field(default_factory=dict)
    kept_paths: dict[int, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Opened:
    task: ManifestTask
    work: TableWork
    entries: Entries


_Batch = dict[tuple[str, PartitionSpec, bool], list[_Opened]]


def plan_files(
    tasks: Iterable[ManifestTask], works: Mapping[int, TableWork], *, list_files: bool = False
) -> Iterator[FilePlan]:
    """Runs pass 2 over manifests in any order, one plan per batch of files.

    Tasks that name the same manifest must follow one another: it is then read once for all of
    them. A manifest that cannot be read is a failure of the scans that needed it, and nothing
    else.
    """
    of_table: dict[str, list[TableWork]] = {}
    for work in works.values():
        of_table.setdefault(work.table, []).append(work)
    plan = FilePlan()
    batch: _Batch = {}
    size = 0
    opened: Entries | None = None
    for task in tasks:
        work = works[task.work_key]
        if opened is None or opened.path != task.path:
            if size >= MAX_BATCH:
                with _paused_collector():
                    _plan_batch(batch, plan, list_files=list_files)
                yield plan
                plan, batch, size = FilePlan(), {}, 0
            doing = f"reading manifest {task.path}"
            with _paused_collector():
                found = attempt(doing, _read, task, work, of_table[work.table])
            if isinstance(found, PrunescopeError):
                ids = scan_ids(work, task.scans)
                plan.failures.append(Failure(work.table, ids, found.code, str(found)))
                continue
            opened = found
            size += len(opened.rows)
            plan.manifests_read += 1
        kind = (work.table, work.specs[task.spec_id], task.deletes)
        batch.setdefault(kind, []).append(_Opened(task, work, opened))
    with _paused_collector():
        _plan_batch(batch, plan, list_files=list_files)
    yield plan


def _read(task: ManifestTask, work: TableWork, of_table: Sequence[TableWork]) -> Entries:
    return read_manifest(
        task.path,
        work.storage,
        with_metrics=any(other.columns for other in of_table),
        sequence_number=task.sequence_number,
        length=task.length,
        live_files=task.live_files,
    )


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


def _plan_batch(batch: _Batch, plan: FilePlan, *, list_files: bool) -> None:
    """Plans a batch, or, where that fails, each of its manifests alone: one whose entries make
    no sense (a count of null, a partition value of another type) fails only its own scans."""
    for (table, spec, deletes), opened in batch.items():
        planned = attempt(
            "judging the entries of manifests",
            _plan_group,
            opened,
            spec,
            deletes=deletes,
            list_files=list_files,
        )
        if isinstance(planned, PrunescopeError):
            by_path: dict[str, list[_Opened]] = {}
            for item in opened:
                by_path.setdefault(item.entries.path, []).append(item)
            if len(by_path) == 1:
                plan.failures.extend(_malformed(item, planned) for item in opened)
            else:
                for items in by_path.values():
                    _plan_batch({(table, spec, deletes): items}, plan, list_files=list_files)
            continue
        for key, found in planned.counts.items():
            merge_into(plan.counts, key, found)
        plan.footers.extend(planned.footers)
        for work_key, sketch in planned.sketches.items():
            plan.sketches.setdefault(work_key, Sketch()).add(sketch)
        for scan_id, paths in planned.kept_paths.items():
            plan.kept_paths.setdefault(scan_id, []).extend(paths)


def _malformed(item: _Opened, error: PrunescopeError) -> Failure:
    return Failure(
        item.work.table,
        scan_ids(item.work, item.task.scans),
        UnreadableMetadata.code,
        f"the entries of manifest {item.entries.path} make no sense ({error}); rewrite it with "
        "rewrite_manifests",
    )


def _plan_group(
    opened: Sequence[_Opened], spec: PartitionSpec, *, deletes: bool, list_files: bool
) -> FilePlan:
    plan = FilePlan()
    ordinals: dict[str, int] = {}
    for item in opened:
        ordinals.setdefault(item.entries.path, len(ordinals))
    files = _load(opened, spec)
    _measure(plan, opened, files, spec, deletes=deletes)
    needs = FooterNeeds(files, spec)
    works = {item.work.key: item.work for item in opened}
    unread = {}
    for key, work in works.items():
        own = [item for item in opened if item.work.key == key]
        by_manifest = np.zeros((len(work.scans), len(ordinals)), np.bool_)
        bitmaps = unpack([item.task.scans for item in own], len(work.scans))
        for number, item in enumerate(own):
            by_manifest[:, ordinals[item.entries.path]] |= bitmaps[:, number]
        reach = Reach(by_manifest, files.manifest)
        found = plan.counts[key] = work.no_counts()
        blocks = prune_files(work.shapes, files, spec, reach)
        if deletes:
            oldest = _oldest_data(own, bitmaps)
            for block in blocks:
                _count_deletes(found, block, files, oldest)
            continue
        _count_considered(found, by_manifest, files)
        of_work = _Unread(len(work.scans), len(files.paths))
        for block in blocks:
            wanted = block.kept & needs(block)
            _count_kept(found, block, files, wanted)
            if work.default_spec_id != spec.spec_id:
                (size,) = sums(block.kept, np.maximum(files.size, 0))
                found.add("old_spec_files_kept", block.scans, counts(block.kept))
                found.add("old_spec_bytes_kept", block.scans, size)
            if list_files:
                for scan, kept in zip(block.scans.tolist(), block.kept, strict=True):
                    paths = [files.paths[number] for number in np.flatnonzero(kept).tolist()]
                    plan.kept_paths.setdefault(work.scans[scan].scan_id, []).extend(paths)
            of_work.add(block.scans, wanted)
        unread[key] = of_work
    if not deletes:
        plan.footers.extend(_footer_tasks(unread, files, opened))
    return plan


def _load(opened: Sequence[_Opened], spec: PartitionSpec) -> FileBatch:
    """The files of the manifests, which are numbered in the order of their first task."""
    columns: dict[ColumnKey, None] = {}
    partition_columns: dict[ColumnKey, None] = {}
    entries: dict[str, Entries] = {}
    for item in opened:
        columns.update(dict.fromkeys(item.work.columns))
        partition_columns.update(dict.fromkeys(item.work.partition_columns[item.task.spec_id]))
        entries[item.entries.path] = item.entries
    return file_batch(list(enumerate(entries.values())), spec, columns, partition_columns)


class _Unread:
    """Which scans of a work need the footers of which files: those of any that is needed."""

    def __init__(self, scans: int, files: int) -> None:
        self._scans = scans
        self._wanted = np.zeros(files, np.bool_)
        self._parts: list[tuple[IntArray, npt.NDArray[np.uint8]]] = []

    def add(self, scans: IntArray, wanted: BoolArray) -> None:
        """Adds the files, of all, that some scans need."""
        needed = wanted.any(axis=0)
        if needed.any():
            self._wanted |= needed
            some = wanted.any(axis=1)
            self._parts.append((scans[some], np.packbits(wanted[some], axis=1)))

    def bitmaps(self) -> tuple[IntArray, list[bytes]]:
        """The files that are needed, and the bitmap over scans of each."""
        numbers = np.flatnonzero(self._wanted)
        masks = np.zeros((self._scans, len(numbers)), np.bool_)
        for scans, packed in self._parts:
            whole = np.unpackbits(packed, axis=1, count=len(self._wanted)).view(np.bool_)
            masks[scans] = whole[:, numbers]
        return numbers, pack(masks) if len(numbers) else []


def _measure(
    plan: FilePlan,
    opened: Sequence[_Opened],
    files: FileBatch,
    spec: PartitionSpec,
    *,
    deletes: bool,
) -> None:
    """Adds the sketch of each table whose health these manifests tell."""
    by_work: dict[int, list[str]] = {}
    for item in opened:
        if item.task.measured:
            by_work.setdefault(item.work.key, []).append(item.task.path)
    if not by_work:
        return
    entries = list({item.entries.path: item.entries for item in opened}.values())
    works = {item.work.key: item.work for item in opened}
    for work_key, paths in by_work.items():
        measure = works[work_key].measure
        assert measure is not None
        wanted = [number for number, found in enumerate(entries) if found.path in set(paths)]
        chosen = np.isin(files.manifest, wanted)
        if deletes:
            sketch = measure_deletes(files, chosen)
        else:
            is_current = spec.spec_id == measure.spec_id
            partitions = [p for found in entries for p in found.partitions()]
            sketch = measure_files(
                files,
                chosen,
                partitions if is_current else None,
                contradicting_counts(entries, measure.columns),
                measure,
            )
            sketch.manifests = len(wanted)
        plan.sketches.setdefault(work_key, Sketch()).add(sketch)


def _oldest_data(opened: Sequence[_Opened], reaching: BoolArray) -> IntArray:
    """Per scan, a lower bound of the data sequence numbers of its snapshot's data files."""
    oldest = np.zeros(len(reaching), np.int64)
    for number, item in enumerate(opened):
        oldest[reaching[:, number]] = item.task.min_data_sequence_number
    return oldest


def _count_deletes(found: Counts, block: Verdicts, files: FileBatch, oldest: IntArray) -> None:
    found.add("delete_files_considered", block.scans, counts(block.considered))
    for age in np.unique(oldest[block.scans]).tolist():
        rows = oldest[block.scans] == age
        without_data = dangling(files, age)
        for content, kind in _DELETE_KINDS.items():
            kept = block.kept[rows] & (files.content == content)
            for name, mask in ((f"{kind}_kept", kept), (f"dangling_{kind}", kept & without_data)):
                found.add(name, block.scans[rows], counts(mask))


def _count_considered(found: Counts, by_manifest: BoolArray, files: FileBatch) -> None:
    """Adds what scans consider: whole manifests, so summed by manifest."""
    listed = files.row_groups >= 0
    per_file = {
        "data_files_considered": np.ones(len(files.paths), np.int64),
        "bytes_considered": np.maximum(files.size, 0),
        "unsized_files": (files.size < 0).astype(np.int64),
        "records_considered": np.maximum(files.records, 0),
        "uncounted_files": (files.records < 0).astype(np.int64),
        "row_groups_listed": np.where(listed, files.row_groups, 0),
        "unlisted_files": (~listed).astype(np.int64),
    }
    masks = by_manifest.astype(np.int64)
    for name, values in per_file.items():
        per_manifest = np.zeros(masks.shape[1], np.int64)
        np.add.at(per_manifest, files.manifest, values)
        found.add(name, slice(None), masks @ per_manifest)


def _count_kept(found: Counts, block: Verdicts, files: FileBatch, unread: BoolArray) -> None:
    """Adds what some scans keep. `unread` are the kept files whose footers pass 3 will read; the
    others keep all of their row groups."""
    scans, kept = block.scans, block.kept
    found.add_conjuncts(("data_files_pruned", "data_files_unknown"), block)
    counted = np.maximum(files.records, 0)
    size, records = sums(kept, np.maximum(files.size, 0), counted)
    found.add("data_files_kept", scans, counts(kept))
    found.add("bytes_kept", scans, size)
    found.add("records_kept", scans, records)
    whole = kept & ~unread
    if not whole.any():
        return
    listed = files.row_groups >= 0
    found.add("whole_files", scans, counts(whole))
    found.add("unread_format", scans, counts(whole & ~files.parquet))
    found.add("unread_unlisted", scans, counts(whole & (files.parquet & ~listed)))
    groups = np.where(files.parquet & listed, files.row_groups, 0)
    row_groups, whole_records = sums(whole, groups, counted)
    for name in ("row_groups_considered", "row_groups_kept", "whole_row_groups"):
        found.add(name, scans, row_groups)
    for name in ("row_group_records_kept", "whole_records"):
        found.add(name, scans, whole_records)


def _footer_tasks(
    unread: Mapping[int, _Unread], files: FileBatch, opened: Sequence[_Opened]
) -> Iterator[FooterTask]:
    manifests = {item.entries.path: item.entries for item in opened}
    partitions: list[Mapping[int, Any]] | None = None
    for key, of_work in unread.items():
        numbers, bitmaps = of_work.bitmaps()
        for number, bitmap in zip(numbers.tolist(), bitmaps, strict=True):
            if partitions is None:
                partitions = [v for entries in manifests.values() for v in entries.partitions()]
            yield FooterTask(
                path=files.paths[number],
                size=int(files.size[number]),
                records=max(0, int(files.records[number])),
                row_groups=int(files.row_groups[number]),
                spec_id=files.spec_id,
                work_key=key,
                partition=partitions[number],
                scans=bitmap,
            )
