"""How much of a table each filter matches: a few rows of a few files, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit_jobs.health.sketch import Sketch
from audit_jobs.pruning.algebra import Evaluation
from audit_jobs.pruning.estimates import share_of_clusters
from audit_jobs.pruning.rules import FLOOR
from audit_jobs.pruning.scans import Scan, comparisons
from audit_jobs.records import Matching
from audit_jobs.replay.work import TableWork
from collectors.tables.footers import ParquetFile
from collectors.tables.row_samples import sample_rows


@dataclass(frozen=True, slots=True)
class RowSampleTask:
    """The filters of one table, and the files of which rows are read."""

    scans: tuple[Scan, ...]
    files: tuple[ParquetFile, ...]
    population: int


def row_sample_task(work: TableWork, sketch: Sketch, files: int) -> RowSampleTask:
    """The task of a table: at most `files` of its sampled files, those of the smallest hashes, and
    its filters, each once: a filter that compares nothing is no task for rows."""
    parquet = [sketch.sample[key] for key in sorted(sketch.sample) if sketch.sample[key].parquet]
    return RowSampleTask(
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


def match_rows(
    tasks: Iterator[RowSampleTask], seed: int
) -> Iterator[tuple[str, Mapping[int, Matching]]]:
    """(`matching`, by scan id) for each table of which rows could be read."""
    for task in tasks:
        samples = sample_rows(task.files, seed) if task.scans else []
        if samples:
            evaluations = [(Evaluation(rows, FLOOR.metrics), rows.count) for rows in samples]
            yield (
                "matching",
                {s.scan_id: _matching(s, evaluations, task.population) for s in task.scans},
            )


def _matching(
    scan: Scan, evaluations: Sequence[tuple[Evaluation, int]], population: int
) -> Matching:
    """Rows of which a part of the filter cannot be told count as matching."""
    counts = [
        (count - evaluate(scan.predicate).false_count, count) for evaluate, count in evaluations
    ]
    share = share_of_clusters(counts, population)
    return Matching(share.value or 0.0, share.low, share.high, sum(count for _, count in counts))
