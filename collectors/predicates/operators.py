"""The operators of comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any


class Op(StrEnum):
    """Comparison operators; the value is the SQL spelling used in rendered predicates."""

    LT = "<"
    LT_EQ = "<="
    GT = ">"
    GT_EQ = ">="
    EQ = "="
    NOT_EQ = "!="
    IN = "IN"
    NOT_IN = "NOT IN"
    IS_NULL = "IS NULL"
    NOT_NULL = "IS NOT NULL"
    IS_NAN = "IS NAN"
    NOT_NAN = "IS NOT NAN"
    STARTS_WITH = "STARTS WITH"
    NOT_STARTS_WITH = "NOT STARTS WITH"

    # That of an Enum is Python code, and predicates are compared by their hashes.
    __hash__ = str.__hash__


NEGATED: dict[Op, Op] = {
    Op.LT: Op.GT_EQ,
    Op.LT_EQ: Op.GT,
    Op.GT: Op.LT_EQ,
    Op.GT_EQ: Op.LT,
    Op.EQ: Op.NOT_EQ,
    Op.NOT_EQ: Op.EQ,
    Op.IN: Op.NOT_IN,
    Op.NOT_IN: Op.IN,
    Op.IS_NULL: Op.NOT_NULL,
    Op.NOT_NULL: Op.IS_NULL,
    Op.IS_NAN: Op.NOT_NAN,
    Op.NOT_NAN: Op.IS_NAN,
    Op.STARTS_WITH: Op.NOT_STARTS_WITH,
    Op.NOT_STARTS_WITH: Op.STARTS_WITH,
}

FLIPPED: dict[Op, Op] = {
    Op.LT: Op.GT,
    Op.LT_EQ: Op.GT_EQ,
    Op.GT: Op.LT,
    Op.GT_EQ: Op.LT_EQ,
    Op.EQ: Op.EQ,
    Op.NOT_EQ: Op.NOT_EQ,
}
"""Operators with their sides exchanged."""

UNARY = frozenset({Op.IS_NULL, Op.NOT_NULL, Op.IS_NAN, Op.NOT_NAN})
NEGATIONS = frozenset({Op.NOT_EQ, Op.NOT_IN, Op.NOT_STARTS_WITH})
"""Operators that nulls satisfy in Iceberg's logic of two values, and not in SQL's of three."""
SET = frozenset({Op.IN, Op.NOT_IN})
ORDERED = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ})
"""Operators whose matches are on one side of a value."""
HOLDS: Mapping[Op, Callable[[Any, Any], bool]] = {
    Op.LT: operator.lt,
    Op.LT_EQ: operator.le,
    Op.GT: operator.gt,
    Op.GT_EQ: operator.ge,
    Op.EQ: operator.eq,
    Op.NOT_EQ: operator.ne,
}
"""Tests of one value, for values that Python compares."""
