"""Spark's add_months() and next_day() of a column, compared with a constant, as comparisons of the
day of the column: `add_months(x, 1) >= DATE '2026-05-01'` is that from 2026-04-01 on. Both give a
date that is no earlier for a later day, so that each date comes from a range of days.

They cast what they are given to a date; add_months() takes the last day of a month that is too
short (Spark 3.0 and later).
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import FALSE, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite

_WEEKDAYS = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
_DAYS_OF_MONTH = 31
# More than a week and a month: as far as a date is from where its day is looked for.
_MARGIN = 40


@dataclass(frozen=True, slots=True)
class MonthShift:
    """The day of a column moved by `months`; or, with a `weekday`, to the next such day (Monday is
    0)."""

    start: PeriodStart
    months: int = 0
    weekday: int | None = None

    def of(self, day: dt.date) -> dt.date:
        """The date that comes of a day."""
        if self.weekday is None:
            return moved_by_months(day, self.months)
        return day + dt.timedelta((self.weekday - day.weekday() - 1) % 7 + 1)


def moved_by_months(day: dt.date, months: int) -> dt.date:
    """A day so many months later, or the last one of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def may_shift_months(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be a shift, for some literals in it."""
    is_known = dialect_of(dialect).has_java_time
    return is_known and isinstance(expression.unnest(), exp.AddMonths | exp.NextDay)


def month_shift(expression: exp.Expr, place: Place) -> MonthShift | None:
    """The shift that an expression is; None for anything else."""
    if not may_shift_months(expression, place.dialect):
        return None
    start = period_start(expression.this, Unit.DAY, place.path_of, place.dialect)
    if start is None or start.unit is not Unit.DAY:
        return None
    try:
        value = fold(expression.expression, place.session)
    except CannotConvert:
        return None
    if isinstance(expression, exp.AddMonths):
        is_count = isinstance(value, int) and not isinstance(value, bool)
        return MonthShift(start, value) if is_count and isinstance(value, int) else None
    weekday = _weekday(value) if isinstance(value, str) else None
    return None if weekday is None else MonthShift(start, weekday=weekday)


def _weekday(name: str) -> int | None:
    """The day that a name or its first two or three letters are of."""
    for number, weekday in enumerate(_WEEKDAYS):
        if name.upper() in (weekday, weekday[:2], weekday[:3]):
            return number
    return None


def compare_month_shift(
    op: Op, found: MonthShift, value: LiteralValue, session: Session
) -> Predicate:
    """`shift op value` as comparisons of the column; raises CannotConvert for what is no day."""
    if not isinstance(value, dt.date):
        raise CannotConvert(Reason.FUNCTION)
    try:
        from_day = _first(found.of, value, abs(found.months))
        from_next = _first(found.of, value + dt.timedelta(1), abs(found.months))
    except (OverflowError, ValueError):
        raise CannotConvert(Reason.FUNCTION) from None

    def compared(op: Op, day: dt.date) -> Predicate:
        return compare_period(op, found.start, day, session)

    match op:
        case Op.GT_EQ | Op.LT:
            return compared(op, from_day)
        case Op.GT:
            return compared(Op.GT_EQ, from_next)
        case Op.LT_EQ:
            return compared(Op.LT, from_next)
        case Op.EQ if from_day == from_next:
            return FALSE
        case Op.EQ:
            return all_of(compared(Op.GT_EQ, from_day), compared(Op.LT, from_next))
        case Op.NOT_EQ:
            return any_of(compared(Op.LT, from_day), compared(Op.GT_EQ, from_next))
    raise CannotConvert(Reason.FUNCTION)


def _first(of: Callable[[dt.date], dt.date], target: dt.date, months: int) -> dt.date:
    """The first day of which something not before a date comes."""
    span = months * _DAYS_OF_MONTH + _MARGIN
    days = range(target.toordinal() - span, target.toordinal() + span)
    return dt.date.fromordinal(
        days[bisect_left(days, target, key=lambda number: of(dt.date.fromordinal(number)))]
    )


REWRITE = Rewrite(month_shift, compare_month_shift, may_be=may_shift_months)
