"""Pass 2 with its reading: manifests, each decoded once, against all scans that keep them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from audit_jobs.pruning.passes import Verdict, needs_row_groups, prune_files
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.summary import WHOLE_SCAN, Tallies, Tally
from audit_jobs.replay.manifest_stage import conjunct_tallies
from audit_jobs.replay.work import Failure, FooterTask, ManifestTask, SnapshotWork
from collectors.errors import TableError
from collectors.partitioning import PartitionSpec
from collectors.statistics import BoolArray, ColumnKey, FileBatch
from collectors.tables.manifests import Entries, file_batch, read_manifest

MAX_BATCH = 65_536
"""Files evaluated together: enough to make array operations dominate, and a bounded amount of
memory per task."""


@dataclass(slots=True)
class FilePlan:
    """What pass 2 found over some manifests: counts per scan, files whose footers some scan
    needs, manifests that could not be read, and (if asked for) the paths that each scan kept."""

    tallies: Tallies = field(default_factory=dict)
    footers: list[FooterTask] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    kept_paths: dict[int, list[str]] = field(default_factory=dict)


def plan_files(
    tasks: Iterable[ManifestTask], works: Mapping[int, SnapshotWork], *, list_files: bool = False
) -> Iterable[FilePlan]:
    """Runs pass 2 over manifests in any order, one plan per batch of files.

    Tasks that name the same manifest must follow one another: it is then read once for all of
    them. A manifest that cannot be read is a failure of the scans that needed it, and nothing
    else.
    """
    plan = FilePlan()
    batch: dict[tuple[PartitionSpec, bool], list[_Opened]] = {}
    size = 0
    opened: tuple[str, Entries] | None = None
    for task in tasks:
        work = works[task.work_key]
        if opened is None or opened[0] != task.path:
            try:
                entries = read_manifest(
                    task.path, work.storage, with_metrics=_needs_metrics(works, work)
                )
            except TableError as error:
                failure = Failure(work.key, task.scan_ids, error.code, f"{work.table}: {error}")
                plan.failures.append(failure)
                continue
            opened = (task.path, entries)
        kind = (work.specs[task.spec_id], task.deletes)
        batch.setdefault(kind, []).append(_Opened(task, work, opened[1]))
        size += len(opened[1].rows)
        if size >= MAX_BATCH:
            _plan_batch(batch, plan, list_files=list_files)
            yield plan
            plan, batch, size = FilePlan(), {}, 0
    _plan_batch(batch, plan, list_files=list_files)
    yield plan


@dataclass(frozen=True, slots=True)
class _Opened:
    task: ManifestTask
    work: SnapshotWork
    entries: Entries


def _needs_metrics(works: Mapping[int, SnapshotWork], work: SnapshotWork) -> bool:
    return any(w.columns for w in works.values() if w.table == work.table)


def _plan_batch(
    batch: Mapping[tuple[PartitionSpec, bool], Sequence[_Opened]],
    plan: FilePlan,
    *,
    list_files: bool,
) -> None:
    for (spec, deletes), opened in batch.items():
        columns: dict[ColumnKey, None] = {}
        partition_columns: dict[ColumnKey, None] = {}
        for item in opened:
            columns.update(dict.fromkeys(item.work.columns))
            partition_columns.update(dict.fromkeys(item.work.partition_columns[item.task.spec_id]))
        distinct: dict[str, Entries] = {item.entries.path: item.entries for item in opened}
        ordinals = {path: number for number, path in enumerate(distinct)}
        files = file_batch(list(enumerate(distinct.values())), spec, columns, partition_columns)
        scans, reached = _reach(opened, ordinals, files)
        needed = needs_row_groups(scans, files, spec) if not deletes else None
        wanting: dict[int, list[int]] = {}
        for verdict in prune_files(scans, files, spec, reached):
            if needed is None:
                _tally(plan, verdict).delete_files_kept += int(verdict.kept.sum())
                continue
            unread = verdict.kept & next(iter(needed))
            _count(plan, verdict, files, unread)
            for number in np.flatnonzero(unread).tolist():
                wanting.setdefault(number, []).append(verdict.scan.scan_id)
            if list_files:
                kept = np.flatnonzero(verdict.kept).tolist()
                paths = plan.kept_paths.setdefault(verdict.scan.scan_id, [])
                paths.extend(files.paths[number] for number in kept)
        plan.footers.extend(_footer_tasks(wanting, files, opened, distinct))


def _reach(
    opened: Sequence[_Opened], ordinals: Mapping[str, int], files: FileBatch
) -> tuple[list[Scan], list[BoolArray]]:
    """The scans that keep any of the manifests, and the files that each of them reaches."""
    manifests: dict[int, BoolArray] = {}
    scans: dict[int, Scan] = {}
    for item in opened:
        for scan_id in item.task.scan_ids:
            if scan_id not in scans:
                scans[scan_id] = item.work.scan_by_id[scan_id]
                manifests[scan_id] = np.zeros(len(ordinals), np.bool_)
            manifests[scan_id][ordinals[item.entries.path]] = True
    whole = np.ones(len(files.paths), np.bool_)
    reached = [
        whole if manifests[scan_id].all() else manifests[scan_id][files.manifest]
        for scan_id in scans
    ]
    return list(scans.values()), reached


def _tally(plan: FilePlan, verdict: Verdict) -> Tally:
    return plan.tallies.setdefault((verdict.scan.scan_id, WHOLE_SCAN), Tally())


def _count(plan: FilePlan, verdict: Verdict, files: FileBatch, unread: BoolArray) -> None:
    """Adds one scan's verdict. `unread` are the kept files whose footers pass 3 will read; the
    others keep all of their row groups."""
    tally = _tally(plan, verdict)
    considered, kept = verdict.considered, verdict.kept
    listed = files.row_groups >= 0
    tally.data_files_considered += int(np.count_nonzero(considered))
    tally.bytes_considered += _total(files.size, considered)
    tally.records_considered += _total(files.records, considered)
    tally.row_groups_listed += _total(files.row_groups, considered & listed)
    tally.unlisted_files += int(np.count_nonzero(considered & ~listed))
    for conjunct_tally, conjunct in conjunct_tallies(verdict, plan.tallies):
        conjunct_tally.data_files_pruned += conjunct.pruned
        conjunct_tally.data_files_unknown += conjunct.unknown
    if not kept.any():
        return
    tally.data_files_kept += int(np.count_nonzero(kept))
    tally.bytes_kept += _total(files.size, kept)
    tally.records_kept += _total(files.records, kept)
    whole = kept & ~unread
    tally.footers_not_read += int(np.count_nonzero(whole))
    tally.unread_format += int(np.count_nonzero(whole & ~files.parquet))
    tally.unread_unlisted += int(np.count_nonzero(whole & files.parquet & ~listed))
    row_groups = _total(files.row_groups, whole & files.parquet & listed)
    tally.row_groups_considered += row_groups
    tally.row_groups_kept += row_groups
    tally.row_group_records_kept += _total(files.records, whole)


def _total(values: np.ndarray[tuple[int], np.dtype[np.int64]], mask: BoolArray) -> int:
    return int(values.sum(where=mask))


def _footer_tasks(
    wanting: Mapping[int, list[int]],
    files: FileBatch,
    opened: Sequence[_Opened],
    distinct: Mapping[str, Entries],
) -> Iterable[FooterTask]:
    if not wanting:
        return
    owners = {scan_id: item.work for item in opened for scan_id in item.task.scan_ids}
    partitions = [values for entries in distinct.values() for values in entries.partitions()]
    for number, scan_ids in sorted(wanting.items()):
        by_work: dict[int, list[int]] = {}
        for scan_id in scan_ids:
            by_work.setdefault(owners[scan_id].key, []).append(scan_id)
        for work_key, ids in by_work.items():
            yield FooterTask(
                path=files.paths[number],
                spec_id=files.spec_id,
                work_key=work_key,
                partition=partitions[number],
                scan_ids=tuple(ids),
            )
