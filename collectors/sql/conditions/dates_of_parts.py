"""Conditions on the dates that Spark makes of a year, a month and a day, as conditions on these:
`make_date(y, m, d) >= DATE '2026-02-03'` is `y > 2026 OR y = 2026 AND (m > 2 OR m = 2 AND d >= 3)`.
No engine takes that apart.

Numbers that make no date, as those of 31 February, give null or an error. What is said of an order
holds for such rows as well.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlglot import exp

from collectors.predicates.instants import parse_date
from collectors.sql.conditions.choices import Choice
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, own_columns

_STRICT = {exp.LT: exp.LT, exp.LTE: exp.LT, exp.GT: exp.GT, exp.GTE: exp.GT}
_FLIPPED = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE, exp.EQ: exp.EQ}


def makes_date(subject: exp.Expr, dialect: str) -> bool:
    """Whether an expression is a date of three numbers."""
    match subject.unnest():
        case exp.Anonymous(this=str() as name, expressions=[_, _, _]):
            return name.lower() == "make_date" and dialect_of(dialect).is_spark
    return False


def date_of_parts(leaf: Leaf, session: Session) -> Choice | None:
    """What a leaf says of the numbers of which it compares the date; None for any other leaf.
    Raises CannotConvert where the other side is no constant."""
    kind, expression = type(leaf.expression), leaf.expression
    if kind not in _FLIPPED or leaf.negated:
        return None
    subject, constant = expression.this, expression.expression
    if own_columns(constant):
        subject, constant, kind = constant, subject, _FLIPPED[kind]
    if not makes_date(subject, session.dialect):
        return None
    value = fold(constant, session)
    date = parse_date(value) if isinstance(value, str) else value
    if not isinstance(date, dt.date):
        return None
    numbers = zip(subject.unnest().expressions, (date.year, date.month, date.day), strict=True)
    # Of equal ones, the date is there.
    return Choice(_in_order(kind, list(numbers)), is_all=kind is exp.EQ)


def _in_order(kind: type[exp.Expr], numbers: Sequence[tuple[exp.Expr, int]]) -> Formula:
    """How the first numbers that differ compare."""
    first, *others = numbers
    if not others:
        return _compared(kind, *first)
    same = AllOf((_compared(exp.EQ, *first), _in_order(kind, others)))
    return AnyOf((_compared(_STRICT[kind], *first), same)) if kind in _STRICT else same


def _compared(kind: type[exp.Expr], part: exp.Expr, number: int) -> Leaf:
    """Spark makes integers of all numbers first."""
    whole = exp.Cast(this=part.copy(), to=exp.DataType.build("int"))
    return Leaf(kind(this=whole, expression=exp.Literal.number(number)), negated=False)
