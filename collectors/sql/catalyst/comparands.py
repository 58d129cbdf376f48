"""Literals as Catalyst prints them, whose types are those of what they stand beside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prunescope.collectors.sql.catalyst.columns import MARK
from prunescope.collectors.sql.catalyst.expressions import Expression
from prunescope.collectors.sql.catalyst.literals import (
    factor_sql,
    is_list_certain,
    literal_sql,
    row_sql,
)
from prunescope.collectors.sql.constants.session import Session

_NUMBERS = ("long", "double", "decimal")
"""Types of literals in arithmetic, where nothing tells."""


def literal_beside(text: str, operand: Expression, session: Session) -> Expression | None:
    """The literal that an operand is compared with; None for a text that is no literal of its
    type."""
    if MARK in text:
        return None
    if operand.fields:
        fields = row_sql(text, operand.fields, session)
        return None if fields is None else Expression(fields, "struct")
    found = literal_sql(text, operand.type, session)
    return None if found is None else Expression(found, operand.type)


def number_beside(text: str, operand: Expression, session: Session) -> Expression | None:
    """The number that an operand is calculated with; None for a text that is no number."""
    if MARK in text or operand.fields:
        return None
    factor = factor_sql(text) if operand.type == "double" else None
    if factor is not None:
        return Expression(factor, "double")
    for kind in filter(None, (operand.type, *_NUMBERS)):
        found = literal_sql(text, kind, session)
        if found is not None:
            return Expression(found, kind)
    return None


def constant(printed: str, kind: str, session: Session) -> str | None:
    """A literal of a type, which may be null; None for a string `null`, which may be either."""
    if printed == "null":
        return None if kind == "string" else "NULL"
    return literal_sql(printed, kind, session)


def list_sql(
    operand: Expression, items: Sequence[str], session: Session, *, is_negated: bool
) -> str | None:
    """The list behind `IN`; None if it has more than one reading."""
    is_clear = operand.type is None or is_list_certain(items, operand.type)
    if not is_clear and not is_negated and _is_none_joined(operand, items):
        # A text with a comma equals none.
        is_clear = "null" not in items
    if not is_clear or any(MARK in item for item in items):
        return None
    values = [
        "NULL" if item == "null" else literal_sql(item, operand.type, session) for item in items
    ]
    known = [value for value in values if value is not None]
    return f"({', '.join(known)})" if len(known) == len(values) else None


def _is_none_joined(operand: Expression, items: Sequence[str]) -> bool:
    """True if no value of an operand is a text that is printed as several items."""
    if operand.longest is None:
        return operand.has_no_comma
    return all(len(one) + 1 + len(next_) > operand.longest for one, next_ in pairwise(items))
