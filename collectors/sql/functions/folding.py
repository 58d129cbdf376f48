"""Values of constant SQL expressions.

Only expressions that every engine of the dialect computes alike are folded, and exactly; others are
refused. Literals are read from the syntax tree: printing it again loses types and scales.
"""

from __future__ import annotations

import struct
from decimal import DecimalException
from functools import partial

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Interval
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.slot import Slot
from prunescope.collectors.sql.constants.values import (
    Folded,
    NoValue,
    Null,
    is_in_calendar,
    not_constant,
)
from prunescope.collectors.sql.constants.weeks import asks_for_first_day, of_any_first_day
from prunescope.collectors.sql.functions.table import row_of
from prunescope.collectors.sql.text.boolean import own_nodes
from prunescope.collectors.sql.text.nodes import nodes_that_are

_CLOCK_NAMES = frozenset(("now", "today", "yesterday"))
_CLOCK_READERS = (
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Localtimestamp),
    exp.Anonymous,
)


def fold(expression: exp.Expr, session: Session) -> Folded:
    """The value of a constant expression; raises CannotConvert for anything else."""
    if any(isinstance(node, exp.Column | exp.Query) for node in own_nodes(expression)):
        raise not_constant()
    return folded(expression, session)


def folded(expression: exp.Expr, session: Session) -> Folded:
    """The value of an expression that reads neither columns nor queries; raises CannotConvert."""
    try:
        return _fold(expression, session)
    except (ValueError, OverflowError, DecimalException, struct.error):
        raise NoValue(Reason.NOT_CONSTANT) from None


def literal(expression: exp.Expr, session: Session) -> LiteralValue | Null:
    """The value of a constant expression that a column can be compared with."""
    return comparable(fold(expression, session))


def comparable(value: Folded) -> LiteralValue | Null:
    """The value, if a column can be compared with it; raises CannotConvert otherwise."""
    if isinstance(value, Interval | tuple) or (isinstance(value, str) and _is_cut(value)):
        raise not_constant()
    if isinstance(value, Timestamp) and not is_in_calendar(value):
        raise not_constant()
    return value


def _is_cut(text: str) -> bool:
    """True if a text has bytes that are not valid UTF-8, as ClickHouse's may have."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def may_read_clock(expression: exp.Expr) -> bool:
    """True if folding a part of an expression may read the start of the query."""
    return any(
        not isinstance(node, exp.Anonymous) or node.name.lower() in _CLOCK_NAMES
        for node in nodes_that_are(_CLOCK_READERS, expression)
    )


def _fold(expression: exp.Expr | None, session: Session) -> Folded:
    if expression is None:
        raise not_constant()
    if isinstance(expression, Slot):
        return expression.value
    row = row_of(expression, session.dialect)
    if row is None:
        raise not_constant()
    if asks_for_first_day(expression, session):
        return of_any_first_day(
            lambda within: row.value(expression, within, partial(_fold, session=within)), session
        )
    return row.value(expression, session, partial(_fold, session=session))
