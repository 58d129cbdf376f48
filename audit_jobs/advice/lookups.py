"""What bloom filters would leave of the row groups that scans look values up in.

How many rows have a value is estimated from the sample; all of them are taken to be in row groups
that the scan keeps without the filter, at random, and in no two conjuncts' favour at once. So a
value whose rows lie together is told to be in more row groups than it is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.advice.rows import RankedColumn, SampledRows
from audit_jobs.pruning.scans import Scan
from collectors.arrays import Floats, IntArray
from collectors.predicates.literals import PhysicalValue
from collectors.predicates.model import BoundComparison, Field
from collectors.predicates.operators import Op
from collectors.types import arrow_type

FALSE_POSITIVES = 0.01
"""Of a filter that is large enough for its values (`write.parquet.bloom-filter-fpp.column.*`)."""

_OFTEN = 5
"""Sampled rows of a value by which its own frequency can be told."""
_TYPES = ("int", "long", "date", "string", "binary", "uuid")
"""Of columns whose filters Spark and Trino both ask."""


@dataclass(frozen=True, slots=True, eq=False)
class Lookups:
    """The scans that ask for values of a column, all of whose rows they need not see otherwise:
    how many values each asks for, and about how many rows of the table have one of these.
    `distinct` is about how many values the column has."""

    column: Field
    scans: IntArray
    values: Floats
    rows: Floats
    distinct: float

    def holding(self, groups: Floats) -> Floats:
        """The part of its row groups, of so many that each scan keeps, that have the values of
        each lookup."""
        own = np.maximum(groups[self.scans], 1.0)
        held: Floats = 1 - (1 - np.minimum(1.0, 1 / own)) ** self.rows
        return held


def lookups(scans: Sequence[Scan], rows: SampledRows) -> list[Lookups]:
    """The lookups of scans, by column, of engines that ask bloom filters."""
    found: dict[Field, dict[int, tuple[PhysicalValue, ...]]] = {}
    for number, scan in enumerate(scans):
        for leaf in scan.conjuncts:
            if isinstance(leaf, BoundComparison) and leaf.op in (Op.EQ, Op.IN):
                key = (leaf.field.field_id, leaf.field.type)
                known = key in rows.columns and leaf.field.transform is None
                if known and leaf.field.type in _TYPES and scan.rules.bloom_filters:
                    found.setdefault(leaf.field, {})[number] = leaf.values
    return [_of_column(column, asked, rows) for column, asked in found.items()]


def _of_column(
    column: Field, asked: dict[int, tuple[PhysicalValue, ...]], rows: SampledRows
) -> Lookups:
    ranked = rows.columns[column.field_id, column.type]
    each = rows.records / max(1, rows.count)
    counts = np.diff(ranked.before)
    usual, distinct = _rare(counts, each)
    sizes = np.array([len(values) for values in asked.values()])
    flat = [value for values in asked.values() for value in values]
    found = _sampled(ranked, counts, flat)
    of_value = np.where(found >= _OFTEN, found * each, np.maximum(usual, found))
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return Lookups(
        column,
        np.array(list(asked), np.int64),
        sizes.astype(np.float64),
        np.bincount(owner, of_value, len(sizes)).astype(np.float64),
        distinct,
    )


def _rare(counts: IntArray, each: float) -> tuple[float, float]:
    """About how many rows a value has that is not frequent in the sample, on average, and how many
    values there are: those that no sampled row has are counted by those that one or two have
    (Chao's estimate of 1984, which is never too high by expectation)."""
    rare = counts < _OFTEN
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    unseen = once * (once - 1) / (2 * (twice + 1)) * (1 - 1 / max(each, 1.0))
    there = float(counts[rare].sum()) * each
    values = min(there, float(rare.sum()) + unseen)
    return (there / values if values else 1.0), values + float((~rare).sum())


def _sampled(column: RankedColumn, counts: IntArray, values: Sequence[PhysicalValue]) -> IntArray:
    """How many sampled rows have each value."""
    wanted = pa.array(values, arrow_type(column.type))
    place = pc.fill_null(pc.index_in(wanted, value_set=column.distinct), -1).to_numpy()
    return np.where(place >= 0, np.append(counts, 0)[place], 0)


@dataclass(frozen=True, slots=True)
class Filters:
    """Bloom filters of `max_bytes` each in row groups of about so many `records`."""

    max_bytes: int
    records: float

    def false_positives(self, distinct: float) -> float:
        """How often a filter says that it may hold a value which it does not: of a filter of
        blocks, with eight bits set for each value (parquet-format, BloomFilter.md)."""
        held = min(distinct, self.records)
        by_size = (1 - np.exp(-8 * held / (8 * self.max_bytes))) ** 8
        return float(max(FALSE_POSITIVES, by_size))

    def left(self, of: Lookups, groups: Floats, *, absent: bool = False) -> tuple[Floats, Floats]:
        """The part of its row groups that each lookup still reads, of so many that it keeps
        without filters, and the bytes of the filters; `absent`: if no row has the values."""
        holds = np.zeros(len(of.scans)) if absent else of.holding(groups)
        false = 1 - (1 - self.false_positives(of.distinct)) ** of.values
        return holds + (1 - holds) * false, groups[of.scans] * self.max_bytes
