"""Months, quarters, weeks and days of a known year, and days of a known month, as ranges of the
column.

`month(x) = 4` has no range of its own. Beside `year(x) = 2024` in one conjunction it is
`date_trunc('month', x) = DATE '2024-04-01'`, and so with any operator: within a year, months
are numbered in the order of their starts. Weeks are those of ISO 8601, which are not: the first
days of a year may be of the last week of the year before, and its last ones of the first week of
the next. Beside the year of the week itself (`iso_years`), they are in order.
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf, PeriodStart, Yields, term
from collectors.sql.constants.values import CannotConvert, Null
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.iso_years import iso_year
from collectors.sql.rewrites.made import made_of, made_path
from collectors.sql.rewrites.rewrite import KnownPeriods, Path, Place, Rewrite
from collectors.sql.text.boolean import Formula, Leaf, own_columns
from collectors.sql.text.nodes import nodes_of

_PARTS = (
    *(exp.Month, exp.Quarter, exp.WeekOfYear, exp.Day, exp.DayOfMonth, exp.DayOfYear),
    *(exp.Extract, exp.TimeToStr),  # formats may be those of months and days
)

_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3}

_FIXING = (exp.Year, exp.Month, exp.Extract, exp.YearOfWeek, exp.Anonymous)


@dataclass(frozen=True, slots=True)
class PartOfPeriod:
    """The number of a column's month, quarter or week in a known year, or of its day in a known
    month or, with `is_of_year`, year. With `is_iso`, the year is that of its week."""

    start: PeriodStart
    within: dt.date
    is_iso: bool = False
    is_of_year: bool = False


def part_of_period(expression: exp.Expr, place: Place) -> PartOfPeriod | None:
    """The part of a known period that an expression is; None for anything else."""
    day = _day_of_year(expression, place)
    if day is not None:
        year = place.known.years.get(day.path)
        return None if year is None else PartOfPeriod(day, year, is_of_year=True)
    start = numbered(expression, place.path_of, place.dialect)
    if start is None:
        return None
    if start.unit is Unit.WEEK and start.path in place.known.iso_years:
        return PartOfPeriod(start, place.known.iso_years[start.path], is_iso=True)
    periods = place.known.months if start.unit is Unit.DAY else place.known.years
    within = periods.get(start.path)
    return None if within is None else PartOfPeriod(start, within)


def _day_of_year(expression: exp.Expr, place: Place) -> PeriodStart | None:
    """The day whose number in its year an expression is; None for anything else."""
    match expression:
        case exp.DayOfYear(this=operand):
            pass
        case exp.Extract(this=exp.Expr() as name, expression=operand) if name.name.upper() in (
            "DOY",
            "DAY_OF_YEAR",
        ):
            pass
        case _:
            return None
    start = period_start(operand, Unit.DAY, place.path_of, place.dialect)
    return start if start is not None and start.unit is Unit.DAY else None


def may_need_periods(expression: exp.Expr) -> bool:
    """Whether a part of an expression means more beside a known year or month."""
    return any(isinstance(node, _PARTS) or _is_format(node) for node in nodes_of(expression))


def _is_format(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "format_datetime"


def numbered(expression: exp.Expr, path_of: PathOf, dialect: str) -> PeriodStart | None:
    """The period of a column whose number within a longer one an expression is: its month, quarter,
    week or day; None for anything else."""
    match expression:
        case exp.Month(this=operand):
            unit = Unit.MONTH
        case exp.Quarter(this=operand):
            unit = Unit.QUARTER
        case exp.WeekOfYear(this=operand):
            unit = Unit.WEEK
        case exp.Day(this=operand) | exp.DayOfMonth(this=operand):
            unit = Unit.DAY
        case exp.Extract(this=exp.Expr() as name, expression=operand):
            if name.name.upper() not in ("MONTH", "QUARTER", "WEEK", "DAY"):
                return None
            unit = Unit[name.name.upper()]
        case _:
            return None
    start = period_start(operand, unit, path_of, dialect)
    # A longer unit tells of another month than that of the column.
    return start if start is not None and start.unit is unit else None


def compare_part(op: Op, found: PartOfPeriod, value: LiteralValue, session: Session) -> Predicate:
    """`number op value` as comparisons of the column, which hold beside the known period; raises
    CannotConvert for what is no number of a month or day in it."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotConvert(Reason.FUNCTION)
    if found.is_iso:
        return compare_period(op, found.start, _monday(found.within, value), session)
    if found.start.unit is Unit.WEEK:
        return _compare_week(op, found, value, session)
    within = found.within
    if found.is_of_year:
        if not 1 <= value <= 365 + calendar.isleap(within.year):
            raise CannotConvert(Reason.FUNCTION)
        return compare_period(op, found.start, within + dt.timedelta(value - 1), session)
    months = _MONTHS.get(found.start.unit)
    count = 12 // months if months else calendar.monthrange(within.year, within.month)[1]
    if not 1 <= value <= count:
        raise CannotConvert(Reason.FUNCTION)
    if months:
        start = within.replace(month=(value - 1) * months + 1)
    else:
        start = within.replace(day=value)
    return compare_period(op, found.start, start, session)


def _compare_week(op: Op, found: PartOfPeriod, number: int, session: Session) -> Predicate:
    """Weeks of one number that have days in the known year: of years around it as well."""
    if op not in (Op.EQ, Op.NOT_EQ):
        raise CannotConvert(Reason.FUNCTION)
    weeks = [
        compare_period(op, found.start, monday, session)
        for monday in _weeks(number, found.within.year)
    ]
    if not weeks:
        raise CannotConvert(Reason.FUNCTION)
    return any_of(*weeks) if op is Op.EQ else all_of(*weeks)


def _monday(year: dt.date, number: int) -> dt.date:
    """The first day of a week of the year of ISO 8601 that begins with a day."""
    try:
        return dt.date.fromisocalendar(year.isocalendar().year, number, 1)
    except ValueError:
        raise CannotConvert(Reason.FUNCTION) from None


def _weeks(number: int, year: int) -> Iterator[dt.date]:
    """The Mondays of the weeks of a number that have days in a year."""
    for of_year in (year - 1, year, year + 1):
        try:
            monday = dt.date.fromisocalendar(of_year, number, 1)
            sunday = dt.date.fromisocalendar(of_year, number, 7)
        except (ValueError, OverflowError):
            continue
        if year in (monday.year, sunday.year):
            yield monday


def known_periods(
    conditions: Iterable[Formula],
    path_of: PathOf,
    dialect: str,
    literal: Callable[[exp.Expr], LiteralValue | Null],
    outer: KnownPeriods,
) -> KnownPeriods:
    """What `year(x) = …`, `year_of_week(x) = …` and `month(x) = …` among the parts of a conjunction
    fix, besides what is known outside of it; x may be made of a column as well."""
    years, iso_years, months = dict(outer.years), dict(outer.iso_years), dict(outer.months)
    numbers = [
        (_subject(expression), number) for expression, number in _equal_numbers(conditions, literal)
    ]
    for (expression, made), number in numbers:
        path = year_of(expression, path_of, dialect)
        if path is not None and dt.MINYEAR <= number <= dt.MAXYEAR:
            years.setdefault(made or path, dt.date(number, 1, 1))
        week = iso_year(expression, path_of, dialect)
        if week is not None and dt.MINYEAR < number <= dt.MAXYEAR:
            iso_years.setdefault(made or week.path, dt.date.fromisocalendar(number, 1, 1))
    for (expression, made), number in numbers:
        start = numbered(expression, path_of, dialect)
        if start is None or start.unit is not Unit.MONTH:
            continue
        path = made or start.path
        year = years.get(path)
        if year is not None and 1 <= number <= 12:
            months.setdefault(path, year.replace(month=number))
    return KnownPeriods(years, iso_years, months)


def _subject(expression: exp.Expr) -> tuple[exp.Expr, Path | None]:
    """A part of a column's time; or of a time that is made of it, as if it were the column's, with
    what stands for that time."""
    found = made_of(expression)
    return (expression, None) if found is None else (found.asked, made_path(found.whole))


def _equal_numbers(
    conditions: Iterable[Formula], literal: Callable[[exp.Expr], LiteralValue | Null]
) -> Iterable[tuple[exp.Expr, int]]:
    """The years and months that are equal to numbers, and the numbers."""
    for condition in conditions:
        if not isinstance(condition, Leaf) or condition.negated:
            continue
        if not isinstance(condition.expression, exp.EQ):
            continue
        left, right = condition.expression.this, condition.expression.expression
        if own_columns(right):
            left, right = right, left
        left = left.unnest()
        if not isinstance(left, _FIXING) or own_columns(right):
            continue
        try:
            number = literal(right)
        except CannotConvert:
            continue
        if isinstance(number, int) and not isinstance(number, bool):
            yield left, number


def year_of(expression: exp.Expr, path_of: PathOf, dialect: str) -> Path | None:
    """The column whose year an expression is; None for anything else."""
    if not isinstance(expression, exp.Year | exp.Extract):
        return None
    try:
        found = term(expression, path_of, dialect)
    except CannotConvert:
        return None
    if isinstance(found, PeriodStart) and found.yields is Yields.YEAR_NUMBER:
        return found.path
    return None


REWRITE = Rewrite(part_of_period, compare_part)
