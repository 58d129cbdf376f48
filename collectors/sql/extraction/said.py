"""Tests whether a condition on a column also holds for another column, a period or a cast that
equals it."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.sql.extraction.among import is_among
from prunescope.collectors.sql.scopes.comparable_types import (
    are_alike,
    holds_others,
    is_exact,
    is_taken_for,
)
from prunescope.collectors.sql.text.boolean import Formula, Leaf, own_columns
from prunescope.collectors.sql.text.boolean import leaves as leaves_of

_PLAIN = (exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In)
_TIMES = frozenset({"date", "timestamp", "timestamptz"})


def says_of(
    type_name: str | None, compared: str | None, condition: Formula, *, is_same: bool
) -> bool:
    """True if a condition on a column of type `compared` is one on an equal column of `type_name`.
    `compared` is None if it is unknown. With `is_same`, False if `type_name` holds more numbers, or
    may hold more values than a column of unknown type."""
    if type_name is None or not is_exact(type_name):
        return False
    if compared is None:
        parts = (leaf.expression for leaf in leaves_of(condition))
        if is_same and holds_others(type_name):
            return False
        return is_plain(condition) and all(is_taken_for(type_name, part) for part in parts)
    is_wider = (compared, type_name) == ("int", "long")
    return are_alike((type_name, compared)) and not (is_same and is_wider)


def is_said_of_period(kind: str, compared: str | None, condition: Formula) -> bool:
    """True if a condition on a column of type `compared` is one on a period of type `kind` that
    equals it. A date counts as a moment if one value is asked for."""
    if is_among(condition):
        return False
    if (kind, compared) == ("timestamp", "date"):
        return is_equality(condition) and is_plain(condition)
    return says_of(kind, compared, condition, is_same=not is_equality(condition))


def is_said_of_cast(kind: str, compared: str | None, condition: Formula) -> bool:
    """True if a condition on a column of type `compared` is one on a cast to `kind` that equals it,
    and Spark undoes the cast in it: it does so in comparisons, for times not in lists."""
    parts = (leaf.expression for leaf in leaves_of(condition))
    if kind in _TIMES and any(isinstance(p, exp.In) and len(p.expressions) > 1 for p in parts):
        return False
    is_known = compared == kind or says_of(kind, compared, condition, is_same=True)
    return is_known and is_plain(condition)


def is_plain(condition: Formula) -> bool:
    """True if a condition compares a column as it is with one value, some, or a range. Advice on
    other conditions, and on what to write beside them, would be about a condition that stands
    elsewhere, and about an absent table."""
    return all(
        isinstance(leaf.expression, _PLAIN)
        and not leaf.negated
        and all(column.parent is leaf.expression for column in own_columns(leaf.expression))
        for leaf in leaves_of(condition)
    )


def is_equality(condition: Formula) -> bool:
    """True if a condition wants one value."""
    match condition:
        case Leaf(expression=exp.EQ(), negated=False):
            return True
    return False
