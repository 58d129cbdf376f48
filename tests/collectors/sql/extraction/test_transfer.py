"""Constants through equalities of columns, which depend on the types of both."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import (
    And,
    BoundComparison,
    Column,
    Comparison,
    Or,
    Predicate,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import TableScan
from tests.collectors.predicates.row_evaluator import matches

A = TableName("c", ("s",), "a")
B = TableName("c", ("s",), "b")
C = TableName("c", ("s",), "c")
COLUMNS = {
    A: {"k": "long", "i": "int", "s": "string", "d": "double", "ts": "timestamptz", "x": "int"},
    B: {"k": "long", "i": "int", "s": "string", "d": "double", "ts": "timestamptz", "y": "int"},
    C: {"k": "long", "i": "int", "z": "int"},
}


def scans(
    sql: str, dialect: str = "trino", planner: Planner | None = None
) -> tuple[TableScan, ...]:
    return extract(
        parse(sql, dialect),
        dialect=dialect,
        columns=COLUMNS,
        catalog="c",
        schema="s",
        time_zone="UTC",
        planner=planner,
    )


def filters(sql: str) -> list[str]:
    return [
        " & ".join(
            f"?{part.reason}" if isinstance(part, Unsupported) else render(part)
            for part in conjuncts(scan.predicate)
        )
        for scan in scans(sql)
    ]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        pytest.param("a.k = b.k AND b.k = 5", ["k = 5", "k = 5"], id="number"),
        pytest.param("b.k = a.k AND 5 >= b.k", ["k <= 5", "k <= 5"], id="range, written backwards"),
        pytest.param("a.i = b.k AND b.k IN (1, 2)", ["i IN (1, 2)", "k IN (1, 2)"],
                     id="whole numbers of two sizes"),
        pytest.param("a.s = b.s AND b.s > 'a'", ["s > 'a'", "s > 'a'"], id="text"),
        pytest.param("a.s = b.s AND a.s LIKE 'a%'", ["s LIKE 'a%'"] * 2, id="prefix"),
        pytest.param("a.ts = b.ts AND year(b.ts) = 2024",
                     ["ts >= DATE '2024-01-01' & ts < DATE '2025-01-01'"] * 2, id="function"),
        pytest.param("a.k = b.k AND (b.k = 5 OR b.k > 8)", ["k = 5 OR k > 8"] * 2, id="or"),
        pytest.param("a.k = b.k AND b.k NOT IN (5, 6)", ["k NOT IN (5, 6)"] * 2, id="not in"),
        pytest.param("a.k = b.k AND (b.k = 5 OR b.y = 6)", ["", "k = 5 OR y = 6"],
                     id="or over two columns"),
        pytest.param("a.k = b.k AND b.k = b.y AND a.k = 7",
                     ["k = 7", "k = 7 & y = 7"], id="through a third column"),
        pytest.param("(a.k = b.k OR a.x = 1) AND b.k = 5", ["", "k = 5"], id="no equality"),
        pytest.param("NOT a.k = b.k AND b.k = 5", ["?other_tables", "?other_tables & k = 5"],
                     id="negated equality"),
        pytest.param("a.s = b.k AND b.k = 5", ["", "k = 5"], id="text and number"),
        pytest.param("a.d = b.d AND b.d = 5", ["", "d = 5"], id="floating numbers"),
        pytest.param("a.k = b.k AND b.k > random()", ["", "?not_constant"], id="no constant"),
        pytest.param("a.k = b.k AND b.k IN (SELECT 1 UNION SELECT 2)", ["", "?subquery"],
                     id="subquery"),
    ],
)  # fmt: skip
def test_conditions_travel_through_equalities(where: str, expected: list[str]) -> None:
    found = filters(f"SELECT * FROM a, b WHERE {where}")
    assert [part.removeprefix("?other_tables").strip(" &") for part in found] == [
        part.removeprefix("?other_tables").strip(" &") for part in expected
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("a JOIN b ON a.k = b.k WHERE b.k = 5", ["k = 5", "k = 5"], id="inner"),
        pytest.param("a LEFT JOIN b ON a.k = b.k WHERE a.k = 5", ["k = 5", "k = 5"], id="left"),
        pytest.param("a LEFT JOIN b ON a.k = b.k AND b.k = 5", ["", "k = 5"], id="left, only on"),
        pytest.param("a LEFT JOIN b ON a.k = b.k AND a.k = 5", ["", "k = 5"],
                     id="left, on the kept side"),
        pytest.param("a FULL JOIN b ON a.k = b.k WHERE a.k = 5", ["k = 5", "k = 5"], id="full"),
        pytest.param("a FULL JOIN b ON a.k = b.k AND a.k = 5", ["", ""], id="full, only on"),
        pytest.param("a JOIN b USING (k) WHERE b.k = 5", ["k = 5", "k = 5"], id="using"),
        pytest.param("a JOIN b USING (k) WHERE k = 5", ["k = 5", "k = 5"], id="merged column"),
        pytest.param("a JOIN b USING (k) JOIN c USING (k) WHERE c.k = 5", ["k = 5"] * 3,
                     id="using twice"),
        pytest.param("a JOIN b ON a.k = b.k JOIN c ON c.k = b.k WHERE a.k = 5", ["k = 5"] * 3,
                     id="chain"),
        pytest.param("a JOIN (SELECT max(y) AS m, k FROM b GROUP BY k) q ON a.k = q.k "
                     "WHERE a.k = 5", ["k = 5", "k = 5"], id="derived table"),
        pytest.param("a JOIN (SELECT k + 1 AS k FROM b) q ON a.k = q.k WHERE a.k = 5",
                     ["k = 5", ""], id="computed column"),
        pytest.param("a JOIN (SELECT k, i FROM b) q (p, k) ON a.k = q.p WHERE a.k = 5",
                     ["k = 5", "k = 5"], id="renamed columns"),
        pytest.param("a JOIN (SELECT k FROM b LIMIT 3) q ON a.k = q.k WHERE a.k = 5",
                     ["k = 5", ""], id="limit"),
        pytest.param("a JOIN b FOR VERSION AS OF 1 ON a.k = b.k WHERE b.k = 5", ["k = 5", "k = 5"],
                     id="schema of another snapshot"),
    ],
)  # fmt: skip
def test_joins_carry_conditions(sql: str, expected: list[str]) -> None:
    assert filters(f"SELECT * FROM {sql}") == expected


_O = "JOIN other o ON a.i = o.x"
_Q = "SELECT x FROM other WHERE x = 5"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param(f"a {_O} WHERE o.x = 5", "i = 5", id="number"),
        pytest.param(f"a {_O} AND o.x BETWEEN 5 AND 7", "i >= 5 AND i <= 7", id="range"),
        pytest.param(f"a {_O} WHERE o.x IN (5, 7)", "i IN (5, 7)", id="list"),
        pytest.param(f"a {_O} WHERE o.x = 5 OR o.x > 8", "i = 5 OR i > 8", id="or"),
        pytest.param(f"a {_O} WHERE o.x = 5 OR o.y > 8", "TRUE", id="or over two columns"),
        pytest.param(f"a {_O} WHERE o.x = '5'", "TRUE", id="text beside a number"),
        pytest.param(f"a {_O} WHERE o.x / 2 > 5", "TRUE", id="quotient"),
        pytest.param(f"a {_O} WHERE o.y = 5", "TRUE", id="another column"),
        pytest.param("a JOIN other o ON a.i = o.x + 1 WHERE o.x = 5", "TRUE", id="calculated"),
        pytest.param("a JOIN other o ON a.d = o.x WHERE o.x = 5", "TRUE", id="float"),
        pytest.param("a JOIN other o ON a.s = o.x WHERE o.x > 'e'", "s > 'e'", id="text"),
        pytest.param("a JOIN other o ON a.s = o.x WHERE o.x LIKE '%e'", "TRUE", id="pattern"),
        pytest.param("a JOIN other o ON a.ts = o.x WHERE year(o.x) = 2026", "TRUE", id="function"),
        pytest.param(f"a {_O} WHERE o.x NOT IN (5, 7)", "TRUE", id="not in"),
        pytest.param("a JOIN other o ON a.s = o.x WHERE o.x = 5", "TRUE",
                     id="number beside a text"),
        pytest.param("a JOIN other o USING (i) WHERE o.i = 5", "i = 5", id="using"),
        pytest.param(f"a LEFT {_O} WHERE o.x = 5", "i = 5", id="left, but for nulls"),
        pytest.param(f"a LEFT {_O} AND o.x = 5", "TRUE", id="left, only on"),
        pytest.param("other o LEFT JOIN a ON a.i = o.x WHERE o.x = 5", "i = 5", id="right side"),
        pytest.param("other o LEFT JOIN a ON a.i = o.x AND o.x = 5", "i = 5", id="on of it"),
        pytest.param(f"a RIGHT {_O} WHERE o.x = 5", "i = 5", id="right"),
        pytest.param(f"a FULL {_O} AND o.x = 5", "TRUE", id="full, only on"),
        pytest.param("a, other o, other p WHERE a.i = o.x AND o.x = p.x AND o.x = 5", "i = 5",
                     id="first of a chain"),
        pytest.param(f"a JOIN ({_Q}) q ON a.i = q.x", "i = 5", id="derived table"),
        pytest.param("a JOIN (SELECT ts FROM other WHERE year(ts) = 2026) q ON a.ts = q.ts", "TRUE",
                     id="function inside"),
        pytest.param(f"a JOIN ({_Q} LIMIT 3) q (z) ON a.i = q.z", "i = 5", id="renamed, limited"),
        pytest.param(f"a JOIN ({_Q} GROUP BY x HAVING count(*) > 1) q ON a.i = q.x", "i = 5",
                     id="grouped"),
        pytest.param(f"a JOIN (SELECT x FROM ({_Q}) p) q ON a.i = q.x", "i = 5", id="nested"),
        pytest.param("a JOIN (SELECT o.x FROM other o JOIN other p ON o.x = p.y AND p.y = 5) q"
                     " ON a.i = q.x", "i = 5", id="joined inside"),
        pytest.param("a JOIN (SELECT o.x FROM other o LEFT JOIN other p ON o.x = p.y AND p.y = 5) q"
                     " ON a.i = q.x", "TRUE", id="not restricted inside"),
        pytest.param("a JOIN (SELECT max(x) AS x FROM other WHERE x = 5) q ON a.i = q.x", "TRUE",
                     id="another value"),
        pytest.param(f"a JOIN ({_Q} UNION ALL SELECT x FROM other) q ON a.i = q.x", "TRUE",
                     id="one branch of two"),
        pytest.param(f"a LEFT JOIN ({_Q}) q ON a.i = q.x", "TRUE", id="kept without partners"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", ["spark", "trino"])
def test_constants_of_tables_that_are_not_audited(dialect: str, sql: str, expected: str) -> None:
    """As Spark 4.1 and Trino 483 plan it, where both columns are of one type."""
    (scan,) = scans(f"SELECT * FROM {sql}", dialect)
    assert _known(scan) == expected


@pytest.mark.parametrize(
    ("on", "trino", "spark"),
    [
        pytest.param("a.k = o.x AND o.x = 5", "k = 5", "TRUE", id="an int may be smaller"),
        pytest.param("a.k = o.x AND o.x > 5", "TRUE", "TRUE", id="range"),
        pytest.param("a.i = o.x AND o.x > 5", "i > 5", "i > 5", id="none is smaller than an int"),
        pytest.param("a.ts = o.x AND o.x = DATE '2026-01-01'", "ts = DATE '2026-01-01'", "TRUE",
                     id="a date becomes a timestamp"),
        pytest.param("a.ts = o.x AND o.x > DATE '2026-01-01'", "TRUE", "TRUE", id="after a date"),
    ],
)  # fmt: skip
def test_what_may_be_of_a_smaller_type_says_no_more_than_that(
    on: str, trino: str, spark: str
) -> None:
    """What neither Spark 4.1 nor Trino 483 infers for a `bigint` from an `int`."""
    for dialect, expected in (("trino", trino), ("spark", spark)):
        assert _known(scans(f"SELECT * FROM a JOIN other o ON {on}", dialect)[0]) == expected


@pytest.mark.parametrize(
    ("where", "trino", "spark"),
    [
        pytest.param(f"i IN ({_Q})", "i = 5", "TRUE", id="in"),
        pytest.param("i IN (SELECT x FROM other WHERE x BETWEEN 5 AND 7)", "i >= 5 AND i <= 7",
                     "TRUE", id="range"),
        pytest.param(f"EXISTS ({_Q} AND other.x = a.i)", "i = 5", "TRUE", id="exists"),
        pytest.param(f"EXISTS ({_Q} AND other.y = a.k)", "TRUE", "TRUE", id="another column"),
        pytest.param(f"i NOT IN ({_Q})", "TRUE", "TRUE", id="not in"),
        pytest.param(f"NOT EXISTS ({_Q} AND other.x = a.k)", "TRUE", "TRUE", id="not exists"),
        pytest.param(f"i IN ({_Q}) OR x = 3", "TRUE", "TRUE", id="or"),
        pytest.param("i = (SELECT max(x) FROM other WHERE x = 5)", "TRUE", "TRUE", id="value"),
        pytest.param("k IN (SELECT i FROM b WHERE i = 5)", "TRUE", "TRUE", id="another type"),
    ],
)  # fmt: skip
def test_constants_of_subqueries(where: str, trino: str, spark: str) -> None:
    """Trino 483 infers what they say, where the types are one; Spark 4.1 does not."""
    for dialect, expected in (("trino", trino), ("spark", spark)):
        assert _known(scans(f"SELECT * FROM a WHERE {where}", dialect)[0]) == expected


def test_a_merge_of_spark_plans_its_target_before_it_infers() -> None:
    """Spark 4.1 with Iceberg 1.11; Trino 483 infers."""
    sql = "MERGE INTO a USING other o ON a.i = o.x AND o.x = 5 WHEN MATCHED THEN DELETE"
    for dialect, expected in (("trino", "i = 5"), ("spark", "TRUE")):
        assert [_known(scan) for scan in scans(sql, dialect)] == [expected]


def _known(scan: TableScan) -> str:
    """What a scan's predicate says, without what it cannot."""
    parts = conjuncts(scan.predicate)
    is_lost = [any(isinstance(leaf, Unsupported) for leaf in leaves(part)) for part in parts]
    return render(all_of(*(part for part, lost in zip(parts, is_lost, strict=True) if not lost)))


@pytest.mark.parametrize(
    ("sql", "trino", "spark"),
    [
        pytest.param("a, other o, other p WHERE a.i = o.x AND o.x = p.x AND p.x = 5", ["i = 5"],
                     ["TRUE"], id="against the order"),
        pytest.param("a JOIN other o ON a.i = o.x JOIN other p ON o.x = p.x AND p.x = 5 "
                     "JOIN other q ON a.s = q.y", ["i = 5"], ["TRUE"], id="nor in a later join"),
        pytest.param("other o, a, other p WHERE a.i = p.x AND o.x = p.x AND o.x = 5", ["i = 5"],
                     ["i = 5"], id="joined in another order"),
        pytest.param("other p, other o, a WHERE a.i = o.x AND o.x = p.x AND p.x = 5", ["i = 5"],
                     ["i = 5"], id="in their order"),
        pytest.param("other p, a, other o WHERE a.i = o.x AND o.x = p.x AND p.x = 5", ["i = 5"],
                     ["i = 5"], id="in the order of equalities"),
        pytest.param("a JOIN b ON a.k = b.k JOIN c ON b.k = c.k WHERE c.k = 5", ["k = 5"] * 3,
                     ["TRUE", "k = 5", "k = 5"], id="tables that are known"),
        pytest.param("a JOIN b ON a.i = b.k WHERE b.k > 5", ["i > 5", "k > 5"], ["i > 5", "k > 5"],
                     id="narrower"),
        pytest.param("a JOIN b ON a.k = b.i WHERE b.i > 5", ["TRUE", "i > 5"], ["TRUE", "i > 5"],
                     id="wider"),
        pytest.param("a JOIN b ON a.k = b.i WHERE b.i = 5", ["k = 5", "i = 5"], ["TRUE", "i = 5"],
                     id="wider, one value"),
    ],
)  # fmt: skip
def test_engines_infer_less_than_follows(sql: str, trino: list[str], spark: list[str]) -> None:
    """As Spark 4.1 and Trino 483 plan it."""
    for dialect, expected in (("trino", trino), ("spark", spark)):
        found = scans(f"SELECT * FROM {sql}", dialect)
        assert [render(scan.predicate) for scan in found] == expected


def test_columns_without_types_carry_nothing() -> None:
    tree = parse("SELECT * FROM c.s.a JOIN c.s.b ON a.k = b.k WHERE b.k = 5", "trino")
    left, right = extract(tree, dialect="trino", columns={A: ["k"], B: ["k"]})
    assert (render(left.predicate), render(right.predicate)) == ("TRUE", "k = 5")


@pytest.mark.parametrize("join", ["JOIN", "LEFT JOIN"])
def test_a_merged_column_of_two_types_is_that_of_the_left(join: str) -> None:
    columns = {A: {"k": "int"}, B: {"k": "string"}}
    tree = parse(f"SELECT * FROM c.s.a {join} c.s.b USING (k) WHERE k = '5'", "spark")
    left, right = extract(tree, dialect="spark", columns=columns)
    assert render(left.predicate) == "k = '5'"
    assert not isinstance(right.predicate, Comparison)


def test_a_planner_pushes_what_travelled() -> None:
    sql = "SELECT * FROM a JOIN b ON a.k = b.k WHERE b.k = 5"
    left, right = scans(sql, "spark", Planner("spark"))
    assert left.pushed is not None
    assert left.pushed == right.pushed
    assert render(left.pushed) == "k IS NOT NULL AND k = 5"


# Values that are equal to others after a conversion.
TYPES = {
    "int": ("INTEGER", ["5", "6", "16777217"]),
    "long": ("BIGINT", ["5", "7", "16777216", "9007199254740993"]),
    "float": ("FLOAT", ["0.1", "5", "16777216"]),
    "double": ("DOUBLE", ["0.1", "0.10000000149011612", "5", "9007199254740992"]),
    "decimal(20, 1)": ("DECIMAL(20, 1)", ["0.1", "5.0", "5.1"]),
    "string": ("VARCHAR", ["'5'", "'05'", "'5.0'", "'0.1'", "'1'"]),
    "date": ("DATE", ["'2024-01-01'", "'2024-01-02'"]),
    "timestamp": ("TIMESTAMP", ["'2024-01-01'", "'2024-01-01 12:00:00'"]),
}
GROUPS = {"numbers": list(TYPES)[:6], "times": list(TYPES)[6:]}
CONSTANTS = {
    "numbers": ["5", "'5'", "'05'", "0.1", "'0.1'", "5.1", "16777217", "9007199254740993"],
    "times": ["DATE '2024-01-01'", "TIMESTAMP '2024-01-01 12:00:00'", "'2024-01-01'"],
}


@st.composite
def _joins(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """The types of two columns that can be compared, and a join of them with a condition."""
    group = draw(st.sampled_from(list(GROUPS)))
    left, right = (draw(st.sampled_from(GROUPS[group])) for _ in range(2))
    on = draw(st.sampled_from(["ON l.k = r.k", "USING (k)"]))
    kind = draw(st.sampled_from(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]))
    column = draw(st.sampled_from(["l.k", "r.k", *(["k"] if on.startswith("USING") else [])]))
    op = draw(st.sampled_from(["=", "<", "<=", ">", ">=", "<>"]))
    constant = draw(st.sampled_from(CONSTANTS[group]))
    return left, right, f"l {kind} r {on}", f"{column} {op} {constant}"


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    for number, (name, (kind, values)) in enumerate(TYPES.items()):
        rows = ", ".join(f"(CAST({value} AS {kind}))" for value in [*values, "NULL"])
        connection.execute(f"CREATE TABLE t{number} AS SELECT * FROM (VALUES {rows}) v(k)")
        assert list(TYPES)[number] == name
    return connection


@given(join=_joins())
@pytest.mark.slow
def test_no_row_that_a_join_of_two_types_needs_is_ruled_out(
    database: duckdb.DuckDBPyConnection, join: tuple[str, str, str, str]
) -> None:
    left, right, tables, where = join
    columns = {TableName(None, (), "l"): {"k": left}, TableName(None, (), "r"): {"k": right}}
    sql = f"SELECT l.k AS lk, r.k AS rk FROM {tables} WHERE {where}"
    found = extract(parse(sql, "duckdb"), dialect="duckdb", columns=columns, time_zone="UTC")
    sources = {}
    kept = {}
    for scan, kind in zip(found, (left, right), strict=True):
        source = f"t{list(TYPES).index(kind)}"
        schema = Schema(0, (SchemaColumn(1, ("k",), kind, False, False, False),))
        predicate = bind(scan.predicate, schema, time_zone="UTC")
        sources[scan.table.table] = f"(SELECT * FROM {source})"
        kept[scan.table.table] = _kept(database, source, predicate)
    try:
        expected = _run(database, sql, sources)
    except duckdb.Error:  # these types and constants cannot be compared
        reject()
    assert _run(database, sql, kept) == expected


def _run(database: duckdb.DuckDBPyConnection, sql: str, sources: dict[str, str]) -> list[str]:
    for table in ("l", "r"):
        database.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS {sources[table]}")
    return sorted(map(repr, database.execute(sql).fetchall()))


def _kept(database: duckdb.DuckDBPyConnection, source: str, predicate: Predicate) -> str:
    """The rows of a table that a bound predicate lets through, as a query."""
    rows = database.execute(f"SELECT rowid, k FROM {source}").fetchall()
    unbound = _unbound(predicate)
    kept = [str(row) for row, value in rows if matches(unbound, {"k": _physical(value)})]
    return f"(SELECT * FROM {source} WHERE rowid IN ({', '.join([*kept, '-1'])}))"


def _unbound(predicate: Predicate) -> Predicate:
    """The predicate over physical values of column k."""
    match predicate:
        case And(children):
            return all_of(*map(_unbound, children))
        case Or(children):
            return any_of(*map(_unbound, children))
        case BoundComparison(op, _, values):
            return Comparison(op, Column(("k",)), values)
    return predicate


def _physical(value: Any) -> Any:
    match value:
        case str():
            return value.encode()
        case dt.datetime():
            return (value - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
        case dt.date():
            return (value - dt.date(1970, 1, 1)).days
    return value
