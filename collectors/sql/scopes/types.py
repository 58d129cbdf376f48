"""Types of columns, seen through derived tables and common table expressions."""

from __future__ import annotations

from typing import Protocol

from sqlglot import exp

from collectors.sql.scopes.scope import Scope
from collectors.sql.scopes.sources import Source

OutputRef = str | int
"""An output column by lower-case name, or by position."""


class Selects(Protocol):
    """The SELECTs of one statement."""

    def scope(self, select: exp.Select) -> Scope:
        """The scope of a SELECT."""

    def output(self, select: exp.Select, ref: OutputRef) -> exp.Expr | None:
        """What an output column is computed by; None if that is not known."""


class ColumnTypes:
    """The Iceberg types of the columns of one statement."""

    def __init__(self, selects: Selects) -> None:
        self._selects = selects
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
                behind = self._selects.output(query, ref)
                if isinstance(behind, exp.Column):
                    return self._of_column(behind, self._selects.scope(query))
        return None

    def _of_column(self, column: exp.Column, scope: Scope) -> str | None:
        owners = scope.owners(column)
        path = scope.path(column, owners[0]) if len(owners) == 1 else None
        return None if path is None else self.of(owners[0], path)
