"""Months and days as numbers, compared with such a number, as ranges of the column: `year(x) * 100
+ month(x) = 202604` is `x >= DATE '2026-04-01' AND x < DATE '2026-05-01'`, and so are `year(x) * 12
+ month(x) = 24316` and `CAST(date_format(x, 'yyyyMM') AS int) = 202604`; `year_of_week(x) * 100 +
week(x) = 202614` is a week. These numbers are in the order of the months, weeks and days. No engine
unwraps them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields
from collectors.sql.constants.values import CannotConvert
from collectors.sql.rewrites import date_formats
from collectors.sql.rewrites.date_parts import numbered, year_of
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.iso_years import iso_year
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite
from collectors.sql.text.sums import summands, with_factor

_MONTHS_OF_YEAR = 12
_DIGITS = 100
_ISO_YEAR = "year of the week"
_SUMS = {
    frozenset({(Unit.YEAR, _DIGITS), (Unit.MONTH, 1)}): (Unit.MONTH, _DIGITS),
    frozenset({(Unit.YEAR, _MONTHS_OF_YEAR), (Unit.MONTH, 1)}): (Unit.MONTH, _MONTHS_OF_YEAR),
    frozenset({(Unit.YEAR, _DIGITS**2), (Unit.MONTH, _DIGITS), (Unit.DAY, 1)}): (
        Unit.DAY,
        _DIGITS,
    ),
    frozenset({(_ISO_YEAR, _DIGITS), (Unit.WEEK, 1)}): (Unit.WEEK, _DIGITS),
}
"""Which period a sum of parts counts, by what each of them is multiplied with, and the numbers of a
year."""
_HOLDING = frozenset({exp.DType.INT, exp.DType.BIGINT})
"""Types that hold all these numbers: of shorter ones, engines make null or an error."""
_WITHOUT_SEPARATORS = {"([0-9]{4})([0-9]{2})", "([0-9]{4})([0-9]{2})([0-9]{2})"}


@dataclass(frozen=True, slots=True)
class PeriodNumber:
    """The number of a column's month, week or day, of which a year has `of_year` for months."""

    start: PeriodStart
    of_year: int


def period_number(expression: exp.Expr, place: Place) -> PeriodNumber | None:
    """The month, week or day whose number an expression is; None for anything else."""
    match expression:
        case exp.Cast(this=text, to=exp.DataType(this=kind)) if kind in _HOLDING:
            return _of_digits(text.unnest(), place)
        case exp.Add():
            return _of_sum(expression, place)
    return None


def _of_digits(text: exp.Expr, place: Place) -> PeriodNumber | None:
    found = date_formats.REWRITE.find(text, place)
    if found is None or found.layout.texts.pattern not in _WITHOUT_SEPARATORS:
        return None
    return PeriodNumber(found.start, _DIGITS)


def _of_sum(expression: exp.Expr, place: Place) -> PeriodNumber | None:
    parts = [_part(summand, place) for summand in summands(expression)]
    found = [part for part in parts if part is not None]
    factors = frozenset((unit, factor) for _, unit, factor in found)
    counted = _SUMS.get(factors)
    paths = {path for path, _, _ in found}
    # Each part once, and nothing else.
    if counted is None or len(factors) < len(parts) or len(paths) != 1:
        return None
    unit, of_year = counted
    return PeriodNumber(PeriodStart(paths.pop(), unit, Yields.DATE), of_year)


def _part(expression: exp.Expr, place: Place) -> tuple[Path, Unit | str, int] | None:
    """The column and unit of a part, and what it is multiplied with."""
    part, factor = with_factor(expression)
    year = year_of(part, place.path_of, place.dialect)
    if year is not None:
        return year, Unit.YEAR, factor
    week = iso_year(part, place.path_of, place.dialect)
    if week is not None:
        return week.path, _ISO_YEAR, factor
    start = numbered(part, place.path_of, place.dialect)
    return None if start is None else (start.path, start.unit, factor)


def compare_number(op: Op, found: PeriodNumber, value: LiteralValue, session: Session) -> Predicate:
    """`number op value` as comparisons of the column; raises CannotConvert for what is no number of
    a month, a week or a day."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotConvert(Reason.ARITHMETIC)
    if found.start.unit is Unit.WEEK:
        return compare_period(op, found.start, _monday(*divmod(value, _DIGITS)), session)
    months, day = (value, 1) if found.start.unit is Unit.MONTH else divmod(value, _DIGITS)
    # Months are counted from 1, so that the last one is the number of the next year.
    year, month = divmod(months - 1, found.of_year)
    try:
        start = dt.date(year, month + 1, day)
    except (ValueError, OverflowError):
        raise CannotConvert(Reason.ARITHMETIC) from None
    return compare_period(op, found.start, start, session)


def _monday(year: int, week: int) -> dt.date:
    try:
        return dt.date.fromisocalendar(year, week, 1)
    except ValueError:
        raise CannotConvert(Reason.ARITHMETIC) from None


def _may_be(expression: exp.Expr, _dialect: str) -> bool:
    return isinstance(expression, exp.Add)


REWRITE = Rewrite(period_number, compare_number, may_be=_may_be)
