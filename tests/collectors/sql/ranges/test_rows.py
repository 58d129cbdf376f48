"""Comparisons of rows keep what DuckDB matches, beside nulls as well."""

from __future__ import annotations

import duckdb
import pytest

from tests.unseen_forms.containers import kept_rows, predicate_of

_COLUMNS = {"n": "int", "n2": "int"}
_VALUES = (None, 1, 2, 3)
_ROWS = [{"n": one, "n2": other} for one in _VALUES for other in _VALUES]
_OPERATORS = ("=", "<>", "<", "<=", ">", ">=")
_CONDITIONS = [
    *(f"(n, n2) {op} {row}" for op in _OPERATORS for row in ("(2, 2)", "(2, NULL)", "(NULL, 2)")),
    *(f"(2, n) {op} (2, n2)" for op in _OPERATORS),
    "(n, n2) IN ((1, 2), (2, NULL))",
    "NOT (n, n2) IN ((1, 2), (2, NULL))",
]


@pytest.mark.parametrize("condition", _CONDITIONS)
def test_rows_are_compared_as_duckdb_does(condition: str) -> None:
    engine = duckdb.connect()
    engine.execute("CREATE TABLE t (n INT, n2 INT)")
    engine.executemany("INSERT INTO t VALUES (?, ?)", [(row["n"], row["n2"]) for row in _ROWS])
    matches = set(engine.execute(f"SELECT n, n2 FROM t WHERE {condition}").fetchall())
    kept = kept_rows(predicate_of(condition, "duckdb", "UTC", _COLUMNS), _COLUMNS, _ROWS)
    told = {(row["n"], row["n2"]) for row, keep in zip(_ROWS, kept, strict=True) if keep}
    assert matches
    assert matches <= told
