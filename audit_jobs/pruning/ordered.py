"""Bounds of N containers as ranks, so that values of every type compare as small integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.pruning.literals import Values
from audit_jobs.pruning.tristate import as_masks, bits
from collectors.statistics import BoolArray, ColumnStatistics

Ranks = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Ordered:
    """The bounds of one column, as places among their own distinct values in ascending order.

    `lower` is −1 where there is no lower bound to compare with, `upper` `len(distinct)` + 1 where
    there is no upper one: such bounds rule nothing out. `has_lower` and `has_upper` tell which
    are there, `nan_lower` which lower ones are NaN, and so no numbers.
    """

    column: ColumnStatistics
    distinct: Values
    lower: Ranks
    upper: Ranks
    has_lower: BoolArray
    has_upper: BoolArray
    nan_lower: BoolArray

    @property
    def beyond(self) -> int:
        """A rank above every place that a literal can have."""
        return len(self.distinct) + 1

    def left(self, values: Values) -> Ranks:
        """Of each value, how many of the distinct bounds are below it."""
        return np.searchsorted(self.distinct, values, "left").astype(np.int32)

    def right(self, values: Values) -> Ranks:
        """Of each value, how many of the distinct bounds are not above it."""
        return np.searchsorted(self.distinct, values, "right").astype(np.int32)

    @cached_property
    def has_null(self) -> tuple[BoolArray, BoolArray]:
        """Where it is so, and where it is known; likewise the others."""
        return as_masks(self.column.has_null)

    @cached_property
    def has_nan(self) -> tuple[BoolArray, BoolArray]:
        """See has_null."""
        return as_masks(self.column.has_nan)

    @cached_property
    def all_null(self) -> tuple[BoolArray, BoolArray]:
        """See has_null."""
        return as_masks(self.column.all_null)

    @cached_property
    def all_nan(self) -> tuple[BoolArray, BoolArray]:
        """See has_null."""
        return as_masks(self.column.all_nan)

    @cached_property
    def none_low(self) -> tuple[BoolArray, BoolArray]:
        """See has_null."""
        return as_masks(self.column.none_low)

    @cached_property
    def none_high(self) -> tuple[BoolArray, BoolArray]:
        """See has_null."""
        return as_masks(self.column.none_high)


def ordered(column: ColumnStatistics) -> Ordered:
    """The bounds of a column as ranks."""
    has_lower, has_upper = (bits(pc.is_valid(bound)) for bound in (column.lower, column.upper))
    numbers = pa.types.is_integer(column.lower.type) or pa.types.is_floating(column.lower.type)
    rank = _rank_numbers if numbers else _rank_objects
    distinct, lower, upper = rank(column.lower, column.upper)
    size = len(distinct)
    nan_lower = np.zeros(len(lower), np.bool_)
    if pa.types.is_floating(column.lower.type):
        nan_lower = has_lower & _is_nan(column.lower)
        nan_upper = has_upper & _is_nan(column.upper)
        upper = np.where(nan_upper, size + 1, upper)
        lower = np.where(nan_lower, -1, lower)
    return Ordered(
        column=column,
        distinct=distinct,
        lower=np.where(has_lower, lower, -1).astype(np.int32),
        upper=np.where(has_upper, upper, size + 1).astype(np.int32),
        has_lower=has_lower,
        has_upper=has_upper,
        nan_lower=nan_lower,
    )


Ranked = tuple[Values, npt.NDArray[np.int64], npt.NDArray[np.int64]]
_Rank = Callable[[pa.Array, pa.Array], Ranked]


def _rank_numbers(lower: pa.Array, upper: pa.Array) -> Ranked:
    bounds = [np.asarray(pc.fill_null(b, 0).to_numpy(zero_copy_only=False)) for b in (lower, upper)]
    there = [pc.drop_null(b).to_numpy(zero_copy_only=False) for b in (lower, upper)]
    ascending = np.sort(np.concatenate(there))
    if np.issubdtype(ascending.dtype, np.floating):
        ascending = ascending[~np.isnan(ascending)]
    first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    distinct = ascending[first]  # NumPy 2.4's unique() hashes, which takes ten times as long
    low, high = (np.searchsorted(distinct, values) for values in bounds)
    return distinct, low, high


def _rank_objects(lower: pa.Array, upper: pa.Array) -> Ranked:
    encoded = pa.concat_arrays([lower, upper]).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    distinct = np.empty(len(order), object)
    distinct[:] = encoded.dictionary.take(order).to_pylist()
    rank = np.empty(len(order) + 1, np.int64)
    rank[np.asarray(order)] = np.arange(len(order))
    rank[-1] = -1
    places = np.asarray(pc.fill_null(encoded.indices, len(order)).to_numpy(zero_copy_only=False))
    ranks = rank[places]
    return distinct, ranks[: len(lower)], ranks[len(lower) :]


def _is_nan(bounds: pa.Array) -> BoolArray:
    filled = pc.fill_null(bounds, 0.0).to_numpy(zero_copy_only=False)
    return np.asarray(np.isnan(filled), np.bool_)
