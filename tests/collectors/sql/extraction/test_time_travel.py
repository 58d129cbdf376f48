"""Which version of a table a query reads, as each dialect names it."""

from __future__ import annotations

import datetime as dt

import pytest

from prunescope.collectors.errors import QueryError
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.sql.extraction.two_tables import COLUMNS, STARTED, scans

# The same moment as 01:00 in Berlin.
MIDNIGHT = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("dialect", "clause", "expected"),
    [
        pytest.param("trino", "FOR VERSION AS OF 12", (12, None, None), id="trino snapshot"),
        pytest.param("trino", "FOR VERSION AS OF 'b'", (None, "b", None), id="trino ref"),
        pytest.param("spark", "VERSION AS OF '12'", (12, None, None), id="spark quoted snapshot"),
        pytest.param("spark", "VERSION AS OF 'b'", (None, "b", None), id="spark ref"),
        pytest.param("trino", "FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 01:00:00 +01:00'",
                     (None, None, MIDNIGHT), id="trino instant"),
        pytest.param("spark", "TIMESTAMP AS OF '2024-01-01 01:00:00'",
                     (None, None, MIDNIGHT), id="spark local time"),
        pytest.param("spark", "TIMESTAMP AS OF 1704067200", (None, None, MIDNIGHT),
                     id="spark seconds"),
        pytest.param("spark", "FOR SYSTEM_TIME AS OF '2024-01-01 01:00:00'",
                     (None, None, MIDNIGHT), id="spark, the standard's words"),
        pytest.param("athena", "FOR VERSION AS OF 12", (12, None, None), id="athena snapshot"),
        pytest.param("duckdb", "AT (VERSION => 12)", (12, None, None), id="duckdb snapshot"),
        pytest.param("duckdb", "AT (TIMESTAMP => TIMESTAMP '2024-01-01 01:00:00')",
                     (None, None, MIDNIGHT), id="duckdb time"),
        pytest.param("snowflake", "AT (TIMESTAMP => '2024-01-01 00:00:00 +00:00'::timestamp_tz)",
                     (None, None, MIDNIGHT), id="snowflake time"),
        pytest.param("snowflake", "AT (OFFSET => -60)",
                     (None, None, STARTED - dt.timedelta(seconds=60)), id="snowflake offset"),
        pytest.param("snowflake", "BEFORE (TIMESTAMP => '2024-01-01 01:00:00'::timestamp)",
                     (None, None, MIDNIGHT - dt.timedelta(microseconds=1)), id="snowflake before"),
        pytest.param("dremio", "AT SNAPSHOT '12'", (12, None, None), id="dremio snapshot"),
    ],
)  # fmt: skip
def test_time_travel_names_a_version(
    dialect: str, clause: str, expected: tuple[int | None, str | None, dt.datetime | None]
) -> None:
    (scan,) = scans(f"SELECT * FROM ta {clause} WHERE x = 1", dialect, "Europe/Berlin")
    assert (scan.snapshot_id, scan.ref, scan.as_of) == expected
    assert scan.predicate == Comparison(Op.EQ, Column(("x",)), (1,))


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("iceberg_snapshot_id = 12", (12, None)),
        ("iceberg_snapshot_id = 0", (None, None)),
        ("max_threads = 2, iceberg_timestamp_ms = 1704067200000", (None, MIDNIGHT)),
        ("max_threads = 2", (None, None)),
    ],
)
def test_settings_of_clickhouse_name_a_version(
    setting: str, expected: tuple[int | None, dt.datetime | None]
) -> None:
    for query in (
        "SELECT * FROM ta WHERE x = 1",
        "SELECT * FROM (SELECT * FROM ta WHERE x = 1)",
        "SELECT id FROM tb WHERE id IN (SELECT id FROM ta)",
        "SELECT 1 UNION ALL SELECT id FROM ta",
    ):
        found = scans(f"{query} SETTINGS {setting}", "clickhouse")
        assert {(scan.snapshot_id, scan.as_of) for scan in found} == {expected}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("c.s.ta.branch_b_1", (None, "b_1", None), id="branch"),
        pytest.param("s.ta.`branch_b-1`", (None, "b-1", None), id="quoted"),
        pytest.param("c.s.ta.tag_b", (None, "b", None), id="tag"),
        pytest.param("c.s.ta.snapshot_id_12", (12, None, None), id="snapshot"),
        pytest.param("c.s.ta.at_timestamp_1704067200000", (None, None, MIDNIGHT), id="time"),
        pytest.param("c.s.branch_a", (None, None, None), id="a table of that name"),
    ],
)
def test_names_in_spark_select_a_version(
    name: str, expected: tuple[int | None, str | None, dt.datetime | None]
) -> None:
    columns = {**COLUMNS, TableName("c", ("s",), "branch_a"): {"x": "int"}}
    tree = parse(f"SELECT * FROM {name} t WHERE t.x = 1", "spark")
    (scan,) = extract(tree, dialect="spark", columns=columns, catalog="c", schema="s")
    assert (scan.snapshot_id, scan.ref, scan.as_of) == expected
    assert scan.predicate == Comparison(Op.EQ, Column(("x",)), (1,))


def test_names_of_other_engines_select_no_version() -> None:
    assert scans("SELECT * FROM s.ta.branch_b") == ()


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        pytest.param("SELECT * FROM ta TIMESTAMP AS OF '2024-01-01 00:00:00'", "spark", id="zone"),
        pytest.param("SELECT * FROM ta BEFORE (STATEMENT => 'x')", "snowflake", id="statement"),
        pytest.param("SELECT * FROM ta AT (VERSION => TRUE)", "duckdb", id="no version"),
        pytest.param("SELECT * FROM ta@v12 WHERE x = 1", "databricks", id="version of Databricks"),
    ],
)
def test_time_travel_that_cannot_be_told_is_an_error(sql: str, dialect: str) -> None:
    with pytest.raises(QueryError, match="time zone"):
        scans(sql, dialect, None)
