"""Name resolution: the scope of each SELECT, which relation a column belongs to, and what stands
behind an output column of a query.

Stars are never expanded in the tree: a name behind a star is looked up in the relations that the
star stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.scopes.relations import (
    FromTree,
    Join,
    Relation,
    alias_columns,
    alias_of,
    array_names,
    comma_join,
    is_comma,
    is_sealed,
    is_within,
    join,
    merged_columns,
    sampled,
)
from prunescope.collectors.sql.scopes.scope import Scope, is_nested
from prunescope.collectors.sql.scopes.tables import name_parts, table_name
from prunescope.collectors.sql.scopes.time_travel import is_selector
from prunescope.collectors.sql.scopes.types import (
    ColumnTypes,
    OutputRef,
    top_level,
    types_in_any_case,
)
from prunescope.collectors.sql.text.ctes import Ctes

ColumnNames = Sequence[str] | Mapping[str, str]
"""The columns of a table in order; as a mapping, with their Iceberg types, and with the fields of
structs by their dotted names."""

# What stands around a table and leaves its rows as they are: ClickHouse's FINAL, which merges rows
# of its own tables and of none in Iceberg, and STREAM of Databricks, which reads them bit by bit.
_WRAPPERS = (exp.Final, exp.Stream)
_Outputs = tuple[dict[str, list[exp.Expr]], list[exp.Expr]]


class Scopes:
    """The scopes of the SELECTs of one statement, each made once.

    `columns` are the columns of the audited tables, in the order of their schemas; `catalog`,
    `schema` and `dialect` are the session's. `types` are those of all their columns.
    """

    def __init__(
        self,
        columns: Mapping[TableName, ColumnNames],
        catalog: str | None,
        schema: str | None,
        dialect: str,
    ) -> None:
        self._tables = {_folded_table(table): (table, columns[table]) for table in columns}
        self.dialect = dialect
        self._fills_nulls = dialect_of(dialect).joins_fill_nulls
        self._catalog = catalog
        self._schema = schema
        self._ctes = Ctes()
        self.types = ColumnTypes(self)
        self._scopes: dict[int, Scope] = {}
        self._names: dict[int, tuple[str, ...] | None] = {}
        self._outputs: dict[int, _Outputs] = {}

    def scope(self, select: exp.Select) -> Scope:
        """The scope of a SELECT of the statement's tree."""
        found = self._scopes.get(id(select))
        if found is None:
            found = self._scopes[id(select)] = self._make(select)
        return found

    def names_of_tables(self, nodes: Iterable[exp.Expr]) -> tuple[frozenset[str], frozenset[str]]:
        """The lower-case columns of the audited tables that the nodes of a statement name, and the
        parts of their own names."""
        columns: set[str] = set()
        parts: set[str] = set()
        for node in nodes:
            if not isinstance(node, exp.Table):
                continue
            name = table_name(node, self._catalog, self._schema, self._ctes)
            known = None if name is None else self._tables.get(_folded_table(name))
            if known is None and name is not None:
                base = self._without_selector(node)
                known = None if base is None else self._tables.get(_folded_table(base))
            if known is not None:
                columns.update(top_level(known[1]))
                parts.update(_folded_table(known[0]))
        return frozenset(columns), frozenset(parts)

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
            stars = self._named_outputs(select)[1]
            if ref < len(items) and not (stars and any(map(_is_star, items[: ref + 1]))):
                return items[ref].unalias()
            names = self.names(select)
            if names is None or ref >= len(names) or names.count(names[ref]) > 1:
                return None
            ref = names[ref]
        named, stars = self._named_outputs(select)
        if ref in named:
            return named[ref][0].unalias() if len(named[ref]) == 1 and ref else None
        behind = [self._behind_star(self.scope(select), star, ref) for star in stars]
        found = [column for column in behind if column is not None]
        return found[0] if len(found) == 1 else None

    def _named_outputs(self, select: exp.Select) -> _Outputs:
        """The output columns of a SELECT by their names, and its stars."""
        found = self._outputs.get(id(select))
        if found is None:
            named: dict[str, list[exp.Expr]] = {}
            for item in select.expressions:
                if not _is_star(item):
                    named.setdefault(_name(item), []).append(item)
            found = self._outputs[id(select)] = named, [*filter(_is_star, select.expressions)]
        return found

    def _behind_star(self, scope: Scope, star: exp.Expr, name: str) -> exp.Column | None:
        if name in _edited_names(star):
            return None
        column = exp.column(exp.to_identifier(name, quoted=True))
        if not isinstance(star, exp.Column):
            owners = scope.owners(column)
            return column if len(owners) == 1 or (owners and scope.is_merged(column)) else None
        qualifier = tuple(part.name.lower() for part in star.parts[:-1])
        relations = [relation for relation in scope.relations if qualifier in relation.qualifiers]
        if len(relations) != 1 or (
            relations[0].names is not None and name not in relations[0].names
        ):
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
        relations = [relation for relation in scope.relations if relation not in scope.hidden]
        if isinstance(star, exp.Column):
            qualifier = tuple(part.name.lower() for part in star.parts[:-1])
            relations = [relation for relation in relations if qualifier in relation.qualifiers]
            if len(relations) != 1:
                return None
        names: list[str] = []
        for relation in relations:
            if relation.names is None:
                return None
            names += relation.names
        return tuple(names)

    def _make(self, select: exp.Select) -> Scope:
        clause = select.args.get("from_")
        joins: list[exp.Join] = select.args.get("joins") or []
        laterals: list[exp.Expr] = select.args.get("laterals") or []
        merged = merged_columns(joins)
        infers = dialect_of(self.dialect).infers_constraints
        if clause is None:
            return Scope(None, merged, is_nested(select), self.types, infers_constraints=infers)
        tree = self._with_joins(self._tree(clause.this), joins, laterals)
        if select.args.get("match") and isinstance(tree, Join):
            tree = replace(tree, is_opaque=True)  # which of its sides the pattern is of is not told
        return Scope(tree, merged, is_nested(select), self.types, infers_constraints=infers)

    def _with_joins(
        self, first: FromTree, joins: Sequence[exp.Join], laterals: Sequence[exp.Expr]
    ) -> FromTree:
        groups = [first]
        for node in joins:
            right = self._arrays(node) if node.kind == "ARRAY" else self._tree(node.this)
            if is_comma(node):
                groups.append(right)
            else:
                groups[-1] = join(groups[-1], right, node, fills_nulls=self._fills_nulls)
        return comma_join([*groups, *map(self._relation, laterals)])

    def _arrays(self, node: exp.Join) -> Relation:
        """The arrays of an ARRAY JOIN, whose elements are columns beside those of relations."""
        names = array_names(node)
        return Relation(node, tuple((name,) for name in names or ()), names)

    def _tree(self, node: exp.Expr) -> FromTree:
        if isinstance(node, _WRAPPERS):
            node = node.this
        is_bracketed_join = isinstance(node, exp.Subquery | exp.Paren) and (
            isinstance(node.this, exp.Table | exp.Paren)
            or (isinstance(node.this, exp.Subquery) and not node.args.get("limit"))
        )
        first = self._bracketed(node) if is_bracketed_join else self._relation(node)
        if node.args.get("sample"):
            first = sampled(first)
        return self._with_joins(
            first, node.args.get("joins") or [], node.args.get("laterals") or []
        )

    def _bracketed(self, node: exp.Expr) -> FromTree:
        """The tree in brackets, with the clauses behind them: `(t) AS o`, `(a JOIN b ON …)`."""
        inner = self._tree(node.this)
        sealed = is_sealed(node) or bool(alias_columns(node))
        if isinstance(inner, Join):
            return replace(inner, is_opaque=inner.is_opaque or sealed)
        qualifiers = ((node.alias.lower(),),) if node.alias else inner.qualifiers
        return replace(inner, qualifiers=qualifiers, is_sealed=inner.is_sealed or sealed)

    def _relation(self, node: exp.Expr) -> Relation:
        if isinstance(node, exp.Table):
            return self._table_relation(node)
        query = node.this if isinstance(node, exp.Lateral) else node
        alias = alias_of(node)
        qualifiers = ((alias,),) if alias else ()
        renames = alias_columns(node)
        if not isinstance(query, exp.Subquery):
            return Relation(node, qualifiers, renames or None)
        return Relation(
            node,
            qualifiers,
            _renamed(self.names(query), renames),
            query=query,
            is_renamed=bool(renames),
            is_sealed=is_sealed(query),
        )

    def _table_relation(self, node: exp.Table) -> Relation:
        alias, renames = alias_of(node), alias_columns(node)
        cte = self._ctes.of(node)
        if cte is not None:
            return self._cte_relation(node, cte)
        name = table_name(node, self._catalog, self._schema, self._ctes)
        if name is None:
            return Relation(node, ((alias or node.name.lower(),),), renames or None)
        full = _folded_table(name)
        qualifiers = ((alias,),) if alias else tuple(full[start:] for start in range(len(full)))
        sealed = is_sealed(node) or bool(renames)
        table, columns = self._tables.get(full, (None, ()))
        base = self._without_selector(node) if table is None else None
        selector = name_parts(node)[-1] if base is not None else ""
        table = table or base
        # Another snapshot may have another schema.
        travels = selector or node.args.get("version") or node.args.get("when")
        if table is None or travels or renames:
            return Relation(
                node, qualifiers, renames or None, table, is_sealed=sealed, selector=selector
            )
        names = tuple(top_level(columns))
        types = types_in_any_case(columns) if isinstance(columns, Mapping) else {}
        return Relation(node, qualifiers, names, table, is_sealed=sealed, types=types)

    def _without_selector(self, node: exp.Table) -> TableName | None:
        """The audited table of which the last part of a name selects a version: only a name that
        is no table's own can be such a one."""
        parts = name_parts(node)[-4:]
        if not dialect_of(self.dialect).selects_by_name or not is_selector(parts[-1]):
            return None
        identifiers = [exp.to_identifier(part, quoted=True) for part in reversed(parts[:-1])]
        keys = ("this", "db", "catalog")[: len(identifiers)]
        base = exp.Table(**dict(zip(keys, identifiers, strict=True)))
        name = table_name(base, self._catalog, self._schema, self._ctes)
        return None if name is None else self._tables.get(_folded_table(name), (None,))[0]

    def _cte_relation(self, node: exp.Table, cte: exp.CTE) -> Relation:
        qualifiers = (alias_of(node) or node.name.lower(),)
        renames, own = alias_columns(node), alias_columns(cte)
        if is_within(node, cte) or not isinstance(cte.this, exp.Query):
            return Relation(node, (qualifiers,), renames or own or None)
        return Relation(
            node,
            (qualifiers,),
            _renamed(_renamed(self.names(cte.this), own), renames),
            query=cte.this,
            is_renamed=bool(renames or own),
            is_sealed=is_sealed(node) or self._ctes.is_recursive(cte),
        )


def written_name(node: exp.Expr) -> str:
    """The alias of a relation, or its name without one."""
    return node.alias or (name_parts(node) or ("",))[-1] if isinstance(node, exp.Table) else ""


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


def _renamed(names: tuple[str, ...] | None, renames: tuple[str, ...]) -> tuple[str, ...] | None:
    if not renames:
        return names
    return renames + (names or ())[len(renames) :]
