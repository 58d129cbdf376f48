"""Conditions on numbers whose digits are those of several columns, as conditions on these: `y *
10000 + m * 100 + d >= 20260203` is `y > 2026 OR y = 2026 AND (m > 2 OR m = 2 AND d >= 3)` where m
and d have two digits. No engine takes such a sum apart.

The types of the columns are not known here. Fractions are covered: `y = 2026` is `y > 2025 AND
y <= 2026` in the ranges that end below, and `y >= 2026 AND y < 2027` in those that end above. Rows
whose numbers have more digits than there is room for are left in, and so are those of which Spark
wraps the sum around. (Trino raises an error there.) Sums of singles are rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import Around, LeafRewrite, Replacement
from collectors.sql.constants.folding import fold
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, own_columns
from collectors.sql.text.sums import summands, with_factor

_LARGEST = 2**31 - 1
_MIN_ROOM = 10
_MAX_PARTS = 4
_SIGNS = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


@dataclass(frozen=True, slots=True, eq=False)
class _Sum:
    """Columns, each with what it is multiplied with: the largest first, the last one with 1."""

    columns: tuple[exp.Expr, ...]
    weights: tuple[int, ...]

    def digits(self, number: int) -> list[int]:
        """What each column has where their sum is a number."""
        found = []
        for weight in self.weights:
            digit, number = divmod(number, weight)
            found.append(digit)
        return found

    @property
    def others(self) -> list[Formula]:
        """Rows of which the order of the columns says nothing."""
        found: list[Formula] = []
        rooms = zip(self.columns[1:], pairwise(self.weights), strict=True)
        for column, (above, weight) in rooms:
            found += _outside(column, 0, above // weight - 1)
        last = _LARGEST // self.weights[0] - 1
        return [*found, *_outside(self.columns[0], -last, last)]


def weighted_sum(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the columns whose digits it compares; None for any other leaf. Raises
    CannotConvert where the other side is no constant."""
    expression = leaf.expression
    is_known = dialect_of(around.session.dialect).is_measured
    is_list = isinstance(expression, exp.In) and bool(expression.expressions)
    if leaf.negated or not is_known or not (is_list or isinstance(expression, _SIGNS)):
        return None
    subject = expression.this.unnest()
    found = _sum(subject) if isinstance(subject, exp.Add) else None
    if found is None or any(around.type_of(column) == "float" for column in found.columns):
        return None
    others = expression.expressions if is_list else [expression.expression]
    if any(own_columns(other) for other in others):
        return None
    values = [fold(other, around.session) for other in others]
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool) and v >= 0]
    if len(numbers) < len(values):
        return None
    kind = exp.EQ if is_list else type(expression)
    arms = [_compared(kind, found, number) for number in numbers]
    return Replacement(AnyOf((*arms, *found.others)), is_all=False, is_made=True)


def _sum(subject: exp.Add) -> _Sum | None:
    parts = [_part(summand) for summand in summands(subject)]
    known = sorted((part for part in parts if part is not None), key=lambda part: -part[1])
    if len(known) < len(parts) or not 2 <= len(known) <= _MAX_PARTS:
        return None
    columns, weights = zip(*known, strict=True)
    has_room = all(
        above % weight == 0 and above // weight >= _MIN_ROOM for above, weight in pairwise(weights)
    )
    are_distinct = all(first != second for first, second in pairwise(sorted(columns, key=str)))
    return _Sum(columns, weights) if has_room and weights[-1] == 1 and are_distinct else None


def _part(summand: exp.Expr) -> tuple[exp.Expr, int] | None:
    """A column and what it is multiplied with."""
    column, factor = with_factor(summand)
    is_bare = isinstance(column, exp.Column | exp.Dot)
    return (column, factor) if is_bare and factor > 0 else None


def _compared(kind: type[exp.Expr], found: _Sum, number: int) -> Formula:
    digits = found.digits(number)
    match kind:
        case exp.GT | exp.GTE:
            return _from(kind, found.columns, digits)
        case exp.LT | exp.LTE:
            return _until(kind, found.columns, digits)
    ends = _from(exp.GTE, found.columns, digits), _until(exp.LTE, found.columns, digits)
    return AllOf(ends)


def _from(kind: type[exp.Expr], columns: Sequence[exp.Expr], digits: Sequence[int]) -> Formula:
    """Where the columns have these digits or more."""
    column, digit = columns[0], digits[0]
    if len(columns) == 1:
        return _leaf(kind, column, digit)
    same = AllOf((_leaf(exp.GT, column, digit - 1), _from(kind, columns[1:], digits[1:])))
    return AnyOf((_leaf(exp.GT, column, digit), same))


def _until(kind: type[exp.Expr], columns: Sequence[exp.Expr], digits: Sequence[int]) -> Formula:
    """Where the columns have these digits or less."""
    column, digit = columns[0], digits[0]
    if len(columns) == 1:
        return _leaf(kind, column, digit)
    same = AllOf((_leaf(exp.LT, column, digit + 1), _until(kind, columns[1:], digits[1:])))
    return AnyOf((_leaf(exp.LT, column, digit), same))


def _outside(column: exp.Expr, first: int, last: int) -> list[Formula]:
    return [_leaf(exp.LT, column, first), _leaf(exp.GT, column, last)]


def _leaf(kind: type[exp.Expr], column: exp.Expr, number: int) -> Leaf:
    return Leaf(kind(this=column.copy(), expression=exp.Literal.number(number)), negated=False)


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: isinstance(subject.unnest(), exp.Add),
    replace=weighted_sum,
)
