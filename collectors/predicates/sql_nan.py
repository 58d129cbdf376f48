"""NaN in comparisons of a column with constants.

By IEEE 754, as Trino has it, every comparison with NaN is false but `<>`, which is true. So
`NOT (x >= 1)` is true of NaN, though `x < 1` is not, and `x <> NaN` of every number. Spark sorts
NaN above all numbers and holds it equal to itself ("NaN Semantics" of its SQL reference), so there
`NOT (x >= 1)` is `x < 1`. Other engines do either; what matches under either is kept. Iceberg's
own `not` turns a comparison around (Expressions.rewriteNot), as PyIceberg pushes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from collectors.predicates.model import Column, Comparison, LiteralValue, Op, Predicate
from collectors.predicates.sql_dialects import dialect_of
from collectors.predicates.sql_session import Session

_RANGES = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ})
_ORDERING_ENGINES = frozenset({"spark", "pyiceberg"})


def compare_column(
    op: Op, column: Column, value: LiteralValue, session: Session, *, negated: bool
) -> Predicate:
    """`column op value`; `negated` tells that the query wrote NOT before the opposite of `op`."""
    if orders_nan(session):
        return Comparison(op, column, (value,))
    if op is Op.NOT_EQ and _is_nan(value):
        return Comparison(Op.NOT_NULL, column)
    return Comparison(op, column, (value,), or_nan=negated and op in _RANGES)


def not_in(column: Column, values: Sequence[LiteralValue], session: Session) -> Predicate:
    """`column NOT IN (values)`, of one value or more."""
    excluded = [v for v in values if orders_nan(session) or not _is_nan(v)]
    if not excluded:
        return Comparison(Op.NOT_NULL, column)
    return Comparison(Op.NOT_IN, column, tuple(excluded))


def orders_nan(session: Session) -> bool:
    """Whether the engine sorts NaN among numbers, or its library turns comparisons around."""
    if session.planner is not None:
        return session.planner.engine in _ORDERING_ENGINES
    return dialect_of(session.dialect).nan_is_largest


def _is_nan(value: LiteralValue) -> bool:
    return isinstance(value, float) and math.isnan(value)
