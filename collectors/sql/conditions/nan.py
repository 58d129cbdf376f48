"""NaN in comparisons of a column with constants.

By IEEE 754, as Trino has it, every comparison with NaN is false but `<>`, which is true. So
`NOT (x >= 1)` is true of NaN, though `x < 1` is not, and `x <> NaN` of every number. Spark sorts
NaN above all numbers and holds it equal to itself ("NaN Semantics" of its SQL reference), so there
`NOT (x >= 1)` is `x < 1`. Other engines do either; what matches under either is kept. Iceberg's
own `not` turns a comparison around (Expressions.rewriteNot), as PyIceberg pushes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.collectors.predicates.literals import LiteralValue, is_nan
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.planners.profiles import Planner


def compare_column(
    op: Op, column: Column, value: LiteralValue, *, is_ordered: bool, negated: bool
) -> Comparison:
    """`column op value`. `is_ordered` is the result of `orders_nan`; `negated` if the query wrote
    NOT before the opposite of `op`."""
    if is_ordered:
        return Comparison(op, column, (value,))
    if op is Op.NOT_EQ and is_nan(value):
        return Comparison(Op.NOT_NULL, column)
    return Comparison(op, column, (value,), or_nan=negated and op in ORDERED)


def not_in(column: Column, values: Sequence[LiteralValue], *, is_ordered: bool) -> Comparison:
    """`column NOT IN (values)`, of one value or more."""
    excluded = [v for v in values if is_ordered or not is_nan(v)]
    if not excluded:
        return Comparison(Op.NOT_NULL, column)
    return Comparison(Op.NOT_IN, column, tuple(excluded))


def orders_nan(dialect: str, planner: Planner | None) -> bool:
    """True if the engine sorts NaN among numbers, or its library turns comparisons around."""
    if planner is not None:
        return planner.profile.rewording.orders_nan
    return dialect_of(dialect).nan_is_largest
