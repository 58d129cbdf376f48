"""Files with the rows that queries need of a table beyond their filters, as far as bounds prove it.

A file is *sure* if each of its rows passes the filter: no row of it can fail that, and no row-level
delete may have taken any. Only sure files are counted on; any other may hold no row that matches.

- The first k rows by a column: as many rows of sure files lie within some bound, and files whose
  bounds lie beyond it, strictly, hold none of the first k. Nulls that come first may be in any file
  that is not known to have none.
- min() and max(): a sure file with a bound has a value within it, so files beyond it hold no
  extreme. Bounds need not be values (strings are cut), so the rest is to be read; if all are
  values, metadata alone answers.
- Any k rows: sure files that have as many.

NaN is the greatest value for some engines and none for others: files that may have one are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from prunescope.audit_jobs.pruning.ordered import Ordered
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.needed_rows import AnyRows, Extremes, FewRows, FirstRows
from prunescope.collectors.predicates.model import (
    TRUE,
    Always,
    BoundComparison,
    Predicate,
    PredicateLeaf,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import UNARY, Op
from prunescope.collectors.predicates.walks import fold, negate
from prunescope.collectors.types import is_floating

_EXACT = frozenset(("int", "long", "date", "time", "timestamp", "timestamptz"))
"""Types whose bounds in Parquet's footers are values. Timestamps of ORC are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of N files: its type, and its bounds."""

    type: str
    bounds: Ordered


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """N files: their records (-1: unknown) and format, and masks of those that the filter of a
    query keeps, and of the sure ones among these."""

    records: IntArray
    parquet: BoolArray
    kept: BoolArray
    sure: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Needed:
    """Mask of the files, of N, to read; `in_metadata` if metadata alone gives the result."""

    files: BoolArray
    in_metadata: bool = False


def may_fail(predicate: Predicate) -> Predicate:
    """A predicate that holds for each row that does not pass a bound predicate, and maybe for
    others."""
    return fold(predicate, _may_fail, lambda parts: any_of(*parts), lambda parts: all_of(*parts))


def _may_fail(leaf: PredicateLeaf) -> Predicate:
    match leaf:
        case Always(value):
            return Always(not value)
        case BoundComparison(op, field) if field.transform is None:
            opposite = negate(leaf)
            if op in UNARY:
                return opposite
            null = BoundComparison(Op.IS_NULL, field)
            nan = (BoundComparison(Op.IS_NAN, field),) if is_floating(field.type) else ()
            return any_of(opposite, null, *nan)
        case _:
            return TRUE


def needed_files(needed: FewRows, files: Files, columns: Mapping[str, Column]) -> Needed:
    """The files to read for the rows that are needed; `columns` by their names."""
    match needed:
        case AnyRows(count):
            return Needed(_of_any(count, files))
        case FirstRows(name, _, descending) as first:
            beyond = _beyond_first(first, files, _Side.of(columns[name], greatest=descending))
            return Needed(files.kept & ~beyond)
        case Extremes(least, greatest):
            sides = [_Side.of(columns[name], greatest=False) for name in least]
            sides += [_Side.of(columns[name], greatest=True) for name in greatest]
            read = np.zeros(len(files.kept), np.bool_)
            for side in sides:
                read |= files.kept & ~_beyond_extreme(files, side)
            is_sure = bool(files.sure[files.kept].all())
            return Needed(read, is_sure and all(side.is_exact(files) for side in sides))


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One end of a column of N files, as ranks of which lower ones come first: `near` bounds the
    first value and `far` the last one, if known."""

    column: Column
    near: IntArray
    far: IntArray
    has_near: BoolArray
    has_far: BoolArray

    @classmethod
    def of(cls, column: Column, *, greatest: bool) -> _Side:
        bounds = column.bounds
        has_lower, has_upper = ~bounds.open_low, ~bounds.open_high
        ascending = np.sort(np.concatenate((bounds.lower[has_lower], bounds.upper[has_upper])))
        lower, upper = (np.searchsorted(ascending, found) for found in (bounds.lower, bounds.upper))
        if column.type == "uuid":  # Java orders them signed, others unsigned
            has_lower, has_upper = np.zeros_like(has_lower), np.zeros_like(has_upper)
        if greatest:
            return cls(column, -upper, -lower, has_upper, has_lower)
        return cls(column, lower, upper, has_lower, has_upper)

    @property
    def without_null(self) -> BoolArray:
        """The files that are known to have no null."""
        has, known = self.column.bounds.has_null
        return known & ~has

    @property
    def without_nan(self) -> BoolArray:
        """The files that are known to have no NaN."""
        has, known = self.column.bounds.has_nan
        return known & ~has

    @property
    def all_null(self) -> BoolArray:
        """The files that are known to have nothing but nulls."""
        has, known = self.column.bounds.all_null
        return known & has

    def is_exact(self, files: Files) -> bool:
        """True if the first value of each kept file is known."""
        known = self.all_null | (self.has_near & files.parquet)
        return self.column.type in _EXACT and bool(known[files.kept].all())


def _of_any(count: int, files: Files) -> BoolArray:
    """The fewest files that surely have `count` rows; all kept files, if none do."""
    places = np.flatnonzero(files.sure)
    places = places[np.argsort(-files.records[places], kind="stable")]
    enough = np.searchsorted(np.cumsum(files.records[places]), count) + (count > 0)
    if enough > len(places):
        return files.kept
    found = np.zeros(len(files.kept), np.bool_)
    found[places[:enough]] = True
    return found


def _beyond_first(needed: FirstRows, files: Files, side: _Side) -> BoolArray:
    """The files that have none of the first rows."""
    counted = np.flatnonzero(files.sure & side.has_far & side.without_null & side.without_nan)
    counted = counted[np.argsort(side.far[counted], kind="stable")]
    last = np.searchsorted(np.cumsum(files.records[counted]), needed.count)
    if needed.count == 0:
        return np.ones(len(files.kept), np.bool_)
    if last >= len(counted):
        return np.zeros(len(files.kept), np.bool_)
    beyond: BoolArray = side.has_near & (side.near > side.far[counted[last]]) & side.without_nan
    return beyond & side.without_null if needed.nulls_first else beyond | side.all_null


def _beyond_extreme(files: Files, side: _Side) -> BoolArray:
    """The files that do not have the first value, or are not the only ones with it."""
    surely = files.sure & side.has_far
    beyond = side.all_null.copy()
    if surely.any():
        beyond |= side.has_near & (side.near > side.far[surely].min()) & side.without_nan
    return beyond


def names_of(needed: FewRows) -> Iterator[str]:
    """The names of the columns whose bounds count."""
    match needed:
        case FirstRows(name):
            yield name
        case Extremes(least, greatest):
            yield from dict.fromkeys((*least, *greatest))
