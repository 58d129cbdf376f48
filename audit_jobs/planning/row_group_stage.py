"""Pass 3 with its reading: footers first, then the dictionaries, bloom filters and page indexes
of the row groups that are still kept; each read once, for one block of scans after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter

import numpy as np

from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.row_group_counts import RowGroupCounter, count_pages
from prunescope.audit_jobs.planning.sampling import EVERYTHING, FileSample
from prunescope.audit_jobs.planning.work import Block, Failure, FooterTask, PlannedTable, of_bitmaps
from prunescope.audit_jobs.pruning.counts import Counts, merge_into
from prunescope.audit_jobs.pruning.packed import Packed, counts, pack, sums, unpack, words
from prunescope.audit_jobs.pruning.pages import prune_pages
from prunescope.audit_jobs.pruning.row_groups import prune_row_groups, wanted_evidence
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.errors import PrunescopeError, TableTooSlow
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey, Wanted
from prunescope.collectors.storage.locations import storage_root
from prunescope.collectors.tables.evidence import MAX_BYTES, plan_evidence, read_evidence
from prunescope.collectors.tables.footers import (
    Footer,
    FooterUnreadable,
    ParquetFile,
    read_footers,
    row_group_batch,
)
from prunescope.collectors.tables.pages import read_pages

MAX_BATCH = 256
"""Files evaluated together."""

MAX_UNREACHABLE = 3
"""After so many files of a bucket that could not be reached, the rest of it is not tried: each
attempt may take as long as its time-outs."""

_UNREACHABLE, _CORRUPT = "unread_unreachable", "unread_corrupt"


@dataclass(frozen=True, slots=True)
class _File:
    """A file, as one of the tasks that need it describes it, and the bitmap over the scans of each
    block that needs it."""

    task: FooterTask
    scans: Mapping[int, bytes]


_Opened = tuple[ParquetFile, Footer, _File]


@dataclass(slots=True)
class RowGroupPlan:
    """Results of pass 3 over some files of a table: counts by block, the number of files that were
    taken up, how their footers were read, and files that could not be judged."""

    counts: dict[int, Counts] = field(default_factory=dict)
    files: int = 0
    read: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def of(self, block: Block) -> Counts:
        """The counts of a block."""
        if block.key not in self.counts:
            self.counts[block.key] = block.no_counts()
        return self.counts[block.key]

    def merge(self, other: RowGroupPlan) -> None:
        """Adds the results over other files."""
        for key, counts_of_block in other.counts.items():
            merge_into(self.counts, key, counts_of_block)
        self.files += other.files
        self.read.update(other.read)
        self.failures += other.failures


def plan_row_groups(
    table: PlannedTable, tasks: Iterable[FooterTask], sample: FileSample = EVERYTHING
) -> Iterator[RowGroupPlan]:
    """Runs pass 3 over files of one table, one plan per batch.

    Tasks may name the same file, in any order: it is read once for all of them. If a footer cannot
    be read, the row groups of its file are unknown, by cause; if it is not in the sample, it is
    counted, and left to be estimated. A file that cannot be judged is a failure of the scans that
    keep it, and nothing else.
    """
    files = _files(tasks)
    planner = _Planner(table, _columns(table, files))
    for start in range(0, len(files), MAX_BATCH):
        batch = files[start : start + MAX_BATCH]
        plan = RowGroupPlan(files=len(batch))
        chosen = [file for file in batch if file.task.path in sample]
        skipped = [file for file in batch if file.task.path not in sample]
        planner.count_skipped(plan, skipped)
        planner.add_files(plan, chosen)
        yield plan


def _files(tasks: Iterable[FooterTask]) -> list[_File]:
    """The files of tasks, in the order of their paths."""
    found = []
    in_order = sorted(tasks, key=attrgetter("path"))
    for _, group in groupby(in_order, key=attrgetter("path")):
        of_file = list(group)
        scans: dict[int, bytes] = {}
        for task in of_file:
            known = scans.get(task.block)
            # Manifests of several snapshots may name the same file.
            scans[task.block] = task.scans if known is None else _either(known, task.scans)
        found.append(_File(of_file[0], scans))
    return found


def _either(first: bytes, second: bytes) -> bytes:
    return bytes(one | other for one, other in zip(first, second, strict=True))


def _columns(table: PlannedTable, files: Iterable[_File]) -> dict[ColumnKey, None]:
    """The columns that are compared by scans that need any of the files."""
    keys = dict.fromkeys(key for file in files for key in file.scans)
    return dict.fromkeys(column for key in keys for column in table.blocks[key].columns)


class _Planner:
    """Plans batches of files of one table. `columns` are the compared ones."""

    def __init__(self, table: PlannedTable, columns: Mapping[ColumnKey, None]) -> None:
        self._table = table
        self._columns = columns
        self._defaults: dict[ColumnKey, PhysicalValue | None] = {}
        for context in table.contexts.values():
            self._defaults.update(context.defaults)
        self._unreachable: Counter[str] = Counter()

    def add_files(self, plan: RowGroupPlan, batch: Sequence[_File]) -> None:
        """Adds the results of a batch of files, or, if the batch fails, of each file alone."""
        clock = self._table.storage.clock
        found = attempt("judging row groups", clock.timed(self._plan_files), batch)
        if not isinstance(found, PrunescopeError):
            plan.merge(found)
        elif len(batch) > 1:
            for file in batch:
                self.add_files(plan, [file])
        elif found.code == TableTooSlow.code:
            # All of the table has failed: one failure stands for those of its files.
            if not any(failure.why.code == found.code for failure in plan.failures):
                plan.failures += self._failures(batch[0], Failed.of(found))[:1]
        else:
            message = f"the row groups of {batch[0].task.path} cannot be judged: {found}"
            plan.failures += self._failures(batch[0], Failed(found.code, message))

    def _failures(self, file: _File, why: Failed) -> list[Failure]:
        failures = []
        for block in self._blocks([file]):
            positions = np.flatnonzero(_reaching(block, [file])[:, 0])
            failures.append(Failure(self._table.name, why, block.key, positions))
        return failures

    def _blocks(self, files: Sequence[_File]) -> Iterator[Block]:
        """The blocks that need any of some files, one after the other."""
        for key in dict.fromkeys(key for file in files for key in file.scans):
            yield self._table.blocks[key]

    def _plan_files(self, batch: Sequence[_File]) -> RowGroupPlan:
        plan = RowGroupPlan()
        by_spec: dict[PartitionSpec, list[_Opened]] = {}
        for opened in self._open(batch, plan):
            file = opened[2]
            by_spec.setdefault(self._spec(file), []).append(opened)
        for spec, files in by_spec.items():
            self._plan_batch(spec, files, plan)
        return plan

    def _spec(self, file: _File) -> PartitionSpec:
        block = self._table.blocks[file.task.block]
        return self._table.contexts[block.schema_id].specs[file.task.spec_id]

    def _open(self, batch: Sequence[_File], plan: RowGroupPlan) -> Iterator[_Opened]:
        """Reads footers; counts those that cannot be read."""
        files = [self._parquet_file(file.task) for file in batch]
        roots = [storage_root(file.storage.locate(file.path)) for file in files]
        given_up = {r for r, failed in self._unreachable.items() if failed >= MAX_UNREACHABLE}
        wanted = [file for file, root in zip(files, roots, strict=True) if root not in given_up]
        footers = iter(read_footers(wanted))
        unread: dict[str, list[_File]] = {}
        for parquet_file, root, file in zip(files, roots, batch, strict=True):
            if root in given_up:
                found: Footer | FooterUnreadable = FooterUnreadable(_UNREACHABLE)
            else:
                found = _agreeing(next(footers), file.task)
            if isinstance(found, Footer):
                plan.read["footers_cached" if found.from_cache else "footers_read"] += 1
                yield parquet_file, found, file
                continue
            plan.read["footers_unread"] += 1
            self._unreachable[root] += found.cause == _UNREACHABLE
            unread.setdefault(found.cause, []).append(file)
        for cause, of_cause in unread.items():
            for block in self._blocks(of_cause):
                reaching = pack(_reaching(block, of_cause), len(of_cause))
                plan.of(block).add(cause, slice(None), counts(reaching))

    def _parquet_file(self, task: FooterTask) -> ParquetFile:
        context = self._table.any_context
        return ParquetFile(
            path=task.path,
            size=task.size,
            storage=context.storage,
            columns=tuple(self._columns),
            defaults=self._defaults,
            name_mapping=context.name_mapping,
        )

    def count_skipped(self, plan: RowGroupPlan, files: Sequence[_File]) -> None:
        """Adds files that are not in the sample."""
        if not files:
            return
        plan.read["footers_skipped"] += len(files)
        tasks = [file.task for file in files]
        groups: IntArray = np.array([task.row_groups for task in tasks], np.int64)
        records: IntArray = np.array([task.records for task in tasks], np.int64)
        size: IntArray = np.array([max(0, task.size) for task in tasks], np.int64)
        unlisted = pack((groups < 0)[None, :], len(files))
        for block in self._blocks(files):
            masks = pack(_reaching(block, files), len(files))
            found = plan.of(block)
            found.add("skipped_files", slice(None), counts(masks))
            sums_of = sums(masks, records, size, np.maximum(groups, 0))
            names = ("skipped_records", "skipped_bytes", "skipped_row_groups")
            for name, numbers in zip(names, sums_of, strict=True):
                found.add(name, slice(None), numbers)
            found.add("unread_unlisted", slice(None), counts(masks & unlisted))

    def _plan_batch(
        self, spec: PartitionSpec, opened: Sequence[_Opened], plan: RowGroupPlan
    ) -> None:
        of_files = [file for _, _, file in opened]
        files = [(file, footer) for file, footer, _ in opened]
        batch = row_group_batch(
            [(footer, file.task.partition) for _, footer, file in opened],
            spec,
            self._columns,
            dict.fromkeys(
                key
                for block in self._blocks(of_files)
                for key in block.partition_columns[spec.spec_id]
            ),
        )
        wanted: dict[ColumnKey, Wanted] = {}
        for block in self._blocks(of_files):
            reach = Reach(_reaching(block, of_files), batch.file)
            _merge_wanted(wanted, wanted_evidence(block.shapes, batch, spec, reach))
        evidence = plan_evidence(files, wanted)
        if sum(part.size for part in evidence) > MAX_BYTES and len(opened) > 1:
            half = len(opened) // 2
            self._plan_batch(spec, opened[:half], plan)
            self._plan_batch(spec, opened[half:], plan)
            return
        dictionaries, bloom_filters = read_evidence(files, evidence, len(batch.records))
        batch = replace(batch, dictionaries=dictionaries, bloom_filters=bloom_filters)
        counter = RowGroupCounter(batch)
        by_block: dict[int, Packed] = {}
        size = len(batch.records)
        misstated = pack(_misstated(of_files, batch.file)[None, :], len(of_files))
        for block in self._blocks(of_files):
            kept = np.zeros((block.count, words(size)), np.uint64)
            reach = Reach(_reaching(block, of_files), batch.file)
            reached = pack(reach.parents, len(of_files))
            plan.of(block).add("unlisted_files", slice(None), counts(reached & misstated))
            for found in prune_row_groups(block.shapes, batch, spec, reach):
                counter.count(found, plan.of(block))
                kept[found.verdicts.scans] = found.verdicts.kept_bits
            if kept.any():
                by_block[block.key] = kept
        if not by_block:
            return
        any_kept = np.bitwise_or.reduce(
            [np.bitwise_or.reduce(kept, axis=0) for kept in by_block.values()], axis=0
        )
        pages = read_pages(files, list(self._columns), unpack(any_kept[None, :], size)[0])
        for key, kept in by_block.items():
            block = self._table.blocks[key]
            plan.of(block).add("unindexed_row_groups", slice(None), counts(kept))
            for of_pages in prune_pages(block.shapes, pages, batch, spec, unpack(kept, size)):
                count_pages(of_pages, plan.of(block))


def _agreeing(found: Footer | FooterUnreadable, task: FooterTask) -> Footer | FooterUnreadable:
    """The footer, or FooterUnreadable if its row count differs from the manifest's. A count of None
    may mean unknown."""
    if isinstance(found, Footer) and task.records not in (0, found.record_count):
        return FooterUnreadable(_CORRUPT)
    return found


def _misstated(files: Sequence[_File], of_row_groups: IntArray) -> BoolArray:
    """Mask of the files whose manifest lists more or fewer row groups than they have: split offsets
    need not be those of row groups (table spec, "Data File Fields")."""
    stated = np.array([file.task.row_groups for file in files], np.int64)
    found = np.bincount(of_row_groups, minlength=len(files))
    return np.asarray((stated >= 0) & (stated != found))


def _reaching(block: Block, files: Sequence[_File]) -> BoolArray:
    """The files that each scan of a block needs: a mask of the shape (scans, files)."""
    numbers = [number for number, file in enumerate(files) if block.key in file.scans]
    masks = np.zeros((block.count, len(files)), np.bool_)
    if numbers:
        masks[:, numbers] = of_bitmaps([files[n].scans[block.key] for n in numbers], block.count)
    return masks


def _merge_wanted(known: dict[ColumnKey, Wanted], more: Mapping[ColumnKey, Wanted]) -> None:
    """Adds the evidence that other scans want of the same row groups."""
    for key, wanted in more.items():
        if key in known:
            known[key].dictionary[:] |= wanted.dictionary
            known[key].bloom_filter[:] |= wanted.bloom_filter
        else:
            known[key] = wanted
