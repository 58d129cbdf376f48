"""The scope of one SELECT: which source a column belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.sql_sources import (
    FromTree,
    Source,
    fills_left,
    hidden_sources,
    sources_of,
)
from collectors.predicates.sql_types import ColumnTypes, are_alike


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The sources of one SELECT. `merged` are the lower-case columns that USING merges, None if
    a NATURAL join may merge any. A nested scope may name columns of an outer one. `types` are
    those of the whole statement."""

    tree: FromTree | None
    merged: frozenset[str] | None
    is_nested: bool
    types: ColumnTypes

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources from left to right."""
        return () if self.tree is None else tuple(sources_of(self.tree))

    def owners(self, column: exp.Column) -> tuple[Source, ...]:
        """The sources that the column may belong to: several if it is merged or ambiguous, none
        if it belongs to an outer query or cannot be placed."""
        parts = _folded_parts(column)
        sources = self.sources
        qualified = tuple(source for source in sources if _qualifier_length(source, parts))
        if qualified:
            return qualified
        hidden = set(hidden_sources(self.tree)) if self.tree is not None else set()
        known = [source for source in sources if source.names and parts[0] in source.names]
        if known:
            return tuple(source for source in known if source not in hidden) or tuple(known)
        unknown = tuple(source for source in sources if source.names is None)
        if unknown:
            return unknown if len(unknown) == 1 and len(parts) == 1 else ()
        return sources if len(sources) == 1 and not self.is_nested else ()

    def path(self, column: exp.Column, source: Source) -> tuple[str, ...] | None:
        """The column's name in `source`, as written, and the nested fields after it; None if it
        does not certainly have the value of that column.

        A merged column has the value of each of its owners, if these have one type, which is
        assumed of tables that are not audited; else that of the left one, unless an outer join
        may fill it with another's.
        """
        owners = self.owners(column)
        if source not in owners:
            return None
        if len(owners) > 1 and not self._has_value_of(source, owners, column):
            return None
        names = tuple(part.name for part in column.parts)
        return names[_qualifier_length(source, _folded_parts(column)) :]

    def _has_value_of(self, source: Source, owners: tuple[Source, ...], column: exp.Column) -> bool:
        if not self.is_merged(column):
            return False
        types = [self.types.of(owner, (column.name,)) for owner in owners]
        if are_alike(found for found in types if found is not None):
            return True
        return source is owners[0] and self.tree is not None and not fills_left(self.tree)

    def is_merged(self, column: exp.Column) -> bool:
        """Whether USING or NATURAL makes the column one of several sources."""
        return not column.table and (self.merged is None or column.name.lower() in self.merged)


def _qualifier_length(source: Source, parts: tuple[str, ...]) -> int:
    """How many leading parts of a column's name are the name of the source."""
    lengths = (len(q) for q in source.qualifiers if len(q) < len(parts) and parts[: len(q)] == q)
    return max(lengths, default=0)


def _folded_parts(column: exp.Column) -> tuple[str, ...]:
    return tuple(part.name.lower() for part in column.parts)


def is_nested(query: exp.Expr) -> bool:
    """Whether a query stands in an expression or LATERAL, where it sees an outer scope."""
    inner: exp.Expr = query
    while inner.parent is not None:
        outer = inner.parent
        if not isinstance(outer, exp.Query | exp.From | exp.Join | exp.CTE | exp.With):
            return True
        if isinstance(outer, exp.Select) and inner.arg_key == "expressions":
            return True
        inner = outer
    return False
