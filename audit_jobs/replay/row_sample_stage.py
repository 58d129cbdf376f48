"""How much of a table each filter matches: a few rows of a few files, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit_jobs.health.sketch import Sketch
from audit_jobs.isolation import attempt
from audit_jobs.pruning.counts import no_counts
from audit_jobs.pruning.estimates import Shares, shares_of_clusters
from audit_jobs.pruning.passes import match
from audit_jobs.pruning.rules import FLOOR
from audit_jobs.pruning.scans import Scan, comparisons
from audit_jobs.pruning.shapes import shapes
from audit_jobs.pruning.verdicts import counts
from audit_jobs.records import Matching
from audit_jobs.replay.work import TableWork
from collectors.errors import PrunescopeError
from collectors.statistics import Statistics
from collectors.tables.footers import ParquetFile
from collectors.tables.row_samples import sample_rows


@dataclass(frozen=True, slots=True)
class RowSampleTask:
    """The filters of one table, and the files of which rows are read."""

    table: str
    scans: tuple[Scan, ...]
    files: tuple[ParquetFile, ...]
    population: int


def row_sample_task(works: Sequence[TableWork], sketch: Sketch, files: int) -> RowSampleTask:
    """The task of a table, of works that share a context: at most `files` of its sampled files,
    those of the smallest hashes, and its filters, each once: a filter that compares nothing is no
    task for rows."""
    context = works[0].context
    columns = dict.fromkeys(column for work in works for column in work.block.columns)
    parquet = [sketch.sample[key] for key in sorted(sketch.sample) if sketch.sample[key].parquet]
    return RowSampleTask(
        table=context.table,
        scans=tuple(
            scan
            for work in works
            for scan in work.scans
            if scan.rules == FLOOR and any(True for _ in comparisons(scan.predicate))
        ),
        files=tuple(
            ParquetFile(
                path=file.path,
                size=file.size,
                storage=context.storage,
                columns=tuple(columns),
                defaults=context.defaults,
                name_mapping=context.name_mapping,
            )
            for file in parquet[:files]
        ),
        population=sketch.files,
    )


@dataclass(frozen=True, slots=True)
class ScanMatching:
    """What sampled rows tell of a scan's filter, and of each of its conjuncts alone; None for
    conjuncts that compare nothing."""

    whole: Matching
    conjuncts: tuple[Matching | None, ...]


def match_rows(tasks: Iterator[RowSampleTask], seed: int) -> Iterator[tuple[str, Any]]:
    """(`matching`, by scan id) for each table of which rows could be read; (`unsampled`, table and
    message) for each of which that went wrong."""
    for task in tasks:
        found = attempt(f"sampling rows of {task.table}", _match, task, seed)
        if isinstance(found, PrunescopeError):
            yield "unsampled", (task.table, str(found))
        else:
            yield "matching", found


def _match(task: RowSampleTask, seed: int) -> Mapping[int, ScanMatching]:
    samples = sample_rows(task.files, seed) if task.scans else []
    return _matching(task, samples) if samples else {}


def _matching(task: RowSampleTask, samples: Sequence[Statistics]) -> dict[int, ScanMatching]:
    """Rows of which a part of the filter cannot be told count as matching."""
    rows = np.array([sample.count for sample in samples], np.int64)
    empty = no_counts(task.scans)
    whole = np.zeros((len(samples), len(task.scans)), np.int64)
    parts = np.zeros((len(samples), int(empty.first[-1])), np.int64)
    for number, sample in enumerate(samples):
        for found in match(shapes(task.scans), sample):
            whole[number, found.scans] = counts(found.kept)
            for place, state in enumerate(found.conjuncts):
                parts[number, empty.first[found.scans] + place] = counts(state.possible)
    of_scans = shares_of_clusters(whole, rows, task.population)
    of_parts = shares_of_clusters(parts, rows, task.population)
    total = int(rows.sum())
    return {
        scan.scan_id: ScanMatching(
            _matching_of(of_scans, number, total),
            tuple(
                _matching_of(of_parts, int(empty.first[number]) + place, total)
                if any(True for _ in comparisons(part))
                else None
                for place, part in enumerate(scan.conjuncts)
            ),
        )
        for number, scan in enumerate(task.scans)
    }


def _matching_of(shares: Shares, number: int, rows: int) -> Matching:
    value = np.nan_to_num(shares.value[number]).item()
    return Matching(value, shares.low[number].item(), shares.high[number].item(), rows)
