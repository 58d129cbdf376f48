"""The last day of the month of a column, compared with a constant: `last_day(x) = DATE
'2026-02-28'` is February of 2026. No engine unwraps that."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit, unit_named
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite

# Of a day that ends no month: the months before it, and from its own on.
_WITHIN = {Op.LT_EQ: Op.LT, Op.GT: Op.GT_EQ}


@dataclass(frozen=True, slots=True)
class MonthEnd:
    """The last day of the month in `start`."""

    start: PeriodStart


def month_end(expression: exp.Expr, place: Place) -> MonthEnd | None:
    """The month whose last day an expression is; None for anything else."""
    dialect = dialect_of(place.dialect)
    is_known = dialect.has_known_functions or dialect.has_documented_moves
    if not isinstance(expression, exp.LastDay) or not is_known:
        return None
    if unit_named(expression.text("unit") or "MONTH") is not Unit.MONTH:
        return None
    start = period_start(expression.this, Unit.MONTH, place.path_of, place.dialect)
    return MonthEnd(start) if start is not None and start.unit is Unit.MONTH else None


def compare_month_end(op: Op, found: MonthEnd, value: LiteralValue, session: Session) -> Predicate:
    """`last day op value` as comparisons of the column; raises CannotConvert for what is no day."""
    if not isinstance(value, dt.date):
        raise CannotConvert(Reason.FUNCTION)
    try:
        ends = (value + dt.timedelta(1)).day == 1
    except OverflowError:
        raise CannotConvert(Reason.FUNCTION) from None
    if not ends:
        if op is Op.EQ:
            return FALSE
        if op is Op.NOT_EQ:
            return Comparison(Op.NOT_NULL, Column(found.start.path))
        op = _WITHIN.get(op, op)
    return compare_period(op, found.start, value.replace(day=1), session)


REWRITE = Rewrite(month_end, compare_month_end)
