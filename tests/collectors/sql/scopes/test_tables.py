"""Which tables a query names."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.scopes.tables import referenced_tables
from prunescope.collectors.sql.text.parse import parse


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        pytest.param(
            "SELECT 1 FROM t, s.u, c.r.v", "trino", "lake.db.t lake.s.u c.r.v", id="names"
        ),
        pytest.param("SELECT 1 FROM t JOIN t AS x ON true", "trino", "lake.db.t", id="once"),
        pytest.param(
            "WITH w AS (SELECT 1 FROM t), t AS (SELECT 2) SELECT 1 FROM w, t, s.t",
            "trino",
            "lake.db.t lake.s.t",
            id="common table expressions by scope",
        ),
        pytest.param(
            "SELECT /*+ BROADCAST(x, u) */ 1 FROM t AS x", "spark", "lake.db.t", id="names in hints"
        ),
        pytest.param(
            'SELECT 1 FROM "t$files", c.s.t.files, UNNEST(ARRAY[1]), TABLE(f(1))',
            "trino",
            "",
            id="metadata tables and functions",
        ),
        pytest.param(
            "MERGE INTO t USING (SELECT * FROM u) AS x ON t.a = x.a WHEN MATCHED THEN DELETE",
            "spark",
            "lake.db.u lake.db.t",
            id="source and target of a merge",
        ),
    ],
)
def test_the_tables_that_a_query_names(sql: str, dialect: str, expected: str) -> None:
    found = referenced_tables(parse(sql, dialect), "lake", "db")
    assert sorted(map(str, found)) == sorted(expected.split())
