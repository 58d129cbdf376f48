"""Iceberg's own negations match nulls; those that a query wrote in SQL do not."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.iceberg_negations import as_written, matching_nulls
from prunescope.collectors.predicates.plan_text import parse_plan_filters
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

SCHEMA = Schema(
    0,
    (
        SchemaColumn(1, ("x",), "int", False, False, False),
        SchemaColumn(2, ("y",), "int", False, False, False),
        SchemaColumn(3, ("s",), "string", False, False, False),
        SchemaColumn(4, ("r",), "int", True, True, False),
    ),
)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        pytest.param("x != 1", "x != 1 OR x IS NULL", id="not-eq"),
        pytest.param("x NOT IN (1, 2)", "x NOT IN (1, 2) OR x IS NULL", id="not-in"),
        pytest.param("s NOT LIKE 'a%'", "s NOT LIKE 'a%' OR s IS NULL", id="not-like"),
        pytest.param("x IS NOT NULL, x != 1", "x IS NOT NULL AND x != 1", id="as-spark-pushes-<>"),
        pytest.param("(x IS NOT NULL AND x != 1)", "x IS NOT NULL AND x != 1", id="in-one"),
        pytest.param(
            "y IS NOT NULL, x != 1", "y IS NOT NULL AND (x != 1 OR x IS NULL)", id="of-another"
        ),
        pytest.param("(x != 1 OR y = 2)", "x != 1 OR x IS NULL OR y = 2", id="within-or"),
        pytest.param("r != 1", "r != 1", id="never-null"),
        pytest.param("x = 1", "x = 1", id="equal"),
    ],
)
def test_what_iceberg_plans_by_in_sql(printed: str, expected: str) -> None:
    assert render(matching_nulls(parse_plan_filters(printed, SCHEMA), SCHEMA)) == expected


@pytest.mark.parametrize(
    ("where", "printed", "expected"),
    [
        pytest.param("x <> 1", "x IS NOT NULL, x != 1", "x IS NOT NULL AND x != 1", id="alone"),
        pytest.param("x <> 1 OR y = 2", "(x != 1 OR y = 2)", "x != 1 OR y = 2", id="within-or"),
        pytest.param("NOT (x <=> 1)", "x != 1", "x != 1 OR x IS NULL", id="null-safe"),
        pytest.param("y = 2", "x != 1", "x != 1 OR x IS NULL", id="of-which-the-text-is-silent"),
    ],
)
def test_what_is_pushed_of_a_condition_is_the_condition(
    where: str, printed: str, expected: str
) -> None:
    written = bind(condition(where, "spark"), SCHEMA)
    pushed = matching_nulls(parse_plan_filters(printed, SCHEMA), SCHEMA)
    assert render(as_written(pushed, written, SCHEMA)) == expected
