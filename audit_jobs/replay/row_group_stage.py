"""Pass 3 with its reading: footers, each read once, against all scans that need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit_jobs.pruning.passes import Verdict, prune_row_groups
from audit_jobs.pruning.summary import WHOLE_RUN, WHOLE_SCAN, Tallies, Tally
from audit_jobs.replay.manifest_stage import conjunct_tallies
from audit_jobs.replay.work import FooterTask, TableWork, reach, scan_ids, total
from collectors.partitioning import PartitionSpec
from collectors.statistics import ColumnKey, RowGroupBatch
from collectors.tables.footers import Footer, FooterUnreadable, read_footer, row_group_batch
from collectors.tables.storage import storage_root

MAX_BATCH = 512
"""Footers evaluated together."""

MAX_UNREACHABLE = 3
"""After so many files of a bucket that could not be reached, the rest of it is not tried: each
attempt may take as long as its time-outs."""


_UNREACHABLE = "unread_unreachable"


@dataclass(frozen=True, slots=True)
class _Read:
    task: FooterTask
    work: TableWork
    footer: Footer


def plan_row_groups(
    tasks: Iterable[FooterTask], works: Mapping[int, TableWork]
) -> Iterable[Tallies]:
    """Runs pass 3 over files in any order; counts per scan, one mapping per batch.

    Tasks that name the same file must follow one another: its footer is then read once for all
    of them. A footer that cannot be read leaves the row groups of its file unknown, by cause.
    """
    columns: dict[str, dict[ColumnKey, None]] = {}
    for work in works.values():
        columns.setdefault(work.table, {}).update(dict.fromkeys(work.columns))
    tallies: Tallies = {}
    batch: dict[PartitionSpec, list[_Read]] = {}
    size = 0
    previous: tuple[str, Footer | str] | None = None
    unreachable: Counter[str] = Counter()
    for task in tasks:
        work = works[task.work_key]
        if previous is None or previous[0] != task.path:
            root = storage_root(work.storage.locate(task.path))
            if unreachable[root] < MAX_UNREACHABLE:
                previous = (task.path, _read(task, work, columns[work.table]))
                tallies.setdefault(WHOLE_RUN, Tally()).footers_read += 1
                unreachable[root] += previous[1] == _UNREACHABLE
            else:
                previous = (task.path, _UNREACHABLE)
        found = previous[1]
        if isinstance(found, str):
            for scan_id in scan_ids(work, task.scans):
                tally = tallies.setdefault((scan_id, WHOLE_SCAN), Tally())
                setattr(tally, found, getattr(tally, found) + 1)
            continue
        batch.setdefault(work.specs[task.spec_id], []).append(_Read(task, work, found))
        size += 1
        if size >= MAX_BATCH:
            _plan_batch(batch, tallies)
            yield tallies
            tallies, batch, size = {}, {}, 0
    _plan_batch(batch, tallies)
    yield tallies


def _read(task: FooterTask, work: TableWork, columns: Iterable[ColumnKey]) -> Footer | str:
    """The footer, or the name of the tally field that counts the cause why there is none."""
    try:
        return read_footer(task.path, work.storage, columns)
    except FooterUnreadable as error:
        return error.cause


def _plan_batch(batch: Mapping[PartitionSpec, Sequence[_Read]], tallies: Tallies) -> None:
    for spec, read in batch.items():
        columns: dict[ColumnKey, None] = {}
        partition_columns: dict[ColumnKey, None] = {}
        defaults: set[int] = set()
        for item in read:
            columns.update(dict.fromkeys(item.work.columns))
            partition_columns.update(dict.fromkeys(item.work.partition_columns[item.task.spec_id]))
            defaults |= item.work.defaults
        row_groups = row_group_batch(
            [(item.footer, item.task.partition) for item in read],
            spec,
            columns,
            partition_columns,
            frozenset(defaults),
        )
        files = reach(
            [(item.work, number, item.task.scans) for number, item in enumerate(read)], len(read)
        )
        reached = files.masks[:, row_groups.file]
        for verdict in prune_row_groups(files.scans, row_groups, spec, reached):
            if verdict.considered.any():
                _count(verdict, row_groups, tallies)


def _count(verdict: Verdict, row_groups: RowGroupBatch, tallies: Tallies) -> None:
    tally = tallies.setdefault((verdict.scan.scan_id, WHOLE_SCAN), Tally())
    tally.row_groups_considered += int(np.count_nonzero(verdict.considered))
    tally.row_groups_kept += int(np.count_nonzero(verdict.kept))
    tally.row_group_records_kept += total(row_groups.records, verdict.kept)
    tally.row_group_bytes_considered += total(row_groups.size, verdict.considered)
    tally.row_group_bytes_kept += total(row_groups.size, verdict.kept)
    for conjunct_tally, conjunct in conjunct_tallies(verdict, tallies):
        conjunct_tally.row_groups_pruned += conjunct.pruned
        conjunct_tally.row_groups_unknown += conjunct.unknown
