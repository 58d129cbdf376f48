"""Inference of constants through equalities in Spark, which depends on the order of joins.

Spark 4.1 infers once, from the outermost join to the innermost (InferFiltersFromConstraints): a
join lets constants that are known below it through its own equalities. In
`f JOIN o ON f.k = o.k JOIN p ON o.k = p.k` a constant of `f.k` reaches `o.k` in the first join and
`p.k` in the second; one of `p.k` reaches `o.k` in the second, and `f.k` in none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.types import RelationColumn
from prunescope.collectors.sql.text.cost import spend

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
