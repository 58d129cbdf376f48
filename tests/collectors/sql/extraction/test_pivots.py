"""Conditions above PIVOT and UNPIVOT, as conditions on the rows below: those on columns that they
leave alone."""

from __future__ import annotations

import duckdb
import pytest

from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.predicates.render import render
from tests.collectors.sql.extraction.test_kept_above import pushed
from tests.collectors.sql.extraction.two_tables import scans

PIVOT = "PIVOT (max(id) FOR x IN (1, 2))"
UNPIVOT = "UNPIVOT (w FOR kind IN (x, y))"


def held(sql: str, dialect: str = "spark") -> list[str]:
    return [render(scan.predicate) for scan in scans(sql, dialect)]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {PIVOT} WHERE y = 3", "y = 3"),
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {PIVOT} WHERE y = 3 AND `1` > 5", "y = 3"),
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {PIVOT} WHERE y = 3 OR `1` > 5", "TRUE"),
        (f"SELECT * FROM (SELECT id, x, y AS z FROM ta) {PIVOT} WHERE z + 1 = 3", "y = 2"),
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {PIVOT} WHERE y = 3 AND rand() < 2", "y = 3"),
        (f"SELECT * FROM ta {PIVOT} WHERE y = 3 AND x = 4", "y = 3"),
        (f"SELECT * FROM ta {PIVOT} AS p WHERE p.y = 3", "y = 3"),
        (f"SELECT * FROM ta {PIVOT} AS p (a, y, b) WHERE p.y = 3", "TRUE"),
        (f"WITH c AS (SELECT id, x, y FROM ta) SELECT * FROM c {PIVOT} WHERE y = 3", "y = 3"),
        ("SELECT * FROM ta PIVOT (max(id) FOR x IN (1 AS y, 2)) WHERE y = 3", "TRUE"),
        ("SELECT * FROM ta PIVOT (max(y) AS z FOR (x, id) IN ((1, 2) AS u)) WHERE y = 3", "TRUE"),
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {UNPIVOT} WHERE id = 3", "id = 3"),
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {UNPIVOT} WHERE w = 3", "TRUE"),
        (f"SELECT * FROM (SELECT id, x, y, y AS w FROM ta) {UNPIVOT} WHERE w = 3", "TRUE"),
        (f"SELECT * FROM (SELECT id, x, y FROM ta) {UNPIVOT} WHERE y = 3", "TRUE"),
    ],
)
def test_a_condition_on_a_column_that_stays(sql: str, expected: str) -> None:
    assert held(sql) == [expected]


def test_spark_pushes_it() -> None:
    assert pushed(f"SELECT * FROM ta {PIVOT} WHERE y = 3") == ["y IS NOT NULL AND y = 3"]
    assert pushed(f"SELECT * FROM ta {UNPIVOT} WHERE id = 3") == ["id IS NOT NULL AND id = 3"]


def test_a_join_with_a_new_column_says_nothing_of_an_old_one() -> None:
    pivot = "ta PIVOT (max(y) FOR x IN (1 AS y)) AS p"
    assert held(f"SELECT * FROM {pivot} JOIN tb ON p.y = tb.u WHERE tb.u = 5 AND p.id = 7") == [
        "id = 7",
        "u = 5",
    ]


def test_a_column_of_a_recursive_query_is_none_that_stays() -> None:
    recursive = "WITH RECURSIVE c AS (SELECT id, x, y FROM ta UNION ALL SELECT id, x, y FROM c)"
    assert held(f"{recursive} SELECT * FROM c {PIVOT} WHERE y = 3") == ["TRUE"]


@pytest.mark.parametrize("where", ["y = 1", "y > 0 AND y < 3", "y IS NULL", "y IN (0, 2) OR y > 2"])
@pytest.mark.parametrize(
    "relation",
    [
        "(SELECT id, x, y FROM ta) PIVOT (max(id) AS id FOR x IN (0, 1))",
        "(SELECT id, x, y FROM ta) PIVOT (count(*) FOR x IN (0, 1, 2))",
        "(SELECT id, x, y, y AS z FROM ta) UNPIVOT (w FOR kind IN (x, z))",
    ],
)
def test_the_answer_is_that_of_the_rows_that_pass(relation: str, where: str) -> None:
    con = duckdb.connect()
    con.sql(
        "CREATE TABLE whole AS SELECT i AS id, i % 3 AS x, CASE WHEN i % 7 > 0 THEN i % 5 END AS y "
        "FROM range(60) AS r(i)"
    )
    sql = f"SELECT * FROM {relation} WHERE {where}"
    (scan,) = scans(sql, "duckdb")
    assert scan.predicate != TRUE
    con.sql(f"CREATE TABLE passing AS SELECT * FROM whole WHERE {render(scan.predicate)}")
    answers = [
        sorted(map(str, con.sql(of(sql, table)).fetchall())) for table in ("whole", "passing")
    ]
    assert answers[0] == answers[1]


def of(sql: str, table: str) -> str:
    """A text that reads a table of DuckDB's in place of `ta`."""
    return sql.replace("FROM ta)", f"FROM {table})")
