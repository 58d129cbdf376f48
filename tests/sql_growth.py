"""SQL texts of one shape that grow: what an author of queries, or a tool, can write at any length.

Every shape names the table `t` (columns a, b, c, of types int, int, string).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

from prunescope.collectors.observed import ObservedQuery, Reference, TableName

T = TableName("lake", ("s",), "t")
COLUMNS = {T: {"a": "int", "b": "int", "c": "string"}}


def _joined(template: str, separator: str) -> Callable[[int], str]:
    return lambda n: separator.join(template.format(i=i, j=i + 1) for i in range(n))


def _where(condition: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: f"SELECT * FROM t WHERE {condition(n)}"


def _nested(before: str, inner: str, after: str) -> Callable[[int], str]:
    return lambda n: before * n + inner + after * n


def _comma_join(n: int) -> str:
    tables = ", ".join(f"t AS t{i}" for i in range(n))
    equal = " AND ".join(f"t{i}.a = t{i + 1}.a" for i in range(n - 1))
    return f"SELECT * FROM {tables} WHERE {equal} AND t0.a = 5 AND t0.c = 'x'"


def _ansi_join(kind: str) -> Callable[[int], str]:
    def text(n: int) -> str:
        joins = " ".join(f"{kind} JOIN t AS t{i} ON t{i}.a = t{i - 1}.a" for i in range(1, n))
        return f"SELECT * FROM t AS t0 {joins} WHERE t0.a = 5"

    return text


def _using(n: int) -> str:
    return "SELECT * FROM t AS t0 " + " ".join(f"JOIN t AS t{i} USING (a)" for i in range(1, n))


def _unconditional(n: int) -> str:
    joins = " ".join(f"JOIN t AS t{i}" for i in range(1, n))
    equal = " AND ".join(f"t{i}.a = t{i + 1}.a" for i in range(n - 1))
    return f"SELECT * FROM t AS t0 {joins} WHERE {equal} AND t0.a = 5"


def _unqualified(n: int) -> str:
    tables = ", ".join(["t", *(f"UNNEST(ARRAY[1]) AS u{i}(x{i})" for i in range(n - 1))])
    return f"SELECT * FROM {tables} WHERE " + _joined("b > {i}", " AND ")(n)


def _cte_chain(n: int) -> str:
    ctes = ", ".join(f"c{i} AS (SELECT * FROM c{i - 1} WHERE b <> {i})" for i in range(1, n))
    return f"WITH c0 AS (SELECT * FROM t), {ctes} SELECT * FROM c{n - 1} WHERE a = 1"


def _cte_doubling(n: int) -> str:
    ctes = ", ".join(
        f"c{i} AS (SELECT * FROM c{i - 1} UNION ALL SELECT * FROM c{i - 1})" for i in range(1, n)
    )
    return f"WITH c0 AS (SELECT * FROM t), {ctes} SELECT * FROM c{n - 1} WHERE a = 1"


def _alias_doubling(n: int) -> str:
    """Each output column is twice the one below, so that a condition on it doubles as well."""
    query = "SELECT a AS x0, b FROM t"
    for i in range(1, n):
        query = f"SELECT x{i - 1} + x{i - 1} AS x{i}, b FROM ({query})"
    return f"SELECT * FROM ({query}) WHERE x{n - 1} = 1"


def _union(kind: str) -> Callable[[int], str]:
    return _joined("SELECT a, b FROM t WHERE a = {i}", f" {kind} ")


def _pairs(inner: str, outer: str) -> Callable[[int], str]:
    return _joined(f"(a = {{i}} {inner} b = {{j}})", f" {outer} ")


def _alternating(n: int) -> str:
    text = "a = 0"
    for i in range(n):
        text = f"(b = {i} {'AND' if i % 2 else 'OR'} {text})"
    return text


def _wide(n: int) -> str:
    items = ", ".join(f"a + {i} AS x{i}" for i in range(n))
    return f"SELECT x{n - 1} FROM (SELECT {items} FROM t) WHERE " + _joined("x{i} > {i}", " AND ")(
        n
    )


TEXTS: dict[str, Callable[[int], str]] = {
    "comma join": _comma_join,
    "inner join": _ansi_join("INNER"),
    "left join": _ansi_join("LEFT"),
    "full join": _ansi_join("FULL"),
    "join using": _using,
    "join without condition": _unconditional,
    "joins of joins": lambda n: "SELECT * FROM t" + " JOIN t" * n + " USING (a)" * n,
    "unqualified columns": _unqualified,
    "or": _where(_joined("a = {i}", " OR ")),
    "and": _where(_joined("a <> {i}", " AND ")),
    "and of one column and others": _where(_joined("a <> {i} AND c LIKE '%{i}'", " AND ")),
    "or of ands": _where(_pairs("AND", "OR")),
    "and of ors": _where(_pairs("OR", "AND")),
    "or of wrapped": _where(_joined("date_trunc('day', c) = DATE '2024-01-01'", " OR ")),
    "in": _where(lambda n: f"a IN ({_joined('{i}', ', ')(n)})"),
    "in of texts": _where(lambda n: f"c IN ({_joined(chr(39) + 'v{i}' + chr(39), ', ')(n)})"),
    "in of casts": _where(lambda n: "a IN (" + _joined("CAST('{i}' AS INTEGER)", ", ")(n) + ")"),
    "wrapped in": _where(
        lambda n: "CAST(c AS DATE) IN (" + _joined("DATE '2024-01-01'", ", ")(n) + ")"
    ),
    "not in": _where(lambda n: f"a NOT IN ({_joined('{i}', ', ')(n)})"),
    "rows in": _where(lambda n: "(a, b) IN (" + _joined("({i}, {j})", ", ")(n) + ")"),
    "alternating": _where(_alternating),
    "parentheses": _where(_nested("(", "a = 1", ")")),
    "not": _where(_nested("NOT ", "a = 1", "")),
    "not in parentheses": _where(_nested("NOT (", "a = 1", ")")),
    "minus": _where(lambda n: "a = " + "- " * n + "1"),
    "is true": _where(_nested("(", "a = 1", ") IS TRUE")),
    "functions": _where(lambda n: "lower(" * n + "c" + ")" * n + " = 'x'"),
    "casts": _where(lambda n: "CAST(" * n + "a" + " AS bigint)" * n + " = 1"),
    "case in case": _where(_nested("CASE WHEN a = 1 THEN ", "1", " END")),
    "case arms": _where(lambda n: "CASE " + _joined("WHEN a = {i} THEN {j}", " ")(n) + " END = 1"),
    "between": _where(_joined("a BETWEEN {i} AND {j}", " OR ")),
    "sum": _where(lambda n: "a = " + _joined("{i}", " + ")(n)),
    "sum of columns": _where(lambda n: _joined("a", " + ")(n) + " = 1"),
    "concatenation": _where(lambda n: "c = " + _joined("'x{i}'", " || ")(n)),
    "concatenation of columns": _where(lambda n: _joined("c", " || ")(n) + " = 'x'"),
    "like": _where(_joined("c LIKE 'v{i}%'", " OR ")),
    "subqueries": lambda n: "SELECT * FROM (" * n + "SELECT * FROM t" + ")" * n + " WHERE a = 1",
    "nested in": _nested("SELECT * FROM t WHERE a IN (", "SELECT 1", ")"),
    "exists": _where(_joined("EXISTS (SELECT 1 FROM t u WHERE u.a = t.a AND u.b = {i})", " AND ")),
    "cte chain": _cte_chain,
    "cte doubling": _cte_doubling,
    "ctes side by side": lambda n: (
        "WITH "
        + ", ".join(f"c{i} AS (SELECT * FROM t WHERE a = {i})" for i in range(n))
        + " SELECT * FROM "
        + ", ".join(f"c{i}" for i in range(n))
    ),
    "alias doubling": _alias_doubling,
    "union all": _union("UNION ALL"),
    "union": _union("UNION"),
    "union below a condition": lambda n: f"SELECT * FROM ({_union('UNION ALL')(n)}) WHERE b = 3",
    "except": _union("EXCEPT"),
    "values": lambda n: (
        "SELECT * FROM t WHERE (a, b) IN (VALUES " + _joined("({i}, {j})", ", ")(n) + ")"
    ),
    "insert values": lambda n: "INSERT INTO t VALUES " + _joined("({i}, {j}, 'x')", ", ")(n),
    "wide select": lambda n: f"SELECT {_joined('a AS x{i}', ', ')(n)} FROM t WHERE a = 1",
    "wide derived table": _wide,
    "group by": lambda n: (
        f"SELECT {_joined('a + {i}', ', ')(n)} FROM t GROUP BY "
        + _joined("a + {i}", ", ")(n)
        + " HAVING a = 1"
    ),
    "windows": lambda n: (
        "SELECT * FROM (SELECT a, b, "
        + _joined("sum(b) OVER (PARTITION BY a, c ORDER BY b) AS w{i}", ", ")(n)
        + " FROM t) WHERE a = 1"
    ),
    "order by": lambda n: f"SELECT * FROM t ORDER BY {_joined('a + {i}', ', ')(n)}",
    "statements": _joined("SELECT * FROM t WHERE a = {i}", ";\n"),
    "settings": _joined("SET x = {i}", ";\n"),
    "semicolons": lambda n: "SELECT * FROM t" + ";" * n,
    "block": lambda n: "BEGIN " + _joined("SELECT {i}", "; ")(n) + "; END",
    "explain": _joined("EXPLAIN ANALYZE SELECT * FROM t WHERE a = {i}", ";\n"),
    "array": _where(lambda n: f"contains(ARRAY[{_joined('{i}', ', ')(n)}], a)"),
    "arrays in arrays": _where(_nested("ARRAY[", "a", "]")),
    "dots": _where(lambda n: "a" + ".x" * n + " = 1"),
    "brackets": _where(lambda n: "a" + "[1]" * n + " = 1"),
    "nested types": _where(lambda n: "CAST(a AS " + "array(" * n + "int" + ")" * n + ") IS NULL"),
    "long literal": _where(lambda n: "c = '" + "x" * n + "'"),
    "long number": _where(lambda n: "a = " + "9" * n),
    "long name": _where(lambda n: "a" * n + " = 1"),
    "comment": lambda n: "SELECT * FROM t /* " + "x" * n + " */ WHERE a = 1",
    "comments": lambda n: "SELECT * FROM t " + "/* x */ " * n + " WHERE a = 1",
    "open parentheses": lambda n: "SELECT * FROM t WHERE " + "(" * n,
    "open cases": lambda n: "SELECT " + "CASE WHEN " * n,
}
"""SQL texts by shape, of `n` parts each."""


def _query(sql: str) -> ObservedQuery:
    return ObservedQuery(
        source="growth",
        query_id="q",
        sql=sql,
        dialect="trino",
        started_at=dt.datetime(2024, 5, 1, tzinfo=dt.UTC),
        catalog="lake",
        schema="s",
        engine="trino",
        engine_version="482",
        time_zone="UTC",
    )


def _text_query(text: Callable[[int], str]) -> Callable[[int], ObservedQuery]:
    return lambda n: _query(text(n))


def _views(body: str) -> Callable[[int], ObservedQuery]:
    def query(n: int) -> ObservedQuery:
        below = [T, *(TableName("lake", ("s",), f"v{i}") for i in range(n))]
        views = (Reference(name, body.format(below=below[i])) for i, name in enumerate(below[1:]))
        return replace(_query(f"SELECT * FROM {below[-1]} WHERE a = 1"), references=tuple(views))

    return query


def _parameters(n: int) -> ObservedQuery:
    marks = ", ".join("?" * n)
    values = tuple(map(str, range(n)))
    return replace(_query(f"SELECT * FROM t WHERE a IN ({marks})"), parameters=values)


def _row_filters(n: int) -> ObservedQuery:
    filters = tuple(f"a <> {i}" for i in range(n))
    query = _query("SELECT * FROM t WHERE b = 1")
    return replace(query, references=(Reference(T, None, filters),))


QUADRATIC = frozenset(("cte chain", "join without condition", "rows in", "values"))
"""Shapes of which every part is handed on to every other."""

MULTIPLYING = frozenset(("arrays in arrays", "cte doubling", "alias doubling", "views doubling"))
"""Shapes of which every part doubles what is below."""

QUERIES: dict[str, Callable[[int], ObservedQuery]] = {
    **{name: _text_query(text) for name, text in TEXTS.items()},
    "views": _views("SELECT * FROM {below}"),
    "views doubling": _views("SELECT x.a FROM {below} x, {below} y WHERE x.a = y.a"),
    "parameters": _parameters,
    "row filters": _row_filters,
}
"""Queries of Trino by shape, of `n` parts each."""
