"""The three passes, one container after another, as a plain reading of what they promise: to see
which containers were pruned, and to hold the replay's batches against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from prunescope.audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from prunescope.audit_jobs.pruning.packed import unpack
from prunescope.audit_jobs.pruning.pages import prune_slices
from prunescope.audit_jobs.pruning.passes import prune_files, prune_manifests
from prunescope.audit_jobs.pruning.row_groups import FooterNeeds, prune_row_groups, wanted_evidence
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.statistics import ColumnKey, columns_of
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.evidence import OpenedFile, plan_evidence, read_evidence
from prunescope.collectors.tables.file_batches import file_batch, partition_tuples
from prunescope.collectors.tables.footers import row_group_batch
from prunescope.collectors.tables.manifest_list import manifest_batches, read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest
from prunescope.collectors.tables.pages import read_pages
from tests.footers import footer_of, parquet_file


@dataclass
class Plan:
    """Paths of what a scan keeps. `reached` are the files in kept manifests; row groups are
    pairs of file and number, and `rows` those that page indexes keep of kept ones that have
    any. `pruned_by` counts row groups by the level that rules them out first."""

    manifests: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    row_groups: set[tuple[str, int]] = field(default_factory=set)
    rows: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    pruned_by: Counter[str] = field(default_factory=Counter)


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
            of_list = Reach(np.ones((1, 1), np.bool_), np.zeros(len(batch.live), np.int64))
            (verdict,) = prune_manifests(shapes([scan]), batch, spec, of_list)
            for ordinal in batch.ordinal[verdict.kept[0]].tolist():
                found.manifests.add(manifests[ordinal].path)
                _plan_files(table, scan, manifests[ordinal].path, spec, found)
        plans.append(found)
    return plans


def _plan_files(table: Table, scan: Scan, path: str, spec: PartitionSpec, found: Plan) -> None:
    columns = columns_of([scan.predicate])
    entries = read_manifest(path, table.storage, columns=None)
    batch = file_batch([entries], spec, columns, _partition_columns(scan.predicate, spec))
    found.reached.update(batch.paths.to_pylist())
    of_manifest = Reach(np.ones((1, 1), np.bool_), batch.manifest)
    (verdict,) = prune_files(shapes([scan]), batch, spec, of_manifest)
    (needed,) = unpack(FooterNeeds(batch, spec)(verdict), len(batch.paths))
    for number in np.flatnonzero(verdict.kept[0]).tolist():
        file = batch.paths[number].as_py()
        found.files.add(file)
        opened = parquet_file(file, columns), footer_of(file, columns)
        kept = np.ones(len(opened[1].records), np.bool_)
        if needed[number]:
            tuples = partition_tuples([entries], spec)
            kept = keep_row_groups(scan, opened, tuples[number], spec, found)
        found.row_groups.update((file, group) for group in np.flatnonzero(kept).tolist())


def keep_row_groups(
    scan: Scan, opened: OpenedFile, partition: Mapping[int, Any], spec: PartitionSpec, found: Plan
) -> BoolArray:
    """The row groups of one file that a scan keeps; adds the rows of those that have indexes."""
    file, footer = opened
    groups = row_group_batch(
        [(footer, partition)], spec, file.columns, _partition_columns(scan.predicate, spec)
    )
    every = np.ones(len(footer.records), np.bool_)
    of_file = Reach(np.ones((1, 1), np.bool_), groups.file)
    wanted = wanted_evidence(shapes([scan]), groups, spec, of_file)
    evidence = plan_evidence([opened], wanted)
    dictionaries, bloom_filters = read_evidence([opened], evidence, len(every))
    groups = replace(groups, dictionaries=dictionaries, bloom_filters=bloom_filters)
    (judged,) = prune_row_groups(shapes([scan]), groups, spec, of_file)
    kept: BoolArray = judged.verdicts.kept[0]
    before = every
    for level, after in judged.kept_after.items():
        (left,) = unpack(after, len(every))
        found.pruned_by[level] += int(np.count_nonzero(before & ~left))
        before = left
    pages = read_pages([opened], file.columns, kept)
    sliced = list(prune_slices(shapes([scan]), pages, groups, spec, kept[None, :]))
    if not sliced:
        return kept
    ((slices, _),) = sliced
    ends = np.cumsum(pages.records)
    for number in np.flatnonzero(slices.considered[0]).tolist():
        group = int(pages.row_group[number])
        first = int(np.flatnonzero(pages.row_group == group)[0])
        start = int(ends[first] - pages.records[first])
        rows = found.rows.setdefault((file.path, group), set())
        if slices.kept[0, number]:
            stop = int(ends[number])
            rows.update(range(stop - int(pages.records[number]) - start, stop - start))
    return kept


def _partition_columns(predicate: Predicate, spec: PartitionSpec) -> dict[ColumnKey, None]:
    leaves = comparisons(predicate)
    return columns_of(lift(leaf, spec) for leaf in leaves for lift in (lift_inclusive, lift_strict))
