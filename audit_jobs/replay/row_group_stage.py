"""Pass 3 with its reading: footers first, then the dictionaries, bloom filters and page indexes
of the row groups that are still kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import attrgetter

import numpy as np

from audit_jobs.isolation import attempt
from audit_jobs.pruning.counts import Counts, merge_into
from audit_jobs.pruning.pages import PageCounts, prune_pages
from audit_jobs.pruning.row_groups import (
    RowGroupVerdicts,
    prune_row_groups,
    wanted_evidence,
)
from audit_jobs.pruning.summary import SOURCES
from audit_jobs.pruning.verdicts import Reach, counts, sums
from audit_jobs.replay.sampling import EVERYTHING, Sample
from audit_jobs.replay.work import Failure, FooterTask, TableWork, scan_ids, unpack
from collectors.errors import PrunescopeError, TableTooSlow
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import PhysicalValue
from collectors.statistics import BoolArray, ColumnKey, IntArray, RowGroupBatch, Wanted
from collectors.tables.evidence import MAX_BYTES, plan_evidence, read_evidence
from collectors.tables.footers import (
    Footer,
    FooterUnreadable,
    ParquetFile,
    read_footers,
    row_group_batch,
)
from collectors.tables.locations import storage_root
from collectors.tables.pages import read_pages

MAX_BATCH = 256
"""Files evaluated together."""

MAX_UNREACHABLE = 3
"""After so many files of a bucket that could not be reached, the rest of it is not tried: each
attempt may take as long as its time-outs."""

_UNREACHABLE = "unread_unreachable"

_Defaults = Mapping[ColumnKey, PhysicalValue | None]
_OfFile = list[tuple[FooterTask, TableWork]]
"""The tasks that need one file."""

_Opened = tuple[ParquetFile, Footer, _OfFile]
"""A file, its footer, and the tasks that need it."""


class _Needs:
    """What the works of each table want to know of its files."""

    def __init__(self, works: Mapping[int, TableWork]) -> None:
        self._works: dict[str, list[TableWork]] = {}
        for work in works.values():
            self._works.setdefault(work.table, []).append(work)
        self._known: dict[str, tuple[tuple[ColumnKey, ...], _Defaults]] = {}

    def of(self, task: FooterTask, work: TableWork) -> ParquetFile:
        if work.table not in self._known:
            works = self._works[work.table]
            columns = dict.fromkeys(column for other in works for column in other.columns)
            defaults = {key: value for other in works for key, value in other.defaults.items()}
            self._known[work.table] = tuple(columns), defaults
        columns_of_table, defaults_of_table = self._known[work.table]
        return ParquetFile(
            path=task.path,
            size=task.size,
            storage=work.storage,
            columns=columns_of_table,
            defaults=defaults_of_table,
            name_mapping=work.name_mapping,
        )


@dataclass(slots=True)
class RowGroupPlan:
    """What pass 3 found over some files: counts by work key, how many footers were read and could
    not be, and files that could not be judged."""

    counts: dict[int, Counts] = field(default_factory=dict)
    footers_read: int = 0
    footers_unread: int = 0
    failures: list[Failure] = field(default_factory=list)

    def of(self, work: TableWork) -> Counts:
        """The counts of a work."""
        if work.key not in self.counts:
            self.counts[work.key] = work.no_counts()
        return self.counts[work.key]

    def merge(self, other: RowGroupPlan) -> None:
        """Adds what was found over other files."""
        for key, counts_of_work in other.counts.items():
            merge_into(self.counts, key, counts_of_work)
        self.footers_read += other.footers_read
        self.footers_unread += other.footers_unread
        self.failures += other.failures


def plan_row_groups(
    tasks: Iterable[FooterTask], works: Mapping[int, TableWork], sample: Sample = EVERYTHING
) -> Iterator[RowGroupPlan]:
    """Runs pass 3 over files in any order, one plan per batch.

    Tasks that name the same file must follow one another: it is then read once for all of
    them. A footer that cannot be read leaves the row groups of its file unknown, by cause; one
    that is not in the sample is counted, and left to be estimated. A file that cannot be judged is
    a failure of the scans that keep it, and nothing else.
    """
    needs = _Needs(works)
    unreachable: Counter[str] = Counter()
    by_file = (
        [(task, works[task.work_key]) for task in found]
        for _, found in groupby(tasks, key=attrgetter("path"))
    )
    while batch := list(islice(by_file, MAX_BATCH)):
        plan = RowGroupPlan()
        chosen = []
        for of_file in batch:
            if of_file[0][0].path in sample:
                chosen.append(of_file)
            else:
                _count_skipped(of_file, plan)
        _add_files(plan, chosen, needs, unreachable)
        yield plan


def _add_files(
    plan: RowGroupPlan, batch: Sequence[_OfFile], needs: _Needs, unreachable: Counter[str]
) -> None:
    """Adds what is found in a batch of files, or, where that fails, in each of them alone."""
    found = attempt("judging row groups", _plan_files, batch, needs, unreachable)
    if not isinstance(found, PrunescopeError):
        plan.merge(found)
    elif len(batch) > 1:
        for of_file in batch:
            _add_files(plan, [of_file], needs, unreachable)
    elif found.code == TableTooSlow.code:
        # All of the table has failed: one failure stands for those of its files.
        known = {failure.table for failure in plan.failures if failure.code == found.code}
        plan.failures += (
            Failure(work.table, scan_ids(work, task.scans), found.code, str(found))
            for task, work in batch[0][:1]
            if work.table not in known
        )
    else:
        plan.failures += (
            Failure(
                work.table,
                scan_ids(work, task.scans),
                found.code,
                f"the row groups of {task.path} cannot be judged: {found}",
            )
            for task, work in batch[0]
        )


def _plan_files(batch: Sequence[_OfFile], needs: _Needs, unreachable: Counter[str]) -> RowGroupPlan:
    plan = RowGroupPlan()
    opened = _open(batch, needs, unreachable, plan)
    for (_, spec), files in _by_spec(opened).items():
        _plan_batch(spec, files, plan)
    return plan


def _open(
    batch: Sequence[_OfFile], needs: _Needs, unreachable: Counter[str], plan: RowGroupPlan
) -> Iterator[_Opened]:
    """Reads footers; counts those that cannot be read."""
    files = [needs.of(task, work) for task, work in (of_file[0] for of_file in batch)]
    roots = [storage_root(file.storage.locate(file.path)) for file in files]
    given_up = {root for root, failed in unreachable.items() if failed >= MAX_UNREACHABLE}
    wanted = [file for file, root in zip(files, roots, strict=True) if root not in given_up]
    footers = iter(read_footers(wanted))
    for file, root, of_file in zip(files, roots, batch, strict=True):
        if root in given_up:
            found: Footer | FooterUnreadable = FooterUnreadable(_UNREACHABLE)
        else:
            found = next(footers)
        if isinstance(found, Footer):
            plan.footers_read += 1
            yield file, found, of_file
            continue
        plan.footers_unread += 1
        unreachable[root] += found.cause == _UNREACHABLE
        for scans, count in _needing(of_file, plan):
            count.add(found.cause, scans, 1)


def _count_skipped(of_file: Sequence[tuple[FooterTask, TableWork]], plan: RowGroupPlan) -> None:
    task, _ = of_file[0]
    for scans, count in _needing(of_file, plan):
        count.add("skipped_files", scans, 1)
        count.add("skipped_records", scans, task.records)
        count.add("skipped_bytes", scans, max(0, task.size))
        if task.row_groups < 0:
            count.add("unread_unlisted", scans, 1)
        else:
            count.add("skipped_row_groups", scans, task.row_groups)


def _needing(
    of_file: Sequence[tuple[FooterTask, TableWork]], plan: RowGroupPlan
) -> Iterator[tuple[IntArray, Counts]]:
    """The scans of each work that need a file, and the counts of the work."""
    for task, work in of_file:
        mask = unpack([task.scans], len(work.scans))[:, 0]
        yield np.flatnonzero(mask), plan.of(work)


def _by_spec(opened: Iterable[_Opened]) -> dict[tuple[str, PartitionSpec], list[_Opened]]:
    found: dict[tuple[str, PartitionSpec], list[_Opened]] = {}
    for item in opened:
        task, work = item[2][0]
        found.setdefault((work.table, work.specs[task.spec_id]), []).append(item)
    return found


def _plan_batch(spec: PartitionSpec, opened: Sequence[_Opened], plan: RowGroupPlan) -> None:
    works = {work.key: work for _, _, of_file in opened for _, work in of_file}
    columns = dict.fromkeys(key for work in works.values() for key in work.columns)
    files = [(file, footer) for file, footer, _ in opened]
    batch = row_group_batch(
        [(footer, of_file[0][0].partition) for _, footer, of_file in opened],
        spec,
        columns,
        dict.fromkeys(
            key for work in works.values() for key in work.partition_columns[spec.spec_id]
        ),
    )
    reaches = {key: Reach(_reaching(work, opened), batch.file) for key, work in works.items()}
    wanted: dict[ColumnKey, Wanted] = {}
    for key, work in works.items():
        _merge_wanted(wanted, wanted_evidence(work.shapes, batch, spec, reaches[key]))
    evidence = plan_evidence(files, wanted)
    if sum(part.size for part in evidence) > MAX_BYTES and len(opened) > 1:
        half = len(opened) // 2
        _plan_batch(spec, opened[:half], plan)
        _plan_batch(spec, opened[half:], plan)
        return
    dictionaries, bloom_filters = read_evidence(files, evidence, len(batch.records))
    batch = replace(batch, dictionaries=dictionaries, bloom_filters=bloom_filters)
    for key, work in works.items():
        kept = np.zeros((len(work.scans), len(batch.records)), np.bool_)
        for found in prune_row_groups(work.shapes, batch, spec, reaches[key]):
            _count(found, batch, plan.of(work))
            kept[found.verdicts.scans] = found.verdicts.kept
        if kept.any():
            pages = read_pages(files, list(columns), np.logical_or.reduce(kept, axis=0))
            plan.of(work).add("unindexed_row_groups", slice(None), counts(kept))
            for of_pages in prune_pages(work.shapes, pages, batch, spec, kept):
                _count_pages(of_pages, plan.of(work))


def _merge_wanted(known: dict[ColumnKey, Wanted], more: Mapping[ColumnKey, Wanted]) -> None:
    """Adds what other scans want of the same row groups."""
    for key, wanted in more.items():
        if key in known:
            known[key].dictionary[:] |= wanted.dictionary
            known[key].bloom_filter[:] |= wanted.bloom_filter
        else:
            known[key] = wanted


def _reaching(work: TableWork, opened: Sequence[_Opened]) -> BoolArray:
    """Which files each scan of a work needs."""
    masks = np.zeros((len(work.scans), len(opened)), np.bool_)
    for number, (_, _, of_file) in enumerate(opened):
        for task, of_task in of_file:
            if of_task.key == work.key:
                masks[:, number] |= unpack([task.scans], len(work.scans))[:, 0]
    return masks


def _count(found: RowGroupVerdicts, batch: RowGroupBatch, into: Counts) -> None:
    judged = found.verdicts
    scans, considered = judged.scans, judged.considered
    # Whole files reach the pass, so the first row group of each stands for it.
    first = np.flatnonzero(np.diff(batch.file, prepend=-1))
    files = considered[:, first]
    into.add("sampled_files", scans, counts(files))
    ones = np.ones(len(batch.records), np.int64)
    for name, values in (
        ("row_groups", ones),
        ("row_group_records", batch.records),
        ("row_group_bytes", batch.size),
    ):
        per_file = np.add.reduceat(values, first) if len(first) else values
        into.add(f"{name}_considered", scans, sums(considered, values)[0])
        into.add(f"{name}_kept", scans, sums(judged.kept, values)[0])
        into.add(f"{name}_squares", scans, files @ per_file.astype(np.float64) ** 2)
    before = considered
    for source in SOURCES:
        after = found.kept_after[source]
        into.add(f"row_groups_by_{source}", scans, counts(before & ~after))
        before = after
    into.add_conjuncts(("row_groups_pruned", "row_groups_unknown"), judged)


def _count_pages(found: PageCounts, into: Counts) -> None:
    """Adds the pages of row groups that have indexes."""
    scans = found.scans
    into.add("unindexed_row_groups", scans, -found.row_groups)
    into.add("pages_considered", scans, found.pages_considered)
    into.add("pages_kept", scans, found.pages_kept)
    into.add("page_records_considered", scans, found.records_considered)
    into.add("page_records_kept", scans, found.records_kept)
    into.add("page_bytes_considered", scans, found.bytes_considered)
    into.add("page_bytes_kept", scans, found.bytes_kept)
