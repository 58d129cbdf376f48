"""On which days weeks begin, where a query names them."""

from __future__ import annotations

from calendar import day_name

from sqlglot import exp

_DAYS = {name.upper(): number for number, name in enumerate(day_name)}


def first_day(unit: object) -> int | None:
    """The day (Monday is 0) on which weeks begin that a unit of BigQuery stands for: `WEEK`, which
    sqlglot has as `WEEK(SUNDAY)`, `WEEK(THURSDAY)`, `ISOWEEK`; None for any other unit."""
    match unit:
        case exp.WeekStart(this=exp.Expr() as day):
            return _DAYS.get(day.name.upper())
        case exp.Var() | exp.Literal() if unit.name.upper() == "ISOWEEK":
            return 0
    return None
