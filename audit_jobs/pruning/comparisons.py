"""K comparisons of one operator and field against the bounds of N containers.

The rules per operator are those of Iceberg Java 1.12's ManifestEvaluator,
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

from collections.abc import Iterator

import numpy as np

from prunescope.audit_jobs.pruning.literals import CELLS, Leaf, Literals, Values, as_values
from prunescope.audit_jobs.pruning.ordered import Compare, Ordered
from prunescope.audit_jobs.pruning.rules import Rules
from prunescope.audit_jobs.pruning.tristate import EVERYWHERE, UNTOLD, Masks, masks
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.types import is_ordered

COMPARE: dict[Op, Compare] = {
    Op.LT: np.less,
    Op.LT_EQ: np.less_equal,
    Op.GT: np.greater,
    Op.GT_EQ: np.greater_equal,
}
"""NumPy's comparisons of bounds with literals, by operator."""


def can_match(leaf: Leaf, column: Ordered, rules: Rules) -> Masks:
    """The tri-states of K comparisons, of the shape (K, N); a dimension is 1 if the masks are the
    same along it."""
    if rules.tells_zeros_apart(leaf):
        column = column.with_zeros_apart
    match leaf.op:
        case op if op in ORDERED and not is_ordered(leaf.field.type):
            return _beside(leaf, column, rules)
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


def _below(leaf: Leaf, column: Ordered, rules: Rules) -> Masks:
    excluded, known = column.none_low
    if not rules.nulls_sort_first:
        # Where nobody knows whether all values are null, bounds are to say more.
        excluded = excluded | column.all_null[0]
    possible = column.low(COMPARE[leaf.op], column.comparable(leaf.literals.values))
    return masks(_but(possible, excluded), (known & column.has_lower)[None, :])


def _above(leaf: Leaf, column: Ordered) -> Masks:
    excluded, known = column.none_high
    possible = column.high(COMPARE[leaf.op], column.comparable(leaf.literals.values))
    return masks(_but(possible, excluded), (known & column.has_upper)[None, :])


def _beside(leaf: Leaf, column: Ordered, rules: Rules) -> Masks:
    """Tri-states of ranges of values whose order is unknown: no null is in any, and no value is
    above or below itself."""
    is_low = leaf.op in (Op.LT, Op.LT_EQ)
    known = column.without_bounds
    said = _below(leaf, known, rules) if is_low else _above(leaf, known)
    if leaf.op in (Op.LT_EQ, Op.GT_EQ):
        return said
    others = ~(column.single[None, :] & _lists(leaf.literals, column))
    return Masks(said.possible & others, said.shown & others)


def _but(possible: BoolArray, excluded: BoolArray) -> BoolArray:
    """`possible` without the excluded containers, changed in place."""
    if excluded.any():
        np.logical_and(possible, ~excluded, out=possible)
    return possible


def _among(literals: Literals, column: Ordered, rules: Rules) -> Masks:
    if literals.all_single:
        return _equal(literals, column, rules)
    excluded, known = column.none_equal
    unusable = _unusable(Op.IN, column, rules)
    seen = known & column.has_lower & column.has_upper & ~unusable
    if rules.in_by_range:
        possible = _spanned(literals, column, unusable)
    else:
        possible = _any_within(literals, column, unusable)
        seen = seen & ~column.nan_lower
    possible = _but(possible, excluded)
    seen = np.broadcast_to(seen, possible.shape)
    too_long = literals.lengths > (rules.in_limit or np.inf)
    if too_long.any():
        if rules.long_by_range:
            long = literals.take(np.flatnonzero(too_long))
            possible[too_long] = _but(_spanned(long, column, unusable), excluded)
        else:
            possible[too_long] = ~excluded
        seen = seen & ~too_long[:, None]
    single = literals.lengths == 1
    if single.any():
        equal = _equal(literals.take(np.flatnonzero(single)), column, rules)
        possible[single] = equal.possible
        shown = possible & seen
        shown[single] = equal.shown
        return Masks(possible, shown)
    return masks(possible, seen)


def _spanned(literals: Literals, column: Ordered, unusable: BoolArray) -> BoolArray:
    """True if the range of a row's values meets that of a container."""
    numbers = column.comparable(literals.values)
    first, last = literals.offsets[:-1], np.maximum(literals.offsets[1:] - 1, 0)
    possible = column.low(np.less_equal, numbers[last])
    possible &= column.high(np.greater_equal, numbers[first], unusable)
    return possible


def _equal(literals: Literals, column: Ordered, rules: Rules) -> Masks:
    """Lists of one value."""
    excluded, known = column.none_equal
    unusable = _unusable(Op.EQ, column, rules)
    numbers = column.comparable(literals.values)
    possible = column.low(np.less_equal, numbers)
    possible &= column.high(np.greater_equal, numbers, unusable)
    seen = known & column.has_lower & column.has_upper & ~unusable
    return masks(_but(possible, excluded), seen[None, :])


def _unusable(op: Op, column: Ordered, rules: Rules) -> BoolArray:
    """The containers whose upper bound the planner ignores because of their lower bound. In
    InclusiveMetricsEvaluator, `in` and `startsWith` keep if there is no lower bound, and `in` if it
    is NaN (Iceberg Java 1.9 to 1.11); `eq` does neither."""
    if op in rules.needs_lower:
        return column.open_low
    return column.nan_lower if op in rules.needs_number else np.zeros_like(column.nan_lower)


def _any_within(literals: Literals, column: Ordered, unusable: BoolArray) -> BoolArray:
    """True if any value of a row lies within the bounds of a container: the first one that is not
    below the lower bound is not above the upper one."""
    found = np.empty((literals.count, len(column.lower)), np.bool_)
    open_high = column.open_high | unusable
    for start, rows in _portions(literals):
        among, places = _listed(column.comparable(rows.values))
        end = len(among)
        first = np.where(column.open_low, 0, np.searchsorted(among, column.lower, "left"))
        beyond = np.where(open_high, end, np.searchsorted(among, column.upper, "right"))
        following = np.full((rows.count, end + 1), end, np.int32)
        following[rows.owner, places] = places
        following = np.minimum.accumulate(following[:, ::-1], axis=1)[:, ::-1]
        found[start : start + rows.count] = following[:, first] < beyond[None, :].astype(np.int32)
    return found


def _portions(literals: Literals) -> Iterator[tuple[int, Literals]]:
    """Slices of rows, each with the number of its first row. A slice has few rows times values, but
    at least one row."""
    start = 0
    while start < literals.count:
        cells = np.arange(1, literals.count - start + 1) * (
            literals.offsets[start + 1 :] - literals.offsets[start]
        )
        rows = max(1, int(np.searchsorted(cells, CELLS, "right")))
        yield start, literals.slice(start, start + rows)
        start += rows


def _listed(numbers: Values) -> tuple[Values, IntArray]:
    """Distinct numbers in ascending order, and the place of each number among them."""
    in_order = np.sort(numbers)
    first = np.ones(len(in_order), np.bool_)
    np.not_equal(in_order[1:], in_order[:-1], out=first[1:])
    distinct = in_order[first]  # NumPy 2.4's unique() hashes, which takes ten times as long
    return distinct, np.searchsorted(distinct, numbers)


def _not_among(literals: Literals, column: Ordered, rules: Rules) -> Masks:
    if not rules.single_value_not_equal:
        return UNTOLD
    if column.all_several:
        # No list is all that a container holds.
        return EVERYWHERE if rules.negations_match_nulls else column.not_all_null
    listed = _lists(literals, column)
    single = column.single_but_for_nan if rules.nans_are_known else column.single
    only_these = single[None, :] & listed
    # There are others where a bound is beside the list.
    others = column.several[None, :] | (column.has_lower[None, :] & ~listed)
    return _negated(column, only_these, others, rules)


def _negated(column: Ordered, only_these: BoolArray, others: BoolArray, rules: Rules) -> Masks:
    """The tri-states of a negation. It can match unless all values but nulls are `only_these`,
    which it excludes, and no null matches: none does in SQL, nor if there is none. `others` is true
    if other values are known to exist."""
    null, null_known = column.has_null
    if not rules.negations_match_nulls:
        all_null = column.all_null[0]
        return Masks(~(all_null[None, :] | only_these), ~all_null[None, :] & others)
    without_nulls = ~null_known if rules.inverted_null_check else null_known & ~null
    with_nulls = null_known if rules.inverted_null_check else null
    return Masks(~(without_nulls[None, :] & only_these), with_nulls[None, :] | others)


def _lists(literals: Literals, column: Ordered) -> BoolArray:
    """True if a row lists the lower bound of a container; of the shape (K, N)."""
    if literals.all_single:
        numbers = column.comparable(literals.values)
        return _but(column.lower[None, :] == numbers[:, None], column.open_low)
    found = np.empty((literals.count, len(column.lower)), np.bool_)
    for start, rows in _portions(literals):
        among, places = _listed(column.comparable(rows.values))
        lower = np.searchsorted(among, column.lower)
        is_listed = ~column.open_low & (np.append(among, 0)[lower] == column.lower)
        marks = np.zeros((rows.count, len(among) + 1), np.bool_)
        marks[rows.owner, places] = True
        marks[:, -1] = False
        found[start : start + rows.count] = marks[:, np.where(is_listed, lower, len(among))]
    return found


def _prefixed(literals: Literals, column: Ordered, rules: Rules) -> Masks:
    excluded, known = column.none_equal
    unusable = _unusable(Op.STARTS_WITH, column, rules)
    first, end = _span(literals, column)
    possible = column.low(np.less, end)
    possible &= column.high(np.greater_equal, first, unusable)
    seen = known & column.has_lower & column.has_upper & ~unusable
    return masks(_but(possible, excluded), seen[None, :])


def _not_prefixed(literals: Literals, column: Ordered, rules: Rules) -> Masks:
    first, end = _span(literals, column)

    def starts(bounds: Values, there: BoolArray) -> BoolArray:
        within = (bounds[None, :] >= first[:, None]) & (bounds[None, :] < end[:, None])
        return np.asarray(within & there[None, :])

    low = starts(column.lower, column.has_lower)
    high = starts(column.upper, column.has_upper)
    others = (column.has_lower[None, :] & ~low) | (column.has_upper[None, :] & ~high)
    return _negated(column, low & high, others, rules)


def _span(literals: Literals, column: Ordered) -> tuple[Values, Values]:
    """Per prefix, the numbers from which and up to which bounds start with it."""
    ends = [successor(prefix) for prefix in literals.values.tolist()]
    end = np.full(len(ends), np.iinfo(np.int32).max)
    bounded = np.array([value is not None for value in ends], np.bool_)
    end[bounded] = column.comparable(as_values([e for e in ends if e is not None], "binary"))
    return column.comparable(literals.values), end.astype(np.int32)


def successor(prefix: bytes) -> bytes | None:
    """The least value above all that start with `prefix`, or None if there is none."""
    head = prefix.rstrip(b"\xff")
    return head[:-1] + bytes([head[-1] + 1]) if head else None


def _unary(op: Op, column: Ordered) -> Masks:
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
    return masks(possible[None, :], known[None, :])
