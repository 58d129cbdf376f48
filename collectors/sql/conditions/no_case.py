"""What is known where no case of a CASE holds: of each that is not null, the opposite."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import period_of
from collectors.sql.constants.values import NULL, CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AnyOf, Formula, Leaf, formula, own_columns

_OF_KNOWN = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.In, exp.Between, exp.Like),
    *(exp.And, exp.Or, exp.Not, exp.Is, exp.Paren),
)
"""What is null for a null alone. Functions may be for others: nullif(), and casts of texts that say
nothing."""


def no_case(conditions: Iterable[exp.Expr], session: Session) -> tuple[Formula, ...]:
    """What is known where none of the conditions of cases holds: of each, the opposite, or a column
    of it is null. Of one that may be null besides, nothing is."""
    found: list[Formula] = []
    for condition in conditions:
        if not _is_known(condition, session):
            continue
        columns = [] if _asks_for_null(condition) else own_columns(condition)
        if any(isinstance(column.parent, exp.Dot) for column in columns):
            continue  # a field of a struct may be null where the struct is not
        nulls = (Leaf(exp.Is(this=c.copy(), expression=exp.Null()), False) for c in columns)
        found.append(AnyOf((formula(condition, negated=True), *nulls)))
    return tuple(found)


def _is_known(condition: exp.Expr, session: Session) -> bool:
    """Whether something is not null wherever none of its columns is."""
    match condition:
        case exp.Column() | exp.Literal():
            return True
        case exp.Is(this=operand, expression=exp.Null() | exp.Boolean()):
            return _is_known(operand, session)
    if isinstance(condition, _OF_KNOWN):
        return all(_is_known(part, session) for part in condition.iter_expressions())
    dialect = session.dialect
    # Trino fails where there is no such date; Spark has null.
    if dialect_of(dialect).is_trino and not isinstance(condition, exp.TryCast):
        period = period_of(condition, dialect)
        if period is not None:
            return _is_known(period[0], session)
    try:
        return fold(condition, session) is not NULL
    except CannotConvert:
        return False


def _asks_for_null(condition: exp.Expr) -> bool:
    """Whether a condition asks whether a column is null: it is never neither true nor false."""
    inner = condition.unnest()
    if isinstance(inner, exp.Not):
        inner = inner.this.unnest()
    match inner:
        case exp.Is(this=exp.Column(), expression=exp.Null()):
            return True
    return False
