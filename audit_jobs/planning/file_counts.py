"""Counts of pass 2: files that scans consider and keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.pruning.counts import Counts
from prunescope.audit_jobs.pruning.deletes import dangling
from prunescope.audit_jobs.pruning.packed import NONE, Packed, counts, pack, sums
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS
from prunescope.audit_jobs.pruning.verdicts import Verdicts
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.statistics import Content, FileBatch

_DELETES = (Content.POSITION_DELETES, Content.EQUALITY_DELETES, Content.DELETION_VECTOR)


def count_deletes(found: Counts, block: Verdicts, files: FileBatch, oldest: IntArray) -> None:
    """Adds the delete files that some scans consider and keep, and those that are older than all
    data: `oldest` bounds the data sequence numbers of the data files of each scan's snapshot."""
    found.add("delete_files_considered", block.scans, counts(block.considered_bits))
    for age in np.unique(oldest[block.scans]).tolist():
        rows = oldest[block.scans] == age
        without_data = _one(dangling(files, age))
        for content, kind in zip(_DELETES, DELETE_KINDS, strict=True):
            kept = block.kept_bits[rows] & _one(files.content == content)
            for name, mask in ((f"{kind}_kept", kept), (f"dangling_{kind}", kept & without_data)):
                found.add(name, block.scans[rows], counts(mask))


def _one(files: BoolArray) -> Packed:
    """One mask over files."""
    return pack(files[None, :], len(files))


class FileCounter:
    """Counts the files of a batch that the scans of a block consider and keep. `by_manifest` has
    the manifests that each scan keeps, and so considers all files of."""

    def __init__(self, files: FileBatch, by_manifest: BoolArray) -> None:
        self._files = files
        self._by_manifest = by_manifest.astype(np.int64)
        self._size, self._records = np.maximum(files.size, 0), np.maximum(files.records, 0)
        self._groups = np.where(files.parquet, np.maximum(files.row_groups, 0), 0)
        self._of_other_formats = _one(~files.parquet)
        self._unlisted = _one(files.parquet & (files.row_groups < 0))
        self._ends = np.searchsorted(files.manifest, np.arange(by_manifest.shape[1] + 1))
        weights = (np.ones_like(self._size), self._size, self._records, self._groups)
        self._of_manifests = np.stack([self._per_manifest(weight) for weight in weights], axis=1)

    def considered(self, found: Counts) -> None:
        """Adds the files that each scan considers."""
        files = self._files
        listed = files.row_groups >= 0
        for name, values in (
            ("data_files_considered", np.ones_like(self._size)),
            ("bytes_considered", self._size),
            ("unsized_files", files.size < 0),
            ("records_considered", self._records),
            ("uncounted_files", files.records < 0),
            ("row_groups_listed", np.where(listed, files.row_groups, 0)),
            ("unlisted_files", ~listed),
        ):
            found.add(name, slice(None), self._by_manifest @ self._per_manifest(values))

    def kept(self, found: Counts, block: Verdicts, unread: Packed) -> None:
        """Adds the files that some scans keep. `unread` are the kept files whose footers pass 3
        will read; the others keep all of their row groups."""
        scans, kept = block.scans, block.kept_bits
        found.add_conjuncts(("data_files_pruned", "data_files_unknown"), block)
        found.add_unmeasured("data_files_unmeasured", block)
        files, unlisted = counts(kept), counts(kept & self._unlisted)
        size, records, groups = self._kept(block, files)
        found.add("data_files_kept", scans, files)
        found.add("bytes_kept", scans, size)
        found.add("records_kept", scans, records)
        found.add("unread_format", scans, counts(kept & self._of_other_formats))
        if unread.any():
            files = files - counts(unread)
            unlisted = unlisted - counts(unread & self._unlisted)
            of_unread = sums(unread, self._records, self._groups)
            records, groups = records - of_unread[0], groups - of_unread[1]
        found.add("whole_files", scans, files)
        found.add("unread_unlisted", scans, unlisted)
        for name in ("row_groups_considered", "row_groups_kept", "whole_row_groups"):
            found.add(name, scans, groups)
        for name in ("row_group_records_kept", "whole_records"):
            found.add(name, scans, records)

    def _per_manifest(self, values: npt.NDArray[Any]) -> IntArray:
        before = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
        return np.asarray(np.diff(before[self._ends]))

    def _kept(self, block: Verdicts, kept: IntArray) -> Sequence[IntArray]:
        """The bytes, records and listed row groups of the files that some scans keep, `kept` many
        each: summed over the kept files or over the others, whichever are fewer."""
        weights = (self._size, self._records, self._groups)
        files, *considered = (self._by_manifest[block.scans] @ self._of_manifests).T
        most = 2 * kept > files
        # What is kept is considered.
        fewer = np.where(most[:, None], block.considered_bits, NONE) ^ block.kept_bits
        found = sums(fewer, *weights)
        return [
            np.where(most, of_all - some, some)
            for of_all, some in zip(considered, found, strict=True)
        ]
