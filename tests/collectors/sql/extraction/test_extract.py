"""Which conditions reach which reference to a table."""

from __future__ import annotations

import pytest

from prunescope.collectors.errors import TooComplexSql
from prunescope.collectors.predicates.model import Reason, Unsupported, conjuncts
from prunescope.collectors.predicates.render import render
from tests.collectors.sql.extraction.two_tables import scans


def filters(sql: str, dialect: str = "trino") -> list[str]:
    """`alias: predicate` for each scan; parts that never prune are `?reason`."""
    return [
        f"{scan.alias}: "
        + " & ".join(
            f"?{part.reason}" if isinstance(part, Unsupported) else render(part)
            for part in conjuncts(scan.predicate)
        )
        for scan in scans(sql, dialect)
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM ta", ["ta: "], id="no filter"),
        pytest.param("SELECT * FROM ta WHERE X = 1", ["ta: X = 1"], id="name as written"),
        pytest.param("SELECT * FROM ta WHERE s.ta.x = 1 AND c.s.ta.y = 2", ["ta: x = 1 & y = 2"],
                     id="qualified by the table's name"),
        pytest.param("SELECT * FROM ta WHERE ta.st.f = 1 AND st.g = 2", ["ta: st.f = 1 & st.g = 2"],
                     id="nested fields"),
        pytest.param("SELECT * FROM ta, other WHERE x = 1 AND foo = 2", ["ta: x = 1"],
                     id="a table that is not audited"),
        pytest.param("SELECT * FROM ta p, ta q WHERE p.x = 1 AND q.x = 2",
                     ["p: x = 1", "q: x = 2"], id="self join"),
        pytest.param("SELECT * FROM ta, tb WHERE ta.id = tb.id AND x = 1 AND u = 2",
                     ["ta: x = 1", "tb: u = 2"], id="comma"),
        pytest.param("SELECT * FROM ta, tb p RIGHT JOIN tb q ON p.id = q.id AND p.v = 1 AND q.u = 2"
                     " WHERE ta.x = 3", ["ta: x = 3", "p: v = 1", "q: "],
                     id="a comma binds less than a join"),
        pytest.param("SELECT * FROM ta JOIN tb ON ta.x < tb.u", ["ta: ?other_tables",
                     "tb: ?other_tables"], id="a comparison across tables"),
        pytest.param("SELECT * FROM ta JOIN tb ON ta.id = tb.id WHERE id = 1",
                     ["ta: ?ambiguous_column", "tb: ?ambiguous_column"], id="ambiguous"),
        pytest.param("SELECT * FROM ta JOIN tb USING (id) WHERE id = 1", ["ta: id = 1",
                     "tb: id = 1"], id="using"),
        pytest.param("SELECT * FROM ta, tb WHERE (x = 1 AND u = 2) OR (x = 3 AND v = 4)",
                     ["ta: x = 1 OR x = 3", "tb: u = 2 OR v = 4"], id="or of ands"),
        pytest.param("SELECT * FROM ta JOIN tb ON true WHERE (x = 1 AND u = 2) OR v = 4",
                     ["ta: ?other_tables", "tb: u = 2 OR v = 4"], id="or with a lost arm"),
        pytest.param("SELECT * FROM ta WHERE 1 = 0", ["ta: FALSE"], id="never"),
        pytest.param("SELECT * FROM ta WHERE random() < 0.5 AND x = 1", ["ta: x = 1"],
                     id="a condition on no column"),
        pytest.param("SELECT x, count(*) FROM ta GROUP BY x HAVING x > 1 AND count(*) > 2",
                     ["ta: x > 1"], id="having on a key"),
        pytest.param("SELECT abs(x) FROM ta GROUP BY abs(x) HAVING abs(x) + x > 1",
                     ["ta: "], id="having on more than keys"),
        pytest.param("SELECT y AS x FROM ta GROUP BY abs(x), y HAVING abs(x) = 1",
                     ["ta: "], id="having on what may be an output column"),
    ],
)  # fmt: skip
def test_filters_reach_their_tables(sql: str, expected: list[str]) -> None:
    assert filters(sql) == expected


@pytest.mark.parametrize(
    ("join", "where", "expected"),
    [
        pytest.param("JOIN", "x = 1", ["ta: x = 1 & y = 3", "tb: u = 2"], id="inner"),
        pytest.param("LEFT JOIN", "x = 1", ["ta: x = 1", "tb: u = 2"], id="left"),
        pytest.param("LEFT JOIN", "v IS NULL", ["ta: ", "tb: u = 2"], id="left, anti join"),
        pytest.param("LEFT JOIN", "v = 4 OR v IS NULL", ["ta: ", "tb: u = 2"],
                     id="left, nulls pass"),
        pytest.param("LEFT JOIN", "v = 4", ["ta: y = 3", "tb: v = 4 & u = 2"],
                     id="left, nulls rejected"),
        pytest.param("LEFT JOIN", "coalesce(v, 0) = 0", ["ta: ", "tb: u = 2"],
                     id="left, nulls replaced"),
        pytest.param("LEFT JOIN", "v NOT IN (SELECT 1)", ["ta: ", "tb: u = 2"],
                     id="left, not in subquery"),
        pytest.param("RIGHT JOIN", "v = 4", ["ta: y = 3", "tb: v = 4"], id="right"),
        pytest.param("RIGHT JOIN", "x = 1", ["ta: x = 1 & y = 3", "tb: u = 2"],
                     id="right, nulls rejected"),
        pytest.param("FULL JOIN", "x IS NULL", ["ta: ", "tb: "], id="full"),
        pytest.param("FULL JOIN", "x = 1", ["ta: x = 1", "tb: u = 2"],
                     id="full, left kept"),
        pytest.param("FULL JOIN", "x = 1 AND v = 4", ["ta: x = 1 & y = 3",
                     "tb: v = 4 & u = 2"], id="full, both rejected"),
    ],
)  # fmt: skip
def test_outer_joins_guard_the_rows_that_they_keep(
    join: str, where: str, expected: list[str]
) -> None:
    sql = f"SELECT * FROM ta {join} tb ON ta.id = tb.id AND y = 3 AND u = 2 WHERE {where}"
    assert filters(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM (SELECT x AS k FROM ta) d WHERE d.k = 1", ["ta: x = 1"],
                     id="renamed column"),
        pytest.param("SELECT * FROM (SELECT year(ts) AS k FROM ta) WHERE k = 2024",
                     ["ta: ts >= DATE '2024-01-01' & ts < DATE '2025-01-01'"], id="expression"),
        pytest.param("SELECT * FROM (SELECT x AS k, x > 1 AND y < 2 AS b FROM ta) WHERE b",
                     ["ta: x > 1 & y < 2"], id="condition as a column"),
        pytest.param("SELECT * FROM (SELECT * FROM ta) d (p, q) WHERE p = 1 AND q = 2",
                     ["ta: id = 1 & x = 2"], id="star renamed by position"),
        pytest.param("SELECT * FROM (SELECT st AS k FROM ta) d WHERE d.k.f = 1", ["ta: st.f = 1"],
                     id="nested field"),
        pytest.param("SELECT * FROM (SELECT DISTINCT x FROM ta) WHERE x = 1", ["ta: x = 1"],
                     id="distinct"),
        pytest.param("SELECT * FROM (SELECT x FROM ta LIMIT 5) WHERE x = 1", ["ta: "], id="limit"),
        pytest.param("SELECT * FROM (SELECT x FROM ta TABLESAMPLE BERNOULLI (5)) WHERE x = 1",
                     ["ta: x = 1"], id="sample"),
        pytest.param("SELECT * FROM (SELECT x FROM ta OFFSET 5) WHERE x = 1", ["ta: "],
                     id="offset"),
        pytest.param("SELECT * FROM (SELECT x, sum(y) AS n FROM ta GROUP BY x) WHERE x = 1 "
                     "AND n > 2", ["ta: x = 1"], id="group key"),
        pytest.param("SELECT * FROM (SELECT x, y FROM ta GROUP BY CUBE (x, y)) WHERE x = 1",
                     ["ta: "], id="cube"),
        pytest.param("SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY x ORDER BY ts) AS n "
                     "FROM ta) WHERE n = 1 AND x = 2 AND y = 3", ["ta: x = 2"], id="partition key"),
        pytest.param("SELECT * FROM (SELECT x FROM ta UNION ALL SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: u = 1"], id="union all by position"),
        pytest.param("SELECT * FROM (SELECT x FROM ta INTERSECT SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: u = 1"], id="intersect"),
        pytest.param("SELECT * FROM (SELECT x FROM ta EXCEPT SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: u = 1"], id="except"),
        pytest.param("SELECT * FROM (SELECT x FROM ta UNION SELECT u FROM tb LIMIT 3) WHERE x = 1",
                     ["ta: ", "tb: "], id="union with limit"),
        pytest.param("WITH q AS (SELECT * FROM ta WHERE y = 0) SELECT * FROM q WHERE x = 1 "
                     "UNION ALL SELECT * FROM q r WHERE r.x = 2",
                     ["ta: y = 0 & x = 1", "ta: y = 0 & x = 2"], id="each reference by itself"),
        pytest.param("SELECT * FROM ta WHERE id IN (SELECT id FROM tb WHERE u = 1)",
                     ["ta: ?subquery", "tb: u = 1"], id="in"),
        pytest.param("SELECT * FROM ta WHERE EXISTS (SELECT 1 FROM tb WHERE tb.id = ta.id AND "
                     "u = 1 AND ta.x = 2)", ["ta: x = 2", "tb: ?other_tables & u = 1"],
                     id="exists"),
        pytest.param("SELECT (SELECT max(v) FROM tb WHERE u = 1) FROM ta WHERE x = 2",
                     ["tb: u = 1", "ta: x = 2"], id="scalar subquery first"),
        pytest.param("WITH RECURSIVE q (k) AS (SELECT x FROM ta WHERE y = 1 UNION ALL SELECT k + 1 "
                     "FROM q JOIN tb ON tb.u = q.k AND tb.v = 2) SELECT * FROM q WHERE k = 3",
                     ["ta: y = 1", "tb: v = 2"], id="recursive"),
    ],
)  # fmt: skip
def test_filters_pass_through_queries(sql: str, expected: list[str]) -> None:
    assert filters(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM ta LEFT SEMI JOIN tb ON ta.id = tb.id AND u = 1 AND y = 2 "
                     "WHERE id = 3", ["ta: id = 3 & y = 2", "tb: u = 1 & id = 3"], id="semi join"),
        pytest.param("SELECT * FROM ta LEFT ANTI JOIN tb ON ta.id = tb.id AND u = 1 AND y = 2 "
                     "WHERE id = 3", ["ta: id = 3", "tb: u = 1 & id = 3"], id="anti join"),
        pytest.param("SELECT * FROM ta LATERAL VIEW explode(st) e AS f WHERE f = 1 AND x = 2",
                     ["ta: x = 2"], id="lateral view"),
        pytest.param("SELECT * FROM ta TABLESAMPLE (5 ROWS) WHERE x = 1", ["ta: "],
                     id="sample of rows"),
        pytest.param("SELECT * FROM (SELECT x FROM ta INTERSECT SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: "], id="intersect is a join"),
        pytest.param("SELECT * FROM (SELECT x FROM ta EXCEPT SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: "], id="except is a join"),
        pytest.param("SELECT * FROM (SELECT x FROM ta INTERSECT ALL SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: u = 1"], id="intersect all"),
        pytest.param("SELECT * FROM (SELECT x FROM ta EXCEPT ALL SELECT u FROM tb) WHERE x = 1",
                     ["ta: x = 1", "tb: u = 1"], id="except all"),
    ],
)  # fmt: skip
def test_spark_has_joins_and_stars_of_its_own(sql: str, expected: list[str]) -> None:
    assert filters(sql, "spark") == expected


def test_a_sample_of_rows_is_taken_before_where() -> None:
    sql = "SELECT * FROM ta JOIN tb ON ta.id = tb.id AND u = 1 WHERE x = 1 USING SAMPLE 10 ROWS"
    assert filters(sql, "duckdb") == ["ta: ", "tb: u = 1"]


def test_a_condition_across_tables_names_the_columns_of_the_table() -> None:
    left, right = scans("SELECT * FROM ta JOIN tb ON ta.x + tb.u > 4242")
    assert left.predicate == Unsupported(
        Reason.CROSS_TABLE, "ta.x + tb.u > 4242", "x + u > ?", ("x",)
    )
    assert isinstance(right.predicate, Unsupported)
    assert right.predicate.columns == ("u",)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT 1 FROM ta JOIN tb ON ta.x = tb.u AND tb.V = ta.y AND ta.ts > ta.ts",
                     [("x", "y"), ("u", "V")], id="inner"),
        pytest.param("SELECT 1 FROM ta, tb WHERE ta.id = tb.id", [("id",), ("id",)], id="comma"),
        pytest.param("SELECT 1 FROM ta JOIN tb USING (id)", [("id",), ("id",)], id="using"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u", [(), ("u",)], id="left keeps all"),
        pytest.param("SELECT 1 FROM ta JOIN (SELECT u AS w FROM tb) ON x = w", [("x",), ()],
                     id="derived table"),
        pytest.param("SELECT 1 FROM ta JOIN tb ON x + 1 = u OR x < v", [(), ()], id="not plain"),
        pytest.param("SELECT 1 FROM ta AS l JOIN ta AS r ON l.x = r.y", [("x",), ("y",)],
                     id="with itself"),
        pytest.param("SELECT 1 FROM ta WHERE x = y", [()], id="one table"),
        pytest.param("SELECT 1 FROM ta WHERE EXISTS (SELECT 1 FROM tb WHERE tb.u = ta.x AND v = 3)",
                     [("x",), ()], id="exists"),
        pytest.param("SELECT 1 FROM ta WHERE NOT EXISTS (SELECT 1 FROM tb WHERE tb.u = ta.x)",
                     [(), ()], id="not exists"),
        pytest.param("SELECT 1 FROM ta WHERE EXISTS (SELECT 1 FROM tb AS ta WHERE ta.u = ta.x)",
                     [(), ()], id="a name that hides the outer one"),
    ],
)  # fmt: skip
def test_plain_joins_name_the_columns_that_they_compare(
    sql: str, expected: list[tuple[str, ...]]
) -> None:
    assert [scan.text_place.joined for scan in scans(sql)] == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT 1 FROM ta JOIN tb ON x = u", "WHERE WHERE", id="inner"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u", "WHERE ON", id="left"),
        pytest.param("SELECT 1 FROM ta RIGHT JOIN tb ON x = u", "ON WHERE", id="right"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u WHERE v > 3", "WHERE WHERE",
                     id="as good as inner"),
        pytest.param("SELECT 1 FROM ta FULL JOIN tb ON x = u", "none none", id="full"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN (tb JOIN tb AS c ON tb.u = c.u) ON x = tb.u",
                     "WHERE ON ON", id="inner within left"),
        pytest.param("SELECT 1 FROM ta LEFT SEMI JOIN tb ON x = u", "WHERE ON", id="semi"),
        pytest.param("SELECT 1 FROM ta LEFT ANTI JOIN tb ON x = u", "WHERE absence", id="anti"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u WHERE u IS NULL", "WHERE absence",
                     id="anti by null"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u WHERE v = 3 OR v IS NULL",
                     "WHERE absence", id="some, or none"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u WHERE coalesce(v, 9) > 3",
                     "WHERE absence", id="a default for none"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN tb ON x = u WHERE y = 3", "WHERE ON",
                     id="a condition on the other side"),
        pytest.param("SELECT 1 FROM tb RIGHT JOIN ta ON x = u WHERE tb.v IS NULL", "absence WHERE",
                     id="anti by null, mirrored"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN (SELECT u AS w FROM tb) ON x = w WHERE w IS NULL",
                     "WHERE absence", id="anti, of a derived table"),
        pytest.param("SELECT 1 FROM ta LEFT JOIN (SELECT u AS w FROM tb) ON x = w", "WHERE WHERE",
                     id="a derived table has a WHERE"),
        pytest.param("SELECT 1 FROM ta WHERE x IN (SELECT u FROM tb)", "WHERE WHERE", id="in"),
        pytest.param("SELECT 1 FROM ta WHERE x NOT IN (SELECT u FROM tb)", "WHERE absence",
                     id="not in"),
        pytest.param("SELECT 1 FROM ta WHERE x <> ALL (SELECT u FROM tb)", "WHERE absence",
                     id="differs from all"),
        pytest.param("SELECT 1 FROM ta WHERE NOT EXISTS (SELECT 1 FROM tb WHERE u = x AND v IN"
                     " (SELECT v FROM tb))", "WHERE absence absence", id="not exists, and within"),
        pytest.param("SELECT x FROM ta EXCEPT SELECT u FROM tb", "WHERE absence", id="except"),
        pytest.param("MERGE INTO ta USING tb ON x = u WHEN MATCHED THEN DELETE", "ON ON",
                     id="merge"),
        pytest.param("MERGE INTO ta USING tb ON x = u WHEN NOT MATCHED THEN INSERT (x) VALUES (u)",
                     "none ON", id="merge that inserts"),
        pytest.param("MERGE INTO ta USING tb ON x = u WHEN NOT MATCHED BY SOURCE THEN DELETE",
                     "absence absence", id="merge that deletes what finds no match"),
    ],
)  # fmt: skip
def test_the_clause_to_which_a_condition_can_be_added(sql: str, expected: str) -> None:
    assert [str(scan.text_place.clause) for scan in scans(sql, "spark")] == expected.split()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        pytest.param("x > 1 OR v", (), id="a constant, or the other table"),
        pytest.param("x + 1 > u OR y = v", ("x", "y"), id="each with the other table"),
        pytest.param("x = 1 OR y = v", ("y",), id="one of them"),
    ],
)
def test_columns_that_other_tables_restrict(condition: str, expected: tuple[str, ...]) -> None:
    scan, _ = scans(f"SELECT 1 FROM ta JOIN tb ON ta.id = tb.id WHERE {condition}")
    assert isinstance(scan.predicate, Unsupported)
    assert scan.predicate.columns == expected


@pytest.mark.slow
def test_expressions_that_multiply_are_an_error() -> None:
    ctes = ", ".join(f"q{n} AS (SELECT * FROM q{n - 1} a, q{n - 1} b)" for n in range(1, 20))
    with pytest.raises(TooComplexSql, match="multiply"):
        scans(f"WITH q0 AS (SELECT x FROM ta), {ctes} SELECT * FROM q19")


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT x FROM ta WHERE " + "NOT " * 10_000 + "x", id="negations"),
        pytest.param(
            "SELECT x FROM " + "(SELECT x FROM " * 2_000 + "ta" + ")" * 2_000, id="queries"
        ),
    ],
)
@pytest.mark.slow
def test_deep_nesting_is_too_complex(sql: str) -> None:
    with pytest.raises(TooComplexSql, match="deeply"):
        scans(sql)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM ta WHERE x = 1", [{"x": ()}], id="none"),
        pytest.param("SELECT * FROM ta WHERE s.ta.X = 1 AND ta.st.f = 2",
                     [{"x": ("s", "ta"), "st.f": ("ta",)}], id="the table's name"),
        pytest.param("SELECT * FROM ta p, ta q WHERE p.x = 1 AND q.x + 1 > 2",
                     [{"x": ("p",)}, {"x": ("q",)}], id="aliases"),
        pytest.param("SELECT * FROM ta a LEFT JOIN tb b ON a.id = b.id",
                     [{"id": ("a",)}, {"id": ("b",)}], id="in a join that keeps all"),
        pytest.param("SELECT * FROM ta a JOIN tb b ON a.id = b.id WHERE x = 1",
                     [{"id": ("a",), "x": ()}, {"id": ("b",)}], id="in a join, and none"),
        pytest.param("SELECT * FROM ta JOIN tb USING (id) WHERE id = 1",
                     [{"id": ()}, {"id": ()}], id="a column of USING has none"),
        pytest.param("SELECT * FROM (SELECT e.x AS n FROM ta e) o WHERE o.n = 1",
                     [{"x": ("e",)}], id="inside, of what is asked outside"),
    ],
)  # fmt: skip
def test_what_stands_before_columns(sql: str, expected: list[dict[str, tuple[str, ...]]]) -> None:
    assert [scan.text_place.qualifiers for scan in scans(sql)] == expected
