"""Views, temporary tables and caches that earlier statements of a text have defined."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from prunescope.collectors.sql.scopes.tables import table_name
from prunescope.collectors.sql.scopes.views import complete, put_in_place, require_alias
from prunescope.collectors.sql.text.cost import bounded, copied, visited
from prunescope.collectors.sql.text.ctes import Ctes
from prunescope.collectors.sql.text.definitions import Definition, Definitions, Name, name_of


def with_definitions(
    tree: exp.Query, definitions: Definitions, catalog: str | None, schema: str | None
) -> exp.Query:
    """The query with every reference to a view that was defined before it replaced by the view's
    query, and those to other names that were defined by functions of nothing that is known: no
    catalog is to be asked for them. `catalog` and `schema` are the session's; `tree` stays as it
    is.

    A name in a view means what it does when the view is read, if it was defined when the view was.
    Raises QueryError for views that double each other.
    """
    if not definitions:
        return tree
    with bounded():
        return _Expansion(definitions, catalog, schema).within(copied(tree), definitions, ())


class _Expansion:
    """The expansion of one statement."""

    def __init__(self, definitions: Definitions, catalog: str | None, schema: str | None) -> None:
        self._definitions = definitions
        self._session = catalog, schema
        self._ctes = Ctes()

    def within(
        self, tree: exp.Query, known: Collection[Name], around: tuple[Name, ...]
    ) -> exp.Query:
        """Replaces those of the `known` names in `tree`, which is inside the views `around`."""
        for node in list(visited(tree).find_all(exp.Table)):
            name = name_of(node)
            if name in known and self._ctes.of(node) is None:
                definition = self._definitions.get(name)
                query = None
                if definition is not None and name not in around:
                    query = self._view(definition, (*around, name))
                if query is None:
                    _make_unknown(node)
                else:
                    put_in_place(node, ".".join(name), query)
        return tree

    def _view(self, view: Definition, around: tuple[Name, ...]) -> exp.Query | None:
        """The query of a view; None for rows that are nowhere, and for a view whose tables can be
        told no more in another session."""
        if view.query is None or view.is_cached:
            return None
        query = copied(view.query)
        if (view.catalog, view.schema) != self._session:
            for node in list(query.find_all(exp.Table)):
                name = table_name(node, view.catalog, view.schema, self._ctes)
                if name is None or name_of(node) in view.known:
                    continue
                if name.catalog is None or not name.namespace:
                    return None
                complete(node, name)
        query = self.within(query, view.known, around)
        if not view.columns:
            return query
        columns = [exp.to_identifier(column, quoted=True) for column in view.columns]
        alias = exp.TableAlias(this=exp.to_identifier(around[-1][-1], quoted=True), columns=columns)
        inner = exp.From(this=exp.Subquery(this=query, alias=alias))
        return exp.Select(expressions=[exp.Star()], from_=inner)


def _make_unknown(node: exp.Table) -> None:
    """Makes a table a function of nothing that is known, under the same alias."""
    require_alias(node, ".".join(name_of(node)))
    node.set("this", exp.Anonymous(this="unknown"))
    for part in ("db", "catalog"):
        node.set(part, None)
