"""Bounds of N containers as numbers, so that values of every type compare by a few fast
operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.pruning.literals import Values
from prunescope.audit_jobs.pruning.tristate import EVERYWHERE, Masks, as_masks, bits
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.statistics import ColumnStatistics

Compare = Callable[[Values, Values], BoolArray]
"""One of NumPy's comparisons."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """The bounds of one column as numbers. `lower` and `upper` compare with `comparable` values as
    the bounds themselves do with values.

    Numbers are themselves. For decimals, strings and bytes, `distinct` has the distinct bounds in
    ascending order, and each stands as twice its place there plus one, which leaves an even number
    for all values between two of them. With `zeros_apart`, floating numbers stand as whole ones, in
    which -0.0 comes before 0.0.

    `has_lower` and `has_upper` tell which bounds are there, `nan_lower` and `nan_upper` which of
    them are NaN, and so no numbers; the other entries of `lower` and `upper` are arbitrary.
    """

    column: ColumnStatistics
    lower: Values
    upper: Values
    has_lower: BoolArray
    has_upper: BoolArray
    nan_lower: BoolArray
    nan_upper: BoolArray
    distinct: Values | None = None
    zeros_apart: bool = False

    def comparable(self, values: Values) -> Values:
        """Values as numbers that compare with the bounds."""
        if self.zeros_apart:
            return _places_of_floats(values)
        if self.distinct is None:
            return values
        left = np.searchsorted(self.distinct, values, "left")
        right = np.searchsorted(self.distinct, values, "right")
        return (left + right).astype(np.int32)

    def low(self, compare: Compare, numbers: Values) -> BoolArray:
        """Compares the lower bound of each container with each of K comparable numbers: a mask of
        the shape (K, N), true if there is no bound to compare."""
        found = compare(self.lower[None, :], numbers[:, None])
        return _or_open(found, self.open_low)

    def high(
        self, compare: Compare, numbers: Values, unknown: BoolArray | None = None
    ) -> BoolArray:
        """Compares upper bounds as `low` does lower ones; true as well if they are `unknown`
        (N)."""
        found = compare(self.upper[None, :], numbers[:, None])
        found = _or_open(found, self.open_high)
        return found if unknown is None else _or_open(found, unknown)

    @cached_property
    def open_low(self) -> BoolArray:
        """True if there is no lower bound to compare with."""
        return ~self.has_lower | self.nan_lower

    @cached_property
    def open_high(self) -> BoolArray:
        """True if there is no upper bound to compare with."""
        return ~self.has_upper | self.nan_upper

    @cached_property
    def without_bounds(self) -> Ordered:
        """The column as if it had no bounds."""
        nowhere = np.zeros_like(self.has_lower)
        return replace(self, has_lower=nowhere, has_upper=nowhere)

    @cached_property
    def without_counts(self) -> Ordered:
        """The column as if nobody knew where all values are null or NaN."""
        unknown = pa.nulls(len(self.column.all_null), pa.bool_())
        column = replace(
            self.column, all_null=unknown, all_nan=unknown, none_low=unknown, none_high=unknown
        )
        return replace(self, column=column)

    @cached_property
    def with_nulls_first(self) -> Ordered:
        """The column without the lower bounds of containers that may hold nulls."""
        return replace(self, has_lower=self.has_lower & self._without_nulls)

    @cached_property
    def with_nulls_anywhere(self) -> Ordered:
        """The column without the bounds of containers that may hold nulls."""
        usable = self._without_nulls
        return replace(self, has_lower=self.has_lower & usable, has_upper=self.has_upper & usable)

    @cached_property
    def with_nulls_between(self) -> Ordered:
        """The column without the bounds of containers that may hold nulls, unless they are one."""
        usable = self._without_nulls | self._same
        return replace(self, has_lower=self.has_lower & usable, has_upper=self.has_upper & usable)

    @cached_property
    def _without_nulls(self) -> BoolArray:
        null, known = self.has_null
        return np.asarray(known & ~null)

    @cached_property
    def with_zeros_apart(self) -> Ordered:
        """The column with -0.0 less than 0.0, if its numbers are floating."""
        if self.lower.dtype != np.float64 or self.zeros_apart:
            return self
        lower, upper = map(_places_of_floats, (self.lower, self.upper))
        return replace(self, lower=lower, upper=upper, zeros_apart=True)

    @cached_property
    def single(self) -> BoolArray:
        """True if all values but nulls are known to be one and the same."""
        return self.single_but_for_nan & self.has_nan[1]

    @cached_property
    def single_but_for_nan(self) -> BoolArray:
        """True if all values but nulls are one and the same, or NaN, which none is known to be."""
        return self._same & ~self.has_nan[0]

    @cached_property
    def several(self) -> BoolArray:
        """True if values but nulls are known to be more than one, or NaN is among them."""
        return self.has_nan[0] | (self.has_lower & self.has_upper & ~self._same)

    @cached_property
    def all_several(self) -> bool:
        """True if values are several in every container."""
        return bool(self.several.all())

    @cached_property
    def not_all_null(self) -> Masks:
        """The containers that are not known to hold only nulls."""
        possible = ~self.all_null[0][None, :]
        return EVERYWHERE if possible.all() else Masks(possible, possible)

    @cached_property
    def _same(self) -> BoolArray:
        """True if both bounds are one number."""
        equal: BoolArray = self.lower == self.upper
        return ~self.open_low & self.has_upper & equal

    @cached_property
    def has_null(self) -> tuple[BoolArray, BoolArray]:
        """Two masks: containers that hold a null, and containers for which this is known."""
        return as_masks(self.column.has_null)

    @cached_property
    def has_nan(self) -> tuple[BoolArray, BoolArray]:
        """Two masks, as in `has_null`: containers that hold a NaN."""
        return as_masks(self.column.has_nan)

    @cached_property
    def all_null(self) -> tuple[BoolArray, BoolArray]:
        """Two masks, as in `has_null`: containers with nothing but nulls."""
        return as_masks(self.column.all_null)

    @cached_property
    def all_nan(self) -> tuple[BoolArray, BoolArray]:
        """Two masks, as in `has_null`: containers with nothing but NaN."""
        return as_masks(self.column.all_nan)

    @cached_property
    def none_low(self) -> tuple[BoolArray, BoolArray]:
        """Two masks, as in `has_null`, of `ColumnStatistics.none_low`."""
        return as_masks(self.column.none_low)

    @cached_property
    def none_high(self) -> tuple[BoolArray, BoolArray]:
        """Two masks, as in `has_null`, of `ColumnStatistics.none_high`."""
        return as_masks(self.column.none_high)

    @cached_property
    def none_equal(self) -> tuple[BoolArray, BoolArray]:
        """Two masks, as in `has_null`: containers with no value that equals anything."""
        (low, low_known), (high, high_known) = self.none_low, self.none_high
        return low | high, low_known & high_known


def _or_open(found: BoolArray, is_open: BoolArray) -> BoolArray:
    if is_open.any():
        np.logical_or(found, is_open, out=found)
    return found


def ordered(column: ColumnStatistics) -> Ordered:
    """The bounds of a column as numbers."""
    has_lower, has_upper = (bits(pc.is_valid(bound)) for bound in (column.lower, column.upper))
    kind = column.lower.type
    nan_lower, nan_upper = np.zeros_like(has_lower), np.zeros_like(has_upper)
    distinct = None
    if pa.types.is_floating(kind):
        lower, upper = (_numbers(bound, np.float64) for bound in (column.lower, column.upper))
        nan_lower, nan_upper = np.isnan(lower), np.isnan(upper)
    elif pa.types.is_integer(kind):
        lower, upper = (_numbers(bound, np.int64) for bound in (column.lower, column.upper))
    else:
        distinct, lower, upper = _places(column.lower, column.upper)
    return Ordered(column, lower, upper, has_lower, has_upper, nan_lower, nan_upper, distinct)


def _numbers(bounds: pa.Array, kind: type) -> Values:
    there = pc.fill_null(bounds, 0) if bounds.null_count else bounds
    return np.asarray(there.to_numpy(zero_copy_only=False), kind)


def _places_of_floats(values: Values) -> Values:
    """Whole numbers in the order of the given floats (IEEE 754, totalOrder, as Java's
    Double.compare)."""
    raw = np.ascontiguousarray(values, np.float64).view(np.int64)
    return raw ^ ((raw >> 63) & np.int64(2**63 - 1))


def _places(lower: pa.Array, upper: pa.Array) -> tuple[Values, Values, Values]:
    encoded = pa.concat_arrays([lower, upper]).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    distinct = np.empty(len(order), object)
    distinct[:] = encoded.dictionary.take(order).to_pylist()
    place = np.zeros(len(order) + 1, np.int32)
    place[np.asarray(order)] = 2 * np.arange(len(order)) + 1
    indices = pc.fill_null(encoded.indices, len(order)).to_numpy(zero_copy_only=False)
    found = place[np.asarray(indices)]
    return distinct, found[: len(lower)], found[len(lower) :]
