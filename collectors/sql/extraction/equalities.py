"""Columns that equal each other, by conditions that hold together for joined rows.

All arms of an OR may have an equality: `(a.k = b.k AND p) OR (a.k = b.k AND q)` is
`a.k = b.k AND (p OR q)`, as Spark has it before it infers anything.

Spark 4.1 infers constants once, from the outermost join to the innermost
(InferFiltersFromConstraints): a join lets constants that are known below it through its own
equalities. In `f JOIN o ON f.k = o.k JOIN p ON o.k = p.k` a constant of `f.k` reaches `o.k` in the
first join and `p.k` in the second; one of `p.k` reaches `o.k` in the second, and `f.k` in none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.extraction.casts_joined import UndoneCast, joined_casts
from prunescope.collectors.sql.scopes.comparable_types import are_alike, is_exact
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.types import RelationColumn, key_of
from prunescope.collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, conjuncts_of
from prunescope.collectors.sql.text.cost import spend

_Sides = frozenset[exp.Expr]


def factored(condition: Formula) -> tuple[Formula, ...]:
    """Conjuncts that together are equivalent to a condition, such equalities among them."""
    if not isinstance(condition, AnyOf):
        return (condition,)
    arms = [tuple(conjuncts_of(arm)) for arm in condition.parts]
    spend(len(arms))
    common = dict(_equalities(arms[0]))
    for arm in arms[1:] if common else ():
        others = dict(_equalities(arm))
        common = {sides: part for sides, part in common.items() if sides in others}
    if not common:
        return (condition,)
    rest = [tuple(part for part in arm if _sides(part) not in common) for arm in arms]
    found = tuple(common.values())
    return (*found, AnyOf(tuple(map(AllOf, rest)))) if all(rest) else found


def _equalities(conjuncts: tuple[Formula, ...]) -> Iterator[tuple[_Sides, Formula]]:
    for part in conjuncts:
        sides = _sides(part)
        if sides is not None:
            yield sides, part


def _sides(condition: Formula) -> _Sides | None:
    """The sides of an equality without constants, which are alike in all texts of a template."""
    match condition:
        case Leaf(exp.EQ(this=left, expression=right) as found, False):
            return None if found.find(exp.Literal) else frozenset({left, right})
    return None


Tied = Mapping[RelationColumn, Sequence[RelationColumn]]
"""The columns and casts that equal each column, so that conditions on it hold for them."""

Joins = Sequence[Sequence[tuple[RelationColumn, RelationColumn]]]
"""Pairs of a column and one that equals it, by join, from the innermost to the outermost."""


def inferred(column: RelationColumn, joins: Joins) -> set[RelationColumn]:
    """The columns for which Spark infers the conditions on `column`."""
    found = {column}
    for equal in joins:
        spend(len(equal))
        found |= {other for held, other in equal if held in found}
    return found


def since(relations: Collection[Relation], joins: Joins) -> Joins:
    """The joins from the first one on that has all of some relations below it."""
    left = set(relations)
    for number, equal in enumerate(joins):
        spend(len(equal))
        left -= {column[0] for pair in equal for column in pair}
        if not left:
            return joins[number:]
    return ()


def joins_of(tied: Tied, relations: Sequence[Relation]) -> Joins:
    """The joins of a query whose relations from left to right are `relations`. Spark joins next
    what is compared with one before it, or else what follows (ReorderJoin)."""
    near: dict[Relation, set[Relation]] = {}
    for column, others in tied.items():
        for other in others:
            near.setdefault(column[0], set()).add(other[0])
            near.setdefault(other[0], set()).add(column[0])
    left = dict.fromkeys(relation for relation in relations if relation in near)
    number: dict[Relation, int] = {}
    while left:
        spend(len(left))
        compared = (each for each in left if near[each] & number.keys())
        following = next(compared, None) or next(iter(left))
        number[following] = len(number)
        del left[following]
    joins: list[list[tuple[RelationColumn, RelationColumn]]] = [[] for _ in number]
    for column, others in tied.items():
        for other in others:
            joins[max(number[column[0]], number[other[0]])].append((column, other))
    return joins


@dataclass(frozen=True, slots=True, eq=False)
class Equalities:
    """A reference to each equated column, the columns `tied` to it directly, and its class of equal
    columns. For Spark, also casts that equal a column, by their keys, and the joins along which it
    infers conditions."""

    columns: Mapping[RelationColumn, exp.Column]
    tied: Mapping[RelationColumn, Sequence[RelationColumn]]
    classes: Mapping[RelationColumn, Sequence[RelationColumn]]
    casts: Mapping[RelationColumn, UndoneCast]
    joins: Joins

    def expression(self, key: RelationColumn) -> exp.Expr:
        """The column or cast of a key."""
        cast = self.casts.get(key)
        return self.columns[key] if cast is None else cast.expression


def equalities(conditions: Sequence[Formula], scope: Scope) -> Equalities:
    """The equalities among conditions."""
    columns: dict[RelationColumn, exp.Column] = {}
    tied: dict[RelationColumn, list[RelationColumn]] = {}
    for condition in conditions:
        match condition:
            case Leaf(
                expression=exp.EQ(this=exp.Column() as left, expression=exp.Column() as right),
                negated=False,
            ):
                first, second = key_of(left, scope), key_of(right, scope)
                if first is None or second is None or not _is_transparent(first, second, scope):
                    continue
                columns.setdefault(first, left)
                columns.setdefault(second, right)
                tied.setdefault(first, []).append(second)
                tied.setdefault(second, []).append(first)
    classes = _classes(tied)
    casts: dict[RelationColumn, UndoneCast] = {}
    if not scope.infers_constraints:
        return Equalities(columns, tied, classes, casts, ())
    for cast, column in (found for each in conditions for found in joined_casts(each, scope)):
        casts[cast.key] = cast
        tied.setdefault(column, []).append(cast.key)
    return Equalities(columns, tied, classes, casts, joins_of(tied, scope.relations))


def _classes(
    tied: Mapping[RelationColumn, Sequence[RelationColumn]],
) -> dict[RelationColumn, list[RelationColumn]]:
    """The columns that are tied to each, directly or through others: one list for all of them."""
    classes: dict[RelationColumn, list[RelationColumn]] = {}
    for start in tied:
        if start in classes:
            continue
        classes[start] = together = [start]
        for key in together:  # which grows
            for other in tied[key]:
                if other not in classes:
                    classes[other] = together
                    together.append(other)
    return classes


def _is_transparent(left: RelationColumn, right: RelationColumn, scope: Scope) -> bool:
    """True if equal columns hold the same value: their known types are exact and alike."""
    found = [scope.types.of(relation, (name,)) for relation, name in (left, right)]
    types = [kind for kind in found if kind is not None]
    return all(map(is_exact, types)) and are_alike(types)
