"""Facts about N containers, column by column.

A container is anything a planner can skip: a manifest, a data file, a row group, a page. Every
description of it (partition summaries, file metrics, Parquet statistics) is turned into the same
facts, so that one algebra judges them all. Every array has length N, and null means unknown, never
zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.predicates.model import BoundComparison, Predicate
from prunescope.collectors.predicates.walks import leaves

ColumnKey = tuple[int, str]
"""A field id and the name of the type in which its values are compared."""


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """Facts about one column of N containers.

    `lower`, `upper` bound the values that are neither null nor NaN (physical form, see
    `prunescope.collectors.types`). The others are boolean arrays of proven facts:

    `has_null`, `has_nan`   some value is null, or NaN
    `all_null`, `all_nan`   every value is null, or NaN
    `none_low`              no value can satisfy `< v` or `<= v` for any v
    `none_high`             no value can satisfy `> v` or `>= v` for any v
    """

    lower: pa.Array
    upper: pa.Array
    has_null: pa.BooleanArray
    has_nan: pa.BooleanArray
    all_null: pa.BooleanArray
    all_nan: pa.BooleanArray
    none_low: pa.BooleanArray
    none_high: pa.BooleanArray


@dataclass(frozen=True, slots=True)
class Statistics:
    """Facts about `count` containers: which hold no rows at all (null: unknown), and their
    columns. A column that is absent from `columns` is unknown everywhere."""

    count: int
    empty: pa.BooleanArray
    columns: Mapping[ColumnKey, ColumnStatistics]


def from_counts(
    lower: pa.Array,
    upper: pa.Array,
    *,
    null_count: pa.Array,
    nan_count: pa.Array | None,
    value_count: pa.Array,
) -> ColumnStatistics:
    """Facts from bounds and counts, as data files and row groups carry them.

    `nan_count` is None for types without NaN. "All null" and "all NaN" need both counts
    known, as in Iceberg Java's InclusiveMetricsEvaluator (containsNullsOnly, containsNaNsOnly).
    """
    size = len(lower)
    all_null = pc.equal(value_count, null_count)
    if nan_count is None:
        has_nan = constant(False, size)
        all_nan = constant(False, size)
        no_value = all_null
    else:
        has_nan = pc.greater(nan_count, 0)
        all_nan = pc.equal(value_count, nan_count)
        no_value = pc.or_kleene(all_null, all_nan)
    # A bound is itself proof of a value, whatever the counts leave open.
    bounded = pc.or_(pc.is_valid(lower), pc.is_valid(upper))
    no_value = pc.coalesce(no_value, pc.if_else(bounded, False, unknown(size)))
    return ColumnStatistics(
        lower=lower,
        upper=upper,
        has_null=pc.greater(null_count, 0),
        has_nan=has_nan,
        all_null=all_null,
        all_nan=all_nan,
        none_low=no_value,
        none_high=no_value,
    )


def from_values(values: pa.Array) -> ColumnStatistics:
    """Facts about containers that hold one known value each, such as partition tuples.

    Nulls sort first and NaN last, as in Iceberg's row evaluator: a null satisfies `< v`, and
    a NaN satisfies `> v`.
    """
    is_null = pc.is_null(values)
    if pa.types.is_floating(values.type):
        is_nan = pc.fill_null(pc.is_nan(values), False)
        known = pc.and_not(pc.is_valid(values), is_nan)
        values = pc.if_else(known, values, pa.scalar(None, values.type))
    else:
        is_nan = constant(False, len(values))
    return ColumnStatistics(
        lower=values,
        upper=values,
        has_null=is_null,
        has_nan=is_nan,
        all_null=is_null,
        all_nan=is_nan,
        none_low=is_nan,
        none_high=is_null,
    )


def from_summaries(
    lower: pa.Array,
    upper: pa.Array,
    *,
    has_lower: pa.BooleanArray,
    has_upper: pa.BooleanArray,
    contains_null: pa.BooleanArray,
    contains_nan: pa.BooleanArray | None,
) -> ColumnStatistics:
    """Facts from the partition field summaries of a manifest list.

    A summary written without a lower bound says that no value sorts low, and without an upper
    bound that none sorts high, as ManifestEvaluator reads them (Iceberg Java 1.11).
    `has_lower` and `has_upper` say which were written, which is more than which could be
    decoded; they are null, like `contains_null`, for manifests without summaries.
    `contains_nan` is None for types without NaN.
    """
    has_nan = constant(False, len(lower)) if contains_nan is None else contains_nan
    no_lower, no_upper = pc.invert(has_lower), pc.invert(has_upper)
    without_nan = pc.invert(has_nan)
    return ColumnStatistics(
        lower=lower,
        upper=upper,
        has_null=contains_null,
        has_nan=has_nan,
        all_null=pc.and_kleene(pc.and_kleene(contains_null, no_lower), without_nan),
        all_nan=pc.and_kleene(pc.and_kleene(has_nan, pc.invert(contains_null)), no_lower),
        none_low=no_lower,
        none_high=no_upper,
    )


def known_where(column: ColumnStatistics, known: pa.BooleanArray) -> ColumnStatistics:
    """The same facts, unknown where `known` is false."""
    names = (field.name for field in fields(ColumnStatistics))
    facts = {name: getattr(column, name) for name in names}
    return ColumnStatistics(
        **{name: pc.if_else(known, f, pa.scalar(None, f.type)) for name, f in facts.items()}
    )


def constant(value: bool, size: int) -> pa.BooleanArray:
    """`size` times the same fact."""
    return pa.array(np.full(size, value))


def unknown(size: int) -> pa.BooleanArray:
    """Facts about `size` containers, all unknown."""
    return pa.nulls(size, pa.bool_())


def columns_of(predicates: Iterable[Predicate]) -> dict[ColumnKey, None]:
    """The columns that bound predicates compare, in order of first use."""
    return {
        (leaf.field.field_id, leaf.field.type): None
        for leaf in chain.from_iterable(map(leaves, predicates))
        if isinstance(leaf, BoundComparison)
    }


@dataclass(frozen=True, slots=True)
class ManifestBatch:
    """Manifests of one snapshot that were written under one partition spec.

    `ordinal` numbers them within the manifest list; `live` is false for those known to hold no
    added and no existing entries. `statistics` is keyed by partition field.
    """

    spec_id: int
    ordinal: IntArray
    live: BoolArray
    statistics: Statistics


class Content(IntEnum):
    """The content of a file. Deletion vectors are position deletes in Puffin files."""

    DATA = 0
    POSITION_DELETES = 1
    EQUALITY_DELETES = 2
    DELETION_VECTOR = 3


DELETED_FROM: ColumnKey = (2147483546, "string")
"""The column of position delete files that names data files: the table spec reserves its id."""


@dataclass(frozen=True, slots=True)
class FileBatch:
    """Live files (data or delete) that were written under one partition spec.

    `manifest` is the ordinal of the manifest that lists each file, `content` a Content,
    `sequence_number` its data sequence number; -1 is unknown, as in `records`. `partition` holds
    the exact partition values, keyed by partition field; `metrics` the column bounds, keyed by
    column.
    `row_groups` counts split offsets, -1 where there are none that can be. `size` is in bytes.
    """

    spec_id: int
    manifest: IntArray
    paths: pa.StringArray
    content: IntArray
    sequence_number: IntArray
    records: IntArray
    size: IntArray
    row_groups: IntArray
    parquet: BoolArray
    partition: Statistics
    metrics: Statistics


@dataclass(frozen=True, slots=True)
class ValueSets:
    """The distinct values of one column in some of N containers, as dictionaries hold them.

    `values` are those of all containers, in physical form and without nulls; `owner` is the
    container of each. `complete` (N) is true for containers of which all values are listed,
    `without_nulls` (N) for those that are known to hold no null.
    """

    values: pa.Array
    owner: IntArray
    complete: BoolArray
    without_nulls: BoolArray


@dataclass(frozen=True, slots=True)
class Wanted:
    """Masks of the row groups (N) whose dictionary of a column, and whose bloom filter, is
    wanted."""

    dictionary: BoolArray
    bloom_filter: BoolArray


MayContain = Callable[[npt.NDArray[Any], IntArray, int], tuple[BoolArray, BoolArray]]
"""Given values in physical form, the row of each, and how many rows there are: whether each of N
containers may hold any value of each row, of the shape (rows, N), and of which containers (N)
anything tells."""


@dataclass(frozen=True, slots=True)
class RowGroupBatch:
    """Row groups of files written under one partition spec.

    `file` is the ordinal of the file that holds each row group; `partition` describes the files
    (not the row groups), `metrics` the row groups. `size` is in compressed bytes. `dictionaries`
    and `bloom_filters` hold what was read of them, by column; of the columns in `bare` there are
    none.
    """

    spec_id: int
    file: IntArray
    records: IntArray
    size: IntArray
    partition: Statistics
    metrics: Statistics
    dictionaries: Mapping[ColumnKey, ValueSets] = field(default_factory=dict)
    bloom_filters: Mapping[ColumnKey, MayContain] = field(default_factory=dict)
    bare: frozenset[ColumnKey] = frozenset()


@dataclass(frozen=True, slots=True)
class PageBatch:
    """Pages of some columns of row groups, and the slices of rows that they cut them into: a
    slice ends where a page of any of these columns ends.

    Of each slice: `row_group`, its ordinal in a RowGroupBatch; `records`; and `metrics`, what the
    pages that cover it say. Of each page: `column`, its place in `columns`; `first_slice` and
    `end_slice` (exclusive); and `size` in bytes.
    """

    row_group: IntArray
    records: IntArray
    metrics: Statistics
    columns: tuple[ColumnKey, ...]
    column: IntArray
    first_slice: IntArray
    end_slice: IntArray
    size: IntArray
