"""Evaluation of unbound predicates on rows, as their model documents it."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Mapping
from typing import Any

from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import (
    Always,
    And,
    Comparison,
    Or,
    Predicate,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op

SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Comparisons as SQL writes them."""

_ORDER: dict[Op, Callable[[Any, Any], Any]] = {
    Op.LT: operator.lt,
    Op.LT_EQ: operator.le,
    Op.GT: operator.gt,
    Op.GT_EQ: operator.ge,
    Op.EQ: operator.eq,
}
_EPOCH = dt.date(1970, 1, 1)


def matches(predicate: Predicate, row: Mapping[str, LiteralValue | None]) -> bool:
    """Whether a row, by lower-case dotted column names, may match."""
    match predicate:
        case Always(constant):
            return constant
        case And(children):
            return all(matches(child, row) for child in children)
        case Or(children):
            return any(matches(child, row) for child in children)
        case Comparison(op, column, values):
            value = row[".".join(column.path).lower()]
            return _compare(op, _plain(value), [_plain(v) for v in values])
        case Unsupported():
            return True
    raise AssertionError(f"not an unbound predicate: {predicate}")


def is_understood(predicate: Predicate) -> bool:
    """Whether no part of it is one that planners can make nothing of."""
    if isinstance(predicate, And | Or):
        return all(is_understood(child) for child in predicate.children)
    return not isinstance(predicate, Unsupported)


def _plain(value: LiteralValue | None) -> LiteralValue | None:
    """Dates and timestamps on one scale, taking the clock for UTC."""
    if isinstance(value, dt.date):
        return (value - _EPOCH).days * 86_400_000_000_000
    return value.nanos if isinstance(value, Timestamp) else value


def _compare(op: Op, value: object, values: list[object]) -> bool:
    if op in (Op.IS_NULL, Op.NOT_NULL):
        return (value is None) == (op is Op.IS_NULL)
    if value is None:
        return False
    if op in (Op.IS_NAN, Op.NOT_NAN):
        return (value != value) == (op is Op.IS_NAN)  # noqa: PLR0124 - which NaN alone is not
    if op in (Op.IN, Op.NOT_IN):
        return (value in values) == (op is Op.IN)
    if op in (Op.STARTS_WITH, Op.NOT_STARTS_WITH):
        return str(value).startswith(str(values[0])) == (op is Op.STARTS_WITH)
    if op is Op.NOT_EQ:
        return value != values[0]
    return bool(_ORDER[op](value, values[0]))
