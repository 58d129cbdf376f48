"""What is calculated of the seconds that a time counts since 1970, or of the days between a date
and another, compared with a number, as conditions on the time: Spark's `unix_timestamp(x) DIV 86400
= 20487` and Trino's `floor(to_unixtime(x) / 86400) = 20487` are a day of UTC, `abs(datediff(x, DATE
'2026-11-10')) <= 3` is a week. No engine unwraps them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calculated_ranges import selected
from collectors.predicates.calculations import Calculated, Calculation
from collectors.predicates.model import FALSE, Comparison, Predicate, PredicateLeaf, Reason
from collectors.predicates.operators import Op
from collectors.predicates.walks import map_leaves
from collectors.sql.conditions.calculations import calculation
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import after_calendar
from collectors.sql.rewrites.day_shifts import DayShift, compare_shift, day_shift
from collectors.sql.rewrites.epochs import EpochCount, compare_epoch, epoch_count
from collectors.sql.rewrites.rewrite import Place
from collectors.sql.text.nodes import nodes_of, nodes_that_are

_COUNT = exp.column("")
"""What stands for the count: no column has an empty name."""
_DAYS_OF_WEEK = 7
_MOST_DAYS = 2 * dt.date.max.toordinal()
_MOST_NANOS = 2**63 * 1_000
_ABOVE = (Op.GT, Op.GT_EQ, Op.NOT_EQ)


@dataclass(frozen=True, slots=True)
class CountedTime:
    """What is calculated of the count of a time, as if that were a column."""

    calculation: Calculation
    count: EpochCount | DayShift


def counted_time(expression: exp.Expr, place: Place) -> CountedTime | None:
    """What an expression calculates of the count of a time; None for any other expression."""
    if dialect_of(place.dialect).is_trino and nodes_that_are(exp.DateDiff, expression):
        expression = expression.transform(_in_days)
    for node in nodes_of(expression):
        count = None if node is expression else _count(node, place)
        if count is None:
            continue
        path = count.start.path if isinstance(count, DayShift) else count.path
        told = expression.transform(lambda one, node=node: _COUNT.copy() if one == node else one)
        found = calculation(told, lambda one: None if one.name else path, place.session)  # noqa: B023
        return None if found is None else CountedTime(found, count)
    return None


def _in_days(node: exp.Expr) -> exp.Expr:
    """Trino's whole weeks between two dates as what they are of the days."""
    if not isinstance(node, exp.DateDiff) or node.text("unit").upper() != "WEEK":
        return node
    days = node.copy()
    days.set("unit", exp.Var(this="DAY"))
    return exp.Div(this=days, expression=exp.Literal.number(_DAYS_OF_WEEK))


def _count(node: exp.Expr, place: Place) -> EpochCount | DayShift | None:
    """What a node counts, if it counts seconds or days."""
    seconds = epoch_count(node, place)
    if seconds is not None:
        return seconds if seconds.is_whole or isinstance(node, exp.TimeToUnix) else None
    days = day_shift(node, place)
    return None if days is None or days.since is None else days


def compare_counted(
    compared: Calculated, count: EpochCount | DayShift, session: Session
) -> tuple[Predicate, bool]:
    """What is compared as conditions on the time, and whether they are all that it says; raises
    CannotConvert where nothing is known."""
    if isinstance(count, DayShift):
        return _compare_days(compared, count, session)
    known = selected(compared, "long" if count.is_whole else "double", None)
    if known is None:
        raise CannotConvert(Reason.FUNCTION)
    # Times are microseconds of 64 bits.
    most = _MOST_NANOS // count.length

    def of_leaf(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Comparison(Op.NOT_NULL):
                return leaf
            case Comparison(op, column, (int() | float() as value,)) if abs(value) > most:
                holds = op in (Op.LT, Op.LT_EQ, Op.NOT_EQ) if value > 0 else op in _ABOVE
                return Comparison(Op.NOT_NULL, column) if holds else FALSE
            case Comparison(op, _, (value,)):
                return compare_epoch(op, count, value, session)
        raise CannotConvert(Reason.FUNCTION)

    return map_leaves(known.predicate, of_leaf), known.is_exact and count.is_whole


def _compare_days(
    compared: Calculated, count: DayShift, session: Session
) -> tuple[Predicate, bool]:
    known = selected(compared, "int" if compared.is_spark else "long", None)
    if known is None:
        raise CannotConvert(Reason.FUNCTION)

    def of_leaf(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Comparison(Op.NOT_NULL):
                return leaf
            case Comparison(Op.EQ, column, (int() as days,)) if abs(days) > _MOST_DAYS:
                # The number of which Spark's abs() makes none: to a day beyond the calendar.
                is_before = (days < 0) != count.is_backward
                early = Comparison(Op.LT, column, (dt.date.min,))
                return early if is_before else after_calendar(column)
            case Comparison(op, _, (value,)):
                return compare_shift(op, count, value, session)
        raise CannotConvert(Reason.FUNCTION)

    return map_leaves(known.predicate, of_leaf), known.is_exact
