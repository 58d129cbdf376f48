"""The statements of a text, each with the session that those before it leave behind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.errors import QueryError, UnsupportedStatement
from collectors.predicates.sql_dml import as_query
from collectors.predicates.sql_parse import (
    first_bracketed,
    parse_statement,
    split_statements,
    with_parameters,
)

_EXPLAIN_ANALYZE = re.compile(r"\s*ANALYZE\b(?:\s+VERBOSE\b)?", re.IGNORECASE)
_TIME_ZONE = re.compile(r"\s*TIME\s+ZONE\s+'([^']+)'\s*", re.IGNORECASE)
_SPARK_TIME_ZONE = "spark.sql.session.timezone"


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One statement: its query, or why it has none; and what the statements before it (USE, SET
    TIME ZONE) made of the session. `time_zone` is None where they set none."""

    tree: exp.Query | None
    failure: QueryError | None
    catalog: str | None
    schema: str | None
    time_zone: str | None = None


def statements(
    sql: str,
    dialect: str,
    parameters: Sequence[str] = (),
    catalog: str | None = None,
    schema: str | None = None,
) -> tuple[Statement, ...]:
    """The statements of a text, in order. One that cannot be read has its failure, and leaves
    the others alone.

    `parameters` are SQL literals for the `?` of the whole text, in order. Raises UnparseableSql
    for a text that cannot be taken apart, and UnsupportedStatement for an empty one.
    """
    session = Statement(None, None, catalog, schema)
    found = []
    for text in split_statements(with_parameters(sql, dialect, parameters), dialect):
        try:
            tree = parse_statement(text, dialect)
            session = _after(tree, session)
            found.append(replace(session, tree=as_query(_analysed(tree, dialect))))
        except QueryError as error:
            found.append(replace(session, failure=error))
    if not found:
        raise UnsupportedStatement("the text holds no statement; it is empty or only comments")
    return tuple(found)


def _analysed(tree: exp.Expr, dialect: str) -> exp.Expr:
    """The statement that EXPLAIN ANALYZE runs, and the query that UNLOAD does."""
    if not isinstance(tree, exp.Command) or not isinstance(tree.expression, exp.Literal):
        return tree
    text = tree.expression.name
    match tree.name.upper():
        case "EXPLAIN" if (prefix := _EXPLAIN_ANALYZE.match(text)) is not None:
            return parse_statement(text[prefix.end() :], dialect)
        case "UNLOAD" if text.lstrip().startswith("("):
            return parse_statement(first_bracketed(text, dialect), dialect)
    return tree


def _after(tree: exp.Expr, session: Statement) -> Statement:
    """The session after a statement."""
    match tree:
        case exp.Use(this=exp.Table() as name):
            return _used(tree.text("kind").upper(), [part.name for part in name.parts], session)
        case exp.Set(expressions=[exp.SetItem(this=exp.EQ(this=exp.Column() as key) as item)]):
            if ".".join(part.name for part in key.parts).lower() == _SPARK_TIME_ZONE:
                return replace(session, time_zone=item.expression.name)
        case exp.Command() if tree.name.upper() == "SET":
            value = tree.args.get("expression")
            zone = _TIME_ZONE.fullmatch(value if isinstance(value, str) else "")
            if zone is not None:
                return replace(session, time_zone=zone[1])
    return session


def _used(kind: str, parts: list[str], session: Statement) -> Statement:
    if kind in ("CATALOG", "DATABASE") and len(parts) == 1 and kind != "SCHEMA":
        # Snowflake's databases are catalogs; Spark's USE DATABASE names a schema.
        return replace(session, catalog=parts[0])
    if kind in ("WAREHOUSE", "ROLE", "SECONDARY ROLES"):
        return session
    *catalog, schema = parts
    if catalog:
        return replace(session, catalog=catalog[0], schema=".".join([*catalog[1:], schema]))
    return replace(session, schema=schema)
