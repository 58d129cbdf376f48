"""Weeks that begin on a day which a query names, compared with a constant, as ranges of the column:
BigQuery's `DATE_TRUNC(x, WEEK) = DATE '2026-11-22'` is a week that begins on Sunday. Its `WEEK`
does, `WEEK(THURSDAY)` says so, and `ISOWEEK` begins on Monday (GoogleSQL's reference)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_DAY, Unit
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Comparison, Predicate, PredicateLeaf, Reason
from collectors.predicates.operators import Op
from collectors.predicates.walks import map_leaves
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields
from collectors.sql.constants.values import CannotConvert
from collectors.sql.constants.weeks import first_day
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import period_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite


@dataclass(frozen=True, slots=True)
class NamedWeek:
    """The start of the week of a column that begins on `first_day` (Monday is 0)."""

    path: Path
    first_day: int


def named_week(expression: exp.Expr, place: Place) -> NamedWeek | None:
    """The week whose start an expression is; None for anything else."""
    match expression:
        case (
            exp.DateTrunc(this=operand)
            | exp.DatetimeTrunc(this=operand)
            | exp.TimestampTrunc(this=operand)
        ) if dialect_of(place.dialect).has_documented_moves:
            first = first_day(expression.args.get("unit"))
        case _:
            return None
    if first is None or expression.args.get("zone"):
        return None
    start = period_start(operand, Unit.DAY, place.path_of, place.dialect)
    return NamedWeek(start.path, first) if start is not None and start.unit is Unit.DAY else None


def compare_week(op: Op, found: NamedWeek, value: LiteralValue, session: Session) -> Predicate:
    """`start op value` as comparisons of the column: as those of weeks that begin on Monday, of
    days that are as much earlier. Raises CannotConvert where days have no 24 hours, and for what is
    no time."""
    if session.time_zone is not None and session.zone != dt.UTC:
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    week = PeriodStart(found.path, Unit.WEEK, Yields.TIMESTAMP)
    try:
        selected = compare_period(op, week, _later(value, -found.first_day), session)
        return map_leaves(selected, lambda leaf: _moved(leaf, found.first_day))
    except OverflowError:
        raise CannotConvert(Reason.FUNCTION) from None


def _moved(leaf: PredicateLeaf, days: int) -> Predicate:
    match leaf:
        case Comparison(values=(value,)):
            return replace(leaf, values=(_later(value, days),))
    return leaf


def _later(value: LiteralValue, days: int) -> LiteralValue:
    match value:
        case Timestamp(nanos):
            return replace(value, nanos=nanos + days * NANOS_PER_DAY)
        case dt.date():
            return value + dt.timedelta(days)
    raise CannotConvert(Reason.FUNCTION)


REWRITE = Rewrite(named_week, compare_week)
