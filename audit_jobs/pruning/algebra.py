"""The pruning algebra: a predicate against the statistics of N containers.

The result is a tri-state per container, as a nullable boolean array of length N:

    true    some row can match, as far as the statistics tell
    false   no row can match: proven, the container can be skipped
    null    unknown, because the statistics are missing

Only false prunes. `AND` and `OR` are Kleene's, so an unknown part never hides a proof and
never makes one. The rules per operator are those of Iceberg Java 1.11's ManifestEvaluator,
InclusiveMetricsEvaluator and ParquetMetricsRowGroupFilter, which agree but for the differences
that `Rules` names, as other planners and versions do. Worked examples, for a container with
`lower = 3, upper = 7`:

    x < 3    false: the smallest value is not below 3
    x < 4    true
    x = 5    true, and x = 8 false
    x IN (1, 9)   false: tested value by value, not by the range of the list
    x != 5   true: prunes only where lower = upper = 5, without NaN (nulls do not match, in SQL;
             Iceberg has them match), or where every value is null
    x IS NULL     false where no value is null; null (keep) where that is unknown
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.pruning.rules import Rules
from audit_jobs.pruning.transforms import transform_bounds
from collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Op,
    Or,
    Predicate,
    Unsupported,
)
from collectors.statistics import ColumnStatistics, Statistics, constant, unknown

_RANGES = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ)

Leaf = Callable[[BoundComparison], pa.BooleanArray]


class Evaluation:
    """Evaluates bound predicates against one `Statistics`.

    Every leaf and every subtree is evaluated once, however many predicates share it.
    `leaf` replaces the evaluation of single comparisons, for passes in which they depend on
    more than the container's own statistics.
    """

    def __init__(self, statistics: Statistics, rules: Rules, leaf: Leaf | None = None) -> None:
        self._statistics = statistics
        self._rules = rules
        self._leaf = leaf or self.comparison
        self._not_empty = pc.invert(statistics.empty)
        self._memo: dict[Predicate, pa.BooleanArray] = {}

    def __call__(self, predicate: Predicate) -> pa.BooleanArray:
        """The tri-state of `predicate` for each container."""
        known = self._memo.get(predicate)
        if known is None:
            known = self._memo[predicate] = self._evaluate(predicate)
        return known

    def _evaluate(self, predicate: Predicate) -> pa.BooleanArray:
        match predicate:
            case Always(value):
                return pc.and_kleene(self._not_empty, constant(value, self._statistics.count))
            case Unsupported():
                return pc.and_kleene(self._not_empty, unknown(self._statistics.count))
            case And(children):
                return _fold(pc.and_kleene, [self(child) for child in children])
            case Or(children):
                return _fold(pc.or_kleene, [self(child) for child in children])
            case BoundComparison():
                return self._leaf(predicate)
            case Comparison():
                raise TypeError("a predicate must be bound to field ids before it is evaluated")

    def comparison(self, leaf: BoundComparison) -> pa.BooleanArray:
        """The tri-state of one comparison by the containers' own statistics."""
        column = self._statistics.columns.get((leaf.field.field_id, leaf.field.type))
        if leaf.field.type == "uuid" and leaf.op in _RANGES:
            column = None  # Java orders UUIDs signed, others unsigned
        if column is not None and leaf.field.transform is not None:
            usable = self._rules.transform_terms
            column = transform_bounds(column, leaf.field) if usable else None
        if column is None:
            return pc.and_kleene(self._not_empty, unknown(self._statistics.count))
        return pc.and_kleene(self._not_empty, can_match(leaf, column, self._rules))


def can_match(leaf: BoundComparison, column: ColumnStatistics, rules: Rules) -> pa.BooleanArray:
    """The tri-state of one comparison, given the facts about its column."""
    values = [_scalar(value, column.lower.type) for value in leaf.values]
    match leaf.op:
        case Op.LT:
            return _not_any(*_none_low(column, rules), pc.greater_equal(column.lower, values[0]))
        case Op.LT_EQ:
            return _not_any(*_none_low(column, rules), pc.greater(column.lower, values[0]))
        case Op.GT:
            return _not_any(column.none_high, pc.less_equal(column.upper, values[0]))
        case Op.GT_EQ:
            return _not_any(column.none_high, pc.less(column.upper, values[0]))
        case Op.EQ:
            return _not_any(
                column.none_low,
                column.none_high,
                pc.greater(column.lower, values[0]),
                pc.less(_upper(leaf.op, column, rules), values[0]),
            )
        case Op.IN:
            if rules.gives_up(leaf):
                outside = unknown(len(column.lower))
            else:
                outside = _contains_none(column, leaf.values, rules)
            return _not_any(column.none_low, column.none_high, outside)
        case Op.NOT_EQ | Op.NOT_IN:
            if not rules.single_value_not_equal:
                return unknown(len(column.lower))
            only_these = _all_of(
                pc.invert(column.has_nan),
                pc.equal(column.lower, column.upper),
                _is_one_of(column.lower, leaf.values),
            )
            return _not_negated(column, only_these, rules)
        case Op.IS_NULL:
            return column.has_null
        case Op.NOT_NULL:
            return pc.invert(column.all_null)
        case Op.IS_NAN:
            return pc.and_kleene(column.has_nan, pc.invert(column.all_null))
        case Op.NOT_NAN:
            return pc.invert(column.all_nan)
        case Op.STARTS_WITH:
            misses = _misses_prefix(column, _bytes(leaf), _upper(leaf.op, column, rules))
            return _not_any(column.none_low, column.none_high, *misses)
        case Op.NOT_STARTS_WITH:
            prefix = _bytes(leaf)
            bounds = (column.lower, column.upper)
            only_these = _all_of(*(pc.starts_with(bound, prefix) for bound in bounds))
            return _not_negated(column, only_these, rules)


def _none_low(column: ColumnStatistics, rules: Rules) -> list[pa.BooleanArray]:
    """Proofs that no value sorts low."""
    return [column.none_low] if rules.nulls_sort_first else [column.none_low, _known_null(column)]


def _known_null(column: ColumnStatistics) -> pa.BooleanArray:
    """Whether every value is known to be null: what bounds leave open is for them to say."""
    return pc.fill_null(column.all_null, False)


def _scalar(value: Any, data_type: pa.DataType) -> pa.Scalar:
    return pa.scalar(value, data_type)


def _bytes(leaf: BoundComparison) -> bytes:
    (prefix,) = leaf.values
    assert isinstance(prefix, bytes)
    return prefix


def _fold(
    kernel: Callable[[pa.BooleanArray, pa.BooleanArray], pa.BooleanArray],
    parts: list[pa.BooleanArray],
) -> pa.BooleanArray:
    result = parts[0]
    for part in parts[1:]:
        result = kernel(result, part)
    return result


def _not_any(*proofs: pa.BooleanArray) -> pa.BooleanArray:
    """Can match unless one of the proofs holds."""
    return pc.invert(_fold(pc.or_kleene, list(proofs)))


def _all_of(*facts: pa.BooleanArray) -> pa.BooleanArray:
    return _fold(pc.and_kleene, list(facts))


def _not_negated(
    column: ColumnStatistics, only_these: pa.BooleanArray, rules: Rules
) -> pa.BooleanArray:
    """A negation can match unless all values but nulls are `only_these`, which it excludes, and
    no null matches: none does in SQL, nor where there is none."""
    if not rules.negations_match_nulls:
        return _not_any(_known_null(column), only_these)
    without_nulls = pc.invert(column.has_null)
    if rules.inverted_null_check:
        without_nulls = pc.is_null(without_nulls)
    return _not_any(pc.and_kleene(without_nulls, only_these))


def _upper(op: Op, column: ColumnStatistics, rules: Rules) -> pa.Array:
    """Upper bounds, unknown where the planner looks at none for what the lower bound is: in
    InclusiveMetricsEvaluator, `in` and `startsWith` keep where there is no lower bound, and `in`
    where it is NaN (Iceberg Java 1.9 to 1.11); `eq` does neither."""
    floating = pa.types.is_floating(column.lower.type)
    if op in rules.needs_lower:
        usable = pc.is_valid(column.lower)
    elif op in rules.needs_number and floating:
        usable = constant(True, len(column.lower))
    else:
        return column.upper
    if floating:
        usable = pc.and_not(usable, pc.fill_null(pc.is_nan(column.lower), False))
    return pc.if_else(usable, column.upper, pa.scalar(None, column.upper.type))


def _contains_none(
    column: ColumnStatistics, values: tuple[Any, ...], rules: Rules
) -> pa.BooleanArray:
    """Whether no value of the sorted list lies within the bounds; null where both bounds admit
    one but either is unknown."""
    upper = _upper(Op.IN, column, rules)
    if rules.in_by_range:
        beyond = pc.greater(column.lower, _scalar(values[-1], column.lower.type))
        return pc.or_kleene(beyond, pc.less(upper, _scalar(values[0], upper.type)))
    candidates = _numpy(pa.array(values, column.lower.type))
    has_lower = _valid(column.lower)
    if pa.types.is_floating(column.lower.type):
        has_lower &= ~np.isnan(_numpy(column.lower))
    has_upper = _valid(upper)
    first = np.zeros(len(has_lower), np.int64)
    first[has_lower] = np.searchsorted(candidates, _numpy(column.lower)[has_lower], "left")
    last = np.full(len(has_upper), len(candidates))
    last[has_upper] = np.searchsorted(candidates, _numpy(upper)[has_upper], "right")
    outside = first >= last
    return pa.array(outside, mask=~outside & ~(has_lower & has_upper))


def _is_one_of(array: pa.Array, values: tuple[Any, ...]) -> pa.BooleanArray:
    found = pc.is_in(array, value_set=pa.array(values, array.type))
    return pc.if_else(pc.is_valid(array), found, unknown(len(array)))


def _misses_prefix(
    column: ColumnStatistics, prefix: bytes, upper: pa.Array
) -> list[pa.BooleanArray]:
    """Proofs that no value starts with `prefix`: bounds cut to its length lie beside it."""
    lower = pc.binary_slice(column.lower, 0, len(prefix)) if prefix else column.lower
    upper = pc.binary_slice(upper, 0, len(prefix)) if prefix else upper
    too_high = pc.greater(lower, prefix) if prefix else constant(False, len(lower))
    return [too_high, pc.less(upper, prefix)]


def _valid(array: pa.Array) -> npt.NDArray[np.bool_]:
    return np.asarray(pc.is_valid(array).to_numpy(zero_copy_only=False), dtype=np.bool_)


def _numpy(array: pa.Array) -> npt.NDArray[Any]:
    """Numbers as they are (nulls arbitrary), everything else as Python objects."""
    if pa.types.is_integer(array.type) or pa.types.is_floating(array.type):
        return np.asarray(pc.fill_null(array, 0).to_numpy(zero_copy_only=False))
    objects = np.empty(len(array), dtype=object)
    objects[:] = array.to_pylist()
    return objects
