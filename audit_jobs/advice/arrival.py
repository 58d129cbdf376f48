"""The order in which rows come where nothing sorts them."""

from __future__ import annotations

import numpy as np

from audit_jobs.advice.rows import RankedColumn, SampledRows
from collectors.arrays import Floats, IntArray


def places_as_written(rows: SampledRows) -> IntArray:
    """The place of each row if files follow each other as the column says of which they differ
    most, and rows keep their order inside of files: sampled files come in no order."""
    places = [_middles(column, rows) for column in rows.columns.values()]
    if not places:
        return rows.cluster
    _, middle = min(places, key=lambda one: one[0])
    in_order: IntArray = np.argsort(np.argsort(middle, kind="stable"))
    found: IntArray = in_order[rows.cluster]
    return found


def share_spanned(column: RankedColumn, rows: SampledRows) -> float:
    """How much of all ranks the rows of a file span, on average."""
    return _middles(column, rows)[0]


def _middles(column: RankedColumn, rows: SampledRows) -> tuple[float, Floats]:
    """How much of all ranks the rows of a file span, on average, and the mean of those of each;
    of files without values those of all."""
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
