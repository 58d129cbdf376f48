"""Comparisons of rows, and of values whose nulls are equal to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.ranges.truths import Evaluate, is_null, is_truth, logic

_STRICT: Mapping[type[exp.Expr], type[exp.Expr]] = {exp.LTE: exp.LT, exp.GTE: exp.GT}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two compared values, and the truths of their comparison for each operator."""

    left: Evaluate
    right: Evaluate
    compared: Callable[[type[exp.Expr]], Evaluate]


def same(pair: Pair) -> Evaluate:
    """IS NOT DISTINCT FROM: nulls are equal to each other."""
    both = logic(exp.And, [is_null(pair.left), is_null(pair.right)])
    return logic(exp.Or, [is_truth(pair.compared(exp.EQ), wanted=True), both])


def rows_compared(kind: type[exp.Expr], pairs: Sequence[Pair], dialect: Dialect) -> Evaluate | None:
    """A comparison of rows, by the first values that differ; None if its result is unknown."""
    orders_nulls = dialect.rows_order_nulls
    equal = [same(pair) if orders_nulls else pair.compared(exp.EQ) for pair in pairs]
    if kind in (exp.EQ, exp.NEQ):
        found = logic(exp.And, equal)
        return logic(exp.Not, [found]) if kind is exp.NEQ else found
    if not (orders_nulls or dialect.has_standard_rows):
        return None  # which may order nulls
    found = _before(kind, pairs[-1], dialect)
    for pair, is_equal in zip(pairs[-2::-1], equal[-2::-1], strict=True):
        first = _before(_STRICT.get(kind, kind), pair, dialect)
        found = logic(exp.Or, [first, logic(exp.And, [is_equal, found])])
    return found


def _before(kind: type[exp.Expr], pair: Pair, dialect: Dialect) -> Evaluate:
    """The truths of an order of two values in rows. Spark sorts NULL first, and DuckDB last."""
    found = pair.compared(kind)
    if not dialect.rows_order_nulls:
        return found
    nulls = [is_null(pair.left), is_null(pair.right)]
    if (kind in (exp.LT, exp.LTE)) is not dialect.nulls_are_least:
        nulls.reverse()
    one_alone = logic(exp.And, [nulls[0], logic(exp.Not, [nulls[1]])])
    each = [is_truth(found, wanted=True), one_alone]
    if kind in _STRICT:
        each.append(logic(exp.And, nulls))
    return logic(exp.Or, each)
