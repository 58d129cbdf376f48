"""Spark's months_between() a column and a constant, compared with a number, as a range of days that
holds all rows that match: `months_between(DATE '2026-05-01', x) <= 1` needs days from 2026-03-31
on. It counts 31 days to a month, and whole months between equal days and between last ones, so that
it jumps, and depends on the time of the day: the range is a little wider than what matches."""

from __future__ import annotations

import datetime as dt
import math
from calendar import monthrange
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason, all_of
from collectors.predicates.operators import FLIPPED, Op
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.month_shifts import moved_by_months
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import own_columns

_DAYS_OF_MONTH = 31
_WINDOW = 75
"""Days around so many whole months: beyond, the number differs by more than one."""
_ROUNDING = 1e-6
"""More than Spark rounds by."""
_MOST_MONTHS = 12_000


@dataclass(frozen=True, slots=True)
class MonthsBetween:
    """The months from the day of a column until a date, or since that date if `is_since`."""

    start: PeriodStart
    date: dt.date
    is_since: bool


def may_count_months(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be such a number, for some literals in it."""
    return dialect_of(dialect).has_java_time and isinstance(expression.unnest(), exp.MonthsBetween)


def months_between(expression: exp.Expr, place: Place) -> MonthsBetween | None:
    """The number of months that an expression is; None for anything else."""
    if not may_count_months(expression, place.dialect):
        return None
    is_since = bool(own_columns(expression.this))
    if is_since == bool(own_columns(expression.expression)):
        return None
    sides = expression.this, expression.expression
    operand, other = sides if is_since else sides[::-1]
    start = period_start(operand, Unit.DAY, place.path_of, place.dialect)
    if start is None or start.unit is not Unit.DAY:
        return None
    try:
        date = fold(other, place.session)
    except CannotConvert:
        return None
    is_date = isinstance(date, dt.date) and not isinstance(date, dt.datetime)
    return MonthsBetween(start, date, is_since) if is_date and isinstance(date, dt.date) else None


def compare_months(
    op: Op, found: MonthsBetween, value: LiteralValue, session: Session
) -> Predicate:
    """Days that hold all rows of `months op value`; raises CannotConvert where that are all."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | Decimal)
        or op not in FLIPPED
        or op is Op.NOT_EQ
    ):
        raise CannotConvert(Reason.FUNCTION)
    months = -float(value) if found.is_since else float(value)
    if not abs(months) <= _MOST_MONTHS:
        raise CannotConvert(Reason.FUNCTION)
    op = FLIPPED[op] if found.is_since else op
    try:
        middle = moved_by_months(found.date, -math.floor(months)).toordinal()
        days = [dt.date.fromordinal(middle + n) for n in range(-_WINDOW, _WINDOW)]
        numbers = [(day, _numbers(found.date, day)) for day in days]
        # A time of a day is up to a day nearer to the next one than its midnight.
        first = next(day for day, both in numbers if min(both) <= months + _ROUNDING)
        last = next(day for day, both in reversed(numbers) if max(both) >= months - _ROUNDING)
        since = compare_period(Op.GT_EQ, found.start, first - dt.timedelta(1), session)
        until = compare_period(Op.LT_EQ, found.start, last, session)
    except (OverflowError, ValueError):
        raise CannotConvert(Reason.FUNCTION) from None
    match op:
        case Op.LT | Op.LT_EQ:
            return since
        case Op.GT | Op.GT_EQ:
            return until
    return all_of(since, until)


def _numbers(later: dt.date, earlier: dt.date) -> tuple[float, float]:
    """Months between two days: as they are, and as if both were not the last ones of months."""
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    counted = months + (later.day - earlier.day) / _DAYS_OF_MONTH
    are_last = all(day.day == monthrange(day.year, day.month)[1] for day in (later, earlier))
    return (float(months) if are_last else counted), counted


def _rest(_op: Op, _found: MonthsBetween, _value: LiteralValue) -> Reason | None:
    return Reason.FUNCTION


REWRITE = Rewrite(months_between, compare_months, _rest, may_be=may_count_months)
