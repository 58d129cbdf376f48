"""Starts of periods that are moved by whole days or months, compared with a constant, as ranges of
the column: `date_trunc('week', x + INTERVAL '1' DAY) - INTERVAL '1' DAY = TIMESTAMP '2026-01-18
00:00:00'` is a week that begins on Sunday, `date_trunc('month', x) + INTERVAL '1' MONTH` the month
after. No engine unwraps them.

What starts a day or a longer period is a midnight, and so is what lies days or months after it:
Spark's date_add(), which gives a date, loses nothing.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    date_of,
    interval_of,
    unit_named,
)
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, term
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites import moved_clocks
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.month_shifts import moved_by_months
from collectors.sql.rewrites.moves import Clock
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import own_columns

_MOVING = (
    *(exp.Add, exp.Sub, exp.DateAdd, exp.DateSub),
    *(exp.TsOrDsAdd, exp.AddMonths, exp.TimestampAdd),
)


@dataclass(frozen=True, slots=True)
class MovedPeriod:
    """The start of a period of a column, or of the column's time once that is moved, and then the
    interval by which it is moved itself, the months of it first."""

    start: PeriodStart | moved_clocks.MovedClock
    interval: Interval

    @property
    def unit(self) -> Unit:
        """The unit of the period."""
        return _start_of(self.start).unit


def may_move(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be a moved period, for some literals in it."""
    return dialect_of(dialect).has_known_functions and isinstance(expression.unnest(), _MOVING)


def moved_period(expression: exp.Expr, place: Place) -> MovedPeriod | None:
    """The moved period that an expression is; None for anything else."""
    expression = expression.unnest()
    if not may_move(expression, place.dialect):
        return None
    try:
        operand, interval = moved_operand(expression, place.session)
    except CannotConvert:
        return None
    inner = moved_period(operand, place)
    if inner is not None:
        if inner.interval.days and interval.months:
            return None  # which ends earlier in a shorter month
        return _known(MovedPeriod(inner.start, inner.interval.plus(interval)))
    clock = moved_clocks.moved_clock(operand, place)
    if clock is not None:
        zoned = any(isinstance(move, Clock) for move in clock.moves)
        is_start = clock.asked.start is not None and not zoned
        return _known(MovedPeriod(clock, interval)) if is_start else None
    try:
        start = term(operand, place.path_of, place.dialect)
    except CannotConvert:
        return None
    return _known(MovedPeriod(start, interval)) if isinstance(start, PeriodStart) else None


def moved_operand(expression: exp.Expr, session: Session) -> tuple[exp.Expr, Interval]:
    """What an expression moves, and by what; raises CannotConvert for anything else."""
    dialect = dialect_of(session.dialect)
    left, right = expression.this, expression.args.get("expression")
    if not isinstance(right, exp.Expr):
        raise CannotConvert(Reason.FUNCTION)
    sign = -1 if isinstance(expression, exp.Sub | exp.DateSub) else 1
    if isinstance(expression, exp.Add) and not own_columns(left):
        left, right = right, left
    if own_columns(right):
        raise CannotConvert(Reason.FUNCTION)
    value = fold(right, session)
    match expression:
        case exp.Add() | exp.Sub() if isinstance(value, Interval):
            return left.unnest(), value.times(sign)
        case exp.AddMonths() if dialect.has_java_time:
            unit: Unit | None = Unit.MONTH
        case exp.TsOrDsAdd() if dialect.has_java_time:
            unit = unit_named(expression.text("unit"))
        case exp.TimestampAdd() if dialect.has_java_time and _is_utc(session):
            # It makes a time of a date, which begins later where the clock skips midnight.
            unit = unit_named(expression.text("unit"))
        case exp.DateAdd() | exp.DateSub() if dialect.is_trino:
            unit = unit_named(expression.text("unit"))
        case _:
            raise CannotConvert(Reason.FUNCTION)
    if unit is None or isinstance(value, bool) or not isinstance(value, int):
        raise CannotConvert(Reason.FUNCTION)
    return left.unnest(), interval_of(sign * value, unit)


def _known(found: MovedPeriod) -> MovedPeriod | None:
    """What is moved by whole days, or from the first day of one month to that of another."""
    interval, start = found.interval, found.start
    if isinstance(start, PeriodStart) and start.yields is Yields.YEAR_NUMBER:
        return None
    if found.unit < Unit.DAY or interval.nanos:
        return None
    return None if interval.months and found.unit < Unit.MONTH else found


def _start_of(start: PeriodStart | moved_clocks.MovedClock) -> PeriodStart:
    if isinstance(start, PeriodStart):
        return start
    assert start.asked.start is not None
    return start.asked.start


def is_on_clock(session: Session) -> bool:
    """Whether the session's clock tells which instant a date begins with that is compared with a
    time: where the clock changes, a day after that is not one of 24 hours."""
    is_plain = dialect_of(session.dialect).is_trino and session.of_zoned is False
    return not is_plain and session.time_zone is not None and session.zone != dt.UTC


def _is_utc(session: Session) -> bool:
    return session.time_zone is not None and session.zone == dt.UTC


def compare_moved_period(
    op: Op, found: MovedPeriod, value: LiteralValue, session: Session
) -> Predicate:
    """`start op value` as comparisons of the column; raises CannotConvert where that has no exact
    form."""
    if _start_of(found.start).yields is Yields.TIMESTAMP and is_on_clock(session):
        raise CannotConvert(Reason.FUNCTION)
    back = _moved_back(value, found.interval, session)
    if isinstance(found.start, PeriodStart):
        return compare_period(op, found.start, back, session)
    return moved_clocks.compare_moved(op, found.start, back, session)


def _moved_back(value: LiteralValue, interval: Interval, session: Session) -> LiteralValue:
    """What is moved to a value, if anything is."""
    if isinstance(value, Timestamp):
        if not _is_utc(session):
            raise CannotConvert(Reason.FUNCTION)
        day, rest = date_of(value.nanos), value.nanos % NANOS_PER_DAY
    elif isinstance(value, dt.date):
        day, rest = value, 0
    else:
        raise CannotConvert(Reason.FUNCTION)
    try:
        day -= dt.timedelta(interval.days)
        if interval.months:
            if day.day != 1 or rest:
                raise CannotConvert(Reason.FUNCTION)
            day = moved_by_months(day, -interval.months)
    except OverflowError:
        raise CannotConvert(Reason.FUNCTION) from None
    if isinstance(value, Timestamp):
        return Timestamp(
            value.nanos + (day - date_of(value.nanos)).days * NANOS_PER_DAY, value.zoned
        )
    return day


REWRITE = Rewrite(moved_period, compare_moved_period, may_be=may_move)
