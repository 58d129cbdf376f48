"""Whole months, quarters or years between a column and a constant, compared with a number, as a
range of days that holds all rows that match: `date_diff('month', x, DATE '2026-03-31') = 1` needs
days of February, and a few around it. So do Spark's `timestampdiff(MONTH, x, …)`, `datediff(MONTH,
x, …)` and `floor(months_between(…, x))`.

Engines end months of different lengths, and count the time of the day, by rules of their own. By
none of these is a day more than three off, nor by the clock of a zone more than one. Between the
first days of such spans, as in `date_diff('month', date_trunc('month', x), DATE '2026-03-01')`,
they agree.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_DAY, Unit, date_of, interval_of, unit_named
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Predicate, Reason, all_of
from collectors.predicates.operators import FLIPPED, Op
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart
from collectors.sql.constants.values import CannotConvert, Folded
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.month_shifts import moved_by_months
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import own_columns

_MARGIN = dt.timedelta(5)
_MOST_MONTHS = 12_000
_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}
_WHOLE = (exp.DType.INT, exp.DType.BIGINT)


@dataclass(frozen=True, slots=True)
class WholeMonths:
    """How many spans of so many months lie between the day of a column and a date, or, if
    `is_since`, the other way round: cut towards zero, or, if it `is_floor`, to a lesser number.
    With `is_of_firsts`, both are the first days of such spans, of which `start` is one."""

    start: PeriodStart
    date: dt.date
    months: int
    is_since: bool
    is_floor: bool
    is_of_firsts: bool


def may_count(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be such a number, for some literals in it."""
    is_known = dialect_of(dialect).has_known_functions
    return is_known and _sides(expression.unnest(), dialect) is not None


def whole_months(expression: exp.Expr, place: Place) -> WholeMonths | None:
    """The number that an expression is; None for anything else."""
    found = _sides(expression, place.dialect) if may_count(expression, place.dialect) else None
    if found is None:
        return None
    until, since, months = found
    is_since = bool(own_columns(until))
    if is_since == bool(own_columns(since)):
        return None
    operand, other = (until, since) if is_since else (since, until)
    start = period_start(_uncast(operand), Unit.DAY, place.path_of, place.dialect)
    if start is None:
        return None
    try:
        value = fold(_uncast(other), place.session)
        date = date_of(value.nanos) if isinstance(value, Timestamp) else value
    except (CannotConvert, ValueError, OverflowError):
        return None
    if not isinstance(date, dt.date) or isinstance(date, dt.datetime):
        return None
    is_span = _MONTHS.get(start.unit) == months
    is_of_firsts = (
        is_span and _is_first(value, date, months) and _is_on_one_clock(start, value, place)
    )
    if start.unit is not Unit.DAY and not is_of_firsts:
        return None
    is_floor = isinstance(expression, exp.Floor)
    return WholeMonths(start, date, months, is_since, is_floor, is_of_firsts)


def _is_first(value: Folded, date: dt.date, months: int) -> bool:
    """Whether a span begins with a value."""
    is_midnight = not isinstance(value, Timestamp) or value.nanos % NANOS_PER_DAY == 0
    return is_midnight and date.day == 1 and (date.month - 1) % months == 0


def _is_on_one_clock(start: PeriodStart, value: Folded, place: Place) -> bool:
    """Whether the clock by which a column's period starts reads the value, too."""
    session = place.session
    if session.time_zone is not None and session.zone == dt.UTC:
        return True
    if dialect_of(session.dialect).is_spark:
        return not isinstance(value, Timestamp)
    has_no_zone = place.type_of(start.path) in ("date", "timestamp")
    return has_no_zone and not (isinstance(value, Timestamp) and value.zoned)


def _sides(expression: exp.Expr, dialect: str) -> tuple[exp.Expr, exp.Expr, int] | None:
    """What ends the time that an expression counts, what begins it, and how many months it counts
    as one; None for anything else."""
    match expression:
        case (
            exp.DateDiff(this=until, expression=since)
            | exp.TimestampDiff(this=until, expression=since)
        ):
            unit = unit_named(expression.text("unit"))
            months = 0 if unit is None else interval_of(1, unit).months
        case (
            exp.Floor(this=exp.MonthsBetween(this=until, expression=since))
            | exp.Cast(this=exp.MonthsBetween(this=until, expression=since))
        ) if dialect_of(dialect).has_java_time:
            is_whole = isinstance(expression, exp.Floor) or expression.to.this in _WHOLE
            months = 1 if is_whole else 0
        case _:
            return None
    return (until, since, months) if months else None


def _uncast(operand: exp.Expr) -> exp.Expr:
    """What the parser casts to a date by itself."""
    return operand.this if isinstance(operand, exp.TsOrDsToDate) else operand


def compare_count(op: Op, found: WholeMonths, value: LiteralValue, session: Session) -> Predicate:
    """Days that hold all rows of `number op value`; raises CannotConvert where that are all."""
    if isinstance(value, bool) or not isinstance(value, int) or op not in FLIPPED:
        raise CannotConvert(Reason.FUNCTION)
    if found.is_since:
        op, value = FLIPPED[op], -value
    if found.is_of_firsts:
        return compare_period(FLIPPED[op], found.start, _moved(found, value), session)
    if op is Op.NOT_EQ or abs(value) * found.months > _MOST_MONTHS:
        raise CannotConvert(Reason.FUNCTION)
    least = value + 1 if op is Op.GT else value
    most = value - 1 if op is Op.LT else value
    try:
        # Less than one span, to either side, is none; of -0.5, the lesser number is -1.
        is_less = least <= 0 or (found.is_floor and found.is_since)
        latest = _earlier(found, least - is_less) + _MARGIN
        earliest = _earlier(found, most + 1) - _MARGIN
        until = compare_period(Op.LT_EQ, found.start, latest, session)
        since = compare_period(Op.GT_EQ, found.start, earliest, session)
    except (OverflowError, ValueError):
        raise CannotConvert(Reason.FUNCTION) from None
    match op:
        case Op.GT | Op.GT_EQ:
            return until
        case Op.LT | Op.LT_EQ:
            return since
    return all_of(since, until)


def _earlier(found: WholeMonths, spans: int) -> dt.date:
    return moved_by_months(found.date, -spans * found.months)


def _moved(found: WholeMonths, spans: int) -> dt.date:
    if abs(spans) * found.months > _MOST_MONTHS:
        raise CannotConvert(Reason.FUNCTION)
    try:
        return _earlier(found, spans)
    except (OverflowError, ValueError):
        raise CannotConvert(Reason.FUNCTION) from None


def _rest(_op: Op, found: WholeMonths, _value: LiteralValue) -> Reason | None:
    return None if found.is_of_firsts else Reason.FUNCTION


REWRITE = Rewrite(whole_months, compare_count, _rest, may_be=may_count)
