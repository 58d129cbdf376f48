"""What scans would read if row groups, or files, had a filter of a column's values: sampled rows of
files as they are tell which values containers hold.

A container of R rows, n of them sampled, holds a value if one of the n has it, else with
1 - e^(-(R - n) p), if p is the value's share of the other rows. Of a value that c of N sampled rows
have, p is c / N; for c = 1 it is 2 f2 / f1 / N (Good and Turing), where f_c values are in c sampled
rows each: a key that was met is not met again. Values that no sample has are in f1 / N of the rows,
and are as many as Duj1 estimates (Haas et al., "Sampling-Based Estimation of the Number of Distinct
Values of an Attribute", 1995). That none of the n has a value makes it less likely there than
elsewhere: 1 / (1 / p + n), the mean of a gamma distribution once that was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.advice.laid import Laid, RowGroups
from audit_jobs.advice.layouts import Layouts, metrics
from audit_jobs.advice.rows import RankedColumn, SampledRows
from audit_jobs.advice.sampled_files import SampledFiles, as_they_are
from audit_jobs.advice.scores import Replayed
from audit_jobs.findings.indexes import Index, Indexed
from audit_jobs.pruning.passes import prune_files
from audit_jobs.pruning.row_groups import prune_row_groups
from audit_jobs.pruning.shapes import Place, Shape
from audit_jobs.pruning.verdicts import Reach
from collectors.arrays import BoolArray, Floats
from collectors.partitioning import PartitionSpec
from collectors.predicates.literals import PhysicalValue
from collectors.predicates.operators import Op
from collectors.statistics import ColumnKey, FileBatch, RowGroupBatch


def read_with_index(
    index: Index, key: ColumnKey, layouts: Layouts, files: SampledFiles, scans: Replayed
) -> Indexed:
    """What scans would read of the table whose rows are laid out, if it had an index of a column,
    of which the sample has rows."""
    column = layouts.rows.columns[key]
    shares = _Shares.of(column, layouts.rows)
    asking = {scan: values for shape in scans.shapes for scan, values in _asked(shape, key)}
    now, left, asked = (np.zeros(scans.count) for _ in range(3))
    containers = values_of_all = told_of = 0.0
    for laid, spec, batch in as_they_are(layouts, files, scans):
        inside = _containers(index, layouts, laid)
        kept, within = _kept(layouts, scans, spec, batch, inside, laid.count)
        alike = _alike(layouts.rows, laid)[inside.owner]
        held = _Held(column, shares, inside, inside.laid.weight / alike)
        count = inside.groups * alike
        for scan, values in asking.items():
            told = held.any_of(values, index.false_positives)
            now[scan] += kept[scan] @ laid.bytes
            left[scan] += within[scan] @ (inside.laid.bytes * told)
            asked[scan] += within[scan] @ count
        told_of += float(laid.bytes.sum())
        containers += float(count.sum())
        values_of_all += float(count @ held.distinct)
    # Rows of a partition stand for no other, of which there may be more.
    of_table = containers * layouts.rows.bytes / max(1.0, told_of)
    return Indexed(now, left, asked, of_table, values_of_all / max(1.0, containers))


def _containers(index: Index, layouts: Layouts, laid: Laid) -> RowGroups:
    """Those that an index has a filter for: no more than each file has, whatever it stands for."""
    if index.container_bytes is None:
        return RowGroups(laid, np.arange(laid.count), np.ones(laid.count))
    one = replace(laid, bytes=laid.bytes / laid.files, files=np.ones(laid.count))
    return layouts.cut_inside(one, index.container_bytes)


def _alike(rows: SampledRows, laid: Laid) -> Floats:
    """For how many files each sampled one stands."""
    return (
        laid.files if rows.records_each is None else laid.weight / rows.records_each[laid.partition]
    )


def _kept(
    layouts: Layouts,
    scans: Replayed,
    spec: PartitionSpec,
    batch: FileBatch,
    inside: RowGroups,
    files: int,
) -> tuple[BoolArray, BoolArray]:
    """The files that scans keep, and of what these are made what statistics do not rule out."""
    kept = np.zeros((scans.count, files), np.bool_)
    everything = Reach(np.ones((scans.count, 1), np.bool_), np.zeros(files, np.int64))
    for part in prune_files(scans.shapes, batch, spec, everything):
        kept[part.scans] = part.kept
    within = np.zeros((scans.count, inside.laid.count), np.bool_)
    nothing = np.zeros(inside.laid.count, np.int64)
    found = metrics(layouts.rows, [inside.laid], scans.columns, whole=True)
    row_groups = RowGroupBatch(0, inside.owner, nothing, nothing, batch.partition, found)
    for judged in prune_row_groups(scans.shapes, row_groups, spec, Reach(kept, inside.owner)):
        within[judged.verdicts.scans] = judged.verdicts.kept
    return kept, within


def _asked(shape: Shape, key: ColumnKey) -> Iterator[tuple[int, list[PhysicalValue]]]:
    """The scans of a shape of which all rows have one of some values of a column, and these: of
    several such conditions those of the first."""
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
    """The shares of rows that were not sampled which have each value of a column, by rank, and any
    one that no sampled row has (`unseen`)."""

    seen: Floats
    unseen: float

    @classmethod
    def of(cls, column: RankedColumn, rows: SampledRows) -> _Shares:
        """As sampled rows tell."""
        counts = np.diff(column.before)
        sampled = max(1, rows.count)
        once, twice = (int(np.count_nonzero(counts == times)) for times in (1, 2))
        again = 2 * twice / max(1, once) / sampled
        seen = np.where(counts == 1, min(again, 1 / sampled), counts / sampled)
        more = distinct_values(len(counts), once, sampled, max(rows.records, sampled)) - len(counts)
        return cls(seen, once / sampled / more if more > 0 else 0.0)


def distinct_values(found: float, once: float, sampled: float, rows: float) -> float:
    """How many values so many rows have, of which as many as were sampled have so many (`found`),
    and so many of these one row each."""
    share = 1 - (1 - min(1.0, sampled / max(1.0, rows))) * once / max(1.0, sampled)
    return min(rows, found / share) if share > 0 else rows


class _Held:
    """Which values containers hold: of each, how many `distinct` ones."""

    def __init__(
        self, column: RankedColumn, shares: _Shares, inside: RowGroups, rows: Floats
    ) -> None:
        laid = inside.laid
        self._column, self._shares = column, shares
        self._groups = inside.groups
        self._sampled = np.diff([*laid.starts, len(laid.order)]).astype(np.float64)
        self._others = np.maximum(0.0, rows - self._sampled)
        self._container = np.repeat(np.arange(laid.count), self._sampled.astype(np.int64))
        self._rank = column.rank[laid.order]
        self._by_rank = np.argsort(self._rank, kind="stable")
        self._in_order = self._rank[self._by_rank]
        self.distinct = self._distinct()

    def any_of(self, values: list[PhysicalValue], false_positives: float) -> Floats:
        """How likely an index of each container does not rule out all of some values."""
        ruled_out = np.ones(len(self._sampled))
        for rank in self._ranks(values):
            ruled_out *= (1 - self._holds(rank)) * (1 - false_positives)
        found: Floats = 1 - ruled_out
        return found

    def _holds(self, rank: int | None) -> Floats:
        met = np.zeros(len(self._sampled))
        share = self._shares.unseen
        if rank is not None:
            low, high = np.searchsorted(self._in_order, [rank, rank + 1])
            rows = self._by_rank[low:high]
            met = np.bincount(self._container[rows], minlength=len(met)).astype(np.float64)
            share = float(self._shares.seen[rank])
        lacking = (1 - 1 / self._groups) ** met
        if share:
            after = (1 + met) / (1 / share + self._sampled)
            lacking = lacking * np.exp(-self._others * after / self._groups)
        found: Floats = 1 - lacking
        return found

    def _ranks(self, values: list[PhysicalValue]) -> Iterator[int | None]:
        wanted = pa.array(values, self._column.distinct.type)
        yield from pc.index_in(wanted, self._column.distinct).to_pylist()

    def _distinct(self) -> Floats:
        """By the rows of each container alone."""
        pairs = self._container * (self._column.nan + 2) + self._rank + 1
        _, first, counts = np.unique(pairs, return_index=True, return_counts=True)
        there = (self._rank[first] >= 0) & (self._rank[first] < self._column.nan)
        owner = self._container[first]
        size = len(self._sampled)
        found = np.bincount(owner[there], minlength=size)
        once = np.bincount(owner[there & (counts == 1)], minlength=size)
        rows = (self._sampled + self._others) / self._groups
        told = zip(
            found.tolist(), once.tolist(), self._sampled.tolist(), rows.tolist(), strict=True
        )
        return np.array([distinct_values(*one) for one in told])
