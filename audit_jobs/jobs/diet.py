"""The statistics that a log's scans need of a table, and those that they do not: its manifests are
read once more, and every distinct scan is replayed without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

import numpy as np
import pyarrow.compute as pc

from prunescope.audit_jobs.advice.unneeded_statistics import (
    FULL,
    Diet,
    MetricBytes,
    Missing,
    Proof,
    Spare,
)
from prunescope.audit_jobs.advice.workload import Asked
from prunescope.audit_jobs.jobs.listed_files import equality_columns, listed_files
from prunescope.audit_jobs.planning.local import table_context
from prunescope.audit_jobs.planning.work import table_work
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.errors import SnapshotNotFound
from prunescope.collectors.statistics import ColumnStatistics, columns_of
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metrics_modes import WITHOUT_BOUNDS, MetricsModes


def diet_of(table: Table, asked: Asked, advised: Collection[str]) -> Diet:
    """The diet of a table whose current snapshot is `asked` for by these scans, and for which a
    layout by the `advised` columns is recommended. Raises PrunescopeError."""
    metadata = table.metadata
    snapshot = metadata.current_snapshot()
    if snapshot is None:
        raise SnapshotNotFound(f"{table.name} has never been written")
    schema = metadata.schema(None)
    context = table_context(table, schema, [snapshot.snapshot_id])
    runs = _compared(asked)
    stay = _layout_columns(metadata, advised) | equality_columns(context)
    names = {
        column.field_id: column.name
        for column in schema.columns
        if column.type not in ("struct", "list", "map")
    }
    proof = Proof.of(sorted(names.keys() - stay, key=lambda column: (runs[column], column)))
    scans = _distinct(asked)
    read = [(snapshot.snapshot_id, scan) for scan in scans]
    block = table_work(0, context.table, context.schema_id, context.specs, read).block
    sizes, without = MetricBytes(), Counter[int]()
    for listed in listed_files(context, block):
        proof.show(block.shapes, listed.files, listed.spec, listed.reach)
        parts = (part for one in listed.manifests for part in one.parts)
        sizes.add(int(listed.lengths.sum()), parts, count=len(listed.manifests))
        for (column, _), known in listed.files.metrics.columns.items():
            without[column] += _without_bounds(known)
    written = MetricsModes.of(metadata, ordered=stay)
    modes = {column: written.mode(name) for column, name in names.items()}
    spare = [
        (column, Spare(names[column], mode, sizes.saved(column, mode), float(runs[column])))
        for column, mode in proof.modes.items()
        if mode not in (FULL, modes[column]) and sizes.saved(column, mode)
    ]
    missing = [
        Missing(names[column], float(runs[column]), without[column], modes[column])
        for column in names
        if runs[column]
        and without[column]
        and (without[column] == proof.files or modes[column] in WITHOUT_BOUNDS)
    ]
    return Diet(
        tuple(_largest(one for column, one in spare if not runs[column])),
        tuple(_largest(one for column, one in spare if runs[column])),
        tuple(sorted(missing, key=lambda one: -one.runs)),
        scans=len(scans),
        files=proof.files,
        manifest_bytes=sizes.manifests,
    )


def _distinct(asked: Asked) -> list[Scan]:
    planned = dict.fromkeys((scan.planned, scan.rules) for scan in asked.runs)
    return [Scan(number, *one) for number, one in enumerate(planned)]


def _compared(asked: Asked) -> Counter[int]:
    """The number of scans that compared each column, pushed or not."""
    found: Counter[int] = Counter()
    for scan, runs in asked.runs.items():
        for column in {column for column, _ in columns_of((scan.planned, scan.whole))}:
            found[column] += runs
    return found


def _layout_columns(metadata: TableMetadata, advised: Collection[str]) -> frozenset[int]:
    """The columns by which the table is partitioned or ordered, or should be."""
    specs = metadata.specs(metadata.schema(None)).values()
    found = {field.source_id for spec in specs for field in spec.fields}
    found.update(metadata.sort_columns)
    columns = metadata.schema(None).columns
    found.update(column.field_id for column in columns if column.name in advised)
    return frozenset(found)


def _without_bounds(known: ColumnStatistics) -> int:
    """The number of files in which a column has no bounds, though it is not all null or NaN."""
    bounded = pc.or_(pc.is_valid(known.lower), pc.is_valid(known.upper))
    told = pc.or_(bounded, pc.fill_null(pc.or_kleene(known.all_null, known.all_nan), False))
    return int(np.count_nonzero(~told.to_numpy(zero_copy_only=False)))


def _largest(found: Iterable[Spare]) -> list[Spare]:
    return sorted(found, key=lambda one: -one.bytes)
