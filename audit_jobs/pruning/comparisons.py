"""K comparisons of one operator and field against the bounds of N containers.

The rules per operator are those of Iceberg Java 1.11's ManifestEvaluator,
InclusiveMetricsEvaluator and ParquetMetricsRowGroupFilter, which agree but for the differences
that `Rules` names, as other planners and versions do. Worked examples, for a container with
`lower = 3, upper = 7`:

    x < 3    ruled out: the smallest value is not below 3
    x < 4    possible
    x = 5    possible, and x = 8 ruled out
    x IN (1, 9)   ruled out: tested value by value, not by the range of the list
    x != 5   possible: prunes only where lower = upper = 5, without NaN (nulls do not match, in
             SQL; Iceberg has them match), or where every value is null
    x IS NULL     ruled out where no value is null; unknown (keep) where nobody knows
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from audit_jobs.pruning.literals import Leaf, Literals, as_values
from audit_jobs.pruning.ordered import Ordered, Ranks
from audit_jobs.pruning.rules import Rules
from audit_jobs.pruning.tristate import TriState, tristate
from collectors.predicates.operators import Op
from collectors.statistics import BoolArray

_CELLS = 1 << 20
"""Counts held at once while lists are looked at."""


def can_match(leaf: Leaf, column: Ordered, rules: Rules) -> TriState:
    """The tri-states of K comparisons: masks of shape (K, N), or (1, N) for unary operators."""
    match leaf.op:
        case Op.LT | Op.LT_EQ:
            return _below(leaf, column, rules)
        case Op.GT | Op.GT_EQ:
            return _above(leaf, column)
        case Op.IN:
            return _among(leaf.literals, column, rules)
        case Op.NOT_IN:
            return _not_among(leaf.literals, column, rules)
        case Op.STARTS_WITH:
            return _prefixed(leaf.literals, column, rules)
        case Op.NOT_STARTS_WITH:
            return _not_prefixed(leaf.literals, column, rules)
        case _:
            return _unary(leaf.op, column)


def _below(leaf: Leaf, column: Ordered, rules: Rules) -> TriState:
    excluded, known = column.none_low
    if not rules.nulls_sort_first:
        # Where nobody knows whether all values are null, bounds are to say more.
        excluded = excluded | column.all_null[0]
    lower = np.where(excluded, column.beyond, column.lower)
    place = column.left if leaf.op is Op.LT else column.right
    possible = lower[None, :] < place(leaf.literals.values)[:, None]
    return tristate(possible, (known & column.has_lower)[None, :])


def _above(leaf: Leaf, column: Ordered) -> TriState:
    excluded, known = column.none_high
    upper = np.where(excluded, -1, column.upper)
    place = column.right if leaf.op is Op.GT else column.left
    possible = upper[None, :] >= place(leaf.literals.values)[:, None]
    return tristate(possible, (known & column.has_upper)[None, :])


def _among(literals: Literals, column: Ordered, rules: Rules) -> TriState:
    if literals.all_single:
        return _equal(literals, column, rules)
    excluded, known = _holds_nothing(column)
    left, right = column.left(literals.values), column.right(literals.values)
    upper, has_upper = _upper(Op.IN, column, rules)
    lower = np.where(excluded, column.beyond, column.lower)
    first, last = literals.offsets[:-1], np.maximum(literals.offsets[1:] - 1, 0)
    if rules.in_by_range:
        low = lower[None, :] < right[last][:, None]
        possible = low & (upper[None, :] >= left[first][:, None])
        seen = known & column.has_lower & has_upper
    else:
        possible = _any_within(literals, left, right, lower, upper, len(column.distinct))
        seen = known & column.has_lower & ~column.nan_lower & has_upper
    seen = np.broadcast_to(seen, possible.shape)
    too_long = literals.lengths > (rules.in_limit or np.inf)
    if too_long.any():
        possible[too_long] = ~excluded
        seen = seen & ~too_long[:, None]
    single = literals.lengths == 1
    if single.any():
        equal = _equal(literals.take(np.flatnonzero(single)), column, rules)
        possible[single] = equal.possible
        shown = possible & seen
        shown[single] = equal.shown
        return TriState(possible, shown)
    return tristate(possible, seen)


def _equal(literals: Literals, column: Ordered, rules: Rules) -> TriState:
    """Lists of one value."""
    excluded, known = _holds_nothing(column)
    lower = np.where(excluded, column.beyond, column.lower)
    upper, has_upper = _upper(Op.EQ, column, rules)
    right, left = column.right(literals.values), column.left(literals.values)
    possible = (lower[None, :] < right[:, None]) & (upper[None, :] >= left[:, None])
    return tristate(possible, (known & column.has_lower & has_upper)[None, :])


def _upper(op: Op, column: Ordered, rules: Rules) -> tuple[Ranks, BoolArray]:
    """Upper bounds and where they are known, unknown where the planner looks at none for what the
    lower bound is: in InclusiveMetricsEvaluator, `in` and `startsWith` keep where there is no
    lower bound, and `in` where it is NaN (Iceberg Java 1.9 to 1.11); `eq` does neither."""
    if op in rules.needs_lower:
        usable = column.has_lower & ~column.nan_lower
    elif op in rules.needs_number:
        usable = ~column.nan_lower
    else:
        return column.upper, column.has_upper
    upper = np.where(usable, column.upper, column.beyond).astype(np.int32)
    return upper, column.has_upper & usable


def _any_within(
    literals: Literals, left: Ranks, right: Ranks, lower: Ranks, upper: Ranks, size: int
) -> BoolArray:
    """Whether any value of each row lies within the bounds of each container: more of them are
    not above the upper bound than are below the lower one."""
    step = max(1, _CELLS // (size + 2))
    found = np.empty((literals.count, len(lower)), np.bool_)
    for start in range(0, literals.count, step):
        rows = literals.slice(start, start + step)
        first, last = literals.offsets[[start, start + rows.count]]
        not_above = _counts(rows, left[first:last], size)[:, np.minimum(upper, size) + 1]
        below = _counts(rows, right[first:last], size)[:, np.minimum(lower, size) + 1]
        found[start : start + rows.count] = (not_above > below) & (lower <= size)
    return found


def _counts(rows: Literals, places: Ranks, size: int) -> npt.NDArray[np.int32]:
    """Of each row, how many of its values have a place of at most −1, 0, …, `size`."""
    counts = np.zeros((rows.count, size + 2), np.int32)
    np.add.at(counts, (rows.owner, places + 1), 1)
    return np.cumsum(counts, axis=1, dtype=np.int32)


def _not_among(literals: Literals, column: Ordered, rules: Rules) -> TriState:
    size = len(column.lower)
    if not rules.single_value_not_equal:
        return TriState(np.ones((1, size), np.bool_), np.zeros((1, size), np.bool_))
    nan, nan_known = column.has_nan
    bounded = column.has_lower & column.has_upper
    same = bounded & ~column.nan_lower & (column.lower == column.upper)
    listed = _lists(literals, column)
    only_these = (same & nan_known & ~nan)[None, :] & listed
    # There are others where a NaN is, or a bound beside the list.
    others = (nan | (bounded & ~same))[None, :] | (column.has_lower[None, :] & ~listed)
    return _negated(column, only_these, others, rules)


def _negated(column: Ordered, only_these: BoolArray, others: BoolArray, rules: Rules) -> TriState:
    """A negation can match unless all values but nulls are `only_these`, which it excludes, and no
    null matches: none does in SQL, nor where there is none. `others` tells where it is known that
    there are other values."""
    null, null_known = column.has_null
    if not rules.negations_match_nulls:
        all_null = column.all_null[0]
        return TriState(~(all_null[None, :] | only_these), ~all_null[None, :] & others)
    without_nulls = ~null_known if rules.inverted_null_check else null_known & ~null
    with_nulls = null_known if rules.inverted_null_check else null
    return TriState(~(without_nulls[None, :] & only_these), with_nulls[None, :] | others)


def _lists(literals: Literals, column: Ordered) -> BoolArray:
    """Whether each row lists the lower bound of each container."""
    size = len(column.distinct)
    left, right = column.left(literals.values), column.right(literals.values)
    found = np.empty((literals.count, len(column.lower)), np.bool_)
    lower = np.where(column.has_lower & ~column.nan_lower, column.lower, size)
    step = max(1, _CELLS // (size + 1))
    for start in range(0, literals.count, step):
        rows = literals.slice(start, start + step)
        first, last = literals.offsets[[start, start + rows.count]]
        exact = left[first:last] < right[first:last]
        marks = np.zeros((rows.count, size + 1), np.bool_)
        marks[rows.owner[exact], left[first:last][exact]] = True
        found[start : start + rows.count] = marks[:, lower]
    return found


def _prefixed(literals: Literals, column: Ordered, rules: Rules) -> TriState:
    excluded, known = _holds_nothing(column)
    lower = np.where(excluded, column.beyond, column.lower)
    upper, has_upper = _upper(Op.STARTS_WITH, column, rules)
    first, end = _span(literals, column)
    possible = (lower[None, :] < end[:, None]) & (upper[None, :] >= first[:, None])
    return tristate(possible, (known & column.has_lower & has_upper)[None, :])


def _not_prefixed(literals: Literals, column: Ordered, rules: Rules) -> TriState:
    first, end = _span(literals, column)

    def starts(ranks: Ranks, there: BoolArray) -> BoolArray:
        within = (ranks[None, :] >= first[:, None]) & (ranks[None, :] < end[:, None])
        return np.asarray(within & there[None, :])

    low = starts(column.lower, column.has_lower)
    high = starts(column.upper, column.has_upper)
    others = (column.has_lower[None, :] & ~low) | (column.has_upper[None, :] & ~high)
    return _negated(column, low & high, others, rules)


def _span(literals: Literals, column: Ordered) -> tuple[Ranks, Ranks]:
    """Per prefix, the ranks from which and up to which bounds start with it."""
    ends = [successor(prefix) for prefix in literals.values.tolist()]
    first = column.left(literals.values)
    end = np.full(len(ends), column.beyond, np.int32)
    bounded = np.array([value is not None for value in ends], np.bool_)
    end[bounded] = column.left(as_values([e for e in ends if e is not None], "binary"))
    return first, end


def successor(prefix: bytes) -> bytes | None:
    """The least value above all that start with `prefix`; None where there is none."""
    head = prefix.rstrip(b"\xff")
    return head[:-1] + bytes([head[-1] + 1]) if head else None


def _holds_nothing(column: Ordered) -> tuple[BoolArray, BoolArray]:
    """Containers that are known to hold no value that equals anything, and where it is known."""
    (low, low_known), (high, high_known) = column.none_low, column.none_high
    return low | high, low_known & high_known


def _unary(op: Op, column: Ordered) -> TriState:
    (null, null_known), (nan, nan_known) = column.has_null, column.has_nan
    (all_null, all_null_known), (all_nan, all_nan_known) = column.all_null, column.all_nan
    match op:
        case Op.IS_NULL:
            possible, known = null | ~null_known, null_known
        case Op.NOT_NULL:
            possible, known = ~all_null, all_null_known
        case Op.IS_NAN:
            possible = (nan | ~nan_known) & ~all_null
            known = nan_known & all_null_known
        case _:
            possible, known = ~all_nan, all_nan_known
    return tristate(possible[None, :], known[None, :])


Compare = Callable[[Leaf], TriState]
"""Judges K comparisons against a batch of containers."""
