"""Views, row filters and column masks: what a query reads besides what its text says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from collectors.errors import QueryError
from collectors.predicates.sql_parse import deep_nesting_refused, parse, parse_condition
from collectors.predicates.sql_tables import table_name
from collectors.queries.observed import Reference, TableName

# Views over views; Trino has no limit, but a loop must end.
_MAX_DEPTH = 32
# A function that no reading of SQL knows: a condition on it says nothing of the column.
_MASKED = "masked"


def expand_views(
    tree: exp.Query,
    references: Sequence[Reference],
    dialect: str,
    catalog: str | None,
    schema: str | None,
) -> exp.Query:
    """The query with every reference to a view replaced by the view's query, every table with
    row filters by one that has them as conditions, and masked columns hidden from conditions.

    Names that a view's text leaves incomplete are those of the view's own catalog and schema. A
    view whose text cannot be read stays a table, and a row filter that cannot be read is left
    out: both only keep more.
    """
    if not references:
        return tree
    by_name = {_key(reference.name): reference for reference in references}
    with deep_nesting_refused():
        return _expanded(tree.copy(), by_name, dialect, (catalog, schema), 0)


def _key(name: TableName) -> str:
    return str(name).casefold()


def _expanded(
    tree: exp.Query,
    references: Mapping[str, Reference],
    dialect: str,
    session: tuple[str | None, str | None],
    depth: int,
) -> exp.Query:
    for node in list(tree.find_all(exp.Table)):
        name = table_name(node, *session)
        reference = None if name is None else references.get(_key(name))
        if reference is None or not _is_plain(node) or depth > _MAX_DEPTH:
            continue
        inner = _view(reference, references, dialect, depth)
        if inner is None:
            inner = exp.select("*").from_(_bare(node))
        inner = _filtered(inner, reference, dialect)
        if inner is not None:
            _replace(node, inner)
    return tree


def _is_plain(node: exp.Table) -> bool:
    """Whether a reference is no more than a name and an alias: samples, pivots and time travel
    are left alone."""
    return all(
        name in ("this", "db", "catalog", "alias", "joins")
        for name, value in node.args.items()
        if value
    )


def _view(
    reference: Reference, references: Mapping[str, Reference], dialect: str, depth: int
) -> exp.Query | None:
    if reference.view_sql is None:
        return None
    try:
        query = parse(reference.view_sql, dialect)
    except QueryError:
        return None
    session = reference.name.catalog, ".".join(reference.name.namespace) or None
    for node in list(query.find_all(exp.Table)):
        name = table_name(node, *session)
        if name is not None:
            _qualify(node, name)
    return _expanded(query, references, dialect, (None, None), depth + 1)


def _qualify(node: exp.Table, name: TableName) -> None:
    """Writes the whole name, and keeps the short one as an alias."""
    if not node.alias:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name, quoted=True)))
    keys = ("this", "db", "catalog")
    parts = [name.table, *reversed(name.namespace), *([name.catalog] if name.catalog else [])]
    if len(parts) <= len(keys):
        for key, part in zip(keys, parts, strict=False):
            node.set(key, _quoted(part))


def _filtered(query: exp.Query, reference: Reference, dialect: str) -> exp.Query | None:
    """The query with the reference's row filters and masks; None if it is a table without."""
    filters = [_condition(text, dialect) for text in reference.row_filters]
    known = [condition for condition in filters if condition is not None]
    if not known and not reference.masked:
        return None if reference.view_sql is None else query
    if reference.view_sql is not None:
        query = exp.select("*").from_(exp.Subquery(this=query, alias=_alias("v")))
    assert isinstance(query, exp.Select)
    for condition in known:
        query = query.where(exp.paren(condition), copy=False)
    for column in reference.masked:
        masked = exp.Anonymous(this=_MASKED, expressions=[exp.column(_quoted(column))])
        query = query.select(exp.alias_(masked, _quoted(column)), copy=False)
    return query


def _condition(text: str, dialect: str) -> exp.Expr | None:
    try:
        return parse_condition(text, dialect)
    except QueryError:
        return None


def _bare(node: exp.Table) -> exp.Table:
    return exp.Table(**{key: node.args.get(key) for key in ("this", "db", "catalog")}).copy()


def _replace(node: exp.Table, query: exp.Query) -> None:
    alias = node.args.get("alias") or _alias(node.name)
    derived = exp.Subquery(this=query, alias=alias.copy())
    for join in node.args.get("joins") or ():
        derived.append("joins", join.copy())
    node.replace(derived)


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=_quoted(name))


def _quoted(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)
