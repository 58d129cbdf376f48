"""Names that a text defines are none of a catalog's: views are read as what they are of."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.workload.queries import ScanFinder, name_tables
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.predicates.render import render

T, U = TableName("lake", ("db",), "t"), TableName("lake", ("db",), "u")
IN_OTHER = TableName("lake", ("other",), "t")
COLUMNS = {table: {"id": "int", "day": "date", "n": "int"} for table in (T, U, IN_OTHER)}


def read(sql: str, dialect: str = "spark") -> list[tuple[str, str]]:
    """The tables that a text scans, each with its filter."""
    query = ObservedQuery("s", "q", sql, dialect, catalog="lake", schema="db")
    named = name_tables(query)
    found = ScanFinder(COLUMNS).find(query)
    assert (named.failure, found.failure) == (None, None)
    assert {scan.table for scan in found.scans} == set(named.tables)
    return [(str(scan.table), render(scan.predicate)) for scan in found.scans]


VIEW = "CREATE OR REPLACE TEMP VIEW v AS SELECT * FROM t WHERE n > 2; "


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param(
            VIEW + "SELECT * FROM v WHERE id = 3",
            [("lake.db.t", "n > 2 AND id = 3")],
            id="a temporary view",
        ),
        pytest.param(
            "CREATE TEMPORARY VIEW U AS SELECT * FROM t; SELECT * FROM u WHERE u.id = 3",
            [("lake.db.t", "id = 3")],
            id="of a table's name",
        ),
        pytest.param(
            "CREATE TEMP VIEW v (a, b) AS SELECT n, id FROM t; SELECT * FROM v AS x WHERE x.b = 3",
            [("lake.db.t", "id = 3")],
            id="with names of columns",
        ),
        pytest.param(
            VIEW + "CREATE TEMP VIEW w AS SELECT * FROM v WHERE id < 9; SELECT * FROM w JOIN u "
            "ON w.id = u.id WHERE u.n = 1 AND w.id > 1",
            [
                ("lake.db.t", "n > 2 AND id < 9 AND id > 1"),
                ("lake.db.u", "n = 1 AND id > 1 AND id < 9"),
            ],
            id="of a view, in a join",
        ),
        pytest.param(
            "CREATE GLOBAL TEMP VIEW v AS SELECT * FROM t; SELECT * FROM global_temp.v "
            "WHERE global_temp.v.id = 3; SELECT * FROM u WHERE id = 4",
            [("lake.db.t", "id = 3"), ("lake.db.u", "id = 4")],
            id="a global one",
        ),
        pytest.param(
            "CREATE OR REPLACE VIEW db.v AS SELECT * FROM t; SELECT * FROM db.v WHERE id = 3",
            [("lake.db.t", "id = 3")],
            id="one that stays",
        ),
        pytest.param(
            VIEW + "WITH v AS (SELECT * FROM u) SELECT * FROM v WHERE id = 3",
            [("lake.db.u", "id = 3")],
            id="hidden by a common table expression",
        ),
        pytest.param(
            VIEW + "WITH v AS (SELECT * FROM v WHERE id > 1) SELECT * FROM v WHERE id = 3",
            [("lake.db.t", "n > 2 AND id > 1 AND id = 3")],
            id="read by the one that hides it",
        ),
        pytest.param(
            VIEW + "USE lake.other; SELECT * FROM v JOIN t ON true WHERE v.id = 3 AND t.id = 4",
            [("lake.db.t", "n > 2 AND id = 3"), ("lake.other.t", "id = 4")],
            id="of the schema where it was defined",
        ),
        pytest.param(
            VIEW + "CREATE TEMP VIEW w AS SELECT * FROM v; "
            "CREATE OR REPLACE TEMP VIEW v AS SELECT * FROM u; SELECT * FROM w WHERE id = 3",
            [("lake.db.u", "id = 3")],
            id="defined again",
        ),
        pytest.param(
            "CREATE TEMP VIEW w AS SELECT * FROM t; CREATE TEMP VIEW t AS SELECT * FROM u; "
            "SELECT * FROM w WHERE id = 3",
            [("lake.db.t", "id = 3")],
            id="a view is of no name that came later",
        ),
        pytest.param(
            VIEW + "DROP VIEW v; CREATE TEMP VIEW v USING parquet OPTIONS (path 'x'); "
            "SELECT * FROM v JOIN t ON v.id = t.n WHERE v.id = 3 AND t.id = 4",
            [("lake.db.t", "id = 4 AND n = 3")],
            id="of files",
        ),
        pytest.param(
            VIEW
            + "INSERT INTO u SELECT * FROM v WHERE id = 3; MERGE INTO u USING v ON u.id = v.id "
            "AND v.n = 5 WHEN MATCHED THEN DELETE",
            [
                ("lake.db.t", "n > 2 AND id = 3"),
                ("lake.db.t", "n > 2 AND n = 5"),
                ("lake.db.u", "TRUE"),
            ],
            id="in statements that write",
        ),
        pytest.param(
            "CACHE TABLE x AS SELECT * FROM t WHERE n > 2; SELECT * FROM x WHERE id = 3",
            [("lake.db.t", "n > 2")],
            id="a cache is read once",
        ),
        pytest.param(
            VIEW + "CACHE TABLE v; SELECT * FROM v WHERE id = 3",
            [("lake.db.t", "n > 2")],
            id="a view that is cached",
        ),
        pytest.param(
            "CACHE TABLE x AS SELECT * FROM t WHERE n > 2; UNCACHE TABLE x; "
            "SELECT * FROM x WHERE id = 3",
            [("lake.db.t", "n > 2"), ("lake.db.t", "n > 2 AND id = 3")],
            id="and again without the cache",
        ),
        pytest.param(
            "CACHE TABLE t; SELECT * FROM t WHERE id = 3; UNCACHE TABLE t; "
            "SELECT * FROM t WHERE id = 4",
            [("lake.db.t", "TRUE"), ("lake.db.t", "id = 4")],
            id="a table that is cached for a while",
        ),
        pytest.param(
            VIEW + "CACHE LAZY TABLE t; CACHE LAZY TABLE v; SELECT * FROM t WHERE id = 3; "
            "SELECT * FROM v WHERE id = 4",
            [("lake.db.t", "id = 3"), ("lake.db.t", "n > 2 AND id = 4")],
            id="a table that may be cached",
        ),
        pytest.param(
            "CACHE LAZY TABLE x AS SELECT * FROM t WHERE n > 2; SELECT * FROM x WHERE id = 3",
            [("lake.db.t", "n > 2")],
            id="a cache that its first reader fills",
        ),
    ],
)
def test_a_view_is_read_as_what_it_is_of(sql: str, expected: list[tuple[str, str]]) -> None:
    assert read(sql) == expected


@pytest.mark.parametrize(
    ("define", "dialect"),
    [
        ("CREATE TEMPORARY TABLE x AS SELECT * FROM t WHERE n > 2", "snowflake"),
        ("CREATE OR REPLACE TEMP TABLE x AS SELECT * FROM t WHERE n > 2", "duckdb"),
        ("CREATE TABLE #x AS SELECT * FROM t WHERE n > 2", "redshift"),
        ("SELECT * INTO #x FROM t WHERE n > 2", "tsql"),
        ("SELECT * INTO TEMP x FROM t WHERE n > 2", "postgres"),
    ],
)
def test_a_temporary_table_is_none_of_the_catalog(define: str, dialect: str) -> None:
    name = "#x" if "#" in define else "x"
    text = f"{define}; SELECT * FROM {name} JOIN u ON {name}.id = u.id WHERE u.id = 3"
    assert read(text, dialect) == [("lake.db.t", "n > 2"), ("lake.db.u", "id = 3")]
    assert read(f"{text}; DELETE FROM {name} WHERE id = 4", dialect) == read(text, dialect)


def test_literals_of_views_may_be_others() -> None:
    for n, identity in ((1, 2), (3, 4), (3, 5)):
        sql = f"CREATE TEMP VIEW v AS SELECT * FROM t WHERE n > {n}; SELECT * FROM v WHERE id = "
        assert read(f"{sql}{identity}") == [("lake.db.t", f"n > {n} AND id = {identity}")]


def test_shapes_are_those_of_what_views_are_of() -> None:
    shapes = {
        name_tables(ObservedQuery("s", "q", f"{view}; SELECT * FROM v", "spark")).fingerprint
        for view in (
            "CREATE TEMP VIEW v AS SELECT * FROM t WHERE n > 1",
            "CREATE TEMP VIEW v AS SELECT * FROM t WHERE n > 2",
            "CREATE TEMP VIEW v AS SELECT * FROM t WHERE id > 1",
        )
    }
    assert len(shapes) == 2


@pytest.mark.slow(minutes=0.1)
def test_views_that_double_each_other_end() -> None:
    views = "; ".join(
        f"CREATE TEMP VIEW v{i + 1} AS SELECT * FROM v{i} a JOIN v{i} b ON a.id = b.id"
        for i in range(40)
    )
    sql = f"CREATE TEMP VIEW v0 AS SELECT * FROM t; {views}; SELECT * FROM v40"
    named = name_tables(ObservedQuery("s", "q", sql, "spark"))
    assert named.failure is not None
    assert named.failure.code == "too_complex"
