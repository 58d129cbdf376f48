"""Pass 2 with its reading: manifests, each decoded once, against all scans that keep them."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from audit_jobs.health.measure import measure_deletes, measure_files
from audit_jobs.health.sketch import Sketch
from audit_jobs.isolation import attempt
from audit_jobs.pruning.deletes import dangling
from audit_jobs.pruning.passes import prune_files
from audit_jobs.pruning.row_groups import needs_row_groups
from audit_jobs.pruning.summary import WHOLE_RUN, WHOLE_SCAN, Tallies, Tally, merge
from audit_jobs.pruning.verdicts import Verdict
from audit_jobs.replay.manifest_stage import conjunct_tallies
from audit_jobs.replay.work import (
    Failure,
    FooterTask,
    ManifestTask,
    Reach,
    TableWork,
    pack,
    reach,
    scan_ids,
    total,
    unpack,
)
from collectors.errors import PrunescopeError, UnreadableMetadata
from collectors.partitioning import PartitionSpec
from collectors.statistics import BoolArray, ColumnKey, Content, FileBatch
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
    """What pass 2 found over some manifests: counts per scan, files whose footers some scan
    needs, manifests that could not be read, sketches of what is measured by work key, and (if asked
    for) the paths that each scan kept."""

    tallies: Tallies = field(default_factory=dict)
    footers: list[FooterTask] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    sketches: dict[int, Sketch] = field(default_factory=dict)
    kept_paths: dict[int, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Opened:
    task: ManifestTask
    work: TableWork
    entries: Entries


_Batch = dict[tuple[PartitionSpec, bool], list[_Opened]]


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
            plan.tallies.setdefault(WHOLE_RUN, Tally()).manifests_read += 1
        kind = (work.specs[task.spec_id], task.deletes)
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
    for (spec, deletes), opened in batch.items():
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
                    _plan_batch({(spec, deletes): items}, plan, list_files=list_files)
            continue
        merge(plan.tallies, planned.tallies)
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
    files, by_manifest = _load(opened, spec)
    reached = Reach(by_manifest.scans, by_manifest.masks[:, files.manifest], by_manifest.first)
    verdicts = prune_files(reached.scans, files, spec, reached.masks)
    _measure(plan, opened, files, spec, deletes=deletes)
    if deletes:
        oldest = _oldest_data(opened, reached)
        for verdict, number in zip(verdicts, oldest, strict=True):
            _count_deletes(plan, verdict, files, number)
        return plan
    _count_considered(plan, by_manifest, files)
    unread = np.zeros(reached.masks.shape, np.bool_)
    needed = needs_row_groups(reached.scans, files, spec)
    works = {item.work.key: item.work for item in opened}.values()
    old = {s.scan_id for w in works if w.default_spec_id != spec.spec_id for s in w.scans}
    for row, (verdict, wanted) in enumerate(zip(verdicts, needed, strict=True)):
        if not verdict.considered.any():
            continue
        np.logical_and(verdict.kept, wanted, out=unread[row])
        _count_kept(plan, verdict, files, unread[row])
        if verdict.scan.scan_id in old:
            tally = _tally(plan, verdict)
            tally.old_spec_files_kept += int(np.count_nonzero(verdict.kept))
            tally.old_spec_bytes_kept += total(np.maximum(files.size, 0), verdict.kept)
        if list_files:
            kept = np.flatnonzero(verdict.kept).tolist()
            plan.kept_paths[verdict.scan.scan_id] = [files.paths[number] for number in kept]
    plan.footers.extend(_footer_tasks(unread, reached, files, opened))
    return plan


def _load(opened: Sequence[_Opened], spec: PartitionSpec) -> tuple[FileBatch, Reach]:
    """The files of the manifests, and which of the manifests each scan reaches."""
    columns: dict[ColumnKey, None] = {}
    partition_columns: dict[ColumnKey, None] = {}
    entries: dict[str, Entries] = {}
    for item in opened:
        columns.update(dict.fromkeys(item.work.columns))
        partition_columns.update(dict.fromkeys(item.work.partition_columns[item.task.spec_id]))
        entries[item.entries.path] = item.entries
    files = file_batch(list(enumerate(entries.values())), spec, columns, partition_columns)
    ordinals = {path: number for number, path in enumerate(entries)}
    bitmaps = [(item.work, ordinals[item.entries.path], item.task.scans) for item in opened]
    return files, reach(bitmaps, len(entries))


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


def _tally(plan: FilePlan, verdict: Verdict) -> Tally:
    return plan.tallies.setdefault((verdict.scan.scan_id, WHOLE_SCAN), Tally())


def _oldest_data(opened: Sequence[_Opened], reached: Reach) -> list[int]:
    """Per scan, a lower bound of the data sequence numbers of its snapshot's data files."""
    oldest = np.zeros(len(reached.scans), np.int64)
    for item in opened:
        reaching = unpack([item.task.scans], len(item.work.scans))[:, 0]
        reached.of(item.work, oldest)[reaching] = item.task.min_data_sequence_number
    numbers: list[int] = oldest.tolist()
    return numbers


def _count_deletes(plan: FilePlan, verdict: Verdict, files: FileBatch, oldest_data: int) -> None:
    tally = _tally(plan, verdict)
    tally.delete_files_considered += int(np.count_nonzero(verdict.considered))
    without_data = dangling(files, oldest_data)
    for content, kind in _DELETE_KINDS.items():
        kept = verdict.kept & (files.content == content)
        for name, mask in ((f"{kind}_kept", kept), (f"dangling_{kind}", kept & without_data)):
            setattr(tally, name, getattr(tally, name) + int(np.count_nonzero(mask)))


def _count_considered(plan: FilePlan, by_manifest: Reach, files: FileBatch) -> None:
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
    masks = by_manifest.masks.astype(np.int64)
    for name, values in per_file.items():
        per_manifest = np.zeros(masks.shape[1], np.int64)
        np.add.at(per_manifest, files.manifest, values)
        for scan, count in zip(by_manifest.scans, (masks @ per_manifest).tolist(), strict=True):
            if count:
                tally = plan.tallies.setdefault((scan.scan_id, WHOLE_SCAN), Tally())
                setattr(tally, name, getattr(tally, name) + count)


def _count_kept(plan: FilePlan, verdict: Verdict, files: FileBatch, unread: BoolArray) -> None:
    """Adds what one scan keeps. `unread` are the kept files whose footers pass 3 will read; the
    others keep all of their row groups."""
    tally, kept = _tally(plan, verdict), verdict.kept
    for conjunct_tally, conjunct in conjunct_tallies(verdict, plan.tallies):
        conjunct_tally.data_files_pruned += conjunct.pruned
        conjunct_tally.data_files_unknown += conjunct.unknown
    tally.data_files_kept += int(np.count_nonzero(kept))
    tally.bytes_kept += total(np.maximum(files.size, 0), kept)
    records = np.maximum(files.records, 0)
    tally.records_kept += total(records, kept)
    whole = kept & ~unread
    if not whole.any():
        return
    listed = files.row_groups >= 0
    tally.whole_files += int(np.count_nonzero(whole))
    tally.unread_format += int(np.count_nonzero(whole & ~files.parquet))
    tally.unread_unlisted += int(np.count_nonzero(whole & files.parquet & ~listed))
    row_groups = total(files.row_groups, whole & files.parquet & listed)
    tally.row_groups_considered += row_groups
    tally.row_groups_kept += row_groups
    tally.row_group_records_kept += total(records, whole)
    tally.whole_row_groups += row_groups
    tally.whole_records += total(records, whole)


def _footer_tasks(
    unread: npt.NDArray[np.bool_],
    reached: Reach,
    files: FileBatch,
    opened: Sequence[_Opened],
) -> Iterator[FooterTask]:
    numbers = np.flatnonzero(unread.any(axis=0))
    if not len(numbers):
        return
    manifests = {item.entries.path: item.entries for item in opened}
    partitions = [values for entries in manifests.values() for values in entries.partitions()]
    works = {item.work.key: item.work for item in opened}
    bitmaps = {key: pack(reached.of(work, unread)[:, numbers]) for key, work in works.items()}
    for place, number in enumerate(numbers.tolist()):
        for key in works:
            if any(bitmaps[key][place]):
                yield FooterTask(
                    path=files.paths[number],
                    size=int(files.size[number]),
                    records=max(0, int(files.records[number])),
                    row_groups=int(files.row_groups[number]),
                    spec_id=files.spec_id,
                    work_key=key,
                    partition=partitions[number],
                    scans=bitmaps[key][place],
                )
