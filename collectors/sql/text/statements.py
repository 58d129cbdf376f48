"""The statements of a text, each with the session that those before it leave behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.errors import QueryError, UnparseableSql, UnsupportedStatement
from prunescope.collectors.observed import Parameter
from prunescope.collectors.sql.dialects import UNKNOWN_ZONE, dialect_of
from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.definitions import Definitions, defined, name_of
from prunescope.collectors.sql.text.dml import as_query
from prunescope.collectors.sql.text.effects import Targets, effects_of
from prunescope.collectors.sql.text.nodes import nodes_of
from prunescope.collectors.sql.text.parse import StatementText, split
from prunescope.collectors.sql.text.parser import is_named_by_value
from prunescope.collectors.sql.text.slots import NO_SLOTS, Slots, slots_of

_NAMED_BY_VALUE = (
    "a table is named by what is no constant (IDENTIFIER of a variable or of a parameter without a "
    "value), and is not replayed; log the values of parameters, or give the query with the name"
)
_NAME_KINDS = frozenset(("", "SCHEMA", "DATABASE", "NAMESPACE", "CATALOG"))
_BEFORE_VARIABLES = frozenset(("OR", "REPLACE", "VARIABLE", "VAR", "("))
_BETWEEN_NAMES = (TokenType.DOT, TokenType.COMMA)
_KEEPS_NAMES = frozenset(("WAREHOUSE", "ROLE", "SECONDARY"))
# SET TIME ZONE 'x' (Trino, Spark, PostgreSQL), SET TIMEZONE = 'x' (DuckDB), ALTER SESSION SET
# TIMEZONE = 'x' (Snowflake), SET spark.sql.session.timeZone = x (Spark takes it unquoted), SET
# session_timezone = 'x' (ClickHouse, whose queries may have a setting as well).
_TIME_ZONE = re.compile(
    r"(?:ALTER\s+SESSION\s+)?SET\s+"
    r"(?:TIME\s+ZONE\b|(?:SESSION_)?TIMEZONE\b|spark\.sql\.session\.timeZone\b)"
    r"\s*(?:=|TO\b)?\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One statement: its query, why it has none or is not all read, and what the statements before
    it (USE, SET TIME ZONE, CREATE TEMPORARY VIEW) made of the session.

    `traits` says what it has that bears on what an engine reads: `limit`, `join`, `aggregate`,
    `write` (it changes a table), and `merge`, `delete` or `update`.
    `time_zone` is None where they set none. It is the text of the setting, which names no zone
    where only the engine knows what it means (LOCAL, INTERVAL '2' HOUR). `slots` are the literals
    that may be others, and `effects` what it does to rows that tables have. `definitions` are of
    names that are not to be looked up in a catalog, `variables` names in lower case that are
    variables where they are no columns.
    """

    tree: exp.Query | None
    failure: QueryError | None
    catalog: str | None
    schema: str | None
    time_zone: str | None = None
    traits: frozenset[str] = frozenset()
    slots: Slots = NO_SLOTS
    effects: Targets = ()
    definitions: Definitions = field(default_factory=dict)
    variables: frozenset[str] = frozenset()


def statements(
    sql: str,
    dialect: str,
    parameters: Sequence[Parameter] = (),
    catalog: str | None = None,
    schema: str | None = None,
) -> tuple[Statement, ...]:
    """The statements of a text, in order. One that cannot be read has its failure, and leaves
    the others alone.

    `parameters` are for the `?` and `:name` of the whole text. Raises UnparseableSql
    for a text that cannot be taken apart, and UnsupportedStatement for an empty one.
    """
    return statements_of(split(sql, dialect, parameters), catalog, schema)


def statements_of(
    parts: Sequence[StatementText], catalog: str | None, schema: str | None
) -> tuple[Statement, ...]:
    """The statements that the parts of a text are, in order."""
    session = Statement(None, None, catalog, schema)
    found = []
    for part in parts:
        after = _after(part, session)
        if after is None:
            statement, session = _read(part, session)
            found.append(statement)
        else:
            session = after
            failure = UnsupportedStatement("a statement that sets the session reads no table")
            found.append(replace(session, failure=failure))
    return tuple(found)


def _read(part: StatementText, session: Statement) -> tuple[Statement, Statement]:
    """A statement that is no setting, and the session after it."""
    variables = session.variables.union(_variables(part.tokens))
    found, after = session, replace(session, variables=variables)
    try:
        tree = part.tree()
        nodes = nodes_of(tree)
        spend(len(nodes))
        names = defined(tree, session.definitions, session.catalog, session.schema)
        after = replace(after, definitions=names)
        targets = effects_of(tree, part.dialect)
        targets = tuple(t for t in targets if name_of(t[0]) not in session.definitions)
        traits = _traits(nodes)
        found = replace(session, effects=targets, slots=slots_of(nodes))
        if any(map(is_named_by_value, nodes)):
            found = replace(found, failure=UnparseableSql(_NAMED_BY_VALUE))
        zone = zone_set_by(nodes) or session.time_zone
        query = as_query(tree, part.dialect)
        return replace(found, tree=query, traits=traits, time_zone=zone), after
    except QueryError as error:
        return replace(found, failure=error), after


def zone_set_by(nodes: Sequence[exp.Expr]) -> str | None:
    """The zone that settings of a statement set, whose node comes first; None if they set none.
    Settings of a nested query may not hold for the others: the result is then the name of no
    zone."""
    found = [
        (node, setting.expression.name)
        for node in nodes
        for setting in node.args.get("settings") or ()
        if isinstance(setting, exp.EQ) and setting.this.name.lower() == "session_timezone"
    ]
    match found:
        case []:
            return None
        case [(node, zone)] if node is nodes[0]:
            return str(zone)
    return UNKNOWN_ZONE


_WRITES = (exp.Insert, exp.Delete, exp.Update, exp.Merge, exp.Create, exp.MultitableInserts)


def _traits(nodes: Sequence[exp.Expr]) -> frozenset[str]:
    """The traits of a statement, whose node comes first."""
    found = {trait for node in nodes if (trait := _trait(node)) is not None}
    if isinstance(nodes[0], _WRITES):
        found.add("write")
    if isinstance(nodes[0], exp.Merge | exp.Delete | exp.Update):
        found.add(nodes[0].key)
    return frozenset(found)


def _trait(node: exp.Expr) -> str | None:
    match node:
        case exp.Limit() | exp.Fetch():
            return "limit"
        case exp.AggFunc():
            return "aggregate"
        case exp.Join() | exp.Exists():
            return "join"
        case exp.In() if node.args.get("query") is not None:
            return "join"
        case exp.Subquery() if isinstance(
            node.find_ancestor(exp.Predicate, exp.Query), exp.Predicate
        ):
            return "join"  # with the one row of which its value is
        case _:
            return None


def _after(part: StatementText, session: Statement) -> Statement | None:
    """The session after a statement that sets its names or its time zone; None for others."""
    match [token.text.upper() for token in part.tokens[:2]]:
        case ["USE", *_] | ["SET", "CATALOG"]:
            return _used(part, session)
        case ["SET" | "ALTER", *_]:
            setting = _TIME_ZONE.fullmatch(part.text)
            if setting is not None:
                return replace(session, time_zone=setting[1].strip().strip("'\""))
    return None


def _variables(tokens: Sequence[Token]) -> Iterator[str]:
    """The names of variables that DECLARE makes, or SET VAR sets, in lower case."""
    match [token.text.upper() for token in tokens[:2]]:
        case ["DECLARE", *_] | ["SET", "VAR" | "VARIABLE"]:
            rest = [token for token in tokens[1:] if token.text.upper() not in _BEFORE_VARIABLES]
        case _:
            return
    for token, after in zip_longest(rest, rest[1:]):
        kind = None if after is None else after.token_type
        if token.token_type in _BETWEEN_NAMES or kind is TokenType.DOT:
            continue
        yield token.text.lower()
        if kind is not TokenType.COMMA:
            return


def _used(part: StatementText, session: Statement) -> Statement:
    """The session after USE, or SET CATALOG. Names that cannot be told become unknown.

    Two names are catalog and schema. One is a schema; but a database is a catalog in Snowflake,
    and what follows a bare USE in Spark is a catalog if it is the name of the current one. A new
    catalog leaves the schema unknown, but for Databricks, where it is `default` (Databricks SQL
    reference, USE CATALOG).
    """
    kind, names = _kind_and_names(part.tokens[1:])
    if kind in _KEEPS_NAMES:
        return session
    dialect = dialect_of(part.dialect)
    is_database = dialect.database_is_catalog and kind in ("", "DATABASE")
    is_current = dialect.selects_by_name and not kind and _same(names, session.catalog)
    match names:
        case [catalog] if kind == "CATALOG" or is_database or is_current:
            return replace(session, catalog=catalog, schema=dialect.schema_of_catalog)
        case [schema] if kind in _NAME_KINDS:
            return replace(session, schema=schema)
        case [catalog, *namespaces] if namespaces and kind in _NAME_KINDS:
            return replace(session, catalog=catalog, schema=".".join(namespaces))
    return replace(session, catalog=None, schema=None)


def _kind_and_names(tokens: Sequence[Token]) -> tuple[str, list[str]]:
    kind = ""
    if len(tokens) > 1 and tokens[1].token_type is not TokenType.DOT:
        kind, tokens = tokens[0].text.upper(), tokens[1:]
    are_dots = all(token.token_type is TokenType.DOT for token in tokens[1::2])
    is_path = len(tokens) % 2 == 1 and are_dots
    return kind, [token.text for token in tokens[::2]] if is_path else []


def _same(names: Sequence[str], catalog: str | None) -> bool:
    return catalog is not None and [name.lower() for name in names] == [catalog.lower()]
