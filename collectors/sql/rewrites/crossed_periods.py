"""How many periods begin between a column and a constant, compared with a number:
`DATEDIFF('month', x, DATE '2026-03-31') <= 1` is `x >= DATE '2026-02-01'`. No engine unwraps that.

DATEDIFF() of Snowflake, DATE_DIFF() and DATETIME_DIFF() of BigQuery and date_diff() of DuckDB look
at no unit that is shorter than the one they count ("boundaries", in the references of all three):
there is a year between 31 December and 1 January. Weeks of BigQuery begin on Sunday, or on the day
that is named, its ISOWEEK on Monday; those of Snowflake begin as the session's WEEK_START says,
which is not known: a range of these holds the rows of every such day.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Unit,
    add,
    date_of,
    interval_of,
    period_around,
    unit_named,
)
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Predicate, Reason, all_of, any_of
from collectors.predicates.operators import FLIPPED, Op
from collectors.sql.constants.casts import to_timestamp
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields
from collectors.sql.constants.values import CannotConvert, is_int
from collectors.sql.constants.weeks import first_day
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import own_columns

_COUNTING = (exp.DateDiff, exp.DatetimeDiff)
_ANY_DAY = tuple(range(7))


@dataclass(frozen=True, slots=True)
class CrossedPeriods:
    """How many periods of a unit begin between the time of a column, of which `start` is known, and
    a moment, in wall-clock nanoseconds, or, if `is_since`, the other way round. Weeks begin on one
    of `first_days` (Monday is 0)."""

    start: PeriodStart
    moment: int
    unit: Unit
    first_days: tuple[int, ...]
    is_since: bool


def may_cross(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be such a number, for some literals in it."""
    whole = expression.unnest()
    is_counted = isinstance(whole, _COUNTING) and bool(whole.args.get("date_part_boundary"))
    return is_counted and dialect_of(dialect).has_documented_moves


def crossed_periods(expression: exp.Expr, place: Place) -> CrossedPeriods | None:
    """The number that an expression is; None for anything else."""
    if not may_cross(expression, place.dialect):
        return None
    until, since = expression.this, expression.expression
    is_since = bool(own_columns(until))
    if is_since == bool(own_columns(since)):
        return None
    operand, other = (until, since) if is_since else (since, until)
    counted = _unit(expression.args.get("unit"))
    if counted is None:
        return None
    unit, first_days = counted
    start = period_start(operand, min(unit, Unit.DAY), place.path_of, place.dialect)
    try:
        # Texts are cast to dates or times.
        moment = place.session.wall_nanos(to_timestamp(fold(other, place.session)))
    except (CannotConvert, ValueError, OverflowError):
        return None
    if start is None:
        return None
    if unit < Unit.DAY:
        start = PeriodStart(start.path, start.unit, Yields.TIMESTAMP)
    return CrossedPeriods(start, moment, unit, first_days, is_since)


def _unit(unit: object) -> tuple[Unit, tuple[int, ...]] | None:
    """What is counted, and on which days weeks may begin."""
    first = first_day(unit)
    if first is not None:
        return Unit.WEEK, (first,)
    found = unit_named(unit.name) if isinstance(unit, exp.Var) else None
    return None if found is None else (found, _ANY_DAY if found is Unit.WEEK else (0,))


def compare_crossed(
    op: Op, found: CrossedPeriods, value: LiteralValue, session: Session
) -> Predicate:
    """`number op value` as comparisons of the column, or, of weeks that may begin on several days,
    what holds all rows of it; raises CannotConvert for what is no whole number, and for times that
    no calendar has."""
    if not is_int(value) or op not in FLIPPED:
        raise CannotConvert(Reason.FUNCTION)
    if not found.is_since:
        op, value = FLIPPED[op], -value
    try:
        periods = [_period(found, value, first) for first in found.first_days]
    except (ValueError, OverflowError):
        raise CannotConvert(Reason.FUNCTION) from None
    starts, ends = zip(*periods, strict=True)

    def compared(op: Op, nanos: int) -> Predicate:
        is_day = nanos % NANOS_PER_DAY == 0
        end = date_of(nanos) if is_day else Timestamp(nanos, zoned=False)
        return compare_period(op, found.start, end, session)

    match op:
        case Op.LT:
            return compared(Op.LT, max(starts))
        case Op.LT_EQ:
            return compared(Op.LT, max(ends))
        case Op.GT:
            return compared(Op.GT_EQ, min(ends))
        case Op.GT_EQ:
            return compared(Op.GT_EQ, min(starts))
        case Op.EQ:
            return all_of(compared(Op.GT_EQ, min(starts)), compared(Op.LT, max(ends)))
    return any_of(compared(Op.LT, max(starts)), compared(Op.GT_EQ, min(ends)))


def _period(found: CrossedPeriods, count: int, first_day: int) -> tuple[int, int]:
    """The period that begins so many periods after that of the moment, and the following one."""
    shift = first_day * NANOS_PER_DAY if found.unit is Unit.WEEK else 0
    start = period_around(found.moment - shift, found.unit)[0] + shift
    first, following = (
        add(start, interval_of(number, found.unit)) for number in (count, count + 1)
    )
    return first, following


def _rest(_op: Op, found: CrossedPeriods, _value: LiteralValue) -> Reason | None:
    return Reason.FUNCTION if len(found.first_days) > 1 else None


REWRITE = Rewrite(crossed_periods, compare_crossed, _rest, may_be=may_cross)
