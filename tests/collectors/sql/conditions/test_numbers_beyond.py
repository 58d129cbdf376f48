"""Calculations beside numbers that no whole number of 64 bits reaches: Spark 4.1 makes TRUE of a
range of whole numbers while it analyses a query, for nulls as well."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import TRUE, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed
from tests.unsupported import has_unsupported

KINDS = {"i": "int", "dec": "decimal(38,10)", "d": "double", "dt": "date", "s": "string"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(n, (name,), kind, False, False, False)
        for n, (name, kind) in enumerate(KINDS.items(), 1)
    ),
)
BEYOND = "9223372036854775808"


@pytest.mark.parametrize(
    "sql",
    [
        f"i + 1 < {BEYOND}",
        f"-i < {BEYOND}",
        f"CAST(dec AS bigint) <= {BEYOND}",
        f"floor(d) < {BEYOND}",
        f"year(dt) < {BEYOND}BD",
        f"coalesce(i, 5) < {BEYOND}",
        f"nullif(i, 5) < {BEYOND}",
        f"greatest(i, 5) < {BEYOND}",
        f"CASE WHEN i = 5 THEN NULL ELSE i END > -{BEYOND}9",
        f"NOT (CASE WHEN i = 5 THEN NULL ELSE i END >= {BEYOND}.5)",
    ],
)
def test_nothing_is_said_of_what_is_calculated(sql: str) -> None:
    found = bind(condition(sql, "spark"), SCHEMA)
    assert all(has_unsupported(part) for part in conjuncts(found)), render(found)
    planner = Planner("spark")
    pushed = condition(sql, "spark", planner=planner)
    assert bind_pushed(planner, pushed, SCHEMA, time_zone="UTC") == TRUE


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("i + 1 < 9223372036854775807", "i IS NOT NULL"),
        ("year(dt) < 2024", "dt IS NOT NULL"),
        (f"dec < {BEYOND}", f"dec IS NOT NULL AND dec < {BEYOND}.0000000000"),
    ],
)
def test_what_is_pushed_of_others(sql: str, expected: str) -> None:
    planner = Planner("spark")
    pushed = condition(sql, "spark", planner=planner)
    assert render(bind_pushed(planner, pushed, SCHEMA, time_zone="UTC")) == expected
