"""The year that a week of ISO 8601 belongs to, as a range of the column: `year_of_week(x) = 2026`
is `x >= DATE '2025-12-29' AND x < DATE '2027-01-04'`. No engine unwraps that."""

from __future__ import annotations

import datetime as dt

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf, PeriodStart
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite

_FIELDS = frozenset({"YEAROFWEEK", "YEAR_OF_WEEK", "YOW", "ISOYEAR"})
_NEXT = {Op.GT: Op.GT_EQ, Op.LT_EQ: Op.LT}


def iso_year(expression: exp.Expr, path_of: PathOf, dialect: str) -> PeriodStart | None:
    """The week of the column of whose week an expression is the year; None for anything else."""
    if not dialect_of(dialect).is_measured:
        return None
    match expression:
        case exp.YearOfWeek(this=operand):
            pass
        case exp.Anonymous(this=str() as name, expressions=[operand]) if name.upper() == "YOW":
            if not dialect_of(dialect).is_trino:
                return None
        case exp.Extract(this=exp.Expr() as field, expression=operand):
            if field.name.upper() not in _FIELDS:
                return None
        case _:
            return None
    start = period_start(operand, Unit.WEEK, path_of, dialect)
    return start if start is not None and start.unit is Unit.WEEK else None


def compare_iso_year(
    op: Op, found: PeriodStart, value: LiteralValue, session: Session
) -> Predicate:
    """`year op value` as comparisons of the week of the column; raises CannotConvert for what is
    no year."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotConvert(Reason.FUNCTION)
    try:
        first, following = (dt.date.fromisocalendar(year, 1, 1) for year in (value, value + 1))
    except (ValueError, OverflowError):
        raise CannotConvert(Reason.FUNCTION) from None

    def compared(op: Op, monday: dt.date) -> Predicate:
        return compare_period(op, found, monday, session)

    match op:
        case Op.EQ:
            return all_of(compared(Op.GT_EQ, first), compared(Op.LT, following))
        case Op.NOT_EQ:
            return any_of(compared(Op.LT, first), compared(Op.GT_EQ, following))
        case Op.GT_EQ | Op.LT:
            return compared(op, first)
        case Op.GT | Op.LT_EQ:
            return compared(_NEXT[op], following)
    raise CannotConvert(Reason.FUNCTION)


def _found(expression: exp.Expr, place: Place) -> PeriodStart | None:
    return iso_year(expression, place.path_of, place.dialect)


REWRITE = Rewrite(_found, compare_iso_year)
