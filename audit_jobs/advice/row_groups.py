"""Reads of scans inside of files: simulated row groups go through the pass that judges real ones,
by Parquet's statistics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prunescope.audit_jobs.advice.candidates import Candidate
from prunescope.audit_jobs.advice.layouts import Layouts, metrics, partition_values
from prunescope.audit_jobs.advice.scores import Replayed, file_batch
from prunescope.audit_jobs.pruning.passes import prune_files
from prunescope.audit_jobs.pruning.row_groups import prune_row_groups
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import Floats
from prunescope.collectors.statistics import RowGroupBatch


@dataclass(frozen=True, slots=True, eq=False)
class ReadInside:
    """Bytes and numbers of row groups, and numbers of files, that each of S scans keeps."""

    bytes: Floats
    groups: Floats
    files: Floats


def read_inside(
    layouts: Layouts,
    candidate: Candidate,
    scans: Replayed,
    row_group_bytes: int,
    *,
    phase: float = 0.0,
    at_least: bool = False,
) -> ReadInside:
    """The row groups of about `row_group_bytes` that scans keep of a layout. The estimate is high,
    because bounds are widened by rows that no sample has, and row groups that it cannot tell apart
    are kept together; with `at_least` it is low: bounds of sampled rows, and one of such row
    groups."""
    laid = layouts.lay(candidate, phase=phase)
    files = file_batch(layouts, candidate, [laid], scans)
    everything = Reach(np.ones((scans.count, 1), np.bool_), np.zeros(laid.count, np.int64))
    of_files = np.zeros((scans.count, laid.count), np.bool_)
    for part in prune_files(scans.shapes, files, candidate.spec, everything):
        of_files[part.scans] = part.kept
    inside = layouts.cut_inside(laid, row_group_bytes)
    nothing = np.zeros(inside.laid.count, np.int64)
    batch = RowGroupBatch(
        spec_id=0,
        file=inside.owner,
        records=nothing,
        size=nothing,
        partition=partition_values(layouts, candidate, [laid]),
        metrics=metrics(
            layouts.rows, [inside.laid], scans.columns, whole=True, widened=not at_least
        ),
    )
    found = ReadInside(np.zeros(scans.count), np.zeros(scans.count), of_files @ laid.files)
    reach = Reach(of_files, inside.owner)
    groups = np.ones(inside.laid.count) if at_least else inside.groups
    size = inside.laid.bytes / inside.groups * groups
    for judged in prune_row_groups(scans.shapes, batch, candidate.spec, reach):
        kept = judged.verdicts.kept
        found.bytes[judged.verdicts.scans] = kept @ size
        found.groups[judged.verdicts.scans] = kept @ groups
    return found
