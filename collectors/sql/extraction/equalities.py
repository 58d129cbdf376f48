"""Columns that equal each other, by conditions that hold together for joined rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.extraction.casts_joined import UndoneCast, joined_casts
from prunescope.collectors.sql.extraction.inference import Joins, joins_of
from prunescope.collectors.sql.scopes.alike import are_alike, is_exact
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.types import RelationColumn, key_of
from prunescope.collectors.sql.text.boolean import Formula, Leaf


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
