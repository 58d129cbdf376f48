"""Types of columns, seen through derived tables and common table expressions.

Engines compare columns of different types by converting one of them, so that what holds for one
need not hold for the other: in DuckDB, `a.s = b.i AND b.i = '5'` finds a row with s = '05'.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlglot import exp

from collectors.predicates.sql_sources import Source
from collectors.types import is_floating, physical

if TYPE_CHECKING:
    from collectors.predicates.sql_scope import Scope
    from collectors.predicates.sql_scopes import OutputRef, Scopes

_WHOLE_NUMBERS = frozenset(("int", "long"))


class ColumnTypes:
    """The Iceberg types of the columns of one statement."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._outputs: dict[tuple[int, OutputRef], str | None] = {}

    def of(self, source: Source, path: tuple[str, ...]) -> str | None:
        """The type of a column of `source`; None if it is not known, as for nested fields and
        for columns that a query computes."""
        if len(path) != 1 or source.is_sealed:
            return None
        name = path[0].lower()
        if source.query is None:
            return source.types.get(name)
        if not source.is_renamed:
            return self._of_output(source.query, name)
        is_one = source.names is not None and source.names.count(name) == 1
        position = source.names.index(name) if source.names is not None and is_one else None
        return None if position is None else self._of_output(source.query, position)

    def _of_output(self, query: exp.Expr, ref: OutputRef) -> str | None:
        key = id(query), ref
        if key not in self._outputs:
            self._outputs[key] = self._find(query, ref)
        return self._outputs[key]

    def _find(self, query: exp.Expr, ref: OutputRef) -> str | None:
        match query:
            case exp.Subquery():
                return self._of_output(query.this, ref)
            case exp.Select():
                behind = self._scopes.output(query, ref)
                if isinstance(behind, exp.Column):
                    return self._of_column(behind, self._scopes.scope(query))
        return None

    def _of_column(self, column: exp.Column, scope: Scope) -> str | None:
        owners = scope.owners(column)
        path = scope.path(column, owners[0]) if len(owners) == 1 else None
        return None if path is None else self.of(owners[0], path)


def are_alike(types: Iterable[str]) -> bool:
    """Whether columns of these types are compared without converting any value."""
    distinct = frozenset(types)
    return len(distinct) <= 1 or distinct <= _WHOLE_NUMBERS


def is_exact(type_name: str) -> bool:
    """Whether equal values of a type are the same value: not floats (0.0 = -0.0)."""
    return physical(type_name) is not None and not is_floating(type_name)
