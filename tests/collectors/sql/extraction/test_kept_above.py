"""Conditions that hold for the rows of a table, and that Spark keeps above a window, a column that
is drawn anew, or a sample: what Spark 4.1.4 with Iceberg 1.11.0 was seen to push."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.sql.extraction.two_tables import COLUMNS, STARTED, scans


def pushed(sql: str, engine: str = "spark") -> list[str]:
    """What an engine pushes to each table."""
    found = extract(
        parse(sql, engine),
        dialect=engine,
        columns=COLUMNS,
        catalog="c",
        schema="s",
        started_at=STARTED,
        time_zone="UTC",
        planner=Planner(engine),
    )
    return [render(scan.pushed) for scan in found if scan.pushed is not None]


def held(sql: str, engine: str = "spark") -> list[str]:
    """What holds for the rows of each table that the query needs."""
    return [render(scan.predicate) for scan in scans(sql, engine)]


IS_5 = "x IS NOT NULL AND x = 5"
_NUMBERED = "row_number() OVER (PARTITION BY {} ORDER BY ts) n FROM ta"


def numbered(output: str, key: str, where: str, read: str = "*") -> str:
    return f"SELECT {read} FROM (SELECT {output}, {_NUMBERED.format(key)}) r WHERE {where}"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param(numbered("x", "x", "n = 1 AND x = 5"), IS_5, id="bare key"),
        pytest.param(numbered("ta.x AS x", "x", "n = 1 AND x = 5"), IS_5, id="named as it is"),
        pytest.param(numbered("*", "x, y", "n = 1 AND x = 5"), IS_5, id="behind a star"),
        pytest.param(numbered("x AS k", "x", "n = 1 AND k = 5"), "TRUE", id="alias"),
        pytest.param(numbered("x AS k", "x", "n = 1 AND (k = 5) = true"), "TRUE", id="true"),
        pytest.param(numbered("x AS X", "x", "n = 1 AND x = 5"), "TRUE", id="alias in upper case"),
        pytest.param(numbered("x AS k, y", "x, y", "n = 1 AND k = 5 AND y = 2"),
                     "y IS NOT NULL AND y = 2", id="alias beside a bare key"),
        pytest.param(numbered("x AS k, y", "x, y", "n = 1 AND (k = 5 OR y = 2)"), "TRUE",
                     id="or with an alias"),
        pytest.param(numbered("date(ts) AS d", "date(ts)", "n = 1 AND d = DATE '2024-01-05'"),
                     "TRUE", id="expression"),
        pytest.param(numbered("st.f AS f", "st.f", "n = 1 AND f = 5"), "TRUE", id="nested field"),
        pytest.param(numbered("st", "st", "n = 1 AND st.f = 5"),
                     "st.f IS NOT NULL AND st.f = 5", id="field of a key"),
        pytest.param(numbered("x AS k", "x", "k = 5", read="k"), IS_5, id="unread window"),
        pytest.param("SELECT * FROM (SELECT x AS k, sum(y) OVER (PARTITION BY x) n FROM ta) "
                     "WHERE n > 1 AND k = 5", "TRUE", id="sum"),
        pytest.param("SELECT * FROM (SELECT k, row_number() OVER (PARTITION BY k ORDER BY ts) n "
                     "FROM (SELECT x AS k, ts FROM ta)) WHERE n = 1 AND k = 5", IS_5,
                     id="alias below the window"),
        pytest.param("WITH r (k, n) AS (SELECT x, row_number() OVER (PARTITION BY x ORDER BY ts) "
                     "FROM ta) SELECT * FROM r WHERE n = 1 AND k = 5", IS_5,
                     id="renamed above the window"),
    ],
)  # fmt: skip
def test_only_bare_keys_pass_windows(sql: str, expected: str) -> None:
    assert pushed(sql) == [expected]


def test_a_condition_on_a_part_of_a_key_is_none_on_the_rows() -> None:
    sql = numbered("ts", "date(ts)", "n = 1 AND ts = TIMESTAMP '2024-01-05 00:00:00'")
    assert (pushed(sql), held(sql)) == (["TRUE"], ["TRUE"])


@pytest.mark.parametrize(
    "output",
    ["rand()", "randn()", "random()", "uuid()", "randstr(3)", "uniform(1, 9)",
     "shuffle(array(1, 2))", "spark_partition_id()", "monotonically_increasing_id()",
     "input_file_name()", "input_file_block_start()", "input_file_block_length()",
     "reflect('java.util.UUID', 'randomUUID')", "java_method('java.util.UUID', 'randomUUID')",
     "try_reflect('java.util.UUID', 'randomUUID')", "y + rand()",
     "row_number() OVER (PARTITION BY x ORDER BY rand())"],
)  # fmt: skip
def test_a_column_that_is_drawn_keeps_conditions_above(output: str) -> None:
    within = f"(SELECT x, {output} AS r FROM ta)"
    assert pushed(f"SELECT * FROM {within} WHERE x = 5") == ["TRUE"]
    assert held(f"SELECT * FROM {within} WHERE x = 5") == ["x = 5"]
    assert pushed(f"SELECT count(*) FROM {within} WHERE x = 5") == [IS_5]
    assert pushed(f"SELECT x FROM (SELECT * FROM {within}) WHERE x = 5") == [IS_5]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM (SELECT *, now() AS r FROM ta) WHERE x = 5", [IS_5],
                     id="the clock"),
        pytest.param("SELECT * FROM (SELECT x, collect_list(y) c FROM ta GROUP BY x) WHERE x = 5",
                     [IS_5], id="a list of a group"),
        pytest.param("SELECT * FROM (SELECT x, first(y) c FROM ta GROUP BY x) WHERE x = 5",
                     [IS_5], id="the first of a group"),
        pytest.param("SELECT x, rand() FROM ta GROUP BY x HAVING x = 5", ["TRUE"], id="having"),
        pytest.param("SELECT x, count(*) FROM ta GROUP BY x HAVING x = 5", [IS_5],
                     id="having with a count"),
        pytest.param("SELECT * FROM (SELECT * FROM ta WHERE rand() < 0.5) WHERE x = 5", ["TRUE"],
                     id="where inside"),
        pytest.param("SELECT * FROM ta WHERE rand() < 0.5 AND x = 5", [IS_5], id="where"),
        pytest.param("SELECT * FROM (SELECT x, rand() r FROM ta UNION ALL SELECT u, v FROM tb) "
                     "WHERE x = 5", ["TRUE", "u IS NOT NULL AND u = 5"], id="branch of a union"),
    ],
)  # fmt: skip
def test_what_else_is_drawn(sql: str, expected: list[str]) -> None:
    assert pushed(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM ta TABLESAMPLE (10 PERCENT) WHERE x = 5", ["TRUE"],
                     id="percent"),
        pytest.param("SELECT * FROM ta TABLESAMPLE (BUCKET 1 OUT OF 4) WHERE x = 5", ["TRUE"],
                     id="bucket"),
        pytest.param("SELECT * FROM (SELECT * FROM ta WHERE y = 3) TABLESAMPLE (10 PERCENT) "
                     "WHERE x = 5", ["y IS NOT NULL AND y = 3"], id="query"),
        pytest.param("WITH q AS (SELECT * FROM ta) SELECT * FROM q TABLESAMPLE (10 PERCENT) "
                     "WHERE x = 5", ["TRUE"], id="common table expression"),
        pytest.param("SELECT * FROM ta TABLESAMPLE (10 PERCENT) a JOIN tb ON a.id = tb.id "
                     "WHERE tb.id = 5", ["TRUE", "id IS NOT NULL AND id = 5"], id="join"),
    ],
)  # fmt: skip
def test_a_sample_keeps_conditions_above(sql: str, expected: list[str]) -> None:
    assert pushed(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        numbered("x AS k", "x", "n = 1 AND k = 5"),
        "SELECT * FROM (SELECT x, random() AS r FROM ta) WHERE x = 5",
        "SELECT * FROM ta TABLESAMPLE BERNOULLI (10) WHERE x = 5",
        "SELECT * FROM ta TABLESAMPLE SYSTEM (10) WHERE x = 5",
    ],
)
def test_trino_moves_them(sql: str) -> None:
    """PredicatePushDown of Trino 483: visitWindow, visitProject, visitSample."""
    assert pushed(sql, "trino") == ["x = 5"]
