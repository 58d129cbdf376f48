"""Years that begin in another month, put together of the year and the month of a date, as
conditions on these: `CASE WHEN month(d) >= 4 THEN year(d) ELSE year(d) - 1 END = 2026` is `year(d)
= 2026 AND month(d) >= 4 OR year(d) = 2027 AND month(d) <= 3`, and so are `year(d) + IF(month(d) >=
4, 0, -1) = 2026` and `year(d) + floor((month(d) - 4) / 12) = 2026`. No engine takes that apart.

For each of the twelve months, such a number is the year and a constant, which is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from math import isfinite

from sqlglot import exp

from collectors.sql.conditions.constant_choices import the_chosen
from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.conditions.sides import FLIPPED
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert, Folded, not_constant
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, own_columns
from collectors.sql.text.nodes import nodes_of

_MONTHS = range(1, 13)
_OF_QUARTER = 3
_WHOLE = frozenset({exp.DType.INT, exp.DType.BIGINT})
_MAX_YEARS = 3
"""By which what is added to the years of different months differs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Months from one to another, in which the number is the year and a constant."""

    first: int
    last: int
    added: int


def has_year(value: exp.Expr) -> bool:
    """Whether an expression has the year of a date."""
    return any(_part(node) is exp.Year for node in nodes_of(value))


def may_be_fiscal(subject: exp.Expr) -> bool:
    """Whether an expression may be a year to which something is added."""
    return _part(subject.unnest()) is not exp.Year and has_year(subject)


def fiscal_year(leaf: Leaf, session: Session) -> Replacement | None:
    """What a leaf says of the year and the month of which it compares such a number; None for any
    other leaf, and where the other side is no whole number."""
    compared = _compared(leaf.expression)
    if compared is None or leaf.negated or not dialect_of(session.dialect).is_measured:
        return None
    kind, subject, others = compared
    date = _date(subject) if may_be_fiscal(subject) else None
    if date is None or any(map(own_columns, others)):
        return None
    try:
        groups = list(_groups(subject, session))
        numbers = [_whole(fold(other, session)) for other in others]
    except CannotConvert:
        return None
    added = [group.added for group in groups]
    if max(added) - min(added) > _MAX_YEARS:
        return None
    if kind is exp.Between:
        ends = zip((exp.GTE, exp.LTE), numbers, strict=True)
        found: Formula = AllOf(tuple(_said(end, date, groups, number) for end, number in ends))
    else:
        found = AnyOf(tuple(_said(kind, date, groups, number) for number in numbers))
    return Replacement(found, is_all=True, is_made=True)


def _compared(
    comparison: exp.Expr,
) -> tuple[type[exp.Expr], exp.Expr, list[exp.Expr]] | None:
    """How a comparison compares what, and with what."""
    kind = type(comparison)
    if kind is exp.In and comparison.expressions:
        return exp.EQ, comparison.this, comparison.expressions
    if kind is exp.Between and not comparison.args.get("symmetric"):
        return kind, comparison.this, [comparison.args["low"], comparison.args["high"]]
    if kind not in FLIPPED:
        return None
    sides = comparison.this, comparison.expression
    if own_columns(sides[1]):
        return FLIPPED[kind], sides[1], [sides[0]]
    return kind, sides[0], [sides[1]]


def _said(kind: type[exp.Expr], date: exp.Expr, groups: Sequence[_Group], number: int) -> Formula:
    """Where the year and what is added to it compare so with a number: in all months of years
    beyond, and in some of those between."""
    if kind is exp.EQ:
        return AnyOf(tuple(_of_year(date, group, number - group.added) for group in groups))
    number += (kind is exp.GT) - (kind is exp.LT)
    years = [number - group.added for group in groups]
    is_from = kind in (exp.GT, exp.GTE)
    last = max(years) if is_from else min(years)
    beyond = _leaf(exp.GT if is_from else exp.LT, exp.Year, date, last)
    between = (
        _of_year(date, group, year)
        for group, first in zip(groups, years, strict=True)
        for year in range(min(first, last), max(first, last) + 1)
    )
    return AnyOf((beyond, *between))


def _of_year(date: exp.Expr, group: _Group, year: int) -> Formula:
    """The months of a group in a year."""
    ends = (exp.GTE, group.first, _MONTHS[0]), (exp.LTE, group.last, _MONTHS[-1])
    months = (_leaf(kind, exp.Month, date, end) for kind, end, all_ in ends if end != all_)
    return AllOf((_leaf(exp.EQ, exp.Year, date, year), *months))


def _leaf(kind: type[exp.Expr], part: type[exp.Expr], date: exp.Expr, number: int) -> Leaf:
    return Leaf(kind(this=part(this=date.copy()), expression=exp.Literal.number(number)), False)


def _groups(subject: exp.Expr, session: Session) -> Iterator[_Group]:
    """Months that follow each other, by what is added to their year. Raises CannotConvert where
    that is not the year and a whole number."""
    added = [(month, _added(_in_month(subject, month), session)) for month in _MONTHS]
    for number, together in groupby(added, key=lambda each: each[1]):
        months = [month for month, _ in together]
        yield _Group(months[0], months[-1], number)


def _in_month(subject: exp.Expr, month: int) -> exp.Expr:
    numbers: dict[type[exp.Expr] | None, int] = {
        exp.Month: month,
        exp.Quarter: (month + _OF_QUARTER - 1) // _OF_QUARTER,
    }

    def replaced(node: exp.Expr) -> exp.Expr:
        number = numbers.get(_part(node))
        return node if number is None else exp.Literal.number(number)

    return subject.copy().transform(replaced)


def _added(subject: exp.Expr, session: Session) -> int:
    """What is added to the year in an expression that has no other part of a date."""
    subject = subject.unnest()
    if _part(subject) is exp.Year:
        return 0
    match subject:
        case exp.Add(this=left, expression=right):
            year, other = (right, left) if own_columns(right) else (left, right)
            return _added(year, session) + _whole(fold(other, session))
        case exp.Sub(this=left, expression=right):
            return _added(left, session) - _whole(fold(right, session))
        case exp.Cast(this=inner, to=exp.DataType(this=kind)) if kind in _WHOLE:
            return _added(inner, session)
        case exp.Case() | exp.If():
            return _added(the_chosen(subject, session), session)
    raise not_constant()


def _whole(value: Folded) -> int:
    """A whole number, of whichever type; raises CannotConvert for others."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    if not isfinite(value) or value != int(value):
        raise not_constant()
    return int(value)


def _part(node: exp.Expr) -> type[exp.Expr] | None:
    """Which part of a date an expression is: its year, quarter or month."""
    if isinstance(node, exp.Extract):
        name = node.name.upper()
        return {"YEAR": exp.Year, "QUARTER": exp.Quarter, "MONTH": exp.Month}.get(name)
    return next((k for k in (exp.Year, exp.Quarter, exp.Month) if isinstance(node, k)), None)


def _date(subject: exp.Expr) -> exp.Expr | None:
    """The date of which an expression has parts, if it is one."""
    found = [node for node in nodes_of(subject) if _part(node) is not None]
    dates = [node.expression if isinstance(node, exp.Extract) else node.this for node in found]
    columns = sum(len(own_columns(date)) for date in dates)
    # The implicit cast, as sqlglot writes it around some of them.
    dates = [date.this if isinstance(date, exp.TsOrDsToDate) else date for date in dates]
    is_one = all(date == dates[0] for date in dates) and columns == len(own_columns(subject))
    return dates[0] if is_one else None


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: may_be_fiscal(subject),
    replace=lambda leaf, around: fiscal_year(leaf, around.session),
)
