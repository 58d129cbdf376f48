"""Statements that write, as the queries that read what they read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from sqlglot import exp

from collectors.errors import UnsupportedStatement
from collectors.predicates.sql_boolean import nested_queries

_Query = TypeVar("_Query", bound=exp.Query)


def as_query(tree: exp.Expr) -> exp.Query:
    """The query that reads the rows which a statement reads: itself, the one in CREATE TABLE AS,
    CACHE TABLE or INSERT … SELECT, and for DELETE, UPDATE and MERGE one over the target:

        DELETE FROM t WHERE c               SELECT * FROM t WHERE c
        UPDATE t SET a = b FROM s WHERE c   SELECT * FROM t, s WHERE c
        MERGE INTO t USING s ON c           SELECT * FROM s JOIN t ON c; a LEFT JOIN if rows of s
                                            without a match are inserted, a FULL JOIN if rows of
                                            t without one are changed

    The syntax tree is taken over. Raises UnsupportedStatement for all others.
    """
    match tree:
        case exp.Query():
            return tree
        case exp.Create(expression=exp.Query() as query) if tree.kind == "TABLE":
            if any(part.args.get("no") for part in tree.find_all(exp.WithDataProperty)):
                raise UnsupportedStatement("CREATE TABLE … WITH NO DATA reads no rows")
            return _taken_out(tree, query)
        case (
            exp.Insert(expression=exp.Query() as query) | exp.Cache(expression=exp.Query() as query)
        ):
            return _taken_out(tree, query)
        case exp.Delete(this=exp.Table() as target):
            others = tree.args.get("using") or []
            return _over(tree, [target, *others], tree.args.get("where"), [])
        case exp.Update(this=exp.Table() as target):
            from_ = tree.args.get("from_")
            sources = [target, *([] if from_ is None else [from_.this])]
            joins = [] if from_ is None else list(from_.this.args.get("joins") or [])
            query = _over(tree, sources, tree.args.get("where"), tree.expressions)
            for join in joins:
                query.append("joins", join)
            return query
        case exp.Merge(this=exp.Table()):
            return _merge(tree)
    raise UnsupportedStatement(
        f"a statement of kind {tree.key.upper()} is not one that can be replayed; only queries, "
        "CREATE TABLE AS, INSERT … SELECT, DELETE, UPDATE and MERGE are"
    )


def _over(
    statement: exp.Expr,
    sources: list[exp.Expr],
    where: exp.Expr | None,
    expressions: Iterable[exp.Expr],
) -> exp.Select:
    first, *others = sources
    query = exp.Select(
        expressions=[exp.Star(), *_queries_in(expressions)], from_=exp.From(this=first)
    )
    for other in others:
        query.append("joins", exp.Join(this=other))
    query.set("where", where)
    return _with_tables(statement, query)


def _merge(merge: exp.Merge) -> exp.Select:
    target, source = merge.this, merge.args["using"]
    whens = merge.args["whens"]
    clauses = whens.expressions if isinstance(whens, exp.Whens) else [whens]
    unmatched = [clause for clause in clauses if not clause.args.get("matched")]
    keeps_target = any(clause.args.get("source") for clause in unmatched)
    side = "FULL" if keeps_target else "LEFT" if unmatched else None
    query = exp.Select(expressions=[exp.Star(), *_queries_in(clauses)], from_=exp.From(this=source))
    query.append("joins", exp.Join(this=target, side=side, on=merge.args["on"]))
    return _with_tables(merge, query)


def _queries_in(expressions: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The nested queries, as output columns: the extraction visits them there."""
    found = [query for expression in expressions for query in nested_queries(expression)]
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
