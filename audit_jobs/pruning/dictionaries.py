"""K comparisons against the values that occur in N containers, as dictionaries list them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.pruning.comparisons import COMPARE, can_match
from prunescope.audit_jobs.pruning.literals import CELLS, Leaf, Literals, Values
from prunescope.audit_jobs.pruning.ordered import Ordered, ordered
from prunescope.audit_jobs.pruning.rules import Rules
from prunescope.audit_jobs.pruning.tristate import UNTOLD, Masks
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.predicates.operators import NEGATIONS, ORDERED, Op
from prunescope.collectors.statistics import ValueSets, from_values
from prunescope.collectors.types import is_ordered

_EXACT = Rules()
# Dictionaries hold no nulls, and say nothing of them.
NOT_IN_DICTIONARIES = (Op.IS_NULL, Op.NOT_NULL)


class Dictionaries:
    """The dictionaries of one column over a batch of N containers."""

    def __init__(self, sets: ValueSets, *, zeros_apart: bool = False) -> None:
        order = np.argsort(sets.owner, kind="stable")
        self._sets = sets
        self._zeros_apart = zeros_apart
        self._owner: IntArray = sets.owner[order]
        self._values = sets.values.take(pa.array(order))
        self._first = np.flatnonzero(np.diff(self._owner, prepend=-1))
        self._is_new = True
        """True until the first list is looked up: to sort all values pays from the second one
        on."""

    def __call__(self, leaf: Leaf, rules: Rules) -> Masks:
        """The tri-states of K comparisons (ParquetDictionaryRowGroupFilter, Iceberg Java 1.11): a
        container of which all values are known can match if one of them does, or if it may hold
        a null and nulls match. Masks of the shape (K, N)."""
        if leaf.op in NOT_IN_DICTIONARIES or (
            leaf.op in ORDERED and not is_ordered(leaf.field.type)
        ):
            return UNTOLD
        if rules.tells_zeros_apart(leaf) and not self._zeros_apart:
            return self._with_zeros_apart(leaf, rules)
        judged = self._sets.complete
        if leaf.op is Op.NOT_NAN or (leaf.op in NEGATIONS and rules.negations_match_nulls):
            judged = judged & self._sets.without_nulls
        found = np.zeros((leaf.literals.count, len(judged)), np.bool_)
        if len(self._values):
            found[:, self._owner[self._first]] = self._matches(leaf)
        return Masks(found | ~judged, found & judged)

    def _matches(self, leaf: Leaf) -> BoolArray:
        """True if any value of a container matches; for all containers that have values."""
        if leaf.op in ORDERED:
            return self._reaches(leaf)
        if leaf.op in (Op.IN, Op.NOT_IN):
            hits = self._hits(leaf.literals)
            sizes = np.diff(self._first, append=len(self._values))
            return hits > 0 if leaf.op is Op.IN else hits < sizes[None, :]
        return self._by_cells(leaf)

    def _reaches(self, leaf: Leaf) -> BoolArray:
        """True if the least value of a container, or the greatest, is in a range: NaN is the
        greatest of all."""
        column, nan = self._column, self._column.open_low
        compare, numbers = COMPARE[leaf.op], column.comparable(leaf.literals.values)[:, None]
        if leaf.op in (Op.LT, Op.LT_EQ):
            values = np.where(nan, column.lower.max(), column.lower)
            least = np.minimum.reduceat(values, self._first)
            return compare(least[None, :], numbers) & ~np.logical_and.reduceat(nan, self._first)
        values = np.where(nan, column.lower.min(), column.lower)
        greatest = np.maximum.reduceat(values, self._first)
        return compare(greatest[None, :], numbers) | np.logical_or.reduceat(nan, self._first)

    def _hits(self, literals: Literals) -> IntArray:
        """The number of values of each container that are in each row. Looks up the few values of
        rows."""
        found = np.zeros((literals.count, len(self._first)), np.int64)
        numbers = self._column.comparable(literals.values)
        order, ascending = self._among(numbers) if self._is_new else self._in_order
        self._is_new = False
        starts = np.searchsorted(ascending, numbers, "left")
        lengths = np.searchsorted(ascending, numbers, "right") - starts
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        places = order[np.repeat(starts, lengths) + within]
        container = np.searchsorted(self._first, places, "right") - 1
        np.add.at(found, (np.repeat(literals.owner, lengths), container), 1)
        return found

    def _by_cells(self, leaf: Leaf) -> BoolArray:
        """Matches of a leaf (see `_matches`), value by value."""
        found = np.empty((leaf.literals.count, len(self._first)), np.bool_)
        step = max(1, CELLS // len(self._values))
        for start in range(0, leaf.literals.count, step):
            state = can_match(leaf.slice(start, start + step), self._column, _EXACT)
            matches = np.logical_or.reduceat(state.possible, self._first, axis=1)
            found[start : start + step] = matches
        return found

    @cached_property
    def _column(self) -> Ordered:
        found = ordered(from_values(self._values))
        return found.with_zeros_apart if self._zeros_apart else found

    @cached_property
    def _with_zeros_apart(self) -> Dictionaries:
        return Dictionaries(self._sets, zeros_apart=True)

    def _among(self, numbers: Values) -> tuple[IntArray, Values]:
        """The places of values that are among some, in ascending order, and these values."""
        column, distinct = self._column, np.unique(numbers)
        if not len(distinct):
            return np.empty(0, np.int64), distinct
        nearest = np.minimum(np.searchsorted(distinct, column.lower), len(distinct) - 1)
        found = np.flatnonzero((distinct[nearest] == column.lower) & ~column.open_low)
        order = found[np.argsort(column.lower[found])]
        return order, column.lower[order]

    @cached_property
    def _in_order(self) -> tuple[IntArray, Values]:
        """The places of values but NaN in ascending order, and these values."""
        column = self._column
        numbers = np.flatnonzero(~column.open_low)
        order = numbers[np.argsort(column.lower[numbers], kind="stable")]
        return order, column.lower[order]
