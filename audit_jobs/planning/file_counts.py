"""What pass 2 counts of the files that scans consider and keep."""

from __future__ import annotations

import numpy as np

from audit_jobs.pruning.counts import Counts
from audit_jobs.pruning.deletes import dangling
from audit_jobs.pruning.verdicts import Verdicts, counts, sums
from collectors.statistics import BoolArray, Content, FileBatch, IntArray

_DELETE_KINDS = {
    Content.POSITION_DELETES: "position_delete_files",
    Content.EQUALITY_DELETES: "equality_delete_files",
    Content.DELETION_VECTOR: "deletion_vectors",
}


def count_deletes(found: Counts, block: Verdicts, files: FileBatch, oldest: IntArray) -> None:
    """Adds the delete files that some scans consider and keep, and those that are older than all
    data: `oldest` bounds the data sequence numbers of the data files of each scan's snapshot."""
    found.add("delete_files_considered", block.scans, counts(block.considered))
    for age in np.unique(oldest[block.scans]).tolist():
        rows = oldest[block.scans] == age
        without_data = dangling(files, age)
        for content, kind in _DELETE_KINDS.items():
            kept = block.kept[rows] & (files.content == content)
            for name, mask in ((f"{kind}_kept", kept), (f"dangling_{kind}", kept & without_data)):
                found.add(name, block.scans[rows], counts(mask))


def count_considered(found: Counts, by_manifest: BoolArray, files: FileBatch) -> None:
    """Adds what scans consider: whole manifests, so summed by manifest."""
    listed = files.row_groups >= 0
    per_file = {
        "data_files_considered": np.ones(len(files.paths), np.int64),
        "bytes_considered": np.maximum(files.size, 0),
        "unsized_files": (files.size < 0).astype(np.int64),
        "records_considered": np.maximum(files.records, 0),
        "uncounted_files": (files.records < 0).astype(np.int64),
        "row_groups_listed": np.where(listed, files.row_groups, 0),
        "unlisted_files": (~listed).astype(np.int64),
    }
    masks = by_manifest.astype(np.int64)
    for name, values in per_file.items():
        per_manifest = np.zeros(masks.shape[1], np.int64)
        np.add.at(per_manifest, files.manifest, values)
        found.add(name, slice(None), masks @ per_manifest)


def count_kept(found: Counts, block: Verdicts, files: FileBatch, unread: BoolArray) -> None:
    """Adds what some scans keep. `unread` are the kept files whose footers pass 3 will read; the
    others keep all of their row groups."""
    scans, kept = block.scans, block.kept
    found.add_conjuncts(("data_files_pruned", "data_files_unknown"), block)
    counted = np.maximum(files.records, 0)
    size, records = sums(kept, np.maximum(files.size, 0), counted)
    found.add("data_files_kept", scans, counts(kept))
    found.add("bytes_kept", scans, size)
    found.add("records_kept", scans, records)
    whole = kept & ~unread
    if not whole.any():
        return
    listed = files.row_groups >= 0
    found.add("whole_files", scans, counts(whole))
    found.add("unread_format", scans, counts(whole & ~files.parquet))
    found.add("unread_unlisted", scans, counts(whole & (files.parquet & ~listed)))
    groups = np.where(files.parquet & listed, files.row_groups, 0)
    row_groups, whole_records = sums(whole, groups, counted)
    for name in ("row_groups_considered", "row_groups_kept", "whole_row_groups"):
        found.add(name, scans, row_groups)
    for name in ("row_group_records_kept", "whole_records"):
        found.add(name, scans, whole_records)
