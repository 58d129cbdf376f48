"""What is null instead of failing: the rows that DuckDB matches are kept, and no others."""

from __future__ import annotations

import duckdb
import pytest

from tests.unseen_forms.containers import kept_rows, predicate_of
from tests.unseen_forms.value_sets import Row

_COLUMNS = {"n": "long"}
_BITS = (8, 16, 32)
_ENDS = [0, *(sign * (1 << (bits - 1)) for bits in _BITS for sign in (-1, 1))]
_NEAR = sorted({end + near for end in _ENDS for near in range(-2, 3)})
_ROWS: list[Row] = [{"n": value} for value in (None, *_NEAR)]


@pytest.mark.parametrize(
    "condition",
    [
        *(f"try_cast(n AS {kind}) >= 1" for kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")),
        "try_cast(n AS TINYINT) IS NULL",
        "coalesce(try_cast(n AS SMALLINT), 7) = 7",
        "NOT coalesce(try_cast(n AS INTEGER), -1) < 0",
        "try_cast(try_cast(n AS SMALLINT) AS TINYINT) IS NOT NULL",
    ],
)
def test_what_is_tried_is_null_where_it_fails(condition: str) -> None:
    engine = duckdb.connect()
    engine.execute("CREATE TABLE t (n BIGINT)")
    engine.executemany("INSERT INTO t VALUES (?)", [(row["n"],) for row in _ROWS])
    found = engine.execute(f"SELECT DISTINCT n FROM t WHERE {condition}").fetchall()
    kept = kept_rows(predicate_of(condition, "duckdb", "UTC", _COLUMNS), _COLUMNS, _ROWS)
    told = [row["n"] for row, keep in zip(_ROWS, kept, strict=True) if keep]
    assert set(told) == {n for (n,) in found}


@pytest.mark.parametrize(
    ("dialect", "condition"),
    [
        ("trino", "TRY(coalesce(CAST(n AS TINYINT), 5)) IS NULL"),
        ("duckdb", "TRY(CAST(n AS TINYINT) + CAST(100 AS TINYINT)) IS NULL"),
    ],
)
def test_what_may_fail_inside_is_not_known(dialect: str, condition: str) -> None:
    assert all(kept_rows(predicate_of(condition, dialect, "UTC", _COLUMNS), _COLUMNS, _ROWS))
