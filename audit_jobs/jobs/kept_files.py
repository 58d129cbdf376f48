"""Data files of a table's snapshot that scans keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.jobs.listed_files import listed_files
from prunescope.audit_jobs.planning.local import table_context
from prunescope.audit_jobs.planning.work import TableContext, table_work
from prunescope.audit_jobs.pruning.packed import sums
from prunescope.audit_jobs.pruning.passes import prune_files
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.verdicts import Verdicts
from prunescope.collectors.errors import SnapshotNotFound
from prunescope.collectors.statistics import FileBatch
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import Snapshot


def snapshot_context(table: Table, snapshot: Snapshot | None) -> TableContext:
    """The context of scans of a snapshot under the table's current schema. Raises SnapshotNotFound
    for None: the table has never been written."""
    if snapshot is None:
        raise SnapshotNotFound(f"{table.name} has never been written")
    return table_context(table, table.metadata.schema(None), [snapshot.snapshot_id])


def kept_files(
    context: TableContext, scans: Sequence[Scan]
) -> Iterator[tuple[FileBatch, list[Verdicts]]]:
    """All data files in batches, each with the verdicts on scans, which are numbered in order.
    Raises PrunescopeError."""
    (snapshot_id,) = context.snapshots
    read = [(snapshot_id, scan) for scan in scans]
    block = table_work(0, context.table, context.schema_id, context.specs, read).block
    for listed in listed_files(context, block):
        yield (
            listed.files,
            list(prune_files(block.shapes, listed.files, listed.spec, listed.reach)),
        )


def kept_sums(context: TableContext, scans: Sequence[Scan]) -> npt.NDArray[np.int64]:
    """The bytes and the records that S scans keep, of the shape (2, S); unknown counts of files are
    left out. Raises PrunescopeError."""
    found = np.zeros((2, len(scans)), np.int64)
    for files, parts in kept_files(context, scans):
        size, records = np.maximum(files.size, 0), np.maximum(files.records, 0)
        for part in parts:
            found[:, part.scans] += np.stack(sums(part.kept_bits, size, records))
    return found
