"""Months and days as numbers of their digits, compared with such a number, as ranges of the column:
`year(x) * 100 + month(x) = 202604` is `x >= DATE '2026-04-01' AND x < DATE '2026-05-01'`. These
numbers are in the order of the months and days. No engine unwraps them."""

from __future__ import annotations

import datetime as dt

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields
from collectors.sql.constants.values import CannotConvert
from collectors.sql.rewrites.date_parts import numbered, year_of
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite

_DIGITS = {
    frozenset({(Unit.YEAR, 100), (Unit.MONTH, 1)}): Unit.MONTH,
    frozenset({(Unit.YEAR, 10_000), (Unit.MONTH, 100), (Unit.DAY, 1)}): Unit.DAY,
}
"""Which period a sum of parts counts, by what each of them is multiplied with."""


def period_number(expression: exp.Expr, place: Place) -> PeriodStart | None:
    """The month or day whose digits an expression is; None for anything else."""
    if not isinstance(expression.unnest(), exp.Add):
        return None
    parts = [_part(summand, place) for summand in _summands(expression)]
    found = [part for part in parts if part is not None]
    unit = _DIGITS.get(frozenset((unit, factor) for _, unit, factor in found))
    paths = {path for path, _, _ in found}
    if unit is None or len(found) < len(parts) or len(paths) != 1:
        return None
    return PeriodStart(paths.pop(), unit, Yields.DATE)


def _summands(expression: exp.Expr) -> list[exp.Expr]:
    expression = expression.unnest()
    if isinstance(expression, exp.Add):
        return [*_summands(expression.this), *_summands(expression.expression)]
    return [expression]


def _part(expression: exp.Expr, place: Place) -> tuple[Path, Unit, int] | None:
    """The column and unit of a part, and what it is multiplied with."""
    factor = 1
    match expression:
        case (
            exp.Mul(this=exp.Literal() as number, expression=part)
            | exp.Mul(this=part, expression=exp.Literal() as number)
        ) if number.is_int:
            expression, factor = part.unnest(), int(number.name)
    year = year_of(expression, place.path_of, place.dialect)
    if year is not None:
        return year, Unit.YEAR, factor
    start = numbered(expression, place.path_of, place.dialect)
    return None if start is None else (start.path, start.unit, factor)


def compare_number(op: Op, found: PeriodStart, value: LiteralValue, session: Session) -> Predicate:
    """`number op value` as comparisons of the column; raises CannotConvert for what is no number of
    a month or day."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotConvert(Reason.ARITHMETIC)
    months, day = (value, 1) if found.unit is Unit.MONTH else divmod(value, 100)
    try:
        start = dt.date(*divmod(months, 100), day)
    except (ValueError, OverflowError):
        raise CannotConvert(Reason.ARITHMETIC) from None
    return compare_period(op, found, start, session)


def _may_be(expression: exp.Expr, _dialect: str) -> bool:
    return isinstance(expression.unnest(), exp.Add)


REWRITE = Rewrite(period_number, compare_number, may_be=_may_be)
