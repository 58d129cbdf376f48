"""Scores of layouts, by the bytes and files that scans keep: simulated files go through the pass
that plans real ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.advice.candidates import Candidate, Term
from prunescope.audit_jobs.advice.layouts import Layouts, metrics, partition_values
from prunescope.audit_jobs.advice.simulated_containers import Laid
from prunescope.audit_jobs.pruning.passes import prune_files
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import Shape, shapes
from prunescope.audit_jobs.pruning.verdicts import Reach, Verdicts
from prunescope.collectors.arrays import Floats
from prunescope.collectors.statistics import ColumnKey, FileBatch, Statistics, columns_of

_CONTAINERS = 32_768
"""Containers of several layouts that are judged together."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Bytes and files that S scans keep of C layouts: arrays of the shape (C, S)."""

    bytes: Floats
    files: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """S scans, by shape, and the columns that they compare."""

    shapes: tuple[Shape, ...]
    columns: tuple[ColumnKey, ...]
    count: int


def replayed(scans: Sequence[Scan]) -> Replayed:
    """Scans, ready to be replayed."""
    columns = columns_of(scan.predicate for scan in scans)
    return Replayed(shapes(scans), tuple(columns), len(scans))


def scores(
    layouts: Layouts,
    candidates: Sequence[Candidate],
    scans: Replayed,
    *,
    phase: float = 0.0,
) -> Scores:
    """The scores of candidates, which are judged together if they have one spec."""
    found = Scores(
        np.zeros((len(candidates), scans.count)), np.zeros((len(candidates), scans.count))
    )
    by_spec: dict[tuple[Term, ...], list[int]] = {}
    for number, candidate in enumerate(candidates):
        by_spec.setdefault(candidate.partition, []).append(number)
    for numbers in by_spec.values():
        batch: list[tuple[int, Laid]] = []
        size = 0
        for number in numbers:
            laid = layouts.lay(candidates[number], phase=phase)
            if batch and size + laid.count > _CONTAINERS:
                _judge(layouts, candidates, batch, scans, found)
                batch, size = [], 0
            batch.append((number, laid))
            size += laid.count
        _judge(layouts, candidates, batch, scans, found)
    return found


def _judge(
    layouts: Layouts,
    candidates: Sequence[Candidate],
    batch: Sequence[tuple[int, Laid]],
    scans: Replayed,
    found: Scores,
) -> None:
    laid = [one for _, one in batch]
    numbers = [number for number, _ in batch]
    candidate = candidates[numbers[0]]
    files = file_batch(layouts, candidate, laid, scans)
    size = np.concatenate([one.bytes for one in laid])
    count = np.concatenate([one.files for one in laid])
    starts = np.cumsum([0, *(one.count for one in laid[:-1])])
    for part in judged(files, candidate, scans):
        for weights, sums in ((size, found.bytes), (count, found.files)):
            kept = np.add.reduceat(np.where(part.kept, weights, 0.0), starts, axis=1)
            sums[np.ix_(np.array(numbers), part.scans)] = kept.T


def judged(files: FileBatch, candidate: Candidate, scans: Replayed) -> Iterator[Verdicts]:
    """Returns the verdicts on files of a layout's spec."""
    reach = Reach(np.ones((scans.count, 1), np.bool_), np.zeros(files.partition.count, np.int64))
    return prune_files(scans.shapes, files, candidate.spec, reach)


def file_batch(
    layouts: Layouts, candidate: Candidate, laid: Sequence[Laid], scans: Replayed
) -> FileBatch:
    """The simulated files of layouts of one spec."""
    partition = partition_values(layouts, candidate, laid)
    return batch_of(partition, metrics(layouts.rows, laid, scans.columns))


def batch_of(partition: Statistics, found: Statistics) -> FileBatch:
    """Files with nothing known but their partitions and metrics."""
    nothing = np.zeros(partition.count, np.int64)
    return FileBatch(
        spec_id=0,
        manifest=nothing,
        paths=pa.repeat("", partition.count),
        content=nothing,
        sequence_number=nothing,
        records=nothing,
        size=nothing,
        row_groups=nothing,
        parquet=np.ones(partition.count, np.bool_),
        partition=partition,
        metrics=found,
    )
