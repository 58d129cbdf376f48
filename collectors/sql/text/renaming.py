"""Numbers for the names that a query makes up itself: aliases of tables and columns, common
table expressions, and windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from prunescope.collectors.sql.text.ctes import Ctes
from prunescope.collectors.sql.text.nodes import names_in, nodes_in_depth

# The clauses in which a bare name may be that of an output column of the same SELECT.
_SEE_OUTPUTS = frozenset(("group", "having", "qualify", "order", "sort", "cluster", "distribute"))

# What made the names of output columns.
_Made = dict[str, exp.Identifier]


def number_names(tree: exp.Expr) -> None:
    """Renames in place. Expects names in the case in which they match, and no hints.

    Names of base tables and of their columns stay. So does an alias of which, without schemas,
    it cannot be told whether a bare name means it or a column of a table.
    """
    nodes = nodes_in_depth(tree)
    names = _Names(nodes)
    columns = [(node, *names.resolve(node)) for node in nodes if isinstance(node, exp.Column)]
    for column, relation, length, made in columns:
        parts = column.parts
        if made is not None:
            parts[length].set("this", names.number_of(made))
        if relation is not None:
            parts[0].set("this", names.number_of(relation))
            if length == len(parts) - 1:
                column.set("table", parts[0])
                column.set("db", None)
                column.set("catalog", None)
    names.rename_definitions()
    _number_windows(nodes)


class _Names:
    """The names made in one statement, resolved before any of them changes."""

    def __init__(self, nodes: Sequence[exp.Expr]) -> None:
        self._relations = [node for node in nodes if _is_relation(node)]
        self._made = [identifier for node in nodes for identifier in _made_by(node)]
        self._kept: set[int] = set()
        self._numbers = {id(node): f"#t{index}" for index, node in enumerate(self._relations)}
        self._numbers |= {id(made): f"#c{index}" for index, made in enumerate(self._made)}
        ctes = Ctes()
        self._ctes = {id(n): ctes.of(n) for n in self._relations if isinstance(n, exp.Table)}
        self._outputs: dict[int, _Made] = {}
        self._own: dict[int, _Made] = {}
        self._beside: dict[int, _Made] = {}
        self._of_relation: dict[int, _Made] = {}
        self._by_select: dict[int, list[exp.Expr]] = {}
        self._by_qualifier: dict[tuple[int, tuple[str, ...]], exp.Expr] = {}
        for node in self._relations:
            select = None if isinstance(node, exp.CTE) else node.find_ancestor(exp.Select)
            self._by_select.setdefault(id(select), []).append(node)
            path = _path(node)
            for start in range(len(path)):
                self._by_qualifier.setdefault((id(select), path[start:]), node)

    def number_of(self, named: exp.Expr) -> str:
        """The new name of a relation or of a made column."""
        return named.name if id(named) in self._kept else self._numbers[id(named)]

    def resolve(self, column: exp.Column) -> tuple[exp.Expr | None, int, exp.Identifier | None]:
        """The relation that the column names, with how many of its parts, and what made the name
        of the column: None for what the query did not make or name."""
        parts = names_in(column)
        for length in range(len(parts) - 1, 0, -1):
            relation = self._relation(column, parts[:length])
            if relation is not None:
                return relation, length, self._columns(relation).get(parts[length])
        return None, 0, self._unqualified(column, parts[0])

    def rename_definitions(self) -> None:
        """Gives relations and output columns their numbers."""
        for made in self._made:
            made.set("this", self.number_of(made))
        for relation in self._relations:
            cte = self._ctes.get(id(relation))
            if cte is not None:
                relation.this.set("this", self.number_of(cte))
            alias = relation.args.get("alias") or exp.TableAlias()
            alias.set("this", exp.to_identifier(self.number_of(relation)))
            relation.set("alias", alias)

    def _relation(self, column: exp.Column, qualifier: tuple[str, ...]) -> exp.Expr | None:
        for query, _ in _visible_queries(column):
            relation = self._by_qualifier.get((id(query), qualifier))
            if relation is not None:
                return relation
        return None

    def _unqualified(self, column: exp.Column, name: str) -> exp.Identifier | None:
        is_own = True
        for query, clause in _visible_queries(column):
            if isinstance(query, exp.SetOperation):
                found = self._output(query).get(name) if clause == "order" else None
                if found is not None:
                    return found
                continue
            if id(query) not in self._own:
                self._own[id(query)] = _aliases(query)
            own = self._own[id(query)].get(name)
            if own is not None and is_own and clause in _SEE_OUTPUTS:
                return own
            found = self._in_relations(query).get(name)
            if found is not None and is_own:
                return found
            # It may as well be a column of a table here, or of an outer query.
            self._kept.update(id(made) for made in (own, found) if made is not None)
            is_own = False
        return None

    def _in_relations(self, select: exp.Expr) -> _Made:
        if id(select) not in self._beside:
            found: _Made = {}
            for relation in reversed(self._by_select.get(id(select), ())):
                found |= self._columns(relation)
            self._beside[id(select)] = found
        return self._beside[id(select)]

    def _columns(self, relation: exp.Expr) -> _Made:
        """The identifiers that made the names of a relation's columns, by name."""
        if id(relation) not in self._of_relation:
            cte = self._ctes.get(id(relation))
            found = dict(self._output(relation.this if cte is None else cte.this))
            found |= {} if cte is None else _alias_columns(cte)
            self._of_relation[id(relation)] = found | _alias_columns(relation)
        return self._of_relation[id(relation)]

    def _output(self, query: exp.Expr) -> _Made:
        if id(query) not in self._outputs:
            # A recursive query sees nothing of itself.
            self._outputs[id(query)] = {}
            match query:
                case exp.Select():
                    items = map(self._item, [query] * len(query.expressions), query.expressions)
                    self._outputs[id(query)] = {k: v for item in items for k, v in item.items()}
                case exp.Subquery() | exp.SetOperation():
                    self._outputs[id(query)] = self._output(query.this)
        return self._outputs[id(query)]

    def _item(self, select: exp.Select, item: exp.Expr) -> _Made:
        if isinstance(item, exp.Star):
            return self._in_relations(select)
        if not isinstance(item, exp.Column):
            return _alias_of(item)
        relation, _, made = self.resolve(item)
        if isinstance(item.this, exp.Star):
            return {} if relation is None else self._columns(relation)
        return {} if made is None else {item.name: made}


def _is_relation(node: exp.Expr) -> bool:
    match node:
        case exp.CTE() | exp.Table():
            return True
        case exp.Subquery() | exp.Unnest() | exp.Lateral() | exp.Values():
            is_aliased = isinstance(node.args.get("alias"), exp.TableAlias)
            is_in_from = isinstance(node.parent, exp.From | exp.Join)
            return is_aliased or (is_in_from and not isinstance(node.this, exp.Table))
    return False


def _path(relation: exp.Expr) -> tuple[str, ...]:
    """The names before a column of the relation, from the catalog on."""
    if relation.alias:
        return (relation.alias,)
    return tuple(part.name for part in relation.parts) if isinstance(relation, exp.Table) else ()


def _made_by(node: exp.Expr) -> Iterator[exp.Identifier]:
    match node:
        case exp.Select():
            yield from _aliases(node).values()
        case exp.TableAlias():
            yield from (column for column in node.columns if isinstance(column, exp.Identifier))


def _aliases(select: exp.Expr) -> _Made:
    return {name: made for item in select.expressions for name, made in _alias_of(item).items()}


def _alias_of(item: exp.Expr) -> _Made:
    made = item.args.get("alias") if isinstance(item, exp.Alias) else None
    return {made.name: made} if isinstance(made, exp.Identifier) else {}


def _alias_columns(relation: exp.Expr) -> _Made:
    alias = relation.args.get("alias")
    columns = alias.columns if isinstance(alias, exp.TableAlias) else ()
    return {column.name: column for column in columns if isinstance(column, exp.Identifier)}


def _visible_queries(node: exp.Expr) -> Iterator[tuple[exp.Expr, str]]:
    """The queries whose names are visible at a node, from the inside out, each with its clause
    around the node. What is in a WITH or is a derived table sees nothing beside it."""
    is_hidden = False
    inside: exp.Expr | None = node
    while inside is not None and inside.parent is not None:
        outside = inside.parent
        is_derived = isinstance(inside, exp.Subquery) and isinstance(outside, exp.From | exp.Join)
        is_hidden = is_hidden or is_derived or isinstance(inside, exp.With)
        if isinstance(outside, exp.Select | exp.SetOperation):
            if not is_hidden:
                yield outside, inside.arg_key or ""
            is_hidden = False
        inside = outside


def _number_windows(nodes: Sequence[exp.Expr]) -> None:
    numbers: dict[str, str] = {}
    for window in nodes:
        if not isinstance(window, exp.Window):
            continue
        for name in (window.this, window.args.get("alias")):
            if isinstance(name, exp.Identifier):
                name.set("this", numbers.setdefault(name.name, f"#w{len(numbers)}"))
