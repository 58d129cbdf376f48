"""What scans keep of each partition of a table as it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit_jobs.advice.minimal import PartitionReads
from audit_jobs.advice.partition_ranges import Key
from audit_jobs.jobs.listed_files import listed_files
from audit_jobs.planning.work import TableContext, table_work
from audit_jobs.pruning.passes import prune_files
from audit_jobs.pruning.scans import Scan
from collectors.arrays import Floats


def partition_reads(context: TableContext, scans: Sequence[Scan], weight: Floats) -> PartitionReads:
    """The partitions of the current spec, of which scans of these weights keep so much. Raises
    PrunescopeError."""
    (snapshot_id,) = context.snapshots
    read = [(snapshot_id, scan) for scan in scans]
    block = table_work(0, context.table, context.schema_id, context.specs, read).block
    found: dict[Key, list[float]] = {}
    older = 0
    for listed in listed_files(context, block):
        files = listed.files
        size = np.maximum(files.size, 0)
        if listed.spec.spec_id != context.default_spec_id:
            older += int(size.sum())
            continue
        kept = np.zeros(len(size))
        for part in prune_files(block.shapes, files, listed.spec, listed.reach):
            kept += weight[part.scans] @ part.kept
        values = [  # as they were written: a lower bound may lie below (wrapped_values)
            files.partition.columns[field.field_id, field.result_type].upper.to_pylist()
            for field in listed.spec.fields
            if field.transform != "void" and field.result_type is not None
        ]
        for key, own, times in zip(
            zip(*values, strict=True), size.tolist(), kept.tolist(), strict=True
        ):
            sums = found.setdefault(key, [0.0, 0.0])
            sums[0] += own
            sums[1] += own * times
    sums_of = np.array(list(found.values())).reshape(-1, 2)
    return PartitionReads(tuple(found), sums_of[:, 0], sums_of[:, 1], older)
