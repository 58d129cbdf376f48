"""How much of a table filters match, by its sampled rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from audit_jobs.advice.lookups import lookups
from audit_jobs.advice.rows import RankedColumn, SampledRows
from audit_jobs.pruning.estimates import shares_of_clusters
from audit_jobs.pruning.passes import match
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import shapes
from audit_jobs.pruning.verdicts import Verdicts
from collectors.arrays import Floats
from collectors.statistics import ColumnStatistics, Statistics, columns_of, constant, from_counts
from collectors.types import is_floating


def matching_shares(rows: SampledRows, scans: Sequence[Scan]) -> Floats:
    """The share of rows that match each scan's filter, or could: of conditions that say nothing to
    rows, all do."""
    found = np.ones(len(scans))
    share = rows.weight / rows.weight.sum()
    for part in _matched(rows, scans):
        found[part.scans] = part.kept @ share
    return found


def matching_at_most(rows: SampledRows, scans: Sequence[Scan]) -> Floats:
    """The share of rows that match each scan's filter at most: the upper end of the interval of
    what sampled files show, and no more rows than have the values that are looked up, about."""
    found = np.ones(len(scans))
    sizes = np.bincount(rows.cluster, minlength=rows.clusters)
    weights = np.full(rows.clusters, max(1.0, rows.files / rows.clusters))
    for part in _matched(rows, scans):
        each = [np.bincount(rows.cluster[kept], minlength=rows.clusters) for kept in part.kept]
        found[part.scans] = shares_of_clusters(np.stack(each, axis=1), sizes, weights).high
    for of in lookups(scans, rows):
        found[of.scans] = np.minimum(found[of.scans], of.rows / max(1, rows.records))
    return found


def _matched(rows: SampledRows, scans: Sequence[Scan]) -> Iterator[Verdicts]:
    """Which rows match, of the scans whose filters say anything to rows."""
    keys = columns_of(scan.predicate for scan in scans)
    columns = {key: _one_each(rows.columns[key]) for key in keys if key in rows.columns}
    as_containers = Statistics(rows.count, constant(False, rows.count), columns)
    return match([shape for shape in shapes(scans) if shape.leaves], as_containers)


def _one_each(column: RankedColumn) -> ColumnStatistics:
    missing = ~column.has_value
    values = column.distinct.take(pa.array(np.where(missing, 0, column.rank), mask=missing))
    nan = pa.array((column.rank == column.nan).astype(np.int64))
    return from_counts(
        values,
        values,
        null_count=pa.array((column.rank < 0).astype(np.int64)),
        nan_count=nan if is_floating(column.type) else None,
        value_count=pa.array(np.ones(len(column.rank), np.int64)),
    )
