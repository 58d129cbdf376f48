"""Times that are made of a column's: `year(add_months(x, -1))` asks for the year of such a one."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from collectors.sql.rewrites.rewrite import Path
from collectors.sql.text.boolean import own_columns
from collectors.sql.text.nodes import nodes_that_are

MAKERS = (
    exp.AddMonths,
    exp.NextDay,
    exp.LastDay,
    exp.TsOrDsAdd,
    exp.DateAdd,
    exp.DateSub,
    exp.TimestampAdd,
    exp.AtTimeZone,
    exp.ConvertTimezone,
    exp.Add,
    exp.Sub,
    exp.UnixToTime,
)
"""Nodes that may make a time of another, or of a number."""
_BY_NAME = frozenset(
    {"at_timezone", "with_timezone", "from_unixtime_nanos"}
    | {f"timestamp_{unit}" for unit in ("seconds", "millis", "micros")}
)
"""Those that sqlglot knows by name alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """What is `asked` of a time that is made, as if it were the `column` that it is made of, and
    the `whole` expression that makes it."""

    asked: exp.Expr
    whole: exp.Expr
    column: exp.Expr


def made_of(expression: exp.Expr) -> Made | None:
    """The outermost expression within another that may make a time of a column, if that is all
    that the other has of columns."""
    columns = own_columns(expression)
    if not columns or len(columns) != len(nodes_that_are(exp.Column, expression)):
        return None
    wholes = [_around(column, expression) for column in columns]
    whole = wholes[0]
    if whole is None or any(other != whole for other in wholes):
        return None
    column = _bare(columns[0])
    asked = expression.transform(lambda node: column.copy() if node == whole else node)
    return Made(asked, whole, column)


def made_path(whole: exp.Expr) -> Path:
    """What stands for a made time where paths stand for columns: no column has an empty name."""
    return ("", whole.sql())


def _around(column: exp.Expr, within: exp.Expr) -> exp.Expr | None:
    """The outermost of those that make a time of a column below an expression."""
    found = None
    current = column
    while current is not within and isinstance(current.parent, exp.Expr):
        if isinstance(current, MAKERS) or _is_named(current) or _is_rounded(current):
            found = current
        current = current.parent
    return found


def _is_named(expression: exp.Expr) -> bool:
    return isinstance(expression, exp.Anonymous) and expression.name.lower() in _BY_NAME


def _is_rounded(expression: exp.Expr) -> bool:
    """Whether an expression is a time of so many digits, as Trino's casts give it."""
    return (
        isinstance(expression, exp.Cast)
        and expression.to.this is exp.DType.TIMESTAMP
        and bool(expression.to.expressions)
    )


def _bare(column: exp.Expr) -> exp.Expr:
    while isinstance(column.parent, exp.Dot) and column.parent.this is column:
        column = column.parent
    return column
