"""Texts of several statements: where they end, and what session each of them finds."""

from __future__ import annotations

from contextlib import suppress

import pytest

from prunescope.collectors.errors import (
    QueryError,
    TooComplexSql,
    UnparseableSql,
    UnsupportedStatement,
)
from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.scopes.tables import referenced_tables
from prunescope.collectors.sql.text.statements import Statement, statements


def read(sql: str, dialect: str, parameters: tuple[str, ...] = ()) -> list[str]:
    """What each statement of a text reads, or the code of its failure."""
    found = statements(sql, dialect, parameters, "lake", "db")
    return [_read(statement, dialect) for statement in found]


def _read(statement: Statement, dialect: str) -> str:
    if statement.tree is not None:
        return statement.tree.sql(dialect)
    assert statement.failure is not None
    return statement.failure.code


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        pytest.param(
            "SELECT 1; SELECT 2 ;; -- end\n;", "trino", ["SELECT 1", "SELECT 2"], id="two"
        ),
        pytest.param(
            "SELECT ';' /* ; */; SELECT \"a;b\" FROM t",
            "trino",
            ["SELECT ';' /* ; */", 'SELECT "a;b" FROM t'],
            id="semicolons in strings, names and comments",
        ),
        pytest.param(
            "SELECT $$a;b$$; SHOW TABLES LIKE ';'; SELECT 2",
            "snowflake",
            ["SELECT 'a;b'", "not_a_query", "SELECT 2"],
            id="semicolons in dollar quotes and commands",
        ),
        pytest.param(
            "SELECT 1; SELECT FROM WHERE; SELECT (; SELECT 2",
            "trino",
            ["SELECT 1", "unparseable", "unparseable", "SELECT 2"],
            id="broken ones among others",
        ),
        pytest.param(
            "CREATE TABLE x (a INT); SET a = 1; SHOW TABLES; GRANT SELECT ON t TO u",
            "spark",
            ["not_a_query"] * 4,
            id="none that reads",
        ),
        pytest.param(
            "BEGIN; SELECT 1; COMMIT",
            "snowflake",
            ["not_a_query", "SELECT 1", "not_a_query"],
            id="a transaction",
        ),
        pytest.param(
            "BEGIN TRANSACTION; SELECT 1", "tsql", ["not_a_query", "SELECT 1"], id="its long form"
        ),
        pytest.param(
            "SELECT 1; BEGIN SELECT 2; SELECT 3; END; SELECT 4",
            "databricks",
            ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"],
            id="a block",
        ),
        pytest.param(
            "CREATE OR REPLACE PROCEDURE p() AS BEGIN IF (a) THEN SELECT 1; END IF; "
            "FOR i IN c DO SELECT CASE WHEN a THEN 1 END; END FOR; "
            "CASE WHEN a THEN SELECT 2; END CASE; BEGIN SELECT 3; END; END; SELECT 4",
            "snowflake",
            ["not_a_query", "SELECT 4"],
            id="a procedure",
        ),
        pytest.param(
            "DECLARE a INT; BEGIN LET b := 1; END; SELECT 4",
            "snowflake",
            ["not_a_query", "not_a_query", "SELECT 4"],
            id="declarations",
        ),
        pytest.param(
            "BEGIN DECLARE v INT DEFAULT 5; BEGIN SELECT 1; END; SET v = (SELECT max(a) FROM t); "
            "SELECT * FROM t WHERE a = v; END; SELECT 3",
            "spark",
            [
                "not_a_query",
                "SELECT 1",
                "SELECT (SELECT MAX(a) FROM t)",
                "SELECT * FROM t WHERE a = v",
                "SELECT 3",
            ],
            id="a script",
        ),
        pytest.param(
            "BEGIN DECLARE v INT DEFAULT (SELECT max(a) FROM t); SELECT 1; END",
            "spark",
            ["unparseable", "SELECT 1"],
            id="a variable of a query",
        ),
        pytest.param(
            "BEGIN SELECT 1; IF (SELECT count(*) > 0 FROM t) THEN SELECT 2; END IF; END; SELECT 3",
            "spark",
            ["unparseable", "SELECT 3"],
            id="a script with branches",
        ),
        pytest.param(
            "BEGIN SELECT 1; EXCEPTION WHEN OTHER THEN SELECT 2; END; SELECT 3",
            "snowflake",
            ["unparseable", "SELECT 3"],
            id="a script with a handler",
        ),
        pytest.param(
            'SELECT CASE WHEN a THEN 1 END FROM t; SELECT "begin", "end" FROM t; SELECT 2',
            "trino",
            [
                "SELECT CASE WHEN a THEN 1 END FROM t",
                'SELECT "begin", "end" FROM t',
                "SELECT 2",
            ],
            id="CASE and names are no blocks",
        ),
        pytest.param(
            "EXPLAIN ANALYZE /* x */ VERBOSE SELECT * FROM t WHERE a = ';'; SELECT 2",
            "trino",
            ["SELECT * FROM t WHERE a = ';'", "SELECT 2"],
            id="explain analyze runs",
        ),
        pytest.param(
            "explain analyze DELETE FROM t WHERE a = 1",
            "trino",
            ["SELECT * FROM t WHERE a = 1"],
            id="explain analyze of a delete",
        ),
        pytest.param("EXPLAIN SELECT 1 FROM t", "trino", ["not_a_query"], id="explain does not"),
        pytest.param(
            "EXPLAIN (TYPE IO) SELECT 1 FROM t", "trino", ["not_a_query"], id="nor with options"
        ),
        pytest.param(
            "UNLOAD (SELECT * FROM t WHERE a = ') TO x' AND b IN (1)) TO 's3://b/'"
            " WITH (format = 'PARQUET', note = ')')",
            "athena",
            ["SELECT * FROM t WHERE a = ') TO x' AND b IN (1)"],
            id="unload",
        ),
        pytest.param(
            "UNLOAD ('SELECT 1') TO 's3://b/'", "redshift", ["not_a_query"], id="of a string"
        ),
    ],
)
def test_where_statements_end(sql: str, dialect: str, expected: list[str]) -> None:
    assert read(sql, dialect) == expected


@pytest.mark.parametrize(
    ("use", "dialect", "expected"),
    [
        pytest.param("USE c.s", "trino", ("c", "s"), id="both"),
        pytest.param("USE s", "trino", ("lake", "s"), id="schema"),
        pytest.param('use "C x"."s.t"', "trino", ("C x", "s.t"), id="quoted"),
        pytest.param("USE s", "spark", ("lake", "s"), id="spark"),
        pytest.param("USE lake", "spark", ("lake", None), id="spark, the current catalog"),
        pytest.param("USE DATABASE lake", "spark", ("lake", "lake"), id="spark, a database"),
        pytest.param("USE NAMESPACE s", "spark", ("lake", "s"), id="spark, a namespace"),
        pytest.param("USE c.s.t", "spark", ("c", "s.t"), id="spark, nested"),
        pytest.param("SET CATALOG c", "spark", ("c", None), id="spark, a catalog"),
        pytest.param("USE CATALOG c", "databricks", ("c", "default"), id="databricks, a catalog"),
        pytest.param("USE SCHEMA c.s", "databricks", ("c", "s"), id="databricks, both"),
        pytest.param("USE DATABASE d", "snowflake", ("d", None), id="snowflake, a database"),
        pytest.param("USE d", "snowflake", ("d", None), id="snowflake, a bare database"),
        pytest.param("USE SCHEMA d.s", "snowflake", ("d", "s"), id="snowflake, both"),
        pytest.param("USE WAREHOUSE w", "snowflake", ("lake", "db"), id="no name of tables"),
        pytest.param("USE SECONDARY ROLES ALL", "snowflake", ("lake", "db"), id="roles"),
        pytest.param("USE IDENTIFIER($x)", "snowflake", (None, None), id="unknown"),
        pytest.param("USE", "trino", (None, None), id="nothing"),
    ],
)
def test_the_names_that_use_leaves_behind(
    use: str, dialect: str, expected: tuple[str | None, str | None]
) -> None:
    before, after = statements(f"{use}; SELECT 1", dialect, (), "lake", "db")
    assert isinstance(before.failure, UnsupportedStatement)
    assert (after.catalog, after.schema) == expected


@pytest.mark.parametrize(
    ("setting", "dialect", "zone"),
    [
        pytest.param("SET TIME ZONE 'Asia/Tokyo'", "trino", "Asia/Tokyo", id="trino"),
        pytest.param("SET TIME ZONE LOCAL", "trino", "LOCAL", id="no zone by that name"),
        pytest.param("SET spark.sql.session.timeZone = UTC", "spark", "UTC", id="spark's property"),
        pytest.param(
            "SET spark.sql.session.timezone=Asia/Tokyo", "spark", "Asia/Tokyo", id="unquoted"
        ),
        pytest.param("SET spark.sql.session.timeZone=+09:00", "spark", "+09:00", id="an offset"),
        pytest.param("ALTER SESSION SET TIMEZONE = 'UTC'", "snowflake", "UTC", id="snowflake"),
        pytest.param(
            "SET session_timezone = 'Asia/Tokyo'", "clickhouse", "Asia/Tokyo", id="clickhouse"
        ),
        pytest.param("SET spark.sql.ansi.enabled = true", "spark", None, id="another property"),
        pytest.param("SET SESSION time_zone_id = 'UTC'", "trino", None, id="another session"),
    ],
)
def test_the_time_zone_that_a_text_sets(setting: str, dialect: str, zone: str | None) -> None:
    before, after = statements(f"{setting}; SELECT 1", dialect)
    assert isinstance(before.failure, UnsupportedStatement)
    assert after.time_zone == zone


@pytest.mark.parametrize(
    ("sql", "zone"),
    [
        ("SELECT 1 FROM t SETTINGS session_timezone = 'Asia/Tokyo', max_threads = 1", "Asia/Tokyo"),
        ("SELECT 1 FROM t SETTINGS max_threads = 1", None),
        ("SELECT 1 FROM (SELECT 1 FROM t SETTINGS session_timezone = 'Asia/Tokyo')", "?"),
        ("SELECT * FROM (SELECT 1 SETTINGS session_timezone='UTC') SETTINGS session_timezone='UTC'",
         "?"),
    ],
)  # fmt: skip
def test_the_time_zone_that_a_query_sets(sql: str, zone: str | None) -> None:
    found, after = statements(f"{sql}; SELECT 1", "clickhouse")
    assert found.failure is None
    assert found.time_zone == zone
    assert after.time_zone is None


@pytest.mark.slow(minutes=0.1)
def test_blocks_within_blocks_end() -> None:
    for depth in (100, 5_000):
        with suppress(TooComplexSql):
            sql = "BEGIN " * depth + "SELECT 1; SELECT 2; " + "END; " * depth
            assert read(sql, "spark") == ["SELECT 1", "SELECT 2"]
            assert depth == 100


def test_parameters_are_numbered_over_the_whole_text() -> None:
    sql = "SELECT ? FROM t; EXPLAIN ANALYZE SELECT ? FROM t"
    assert read(sql, "trino", ("1", "'b'")) == ["SELECT 1 FROM t", "SELECT 'b' FROM t"]


def test_a_wrong_number_of_parameters_raises() -> None:
    with pytest.raises(UnparseableSql, match=r"2 parameters .* but 1 values"):
        statements("SELECT ?; SELECT ?", "trino", ("1",))


@pytest.mark.parametrize("sql", ["", " ; -- nothing\n;", "SELECT 'open"])
def test_a_text_without_statements_raises(sql: str) -> None:
    with pytest.raises(QueryError):
        statements(sql, "trino")


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        (
            "EXECUTE IMMEDIATE 'SELECT * FROM t WHERE a = ''x''' ; SELECT 2",
            "trino",
            ["SELECT * FROM t WHERE a = 'x'", "SELECT 2"],
        ),
        (
            "EXECUTE IMMEDIATE 'SELECT * FROM t WHERE a = ? AND b > ?' USING 9, date'2024-01-01'",
            "trino",
            ["SELECT * FROM t WHERE a = 9 AND b > (CAST('2024-01-01' AS DATE))"],
        ),
        (
            "execute immediate 'SELECT * FROM t WHERE a = :x' || ' AND b = 1' INTO v USING 9 AS x",
            "spark",
            ["SELECT * FROM t WHERE a = 9 AND b = 1"],
        ),
        (
            "EXECUTE IMMEDIATE 'SELECT ? FROM t WHERE a = ?' USING 9, v + 1",
            "spark",
            ["SELECT 9 FROM t WHERE a = (:unknown)"],
        ),
        (
            "EXECUTE IMMEDIATE 'SELECT :v FROM t WHERE a = :w' USING (v, 5 AS w)",
            "spark",
            ["SELECT (:unknown) FROM t WHERE a = 5"],
        ),
        (
            "EXECUTE IMMEDIATE $$SELECT a FROM t WHERE b = ?$$ USING (v); SELECT 2",
            "snowflake",
            ["SELECT a FROM t WHERE b = (:unknown)", "SELECT 2"],
        ),
        (
            'EXECUTE IMMEDIATE "SELECT a FROM t -- b" INTO x; SELECT 2',
            "bigquery",
            ["SELECT a FROM t /* b */", "SELECT 2"],
        ),
        (
            "EXECUTE IMMEDIATE 'SELECT * FROM IDENTIFIER(:name)' USING 'db.t' AS name",
            "spark",
            ["SELECT * FROM db.t"],
        ),
        (
            "BEGIN EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE \"SELECT 1 FROM t\"'; SELECT 2; END",
            "spark",
            ["SELECT 1 FROM t", "SELECT 2"],
        ),
        ("EXECUTE IMMEDIATE 'DELETE FROM t WHERE a = 1'", "spark", ["SELECT * FROM t WHERE a = 1"]),
        ("EXECUTE IMMEDIATE 'DROP TABLE t'", "spark", ["not_a_query"]),
        ("EXECUTE IMMEDIATE q USING 9; SELECT 2", "spark", ["unparseable", "SELECT 2"]),
        ("EXECUTE IMMEDIATE 'a' || q", "spark", ["unparseable"]),
        ("EXECUTE IMMEDIATE 'SELECT \\''; SELECT 2", "spark", ["unparseable", "SELECT 2"]),
        ("EXECUTE IMMEDIATE 'SELECT ?'; SELECT 2", "spark", ["SELECT ?", "SELECT 2"]),
        ("EXECUTE IMMEDIATE 'SELECT ?' USING 1, 2", "spark", ["unparseable"]),
        ("EXECUTE p USING 9", "trino", ["unparseable"]),
        ("EXECUTE TASK t", "snowflake", ["not_a_query"]),
    ],
)
def test_a_text_that_is_executed_is_read(sql: str, dialect: str, expected: list[str]) -> None:
    assert read(sql, dialect) == expected


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        ("SELECT * FROM IDENTIFIER('db.' || 't')", "spark", "SELECT * FROM db.t"),
        ("SELECT * FROM IDENTIFIER(concat('db', '.t')) x", "databricks", "SELECT * FROM db.t AS x"),
        ("SELECT * FROM IDENTIFIER(('t')) x JOIN u", "snowflake", "SELECT * FROM t AS x, u"),
        ("SELECT * FROM TABLE('db.t') x JOIN u", "snowflake", "SELECT * FROM db.t AS x, u"),
        ("SELECT * FROM t WHERE IDENTIFIER('id') = 3", "spark", "SELECT * FROM t WHERE id = 3"),
        ("SELECT IDENTIFIER('t.' || 'id') FROM t", "snowflake", "SELECT t.id FROM t"),
        (
            "MERGE INTO IDENTIFIER('db.t') USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
            "spark",
            "SELECT * FROM u JOIN db.t ON t.a = u.a",
        ),
        ("SELECT * FROM TABLE(f('t'))", "snowflake", "SELECT * FROM TABLE(F('t'))"),
        ("SELECT * FROM IDENTIFIER('`a-b`.t')", "databricks", "SELECT * FROM `a-b`.t"),
        ('SELECT * FROM TABLE(\'"a.b"."T"\')', "snowflake", 'SELECT * FROM "a.b".T'),
    ],
)
def test_what_is_named_by_a_constant_text(sql: str, dialect: str, expected: str) -> None:
    assert read(sql, dialect) == [expected]


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT * FROM t JOIN IDENTIFIER(:name) ON a = b", "spark"),
        ("SELECT * FROM t JOIN (SELECT * FROM identifier('db.' || :name))", "databricks"),
        ("SELECT * FROM t JOIN IDENTIFIER($name)", "snowflake"),
        ("SELECT * FROM t JOIN TABLE($name)", "snowflake"),
        ("SELECT * FROM t JOIN {name:Identifier} u ON a = b", "clickhouse"),
        ("SELECT * FROM t JOIN ${schema}.u ON a = b", "spark"),
        ("SELECT * FROM t JOIN :name ON a = b", "databricks"),
    ],
)
def test_a_table_that_is_named_by_no_constant_is_told_of(sql: str, dialect: str) -> None:
    (statement,) = statements(sql, dialect)
    assert statement.tree is not None
    assert referenced_tables(statement.tree, "lake", "db") == (TableName("lake", ("db",), "t"),)
    assert isinstance(statement.failure, UnparseableSql)


def test_places_are_those_of_the_whole_text() -> None:
    _, broken = statements("SELECT 1;\nSELECT a FROM\nWHERE", "trino")
    assert broken.failure is not None
    assert "line 3" in str(broken.failure)


def test_a_full_name_with_a_version_is_of_the_table() -> None:
    (statement,) = statements("SELECT * FROM lake.db.t.branch_audit", "spark")
    assert statement.tree is not None
    named = referenced_tables(statement.tree, "lake", "db")
    assert named == (TableName("lake", ("db",), "t"),)
    columns = {named[0]: ("id",)}
    (scan,) = extract(statement.tree, dialect="spark", columns=columns)
    assert (scan.table, scan.ref) == (named[0], "audit")
