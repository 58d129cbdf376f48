"""Name resolution: the scope of each SELECT, which source a column belongs to, and what stands
behind an output column of a query.

Stars are never expanded in the tree: a name behind a star is looked up in the sources that the
star stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from sqlglot import exp

from collectors.predicates.sql_sources import (
    FromTree,
    Source,
    hidden_sources,
    is_comma,
    join,
    sources_of,
)
from collectors.predicates.sql_sources import Join as JoinTree
from collectors.predicates.sql_tables import cte_of, name_parts, table_name
from collectors.queries.observed import TableName

# An output column by lower-case name, or by position.
OutputRef = str | int


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The sources of one SELECT. `merged` are the lower-case columns that USING merges, None if
    a NATURAL join may merge any. A nested scope may name columns of an outer one."""

    tree: FromTree | None
    merged: frozenset[str] | None
    is_nested: bool

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
        is not certainly a column of `source`."""
        owners = self.owners(column)
        if source not in owners or not (len(owners) == 1 or self.is_merged(column)):
            return None
        names = tuple(part.name for part in column.parts)
        return names[_qualifier_length(source, _folded_parts(column)) :]

    def is_merged(self, column: exp.Column) -> bool:
        """Whether USING or NATURAL makes the column one of several sources."""
        return not column.table and (self.merged is None or column.name.lower() in self.merged)


class Scopes:
    """The scopes of the SELECTs of one statement, each made once.

    `columns` are the column names of the audited tables, in the order of their schemas;
    `catalog` and `schema` are the session's.
    """

    def __init__(
        self,
        columns: Mapping[TableName, Sequence[str]],
        catalog: str | None,
        schema: str | None,
    ) -> None:
        self._tables = {_folded_table(table): (table, columns[table]) for table in columns}
        self._catalog = catalog
        self._schema = schema
        self._scopes: dict[int, Scope] = {}
        self._names: dict[int, tuple[str, ...] | None] = {}

    def scope(self, select: exp.Select) -> Scope:
        """The scope of a SELECT of the statement's tree."""
        found = self._scopes.get(id(select))
        if found is None:
            found = self._scopes[id(select)] = self._make(select)
        return found

    def names(self, query: exp.Query) -> tuple[str, ...] | None:
        """The lower-case output columns of a query in order, "" for those without a name; None
        if they are not known."""
        if id(query) not in self._names:
            self._names[id(query)] = self._output_names(query)
        return self._names[id(query)]

    def output(self, select: exp.Select, ref: OutputRef) -> exp.Expr | None:
        """The expression behind an output column, in terms of the scope of `select`; None if
        that cannot be told."""
        items: list[exp.Expr] = select.expressions
        if isinstance(ref, int):
            if ref < len(items) and not any(map(_is_star, items[: ref + 1])):
                return items[ref].unalias()
            names = self.names(select)
            if names is None or ref >= len(names) or names.count(names[ref]) > 1:
                return None
            ref = names[ref]
        named = [item for item in items if not _is_star(item) and _name(item) == ref]
        if len(named) == 1 and ref:
            return named[0].unalias()
        if named:
            return None
        behind = [
            self._behind_star(self.scope(select), star, ref) for star in filter(_is_star, items)
        ]
        found = [column for column in behind if column is not None]
        return found[0] if len(found) == 1 else None

    def _behind_star(self, scope: Scope, star: exp.Expr, name: str) -> exp.Column | None:
        if name in _edited_names(star):
            return None
        column = exp.column(exp.to_identifier(name, quoted=True))
        if not isinstance(star, exp.Column):
            owners = scope.owners(column)
            return column if len(owners) == 1 or (owners and scope.is_merged(column)) else None
        qualifier = tuple(part.name.lower() for part in star.parts[:-1])
        sources = [source for source in scope.sources if qualifier in source.qualifiers]
        if len(sources) != 1 or (sources[0].names is not None and name not in sources[0].names):
            return None
        qualified = star.copy()
        qualified.set("this", column.this)
        return qualified

    def _output_names(self, query: exp.Query) -> tuple[str, ...] | None:
        if isinstance(query, exp.Subquery):
            return self.names(query.this) if isinstance(query.this, exp.Query) else None
        if isinstance(query, exp.SetOperation):
            return None if query.args.get("by_name") else self.names(query.this)
        if not isinstance(query, exp.Select) or query.args.get("kind"):
            return None
        names: list[str] = []
        for item in query.expressions:
            found = self._star_names(query, item) if _is_star(item) else (_name(item),)
            if found is None:
                return None
            names += found
        return tuple(names)

    def _star_names(self, select: exp.Select, star: exp.Expr) -> tuple[str, ...] | None:
        scope = self.scope(select)
        if scope.tree is None or scope.merged != frozenset() or _edited_names(star):
            return None
        sources = [s for s in scope.sources if s not in set(hidden_sources(scope.tree))]
        if isinstance(star, exp.Column):
            qualifier = tuple(part.name.lower() for part in star.parts[:-1])
            sources = [source for source in sources if qualifier in source.qualifiers]
            if len(sources) != 1:
                return None
        names: list[str] = []
        for source in sources:
            if source.names is None:
                return None
            names += source.names
        return tuple(names)

    def _make(self, select: exp.Select) -> Scope:
        clause = select.args.get("from_")
        joins: list[exp.Join] = select.args.get("joins") or []
        laterals: list[exp.Expr] = select.args.get("laterals") or []
        merged = _merged_columns(joins)
        if clause is None:
            return Scope(None, merged, _is_nested(select))
        tree = self._with_joins(self._tree(clause.this), joins, laterals)
        return Scope(tree, merged, _is_nested(select))

    def _with_joins(
        self, first: FromTree, joins: Sequence[exp.Join], laterals: Sequence[exp.Expr]
    ) -> FromTree:
        groups = [first]
        for node in joins:
            right = self._tree(node.this)
            if is_comma(node):
                groups.append(right)
            else:
                groups[-1] = join(groups[-1], right, node)
        tree = groups[0]
        for other in chain(groups[1:], map(self._source, laterals)):
            tree = JoinTree(tree, other, on=())
        return tree

    def _tree(self, node: exp.Expr) -> FromTree:
        is_bracketed_join = isinstance(node, exp.Subquery | exp.Paren) and (
            isinstance(node.this, exp.Table | exp.Paren)
            or (isinstance(node.this, exp.Subquery) and not node.args.get("limit"))
        )
        first = self._tree(node.this) if is_bracketed_join else self._source(node)
        return self._with_joins(
            first, node.args.get("joins") or [], node.args.get("laterals") or []
        )

    def _source(self, node: exp.Expr) -> Source:
        if isinstance(node, exp.Table):
            return self._table_source(node)
        query = node.this if isinstance(node, exp.Lateral) else node
        alias = node.alias.lower()
        qualifiers = ((alias,),) if alias else ()
        renames = _alias_columns(node)
        if not isinstance(query, exp.Subquery):
            return Source(node, qualifiers, renames or None)
        return Source(
            node,
            qualifiers,
            _renamed(self.names(query), renames),
            query=query,
            is_renamed=bool(renames),
            is_sealed=bool(query.args.get("pivots")),
        )

    def _table_source(self, node: exp.Table) -> Source:
        alias, renames = node.alias.lower(), _alias_columns(node)
        qualifiers: tuple[tuple[str, ...], ...]
        is_sealed = bool(node.args.get("pivots"))
        cte = cte_of(node)
        if cte is not None:
            qualifiers = ((alias or node.name.lower(),),)
            own = _alias_columns(cte)
            if _is_within(node, cte) or not isinstance(cte.this, exp.Query):
                return Source(node, qualifiers, renames or own or None)
            names = _renamed(_renamed(self.names(cte.this), own), renames)
            is_renamed = bool(renames or own)
            is_sealed = is_sealed or _is_recursive(cte)
            return Source(node, qualifiers, names, None, cte.this, is_renamed, is_sealed)
        name = table_name(node, self._catalog, self._schema)
        if name is None:
            return Source(node, ((alias or node.name.lower(),),), renames or None)
        full = _folded_table(name)
        table, columns = self._tables.get(full, (None, ()))
        qualifiers = ((alias,),) if alias else tuple(full[start:] for start in range(len(full)))
        # Another snapshot may have another schema.
        is_current = table is not None and not node.args.get("version") and not renames
        names = tuple(column.lower() for column in columns) if is_current else renames or None
        return Source(node, qualifiers, names, table, is_sealed=is_sealed or bool(renames))


def written_name(node: exp.Expr) -> str:
    """The alias of a source, or its name without one."""
    return node.alias or (name_parts(node) or ("",))[-1] if isinstance(node, exp.Table) else ""


def _qualifier_length(source: Source, parts: tuple[str, ...]) -> int:
    """How many leading parts of a column's name are the name of the source."""
    lengths = (len(q) for q in source.qualifiers if len(q) < len(parts) and parts[: len(q)] == q)
    return max(lengths, default=0)


def _folded_parts(column: exp.Column) -> tuple[str, ...]:
    return tuple(part.name.lower() for part in column.parts)


def _folded_table(table: TableName) -> tuple[str, ...]:
    parts = (table.catalog or "", *table.namespace, table.table)
    return tuple(part.lower() for part in parts)


def _is_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star) or (
        isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
    )


def _name(item: exp.Expr) -> str:
    if isinstance(item, exp.Alias | exp.Column):
        return item.alias_or_name.lower()
    return item.expression.name.lower() if isinstance(item, exp.Dot) else ""


def _edited_names(star: exp.Expr) -> frozenset[str]:
    """The names that EXCEPT, REPLACE and RENAME after a star mention."""
    edits = star if isinstance(star, exp.Star) else star.this
    found = (name.name.lower() for name in edits.find_all(exp.Identifier))
    return frozenset(found)


def _alias_columns(node: exp.Expr) -> tuple[str, ...]:
    alias = node.args.get("alias")
    columns = alias.columns if isinstance(alias, exp.TableAlias) else []
    return tuple(column.name.lower() for column in columns)


def _renamed(names: tuple[str, ...] | None, renames: tuple[str, ...]) -> tuple[str, ...] | None:
    if not renames:
        return names
    return renames + (names or ())[len(renames) :]


def _merged_columns(joins: Sequence[exp.Join]) -> frozenset[str] | None:
    if any(node.method.upper() == "NATURAL" for node in joins):
        return None
    return frozenset(name.name.lower() for node in joins for name in node.args.get("using") or [])


def _is_within(node: exp.Expr, ancestor: exp.Expr) -> bool:
    current: exp.Expr | None = node
    while current is not None and current is not ancestor:
        current = current.parent
    return current is ancestor


def _is_recursive(cte: exp.CTE) -> bool:
    return any(cte_of(table) is cte for table in cte.this.find_all(exp.Table))


def _is_nested(query: exp.Expr) -> bool:
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
