from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition

_TYPES = {
    "l": "long", "i": "int", "b": "boolean", "x": "double", "s": "string", "f": "float",
    "dec": "decimal(10, 2)", "ts": "timestamp",
}  # fmt: skip


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "duckdb", "clickhouse", "trino"])
@pytest.mark.parametrize(
    ("cast", "column"),
    [
        ("CAST(l AS BIGINT) < 3", "l < 3"),
        ("CAST(l AS BIGINT) BETWEEN 1 AND 3", "l >= 1 AND l <= 3"),
        ("TRY_CAST(l AS BIGINT) IN (1, 2)", "l >= 1 AND l <= 2"),
        ("NOT CAST(l AS BIGINT) = 3", "l != 3"),
        ("CAST((l) AS BIGINT) IS NULL", "l IS NULL"),
    ],
)
def test_a_cast_of_a_column_to_its_own_type_is_the_column(
    dialect: str, cast: str, column: str
) -> None:
    assert render(condition(cast, dialect, time_zone="UTC", types=_TYPES)) == column


@pytest.mark.parametrize(
    ("cast", "column"),
    [
        ("CAST(l AS INT64) < 3", "l < 3"),
        ("CAST(s AS STRING) = 'x'", "s = 'x'"),
        ("CAST(b AS BOOL)", "b = TRUE"),
    ],
)
def test_types_as_bigquery_names_them(cast: str, column: str) -> None:
    assert render(condition(cast, "bigquery", types=_TYPES)) == column


@pytest.mark.parametrize(
    "cast",
    [
        "CAST(unknown AS BIGINT) < 3",
    ],
)
def test_another_cast_stays(cast: str) -> None:
    assert "CAST" in render(condition(cast, "snowflake", types=_TYPES))
