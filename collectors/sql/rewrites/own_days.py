"""Dates that are moved by the number of their own day, compared with a constant: `date_sub(x,
dayofweek(x) - 1) = DATE '2026-11-15'` is `x >= DATE '2026-11-15' AND x < DATE '2026-11-22'`, as the
date is the Sunday of the week, and `date_add('day', 1 - day(x), x)` is the first day of the month.
No engine unwraps that.

A week begins where the moved date is another than for the day before. What the seven days are moved
by is computed; of months and years, the number of the day has to be subtracted as it is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_DAY, Unit, date_of, nanos_of, period_around
from collectors.predicates.instants import day_of
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.moved_periods import is_on_clock, may_move, moved_operand
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite
from collectors.sql.text.nodes import nodes_of

_WEEK = 7
_NUMBERS: dict[type[exp.Expr], Unit] = {
    exp.DayOfWeek: Unit.WEEK,
    exp.DayOfWeekIso: Unit.WEEK,
    exp.Day: Unit.MONTH,
    exp.DayOfMonth: Unit.MONTH,
    exp.DayOfYear: Unit.YEAR,
}
_FIELDS = {
    **dict.fromkeys(("DOW", "DAY_OF_WEEK", "DAYOFWEEK", "DAYOFWEEK_ISO", "DOW_ISO"), Unit.WEEK),
    **dict.fromkeys(("DAY", "DAY_OF_MONTH"), Unit.MONTH),
    **dict.fromkeys(("DOY", "DAY_OF_YEAR"), Unit.YEAR),
}
_MOVES = (exp.Add, exp.Sub, exp.DateAdd, exp.DateSub, exp.TsOrDsAdd, exp.TimestampAdd)
_FIRST = dt.date(2024, 1, 1)
"""A Monday, with which a month and a year begin."""
_SAMPLES = {Unit.WEEK: _WEEK, Unit.MONTH: 2, Unit.YEAR: 2}
"""By how many days what a number is subtracted from is known."""
_LINEAR: frozenset[type[exp.Expr]] = frozenset(
    {
        exp.Add,
        exp.Cast,
        exp.Column,
        exp.DataType,
        exp.Date,
        exp.DateAdd,
        exp.DateSub,
        exp.DateTrunc,
        exp.Dot,
        exp.Extract,
        exp.Identifier,
        exp.Interval,
        exp.Literal,
        exp.Mul,
        exp.Neg,
        exp.Paren,
        exp.Sub,
        exp.TimestampAdd,
        exp.TimestampTrunc,
        exp.TsOrDsAdd,
        exp.TsOrDsToDate,
        exp.Var,
        *_NUMBERS,
    }
)
"""Of which a number comes out more by as much for each day."""


@dataclass(frozen=True, slots=True)
class OwnDays:
    """The first day of a column's week, month or year, moved by `added` days; weeks begin so many
    days after Monday. With `has_time`, the time of the day is there besides."""

    path: Path
    unit: Unit
    weekday: int
    added: int
    has_time: bool

    def start(self, day: dt.date) -> tuple[dt.date, dt.date]:
        """The first days of the period that a day lies in, and of the next one."""
        shift = dt.timedelta(self.weekday)
        ends = period_around(nanos_of(day - shift), self.unit)
        first, following = (date_of(nanos) + shift for nanos in ends)
        return first, following


def may_be_own_days(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be such a date, for some literals in it."""
    has_number = any(_unit_of(node) is not None for node in nodes_of(expression))
    return has_number and may_move(expression, dialect)


def own_days(expression: exp.Expr, place: Place) -> OwnDays | None:
    """The moved date that an expression is; None for anything else."""
    expression = expression.unnest()
    if not may_be_own_days(expression, place.dialect):
        return None
    base, nodes = _base(expression), nodes_of(expression)
    start = period_start(base, Unit.DAY, place.path_of, place.dialect)
    if start is None or start.unit is not Unit.DAY:
        return None
    unit, *others = [unit for node in nodes if (unit := _unit_of(node)) is not None]
    is_linear = not others and all(type(node) in _LINEAR for node in nodes)
    if any(other is not unit for other in others) or not (unit is Unit.WEEK or is_linear):
        return None
    try:
        moved = [
            number + _days(expression, number, start, place) for number in range(_SAMPLES[unit])
        ]
    except CannotConvert:
        return None
    begins = _begins(moved, unit)
    if begins is None:
        return None
    weekday, added = begins
    return OwnDays(start.path, unit, weekday, added, _has_time(expression, base, place))


def _base(expression: exp.Expr) -> exp.Expr:
    """What is moved, once or several times."""
    while isinstance(expression, _MOVES):
        expression = expression.this.unnest()
    return expression


def _has_time(expression: exp.Expr, base: exp.Expr, place: Place) -> bool:
    """Whether a moved time may have one of the day: Spark's date_add() gives a date."""
    path = column_path(base, place.path_of)
    is_date = path is None or place.type_of(path) == "date"
    return not is_date and expression.find(exp.TsOrDsAdd) is None


def _unit_of(node: exp.Expr) -> Unit | None:
    """The unit of which an expression numbers the days; None for any other."""
    if isinstance(node, exp.Extract):
        return _FIELDS.get(node.name.upper())
    if isinstance(node, exp.Anonymous):
        return Unit.WEEK if node.name.lower() == "weekday" and len(node.expressions) == 1 else None
    return _NUMBERS.get(type(node))


def _days(expression: exp.Expr, number: int, start: PeriodStart, place: Place) -> int:
    """By how many days one of the sampled days is moved; raises CannotConvert where that is not
    known."""
    sample = exp.Cast(
        this=exp.Literal.string(f"{_FIRST + dt.timedelta(number)}"), to=exp.DataType.build("date")
    )

    def of_sample(node: exp.Expr) -> exp.Expr:
        if _unit_of(node) is None:
            return node
        name = "expression" if isinstance(node, exp.Extract) else "this"
        operand = node.expressions[0] if isinstance(node, exp.Anonymous) else node.args[name]
        if period_start(operand, Unit.DAY, place.path_of, place.dialect) != start:
            raise CannotConvert(Reason.FUNCTION)
        if isinstance(node, exp.Anonymous):
            return exp.Anonymous(this=node.name, expressions=[sample.copy()])
        found = node.copy()
        found.set(name, sample.copy())
        return found

    found, days = expression.transform(of_sample), 0
    while found is not _base(found):
        found, interval = moved_operand(found, place.session)
        if interval.months or interval.nanos:
            raise CannotConvert(Reason.FUNCTION)
        days += interval.days
    return days


def _begins(moved: Sequence[int], unit: Unit) -> tuple[int, int] | None:
    """How many days after Monday a week begins, and by how many days its first one is moved; of
    months and years, the latter. `moved` are the dates of the sampled days, as numbers of days
    after the first of them. None where they tell of no such period."""
    first, last = moved[0], moved[-1]
    if unit is not Unit.WEEK:
        return (0, first) if first == last else None
    weekday = next((number for number in range(_WEEK) if moved[number] != first), 0)
    week = [first] * weekday + [last] * (_WEEK - weekday)
    if list(moved) != week or last - first != (_WEEK if weekday else 0):
        return None
    return weekday, last - weekday


def compare_own(op: Op, found: OwnDays, value: LiteralValue, session: Session) -> Predicate:
    """`date op value` as comparisons of the column; raises CannotConvert for what is no day, or
    begins none. Of a time, days that hold all rows that match."""
    is_utc = session.time_zone is not None and session.zone == dt.UTC
    if isinstance(value, Timestamp) and is_utc and value.nanos % NANOS_PER_DAY == 0:
        value = date_of(value.nanos)
    day = None if isinstance(value, Timestamp) else day_of(value)
    is_unknown = dialect_of(session.dialect).is_spark and session.time_zone is None
    if day is None or (found.has_time and (is_unknown or is_on_clock(session))):
        raise CannotConvert(Reason.FUNCTION)
    column, read = Column(found.path), PeriodStart(found.path, Unit.DAY, Yields.DATE)
    try:
        wanted = day - dt.timedelta(found.added)
        first, following = found.start(wanted)
    except (ValueError, OverflowError):
        raise CannotConvert(Reason.FUNCTION) from None
    is_first = first == wanted

    def since(day: dt.date) -> Predicate:
        return compare_period(Op.GT_EQ, read, day, session)

    def before(day: dt.date) -> Predicate:
        return compare_period(Op.LT, read, day, session)

    if found.has_time and op is Op.GT:
        op = Op.GT_EQ  # later on that day
    match op:
        case Op.LT:
            return before(first if is_first else following)
        case Op.LT_EQ:
            return before(following)
        case Op.GT:
            return since(following)
        case Op.GT_EQ:
            return since(first if is_first else following)
        case Op.EQ:
            return all_of(since(first), before(following)) if is_first else FALSE
        case Op.NOT_EQ if is_first and not found.has_time:
            return any_of(before(first), since(following))
        case Op.NOT_EQ:
            return Comparison(Op.NOT_NULL, column)
    raise CannotConvert(Reason.FUNCTION)


def _rest(op: Op, found: OwnDays, _value: LiteralValue) -> Reason | None:
    is_all = not found.has_time or op in (Op.GT_EQ, Op.LT)
    return None if is_all else Reason.FUNCTION


REWRITE = Rewrite(own_days, compare_own, _rest, may_be=may_be_own_days)
