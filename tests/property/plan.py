"""The three passes, one container after another, as a plain reading of what they promise: to see
which containers were pruned, and to hold the replay's batches against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from audit_jobs.pruning.passes import (
    needs_row_groups,
    prune_files,
    prune_manifests,
    prune_row_groups,
)
from audit_jobs.pruning.scans import Scan, comparisons, inclusive, strict
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import Predicate
from collectors.statistics import ColumnKey, columns_of
from collectors.tables.catalog import Table
from collectors.tables.footers import read_footer, row_group_batch
from collectors.tables.manifest_list import manifest_batches, read_manifest_list
from collectors.tables.manifests import file_batch, read_manifest


@dataclass
class Plan:
    """Paths of what a scan keeps. `reached` are the files in kept manifests; row groups are
    pairs of file and number."""

    manifests: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    row_groups: set[tuple[str, int]] = field(default_factory=set)


def plan(table: Table, predicates: Iterable[Predicate]) -> list[Plan]:
    """The plans of bound predicates against the current snapshot."""
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    specs = table.metadata.specs(table.metadata.schema(snapshot))
    manifests = read_manifest_list(snapshot, table.storage)
    plans = []
    for number, predicate in enumerate(predicates):
        scan = Scan(number, predicate)
        found = Plan()
        keys = {k for spec in specs.values() for k in _partition_columns(predicate, spec)}
        for batch in manifest_batches(manifests, specs, keys, deletes=False):
            spec = specs[batch.spec_id]
            (verdict,) = prune_manifests([scan], batch, spec)
            for ordinal in batch.ordinal[verdict.kept].tolist():
                found.manifests.add(manifests[ordinal].path)
                _plan_files(table, scan, manifests[ordinal].path, spec, found)
        plans.append(found)
    return plans


def _plan_files(table: Table, scan: Scan, path: str, spec: PartitionSpec, found: Plan) -> None:
    columns = columns_of([scan.predicate])
    entries = read_manifest(path, table.storage, with_metrics=True)
    batch = file_batch([(0, entries)], spec, columns, _partition_columns(scan.predicate, spec))
    every = np.ones(len(batch.paths), np.bool_)
    found.reached.update(batch.paths)
    (verdict,) = prune_files([scan], batch, spec, [every])
    (needed,) = needs_row_groups([scan], batch, spec)
    for number in np.flatnonzero(verdict.kept).tolist():
        file = batch.paths[number]
        found.files.add(file)
        footer = read_footer(file, table.storage, columns)
        kept = np.ones(len(footer.row_groups), np.bool_)
        if needed[number]:
            groups = row_group_batch(
                [(footer, entries.partitions()[number])],
                spec,
                columns,
                _partition_columns(scan.predicate, spec),
                frozenset(),
            )
            kept = next(prune_row_groups([scan], groups, spec, [kept])).kept
        found.row_groups.update((file, group) for group in np.flatnonzero(kept).tolist())


def _partition_columns(predicate: Predicate, spec: PartitionSpec) -> dict[ColumnKey, None]:
    leaves = comparisons(predicate)
    return columns_of(lift(leaf, spec) for leaf in leaves for lift in (inclusive, strict))
