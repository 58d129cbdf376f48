"""Conditions on the dates that are made of a year, a month and a day, as conditions on these:
Spark's `make_date(y, m, d) >= DATE '2026-02-03'` is `y > 2026 OR y = 2026 AND (m > 2 OR m = 2 AND
d >= 3)`, and so is `CAST(concat(y, '-', m, '-', d) AS date) >= DATE '2026-02-03'` where these are
whole numbers. No engine takes that apart.

Numbers that make no date, as those of 31 February, give null or an error. What is said of an order
holds for such rows as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.sql.conditions.dates_of_sums import day_that_begins
from collectors.sql.conditions.joined_texts import joins_texts, padded, taken_apart
from collectors.sql.conditions.leaf_rewrite import IsValue, LeafRewrite, Replacement
from collectors.sql.conditions.sides import FLIPPED, OR_EQUAL
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import Yields, cast_to_text, period_of
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, own_columns

_DIGITS = 2
_STRICT = {exp.LT: exp.LT, exp.LTE: exp.LT, exp.GT: exp.GT, exp.GTE: exp.GT}
_FORMATTED = re.compile("%(0?4)?d-%(02)?d-%(02)?d")
"""Formats of a year, a month and a day as ISO has them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """A year, a month and a day: of a text if they are `as_texts`, else Spark makes integers of
    them. `cut` are the numbers of which the first two digits are taken, and with `skips_nulls`
    there is a date of some of them alone."""

    numbers: tuple[exp.Expr, ...]
    as_texts: bool = False
    cut: tuple[exp.Expr, ...] = ()
    skips_nulls: bool = False

    @property
    def nulls(self) -> tuple[Leaf, ...]:
        """Rows that have a date though a number is missing."""
        columns = self.numbers if self.skips_nulls else ()
        return tuple(Leaf(exp.Is(this=c.copy(), expression=exp.Null()), False) for c in columns)

    def cut_numbers(self, part: exp.Expr) -> tuple[Leaf, ...]:
        """Rows of which a number says nothing, as it is cut."""
        largest = exp.Literal.number(99)
        is_cut = part in self.cut
        return (Leaf(exp.GT(this=part.copy(), expression=largest), False),) if is_cut else ()


def makes_date(subject: exp.Expr, dialect: str, is_value: IsValue) -> bool:
    """Whether an expression is a date of three numbers."""
    return _parts(subject, dialect, is_value) is not None


def _parts(subject: exp.Expr, dialect: str, is_value: IsValue) -> _Parts | None:
    subject = subject.unnest()
    match subject:
        case exp.Anonymous(this=str() as name, expressions=[_, _, _] as numbers):
            is_known = name.lower() == "make_date" and dialect_of(dialect).is_spark
            return _Parts(tuple(numbers)) if is_known else None
    text = _text_of_date(subject, dialect)
    if text is None:
        return None
    if isinstance(text, exp.Format):
        return _formatted(text, dialect)
    if not joins_texts(text) or not dialect_of(dialect).is_measured:
        return None
    joined = taken_apart(text, dialect, is_value)
    if joined is None or joined.between != ("", "-", "-", ""):
        return None
    made: list[exp.Expr] = []
    cut: list[exp.Expr] = []
    for part in joined.parts:
        bare = (cast_to_text(part, dialect) or part).unnest()
        if isinstance(bare, exp.Pad):
            found = padded(bare, dialect)
            # Of a year, and of what is longer, other digits would be cut.
            if found is None or found[1] != _DIGITS or not made:
                return None
            bare = found[0]
            cut.append(bare)
        if not isinstance(bare, exp.Column | exp.Dot):
            return None
        made.append(bare)
    return _Parts(tuple(made), True, tuple(cut), joined.skips_nulls)


def _text_of_date(subject: exp.Expr, dialect: str) -> exp.Expr | None:
    """The text that is read as a date in the form of ISO; None for anything else."""
    if isinstance(subject, exp.StrToTime) and dialect_of(dialect).is_trino:
        return subject.this.unnest() if subject.text("format") == "%Y-%m-%d" else None
    period = period_of(subject, dialect)
    is_date = period is not None and period[1:] == (Unit.DAY, Yields.DATE)
    return period[0].unnest() if period is not None and is_date else None


def _formatted(text: exp.Format, dialect: str) -> _Parts | None:
    """Trino's format() of three whole numbers, which it never cuts."""
    numbers = [number.unnest() for number in text.expressions]
    are_bare = len(numbers) == 3 and all(isinstance(n, exp.Column | exp.Dot) for n in numbers)
    is_known = dialect_of(dialect).is_trino and _FORMATTED.fullmatch(text.this.name)
    return _Parts(tuple(numbers), as_texts=True) if is_known and are_bare else None


def date_of_parts(leaf: Leaf, session: Session, is_value: IsValue) -> Replacement | None:
    """What a leaf says of the numbers of which it compares the date; None for any other leaf.
    Raises CannotConvert where the other side is no constant."""
    kind, expression = type(leaf.expression), leaf.expression
    if isinstance(expression, exp.Between) and not leaf.negated:
        return _between(expression, session, is_value)
    if kind not in FLIPPED or leaf.negated:
        return None
    subject, constant = expression.this, expression.expression
    if own_columns(constant):
        subject, constant, kind = constant, subject, FLIPPED[kind]
    parts = _parts(subject, session.dialect, is_value)
    if parts is None:
        return None
    date = day_that_begins(constant, session)
    if date is None:
        return None
    numbers = [number if parts.as_texts else _as_integer(number) for number in parts.numbers]
    compared = list(zip(numbers, (date.year, date.month, date.day), strict=True))
    condition = _condition(kind, compared, parts, session)
    if condition is None:
        return None
    # Of equal ones, the date is there; of a text, it may be too short.
    return Replacement(condition, is_all=kind is exp.EQ and not parts.as_texts, is_made=True)


def _between(expression: exp.Between, session: Session, is_value: IsValue) -> Replacement | None:
    """For Trino, to which each end would say no more than which years there are: the numbers that
    both dates have, and the range of the first that they have not. Others are two comparisons."""
    parts = _parts(expression.this, session.dialect, is_value)
    if parts is None or parts.nulls or not dialect_of(session.dialect).is_trino:
        return None
    ends = [day_that_begins(expression.args[name], session) for name in ("low", "high")]
    if None in ends or expression.args.get("symmetric"):
        return None
    low, high = (end.timetuple()[:3] for end in ends if end is not None)
    found: list[Formula] = []
    for part, first, last in zip(parts.numbers, low, high, strict=True):
        range_ = AllOf((_compared(exp.GTE, part, first), _compared(exp.LTE, part, last)))
        same = _compared(exp.EQ, part, first)
        found.append(AnyOf((same if first == last else range_, *parts.cut_numbers(part))))
        if first != last:
            break
    return Replacement(AllOf(tuple(found)), is_all=False, is_made=True)


def _condition(
    kind: type[exp.Expr],
    numbers: Sequence[tuple[exp.Expr, int]],
    parts: _Parts,
    session: Session,
) -> Formula | None:
    nulls = parts.nulls
    if dialect_of(session.dialect).is_trino:
        # It pushes no OR of several columns.
        if nulls:
            return None
        if kind is not exp.EQ:
            return _compared(OR_EQUAL[kind], *numbers[0])
    if kind is exp.EQ:
        each = (
            _any_of(_compared(kind, part, number), *parts.cut_numbers(part))
            for part, number in numbers
        )
        return AnyOf((AllOf(tuple(each)), *nulls))
    cut = (leaf for part, _ in numbers for leaf in parts.cut_numbers(part))
    return AnyOf((_in_order(kind, numbers), *cut, *nulls))


def _any_of(first: Leaf, *others: Leaf) -> Formula:
    """One condition alone fixes a year for those beside it."""
    return AnyOf((first, *others)) if others else first


def _in_order(kind: type[exp.Expr], numbers: Sequence[tuple[exp.Expr, int]]) -> Formula:
    """How the first numbers that differ compare."""
    first, *others = numbers
    if not others:
        return _compared(kind, *first)
    same = AllOf((_compared(exp.EQ, *first), _in_order(kind, others)))
    return AnyOf((_compared(_STRICT[kind], *first), same)) if kind in _STRICT else same


def _compared(kind: type[exp.Expr], part: exp.Expr, number: int) -> Leaf:
    return Leaf(kind(this=part.copy(), expression=exp.Literal.number(number)), negated=False)


def _as_integer(part: exp.Expr) -> exp.Expr:
    return exp.Cast(this=part.copy(), to=exp.DataType.build("int"))


REWRITE = LeafRewrite(
    may_concern=makes_date,
    replace=lambda leaf, around: date_of_parts(leaf, around.session, around.is_value),
)
