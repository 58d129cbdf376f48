"""Statements that write as scans: what each reads of which table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

import duckdb
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from prunescope.collectors.errors import UnsupportedStatement
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import any_of
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.predicates.row_evaluator import matches

COLUMNS = {
    TableName("lake", ("db",), name): ("id", "name", "day", "price") for name in ("t", "s", "u")
}


def scans(sql: str, dialect: str) -> list[tuple[str, str]]:
    """Each scan: its table, and its predicate as text."""
    found = extract(
        parse(sql, dialect), dialect=dialect, columns=COLUMNS, catalog="lake", schema="db"
    )
    return [(scan.table.table, render(scan.predicate)) for scan in found]


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        pytest.param("DELETE FROM t WHERE id = 5", "trino", [("t", "id = 5")], id="delete"),
        pytest.param("DELETE FROM t AS x WHERE x.id = 5", "spark", [("t", "id = 5")], id="alias"),
        pytest.param(
            "DELETE FROM t WHERE id IN (SELECT id FROM s WHERE day = 'x') AND price > 1",
            "trino",
            [("t", "id IN (SELECT id FROM s WHERE day = 'x') AND price > 1"), ("s", "day = 'x'")],
            id="delete with a query",
        ),
        pytest.param(
            "DELETE FROM t USING s WHERE t.id = s.id AND s.price < 3 AND t.day = 'x'",
            "snowflake",
            [("t", "day = 'x'"), ("s", "price < 3")],
            id="delete using",
        ),
        pytest.param(
            "WITH c AS (SELECT id FROM s WHERE day = 'x') DELETE FROM t WHERE id IN (TABLE c)",
            "trino",
            [("t", "id IN (SELECT * FROM c)"), ("s", "day = 'x'")],
            id="delete with a common table expression",
        ),
        pytest.param(
            "UPDATE t SET price = (SELECT max(price) FROM s WHERE s.id = 4) WHERE day = 'x'",
            "trino",
            [("s", "id = 4"), ("t", "day = 'x'")],
            id="update",
        ),
        pytest.param(
            "UPDATE t SET (name, price) = (SELECT name, price FROM s WHERE id = t.id AND day = 'y')"
            " WHERE id = 1",
            "spark",
            [("s", "id = t.id AND day = 'y'"), ("t", "id = 1")],
            id="update of two columns by a query over the target",
        ),
        pytest.param("UPDATE t SET price = 1", "trino", [("t", "TRUE")], id="update all"),
        pytest.param(
            "UPDATE t SET price = s.price FROM s JOIN u ON s.id = u.id AND u.price > 1"
            " WHERE t.id = s.id AND s.day = 'x'",
            "snowflake",
            [("t", "TRUE"), ("s", "day = 'x'"), ("u", "price > 1")],
            id="update from a join",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id AND t.day = 'x' AND s.name = 'n'"
            " WHEN MATCHED THEN DELETE",
            "spark",
            [("s", "name = 'n'"), ("t", "day = 'x'")],
            id="merge of matches reads both sides by the condition",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id AND t.day = 'x' AND s.name = 'n'"
            " WHEN MATCHED THEN DELETE",
            "trino",
            [("s", "TRUE"), ("t", "day = 'x'")],
            id="merge of matches reads all source rows in Trino",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id AND 1 = 0 WHEN MATCHED THEN DELETE",
            "trino",
            [("s", "TRUE"), ("t", "FALSE")],
            id="merge on nothing reads all source rows in Trino",
        ),
        pytest.param(
            "MERGE INTO t AS a USING (SELECT * FROM s WHERE price > 2) AS b"
            " ON a.id = b.id AND a.day = 'x' AND b.name = 'n'"
            " WHEN MATCHED THEN UPDATE SET price = 1"
            " WHEN NOT MATCHED THEN INSERT (id) VALUES (b.id)",
            "trino",
            [("s", "price > 2"), ("t", "day = 'x'")],
            id="merge that inserts reads all source rows",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id AND t.day = 'x' AND s.day = 'y'"
            " WHEN NOT MATCHED BY SOURCE AND t.price > 3 THEN DELETE",
            "spark",
            [("s", "day = 'y'"), ("t", "TRUE")],
            id="merge by source reads all target rows",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id AND t.day = 'x' AND s.day = 'y'"
            " WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED BY TARGET THEN INSERT *",
            "databricks",
            [("s", "TRUE"), ("t", "TRUE")],
            id="merge by both reads all rows",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id"
            " WHEN MATCHED AND s.price > (SELECT min(price) FROM u WHERE id = 1) THEN"
            " UPDATE SET name = (SELECT max(name) FROM u WHERE id = 2)"
            " WHEN NOT MATCHED THEN INSERT (id) VALUES ((SELECT max(id) FROM u WHERE id = 3))",
            "spark",
            [("u", "id = 1"), ("u", "id = 2"), ("u", "id = 3"), ("s", "TRUE"), ("t", "TRUE")],
            id="queries in clauses of a merge",
        ),
        pytest.param(
            "MERGE WITH SCHEMA EVOLUTION INTO t USING s ON t.id = s.id AND t.day = 'x'"
            " WHEN MATCHED THEN UPDATE SET *",
            "databricks",
            [("s", "TRUE"), ("t", "day = 'x'")],
            id="merge with schema evolution",
        ),
        pytest.param(
            "CREATE TABLE x AS SELECT * FROM t WHERE id = 5", "trino", [("t", "id = 5")], id="ctas"
        ),
        pytest.param(
            "CREATE OR REPLACE TABLE x AS (SELECT * FROM t WHERE id = 5)",
            "trino",
            [("t", "id = 5")],
            id="ctas that replaces, in brackets",
        ),
        pytest.param(
            "REPLACE TABLE x USING iceberg AS SELECT * FROM t WHERE id = 5",
            "spark",
            [("t", "id = 5")],
            id="replace table",
        ),
        pytest.param(
            "INSERT INTO x WITH w AS (SELECT * FROM t) SELECT * FROM w WHERE id = 5",
            "trino",
            [("t", "id = 5")],
            id="insert with",
        ),
        pytest.param(
            "INSERT OVERWRITE TABLE x PARTITION (day = 'y') SELECT * FROM t WHERE id = 5",
            "spark",
            [("t", "id = 5")],
            id="insert overwrite",
        ),
        pytest.param("INSERT INTO x TABLE t", "spark", [("t", "TRUE")], id="insert a table"),
        pytest.param(
            "INSERT INTO x VALUES ((SELECT max(id) FROM t WHERE day = 'x'), 1)",
            "trino",
            [("t", "day = 'x'")],
            id="insert values of a query",
        ),
        pytest.param(
            "INSERT INTO t REPLACE WHERE day = 'x' SELECT * FROM s WHERE id = 5",
            "databricks",
            [("s", "id = 5")],
            id="replace where drops whole files unread",
        ),
        pytest.param(
            "FROM s INSERT INTO x SELECT id WHERE day = 'a' INSERT INTO y SELECT * WHERE id = 2",
            "spark",
            [("s", "day = 'a'"), ("s", "id = 2")],
            id="insert into two tables",
        ),
        pytest.param(
            "INSERT ALL WHEN id IN (SELECT id FROM u WHERE day = 'x') THEN INTO x ELSE INTO y"
            " SELECT id FROM s WHERE price = 1",
            "snowflake",
            [("s", "price = 1"), ("u", "day = 'x'")],
            id="insert all",
        ),
        pytest.param(
            "COPY INTO @stage FROM (SELECT * FROM t WHERE id = 5) FILE_FORMAT = (TYPE = CSV)",
            "snowflake",
            [("t", "id = 5")],
            id="copy out of a query",
        ),
        pytest.param("COPY INTO 's3://b/' FROM t", "snowflake", [("t", "TRUE")], id="of a table"),
        pytest.param(
            "CACHE TABLE x AS SELECT * FROM t WHERE id = 5", "spark", [("t", "id = 5")], id="cache"
        ),
        pytest.param("TABLE t", "trino", [("t", "TRUE")], id="table"),
    ],
)
def test_what_statements_read(sql: str, dialect: str, expected: list[tuple[str, str]]) -> None:
    assert scans(sql, dialect) == expected


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        pytest.param("DELETE FROM t", "trino", id="delete of all files"),
        pytest.param("TRUNCATE TABLE t", "spark", id="truncate"),
        pytest.param("CREATE VIEW v AS SELECT 4242 FROM t", "trino", id="view"),
        pytest.param("CREATE MATERIALIZED VIEW v AS SELECT 1 FROM t", "trino", id="materialized"),
        pytest.param("CREATE TABLE x AS SELECT 1 FROM t WITH NO DATA", "trino", id="without data"),
        pytest.param("CREATE TABLE x (a INT)", "trino", id="table"),
        pytest.param("CREATE TABLE x CLONE t", "snowflake", id="clone"),
        pytest.param("CACHE LAZY TABLE x AS SELECT * FROM t", "spark", id="later"),
        pytest.param("COPY INTO t FROM (SELECT $1 FROM @stage)", "snowflake", id="load"),
        pytest.param("INSERT INTO t VALUES (4242)", "trino", id="insert of constants"),
        pytest.param("VALUES (4242)", "trino", id="values"),
        pytest.param("ALTER TABLE t EXECUTE optimize WHERE day = '4242'", "trino", id="procedure"),
        pytest.param(
            "MERGE INTO t USING s USING (id) WHEN MATCHED THEN DELETE", "duckdb", id="by name"
        ),
        pytest.param("DELETE t FROM t JOIN s ON t.id = s.id", "mysql", id="delete of a join"),
    ],
)
def test_statements_that_read_no_rows_or_are_not_understood(sql: str, dialect: str) -> None:
    with pytest.raises(UnsupportedStatement) as failure:
        parse(sql, dialect)
    assert "4242" not in str(failure.value)


Row = tuple[int, int | None, int | None]
_NAMES = ("id", "a", "b")
_TABLES = {TableName(None, (), name): _NAMES for name in ("l", "r")}
_rows = st.lists(st.tuples(*[st.none() | st.integers(-1, 2)] * 2), max_size=5).map(
    lambda rows: [(number, *row) for number, row in enumerate(rows)]
)


@cache
def _conditions(*aliases: str) -> st.SearchStrategy[str]:
    column = st.builds("{}.{}".format, st.sampled_from(aliases), st.sampled_from("ab"))
    constant = st.integers(-1, 2)
    op = st.sampled_from(["=", "=", "<>", "<", ">="])
    leaf = st.one_of(
        st.builds("{} {} {}".format, column, op, constant),
        st.builds("{} {} {}".format, column, op, column),
        st.builds("{} IS {}NULL".format, column, st.sampled_from(["", "NOT "])),
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds("({} AND {})".format, inner, inner),
            st.builds("({} OR {})".format, inner, inner),
            st.builds("(NOT {})".format, inner),
        ),
        max_leaves=4,
    )


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def _run(database: duckdb.DuckDBPyConnection, sql: str, tables: dict[str, list[Row]]) -> list[Row]:
    """The rows of the target `l` after the statement."""
    for name, rows in tables.items():
        database.execute(f"CREATE OR REPLACE TABLE {name} (id INTEGER, a INTEGER, b INTEGER)")
        if rows:
            marks = ", ".join(["(?, ?, ?)"] * len(rows))
            database.execute(f"INSERT INTO {name} VALUES {marks}", [*chain(*rows)])
    database.execute(sql)
    return sorted(database.execute("SELECT * FROM l").fetchall(), key=repr)


SHAPES = {
    "delete": "DELETE FROM l WHERE {l}",
    "delete using": "DELETE FROM l USING r WHERE {both}",
    "delete by a query": "DELETE FROM l WHERE {l} AND l.a IN (SELECT r.b FROM r WHERE {r})",
    "update": "UPDATE l SET a = 9 WHERE {l}",
    "update by a query": "UPDATE l SET a = (SELECT max(b) FROM r WHERE {r} AND r.a = l.b) "
    "WHERE {l}",
    "update from": "UPDATE l SET b = 9 FROM r WHERE {both}",
    "insert": "INSERT INTO l SELECT id + 100, a, b FROM r WHERE {r}",
    "merge": "MERGE INTO l USING r ON {both} WHEN MATCHED THEN DELETE",
    "merge with a condition": "MERGE INTO l USING r ON {both} WHEN MATCHED AND {r} THEN DELETE",
    "merge that inserts": "MERGE INTO l USING r ON {both} WHEN MATCHED THEN DELETE "
    "WHEN NOT MATCHED THEN INSERT VALUES (r.id + 100, r.a, r.b)",
    "merge by source": "MERGE INTO l USING r ON {both} WHEN NOT MATCHED BY SOURCE AND {l} "
    "THEN DELETE",
    "merge by both": "MERGE INTO l USING r ON {both} WHEN NOT MATCHED BY SOURCE THEN DELETE "
    "WHEN NOT MATCHED BY TARGET AND {r} THEN INSERT VALUES (r.id + 100, r.a, r.b)",
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", [pytest.param(sql, id=name) for name, sql in SHAPES.items()])
@given(left=_rows, right=_rows, data=st.data())
@settings(max_examples=max(20, settings().max_examples // 10))  # the shapes share the examples
def test_a_statement_changes_the_same_rows_without_those_ruled_out(
    database: duckdb.DuckDBPyConnection,
    shape: str,
    left: list[Row],
    right: list[Row],
    data: st.DataObject,
) -> None:
    """DuckDB runs the statement over all rows, and over those that its scans may need: the rows
    that are left out of the target stay as they are."""
    sql = shape.format(
        l=data.draw(_conditions("l"), label="on the target"),
        r=data.draw(_conditions("r"), label="on the source"),
        both=data.draw(_conditions("l", "r"), label="on both"),
    )
    found = extract(parse(sql, "trino"), dialect="trino", columns=_TABLES)
    needed = {
        name: any_of(*(scan.predicate for scan in found if scan.table.table == name))
        for name in ("l", "r")
    }
    tables = {"l": left, "r": right}
    try:
        expected = _run(database, sql, tables)
    except duckdb.InvalidInputException:
        reject()  # a row of the target has two matches
    kept = {
        name: [row for row in rows if matches(needed[name], dict(zip(_NAMES, row, strict=True)))]
        for name, rows in tables.items()
    }
    untouched = [row for row in left if row not in kept["l"]]
    assert sorted([*_run(database, sql, kept), *untouched], key=repr) == expected
