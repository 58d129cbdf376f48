"""Manifests written anew in the order of partition fields: what planning would open of them.

All data files of the current spec are known, so that nothing is sampled: they are put in order, cut
into manifests of the target size, given the summaries that lists hold, and put through the pass
over manifests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.advice.intervals import ALIKE, MIN_SHARE, Interval, draws, interval, means
from audit_jobs.advice.workload import Workload
from audit_jobs.pruning.passes import prune_manifests
from audit_jobs.pruning.shapes import Shape
from audit_jobs.pruning.verdicts import Reach
from collectors.arrays import BoolArray, Floats, IntArray
from collectors.partitioning import PartitionField, PartitionSpec
from collectors.statistics import (
    ColumnStatistics,
    ManifestBatch,
    Statistics,
    constant,
    from_summaries,
)
from collectors.types import is_floating


@dataclass(frozen=True, slots=True, eq=False)
class ListedPartitions:
    """The partition values of N data files of one spec, by field, and its manifests: of so many
    bytes each (`lengths`), kept by S scans as `kept` says, of the shape (S, manifests)."""

    spec: PartitionSpec
    values: tuple[pa.Array, ...]
    lengths: IntArray
    kept: BoolArray

    @property
    def fields(self) -> tuple[PartitionField, ...]:
        """The fields that have values."""
        return tuple(f for f in self.spec.fields if f.transform != "void")


@dataclass(frozen=True, slots=True)
class Opened:
    """The manifests that planning a scan opens, on average, and their bytes."""

    bytes: Interval
    manifests: float


@dataclass(frozen=True, slots=True)
class Manifests:
    """The manifests of the current spec's data files, what planning opens of them now, and the
    fields in whose order it would open less (`by`): None where it would not by more than may be
    chance. `by_spec` says that it is the order of the spec, which needs no argument."""

    count: int
    bytes: int
    now: Opened
    then: Opened | None = None
    by: tuple[str, ...] | None = None
    by_spec: bool = False


def order_manifests(
    listed: ListedPartitions,
    shapes: Sequence[Shape],
    found: Workload,
    target_bytes: int,
    *,
    seed: int = 0,
) -> Manifests:
    """What to do with manifests that scans of these shapes read."""
    weight = found.weight / found.weight.sum()
    weeks = draws(found, seed)
    whole = int(listed.lengths.sum())
    count = len(listed.lengths)
    one = whole / max(1, count)

    def opened(kept: BoolArray, lengths: Floats) -> tuple[Opened, Floats]:
        size = kept @ lengths
        means_of = means(size, weeks)
        told = interval(float(size @ weight), means_of, one, whole)
        return Opened(told, float(kept.sum(axis=1) @ weight)), means_of

    now, means_now = opened(listed.kept, listed.lengths.astype(np.float64))
    best: tuple[float, Opened, Floats, tuple[PartitionField, ...]] | None = None
    for order in _orders(listed):
        kept = _kept(listed, order, shapes, found, ceil(whole / target_bytes))
        then, means_then = opened(kept, np.full(kept.shape[1], whole / kept.shape[1]))
        if best is None or then.bytes.value < best[0] - ALIKE * whole:
            best = then.bytes.value, then, means_then, order
    if best is None:
        return Manifests(count, whole, now)
    _, then, means_then, order = best
    gain = interval(now.bytes.value - then.bytes.value, means_now - means_then, 0.0)
    if gain.low < MIN_SHARE * whole or now.manifests - then.manifests < 1:
        return Manifests(count, whole, now)
    names = tuple(field.name for field in order)
    return Manifests(count, whole, now, then, names, order == listed.fields)


def _orders(listed: ListedPartitions) -> Iterator[tuple[PartitionField, ...]]:
    """That of the spec first; then each other field before the rest. None where values have no
    order that planners know."""
    fields = listed.fields
    if any(field.result_type is None or is_floating(field.result_type) for field in fields):
        return
    for first in range(len(fields)):
        yield (fields[first], *fields[:first], *fields[first + 1 :])


def _kept(
    listed: ListedPartitions,
    order: tuple[PartitionField, ...],
    shapes: Sequence[Shape],
    found: Workload,
    most: int,
) -> BoolArray:
    """The manifests that each scan keeps, of so many that list files in an order."""
    values = dict(zip(listed.fields, listed.values, strict=True))
    ranked = {field: _ranks(values[field]) for field in order}
    in_order = np.lexsort([ranked[field][0] for field in reversed(order)])
    count = max(1, min(most, len(in_order)))
    starts = np.arange(count) * len(in_order) // count
    batch = ManifestBatch(
        spec_id=listed.spec.spec_id,
        ordinal=np.arange(count),
        live=np.ones(count, np.bool_),
        statistics=Statistics(
            count,
            constant(False, count),
            {
                (field.field_id, field.result_type): _summaries(*ranked[field], in_order, starts)
                for field in order
                if field.result_type is not None
            },
        ),
    )
    kept = np.zeros((len(found.scans), count), np.bool_)
    reach = Reach(np.ones((len(found.scans), 1), np.bool_), np.zeros(count, np.int64))
    for part in prune_manifests(shapes, batch, listed.spec, reach):
        kept[part.scans] = part.kept
    return kept


def _ranks(values: pa.Array) -> tuple[IntArray, pa.Array]:
    """The place of each value among the distinct ones, −1 for null, and these in order."""
    distinct = pc.drop_null(pc.unique(values))
    distinct = distinct.take(pc.sort_indices(distinct))
    rank = pc.fill_null(pc.index_in(values, value_set=distinct), -1)
    return rank.to_numpy(zero_copy_only=False).astype(np.int64), distinct


def _summaries(
    rank: IntArray, distinct: pa.Array, in_order: IntArray, starts: IntArray
) -> ColumnStatistics:
    own = rank[in_order]
    high = np.maximum.reduceat(own, starts)
    low = np.minimum.reduceat(np.where(own < 0, len(distinct), own), starts)
    has_value = pa.array(high >= 0)
    lower, upper = (pa.array(ends, mask=high < 0) for ends in (low, high))
    return from_summaries(
        distinct.take(lower),
        distinct.take(upper),
        has_lower=has_value,
        has_upper=has_value,
        contains_null=pa.array(np.minimum.reduceat(own, starts) < 0),
        contains_nan=None,
    )
