"""The hour of a column that is a time of day, compared with a number: `hour(t) = 3` is
`t >= TIME '03:00:00' AND t < TIME '04:00:00'`. Trino does not unwrap it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert, is_int
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite

_LAST = 23


@dataclass(frozen=True, slots=True)
class HourOfDay:
    """The hour of a time of day."""

    column: Column


def hour_of_day(expression: exp.Expr, place: Place) -> HourOfDay | None:
    """The column whose hour an expression is; None for anything else, and for other types."""
    match expression:
        case exp.Hour(this=operand):
            pass
        case exp.Extract(this=exp.Expr() as field, expression=operand) if (
            field.name.upper() == "HOUR"
        ):
            pass
        case _:
            return None
    if not dialect_of(place.dialect).is_trino or not isinstance(operand, exp.Expr):
        return None
    path = column_path(operand.unnest(), place.path_of)
    return None if path is None or place.type_of(path) != "time" else HourOfDay(Column(path))


def compare_hour(op: Op, found: HourOfDay, value: LiteralValue, _session: Session) -> Predicate:
    """`hour op value` as comparisons of the column; raises CannotConvert for what is no hour."""
    if not is_int(value) or not 0 <= value <= _LAST:
        raise CannotConvert(Reason.FUNCTION)
    column, start = found.column, dt.time(value)
    since, before = Comparison(Op.GT_EQ, column, (start,)), Comparison(Op.LT, column, (start,))
    until: Predicate = Comparison(Op.NOT_NULL, column)
    after: Predicate = FALSE
    if value < _LAST:
        end = dt.time(value + 1)
        until, after = Comparison(Op.LT, column, (end,)), Comparison(Op.GT_EQ, column, (end,))
    match op:
        case Op.GT_EQ:
            return since
        case Op.LT:
            return before
        case Op.GT:
            return after
        case Op.LT_EQ:
            return until
        case Op.EQ:
            return all_of(since, until)
    return any_of(before, after)


REWRITE = Rewrite(hour_of_day, compare_hour)
