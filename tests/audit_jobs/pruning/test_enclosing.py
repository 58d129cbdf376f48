"""A container for each of several statistics holds what all of theirs hold."""

from __future__ import annotations

import pyarrow as pa

from prunescope.audit_jobs.pruning.enclosing import enclosing
from prunescope.collectors.statistics import ColumnKey, Statistics, constant, from_values

KEY: ColumnKey = (1, "double")
OTHER: ColumnKey = (2, "double")


def rows(*values: float | None, keys: tuple[ColumnKey, ...] = (KEY,)) -> Statistics:
    """Rows as containers of one value each."""
    of_values = from_values(pa.array(values, pa.float64()))
    return Statistics(len(values), constant(False, len(values)), dict.fromkeys(keys, of_values))


def test_bounds_and_facts_are_those_of_all_rows() -> None:
    nan = float("nan")
    found = enclosing([rows(3.0, 1.0, None), rows(nan, 2.0), rows(None, None)])
    column = found.columns[KEY]
    assert found.count == 3
    assert column.lower.to_pylist() == [1.0, 2.0, None]
    assert column.upper.to_pylist() == [3.0, 2.0, None]
    assert column.has_null.to_pylist() == [True, False, True]
    assert column.has_nan.to_pylist() == [False, True, False]
    assert column.all_null.to_pylist() == [False, False, True]
    assert column.none_low.to_pylist() == [False, False, False]
    assert column.none_high.to_pylist() == [False, False, True]


def test_a_column_that_some_lack_is_unknown() -> None:
    found = enclosing([rows(1.0, keys=(KEY, OTHER)), rows(2.0)])
    assert set(found.columns) == {KEY}
