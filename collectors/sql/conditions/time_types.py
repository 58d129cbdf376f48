"""Texts beside dates and times: engines cast such a text to the type of the other side, before they
look at columns."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.instants import day_beginning
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.sql.conditions.computed_types import (
    DATE,
    PLAIN,
    ZONED,
    TypeOf,
    time_type,
)
from prunescope.collectors.sql.constants.folding import literal
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import Leaf, own_columns

_CASTS = {
    DATE: exp.DType.DATE,
    PLAIN: exp.DType.TIMESTAMPNTZ,
    ZONED: exp.DType.TIMESTAMPTZ,
}


def as_cast(value: LiteralValue, leaf: Leaf, session: Session, type_of: TypeOf) -> LiteralValue:
    """The value that a leaf compares with: a text beside a computed time as that day or time, other
    values unchanged. Texts beside bare columns are cast when columns are bound. Raises
    CannotConvert for a text that is no time."""
    beside = leaf.expression.this
    if not isinstance(beside, exp.Expr) or not own_columns(beside):
        beside = leaf.expression.args.get("expression")
    if not isinstance(value, str) or not isinstance(beside, exp.Expr) or not _casts(session):
        return value
    kind = _made_type(beside, session, type_of)
    if kind is None:
        return value
    found = literal(_cast(exp.Literal.string(value), kind), session)
    if isinstance(found, Null):
        return value
    # Where a time is made of others, a day is known to begin with it.
    return found if isinstance(beside.unnest(), exp.Cast) else day_beginning(found) or found


def _made_type(beside: exp.Expr, session: Session, type_of: TypeOf) -> str | None:
    """The type of a time that is computed from a column; None for bare columns and other
    expressions."""
    is_bare = isinstance(beside.unnest(), exp.Column | exp.Dot)
    return None if is_bare else time_type(beside, session, type_of)


def _casts(session: Session) -> bool:
    dialect = dialect_of(session.dialect)
    return dialect.casts_arguments or dialect.has_documented_moves


def _cast(text: exp.Expr, kind: str) -> exp.Cast:
    return exp.Cast(this=text, to=exp.DataType(this=_CASTS[kind]))
