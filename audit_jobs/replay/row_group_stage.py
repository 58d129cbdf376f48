"""Pass 3 with its reading: footers first, then the dictionaries, bloom filters and page indexes
of the row groups that are still kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from audit_jobs.isolation import attempt
from audit_jobs.pruning.pages import PageVerdict, prune_pages
from audit_jobs.pruning.row_groups import RowGroupVerdict, prune_row_groups, wanted_evidence
from audit_jobs.pruning.summary import SOURCES, WHOLE_RUN, WHOLE_SCAN, Tallies, Tally, merge
from audit_jobs.replay.manifest_stage import conjunct_tallies
from audit_jobs.replay.sampling import EVERYTHING, Sample
from audit_jobs.replay.work import Failure, FooterTask, TableWork, reach, scan_ids, total
from collectors.errors import PrunescopeError, TableTooSlow
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import PhysicalValue
from collectors.statistics import BoolArray, ColumnKey, RowGroupBatch
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
    """What pass 3 found over some files: counts per scan, and files that could not be judged."""

    tallies: Tallies = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)


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
                _count_skipped(of_file, plan.tallies)
        _add_files(plan, chosen, needs, unreachable)
        yield plan


def _add_files(
    plan: RowGroupPlan, batch: Sequence[_OfFile], needs: _Needs, unreachable: Counter[str]
) -> None:
    """Adds what is found in a batch of files, or, where that fails, in each of them alone."""
    found = attempt("judging row groups", _plan_files, batch, needs, unreachable)
    if not isinstance(found, PrunescopeError):
        merge(plan.tallies, found)
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


def _plan_files(batch: Sequence[_OfFile], needs: _Needs, unreachable: Counter[str]) -> Tallies:
    tallies: Tallies = {}
    opened = _open(batch, needs, unreachable, tallies)
    for spec, files in _by_spec(opened).items():
        _plan_batch(spec, files, tallies)
    return tallies


def _open(
    batch: Sequence[_OfFile], needs: _Needs, unreachable: Counter[str], tallies: Tallies
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
        run = tallies.setdefault(WHOLE_RUN, Tally())
        if isinstance(found, Footer):
            run.footers_read += 1
            yield file, found, of_file
            continue
        run.footers_unread += 1
        unreachable[root] += found.cause == _UNREACHABLE
        for tally in _tallies(of_file, tallies):
            setattr(tally, found.cause, getattr(tally, found.cause) + 1)


def _count_skipped(of_file: Sequence[tuple[FooterTask, TableWork]], tallies: Tallies) -> None:
    task, _ = of_file[0]
    for tally in _tallies(of_file, tallies):
        tally.skipped_files += 1
        tally.skipped_records += task.records
        tally.skipped_bytes += max(0, task.size)
        if task.row_groups < 0:
            tally.unread_unlisted += 1
        else:
            tally.skipped_row_groups += task.row_groups


def _tallies(of_file: Sequence[tuple[FooterTask, TableWork]], tallies: Tallies) -> Iterator[Tally]:
    """The tally of every scan that needs a file."""
    for task, work in of_file:
        for scan_id in scan_ids(work, task.scans):
            yield tallies.setdefault((scan_id, WHOLE_SCAN), Tally())


def _by_spec(opened: Iterable[_Opened]) -> dict[PartitionSpec, list[_Opened]]:
    found: dict[PartitionSpec, list[_Opened]] = {}
    for item in opened:
        task, work = item[2][0]
        found.setdefault(work.specs[task.spec_id], []).append(item)
    return found


def _plan_batch(spec: PartitionSpec, opened: Sequence[_Opened], tallies: Tallies) -> None:
    columns: dict[ColumnKey, None] = {}
    partition_columns: dict[ColumnKey, None] = {}
    needs = []
    for number, (_, _, of_file) in enumerate(opened):
        for task, work in of_file:
            columns.update(dict.fromkeys(work.columns))
            partition_columns.update(dict.fromkeys(work.partition_columns[task.spec_id]))
            needs.append((work, number, task.scans))
    files = [(file, footer) for file, footer, _ in opened]
    batch = row_group_batch(
        [(footer, of_file[0][0].partition) for _, footer, of_file in opened],
        spec,
        columns,
        partition_columns,
    )
    files_reached = reach(needs, len(opened))
    reached = files_reached.masks[:, batch.file]
    scans = files_reached.scans
    verdicts = list(prune_row_groups(scans, batch, spec, reached))
    wanted = wanted_evidence(verdicts, batch, spec)
    evidence = plan_evidence(files, wanted)
    if sum(part.size for part in evidence) > MAX_BYTES and len(opened) > 1:
        half = len(opened) // 2
        _plan_batch(spec, opened[:half], tallies)
        _plan_batch(spec, opened[half:], tallies)
        return
    dictionaries, bloom_filters = read_evidence(files, evidence, len(batch.records))
    if dictionaries or bloom_filters:
        batch = replace(batch, dictionaries=dictionaries, bloom_filters=bloom_filters)
        verdicts = list(prune_row_groups(scans, batch, spec, reached))
    for verdict in verdicts:
        if verdict.verdict.considered.any():
            _count(verdict, batch, tallies)
    kept = np.array([verdict.verdict.kept for verdict in verdicts])
    if kept.any():
        pages = read_pages(files, list(columns), np.logical_or.reduce(kept, axis=0))
        judged = prune_pages(scans, pages, batch, spec, kept)
        for found, row_groups in zip(judged, kept.sum(axis=1).tolist(), strict=True):
            if row_groups:
                _count_pages(found, row_groups, tallies)


def _count(judged: RowGroupVerdict, batch: RowGroupBatch, tallies: Tallies) -> None:
    verdict = judged.verdict
    tally = tallies.setdefault((verdict.scan.scan_id, WHOLE_SCAN), Tally())
    tally.sampled_files += len(np.unique(batch.file[verdict.considered]))
    ones = np.ones(len(batch.records), np.int64)
    for name, values in (
        ("row_groups", ones),
        ("row_group_records", batch.records),
        ("row_group_bytes", batch.size),
    ):
        for counter, count in (
            (f"{name}_considered", total(values, verdict.considered)),
            (f"{name}_kept", total(values, verdict.kept)),
            (f"{name}_squares", _squares(values, verdict.considered, batch)),
        ):
            setattr(tally, counter, getattr(tally, counter) + count)
    before = verdict.considered
    for source in SOURCES:
        after = judged.kept_after[source]
        counter = f"row_groups_by_{source}"
        pruned = int(np.count_nonzero(before & ~after))
        setattr(tally, counter, getattr(tally, counter) + pruned)
        before = after
    for conjunct_tally, conjunct in conjunct_tallies(verdict, tallies):
        conjunct_tally.row_groups_pruned += conjunct.pruned
        conjunct_tally.row_groups_unknown += conjunct.unknown


def _squares(values: npt.NDArray[np.int64], considered: BoolArray, batch: RowGroupBatch) -> float:
    """The sum over files of the square of what each adds."""
    per_file = np.bincount(batch.file[considered], weights=values[considered])
    return float((per_file**2).sum())


def _count_pages(found: PageVerdict, row_groups: int, tallies: Tallies) -> None:
    """Adds the pages of so many kept row groups."""
    tally = tallies.setdefault((found.scan.scan_id, WHOLE_SCAN), Tally())
    tally.unindexed_row_groups += row_groups - found.row_groups
    tally.pages_considered += found.pages_considered
    tally.pages_kept += found.pages_kept
    tally.page_records_considered += found.records_considered
    tally.page_records_kept += found.records_kept
    tally.page_bytes_considered += found.bytes_considered
    tally.page_bytes_kept += found.bytes_kept
