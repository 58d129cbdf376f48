"""What Spark 4.1.4 with Iceberg 1.11 pushes of functions of null, of columns that are NOT NULL and
of others."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition, extract
from prunescope.collectors.sql.planners.profiles import PLANNERS, Planner, bind_pushed
from prunescope.collectors.sql.text.parse import parse

SPARK = Planner("spark", (4, 1))
TABLE = TableName("lake", ("db",), "t")
TYPES = {"id": "int", "n": "int", "s": "string", "dt": "date", "l": "long"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, name != "n", name != "n", False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
CONDITIONS = [
    ("coalesce(id, 0) > 230", "id > 230"),
    ("nvl(id, -1) = 5", "id = 5"),
    ("ifnull(id, 9) BETWEEN 1 AND 2", "id >= 1 AND id <= 2"),
    ("coalesce(id, 0) IN (1, 2)", "id IN (1, 2)"),
    ("nvl2(id, id, 0) = 7", "id = 7"),
    ("IF(id > 200, true, false)", "id > 200"),
    ("IF(id > 200, false, true)", "id <= 200"),
    ("CASE WHEN id = 1 THEN true ELSE false END", "id = 1"),
    ("CASE WHEN id > 200 THEN true END", "id > 200"),
    ("(id > 230) IS TRUE", "id > 230"),
    ("(id > 230) IS NOT FALSE", "id > 230"),
    ("(id > 230) IS FALSE", "id <= 230"),
    ("(id > 230) <=> true", "id > 230"),
    ("nullif(id, 5) IS NULL", "id = 5"),
    ("coalesce(s, '') = 'a'", "s = 'a'"),
    ("coalesce(dt, DATE '2024-01-01') = DATE '2024-02-01'", "dt = DATE '2024-02-01'"),
    ("coalesce(id, 0) = 5 OR coalesce(l, 0) = 6", "id = 5 OR l = 6"),
    ("NOT coalesce(id, 0) = 5", "id != 5"),
]


def pushed(where: str, planner: Planner = SPARK) -> str:
    (scan,) = extract(
        parse(f"SELECT * FROM lake.db.t WHERE {where}", "spark"),
        dialect="spark",
        columns={TABLE: SCHEMA.types},
        time_zone="UTC",
        planner=planner,
    )
    assert scan.pushed is not None
    bound = bind_pushed(planner, scan.pushed, SCHEMA, time_zone="UTC")
    of_condition = condition(where, "spark", time_zone="UTC", planner=planner, types=TYPES)
    assert bind_pushed(planner, of_condition, SCHEMA, time_zone="UTC") == bound
    return render(bound)


@pytest.mark.parametrize(("where", "expected"), CONDITIONS)
def test_nulls_that_cannot_be_are_left_out(where: str, expected: str) -> None:
    assert pushed(where) == expected


@pytest.mark.parametrize(
    "where",
    [where.replace("id", "n") for where, _ in CONDITIONS if "id" in where and "OR" not in where],
)
def test_nulls_that_can_be_are_not(where: str) -> None:
    assert pushed(where) in ("TRUE", "n IS NOT NULL")


@pytest.mark.parametrize(
    "where",
    [
        "coalesce(l, 1e0) = 5",  # a double
        "coalesce(dt, '2024-01-01') = '2024-02-01'",  # a text, to Spark 3.5
        "coalesce(id + 1, 0) > 5",
        "coalesce(id, 0) > n",
        "coalesce(n, id) = 5",
        "IF(id > 5, n, 0) = 1",
    ],
)
def test_what_may_be_of_another_type_or_stays_calculated_is_not_pushed(where: str) -> None:
    assert pushed(where) in ("TRUE", "n IS NOT NULL")


@pytest.mark.parametrize("engine", [p.engine for p in PLANNERS if p.engine != "spark"])
def test_no_other_engine_is_taken_to_know(engine: str) -> None:
    assert pushed("coalesce(id, 0) = 5", Planner(engine)) == "TRUE"
