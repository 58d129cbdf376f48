"""What is asked of a moment that a column counts to, as conditions on the column: the month of
Trino's `from_unixtime(n)`, the text of Spark's `timestamp_millis(ms)`, the day of
`date_parse(CAST(n AS varchar), '%Y%m%d')`. No engine unwraps them.

What is asked is found as if the moment were a column's; the ends of its ranges are then compared
with what is calculated, whose numbers are known once the column's type is (`calculated_ranges`).
Moments are on the session's clock, which has to be known, or on that of a zone that is named.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calculations import Calculation
from collectors.predicates.calendar import nanos_of
from collectors.predicates.literals import Timestamp
from collectors.predicates.model import (
    Always,
    Comparison,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
)
from collectors.predicates.operators import ORDERED, Op
from collectors.predicates.walks import map_leaves
from collectors.sql.conditions.calculations import calculation, counts_to_moment
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf, PeriodStart
from collectors.sql.constants.values import CannotConvert
from collectors.sql.rewrites.made import Made
from collectors.sql.rewrites.rewrite import Rewritten
from collectors.sql.rewrites.time_texts import TimeText
from collectors.sql.text.boolean import own_columns
from collectors.sql.text.nodes import nodes_of

Asked = PeriodStart | Rewritten
"""What is asked of a time."""
_COMPARED = ORDERED | {Op.EQ, Op.NOT_EQ}


@dataclass(frozen=True, slots=True)
class AskedMoment:
    """What is asked of the moment that is calculated of a column, as if it were the column's."""

    asked: Asked
    calculation: Calculation


def may_ask_moment(subject: exp.Expr, dialect: str) -> bool:
    """Whether something may be asked of a moment, for some literals in an expression."""
    return any(counts_to_moment(node, dialect) for node in nodes_of(subject))


def asked_moment(
    expression: exp.Expr, path_of: PathOf, session: Session, ask: Callable[[Made], object]
) -> AskedMoment | None:
    """What an expression asks of a moment; None for any other expression. `ask` tells what is asked
    of a time that stands for one."""
    columns = own_columns(expression)
    wholes = [_moment_of(column, expression, session.dialect) for column in columns]
    whole = wholes[0] if wholes else None
    if whole is None or any(other != whole for other in wholes):
        return None
    found = calculation(whole, path_of, session)
    if found is None:
        return None
    time = _time_of(columns[0], whole)
    try:
        told = expression.transform(lambda node: time.copy() if node == whole else node)
        asked = ask(Made(told, whole, time))
    except CannotConvert:
        return None
    if not isinstance(asked, Asked):
        return None
    is_text = isinstance(asked, Rewritten) and isinstance(asked.found, TimeText)
    return None if is_text else AskedMoment(asked, found)


def _moment_of(column: exp.Expr, within: exp.Expr, dialect: str) -> exp.Expr | None:
    """The outermost expression, below another, that counts to a moment by a column."""
    found = None
    while column is not within and column.parent is not None:
        if counts_to_moment(column, dialect):
            found = column
        column = column.parent
    return found


def _time_of(column: exp.Expr, moment: exp.Expr) -> exp.Expr:
    """What stands for a moment, in the zone that it is given."""
    while isinstance(column.parent, exp.Dot) and column.parent.this is column:
        column = column.parent
    zone = moment.args.get("zone")
    if not isinstance(zone, exp.Expr):
        return column
    return exp.AtTimeZone(this=column.copy(), zone=zone.copy())


def of_moment(told: Predicate, compare: Callable[[Op, Timestamp], Predicate]) -> Predicate:
    """What is told of a time as what a moment is told by `compare`; raises CannotConvert for
    anything else."""

    def of_leaf(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Always() | Unsupported() | Comparison(Op.NOT_NULL):
                return leaf
            case Comparison(op, _, (Timestamp() as moment,)) if op in _COMPARED:
                return compare(op, moment)
            case Comparison(op, _, (dt.date() as day,)) if op in _COMPARED:
                return compare(op, Timestamp(nanos_of(day), zoned=False))
        raise CannotConvert(Reason.FUNCTION)

    return map_leaves(told, of_leaf)
