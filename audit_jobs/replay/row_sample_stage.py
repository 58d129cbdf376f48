"""How much of a table each filter matches: a few rows of a few files, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from audit_jobs.health.sketch import Sketch
from audit_jobs.isolation import attempt
from audit_jobs.pruning.algebra import Evaluation
from audit_jobs.pruning.estimates import share_of_clusters
from audit_jobs.pruning.rules import FLOOR
from audit_jobs.pruning.scans import Scan, comparisons
from audit_jobs.records import Matching
from audit_jobs.replay.work import TableWork
from collectors.errors import PrunescopeError
from collectors.predicates.model import Predicate
from collectors.tables.footers import ParquetFile
from collectors.tables.row_samples import sample_rows


@dataclass(frozen=True, slots=True)
class RowSampleTask:
    """The filters of one table, and the files of which rows are read."""

    table: str
    scans: tuple[Scan, ...]
    files: tuple[ParquetFile, ...]
    population: int


def row_sample_task(work: TableWork, sketch: Sketch, files: int) -> RowSampleTask:
    """The task of a table: at most `files` of its sampled files, those of the smallest hashes, and
    its filters, each once: a filter that compares nothing is no task for rows."""
    parquet = [sketch.sample[key] for key in sorted(sketch.sample) if sketch.sample[key].parquet]
    return RowSampleTask(
        table=work.table,
        scans=tuple(
            scan
            for scan in work.scans
            if scan.rules == FLOOR and any(True for _ in comparisons(scan.predicate))
        ),
        files=tuple(
            ParquetFile(
                path=file.path,
                size=file.size,
                storage=work.storage,
                columns=work.columns,
                defaults=work.defaults,
                name_mapping=work.name_mapping,
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
    if not samples:
        return {}
    evaluations = [(Evaluation(rows, FLOOR.metrics), rows.count) for rows in samples]
    matching = partial(_matching, evaluations=evaluations, population=task.population)
    return {
        scan.scan_id: ScanMatching(
            matching(scan.predicate),
            tuple(
                matching(part) if any(True for _ in comparisons(part)) else None
                for part in scan.conjuncts
            ),
        )
        for scan in task.scans
    }


Evaluations = Sequence[tuple[Evaluation, int]]
"""Evaluations over rows of one file each, with their number."""


def _matching(predicate: Predicate, evaluations: Evaluations, population: int) -> Matching:
    """Rows of which a part of the filter cannot be told count as matching."""
    counts = [(count - evaluate(predicate).false_count, count) for evaluate, count in evaluations]
    share = share_of_clusters(counts, population)
    rows = sum(count for _, count in counts)
    return Matching(share.value or 0.0, share.low, share.high, rows)
