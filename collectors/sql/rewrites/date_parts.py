"""Months, quarters, weeks and days of a known year, and days of a known month, as ranges of the
column.

`month(x) = 4` has no range of its own. Beside `year(x) = 2024` in one conjunction it is
`date_trunc('month', x) = DATE '2024-04-01'`, and so with any operator: within a year, months
are numbered in the order of their starts. Beside a few years, it is so in each of them. Weeks are
those of ISO 8601, which are not in order: the first days of a year may be of the last week of the
year before, and its last ones of the first week of the next. Beside the year of the week itself
(`iso_years`), they are.
"""

from __future__ import annotations

import calendar
import datetime as dt
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf, PeriodStart, Yields, term
from collectors.sql.constants.values import CannotConvert, Null, is_int
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.iso_years import compare_iso_year, iso_year
from collectors.sql.rewrites.made import made_of, made_path
from collectors.sql.rewrites.rewrite import KnownPeriods, Path, Periods, Place, Rewrite
from collectors.sql.text.boolean import Formula, Leaf, own_columns
from collectors.sql.text.nodes import nodes_of

_PARTS = (
    *(exp.Month, exp.Quarter, exp.WeekOfYear, exp.Day, exp.DayOfMonth, exp.DayOfYear),
    *(exp.Extract, exp.TimeToStr),  # formats may be those of months and days
)

_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3}

_HOLDS = {
    Op.EQ: operator.eq,
    Op.NOT_EQ: operator.ne,
    Op.LT: operator.lt,
    Op.LT_EQ: operator.le,
    Op.GT: operator.gt,
    Op.GT_EQ: operator.ge,
}
_MOST_PERIODS = 12
_MOST_WEEKS = 53

_FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.EQ,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}
_FIXING = (exp.Year, exp.Month, exp.Extract, exp.YearOfWeek, exp.Anonymous)


@dataclass(frozen=True, slots=True)
class PartOfPeriod:
    """The number of a column's month, quarter or week in one of a few known years, or of its day in
    such a month or, with `is_of_year`, year. With `is_iso`, the years are those of its weeks."""

    start: PeriodStart
    within: Periods
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
    """`number op value` as comparisons of the column, which hold beside the known periods; raises
    CannotConvert for what is no number of a month or day in one of them."""
    if not is_int(value) or op not in _HOLDS:
        raise CannotConvert(Reason.FUNCTION)
    arms = [(within, _compare_within(op, found, within, value, session)) for within in found.within]
    if op is Op.EQ or len(arms) == 1:
        return any_of(*(arm for _, arm in arms))
    # Of the other periods, an arm says nothing.
    return any_of(*(all_of(_lies_in(found, within, session), arm) for within, arm in arms))


def _lies_in(found: PartOfPeriod, within: dt.date, session: Session) -> Predicate:
    path = found.start.path
    if found.is_iso:
        return compare_iso_year(Op.EQ, found.start, within.isocalendar().year, session)
    is_month = found.start.unit is Unit.DAY and not found.is_of_year
    unit = Unit.MONTH if is_month else Unit.YEAR
    return compare_period(Op.EQ, PeriodStart(path, unit, Yields.DATE), within, session)


def _compare_within(
    op: Op, found: PartOfPeriod, within: dt.date, value: int, session: Session
) -> Predicate:
    """What `number op value` says of the values in one period."""
    if found.is_iso:
        return compare_period(op, found.start, _monday(within, value), session)
    if found.start.unit is Unit.WEEK:
        return _compare_week(op, found.start, within.year, value, session)
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


def _compare_week(
    op: Op, start: PeriodStart, year: int, number: int, session: Session
) -> Predicate:
    """Weeks whose numbers compare so, of those that have days in a year: of years around it, too.
    Those that follow each other are one range."""
    if not 1 <= number <= _MOST_WEEKS:
        raise CannotConvert(Reason.FUNCTION)
    holds = _HOLDS[op]
    runs: list[list[dt.date]] = []
    for monday in _weeks(year):
        if not holds(monday.isocalendar().week, number):
            continue
        if runs and monday - runs[-1][-1] == dt.timedelta(weeks=1):
            runs[-1].append(monday)
        else:
            runs.append([monday])
    return any_of(
        *(
            all_of(
                compare_period(Op.GT_EQ, start, run[0], session),
                compare_period(Op.LT_EQ, start, run[-1], session),
            )
            for run in runs
        )
    )


def _monday(year: dt.date, number: int) -> dt.date:
    """The first day of a week of the year of ISO 8601 that begins with a day."""
    try:
        return dt.date.fromisocalendar(year.isocalendar().year, number, 1)
    except ValueError:
        raise CannotConvert(Reason.FUNCTION) from None


def _weeks(year: int) -> Iterator[dt.date]:
    """The Mondays of the weeks that have days in a year; raises CannotConvert at the ends of the
    calendar."""
    try:
        first, last = dt.date(year, 1, 1), dt.date(year, 12, 31)
        monday = first - dt.timedelta(first.weekday())
        while monday <= last:
            yield monday
            monday += dt.timedelta(weeks=1)
    except OverflowError:
        raise CannotConvert(Reason.FUNCTION) from None


def known_periods(
    conditions: Iterable[Formula],
    path_of: PathOf,
    dialect: str,
    literal: Callable[[exp.Expr], LiteralValue | Null],
    outer: KnownPeriods,
) -> KnownPeriods:
    """What `year(x) = …`, `year_of_week(x) = …` and `month(x) = …` among the parts of a conjunction
    leave, besides what is known outside of it; x may be made of a column as well."""
    years, iso_years, months = dict(outer.years), dict(outer.iso_years), dict(outer.months)
    fixed = [
        (_subject(expression), numbers)
        for expression, numbers in _equal_numbers(conditions, literal)
        if 0 < len(numbers) <= _MOST_PERIODS
    ]
    for (expression, made), numbers in fixed:
        path = year_of(expression, path_of, dialect)
        if path is not None and all(dt.MINYEAR <= number <= dt.MAXYEAR for number in numbers):
            _leave(years, made or path, tuple(dt.date(number, 1, 1) for number in numbers))
        week = iso_year(expression, path_of, dialect)
        if week is not None and all(dt.MINYEAR < number <= dt.MAXYEAR for number in numbers):
            mondays = tuple(dt.date.fromisocalendar(number, 1, 1) for number in numbers)
            _leave(iso_years, made or week.path, mondays)
    for (expression, made), numbers in fixed:
        start = numbered(expression, path_of, dialect)
        if start is None or start.unit is not Unit.MONTH:
            continue
        path = made or start.path
        firsts = tuple(
            year.replace(month=number)
            for year in years.get(path, ())
            for number in numbers
            if 1 <= number <= 12
        )
        if 0 < len(firsts) <= _MOST_PERIODS:
            _leave(months, path, firsts)
    return KnownPeriods(years, iso_years, months)


def _leave(known: dict[Path, Periods], path: Path, periods: Periods) -> None:
    """Notes the periods of a column, where they are fewer than those that are known."""
    if path not in known or len(periods) < len(known[path]):
        known[path] = periods


def _subject(expression: exp.Expr) -> tuple[exp.Expr, Path | None]:
    """A part of a column's time; or of a time that is made of it, as if it were the column's, with
    what stands for that time."""
    found = made_of(expression)
    return (expression, None) if found is None else (found.asked, made_path(found.whole))


def _equal_numbers(
    conditions: Iterable[Formula], literal: Callable[[exp.Expr], LiteralValue | Null]
) -> Iterator[tuple[exp.Expr, Sequence[int]]]:
    """The years and months that are equal to one of a few numbers, and the numbers: of which a
    condition has a list, or others both ends."""
    lows: dict[exp.Expr, int] = {}
    highs: dict[exp.Expr, int] = {}
    for condition in conditions:
        if not isinstance(condition, Leaf) or condition.negated:
            continue
        kind, part, others = _compared(condition.expression)
        if not isinstance(part, _FIXING) or any(map(own_columns, others)):
            continue
        try:
            values = [literal(other) for other in others]
        except CannotConvert:
            continue
        numbers = [value for value in values if is_int(value)]
        if len(numbers) < len(values):
            continue
        first, last = numbers[0], numbers[-1]
        if kind in (exp.EQ, exp.In):
            yield part, sorted(set(numbers))
        if kind in (exp.GT, exp.GTE, exp.Between):
            low = first + (kind is exp.GT)
            lows[part] = max(low, lows.get(part, low))
        if kind in (exp.LT, exp.LTE, exp.Between):
            high = last - (kind is exp.LT)
            highs[part] = min(high, highs.get(part, high))
    for part in lows.keys() & highs.keys():
        yield part, range(lows[part], highs[part] + 1)


def _compared(
    comparison: exp.Expr,
) -> tuple[type[exp.Expr] | None, exp.Expr | None, list[exp.Expr]]:
    """How what is compared with some others, and these; nothing where nothing is."""
    kind = type(comparison)
    match comparison:
        case exp.In(this=part, expressions=others) if others and not comparison.args.get("unnest"):
            pass
        case exp.Between(this=part) if not comparison.args.get("symmetric"):
            others = [comparison.args["low"], comparison.args["high"]]
        case exp.Binary(this=part, expression=other) if kind in _FLIPPED:
            others = [other]
            if own_columns(other):
                kind, part, others = _FLIPPED[kind], other, [part]
        case _:
            return None, None, []
    return kind, part.unnest(), others


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
