"""The data files of a table's current snapshot, as its manifests list them, with the manifests that
scans keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from prunescope.audit_jobs.planning.work import Block, TableContext
from prunescope.audit_jobs.pruning.passes import prune_manifests
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import Content, FileBatch
from prunescope.collectors.tables.file_batches import file_batch
from prunescope.collectors.tables.manifest_list import (
    Manifest,
    manifest_batches,
    read_manifest_list,
)
from prunescope.collectors.tables.manifests import ManifestEntries, read_manifest

_MAX_FILES = 65_536
"""Files that are judged together."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedFiles:
    """Data files of one spec, the manifests that list them, with their lengths in bytes, and a mask
    of the manifests that each scan keeps."""

    spec: PartitionSpec
    files: FileBatch
    reach: Reach
    manifests: tuple[ManifestEntries, ...]
    lengths: IntArray


def listed_files(context: TableContext, block: Block) -> Iterator[ListedFiles]:
    """All data files, some at a time, for the scans of a block. Raises PrunescopeError."""
    (snapshot,) = context.snapshots.values()
    manifests = read_manifest_list(snapshot, context.storage)
    columns = frozenset(key for keys in block.partition_columns.values() for key in keys)
    for batch in manifest_batches(manifests, dict(context.specs), columns, deletes=False):
        spec = context.specs[batch.spec_id]
        everything = Reach(
            np.ones((block.count, len(batch.ordinal)), np.bool_), np.arange(len(batch.ordinal))
        )
        kept = np.zeros((block.count, len(batch.ordinal)), np.bool_)
        for part in prune_manifests(block.shapes, batch, spec, everything):
            kept[part.scans] = part.kept
        own = [manifests[number] for number in batch.ordinal.tolist()]
        for start, stop in _some(own):
            opened = tuple(_read(manifest, context) for manifest in own[start:stop])
            files = file_batch(
                opened,
                spec,
                block.columns,
                [(f.field_id, f.result_type) for f in spec.fields if f.result_type is not None],
            )
            lengths = np.array([manifest.length for manifest in own[start:stop]], np.int64)
            reach = Reach(kept[:, start:stop], files.manifest)
            yield ListedFiles(spec, files, reach, opened, lengths)


def _some(manifests: Sequence[Manifest]) -> Iterator[tuple[int, int]]:
    start = count = 0
    for number, manifest in enumerate(manifests):
        count += manifest.live_files or 1
        if count >= _MAX_FILES or number == len(manifests) - 1:
            yield start, number + 1
            start, count = number + 1, 0


def _read(manifest: Manifest, context: TableContext) -> ManifestEntries:
    return read_manifest(
        manifest.path,
        context.storage,
        columns=None,
        sequence_number=manifest.sequence_number,
        length=manifest.length,
        live_files=manifest.live_files,
    )


def equality_columns(context: TableContext) -> frozenset[int]:
    """The columns that files of equality deletes compare: only by these can a reader know that such
    deletes do not concern a data file. Raises PrunescopeError."""
    (snapshot,) = context.snapshots.values()
    found: set[int] = set()
    for manifest in read_manifest_list(snapshot, context.storage):
        if not manifest.deletes:
            continue
        for part in _read(manifest, context).parts:
            if (part.content == Content.EQUALITY_DELETES).any():
                found.update(column for cells in part.metrics.values() for column in cells)
    return frozenset(found)
