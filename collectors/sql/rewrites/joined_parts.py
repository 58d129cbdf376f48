"""Texts that are put together of the parts of one date, compared with a literal, as ranges of the
column: `CAST(year(x) AS varchar) || lpad(CAST(month(x) AS varchar), 2, '0') >= '202611'` and
Trino's `format('%d-%02d', year(x), month(x)) = '2026-11'` say what `date_format` says of the same
text. No engine unwraps them.

Years are written with as many digits as they have. Where a part is null, format() writes that.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Column, Comparison, Predicate, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, cast_to_text
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import (
    FIRST_PADDED_YEAR,
    FormattedTime,
    TextLayout,
    compare_formatted,
)
from collectors.sql.rewrites.date_parts import numbered, year_of
from collectors.sql.rewrites.rewrite import KnownPeriods, Path, Place, Rewrite
from collectors.sql.text.nodes import nodes_that_are

_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY)
_FIELD = re.compile("%(0[1-9]|)d")
_ZERO = exp.Literal.string("0")
_YEAR_DIGITS, _DIGITS = 4, 2
_ABOVE = (Op.GT, Op.GT_EQ, Op.NOT_EQ)

_Piece = str | tuple[exp.Expr, int]
"""A text, or a number that is filled with zeros to so many digits, 0 for one that is not."""


@dataclass(frozen=True, slots=True)
class JoinedParts:
    """The text of a column's year and month, and perhaps day; `writes_null` tells that there is one
    of a null."""

    text: FormattedTime
    writes_null: bool


def may_join_parts(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be such a text, for some literals in it."""
    is_joined = isinstance(expression.unnest(), exp.Concat | exp.DPipe | exp.Format)
    return is_joined and dialect_of(dialect).is_measured


def joined_parts(expression: exp.Expr, place: Place) -> JoinedParts | None:
    """The text that an expression is; None for anything else."""
    expression = expression.unnest()
    if not may_join_parts(expression, place.dialect):
        return None
    texts = ""
    paths: set[Path] = set()
    units: list[Unit] = []
    sizes: list[int] = []
    for piece in _pieces(expression, place.dialect):
        if isinstance(piece, str):
            texts += re.escape(piece)
            continue
        part, size = piece
        found = _part(part, place)
        if found is None or (texts and not units):
            return None
        texts += f"([0-9]{{{_DIGITS if units else _YEAR_DIGITS}}})"
        paths.add(found[0])
        units.append(found[1])
        sizes.append(size)
    count = len(units)
    if len(paths) != 1 or count < 2 or tuple(units) != _UNITS[:count]:
        return None
    year, *others = sizes
    if year not in (0, _YEAR_DIGITS) or any(size != _DIGITS for size in others):
        return None
    unit = units[-1]
    start = PeriodStart(paths.pop(), unit, Yields.DATE)
    layout = TextLayout(re.compile(texts), unit)
    first = dt.MINYEAR if year else FIRST_PADDED_YEAR
    text = FormattedTime(start, layout, first, is_cut=bool(year))
    return JoinedParts(text, bool(nodes_that_are(exp.Format, expression)))


def are_of_one_date(expression: exp.Expr, session: Session) -> bool:
    """Whether an expression is such a text of some column."""
    place = Place(lambda column: (column.sql(),), session, KnownPeriods())
    return joined_parts(expression, place) is not None


def _part(expression: exp.Expr, place: Place) -> tuple[Path, Unit] | None:
    """The column whose year, month or day an expression is, and which of them."""
    year = year_of(expression, place.path_of, place.dialect)
    if year is not None:
        return year, Unit.YEAR
    start = numbered(expression, place.path_of, place.dialect)
    return None if start is None else (start.path, start.unit)


def _pieces(expression: exp.Expr, dialect: str) -> Iterator[_Piece]:
    """What a text is put together of, from left to right."""
    bare = (cast_to_text(expression, dialect) or expression).unnest()
    match bare:
        case exp.Literal(is_string=True):
            yield bare.name
        case exp.Concat(expressions=items) if not bare.args.get("coalesce"):
            for item in items:
                yield from _pieces(item, dialect)
        case exp.DPipe(this=left, expression=right):
            yield from _pieces(left, dialect)
            yield from _pieces(right, dialect)
        case exp.Format(this=exp.Literal() as pattern, expressions=items):
            yield from _formatted(pattern.name, items)
        case exp.Pad(this=number, expression=exp.Literal(is_int=True, this=size)) if (
            bare.args.get("is_left") and bare.args.get("fill_pattern") == _ZERO
        ):
            yield (cast_to_text(number, dialect) or number).unnest(), int(size)
        case _:
            yield bare, 0


def _formatted(pattern: str, numbers: list[exp.Expr]) -> Iterator[_Piece]:
    """What a pattern of whole numbers makes of some."""
    first, *pairs = _FIELD.split(pattern)
    fields = [*zip(pairs[::2], numbers, pairs[1::2], strict=False)]
    is_known = len(fields) == len(numbers) == len(pairs) // 2
    if not is_known or "%" in "".join((first, *pairs[1::2])):
        yield exp.Null(), 0  # no part of a date
        return
    yield first
    for size, number, text in fields:
        yield number.unnest(), int(size or 0)
        yield text


def compare_joined(op: Op, found: JoinedParts, value: LiteralValue, session: Session) -> Predicate:
    """`text op value` as comparisons of the column; raises CannotConvert as for patterns."""
    selected = compare_formatted(op, found.text, value, session)
    if not found.writes_null or op not in _ABOVE:
        return selected
    return any_of(selected, Comparison(Op.IS_NULL, Column(found.text.start.path)))


REWRITE = Rewrite(joined_parts, compare_joined, may_be=may_join_parts, is_text=True)
