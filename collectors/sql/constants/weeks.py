"""Days on which weeks begin, given by a query or its session."""

from __future__ import annotations

from calendar import day_name
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Unit, unit_named
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, Folded, Varies
from prunescope.collectors.sql.dialects import dialect_of

_DAYS = {name.upper(): number for number, name in enumerate(day_name)}


def first_day(unit: object, session: Session) -> int | None:
    """The day (Monday is 0) on which the weeks of a unit begin: BigQuery's `WEEK`, which sqlglot
    has as `WEEK(SUNDAY)`, `WEEK(THURSDAY)` or `ISOWEEK`; for other weeks, the session's; None for
    other units."""
    match unit:
        case exp.WeekStart(this=exp.Expr() as day):
            return _DAYS.get(day.name.upper())
        case exp.Var() | exp.Literal() if unit.name.upper() == "ISOWEEK":
            return 0
        case exp.Var() | exp.Literal() if unit_named(unit.name) is Unit.WEEK:
            return session.first_day
    return None


def asks_for_first_day(expression: exp.Expr, session: Session) -> bool:
    """True if a setting of the session decides on which day a call's weeks begin (Snowflake's
    WEEK_START)."""
    if not dialect_of(session.dialect).sets_first_day or session.first_day is not None:
        return False
    return unit_named(expression.text("unit")) is Unit.WEEK


def of_any_first_day(value: Callable[[Session], Folded], session: Session) -> Folded:
    """The value that is the same for any first day of the week; raises Varies if it differs."""
    found = [value(replace(session, first_day=day)) for day in range(7)]
    low, high = min(found, key=_nanos), max(found, key=_nanos)
    if low != high:
        raise Varies(low, high)
    return low


def _nanos(value: Folded) -> Any:
    return value.nanos if isinstance(value, Timestamp) else 0 if value is NULL else value
