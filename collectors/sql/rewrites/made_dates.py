"""What is asked of dates that are made of a column's, compared with a constant, as comparisons of
the column: a fiscal year is `year(add_months(x, -1)) = 2026`, a week that begins on Sunday
`date_trunc('week', date_add(x, 1))`. No engine unwraps them.

What is asked of the date is found as if it were a column's; each comparison of the date with
another one is then one of the column, as the date is no earlier for a later day.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from collectors.predicates.calendar import Unit, date_of
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Always, Column, Comparison, Predicate, PredicateLeaf, Reason
from collectors.predicates.operators import Op
from collectors.predicates.walks import map_leaves
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, column_path, term
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites import (
    date_formats,
    date_parts,
    day_shifts,
    iso_years,
    month_ends,
    month_shifts,
    moved_periods,
    own_days,
    period_numbers,
)
from collectors.sql.rewrites.date_formats import LAST_DATE, period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.made import MAKERS, made_of, made_path
from collectors.sql.rewrites.month_shifts import MonthShift, compare_month_shift
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.nodes import nodes_that_are

_ASKED: tuple[Rewrite[Any], ...] = (
    date_formats.REWRITE,
    date_parts.REWRITE,
    iso_years.REWRITE,
    period_numbers.REWRITE,
    month_ends.REWRITE,
    month_shifts.REWRITE,
    day_shifts.REWRITE,
    moved_periods.REWRITE,
    own_days.REWRITE,
)
"""What is asked of a date, besides where its period starts."""
_MADE: tuple[Rewrite[Any], ...] = (
    month_ends.REWRITE,
    month_shifts.REWRITE,
    day_shifts.REWRITE,
    moved_periods.REWRITE,
    own_days.REWRITE,
)
"""What makes a date of a column, and no number."""
_ENDS = frozenset({Op.GT_EQ, Op.LT})
_YEARS = 10
"""By how much no date is moved that anybody asks for."""


@dataclass(frozen=True, slots=True)
class MadeDate:
    """What is asked of a date, and how that is made of the column's: by `made`, what the rewrite
    `of` found. Where nothing is but where a period starts, `asked` has no rewrite."""

    asked: Rewrite[Any] | None
    found: Any
    of: Rewrite[Any]
    made: Any


def may_make_dates(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may ask something of a made date, for some literals in it."""
    return dialect_of(dialect).has_known_functions and bool(nodes_that_are(MAKERS, expression))


def made_date(expression: exp.Expr, place: Place) -> MadeDate | None:
    """What an expression asks of a made date; None for anything else."""
    if not may_make_dates(expression, place.dialect):
        return None
    found = made_of(expression)
    if found is None:
        return None
    made, path = _made(found.whole, place), column_path(found.column, place.path_of)
    if made is None or path is None:
        return None
    known = place.known.of(made_path(found.whole), path)
    inner = replace(place, known=known, types={})
    for rewrite in _ASKED:
        asked = rewrite.find(found.asked, inner)
        if asked is not None:
            kind = place.type_of(path)
            return MadeDate(rewrite, _of_date(asked) if kind == "date" else asked, *made)
    try:
        start = term(found.asked, place.path_of, place.dialect)
    except CannotConvert:
        return None
    return MadeDate(None, start, *made) if isinstance(start, PeriodStart) else None


def _made(whole: exp.Expr, place: Place) -> tuple[Rewrite[Any], Any] | None:
    for rewrite in _MADE:
        found = rewrite.find(whole, place)
        if found is not None:
            is_number = isinstance(found, day_shifts.DayShift) and found.since is not None
            return None if is_number else (rewrite, found)
    months = _months_later(whole, place)
    return None if months is None else (_MONTHS_LATER, months)


def _of_date(found: Any) -> Any:
    """What is asked of a date, which has no time to round."""
    if not _is_rounded(found):
        return found
    return replace(found, start=replace(found.start, rounding=0))


def _months_later(whole: exp.Expr, place: Place) -> MonthShift | None:
    """A date or a time so many months after a column's, or before it."""
    try:
        operand, interval = moved_periods.moved_operand(whole, place.session)
    except CannotConvert:
        return None
    start = period_start(operand, Unit.DAY, place.path_of, place.dialect)
    if start is None or start.unit is not Unit.DAY or interval.days or interval.nanos:
        return None
    return MonthShift(start, interval.months) if interval.months else None


def _compare_later(op: Op, found: MonthShift, value: LiteralValue, session: Session) -> Predicate:
    """A time is before a midnight, or is not, as its date is; nothing else is said of one."""
    if op not in _ENDS:
        raise CannotConvert(Reason.FUNCTION)
    return compare_month_shift(op, found, value, session)


_MONTHS_LATER = Rewrite(_months_later, _compare_later)


def compare_made(op: Op, found: MadeDate, value: LiteralValue, session: Session) -> Predicate:
    """`asked op value` as comparisons of the column; raises CannotConvert where these have no
    exact form."""
    is_of_utc = session.time_zone is not None and session.zone == dt.UTC
    if not is_of_utc and (isinstance(value, Timestamp) or found.of is moved_periods.REWRITE):
        raise CannotConvert(Reason.FUNCTION)  # whose clock may read another day
    read = replace(session, time_zone="UTC")  # of a date, whatever the session's
    if found.asked is None:
        selected = compare_period(op, found.found, value, read)
    else:
        selected = found.asked.compare(op, found.found, value, read)
    return map_leaves(selected, lambda leaf: _of_column(leaf, found, session))


def _of_column(leaf: PredicateLeaf, found: MadeDate, session: Session) -> Predicate:
    """A comparison of a made date as one of the column; raises CannotConvert for others."""
    match leaf:
        case Always() | Comparison(Op.NOT_NULL):
            return leaf
        case Comparison(Op.GT, Column() as column, (dt.date() as last,)) if last == LAST_DATE:
            return Comparison(Op.GT, column, (last.replace(year=last.year - _YEARS),))
        case Comparison(op, Column(), (dt.date() as day,)) if op in _ENDS:
            return found.of.compare(op, found.made, day, session)
        case Comparison(op, Column(), (Timestamp(nanos, zoned=False),)) if op in _ENDS:
            # Just before a midnight: of the day before, it is not known which times are.
            day = date_of(nanos) + dt.timedelta(op is Op.LT)
            return found.of.compare(op, found.made, day, session)
    raise CannotConvert(Reason.FUNCTION)


def _rest(op: Op, found: MadeDate, value: LiteralValue) -> Reason | None:
    if found.asked is None:
        return None
    return Reason.FUNCTION if _is_rounded(found.found) else found.asked.rest(op, found.found, value)


def _is_rounded(found: Any) -> bool:
    start = getattr(found, "start", None)
    return isinstance(start, PeriodStart) and start.rounding > 0


REWRITE = Rewrite(made_date, compare_made, _rest, may_be=may_make_dates)
