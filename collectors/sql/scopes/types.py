"""Types of columns, seen through derived tables and common table expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Protocol

from sqlglot import exp

from prunescope.collectors.sql.conditions.computed_types import NULL, computed_type
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope

OutputRef = str | int
"""An output column by lower-case name, or by position."""

RelationColumn = tuple[Relation, str]
"""A column by its relation and its lower-case name."""


def types_in_any_case(columns: Mapping[str, str]) -> dict[str, str]:
    """The types of a table's columns by lower-case name, without those of names that differ in case
    only."""
    names = Counter(name.lower() for name in columns)
    return {name.lower(): kind for name, kind in columns.items() if names[name.lower()] == 1}


def top_level(columns: Iterable[str]) -> list[str]:
    """The names of columns that are no fields of structs, in lower case."""
    found: set[str] = set()
    for name in columns:
        parts = name.split(".")
        if not any(".".join(parts[:size]) in found for size in range(1, len(parts))):
            found.add(name)
    return [name.lower() for name in columns if name in found]


class Selects(Protocol):
    """The SELECTs of one statement."""

    dialect: str

    def scope(self, select: exp.Select) -> Scope:
        """The scope of a SELECT."""

    def output(self, select: exp.Select, ref: OutputRef) -> exp.Expr | None:
        """The expression that computes an output column; None if that is unknown."""


class ColumnTypes:
    """The Iceberg types of the columns of one statement."""

    def __init__(self, selects: Selects) -> None:
        self._selects = selects
        self._outputs: dict[tuple[int, OutputRef], RelationColumn | None] = {}

    def of(self, relation: Relation, path: tuple[str, ...]) -> str | None:
        """The type of a column of `relation`; None if it is not known, as for nested fields and
        for columns that a query computes."""
        found = self.origin(relation, path)
        return None if found is None else found[0].types.get(found[1])

    def of_output(
        self, query: exp.Expr, ref: OutputRef
    ) -> frozenset[tuple[str | None, str | None]]:
        """The columns behind an output column of a query, in all branches that it unites, as pairs
        of name and type. The name is None for a computed value, the type if it is unknown. NULL is
        left out."""
        match query:
            case exp.Subquery():
                return self.of_output(query.this, ref)
            case exp.SetOperation():
                return self.of_output(query.this, ref) | self.of_output(query.expression, ref)
            case exp.Select():
                behind = self._selects.output(query, ref)
                origin = self.origin_of_output(query, ref)
                if origin is not None:
                    return frozenset({(origin[1], origin[0].types.get(origin[1]))})
                return self._of_computed(behind, self._selects.scope(query))
        return frozenset()

    def _of_computed(
        self, expression: exp.Expr | None, scope: Scope
    ) -> frozenset[tuple[str | None, str | None]]:
        """The pairs of `of_output` for an expression that is no column of a known table."""
        if isinstance(expression, exp.Column):
            behind = self._behind(expression, scope)
            own = frozenset({(expression.name.lower(), None)})
            return own if behind is None else own | self._of_computed(*behind)
        kind = None if expression is None else self._type_in(expression, scope)
        return frozenset() if kind == NULL else frozenset({(None, kind)})

    def _type_in(self, expression: exp.Expr, scope: Scope) -> str | None:
        """The type of an expression in a SELECT, NULL for that of NULL."""

        def type_of(column: exp.Expr) -> str | None:
            if not isinstance(column, exp.Column):
                return None
            key = key_of(column, scope)
            known = None if key is None else self.of(key[0], (key[1],))
            behind = self._behind(column, scope) if known is None else None
            return known if behind is None else self._type_in(*behind)

        return computed_type(expression, Session(self._selects.dialect), type_of)

    def _behind(self, column: exp.Column, scope: Scope) -> tuple[exp.Expr, Scope] | None:
        """The expression by which a query computes a column, and its scope (`computed`)."""
        key = key_of(column, scope)
        return None if key is None else self.computed(*key)

    def computed(self, relation: Relation, name: str) -> tuple[exp.Expr, Scope] | None:
        """The expression by which SELECTs compute a column of a relation, and its scope. None if it
        is unknown, and for columns of no query."""
        if relation.is_sealed or relation.query is None:
            return None
        ref = _ref_in(relation, name)
        return None if ref is None else self._computed(relation.query, ref)

    def _computed(self, query: exp.Expr, ref: OutputRef) -> tuple[exp.Expr, Scope] | None:
        match query:
            case exp.Subquery():
                return self._computed(query.this, ref)
            case exp.Select():
                behind, scope = self._selects.output(query, ref), self._selects.scope(query)
                if not isinstance(behind, exp.Column):
                    return None if behind is None else (behind, scope)
                key = key_of(behind, scope)
                return None if key is None else self.computed(*key)
        return None

    def origin(self, relation: Relation, path: tuple[str, ...]) -> RelationColumn | None:
        """The base column whose values a column of `relation` has: each of them, and nulls where an
        outer join or a grouping fills it. None as for `of`."""
        if len(path) != 1 or relation.is_sealed:
            return None
        name = path[0].lower()
        if relation.query is None:
            return relation, name
        ref = _ref_in(relation, name)
        return None if ref is None else self.origin_of_output(relation.query, ref)

    def origin_of_output(self, query: exp.Expr, ref: OutputRef) -> RelationColumn | None:
        """The base column whose values an output column of a query has, as `origin` has it."""
        key = id(query), ref
        if key not in self._outputs:
            self._outputs[key] = self._find(query, ref)
        return self._outputs[key]

    def _find(self, query: exp.Expr, ref: OutputRef) -> RelationColumn | None:
        match query:
            case exp.Subquery():
                return self.origin_of_output(query.this, ref)
            case exp.Select():
                behind = self._selects.output(query, ref)
                if isinstance(behind, exp.Column):
                    return self._origin_of_column(behind, self._selects.scope(query))
        return None

    def _origin_of_column(self, column: exp.Column, scope: Scope) -> RelationColumn | None:
        owners = scope.owners(column)
        path = scope.path(column, owners[0]) if len(owners) == 1 else None
        return None if path is None else self.origin(owners[0], path)


def key_of(column: exp.Column, scope: Scope) -> RelationColumn | None:
    """The relation's column that a column is; None for a nested field, or if it may be one of
    several."""
    owners = scope.owners(column)
    path = scope.path(column, owners[0]) if len(owners) == 1 else None
    return (owners[0], path[0].lower()) if path is not None and len(path) == 1 else None


def _ref_in(relation: Relation, name: str) -> OutputRef | None:
    """The output column of its query that a relation's column is."""
    if not relation.is_renamed:
        return name
    is_one = relation.names is not None and relation.names.count(name) == 1
    return relation.names.index(name) if relation.names is not None and is_one else None
