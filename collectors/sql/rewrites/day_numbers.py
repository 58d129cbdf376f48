"""Dates that a column counts the days to, compared with a constant: `date_add(DATE '1970-01-01',
n) = DATE '2026-01-12'` is `n = 20465`. No engine unwraps that."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import EPOCH_DAY
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Column, Comparison, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import own_columns

_MAX = 2**31 - 1  # of the number of a day in Spark, which wraps around silently


@dataclass(frozen=True, slots=True)
class DayNumber:
    """The date that lies a column's number of days after a constant one."""

    path: tuple[str, ...]
    since: dt.date


def day_number(expression: exp.Expr, place: Place) -> DayNumber | None:
    """The count of days that an expression is; None for anything else."""
    found = _parts(expression, place.dialect)
    if found is None:
        return None
    number, base = found
    path = column_path(number.unnest(), place.path_of)
    if path is None or (base is not None and own_columns(base)):
        return None
    try:
        since = EPOCH_DAY if base is None else fold(base, place.session)
    except CannotConvert:
        return None
    is_day = isinstance(since, dt.date) and not isinstance(since, dt.datetime)
    return DayNumber(path, since) if is_day and isinstance(since, dt.date) else None


def _parts(expression: exp.Expr, dialect: str) -> tuple[exp.Expr, exp.Expr | None] | None:
    """The number of days, and what they are counted from, if not from 1970."""
    is_spark = dialect_of(dialect).has_java_time
    is_days = expression.text("unit").upper() == "DAY"
    match expression:
        case exp.TsOrDsAdd(this=base, expression=exp.Expr() as number) if is_spark and is_days:
            return number, base
        case exp.DateAdd(this=base, expression=exp.Expr() as number) if (
            dialect_of(dialect).is_trino and is_days
        ):
            return number, base
        case exp.Add(this=base, expression=number) if is_spark:
            return number, base
        case exp.DateFromUnixDate(this=number) if is_spark:
            return number, None
    return None


def compare_day_number(
    op: Op, found: DayNumber, value: LiteralValue, session: Session
) -> Predicate:
    """`date op value` as comparisons of the column; raises CannotConvert for what is no day."""
    if not isinstance(value, dt.date):
        raise CannotConvert(Reason.FUNCTION)
    column = Column(found.path)
    within = Comparison(op, column, ((value - found.since).days,))
    if not dialect_of(session.dialect).has_java_time:
        return within
    return _wrapped_around(within, (found.since - EPOCH_DAY).days)


def _wrapped_around(within: Comparison, first: int) -> Predicate:
    """A comparison of numbers that are added to a first one, of which the largest come out as the
    smallest sums, or the other way round."""
    if within.op in (Op.EQ, Op.NOT_EQ) or not first:
        return within
    is_least = within.op in (Op.LT, Op.LT_EQ)
    if first > 0:
        last = _MAX - first
        if is_least:
            return any_of(within, Comparison(Op.GT, within.column, (last,)))
        return all_of(within, Comparison(Op.LT_EQ, within.column, (last,)))
    lowest = -_MAX - 1 - first
    if is_least:
        return all_of(within, Comparison(Op.GT_EQ, within.column, (lowest,)))
    return any_of(within, Comparison(Op.LT, within.column, (lowest,)))


REWRITE = Rewrite(day_number, compare_day_number, number="int")
