"""Counts of pass 3: row groups and pages that scans consider and keep."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.pruning.counts import Counts
from prunescope.audit_jobs.pruning.packed import counts, pack, sums
from prunescope.audit_jobs.pruning.pages import PageCounts
from prunescope.audit_jobs.pruning.row_groups import RowGroupVerdicts
from prunescope.audit_jobs.pruning.tally import FILTER_LEVELS
from prunescope.collectors.statistics import RowGroupBatch


class RowGroupCounter:
    """Counts the row groups of one batch for many scans."""

    def __init__(self, batch: RowGroupBatch) -> None:
        self._weights = (np.ones(len(batch.records), np.int64), batch.records, batch.size)
        # Whole files reach the pass, so the first row group of each stands for it.
        self._first = np.flatnonzero(np.diff(batch.file, prepend=-1))
        of_files = [
            np.add.reduceat(weight, self._first).astype(np.float64) ** 2 if len(weight) else weight
            for weight in self._weights
        ]
        self._squares: npt.NDArray[np.float64] = np.stack(of_files, axis=1)

    def count(self, found: RowGroupVerdicts, into: Counts) -> None:
        """Adds the row groups of the files that some scans consider and keep."""
        judged = found.verdicts
        scans, considered = judged.scans, judged.considered_bits
        files = judged.considered[:, self._first]
        into.add("sampled_files", scans, counts(pack(files, len(self._first))))
        squares = files.astype(np.float64) @ self._squares
        of_considered, of_kept = (sums(m, *self._weights) for m in (considered, judged.kept_bits))
        for number, name in enumerate(("row_groups", "row_group_records", "row_group_bytes")):
            into.add(f"{name}_considered", scans, of_considered[number])
            into.add(f"{name}_kept", scans, of_kept[number])
            into.add(f"{name}_squares", scans, squares[:, number])
        before = considered
        for level in FILTER_LEVELS:
            after = found.kept_after[level]
            if after is not before:
                into.add(f"row_groups_by_{level}", scans, counts(before & ~after))
            before = after
        into.add_conjuncts(("row_groups_pruned", "row_groups_unknown"), judged)


def count_pages(found: PageCounts, into: Counts) -> None:
    """Adds the pages of row groups that have indexes."""
    scans = found.scans
    into.add("unindexed_row_groups", scans, -found.row_groups)
    into.add("pages_considered", scans, found.pages_considered)
    into.add("pages_kept", scans, found.pages_kept)
    into.add("page_records_considered", scans, found.records_considered)
    into.add("page_records_kept", scans, found.records_kept)
    into.add("page_bytes_considered", scans, found.bytes_considered)
    into.add("page_bytes_kept", scans, found.bytes_kept)
