"""Bounds of files that are in order and leave no gap: if rows are sorted by a column, the bounds of
a file end where those of the next one begin. If only some files of a partition were sampled, and
each has a part of its values, the values of the others lie between theirs, and beyond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from prunescope.audit_jobs.tuning import HALF
from prunescope.collectors.arrays import Floats, IntArray

if TYPE_CHECKING:
    from prunescope.audit_jobs.advice.rows import RankedColumn, SampledRows
    from prunescope.audit_jobs.advice.simulated_containers import Laid


def tiled(
    rows: SampledRows, column: RankedColumn, laid: Laid, low: IntArray, high: IntArray
) -> tuple[IntArray, IntArray]:
    """The ranks of the containers' bounds by the column by which a layout sorts its rows, −1 and −1
    for a container without values, from the bounds of sampled rows. Each container begins where the
    one before in its partition ends, and the first and the last reach as far beyond as files of the
    partition that were not sampled."""
    if not len(column.ranks):
        return low, high
    there = high >= 0
    follows = np.zeros(len(low), np.bool_)
    follows[1:] = (laid.runs[1:] == laid.runs[:-1]) & there[1:] & there[:-1]
    low = np.where(follows, np.minimum(low, np.roll(high, 1)), low)
    beyond = _reach(rows, column, laid, laid.runs).beyond[laid.runs]
    first = there & ~follows
    last = there & ~np.append(follows[1:], False)
    places = len(column.ranks) - 1
    lowest = column.before[np.where(there, low, 0)] - beyond
    highest = column.before[np.where(there, high, 0) + 1] - 1 + beyond
    lower = column.ranks[np.clip(lowest, 0, places)]
    upper = column.ranks[np.clip(highest, 0, places)]
    low = np.where(first, np.minimum(low, lower), low)
    return low, np.where(last, np.maximum(high, upper), high)


def mixed(
    rows: SampledRows, column: RankedColumn, laid: Laid, low: IntArray, high: IntArray
) -> tuple[IntArray, IntArray]:
    """The ranks of the containers' bounds by a column that sorts the present files of a partition,
    and not those of the layout: a layout that mixes rows of most sampled files mixes those of the
    others as well."""
    if not len(column.ranks):
        return low, high
    reach = _reach(rows, column, laid, laid.partition)
    if not reach.is_in_order:
        return low, high
    there = high >= 0
    first = column.before[np.where(there, low, 0)]
    last = column.before[np.where(there, high, 0) + 1] - 1
    is_mixed = there & (last - first >= HALF * reach.spans[laid.partition])
    beyond = reach.beyond[laid.partition]
    places = len(column.ranks) - 1
    lower = column.ranks[np.clip(first - beyond, 0, places)]
    upper = column.ranks[np.clip(last + beyond, 0, places)]
    low = np.where(is_mixed, np.minimum(low, lower), low)
    return low, np.where(is_mixed, np.maximum(high, upper), high)


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """Reach of the sampled files of each partition, or range in one, in places of all rows in
    order: `spans` of all of them, and the mean gap `beyond` the first and the last, and between
    two, if the missing files among them are as wide: n files leave n + 1 gaps. `is_in_order` if
    most neighbours do not overlap."""

    spans: Floats
    beyond: IntArray
    is_in_order: bool


def _reach(rows: SampledRows, column: RankedColumn, laid: Laid, within: IntArray) -> _Reach:
    assert rows.records_each is not None
    weight = np.bincount(rows.cluster, rows.weight, rows.clusters)
    stands = weight / np.maximum(1, rows.records_each)
    container = np.repeat(np.arange(laid.count), np.diff([*laid.starts, len(laid.order)]))
    rank = column.rank[laid.order]
    there = (rank >= 0) & (rank < column.nan)
    partition, cluster = within[container][there], rows.cluster[laid.order][there]
    pair, of_row = np.unique(partition * rows.clusters + cluster, return_inverse=True)
    place = column.before[rank[there]].astype(np.float64)
    least, most = np.full(len(pair), np.inf), np.full(len(pair), -np.inf)
    np.minimum.at(least, of_row, place)
    np.maximum.at(most, of_row, place)
    count = int(within.max(initial=-1)) + 1
    of_pair = pair // rows.clusters
    files = np.bincount(of_pair, minlength=count)
    missing = np.bincount(of_pair, stands[pair % rows.clusters] - 1, count)
    width = np.bincount(of_pair, most - least, count) / np.maximum(1, files)
    beyond: IntArray = np.ceil(np.maximum(0, missing) / (files + 1) * width).astype(np.int64)
    begins, ends = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(begins, of_pair, least)
    np.maximum.at(ends, of_pair, most)
    order = np.lexsort((least, of_pair))
    follow = of_pair[order][1:] == of_pair[order][:-1]
    apart = follow & (least[order][1:] >= most[order][:-1])
    is_in_order = bool(apart.sum() > HALF * follow.sum())
    return _Reach(np.maximum(0.0, ends - begins), beyond, is_in_order)
