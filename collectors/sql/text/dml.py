"""Statements that write, as the queries that read what they read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from sqlglot import exp

from prunescope.collectors.errors import UnsupportedStatement
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import nested_queries
from prunescope.collectors.sql.text.nodes import nodes_that_are

IS_MERGE = "is_merge"
"""Marks, in its meta data, a SELECT that stands for a MERGE."""
ONLY_INSERTS = "only_inserts"
"""Marks such a SELECT as well if the MERGE changes no row that is there."""

IS_DELETE = "is_delete"
"""Marks, in its meta data, a SELECT that stands for a DELETE without returned rows."""

_Query = TypeVar("_Query", bound=exp.Query)


def as_query(tree: exp.Expr, dialect: str) -> exp.Query:
    """The query that reads the rows which a statement reads. A query is its own; of CREATE TABLE
    AS, INSERT, CACHE TABLE, SUMMARIZE, COPY TO and COPY INTO a location it is the one inside, or
    all of a table, of SELECT INTO the one without its target, and else:

        DELETE FROM t WHERE c               SELECT * FROM t WHERE c
        UPDATE t SET a = b FROM s WHERE c   SELECT * FROM t, s WHERE c
        MERGE INTO t USING s ON c           SELECT * FROM s JOIN t ON c; a LEFT JOIN if rows of s
                                            without a match are inserted or the dialect keeps
                                            them, a RIGHT or FULL JOIN if rows of t without one are
                                            changed; WHERE has the condition of what is inserted, in
                                            Spark, where it does nothing else
        INSERT INTO t REPLACE WHERE c q     q: the files that c selects are dropped whole, unread
        FROM s INSERT … SELECT a INSERT …   SELECT a FROM s UNION ALL …
        PIVOT t ON a USING sum(b)           SELECT * FROM t PIVOT …

    Engines rewrite whole files: the scan of a target is of the files that may hold such rows.
    Queries inside expressions become output columns, where they see the same tables.

    The syntax tree is taken over. Raises UnsupportedStatement for all others, among them those
    that change metadata only: TRUNCATE, and DELETE without WHERE (Iceberg deletes every file
    without reading one, in Spark 4.1 and Trino 482).
    """
    query = _query(tree, dialect_of(dialect))
    if query is None:
        raise UnsupportedStatement(
            f"Cannot replay this {tree.key.upper()} statement. Supported: queries, and CREATE "
            f"TABLE AS, INSERT, DELETE, UPDATE and MERGE that read tables."
        )
    for pivot in nodes_that_are(exp.Pivot, query):
        if pivot.arg_key == "this" and (inner := _pivoted(pivot)) is not None:
            pivot.replace(inner)
    return query


def _query(tree: exp.Expr, dialect: Dialect) -> exp.Query | None:
    match tree:
        case exp.Query():
            tree.set("into", None)
            return tree
        case exp.Create(expression=exp.Query() as query) if tree.kind == "TABLE":
            is_empty = any(part.args.get("no") for part in tree.find_all(exp.WithDataProperty))
            return None if is_empty else _taken_out(tree, query)
        case exp.Cache(expression=exp.Query() as query):
            return None if tree.args.get("lazy") else _taken_out(tree, query)
        case exp.Cache(this=exp.Table() as cached) if not tree.args.get("lazy"):
            return _all_rows(cached)
        case exp.Insert():
            return _insert(tree)
        case exp.MultitableInserts():
            return _inserts(tree)
        case exp.Copy():
            return _unloaded(tree)
        case exp.Summarize():
            return _all_rows(tree.this)
        case exp.Pivot():
            return _pivoted(tree)
        case exp.Delete(this=exp.Table() as target) if tree.args.get("where"):
            others = tree.args.get("using") or []
            query = _over(tree, [target, *others], _queries_in([tree.args.get("returning")]))
            query.meta[IS_DELETE] = not tree.args.get("returning")
            return query
        case exp.Update(this=exp.Table() as target):
            from_ = tree.args.get("from_")
            others = [] if from_ is None else [from_.this]
            return _over(tree, [target, *others], _queries_in(tree.expressions))
        case exp.Merge(this=exp.Table()) if tree.args.get("on"):
            return _merge(tree, dialect)
        case exp.Values() | exp.Set():
            return _values(tree)
    return None


def _over(
    statement: exp.Expr, sources: Sequence[exp.Expr], items: Iterable[exp.Expr]
) -> exp.Select:
    first, *others = sources
    query = exp.Select(expressions=[exp.Star(), *items], from_=exp.From(this=first))
    for other in others:
        query.append("joins", exp.Join(this=other))
    query.set("where", statement.args.get("where"))
    return _with_tables(statement, query)


def _merge(merge: exp.Merge, dialect: Dialect) -> exp.Select:
    whens = merge.args["whens"]
    clauses = whens.expressions if isinstance(whens, exp.Whens) else [whens]
    unmatched = [clause for clause in clauses if not clause.args.get("matched")]
    keeps_target = any(clause.args.get("source") for clause in unmatched)
    keeps_source = dialect.merge_keeps_source or any(
        not clause.args.get("source") for clause in unmatched
    )
    side = {
        (False, False): None,
        (True, False): "LEFT",
        (False, True): "RIGHT",
        (True, True): "FULL",
    }[keeps_source, keeps_target]
    query = exp.Select(
        expressions=[exp.Star(), *_queries_in(clauses)], from_=exp.From(this=merge.args["using"])
    )
    query.append("joins", exp.Join(this=merge.this, side=side, on=merge.args["on"]))
    query.meta[IS_MERGE] = True
    if len(unmatched) == len(clauses) and not keeps_target:
        query.meta[ONLY_INSERTS] = True
        # Spark 4.1 asks it of the source, where no other clause takes further rows.
        condition = clauses[0].args.get("condition")
        if (
            dialect.infers_constraints
            and len(clauses) == 1
            and condition
            and not nested_queries(condition)
        ):
            query.set("where", exp.Where(this=condition.pop()))
    return _with_tables(merge, query)


def _insert(insert: exp.Insert) -> exp.Query | None:
    query: exp.Query | None = None
    match insert.expression, insert.args.get("source"):
        case exp.Query() as inner, _:
            inner.pop()
            query = inner
        case exp.Values() as values, _:
            query = _values(values)
        case _, exp.Table() as source:
            query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))
    return None if query is None else _with_tables(insert, query)


def _inserts(inserts: exp.MultitableInserts) -> exp.Query | None:
    """`FROM s INSERT … SELECT …` of Hive and Spark, and INSERT ALL of Snowflake."""
    source = inserts.args["source"]
    if isinstance(source, exp.Query) and not isinstance(source, exp.Subquery):
        conditions = _queries_in(clause.expression for clause in inserts.expressions)
        nested = [exp.Select(expressions=[condition]) for condition in conditions]
        return _with_tables(inserts, _all_of([source, *nested]))
    selects = [insert.expression for insert in inserts.expressions]
    if not all(isinstance(s, exp.Select) and s.args.get("from_") is None for s in selects):
        return None
    for select in selects:
        select.set("from_", exp.From(this=source.copy()))
    return _with_tables(inserts, _all_of(selects))


def _unloaded(copy: exp.Copy) -> exp.Query | None:
    """The query of the rows that COPY TO a file (DuckDB, PostgreSQL) and Snowflake's COPY INTO a
    location read; COPY INTO a table and COPY FROM read no table."""
    if not copy.args.get("kind"):
        return _all_rows(copy.this.this if isinstance(copy.this, exp.Schema) else copy.this)
    target = copy.this.this if isinstance(copy.this, exp.Table) else copy.this
    files = copy.args.get("files")
    is_location = isinstance(target, exp.Var | exp.Literal)
    return _all_rows(files[0]) if is_location and files and len(files) == 1 else None


def _all_rows(source: exp.Expr) -> exp.Query | None:
    """A query, or that of all rows of a table."""
    match source:
        case exp.Query():
            return source
        case exp.Table(this=exp.Identifier()):
            return exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))
    return None


def _pivoted(pivot: exp.Pivot) -> exp.Select | None:
    """DuckDB's PIVOT and UNPIVOT that stand by themselves, as others write them after a table."""
    source = pivot.this
    if not isinstance(source, exp.Table | exp.Subquery):
        return None
    query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))
    source.append("pivots", exp.Pivot())
    return _with_tables(pivot, query)


def _values(values: exp.Expr) -> exp.Select | None:
    nested = _queries_in([values])
    return exp.Select(expressions=nested) if nested else None


def _all_of(queries: Sequence[exp.Query]) -> exp.Query:
    found, *others = queries
    for query in others:
        found = exp.Union(this=found, expression=query, distinct=False)
    return found


def _queries_in(expressions: Iterable[exp.Expr | None]) -> list[exp.Expr]:
    """The nested queries, as output columns: the extraction visits them there."""
    found = [query for e in expressions if e is not None for query in nested_queries(e)]
    return [q if isinstance(q, exp.Subquery) else exp.Subquery(this=q) for q in found]


def _taken_out(statement: exp.Expr, query: exp.Query) -> exp.Query:
    query.pop()
    return _with_tables(statement, query)


def _with_tables(statement: exp.Expr, query: _Query) -> _Query:
    """Common table expressions before a statement are visible to its query."""
    outer = statement.args.get("with_")
    if outer is not None:
        inner = query.args.get("with_")
        expressions = [*outer.expressions, *(inner.expressions if inner else [])]
        recursive = outer.recursive or bool(inner and inner.recursive)
        query.set("with_", exp.With(expressions=expressions, recursive=recursive))
    return query
