"""Sampled rows laid out as a rewrite would write them: in partitions, sorted within these, and cut
into files of the target size, with the statistics that Iceberg's writers keep.

A file of a table has more rows than the sample has of it. Their effect on its bounds is estimated:
n values whose extremes lie R places apart among all sampled ones reach R / (n − 1) places further
on either side (the estimate of a maximum from a sample without replacement), which is the next
value if the rows are sorted by the column, and many if they are unsorted. The places are doubled,
because a file's extremes vary less than those of a sample of it: the estimate for a column that a
layout does not cluster errs to more bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prunescope.audit_jobs.advice.arrival import places_as_written
from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.curves import curve_places
from prunescope.audit_jobs.advice.rows import RankedColumn, SampledRows
from prunescope.audit_jobs.advice.simulated_containers import Laid, RowGroups
from prunescope.audit_jobs.advice.tiling import mixed, tiled
from prunescope.audit_jobs.pruning.literals import as_values
from prunescope.audit_jobs.pruning.transforms import apply_all
from prunescope.audit_jobs.tuning import ROWS_OF_FILE
from prunescope.collectors.arrays import Floats, IntArray
from prunescope.collectors.partitioning import result_type
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    Statistics,
    constant,
    from_counts,
    from_values,
)
from prunescope.collectors.types import arrow_type, is_floating


def _cut(weight: Floats, starts: IntArray, cuts: Floats, phase: float) -> tuple[IntArray, IntArray]:
    """The first rows of parts, and the start that each part belongs to, if the rows from each of
    `starts` on are cut into `cuts` parts, by the middle of each row."""
    if not len(starts):
        return starts, starts
    whole = np.repeat(np.arange(len(starts)), np.diff([*starts, len(weight)]))
    reached = np.cumsum(weight)
    ends = reached[np.append(starts[1:], len(weight)) - 1]
    sizes = np.add.reduceat(weight, starts)
    middle = (reached - weight / 2 - (ends - sizes)[whole]) / sizes[whole]
    offset = np.where(cuts > 1, phase, 0.0)[whole]
    part = np.floor(middle * cuts[whole] + offset).astype(np.int64)
    new = np.zeros(len(weight), np.bool_)
    new[starts] = True
    new[1:] |= part[1:] != part[:-1]
    found = np.flatnonzero(new)
    return found, whole[found]


@dataclass(frozen=True, slots=True, eq=False)
class _Partitions:
    """The partition of each row by one term, as a code, and the value of each code."""

    code: IntArray
    values: pa.Array


@dataclass(eq=False)
class Layouts:
    """Lays out rows; parts that candidates share are computed once."""

    rows: SampledRows
    target_bytes: int
    _orders: dict[Order, IntArray] = field(default_factory=dict)
    _partitions: dict[Term, _Partitions] = field(default_factory=dict)

    def standing_for(self, weight: Floats, records_each: Floats | None = None) -> Layouts:
        """The layouts of rows with other weights; rows of weight 0 are left out."""
        return self._of(replace(self.rows, weight=weight, records_each=records_each))

    def in_modes(self, modes: Mapping[ColumnKey, str]) -> Layouts:
        """The layouts if writers keep bounds of columns in other metrics modes."""
        return self._of(self.rows.in_modes(modes))

    def _of(self, rows: SampledRows) -> Layouts:
        again = Layouts(rows, self.target_bytes)
        again._orders, again._partitions = self._orders, self._partitions
        return again

    def can_lay(self, candidate: Candidate) -> bool:
        """True if the sample has the columns of a candidate."""
        return all(_key(column) in self.rows.columns for column in candidate.columns)

    def lay(self, candidate: Candidate, *, phase: float = 0.0) -> Laid:
        """The containers of a candidate: files of the table's target size, cut from a `phase` (a
        part of a file) on."""
        rows = self.rows
        parts = [self.partitions(term) for term in candidate.partition]
        keys = [self._order(candidate.order), *(part.code for part in reversed(parts))]
        order = np.lexsort(keys)
        order = order[rows.weight[order] > 0]
        weight = rows.weight[order]
        in_order = [part.code[order] for part in parts]
        changes = np.zeros(len(order), np.bool_)
        changes[:1] = True
        for code in in_order:
            changes[1:] |= code[1:] != code[:-1]
        first = np.flatnonzero(changes)
        sizes = np.add.reduceat(weight, first) if len(first) else np.empty(0)
        counts = np.diff([*first, len(order)])
        files = np.maximum(1, np.rint(sizes * rows.row_bytes / self.target_bytes))
        cuts = np.minimum(files, np.maximum(1, counts // ROWS_OF_FILE))
        starts, owner = _cut(weight, first, cuts, phase)
        of_container = np.add.reduceat(weight, starts) if len(starts) else np.empty(0)
        return Laid(
            order,
            starts,
            of_container,
            of_container * rows.row_bytes,
            (files / cuts)[owner],
            owner,
            tuple(code[starts] for code in in_order),
            _leading(candidate.order),
            self._ranges(candidate.order, order[starts], owner),
        )

    def cut_inside(self, laid: Laid, row_group_bytes: int) -> RowGroups:
        """The row groups of the containers of a layout."""
        weight = self.rows.weight[laid.order]
        counts = np.diff([*laid.starts, len(laid.order)])
        of_file = np.maximum(1, np.rint(laid.bytes / laid.files / row_group_bytes))
        groups = laid.files * of_file
        cuts = np.minimum(groups, np.maximum(1, counts // ROWS_OF_FILE))
        starts, owner = _cut(weight, laid.starts, cuts, 0.0)
        of_group = np.add.reduceat(weight, starts) if len(starts) else np.empty(0)
        return RowGroups(
            replace(
                laid,
                starts=starts,
                weight=of_group,
                bytes=of_group * self.rows.row_bytes,
                files=laid.files[owner] / cuts[owner],
                partition=laid.partition[owner],
                codes=tuple(code[owner] for code in laid.codes),
                ranges=None if laid.ranges is None else laid.ranges[owner],
            ),
            owner,
            (groups / cuts)[owner],
        )

    def _order(self, order: Order) -> IntArray:
        if order not in self._orders:
            if not order.columns:
                self._orders[order] = places_as_written(self.rows)
                return self._orders[order]
            columns = [self.rows.columns[_key(column)] for column in order.columns]
            if order.curve is Curve.SORT:
                ranks = [column.rank for column in columns]
                if order.is_by_ranges:
                    ranks[0] = self.partitions(order.first).code
                by_all = np.lexsort(ranks[::-1])
                changes = np.zeros(len(by_all), np.int64)
                for rank in ranks:
                    key = rank[by_all]
                    changes[1:] |= key[1:] != key[:-1]
                places = np.empty(len(by_all), np.int64)
                places[by_all] = np.cumsum(changes)
            else:
                places = curve_places(columns)
            self._orders[order] = places
        return self._orders[order]

    def _ranges(self, order: Order, first: IntArray, partition: IntArray) -> IntArray | None:
        """The numbers of the ranges in which containers begin, given the first row and partition of
        each."""
        if not order.is_by_ranges:
            return None
        code = self.partitions(order.first).code[first]
        changes = np.zeros(len(first), np.int64)
        changes[1:] = (code[1:] != code[:-1]) | (partition[1:] != partition[:-1])
        found: IntArray = np.cumsum(changes)
        return found

    def partitions(self, term: Term) -> _Partitions:
        """The partitions of all rows by one term."""
        if term not in self._partitions:
            self._partitions[term] = _partitions(self.rows.columns[_key(term.column)], term)
        return self._partitions[term]


def _key(column: Field) -> ColumnKey:
    return column.field_id, column.type


def _leading(order: Order) -> ColumnKey | None:
    is_sort = order.curve is Curve.SORT and order.columns
    return _key(order.columns[int(order.is_by_ranges)]) if is_sort else None


def _partitions(column: RankedColumn, term: Term) -> _Partitions:
    kind = result_type(term.transform, column.type)
    assert kind is not None
    values = as_values(column.distinct.to_pylist(), column.type)
    found = list(apply_all(term.transform, column.type, values).tolist())
    codes: dict[object, int] = {}
    of_rank = [codes.setdefault(value, len(codes)) for value in found]
    # Then what has no order: NaN, and null by the rank of −1.
    table = np.array([*of_rank, len(codes), len(codes) + 1], np.int64)
    listed: list[object] = [*codes, None, None]
    if is_floating(kind):
        listed[-2] = float("nan")
    return _Partitions(table[column.rank], pa.array(listed, arrow_type(kind), from_pandas=False))


def metrics(
    rows: SampledRows,
    laid: Sequence[Laid],
    columns: Iterable[ColumnKey],
    *,
    whole: bool = False,
    widened: bool = True,
) -> Statistics:
    """The column statistics of layouts' files, one layout's containers after the other's. With
    `whole` bounds, as in Parquet's row groups, whatever Iceberg's metrics modes are. If not
    `widened`, as if there were no rows but the sampled ones."""
    count = sum(one.count for one in laid)
    found: dict[ColumnKey, ColumnStatistics] = {}
    for key in columns:
        if key in rows.columns:
            column = rows.columns[key]
            column = column.in_mode("full") if whole else column
            found[key] = _column(column, rows, key, laid, widened=widened)
    return Statistics(count, constant(False, count), found)


def _column(
    column: RankedColumn,
    rows: SampledRows,
    key: ColumnKey,
    laid: Sequence[Laid],
    *,
    widened: bool,
) -> ColumnStatistics:
    parts = []
    for one in laid:
        low, high, *counts = _extremes(column, one, widened=widened)
        if one.leading is not None and rows.records_each is not None:
            widen = tiled if one.leading == key else mixed
            low, high = widen(rows, column, one, low, high)
        parts.append((low, high, *counts))
    low, high, nulls, nans, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    none = high < 0
    first, last = (pa.array(np.where(none, 0, ends), mask=none) for ends in (low, high))
    return from_counts(
        column.lower.take(first),
        column.upper.take(last),
        null_count=pa.array(nulls),
        nan_count=pa.array(nans) if is_floating(column.type) else None,
        value_count=pa.array(values),
    )


def _extremes(column: RankedColumn, laid: Laid, *, widened: bool) -> tuple[IntArray, ...]:
    """The ranks of the lowest and the highest value of each container, −1 and −1 if it has none;
    and the numbers of its sampled rows that are null, that are NaN, and in all."""
    rank = column.rank[laid.order]
    has_value = (rank >= 0) & (rank < column.nan)
    low = np.minimum.reduceat(np.where(has_value, rank, column.nan), laid.starts)
    high = np.maximum.reduceat(np.where(has_value, rank, -1), laid.starts)
    nulls, nans, values = (
        np.add.reduceat(mask.astype(np.int64), laid.starts)
        for mask in (rank < 0, rank == column.nan, has_value)
    )
    low = np.where(high < 0, -1, low)
    if widened:
        low, high = _widened(column, low, high, values, laid.weight)
    return low, high, nulls, nans, values + nulls + nans


def _widened(
    column: RankedColumn, low: IntArray, high: IntArray, values: IntArray, weight: Floats
) -> tuple[IntArray, IntArray]:
    """Extremes of all rows, from the extremes of sampled ones."""
    if not len(column.ranks):
        return low, high
    there = high >= 0
    first, last = np.where(there, low, 0), np.where(there, high, 0)
    apart = np.maximum(0, column.before[last] - column.before[first + 1])
    unseen = np.clip(1 - values / np.maximum(weight, 1e-9), 0, 1)
    step = apart / np.maximum(1, values - 1)
    more = np.ceil(np.maximum(step, 2 * step - 1) * unseen).astype(np.int64)
    places = len(column.ranks) - 1
    lower = column.ranks[np.clip(column.before[first + 1] - 1 - more, 0, places)]
    upper = column.ranks[np.clip(column.before[last] + more, 0, places)]
    widens = there & (more > 0)
    return (
        np.where(widens, np.minimum(low, lower), low),
        np.where(widens, np.maximum(high, upper), high),
    )


def partition_values(layouts: Layouts, candidate: Candidate, laid: Sequence[Laid]) -> Statistics:
    """The partition values of the containers of layouts of one spec."""
    count = sum(one.count for one in laid)
    found: dict[ColumnKey, ColumnStatistics] = {}
    fields = candidate.spec.fields
    for number, (term, of_spec) in enumerate(zip(candidate.partition, fields, strict=True)):
        codes = np.concatenate([one.codes[number] for one in laid])
        assert of_spec.result_type is not None
        values = layouts.partitions(term).values.take(pa.array(codes))
        found[of_spec.field_id, of_spec.result_type] = from_values(values)
    return Statistics(count, constant(False, count), found)


def drawn(clusters: int, generator: np.random.Generator) -> IntArray:
    """The number of times each of some clusters is drawn, in as many draws with replacement."""
    found: npt.NDArray[np.int64] = generator.multinomial(
        clusters, np.full(clusters, 1 / clusters)
    ).astype(np.int64)
    return found
