"""Reads of scans if row groups, or files, had a filter of a column's values: sampled rows of files
as they are tell which values containers hold.

A container of R rows, n of them sampled, holds a value if one of the n has it, else with 1 - e^(-(R
- n) p), if p is the value's share of the other rows. For a value that c of N sampled rows have, p
is c / N; for c = 1 it is 2 f2 / f1 / N (Good and Turing), where f_c values are in c sampled rows
each: a key that was met is not met again. Values that no sample has are in f1 / N of the rows, and
are as many as Duj1 estimates (Haas et al., "Sampling-Based Estimation of the Number of Distinct
Values of an Attribute", 1995). If none of the n has a value, it is less likely there than
elsewhere: 1 / (1 / p + n), the mean of a gamma distribution after that observation. A value that is
asked for is in one container at least, and in none that statistics rule out: p is then the share of
the rows of all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.advice.layouts import Layouts, metrics
from prunescope.audit_jobs.advice.rows import RankedColumn, SampledRows
from prunescope.audit_jobs.advice.sampled_files import Present, SampledFiles, present
from prunescope.audit_jobs.advice.scores import Replayed, judged
from prunescope.audit_jobs.advice.simulated_containers import Laid, RowGroups
from prunescope.audit_jobs.findings.bloom_filters import Index, Indexed
from prunescope.audit_jobs.pruning.row_groups import prune_row_groups
from prunescope.audit_jobs.pruning.shapes import Place, Shape
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import BoolArray, Floats
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import ColumnKey, ColumnStatistics, RowGroupBatch


def read_with_index(
    index: Index, key: ColumnKey, layouts: Layouts, files: SampledFiles, scans: Replayed
) -> Indexed:
    """Returns the reads of scans of the laid-out table, if it had an index of a column that the
    sample has."""
    column = layouts.rows.columns[key]
    shares = _Shares.of(column, layouts.rows)
    found = present(layouts, files, scans)
    parts = [_part(index, key, layouts, shares, scans, one) for one in found]
    # Rows of a partition stand for no other, of which there may be more.
    of_table = layouts.rows.files / max(1.0, sum(part.files for part in parts))
    of_bytes = layouts.rows.bytes / max(1.0, sum(float(part.laid.bytes.sum()) for part in parts))
    rows = sum(float(part.rows.sum()) for part in parts)
    now, left, asked = (np.zeros(scans.count) for _ in range(3))
    for scan, values in (found for shape in scans.shapes for found in _asked(shape, key)):
        ranks = pc.index_in(pa.array(values, column.distinct.type), column.distinct).to_pylist()
        ruled_out = [np.ones(len(part.count)) for part in parts]
        for value, rank in zip(values, ranks, strict=True):
            # Of a list, each value is in its own containers.
            places = [part.within[scan] & _may_hold(part.bounds, value) for part in parts]
            near = sum(float(own @ part.rows) for part, own in zip(parts, places, strict=True))
            among = near / max(1.0, rows)
            holding = [
                own * part.held.by(rank, among) for part, own in zip(parts, places, strict=True)
            ]
            met = sum(float(part.count @ own) for part, own in zip(parts, holding, strict=True))
            # A value that is asked for is somewhere, if not all rows show that it is nowhere.
            at_least = max(1.0, 1 / (met * of_table)) if met else 1.0
            for place, own in enumerate(holding):
                lacking = 1 - np.minimum(1, at_least * own)
                ruled_out[place] = ruled_out[place] * lacking * (1 - index.false_positives)
        for part, skipped in zip(parts, ruled_out, strict=True):
            now[scan] += of_bytes * (part.kept[scan] @ part.laid.bytes)
            left[scan] += of_bytes * (part.within[scan] @ (part.bytes * (1 - skipped)))
            asked[scan] += of_table * (part.within[scan] @ part.count)
    containers = sum(float(part.count.sum()) for part in parts)
    values_of_all = sum(float(part.count @ part.held.distinct) for part in parts)
    return Indexed(now, left, asked, containers * of_table, values_of_all / max(1.0, containers))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Sampled files of a spec, which stand for `files`, and their containers, each of which stands
    for `count` others, with `bytes` and `rows` together; the values `held` in these; the files that
    scans keep, and the containers `within` them that statistics do not rule out."""

    laid: Laid
    files: float
    bytes: Floats
    rows: Floats
    count: Floats
    held: _Held
    kept: BoolArray
    within: BoolArray
    bounds: ColumnStatistics | None


def _part(
    index: Index,
    key: ColumnKey,
    layouts: Layouts,
    shares: _Shares,
    scans: Replayed,
    found: Present,
) -> _Part:
    laid, batch, spec = found.laid, found.files, found.candidate.spec
    of_files = _alike(layouts.rows, laid)
    inside = RowGroups(laid, np.arange(laid.count), np.ones(laid.count))
    if index.container_bytes is not None:
        one = replace(laid, bytes=laid.bytes / of_files, files=np.ones(laid.count))
        inside = layouts.cut_inside(one, index.container_bytes)
    alike = of_files[inside.owner]
    held = _Held(shares, inside, inside.laid.weight / alike)
    kept = np.zeros((scans.count, laid.count), np.bool_)
    for part in judged(batch, found.candidate, scans):
        kept[part.scans] = part.kept
    within = np.zeros((scans.count, inside.laid.count), np.bool_)
    nothing = np.zeros(inside.laid.count, np.int64)
    told = metrics(layouts.rows, [inside.laid], scans.columns, whole=True)
    row_groups = RowGroupBatch(0, inside.owner, nothing, nothing, batch.partition, told)
    for inner in prune_row_groups(scans.shapes, row_groups, spec, Reach(kept, inside.owner)):
        within[inner.verdicts.scans] = inner.verdicts.kept
    of_all = float(of_files.sum())
    count = inside.groups * alike
    size = inside.laid
    bounds = told.columns.get(key)
    return _Part(laid, of_all, size.bytes, size.weight, count, held, kept, within, bounds)


def _may_hold(bounds: ColumnStatistics | None, value: PhysicalValue) -> BoolArray | np.bool_:
    """Mask of the containers that may hold a value by their bounds."""
    if bounds is None:
        return np.True_
    scalar = pa.scalar(value, bounds.lower.type)
    inside = pc.and_(pc.less_equal(bounds.lower, scalar), pc.greater_equal(bounds.upper, scalar))
    found: BoolArray = pc.fill_null(inside, True).to_numpy(zero_copy_only=False)
    return found


def _alike(rows: SampledRows, laid: Laid) -> Floats:
    """The number of files with its rows for which each sampled file stands."""
    if rows.records_each is None:
        return laid.files
    found: Floats = np.maximum(1e-9, laid.weight / rows.records_each[laid.partition])
    return found


def _asked(shape: Shape, key: ColumnKey) -> Iterator[tuple[int, list[PhysicalValue]]]:
    """The scans of a shape whose rows all have one of some values of a column, with these values:
    of several such conditions only the first counts."""
    for tree in shape.conjuncts:
        match tree:
            case Place(number, Op.IN, field) if (field.field_id, field.type) == key and (
                field.transform is None
            ):
                literals = shape.leaves[number].literals
                lists = np.split(literals.values, literals.offsets[1:-1])
                for planned in shape.planned:
                    rows, positions = planned.rows.tolist(), planned.scans.tolist()
                    for row, scan in zip(rows, positions, strict=True):
                        yield scan, lists[row].tolist()
                return


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """The shares of rows that were not sampled: by rank for each value of a column, and for any one
    value that no sampled row has (`unseen`)."""

    column: RankedColumn
    seen: Floats
    unseen: float

    @classmethod
    def of(cls, column: RankedColumn, rows: SampledRows) -> _Shares:
        """Estimates the shares from sampled rows."""
        counts = np.diff(column.before)
        sampled = max(1, rows.count)
        once, twice = (int(np.count_nonzero(counts == times)) for times in (1, 2))
        again = 2 * twice / max(1, once) / sampled
        seen = np.where(counts == 1, min(again, 1 / sampled), counts / sampled)
        more = distinct_values(len(counts), once, sampled, max(rows.records, sampled)) - len(counts)
        return cls(column, seen, once / sampled / more if more > 0 else 0.0)


def distinct_values(found: float, once: float, sampled: float, rows: float) -> float:
    """Estimates the number of distinct values of `rows` rows. The `sampled` rows among them have
    `found` values, `once` of which are in one row each."""
    share = 1 - (1 - min(1.0, sampled / max(1.0, rows))) * once / max(1.0, sampled)
    return min(rows, found / share) if share > 0 else rows


class _Held:
    """The values that containers hold: `distinct` counts those of each."""

    def __init__(self, shares: _Shares, inside: RowGroups, rows: Floats) -> None:
        laid, column = inside.laid, shares.column
        self._shares, self._nan = shares, column.nan
        self._groups = inside.groups
        self._sampled = np.diff([*laid.starts, len(laid.order)]).astype(np.float64)
        self._others = np.maximum(0.0, rows - self._sampled)
        self._container = np.repeat(np.arange(laid.count), self._sampled.astype(np.int64))
        self._rank = column.rank[laid.order]
        self._by_rank = np.argsort(self._rank, kind="stable")
        self._in_order = self._rank[self._by_rank]
        self.distinct = self._distinct()

    def by(self, rank: int | None, among: float) -> Floats:
        """Returns the probability that each container holds the value of a rank, None for a value
        that no row has, if all rows with it are among the share `among` of the rows."""
        met = np.zeros(len(self._sampled))
        share = self._shares.unseen
        if rank is not None:
            low, high = np.searchsorted(self._in_order, [rank, rank + 1])
            rows = self._by_rank[low:high]
            met = np.bincount(self._container[rows], minlength=len(met)).astype(np.float64)
            share = float(self._shares.seen[rank])
        lacking = (1 - 1 / self._groups) ** met
        share = min(1.0, share / among) if among else 0.0
        if share:
            after = (1 + met) / (1 / share + self._sampled)
            lacking = lacking * np.exp(-self._others * after / self._groups)
        found: Floats = 1 - lacking
        return found

    def _distinct(self) -> Floats:
        """Counts distinct values by the rows of each container alone."""
        pairs = self._container * (self._nan + 2) + self._rank + 1
        _, first, counts = np.unique(pairs, return_index=True, return_counts=True)
        there = (self._rank[first] >= 0) & (self._rank[first] < self._nan)
        owner = self._container[first]
        size = len(self._sampled)
        found = np.bincount(owner[there], minlength=size)
        once = np.bincount(owner[there & (counts == 1)], minlength=size)
        rows = (self._sampled + self._others) / self._groups
        told = zip(
            found.tolist(), once.tolist(), self._sampled.tolist(), rows.tolist(), strict=True
        )
        return np.array([distinct_values(*one) for one in told])
