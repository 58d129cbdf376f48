"""The order of rows that nothing sorts, as they arrive."""

from __future__ import annotations

import numpy as np

from prunescope.audit_jobs.advice.rows import RankedColumn, SampledRows
from prunescope.collectors.arrays import Floats, IntArray


def places_as_written(rows: SampledRows) -> IntArray:
    """The position of each row's file in the estimated write order; rows keep their order inside of
    files. Sampled files come in no order, so they are sorted by the column in which files differ
    most."""
    places = [_middles(column, rows) for column in rows.columns.values()]
    if not places:
        return rows.cluster
    _, middle = min(places, key=lambda one: one[0])
    in_order: IntArray = np.argsort(np.argsort(middle, kind="stable"))
    found: IntArray = in_order[rows.cluster]
    return found


def share_spanned(column: RankedColumn, rows: SampledRows) -> float:
    """The share of all ranks that the rows of a file span, on average."""
    return _middles(column, rows)[0]


def _middles(column: RankedColumn, rows: SampledRows) -> tuple[float, Floats]:
    """The mean span of a file's rows, as a share of all ranks, and the mean rank of each file; for
    files without values the mean rank of all rows."""
    there = column.has_value
    cluster, rank = rows.cluster[there], column.rank[there].astype(np.float64)
    count = np.bincount(cluster, minlength=rows.clusters)
    if not len(rank):
        return np.inf, np.zeros(rows.clusters)
    low, high = np.full(rows.clusters, np.inf), np.full(rows.clusters, -np.inf)
    np.minimum.at(low, cluster, rank)
    np.maximum.at(high, cluster, rank)
    own = count > 0
    spans = float((high[own] - low[own]).mean()) / max(1, len(column.distinct) - 1)
    sums = np.bincount(cluster, rank, rows.clusters)
    return spans, np.where(own, sums / np.maximum(1, count), float(rank.mean()))
