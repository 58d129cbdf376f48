"""What other engines have in a FROM: joins of their own, samples, and what stands around tables."""

from __future__ import annotations

import pytest

from tests.collectors.sql.extraction.test_extract import filters


@pytest.mark.parametrize(
    ("dialect", "relation", "expected"),
    [
        pytest.param("clickhouse", "ta FINAL", "ta: x = 1", id="final"),
        pytest.param("clickhouse", "s.ta AS o FINAL", "o: x = 1", id="final after an alias"),
        pytest.param("clickhouse", "(SELECT * FROM ta FINAL)", "ta: x = 1", id="final inside"),
        pytest.param("clickhouse", "ta FINAL SAMPLE 1/10", "ta: x = 1", id="final and a sample"),
        pytest.param("clickhouse", "view(SELECT * FROM ta WHERE y = 2)", "ta: y = 2", id="view"),
        pytest.param("databricks", "STREAM ta", "ta: x = 1", id="stream"),
        pytest.param("databricks", "STREAM(ta)", "ta: x = 1", id="stream of"),
        pytest.param("databricks", "STREAM(s.ta) AS o", "ta: x = 1", id="stream with an alias"),
        pytest.param("databricks", "STREAM(SELECT * FROM ta)", "ta: x = 1", id="stream of a query"),
        pytest.param("databricks", "(TABLE s.ta)", "ta: x = 1", id="TABLE"),
        pytest.param("databricks", "identifier('s.ta')", "ta: x = 1", id="name as a text"),
        pytest.param("snowflake", "IDENTIFIER('s.ta') o", "o: x = 1", id="likewise in Snowflake"),
        pytest.param("snowflake", "ta MATCH_RECOGNIZE (PARTITION BY id ORDER BY ts MEASURES 1 AS x "
                     "PATTERN (a+) DEFINE a AS y > 3)", "ta: ", id="match recognize"),
        pytest.param("duckdb", "(PIVOT ta ON y USING sum(v))", "ta: ", id="pivot"),
        pytest.param("duckdb", "(PIVOT (SELECT * FROM ta WHERE y = 2) ON y USING sum(v))",
                     "ta: y = 2", id="pivot of a query"),
        pytest.param("trino", "(ta)", "ta: x = 1", id="brackets"),
        pytest.param("spark", "(ta) TABLESAMPLE (5 ROWS)", "ta: ", id="brackets before a sample"),
        pytest.param("spark", "(ta JOIN tb ON true) TABLESAMPLE (5 ROWS)", "ta: , tb: ",
                     id="a join before a sample"),
        pytest.param("trino", "(ta) AS o (p, x)", "ta: ", id="brackets with other names"),
    ],
)  # fmt: skip
def test_a_table_is_seen_whatever_stands_around_it(
    dialect: str, relation: str, expected: str
) -> None:
    assert ", ".join(filters(f"SELECT * FROM {relation} WHERE x = 1", dialect)) == expected


def test_a_table_in_brackets_goes_by_the_name_after_them() -> None:
    assert filters("SELECT * FROM (ta) AS o WHERE o.x = 1") == ["ta: x = 1"]


@pytest.mark.parametrize("cte", ["PIVOT ta ON y USING sum(v)", "UNPIVOT ta ON x, y", "TABLE ta"])
def test_a_table_is_seen_in_what_a_common_table_expression_is(cte: str) -> None:
    assert filters(f"WITH c AS ({cte}) SELECT * FROM c", "duckdb") == ["ta: "]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("COPY (SELECT * FROM ta WHERE x = 1) TO 'f.parquet' (FORMAT parquet)", ["ta: x = 1"]),
        ("COPY s.ta TO 'f.parquet'", ["ta: "]),
        ("COPY ta (x) TO 'f.csv'", ["ta: "]),
        ("SUMMARIZE SELECT * FROM ta WHERE x = 1", ["ta: x = 1"]),
        ("SUMMARIZE ta", ["ta: "]),
        ("PIVOT (SELECT * FROM ta WHERE x = 1) ON y USING sum(id)", ["ta: x = 1"]),
        ("UNPIVOT ta ON x, y", ["ta: "]),
        ("WITH c AS (SELECT * FROM ta WHERE x = 1) PIVOT c ON y", ["ta: x = 1"]),
    ],
)
def test_statements_of_duckdb_are_what_they_read(statement: str, expected: list[str]) -> None:
    assert filters(statement, "duckdb") == expected


@pytest.mark.parametrize(
    ("dialect", "sample", "is_share"),
    [
        ("clickhouse", "SAMPLE 0.1", True),
        ("clickhouse", "SAMPLE 1/10", True),
        ("clickhouse", "SAMPLE 1/10 OFFSET 1/2", True),
        ("clickhouse", "SAMPLE 1000", False),
        ("clickhouse", "SAMPLE 20/10", False),
        ("databricks", "TABLESAMPLE (5 PERCENT)", True),
        ("databricks", "TABLESAMPLE (BUCKET 4 OUT OF 10)", True),
        ("hive", "TABLESAMPLE (BUCKET 4 OUT OF 10 ON x)", True),
        ("databricks", "TABLESAMPLE (5 ROWS)", False),
        ("snowflake", "SAMPLE (10)", True),
        ("snowflake", "SAMPLE BLOCK (0.1) SEED (3)", True),
        ("snowflake", "SAMPLE (1 ROWS)", False),
        ("duckdb", "TABLESAMPLE 10%", True),
        ("duckdb", "TABLESAMPLE reservoir(20)", False),
        ("trino", "TABLESAMPLE SYSTEM (10)", True),
        ("dremio", "TABLESAMPLE (10 PERCENT)", True),
    ],
)
def test_a_share_of_the_rows_is_of_those_that_pass(
    dialect: str, sample: str, is_share: bool
) -> None:
    expected = "ta: x = 1" if is_share else "ta: "
    assert filters(f"SELECT * FROM ta {sample} WHERE x = 1", dialect) == [expected]


_ON = "ON ta.id = tb.id AND y = 3 AND u = 2"


@pytest.mark.parametrize(
    ("join", "expected"),
    [
        pytest.param("ALL INNER JOIN", ["ta: x = 1 & y = 3", "tb: v = 0 & u = 2"], id="all"),
        pytest.param("GLOBAL INNER JOIN", ["ta: x = 1 & y = 3", "tb: v = 0 & u = 2"], id="global"),
        pytest.param("ANY LEFT JOIN", ["ta: x = 1", "tb: u = 2"], id="any left"),
        pytest.param("GLOBAL ANY LEFT JOIN", ["ta: x = 1", "tb: u = 2"], id="global any left"),
        pytest.param("ANY RIGHT JOIN", ["ta: y = 3", "tb: v = 0"], id="any right"),
        pytest.param("ANY JOIN", ["ta: y = 3", "tb: u = 2"], id="any"),
        pytest.param("INNER ANY JOIN", ["ta: y = 3", "tb: u = 2"], id="inner any"),
        pytest.param("ANY FULL JOIN", ["ta: ", "tb: "], id="any full"),
        pytest.param("LEFT SEMI JOIN", ["ta: x = 1 & y = 3", "tb: u = 2"], id="left semi"),
        pytest.param("RIGHT SEMI JOIN", ["ta: y = 3", "tb: v = 0 & u = 2"], id="right semi"),
        pytest.param("LEFT ANTI JOIN", ["ta: x = 1", "tb: u = 2"], id="left anti"),
        pytest.param("RIGHT ANTI JOIN", ["ta: ", "tb: v = 0"], id="right anti"),
        pytest.param("ASOF JOIN", ["ta: x = 1", "tb: "], id="asof"),
        pytest.param("ASOF LEFT JOIN", ["ta: x = 1", "tb: "], id="asof left"),
        pytest.param("PASTE JOIN", ["ta: ", "tb: "], id="paste"),
        pytest.param("LEFT JOIN", ["ta: x = 1", "tb: u = 2"], id="left"),
        pytest.param("FULL JOIN", ["ta: ", "tb: "], id="full"),
    ],
)  # fmt: skip
def test_joins_of_clickhouse(join: str, expected: list[str]) -> None:
    """Beside rows without a partner stand 0 and other values that are no nulls."""
    sql = f"SELECT * FROM ta {join} tb {_ON} WHERE x = 1 AND v = 0"
    assert filters(sql, "clickhouse") == expected


@pytest.mark.parametrize(
    ("dialect", "join", "expected"),
    [
        ("duckdb", "ASOF JOIN tb ON ta.id = tb.id AND x >= u", ["ta: id = 1", "tb: id = 1"]),
        ("duckdb", "ASOF LEFT JOIN tb ON ta.id = tb.id AND x >= u", ["ta: id = 1", "tb: id = 1"]),
        ("duckdb", "ASOF RIGHT JOIN tb ON ta.id = tb.id AND x >= u", ["ta: ", "tb: "]),
        ("duckdb", "ASOF JOIN tb USING (id)", ["ta: ", "tb: "]),
        ("duckdb", "POSITIONAL JOIN tb", ["ta: ", "tb: "]),
        ("snowflake", "ASOF JOIN tb MATCH_CONDITION (x >= u) ON ta.id = tb.id",
         ["ta: id = 1", "tb: id = 1"]),
    ],
)  # fmt: skip
def test_the_nearest_row_is_one_of_an_equal_key(
    dialect: str, join: str, expected: list[str]
) -> None:
    assert filters(f"SELECT * FROM ta {join} WHERE ta.id = 1 AND v = 2", dialect) == expected


@pytest.mark.parametrize(
    ("join", "where", "expected"),
    [
        ("ARRAY JOIN [1] AS z", "o.x = 1 AND z = 1", "o: x = 1"),
        ("LEFT ARRAY JOIN st AS z", "x = 1", "o: x = 1"),
        ("ARRAY JOIN st AS z, arrayMap(e -> e + 1, st) AS k", "x = 1 AND k = 2", "o: x = 1"),
        ("ARRAY JOIN st", "x = 1", "o: x = 1"),
        ("ARRAY JOIN st AS x", "x = 1", "o: ?ambiguous_column"),
        ("ARRAY JOIN st AS e, y AS x", "x = 1", "o: ?ambiguous_column"),
        ("ARRAY JOIN st AS q", "q.x = 1", "o: "),
        ("ARRAY JOIN o.st", "x = 1", "o: "),
    ],
)
def test_elements_of_arrays_are_columns_of_their_own(join: str, where: str, expected: str) -> None:
    assert filters(f"SELECT * FROM ta o {join} WHERE {where}", "clickhouse") == [expected]


@pytest.mark.parametrize("dialect", ["oracle", "tsql"])
def test_an_outer_apply_keeps_rows_without_any(dialect: str) -> None:
    inside = "(SELECT * FROM tb WHERE u = 2) q"
    asked = "SELECT * FROM ta {} APPLY {} WHERE x = 1 AND v IS NULL"
    assert filters(asked.format("OUTER", inside), dialect) == ["ta: x = 1", "tb: u = 2"]
    assert filters(asked.format("CROSS", inside), dialect) == ["ta: x = 1", "tb: u = 2 & v IS NULL"]
