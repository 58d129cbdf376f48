"""The scope of one SELECT: which relation a column belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp

from prunescope.collectors.sql.scopes.comparable_types import are_alike
from prunescope.collectors.sql.scopes.relations import (
    FromTree,
    Relation,
    fills_left,
    hidden_relations,
    merged_owner,
    outer_conditions,
    relations_of,
)
from prunescope.collectors.sql.text.boolean import Formula, leaves, nested_queries, own_columns
from prunescope.collectors.sql.text.nodes import names_in


@dataclass(frozen=True, slots=True)
class Reads:
    """The columns that a condition reads outside nested queries, in order, and the relations that
    these may belong to. `has_constant` tells of a part without any column, `has_query` of nested
    queries, and `is_placed` that every column belongs to some relation."""

    columns: tuple[exp.Column, ...]
    relations: frozenset[Relation]
    has_constant: bool
    has_query: bool
    is_placed: bool


class Types(Protocol):
    """The Iceberg types of columns."""

    def of(self, relation: Relation, path: tuple[str, ...]) -> str | None:
        """The type of a column of `relation`; None if it is not known."""

    def computed(self, relation: Relation, name: str) -> tuple[exp.Expr, Scope] | None:
        """The expression by which a query computes a column, and its scope; None if unknown."""


class Scope:
    """The relations of one SELECT, from left to right. `merged` are the lower-case columns that
    USING merges, None if a NATURAL join may merge any. A nested scope may name columns of an
    outer one. `types` are those of the whole statement, `infers_constraints` is a fact of its
    dialect.

    What was found is kept: a condition is looked at for every relation of the SELECT."""

    def __init__(
        self,
        tree: FromTree | None,
        merged: frozenset[str] | None,
        is_nested: bool,
        types: Types,
        *,
        infers_constraints: bool = False,
    ) -> None:
        self.tree = tree
        self.infers_constraints = infers_constraints
        self.merged = merged
        self.is_nested = is_nested
        self.types = types
        self.relations = () if tree is None else tuple(relations_of(tree))
        self.hidden = frozenset(() if tree is None else hidden_relations(tree))
        self._fills_left = tree is not None and fills_left(tree)
        self._keeps_any = tree is not None and any(True for _ in outer_conditions(tree))
        self._unknown = tuple(relation for relation in self.relations if relation.names is None)
        self._by_qualifier: dict[tuple[str, ...], list[Relation]] = {}
        self._by_name: dict[str, list[Relation]] = {}
        for relation in self.relations:
            for qualifier in dict.fromkeys(relation.qualifiers):
                self._by_qualifier.setdefault(qualifier, []).append(relation)
            for name in dict.fromkeys(relation.names or ()):
                self._by_name.setdefault(name, []).append(relation)
        self._owners: dict[tuple[str, ...], tuple[Relation, ...]] = {}
        self._reads: dict[Formula, Reads] = {}

    def reads(self, condition: Formula) -> Reads:
        """The columns and relations that a condition reads, found once."""
        found = self._reads.get(condition)
        if found is None:
            found = self._reads[condition] = self._read(condition)
        return found

    def concerns(self, condition: Formula, relation: Relation) -> bool:
        """True if a condition can restrict a relation: it names the relation, or has a part that is
        the same for every row."""
        reads = self.reads(condition)
        return reads.has_constant or relation in reads.relations

    def _read(self, condition: Formula) -> Reads:
        expressions = [leaf.expression for leaf in leaves(condition)]
        by_leaf = [own_columns(expression) for expression in expressions]
        columns = tuple(column for found in by_leaf for column in found)
        owners = [self.owners(column) for column in columns]
        return Reads(
            columns,
            frozenset(relation for found in owners for relation in found),
            has_constant=not all(by_leaf),
            has_query=any(map(nested_queries, expressions)),
            is_placed=all(owners),
        )

    def owners(self, column: exp.Column) -> tuple[Relation, ...]:
        """The relations that the column may belong to: several if it is merged or ambiguous, none
        if it belongs to an outer query or cannot be placed."""
        return self._owners_of(names_in(column))

    def _owners_of(self, names: tuple[str, ...]) -> tuple[Relation, ...]:
        found = self._owners.get(names)
        if found is None:
            found = self._owners[names] = self._find_owners(_folded(names))
        return found

    def _find_owners(self, parts: tuple[str, ...]) -> tuple[Relation, ...]:
        paths = (parts[:length] for length in range(1, len(parts)))
        found = {relation for path in paths for relation in self._by_qualifier.get(path, ())}
        if found:
            return tuple(relation for relation in self.relations if relation in found)
        known = self._by_name.get(parts[0])
        if known:
            shown = tuple(one for one in known if one not in self.hidden) or tuple(known)
            return self._merged_by_outer_joins(parts[0], shown)
        if self._unknown:
            return self._unknown if len(self._unknown) == 1 and len(parts) == 1 else ()
        return self.relations if len(self.relations) == 1 and not self.is_nested else ()

    def _merged_by_outer_joins(
        self, name: str, owners: tuple[Relation, ...]
    ) -> tuple[Relation, ...]:
        """The owner whose value a column merged by outer joins has; the other owners equal it for
        rows with a partner. All owners if the column may be converted, or has no single owner."""
        if len(owners) < 2 or self.tree is None or not self._keeps_any:
            return owners
        types = [self.types.of(owner, (name,)) for owner in owners]
        is_merged = self.merged is None or name in self.merged
        if not is_merged or not are_alike(kind for kind in types if kind is not None):
            return owners
        owner = merged_owner(self.tree, owners)
        return owners if owner is None else (owner,)

    def path(self, column: exp.Column, relation: Relation) -> tuple[str, ...] | None:
        """The column's name in `relation`, as written, and the nested fields after it; None if it
        does not certainly have the value of that column.

        A merged column has the value of each of its owners, if these have one type, which is
        assumed of tables that are not audited; else that of the left one, unless an outer join
        may fill it with another's.
        """
        names = names_in(column)
        owners = self._owners_of(names)
        if relation not in owners:
            return None
        if len(owners) > 1 and not self._has_value_of(relation, owners, column):
            return None
        return names[_qualifier_length(relation, _folded(names)) :]

    def _has_value_of(
        self, relation: Relation, owners: tuple[Relation, ...], column: exp.Column
    ) -> bool:
        if not self.is_merged(column):
            return False
        types = [self.types.of(owner, (column.name,)) for owner in owners]
        if are_alike(found for found in types if found is not None):
            return True
        return relation is owners[0] and not self._fills_left

    def is_merged(self, column: exp.Column) -> bool:
        """True if USING or NATURAL makes the column one of several relations."""
        return not column.table and (self.merged is None or column.name.lower() in self.merged)


def _qualifier_length(relation: Relation, parts: tuple[str, ...]) -> int:
    """The number of leading parts of a column's name that are the name of the relation."""
    lengths = (len(q) for q in relation.qualifiers if len(q) < len(parts) and parts[: len(q)] == q)
    return max(lengths, default=0)


def _folded(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)


def is_nested(query: exp.Expr) -> bool:
    """True if a query stands in an expression or LATERAL, where it sees an outer scope."""
    inner: exp.Expr = query
    while inner.parent is not None:
        outer = inner.parent
        if not isinstance(outer, exp.Query | exp.From | exp.Join | exp.CTE | exp.With):
            return True
        if isinstance(outer, exp.Select) and inner.arg_key == "expressions":
            return True
        inner = outer
    return False
