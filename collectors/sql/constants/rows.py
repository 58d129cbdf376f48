"""Comparisons of rows of constants."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.constants.calls import HOLDS, compared
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, Folded, not_constant
from prunescope.collectors.sql.dialects import dialect_of


def compared_rows(
    comparison: type[exp.Expr], left: Sequence[Folded], right: Sequence[Folded], session: Session
) -> Folded:
    """The result of a comparison of two rows, by the first pair that differs. In Spark a null is
    the least value and equal to itself, in DuckDB the greatest. Elsewhere a row with a null is
    equal to no row for certain, and an order of it raises CannotConvert."""
    if len(left) != len(right):
        raise not_constant()
    dialect = dialect_of(session.dialect)
    if dialect.rows_order_nulls:
        null = -1 if dialect.nulls_are_least else 1
        orders = (_order(pair, null, session) for pair in zip(left, right, strict=True))
        return HOLDS[comparison](next(filter(None, orders), 0))
    if comparison not in (exp.EQ, exp.NEQ):
        if NULL in left or NULL in right:
            raise not_constant()
        orders = (_order(pair, 0, session) for pair in zip(left, right, strict=True))
        return HOLDS[comparison](next(filter(None, orders), 0))
    found = [compared(exp.EQ, a, b, session) for a, b in zip(left, right, strict=True)]
    if False in found:
        return comparison is exp.NEQ
    return NULL if NULL in found else comparison is exp.EQ


def _order(pair: tuple[Folded, Folded], null: int, session: Session) -> int:
    """The order of a pair: -1, 0 or 1."""
    left, right = pair
    if left is NULL or right is NULL:
        return 0 if left is right else null if left is NULL else -null
    if compared(exp.EQ, left, right, session) is True:
        return 0
    return -1 if compared(exp.LT, left, right, session) is True else 1
