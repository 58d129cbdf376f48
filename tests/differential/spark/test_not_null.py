"""Prunescope infers IS NOT NULL of the columns of which a real Spark did (not_null.txt)."""

from __future__ import annotations

import re

from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import bind_pushed, planner_of
from tests.differential.iceberg_java.values import POOLS
from tests.differential.spark import not_null
from tests.differential.spark.tables import COLUMNS

_KINDS = {name: "int" if name == "n" else POOLS[name].type for name in COLUMNS if name != "st"}
_SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, name == "n", name == "n", name == "n")
        for number, (name, kind) in enumerate(_KINDS.items(), 1)
    ),
)
_CHECKED = re.compile(r"(\w+) IS NOT NULL")


def _inferred(sql: str) -> frozenset[str]:
    planner = planner_of("spark", not_null.VERSION)
    assert planner is not None
    pushed = condition(sql, "spark", planner=planner, time_zone="UTC", types=_KINDS)
    bound = bind_pushed(planner, pushed, _SCHEMA, time_zone="UTC")
    return frozenset(_CHECKED.findall(render(bound)))


def test_columns_are_inferred_to_be_not_null_of_which_spark_infers_it() -> None:
    others = not_null.inferred_otherwise()
    recorded = not_null.recorded()
    assert len(recorded) > 25 * len(others)
    assert {
        sql: (columns, found)
        for sql, columns in recorded.items()
        if (found := _inferred(sql)) != columns and sql not in others
    } == {}


def test_what_is_inferred_otherwise_is_less() -> None:
    recorded = not_null.recorded()
    assert all(_inferred(sql) < recorded[sql] for sql in not_null.inferred_otherwise())
