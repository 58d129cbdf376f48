"""Statements of every kind as scans: what each reads of which table."""

from __future__ import annotations

import pytest

from collectors.errors import QueryError, UnparseableSql, UnsupportedStatement
from collectors.predicates.render import render
from collectors.predicates.sql_extract import extract
from collectors.predicates.sql_statements import statements
from collectors.queries.observed import TableName

COLUMNS = {
    TableName("lake", ("db",), name): ("id", "name", "day", "price") for name in ("t", "s", "u")
}


def scans(sql: str, dialect: str) -> list[tuple[str, str]]:
    """Each scan of a text: its table, and its predicate as text."""
    return [
        (scan.table.table, render(scan.predicate))
        for statement in statements(sql, dialect, (), "lake", "db")
        if statement.tree is not None
        for scan in extract(
            statement.tree,
            dialect=dialect,
            columns=COLUMNS,
            catalog=statement.catalog,
            schema=statement.schema,
        )
    ]


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        pytest.param("DELETE FROM t WHERE id = 5", "trino", [("t", "id = 5")], id="delete"),
        pytest.param("DELETE FROM t AS x WHERE x.id = 5", "spark", [("t", "id = 5")], id="alias"),
        pytest.param("DELETE FROM t", "trino", [], id="delete all reads nothing"),
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
            "UPDATE t SET price = (SELECT max(price) FROM s WHERE s.id = 4) WHERE day = 'x'",
            "trino",
            [("s", "id = 4"), ("t", "day = 'x'")],
            id="update",
        ),
        pytest.param(
            "UPDATE t SET price = s.price FROM s WHERE t.id = s.id AND s.day = 'x'",
            "snowflake",
            [("t", "TRUE"), ("s", "day = 'x'")],
            id="update from",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id AND t.day = 'x' WHEN MATCHED THEN DELETE",
            "spark",
            [("s", "TRUE"), ("t", "day = 'x'")],
            id="merge of matches reads matching target rows",
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
            "MERGE INTO t USING s ON t.id = s.id AND t.day = 'x'"
            " WHEN NOT MATCHED BY SOURCE THEN DELETE",
            "spark",
            [("s", "TRUE"), ("t", "TRUE")],
            id="merge by source reads all target rows",
        ),
        pytest.param(
            "MERGE INTO t USING s ON t.id = s.id"
            " WHEN MATCHED AND s.price > (SELECT min(price) FROM u WHERE id = 1) THEN DELETE",
            "spark",
            [("u", "id = 1"), ("s", "TRUE"), ("t", "TRUE")],
            id="queries in clauses of a merge",
        ),
        pytest.param(
            "CREATE TABLE x AS SELECT * FROM t WHERE id = 5", "trino", [("t", "id = 5")], id="ctas"
        ),
        pytest.param(
            "INSERT INTO x WITH w AS (SELECT * FROM t) SELECT * FROM w WHERE id = 5",
            "trino",
            [("t", "id = 5")],
            id="insert with",
        ),
        pytest.param(
            "INSERT OVERWRITE TABLE x SELECT * FROM t WHERE id = 5",
            "spark",
            [("t", "id = 5")],
            id="insert overwrite",
        ),
        pytest.param(
            "CACHE TABLE x AS SELECT * FROM t WHERE id = 5", "spark", [("t", "id = 5")], id="cache"
        ),
        pytest.param(
            "EXPLAIN ANALYZE VERBOSE SELECT * FROM t WHERE id = 5",
            "trino",
            [("t", "id = 5")],
            id="explain analyze runs",
        ),
        pytest.param("EXPLAIN SELECT * FROM t", "trino", [], id="explain does not"),
        pytest.param(
            "UNLOAD (SELECT * FROM t WHERE name = ') TO x' AND id = 5) TO 's3://b/'"
            " WITH (format = 'PARQUET', note = ')')",
            "athena",
            [("t", "name = ') TO x' AND id = 5")],
            id="unload",
        ),
        pytest.param(
            "SELECT 1 FROM t WHERE id = 1; SELECT 1 FROM s WHERE name = ';' ;",
            "trino",
            [("t", "id = 1"), ("s", "name = ';'")],
            id="two statements",
        ),
        pytest.param(
            "SELECT 1 FROM t WHERE id = 1; SELECT FROM WHERE; SELECT 1 FROM s",
            "trino",
            [("t", "id = 1"), ("s", "TRUE")],
            id="a broken one among others",
        ),
        pytest.param(
            "USE other.x; SELECT * FROM t; USE lake.db; SELECT * FROM t WHERE id = 1",
            "trino",
            [("t", "id = 1")],
            id="use",
        ),
        pytest.param(
            "USE CATALOG other; SELECT * FROM db.t", "spark", [("t", "TRUE")], id="use catalog"
        ),
    ],
)
def test_what_statements_read(sql: str, dialect: str, expected: list[tuple[str, str]]) -> None:
    if "other" in sql and dialect == "spark":
        expected = []
        assert statements(sql, dialect, (), "lake", "db")[1].catalog == "other"
    assert scans(sql, dialect) == expected


@pytest.mark.parametrize(
    ("sql", "dialect", "zone"),
    [
        pytest.param("SET TIME ZONE 'Asia/Tokyo'; SELECT 1", "trino", "Asia/Tokyo", id="trino"),
        pytest.param(
            "SET spark.sql.session.timeZone = UTC; SELECT 1", "spark", "UTC", id="spark's property"
        ),
        pytest.param("SET spark.sql.ansi.enabled = true; SELECT 1", "spark", None, id="another"),
    ],
)
def test_the_time_zone_that_a_text_sets(sql: str, dialect: str, zone: str | None) -> None:
    before, after = statements(sql, dialect)
    assert isinstance(before.failure, UnsupportedStatement)
    assert after.time_zone == zone


def test_each_statement_has_its_own_failure() -> None:
    found = statements("SHOW TABLES; SELECT (; SELECT 1", "trino")
    assert [type(s.failure) for s in found] == [UnsupportedStatement, UnparseableSql, type(None)]


def test_parameters_are_numbered_over_the_whole_text() -> None:
    one, two = statements("SELECT ? FROM t; SELECT ? FROM t", "trino", ("1", "'b'"))
    assert one.tree is not None
    assert two.tree is not None
    assert (one.tree.sql("trino"), two.tree.sql("trino")) == (
        "SELECT 1 FROM t",
        "SELECT 'b' FROM t",
    )


@pytest.mark.parametrize("sql", ["", " ; -- nothing\n;", "SELECT 'open"])
def test_a_text_without_statements_raises(sql: str) -> None:
    with pytest.raises(QueryError):
        statements(sql, "trino")


@pytest.mark.parametrize(
    ("name", "ref", "snapshot_id", "millis"),
    [
        pytest.param("lake.db.t.branch_audit", "audit", None, None, id="branch"),
        pytest.param("lake.db.t.tag_2024", "2024", None, None, id="tag"),
        pytest.param("lake.db.t.snapshot_id_77", None, 77, None, id="snapshot"),
        pytest.param(
            "lake.db.t.at_timestamp_1700000000123", None, None, 1_700_000_000_123, id="at"
        ),
        pytest.param("lake.db.t", None, None, None, id="none"),
    ],
)
def test_versions_in_sparks_names(
    name: str, ref: str | None, snapshot_id: int | None, millis: int | None
) -> None:
    (statement,) = statements(f"SELECT * FROM {name} WHERE id = 1", "spark")
    assert statement.tree is not None
    (scan,) = extract(statement.tree, dialect="spark", columns=COLUMNS)
    assert (scan.ref, scan.snapshot_id) == (ref, snapshot_id)
    found = None if scan.as_of is None else round(scan.as_of.timestamp() * 1000)
    assert found == millis


def test_a_table_may_have_such_a_name() -> None:
    branches = TableName("lake", ("db",), "branch_offices")
    (statement,) = statements("SELECT * FROM lake.db.branch_offices", "spark")
    assert statement.tree is not None
    (scan,) = extract(statement.tree, dialect="spark", columns={branches: ("id",)})
    assert (scan.table, scan.ref) == (branches, None)
