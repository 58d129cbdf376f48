"""WHERE by the names of outputs of its SELECT, in dialects that let it name these."""

from __future__ import annotations

import duckdb
import pytest

from prunescope.collectors.predicates.render import render
from tests.collectors.sql.extraction.test_extract import filters
from tests.collectors.sql.extraction.two_tables import scans

_SEE_OUTPUTS = ("snowflake", "clickhouse", "duckdb")
_DAY = "ts >= TIMESTAMP '2024-01-05 00:00:00 UTC' AND ts < TIMESTAMP '2024-01-06 00:00:00 UTC'"


@pytest.mark.parametrize("dialect", _SEE_OUTPUTS)
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT y AS d FROM ta WHERE d = 5", ["ta: y = 5"], id="column"),
        pytest.param("SELECT y AS D FROM ta WHERE d = 5", ["ta: y = 5"], id="case"),
        pytest.param("SELECT y AS d FROM ta WHERE x = 1 AND NOT (d = 5 OR d IS NULL)",
                     ["ta: x = 1 & y != 5 & y IS NOT NULL"], id="among others"),
        pytest.param("SELECT x = 1 OR y = 2 AS d FROM ta WHERE d", ["ta: x = 1 OR y = 2"],
                     id="condition"),
        pytest.param("SELECT y AS d, d AS e FROM ta WHERE e = 5", ["ta: y = 5"],
                     id="by another output"),
        pytest.param("SELECT ta.y AS d FROM ta JOIN tb ON ta.id = tb.id WHERE d = 5 AND v = 2",
                     ["ta: y = 5", "tb: v = 2"], id="in a join"),
        pytest.param("WITH c AS (SELECT y AS d FROM ta WHERE d = 5) SELECT * FROM c",
                     ["ta: y = 5"], id="in a common table expression"),
        pytest.param("SELECT v FROM tb WHERE u IN (SELECT x FROM ta WHERE x = 5)",
                     ["tb: ?subquery & u = 5", "ta: x = 5"], id="no output"),
        pytest.param("SELECT max(y) AS d FROM ta WHERE d = 5", ["ta: d = 5"], id="of many rows"),
        pytest.param("SELECT x AS d, y AS d FROM ta WHERE d = 5", ["ta: d = 5"], id="of two"),
        pytest.param("SELECT d + 1 AS d FROM ta WHERE d = 5", ["ta: ?arithmetic_on_column"],
                     id="of itself"),
    ],
)  # fmt: skip
def test_a_name_that_no_column_has_is_that_of_an_output(
    dialect: str, sql: str, expected: list[str]
) -> None:
    assert filters(sql, dialect) == expected


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("snowflake", "SELECT ts::date AS d FROM ta WHERE d = '2024-01-05' GROUP BY d"),
        ("clickhouse", "SELECT toDate(ts) AS d FROM ta PREWHERE d = '2024-01-05' GROUP BY d"),
    ],
)
def test_an_output_is_read_as_it_would_be_in_its_place(dialect: str, sql: str) -> None:
    inlined = sql.replace("WHERE d =", f"WHERE {sql.split()[1]} =")
    assert filters(sql, dialect) == filters(inlined, dialect) != filters("SELECT 1 FROM ta")


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [("snowflake", "x = 5"), ("duckdb", "x = 5"), ("clickhouse", "x = 5 OR y = 5")],
)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT y AS x FROM ta WHERE x = 5",
        "SELECT y AS x, x AS z FROM ta WHERE z = 5",
        "SELECT * FROM (SELECT y AS x, id FROM ta WHERE x = 5)",
    ],
)
def test_a_name_of_a_column_may_be_an_output_in_clickhouse(
    dialect: str, expected: str, sql: str
) -> None:
    assert filters(sql, dialect) == [f"ta: {expected}"]


def test_what_a_query_inside_says_is_said_by_what_its_names_may_mean() -> None:
    sql = "SELECT u FROM tb JOIN (SELECT x AS k, y AS x FROM ta WHERE x = 5) q ON tb.u = q.k"
    assert filters(sql, "snowflake")[0] == "tb: u = 5"
    assert filters(sql, "clickhouse")[0] == "tb: "


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("WITH toDate('2024-01-05') AS since SELECT * FROM ta WHERE ts >= since",
                     ["ta: ts >= DATE '2024-01-05'"], id="constant"),
        pytest.param("WITH 5 AS a, a + 1 AS b SELECT x FROM ta WHERE x = b", ["ta: x = 6"],
                     id="of another"),
        pytest.param("WITH x AS e SELECT y FROM ta WHERE e = 5", ["ta: x = 5"], id="column"),
        pytest.param("WITH 5 AS k SELECT y + 1 AS d FROM ta WHERE x = k", ["ta: x = 5"],
                     id="beside outputs"),
        pytest.param("WITH 5 AS k SELECT * FROM (SELECT x FROM ta WHERE x = k) WHERE x > k",
                     ["ta: x = 5 & x > 5"], id="in a query inside"),
        pytest.param("WITH 7 AS k, c AS (SELECT * FROM ta WHERE y < k) SELECT * FROM c JOIN tb"
                     " ON c.id = tb.id WHERE u = k", ["ta: y < 7", "tb: u = 7"], id="and a table"),
        pytest.param("WITH 7 AS k SELECT x FROM ta WHERE y = k UNION ALL SELECT u FROM tb"
                     " WHERE v = k", ["ta: y = 7", "tb: v = 7"], id="union"),
        pytest.param("WITH (SELECT max(u) FROM tb) AS m SELECT x FROM ta WHERE x = m",
                     ["tb: ", "ta: ?subquery_value"], id="query"),
        pytest.param("WITH (SELECT 5) AS m SELECT x FROM ta WHERE x = m", ["ta: x = 5"],
                     id="query of a constant"),
        pytest.param("WITH 5 AS k SELECT x FROM ta WHERE x = 1 AND y IN (WITH 2 AS k SELECT v"
                     " FROM tb WHERE v = k)", ["ta: x = 1 & ?subquery & y = 2", "tb: v = 2"],
                     id="hidden"),
        pytest.param("WITH 5 AS x SELECT y FROM ta WHERE x = 4", ["ta: x = 4"],
                     id="name of a column"),
    ],
)  # fmt: skip
def test_clickhouse_names_expressions_in_with(sql: str, expected: list[str]) -> None:
    assert sorted(filters(sql, "clickhouse")) == sorted(expected)


@pytest.mark.parametrize("dialect", ["trino", "spark", "postgres"])
def test_others_have_no_such_names(dialect: str) -> None:
    assert filters("SELECT y AS d FROM ta WHERE d = 5", dialect) == ["ta: d = 5"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT y AS d FROM ta WHERE d = 3",
        "SELECT y AS x FROM ta WHERE x = 3",
        "SELECT y AS x, x AS z FROM ta WHERE z > 2",
        "SELECT x > 2 OR y = 2 AS d FROM ta WHERE NOT d",
        "SELECT x + 1 AS d, d AS e FROM ta WHERE e BETWEEN 2 AND 4 OR y = 1",
        "SELECT * FROM ta WHERE EXISTS (SELECT y AS d FROM tb WHERE d = 3)",
    ],
)
def test_duckdb_finds_no_other_rows(sql: str) -> None:
    """Conditions that it says of `ta` select all rows that it finds."""
    (found, *_) = (scan for scan in scans(sql, "duckdb") if scan.table.table == "ta")
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE ta AS SELECT i AS id, i % 5 x, i // 5 y FROM range(25) r(i)"
        )
        connection.execute("CREATE TABLE tb AS SELECT i AS id, i u, i v FROM range(3) r(i)")
        by_query = f"SELECT id FROM ({sql.replace('SELECT ', 'SELECT id, ', 1)})"
        wanted = {row for (row,) in connection.execute(by_query).fetchall()}
        kept = connection.execute(f"SELECT id FROM ta WHERE {render(found.predicate)}").fetchall()
    assert wanted <= {row for (row,) in kept}
