"""No row that an engine matches is ruled out, of random conditions on functions of columns: DuckDB
here, Spark in tests/integration/test_spark_ranges.py, Trino in
tests/differential/trino/test_ranges.py."""

from __future__ import annotations

import random

import pytest

from tests.collectors.sql.constants.grammars import GRAMMARS
from tests.collectors.sql.ranges.drawn import held
from tests.collectors.sql.ranges.engines import InDuckDB, told
from tests.collectors.sql.ranges.rows import COLUMNS, rows
from tests.collectors.sql.ranges.trees import expression
from tests.unseen_forms.containers import kept_rows, predicate_of


@pytest.mark.parametrize("seed", [1, 2])
def test_no_row_that_duckdb_matches_is_ruled_out(seed: int) -> None:
    found = held(InDuckDB(), seed, samples=4_000)
    assert found.lost == []
    assert found.results["exact"] > 4


@pytest.mark.parametrize("dialect", GRAMMARS)
def test_every_column_is_drawn(dialect: str) -> None:
    source = random.Random(1)  # noqa: S311  # nothing secret
    drawn = [expression(dialect, source) for _ in range(500)]
    assert {name for each in drawn for name in each.names} == COLUMNS.keys()
    assert all(name in each.sql for each in drawn for name in each.names)


def test_a_predicate_that_rules_out_too_much_is_seen() -> None:
    table, engine = rows(3, 200), InDuckDB()
    engine.load(table)
    (values,) = told(engine, ["year(dt) >= 2024"], "UTC")
    narrower = predicate_of("year(dt) > 2024", "duckdb", "UTC", COLUMNS)
    kept = kept_rows(narrower, COLUMNS, table)
    assert values is not None
    lost = [value == "true" and not keep for value, keep in zip(values, kept, strict=True)]
    assert any(lost)
