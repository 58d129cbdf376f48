from __future__ import annotations

import logging

import pytest

from prunescope.collectors.errors import (
    TooComplexSql,
    UnparseableSql,
    UnsuitableInstallation,
    UnsupportedStatement,
)
from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.scopes.tables import referenced_tables
from prunescope.collectors.sql.text.parse import parse, parse_condition
from prunescope.collectors.sql.text.parser import require_interpreted

LITERAL = "4242424242"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT 1 FROM t; -- done", "SELECT 1 FROM t", id="semicolon and comment"),
        pytest.param("/* a */ TABLE t", "SELECT * FROM t", id="table statement"),
        pytest.param("CREATE TABLE x AS SELECT 1 FROM t", "SELECT 1 FROM t", id="ctas"),
        pytest.param("INSERT INTO x SELECT 1 FROM t", "SELECT 1 FROM t", id="insert select"),
        pytest.param(
            "WITH c AS (SELECT 1 FROM t) INSERT INTO x SELECT * FROM c",
            "WITH c AS (SELECT 1 FROM t) SELECT * FROM c",
            id="expressions before insert",
        ),
    ],
)
def test_the_query_of_a_statement_is_found(sql: str, expected: str) -> None:
    assert parse(sql, "trino").sql("trino", comments=False) == expected


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("", id="empty"),
        pytest.param(" ; -- nothing", id="only comments"),
        pytest.param("SHOW TABLES", id="show"),
        pytest.param("SET SESSION a = 4242424242", id="set"),
        pytest.param("EXPLAIN SELECT 4242424242", id="explain"),
        pytest.param("DROP TABLE t", id="drop"),
        pytest.param("CREATE VIEW v AS SELECT 1 FROM t", id="view"),
        pytest.param("CREATE TABLE x AS SELECT 1 FROM t WITH NO DATA", id="ctas without data"),
        pytest.param("INSERT INTO x VALUES (4242424242)", id="insert values"),
        pytest.param("GRANT SELECT ON t TO u4242424242", id="grant"),
        pytest.param("TRUNCATE TABLE t4242424242", id="truncate"),
        pytest.param("SELECT 1 FROM t; SELECT 4242424242", id="two statements"),
    ],
)
def test_statements_that_scan_nothing_are_unsupported(
    sql: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(UnsupportedStatement) as caught:
        parse(sql, "trino")
    assert LITERAL not in str(caught.value)
    assert LITERAL not in caplog.text


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("FROM t |> WHERE a = 5", "SELECT * FROM t WHERE (a = 5)"),
        pytest.param(
            "FROM t AS x |> WHERE x.b = 5 OR c |> WHERE d IN (SELECT 1) |> SELECT DISTINCT x.a AS e"
            " |> ORDER BY e |> LIMIT 3",
            "SELECT DISTINCT x.a AS e FROM t AS x WHERE (x.b = 5 OR c) AND (d IN (SELECT 1))"
            " ORDER BY e LIMIT 3",
        ),
        pytest.param(
            "FROM t |> WHERE a = 5 |> AGGREGATE sum(b) AS c GROUP BY d, e |> ORDER BY c",
            "SELECT SUM(b) AS c FROM t WHERE (a = 5) GROUP BY d, e ORDER BY c",
        ),
        pytest.param(
            "TABLE t |> WHERE a = 5",
            "SELECT * FROM t WHERE (a = 5)",
        ),
        ("FROM t JOIN u ON t.a = u.a |> SELECT b", "SELECT b FROM t JOIN u ON t.a = u.a"),
        ("FROM (SELECT * FROM t) |> AGGREGATE count(*)", "SELECT COUNT(*) FROM (SELECT * FROM t)"),
    ],
)
@pytest.mark.parametrize("dialect", ["databricks", "bigquery"])
def test_pipes_in_the_order_of_a_select_are_one(sql: str, expected: str, dialect: str) -> None:
    assert parse(sql, dialect).sql() == expected


@pytest.mark.parametrize("dialect", ["spark", "databricks", "bigquery"])
@pytest.mark.parametrize(
    "sql",
    [
        "FROM t |> ORDER BY a |> LIMIT 4 |> WHERE b > 4242424242",
        "SELECT a, b AS a FROM t |> WHERE a = 4242424242",
        "FROM t |> AS x |> WHERE x.a = 4242424242 |> SELECT a",
        "SELECT * FROM (FROM t |> WHERE a = 4242424242)",
        "FROM t |> AGGREGATE sum(a) b GROUP BY c |> WHERE b = 4242424242",
        "FROM t |> AGGREGATE sum(a) GROUP BY c AS d",
        "FROM t |> WHERE a = 4242424242 |> JOIN u ON a = b",
        "FROM t |> SELECT a |> EXTEND a + 4242424242 AS b",
        "FROM t |> LIMIT 4 |> ORDER BY a",
        "FROM t WHERE a = 4242424242 |> WHERE b = 1",
        "FROM t |> |> WHERE a = 4242424242",
    ],
)
def test_other_pipes_are_not_read(sql: str, dialect: str) -> None:
    """As what sqlglot 30 makes of them means something else."""
    with pytest.raises(UnparseableSql, match="pipe syntax") as caught:
        parse(sql, dialect)
    assert LITERAL not in str(caught.value)


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        pytest.param("SELECT * FORM t WHERE a = 4242424242", "line 1", id="misspelt"),
        pytest.param("SELECT *\nFROM t WHERE a = 1 4242424242", "NUMBER token", id="extra"),
        pytest.param("SELECT '4242424242", "does not end", id="open string"),
        pytest.param("SELECT /* 4242424242", None, id="open comment"),
        pytest.param("SELECT (4242424242", "line 1", id="open bracket"),
        pytest.param("4242424242 \x00 [", None, id="noise"),
    ],
)
def test_text_that_is_no_sql_is_unparseable_and_not_repeated(sql: str, place: str | None) -> None:
    with pytest.raises(UnparseableSql) as caught:
        parse(sql, "trino")
    assert place is None or place in str(caught.value)
    assert LITERAL not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.slow
def test_deep_nesting_is_too_complex() -> None:
    with pytest.raises(TooComplexSql, match="deeply"):
        parse("SELECT " + "(" * 10_000 + LITERAL + ")" * 10_000, "trino")


def test_an_unknown_dialect_is_named_as_the_problem() -> None:
    with pytest.raises(UnparseableSql, match="dialect"):
        parse("SELECT 1", "os.path")


@pytest.mark.parametrize(
    ("sql", "parameters", "expected"),
    [
        pytest.param(
            "SELECT * FROM t WHERE a = ? AND b = '?' AND c > ?",
            ["5", "DATE '2024-01-01'"],
            "SELECT * FROM t WHERE a = 5 AND b = '?' AND c > (CAST('2024-01-01' AS DATE))",
            id="in order, not in strings",
        ),
        pytest.param(
            "SELECT ? FROM t WHERE a = 1 -?",
            ["'x'", "-5 -- five"],
            "SELECT 'x' FROM t WHERE a = 1 - (-5)",
            id="signs and comments",
        ),
        pytest.param(
            "SELECT a FROM t LIMIT ?", ["7"], "SELECT a FROM t LIMIT 7", id="where only numbers go"
        ),
        pytest.param(
            "SELECT a FROM t WHERE b = ?", [], "SELECT a FROM t WHERE b = ?", id="no values"
        ),
    ],
)
def test_parameters_take_the_place_of_question_marks(
    sql: str, parameters: list[str], expected: str
) -> None:
    assert parse(sql, "trino", parameters).sql("trino", comments=False) == expected


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "a = :x AND b IN (:y, :date)", "a = 5 AND b IN ('v', 6)"),
        ("spark", "a = :x OR a=:x", "a = 5 OR a = 5"),
        ("spark", "a = :other AND b = ':x'", "a = :other AND b = ':x'"),
        ("databricks", "a:x = :x", "a:x = 5"),
        ("databricks", "a = 5::int", "a = CAST(5 AS INT)"),
    ],
)
def test_parameters_take_the_place_of_their_names(dialect: str, sql: str, expected: str) -> None:
    """One without a value stays, and so does the path into a column."""
    named = [("x", "5"), ("y", "'v'"), ("date", "6"), ("unused", "7")]
    tree = parse(f"SELECT * FROM t WHERE {sql}", dialect, named)
    assert tree.args["where"].this.sql(dialect) == expected


def test_a_wrong_number_of_parameters_is_an_error() -> None:
    with pytest.raises(UnparseableSql, match="2 parameters") as caught:
        parse("SELECT * FROM t WHERE a = ? AND b = ?", "trino", ["4242424242"])
    assert LITERAL not in str(caught.value)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM t", ["c.s.t"], id="session defaults"),
        pytest.param("SELECT * FROM x.t, y.x.t", ["c.x.t", "y.x.t"], id="written parts"),
        pytest.param("SELECT * FROM a.b.c.d", ["a.b.c.d"], id="nested namespace"),
        pytest.param("SELECT * FROM t a JOIN t b ON a.i = b.i", ["c.s.t"], id="distinct"),
        pytest.param("WITH t AS (SELECT * FROM t) SELECT * FROM t", ["c.s.t"], id="hidden by cte"),
        pytest.param("WITH q AS (SELECT 1 AS i) SELECT * FROM Q", [], id="cte in another case"),
        pytest.param("WITH q AS (SELECT 1 AS i) SELECT * FROM s.q", ["c.s.q"], id="not the cte"),
        pytest.param(
            "SELECT * FROM (WITH q AS (SELECT 1 AS i) SELECT * FROM q) d, q",
            ["c.s.q"],
            id="cte of an inner query",
        ),
        pytest.param(
            "WITH a AS (SELECT * FROM b), b AS (SELECT 1 AS i) SELECT * FROM a, b",
            ["c.s.b"],
            id="cte before its definition",
        ),
        pytest.param(
            "WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i FROM r, t) SELECT * FROM r",
            ["c.s.t"],
            id="recursive",
        ),
        pytest.param('SELECT * FROM "t$partitions", "t$x"', ["c.s.t$x"], id="trino metadata"),
        pytest.param(
            "SELECT * FROM c.s.t.files, c.s.t.changes, s.files", ["c.s.files"], id="spark metadata"
        ),
        pytest.param("SELECT * FROM t WHERE EXISTS (SELECT * FROM u)", ["c.s.t", "c.s.u"], id="in"),
        pytest.param("SELECT * FROM UNNEST(ARRAY[1]) AS u (i)", [], id="table function"),
    ],
)
def test_referenced_tables_are_the_base_tables(sql: str, expected: list[str]) -> None:
    found = referenced_tables(parse(sql, "trino"), "c", "s")
    assert sorted(map(str, found)) == sorted(expected)


def test_a_table_without_session_defaults_stays_incomplete() -> None:
    (found,) = referenced_tables(parse("SELECT * FROM t", "trino"), None, None)
    assert found == TableName(None, (), "t")


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        pytest.param("id = ", " at its end", id="cut off"),
        pytest.param("id = 1 AND", " at its end", id="half a conjunction"),
        pytest.param(
            "id === 1", " at or before line 1, column 6 (the EQ token)", id="on the first line"
        ),
        pytest.param(
            "a = 1 AND\n\n  b = = 2",
            " at or before line 3, column 7 (the EQ token)",
            id="on the third",
        ),
        pytest.param(
            "id = 'x",
            ": a string, a quoted name or a comment does not end",
            id="a string that does not end",
        ),
    ],
)
def test_a_condition_that_cannot_be_parsed_names_the_place_in_it(
    condition: str, problem: str
) -> None:
    with pytest.raises(UnparseableSql) as caught:
        parse_condition(condition, "trino")
    assert str(caught.value) == (
        f"SQL syntax error{problem}. Check that it is complete and in the `trino` dialect."
    )


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("window(ts, '10 minutes'), k", ["WINDOW(ts, '10 minutes')", "k"]),
        ("WINDOW (ts, '1 hour')", ["WINDOW(ts, '1 hour')"]),
    ],
)
def test_a_window_of_time_is_a_key_of_groups(keys: str, expected: list[str]) -> None:
    tree = parse(f"SELECT count(*) FROM t GROUP BY {keys} HAVING max(k) > 2", "spark")
    assert [key.sql("spark") for key in tree.args["group"].expressions] == expected
    assert tree.args["having"] is not None


def test_a_parser_that_cannot_be_bounded_is_no_parser() -> None:
    # As sqlglotc's: a class whose methods are no functions, from which no Python class derives.
    with pytest.raises(UnsuitableInstallation, match="pip uninstall sqlglotc"):
        require_interpreted(type("Compiled", (), {"parse": str.split}))
    require_interpreted()


@pytest.mark.parametrize("dialect", ["trino", "spark", "snowflake", "postgres"])
@pytest.mark.parametrize("place", ["'hidden'", "lake.shop.'hidden'", "t, 'hidden'"])
def test_a_text_in_the_place_of_a_table_is_no_name(dialect: str, place: str) -> None:
    tree = parse(f"SELECT * FROM {place} WHERE id = 1", dialect)
    assert "hidden" not in str(referenced_tables(tree, None, None))
