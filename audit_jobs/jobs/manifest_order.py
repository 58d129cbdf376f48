"""How a table's manifests list its partitions, and what scans keep of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from audit_jobs.advice.manifests import ListedPartitions, Manifests, order_manifests
from audit_jobs.advice.workload import Workload
from audit_jobs.jobs.listed_files import ListedFiles, listed_files
from audit_jobs.planning.work import TableContext, table_work
from collectors.tables.manifest_list import read_manifest_list


def manifest_order(
    context: TableContext, found: Workload, target_bytes: int, seed: int
) -> Manifests | None:
    """What to do with the manifests of the current spec; None where there is but one, or no
    partition. Raises PrunescopeError."""
    (snapshot,) = context.snapshots.values()
    spec = context.specs[context.default_spec_id]
    own = [
        one
        for one in read_manifest_list(snapshot, context.storage)
        if not one.deletes and one.spec_id == spec.spec_id
    ]
    if len(own) < 2 or all(field.transform == "void" for field in spec.fields):
        return None
    read = [(snapshot.snapshot_id, scan) for scan in found.planned]
    block = table_work(0, context.table, context.schema_id, context.specs, read).block
    parts = [part for part in listed_files(context, block) if part.spec == spec]
    listed = ListedPartitions(
        spec,
        tuple(
            _values(parts, number) for number, f in enumerate(spec.fields) if f.transform != "void"
        ),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.reach.parents for part in parts], axis=1),
    )
    return order_manifests(listed, block.shapes, found, target_bytes, seed=seed)


def _values(parts: list[ListedFiles], number: int) -> pa.Array:
    """The values of one field, as they were written: a lower bound may lie below
    (`collectors/tables/wrapped_values.py`)."""
    field = parts[0].spec.fields[number]
    if field.result_type is None:
        return pa.nulls(sum(len(part.files.paths) for part in parts))
    key = (field.field_id, field.result_type)
    return pa.concat_arrays([part.files.partition.columns[key].upper for part in parts])
