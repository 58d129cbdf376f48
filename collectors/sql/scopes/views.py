"""Views, row filters and column masks: what a query reads besides what its text says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from sqlglot import exp

from prunescope.collectors.errors import QueryError, TooComplexSql
from prunescope.collectors.observed import Reference, TableName
from prunescope.collectors.sql.scopes.tables import name_parts, table_name
from prunescope.collectors.sql.text.balance import balance
from prunescope.collectors.sql.text.cost import bounded, copied, visited
from prunescope.collectors.sql.text.ctes import Ctes
from prunescope.collectors.sql.text.parse import parse, parse_condition

# A function that no reading of SQL knows: a condition on it says nothing of the column.
_MASKED = "masked"
_Read = TypeVar("_Read")
# The parts of a table reference that apply to what the reference stands for.
_OUTER_PARTS = ("alias", "joins", "laterals", "pivots", "sample")


def expand_views(
    tree: exp.Query,
    references: Sequence[Reference],
    dialect: str,
    catalog: str | None,
    schema: str | None,
) -> exp.Query:
    """The query with every reference to a view replaced by the view's query, every table with
    row filters by one that has them as conditions, and masked columns hidden from conditions:

        (SELECT * EXCEPT (c), masked(c) AS c FROM t WHERE filter) AS t

    as Trino 482 applies them (StatementAnalyzer): filters see the stored values, the query sees
    the masked ones. `tree` stays as it is.

    A name that a view's text leaves incomplete is the one reference of the query that ends in
    it, or else one of the view's own catalog and schema: logs do not tell where the view was
    created. Where two references to one table differ, as access control may judge the owner of a
    view in place of the user, only the filters of both count, and the masks of either.

    A view whose text cannot be read, that refers to itself or that travels in time stays a
    table. A row filter that cannot be read, or that has queries over tables without catalog and
    schema, is left out. Both only keep more. Raises QueryError for more than 1,000 expansions.
    """
    if not references:
        return tree
    with bounded():
        return _Expansion(references, dialect).within(copied(tree), catalog, schema, ())


class _Expansion:
    """The expansion of one statement."""

    def __init__(self, references: Sequence[Reference], dialect: str) -> None:
        self._references = _by_name(references)
        self._dialect = dialect
        self._ctes = Ctes()
        self._views: dict[str, exp.Query | None] = {}
        self._filters: dict[str, exp.Expr | None] = {}

    def within(
        self, tree: exp.Query, catalog: str | None, schema: str | None, around: tuple[str, ...]
    ) -> exp.Query:
        """Expands the references in `tree`, which is inside the views and filters `around`."""
        for node in list(visited(tree).find_all(exp.Table)):
            name = table_name(node, catalog, schema, self._ctes)
            reference = None if name is None else self._references.get(_key(name))
            if reference is not None:
                self._expand(node, reference, around)
        return tree

    def _expand(self, node: exp.Table, reference: Reference, around: tuple[str, ...]) -> None:
        inside = (*around, _key(reference.name))
        is_repeated = inside[-1] in around
        view = None
        if reference.view_sql is not None:
            is_current = not (node.args.get("version") or node.args.get("when"))
            view = self._view(reference, inside) if is_current and not is_repeated else None
            if view is None:
                return
        conditions = [] if is_repeated else list(self._conditions(reference, inside))
        is_changed = bool(conditions or reference.masked)
        query = _seen(view or node, reference, conditions) if is_changed else view
        if query is not None:
            put_in_place(node, _key(reference.name), query)

    def _view(self, reference: Reference, inside: tuple[str, ...]) -> exp.Query | None:
        own = reference.name
        if reference.view_sql is None or own.catalog is None or not own.namespace:
            return None
        parsed = self._parsed_view(reference.view_sql)
        if parsed is None:
            return None
        query = copied(parsed)
        for node in list(query.find_all(exp.Table)):
            name = table_name(node, own.catalog, ".".join(own.namespace), self._ctes)
            if name is not None:
                complete(node, self._meant(name, name_parts(node), inside))
        return self.within(query, None, None, inside)

    def _meant(self, name: TableName, written: tuple[str, ...], inside: Sequence[str]) -> TableName:
        """The table that a view's text means by a name; `name` is it in the view's schema."""
        if _key(name) in self._references:
            return name
        ending = "." + ".".join(written).casefold()
        others = [
            reference.name
            for key, reference in self._references.items()
            if key.endswith(ending) and key not in inside
        ]
        return others[0] if len(others) == 1 else name

    def _conditions(self, reference: Reference, inside: tuple[str, ...]) -> Iterator[exp.Expr]:
        for text in reference.row_filters:
            condition = self._parsed_filter(text)
            if condition is None:
                continue
            holder = exp.Select(where=exp.Where(this=copied(condition)))
            tables = list(holder.find_all(exp.Table))
            if all(table.catalog and table.db for table in tables):
                yield self.within(holder, None, None, inside).args["where"].this.pop()

    def _parsed_view(self, text: str) -> exp.Query | None:
        if text not in self._views:
            self._views[text] = _or_none(lambda: parse(text, self._dialect))
        return self._views[text]

    def _parsed_filter(self, text: str) -> exp.Expr | None:
        if text not in self._filters:
            self._filters[text] = _or_none(lambda: parse_condition(text, self._dialect))
        return self._filters[text]


def _or_none(read: Callable[[], _Read]) -> _Read | None:
    """The result of `read`, or None for a text that cannot be read. Raises TooComplexSql: a text
    that uses up the query's budget ends the query."""
    try:
        return read()
    except TooComplexSql:
        raise
    except QueryError:
        return None


def _by_name(references: Sequence[Reference]) -> Mapping[str, Reference]:
    found: dict[str, Reference] = {}
    for new in references:
        old = found.get(_key(new.name), new)
        found[_key(new.name)] = Reference(
            old.name,
            old.view_sql or new.view_sql,
            tuple(text for text in old.row_filters if text in new.row_filters),
            tuple(dict.fromkeys((*old.masked, *new.masked))),
        )
    return found


def _key(name: TableName) -> str:
    return str(name).casefold()


def _seen(relation: exp.Expr, reference: Reference, conditions: Sequence[exp.Expr]) -> exp.Select:
    """A table reference, or the query of a view, as access control lets the query see it."""
    if isinstance(relation, exp.Table):
        inner: exp.Expr = exp.Table(
            **{name: value for name, value in relation.args.items() if name not in _OUTER_PARTS}
        ).copy()
    else:
        inner = exp.Subquery(this=relation, alias=_alias(reference.name.table))
    star = exp.Star()
    masks = []
    if reference.masked:
        star.set("except_", [exp.column(_quoted(name)) for name in reference.masked])
        masks = [_mask(name) for name in reference.masked]
    # The star comes first: what follows has no position then, and names of its own.
    query = exp.Select(expressions=[star, *masks], from_=exp.From(this=inner))
    if conditions:
        parts = [exp.paren(condition, copy=False) for condition in conditions]
        query.set("where", exp.Where(this=exp.and_(*parts, copy=False)))
        balance(query)
    return query


def _mask(name: str) -> exp.Alias:
    call = exp.Anonymous(this=_MASKED, expressions=[exp.column(_quoted(name))])
    return exp.Alias(this=call, alias=_quoted(name))


def put_in_place(node: exp.Table, full: str, query: exp.Query) -> None:
    """Puts a query in the place of a table reference, under the same alias. `full` is the whole
    name of the table, in lower case."""
    require_alias(node, full)
    outer = {part: node.args.get(part) for part in _OUTER_PARTS if node.args.get(part)}
    node.replace(exp.Subquery(this=query, **outer))


def complete(node: exp.Table, name: TableName) -> None:
    """Writes the whole name of a table, and keeps the short one as its alias."""
    require_alias(node, _key(name))
    assert name.catalog is not None
    db, *rest = [_quoted(part) for part in (*name.namespace, name.table)]
    node.set("catalog", _quoted(name.catalog))
    node.set("db", db)
    node.set("this", rest[0] if len(rest) == 1 else exp.Dot.build(rest))


def require_alias(node: exp.Table, full: str) -> None:
    """Gives a table its name as an alias, and that to the columns which say `db.t.c`, of a table of
    the `full` name."""
    if node.alias:
        return
    alias = node.parts[-1].name
    columns = node.args.get("alias")
    node.set("alias", _alias(alias, columns.columns if columns is not None else ()))
    select = node.parent_select
    for column in () if select is None else list(select.find_all(exp.Column)):
        qualifier = ".".join(part.name for part in column.parts[:-1]).casefold()
        if column.args.get("db") is not None and f".{full}".endswith(f".{qualifier}"):
            column.set("table", _quoted(alias))
            column.set("db", None)
            column.set("catalog", None)


def _alias(name: str, columns: Sequence[exp.Expr] = ()) -> exp.TableAlias:
    return exp.TableAlias(this=_quoted(name), columns=list(columns))


def _quoted(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)
