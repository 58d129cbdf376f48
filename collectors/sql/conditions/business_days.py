"""Days that begin at another hour, chosen by the hour of a time, as days of that time once it is
moved: `CASE WHEN hour(x) >= 6 THEN date(x) ELSE date(x) - INTERVAL '1' DAY END = DATE '2026-11-19'`
is `date(x - INTERVAL '6' HOUR) = DATE '2026-11-19'`. No engine takes that apart.

For each of the hours, such a day is that of the time and some days more, which are computed. On
clocks that are put forward or back, a time that is moved has another day.
"""

from __future__ import annotations

import datetime as dt

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.model import Reason
from collectors.sql.conditions.compared import of_subject
from collectors.sql.conditions.constant_choices import the_chosen
from collectors.sql.conditions.leaf_rewrite import Around, LeafRewrite, Replacement
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import period_of
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.moved_periods import moved_operand
from collectors.sql.text.boolean import Leaf, own_columns
from collectors.sql.text.nodes import nodes_of

_HOURS = 24


def may_begin_later(subject: exp.Expr) -> bool:
    """Whether an expression chooses by the hour of a time."""
    is_choice = isinstance(subject.unnest(), exp.Case | exp.If)
    return is_choice and any(_of_hour(node) is not None for node in nodes_of(subject))


def business_day(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the moved time whose day it compares; None for any other leaf."""
    subject, session = leaf.expression.this, around.session
    if not isinstance(subject, exp.Expr) or not may_begin_later(subject):
        return None
    dialect, is_utc = dialect_of(session.dialect), session.time_zone is not None
    # Trino reads a time on the clock of its own zone, which is UTC.
    if not (dialect.is_trino or (dialect.has_java_time and is_utc and session.zone == dt.UTC)):
        return None
    subject = subject.unnest()
    times = [time for node in nodes_of(subject) if (time := _time_of(node, session)) is not None]
    is_one = all(time == times[0] for time in times) and len(times) == len(own_columns(subject))
    if not is_one or not isinstance(times[0], exp.Column | exp.Dot):
        return None
    try:
        days = [_days(_at(subject, hour), session) for hour in range(_HOURS)]
    except CannotConvert:
        return None
    later = days.index(days[-1])
    if days != [days[-1] - 1] * later + [days[-1]] * (_HOURS - later):
        return None
    hours = exp.Literal.string(str(_HOURS * days[-1] - later))
    moved = exp.Add(
        this=times[0].copy(), expression=exp.Interval(this=hours, unit=exp.Var(this="HOUR"))
    )
    day = exp.Cast(this=moved, to=exp.DataType.build("date"))
    return Replacement(of_subject(leaf, day), is_all=True, is_made=True)


def _of_hour(node: exp.Expr) -> exp.Expr | None:
    """The time whose hour an expression is; None for anything else."""
    if isinstance(node, exp.Extract):
        return node.expression.unnest() if node.name.upper() == "HOUR" else None
    return node.this.unnest() if isinstance(node, exp.Hour) else None


def _time_of(node: exp.Expr, session: Session) -> exp.Expr | None:
    """The time whose hour or day an expression is; None for anything else."""
    period = period_of(node, session.dialect)
    if period is not None and period[1] is Unit.DAY:
        return period[0].unnest()
    return _of_hour(node)


def _at(subject: exp.Expr, hour: int) -> exp.Expr:
    return subject.transform(
        lambda node: node if _of_hour(node) is None else exp.Literal.number(hour)
    )


def _days(subject: exp.Expr, session: Session) -> int:
    """By how many days the day of a time is moved, where constants choose that; raises
    CannotConvert for anything else."""
    subject = subject.unnest()
    if isinstance(subject, exp.Case | exp.If):
        return _days(the_chosen(subject, session), session)
    if _time_of(subject, session) is not None:
        return 0
    operand, interval = moved_operand(subject, session)
    if interval.months or interval.nanos:
        raise CannotConvert(Reason.FUNCTION)
    return _days(operand, session) + interval.days


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: may_begin_later(subject),
    replace=business_day,
)
