"""Dynamic filters: the records of a table that they could skip, by the values that engines
collected from the other sides of joins, and the records that engines did not read because of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from prunescope.audit_jobs.advice.beyond_filters import AskedFilter, FilterSkip
from prunescope.audit_jobs.jobs.kept_files import kept_sums, snapshot_context
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import all_of
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.tables.catalog import Table

_MAX_SNAPSHOTS = 10
"""Snapshots on which filters are replayed: those of the most runs."""


def filters_skipped(
    table: Table, runs: Mapping[AskedFilter, int], rows_read: Mapping[AskedFilter, int]
) -> tuple[FilterSkip, ...]:
    """The planned records that dynamic filters of runs could skip, the most first, each run
    replayed on the snapshot that it read. Raises PrunescopeError."""
    by_snapshot: dict[int, list[AskedFilter]] = {}
    often: Counter[int] = Counter()
    for asked, count in runs.items():
        by_snapshot.setdefault(asked.snapshot_id, []).append(asked)
        often[asked.snapshot_id] += count
    sums: dict[tuple[str, ...], list[int]] = {}
    for snapshot_id, _ in often.most_common(_MAX_SNAPSHOTS):
        of_snapshot = by_snapshot[snapshot_id]
        context = snapshot_context(table, table.metadata.snapshot_by_id(snapshot_id))
        filters = [asked.scan.planned for asked in of_snapshot]
        filters += [all_of(asked.scan.planned, asked.collected) for asked in of_snapshot]
        rules = [asked.scan.rules for asked in of_snapshot]
        scans = [Scan(n, *one) for n, one in enumerate(zip(filters, rules * 2, strict=True))]
        planned, left = kept_sums(context, scans)[1].reshape(2, -1).tolist()
        for number, asked in enumerate(of_snapshot):
            columns = tuple(sorted({leaf.field.name for leaf in comparisons(asked.collected)}))
            count = runs[asked]
            counts = count, count * planned[number], count * left[number], rows_read[asked]
            before = sums.setdefault(columns, [0, 0, 0, 0])
            sums[columns] = (np.array(before) + counts).tolist()
    skips = [FilterSkip(columns, *counts) for columns, counts in sums.items() if counts[1]]
    return tuple(sorted(skips, key=lambda one: one.left - one.planned))
