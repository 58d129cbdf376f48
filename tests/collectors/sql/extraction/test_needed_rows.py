"""SELECTs that need few of the rows which pass their WHERE."""

from __future__ import annotations

import pytest

from prunescope.collectors.needed_rows import AnyRows, Extremes, FirstRows, NeededRows
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import FALSE
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse

F, S = (TableName("c", ("s",), name) for name in ("f", "s"))
COLUMNS = {name: {"k": "long", "d": "date", "v": "int", "a": "list"} for name in (F, S)}


def needed(sql: str, dialect: str) -> list[NeededRows | None]:
    found = extract(
        parse(sql, dialect),
        dialect=dialect,
        columns=COLUMNS,
        catalog="c",
        schema="s",
    )
    return [scan.needed for scan in found]


def first(count: int, *, descending: bool, nulls_first: bool) -> FirstRows:
    return FirstRows("d", count, descending=descending, nulls_first=nulls_first)


ASC = first(10, descending=False, nulls_first=False)


@pytest.mark.parametrize("dialect", ["spark", "trino"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM f LIMIT 0",
        "SELECT v FROM f WHERE d > DATE '2026-01-01' ORDER BY v LIMIT 0",
        "SELECT * FROM f JOIN s ON f.k = s.k LIMIT 0",
        "SELECT * FROM f LEFT JOIN s ON f.k = s.k LIMIT 0",
        "SELECT * FROM (SELECT * FROM f LIMIT 0) x",
        "SELECT k, count(*) FROM f GROUP BY k LIMIT 0",
        "WITH q AS (SELECT * FROM f WHERE k = 5) SELECT * FROM q LIMIT 0",
        "SELECT k FROM f UNION ALL SELECT k FROM s LIMIT 0",
        "(SELECT k FROM f) LIMIT 0",
    ],
)
def test_nothing_is_needed_for_no_rows(sql: str, dialect: str) -> None:
    tree = parse(sql, dialect)
    found = extract(tree, dialect=dialect, columns=COLUMNS, catalog="c", schema="s")
    assert {scan.predicate for scan in found} == {FALSE}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * FROM f LIMIT 10", AnyRows(10)),
        ("SELECT v FROM f WHERE d > DATE '2026-01-01' AND v = 1 LIMIT 10", AnyRows(10)),
        ("SELECT v FROM f OFFSET 5 LIMIT 10", AnyRows(15)),
        ("SELECT v FROM f FETCH FIRST 10 ROWS ONLY", AnyRows(10)),
        ("SELECT * FROM f ORDER BY d LIMIT 10", ASC),
        ("SELECT * FROM f ORDER BY d, v DESC LIMIT 10", ASC),
        ("SELECT v, d AS day FROM f ORDER BY day LIMIT 10", ASC),
        ("SELECT v, d FROM f ORDER BY 2 LIMIT 10", ASC),
        ("SELECT -v AS d FROM f ORDER BY f.d LIMIT 10", ASC),
        (
            "SELECT * FROM f ORDER BY d DESC OFFSET 5 LIMIT 10",
            first(15, descending=True, nulls_first=False),
        ),
        (
            "SELECT * FROM f ORDER BY d NULLS FIRST LIMIT 10",
            first(10, descending=False, nulls_first=True),
        ),
        ("SELECT max(d) FROM f", Extremes((), ("d",))),
        (
            "SELECT min(d) AS a, max(d), max(v) AS b FROM f WHERE k = 1",
            Extremes(("d",), ("d", "v")),
        ),
    ],
)
def test_few_rows(sql: str, expected: NeededRows) -> None:
    assert needed(sql, "trino") == [expected]


@pytest.mark.parametrize(
    ("order", "nulls_first"),
    [("d", True), ("d DESC", False), ("d NULLS LAST", False), ("d DESC NULLS FIRST", True)],
)
def test_where_nulls_are_in_spark(order: str, nulls_first: bool) -> None:
    found = needed(f"SELECT * FROM f ORDER BY {order} LIMIT 10", "spark")
    assert found == [first(10, descending="DESC" in order, nulls_first=nulls_first)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM f",
        "SELECT * FROM f ORDER BY d",
        "SELECT * FROM f LIMIT ALL",
        "SELECT * FROM f ORDER BY d FETCH FIRST 10 ROWS WITH TIES",
        "SELECT DISTINCT v FROM f LIMIT 10",
        "SELECT v, count(*) FROM f GROUP BY v LIMIT 10",
        "SELECT count(*) FROM f LIMIT 10",
        "SELECT row_number() OVER (ORDER BY v) FROM f LIMIT 10",
        "SELECT my_aggregate(v) FROM f LIMIT 10",
        "SELECT * FROM f TABLESAMPLE BERNOULLI (10) LIMIT 10",
        "SELECT * FROM f WHERE random() < 0.1 LIMIT 10",
        "SELECT * FROM f WHERE v = (SELECT max(v) FROM s WHERE k > 1) LIMIT 10",
        "SELECT * FROM f ORDER BY d + INTERVAL '1' DAY LIMIT 10",
        "SELECT v + 1 AS d FROM f ORDER BY d LIMIT 10",
        "SELECT v + 1 AS d, d FROM f ORDER BY d LIMIT 10",
        "SELECT count(*) FROM f",
        "SELECT max(d), sum(v) FROM f",
        "SELECT max(DISTINCT d) FROM f",
        "SELECT max(d) FILTER (WHERE v = 1) FROM f",
        "SELECT max(d) OVER () FROM f",
        "SELECT max(d, 3) FROM f",
        "SELECT max(v + 1) FROM f",
        "SELECT v, max(d) FROM f GROUP BY v",
        "SELECT max(d) FROM f HAVING max(d) > DATE '2026-01-01'",
    ],
)
def test_all_rows(sql: str) -> None:
    assert needed(sql, "trino")[0] is None


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT explode(a) FROM f LIMIT 10", "spark"),
        ("SELECT * FROM f LATERAL VIEW explode(a) t AS e LIMIT 10", "spark"),
        ("SELECT * FROM f SORT BY d LIMIT 10", "spark"),
        ("SELECT * REPLACE (-v AS d) FROM f ORDER BY d LIMIT 10", "duckdb"),
        ("SELECT * FROM f LIMIT 10 PERCENT", "duckdb"),
        ("SELECT v FROM f QUALIFY row_number() OVER (ORDER BY v) = 1 LIMIT 10", "duckdb"),
    ],
)
def test_all_rows_in_other_dialects(sql: str, dialect: str) -> None:
    assert needed(sql, dialect) == [None]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT f.d FROM f JOIN s ON f.k = s.k ORDER BY f.d LIMIT 10", [None, None]),
        ("SELECT d FROM f UNION ALL SELECT d FROM s LIMIT 10", [None, None]),
        ("(SELECT d FROM f LIMIT 10) UNION ALL SELECT d FROM s", [AnyRows(10), None]),
        ("SELECT * FROM f WHERE d = (SELECT max(d) FROM s)", [None, Extremes((), ("d",))]),
        (
            "SELECT * FROM (SELECT d FROM f ORDER BY d LIMIT 10) q JOIN s ON q.d = s.d",
            [ASC, None],
        ),
        ("SELECT d FROM (SELECT d FROM f) q LIMIT 10", [None]),
    ],
)
def test_each_select_tells_of_its_own_table(sql: str, expected: list[NeededRows | None]) -> None:
    assert needed(sql, "trino") == expected
