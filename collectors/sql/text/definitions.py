"""Names that a statement of a text defines for those after it: views, temporary tables, caches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from prunescope.collectors.sql.text.cost import copied, spend_new

Name = tuple[str, ...]
"""The parts of a table's name, as written but in lower case."""

# Where Spark keeps global temporary views.
_GLOBAL = "global_temp"
_STORED = (exp.MaterializedProperty,)
_TEMPORARY = (exp.TemporaryProperty,)


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """The meaning of a name after its definition. A view has a `query`, whose `columns` may have
    names of their own. A name without a query stands for rows of no catalog's table: of a temporary
    table, or files. A name that `is_cached` is read from the cache, whatever it was before.

    `known` are the names that were defined before, as far as the query may mean these; `catalog`
    and `schema` are those of the session in which it was defined.
    """

    query: exp.Query | None
    columns: tuple[str, ...]
    known: frozenset[Name]
    catalog: str | None
    schema: str | None
    is_cached: bool = False


Definitions = Mapping[Name, Definition]


def name_of(table: exp.Table) -> Name:
    """The name of a table; that of a table function is of no table."""
    return tuple(part.name.lower() for part in table.parts)


def defined(
    tree: exp.Expr, before: Definitions, catalog: str | None, schema: str | None
) -> Definitions:
    """The definitions after a statement.

    A view may be a permanent one, as it is read as the text has just defined it; a table is one of
    the catalog unless it is temporary. CACHE TABLE reads its query when it runs, and what is
    cached is read from then on. With LAZY, the first to read it reads all of it.
    """
    spend_new(len(before))
    query: exp.Expr | None = None
    match tree:
        case exp.Drop(kind="VIEW" | "TABLE"):
            gone = {name_of(t) for t in tree.args["tables"] if isinstance(t, exp.Table)}
            return {name: known for name, known in before.items() if name not in gone}
        case exp.Uncache(this=exp.Table() as table):
            return _uncached(name_of(table), before)
        case exp.Cache(expression=exp.Query() as cached):
            query = _filled(cached) if tree.args.get("lazy") else copied(cached)
        case exp.Cache(this=exp.Table() as table) if not tree.args.get("lazy"):
            if (view := before.get(name_of(table))) is not None:
                return {**before, name_of(table): replace(view, is_cached=True)}
        case exp.Create(kind="VIEW") if not _has(tree, _STORED):
            query = tree.expression
        case exp.Create(kind="TABLE") if _is_temporary(tree):
            pass
        case exp.Select() if (into := tree.args.get("into")) and into.args.get("temporary"):
            tree = into
        case _:
            return before
    schema_of = tree.this if isinstance(tree.this, exp.Schema) else None
    target = tree.this if schema_of is None else schema_of.this
    if not isinstance(target, exp.Table):
        return before
    name = name_of(target)
    if _has(tree, (exp.GlobalProperty,)):
        name = (_GLOBAL, *name)
    found = Definition(
        query if isinstance(query, exp.Query) else None,
        () if schema_of is None else tuple(column.name for column in schema_of.expressions),
        frozenset(before),
        catalog,
        schema,
        is_cached=isinstance(tree, exp.Cache) and not tree.args.get("lazy"),
    )
    return {**before, name: found}


def _uncached(name: Name, before: Definitions) -> Definitions:
    """The definitions after UNCACHE TABLE: a name without a query is one of the catalog again."""
    known = before.get(name)
    if known is None or not known.is_cached:
        return before
    if known.query is not None:
        return {**before, name: replace(known, is_cached=False)}
    return {other: each for other, each in before.items() if other != name}


def _is_temporary(create: exp.Create) -> bool:
    target = create.find(exp.Table)
    # Redshift and SQL Server mark temporary tables by their names.
    return _has(create, _TEMPORARY) or (target is not None and target.name.startswith("#"))


def _has(statement: exp.Expr, kinds: tuple[type[exp.Expr], ...]) -> bool:
    properties = statement.args.get("properties")
    return properties is not None and any(isinstance(p, kinds) for p in properties.expressions)


def _filled(query: exp.Query) -> exp.Query:
    """A query whose rows are all read, whatever conditions there are on them."""
    inner = exp.From(this=exp.Subquery(this=copied(query)))
    none = exp.Offset(expression=exp.Literal.number(0))
    return exp.Select(expressions=[exp.Star()], from_=inner, offset=none)
