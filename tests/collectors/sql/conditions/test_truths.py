"""Conditions on columns that are true, false or null."""

from __future__ import annotations

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed
from tests.unsupported import has_unsupported

_TYPES = {"f": "boolean", "n": "int", "s": "string"}
_SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(_TYPES.items(), start=1)
    ),
)


def _told(where: str, dialect: str) -> str:
    found = bind(condition(where, dialect, types=_TYPES), _SCHEMA)
    assert not has_unsupported(found)
    return render(found)


def _pushed(where: str, planner: Planner) -> str:
    pushed = condition(where, planner.engine, planner=planner, types=_TYPES)
    return render(bind_pushed(planner, pushed, _SCHEMA, time_zone="UTC"))


_BOTH = [
    "coalesce(f, false)",
    "coalesce(f, false) = true",
    "true = coalesce(f, false)",
    "coalesce(f, false) <> false",
    "coalesce(f, NULL, false) = true",
    "coalesce(f, false) IS TRUE",
    "coalesce(f, false) = false",
    "coalesce(f, false) <> true",
    "NOT (coalesce(f, false) = true)",
    "NOT coalesce(f, false)",
    "coalesce(f, false) IS NOT TRUE",
    "coalesce(f, true)",
    "coalesce(f, true) = false",
    "NOT coalesce(f, true)",
    "CAST(f AS integer) = 1",
    "CAST(f AS bigint) > 0",
    "CAST(f AS double) <> 1",
    "CAST(f AS decimal(3, 1)) = 0",
    "CAST(f AS integer) < 5",
    "CAST(f AS integer) = 2",
    "CAST(f AS integer) IN (1, 2)",
    "coalesce(CAST(f AS integer), 0) = 0",
    "coalesce(CAST(f AS integer), 0) < 2",
    "f IS NOT TRUE",
]


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize("where", _BOTH)
def test_they_are_conditions_on_the_column(where: str, dialect: str) -> None:
    conditions = f"coalesce({where}, false), coalesce({_told(where, dialect)}, false)"
    rows = "VALUES (true), (false), (NULL)"
    found = duckdb.execute(f"SELECT {conditions} FROM ({rows}) t(f)").fetchall()
    assert all(asked == told for asked, told in found)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 4.1 pushed them.
        ("CAST(f AS integer) = 1", "f IS NOT NULL AND f = TRUE"),
        ("CAST(f AS integer) = 0", "f IS NOT NULL AND f != TRUE"),
        ("CAST(f AS integer) > 0", "f IS NOT NULL AND f = TRUE"),
        ("CAST(f AS bigint) = 1", "f IS NOT NULL AND f = TRUE"),
        ("coalesce(f, false)", "TRUE"),
        ("coalesce(f, false) = true", "TRUE"),
        ("coalesce(f, false) = false", "TRUE"),
        ("NOT coalesce(f, false)", "TRUE"),
        ("coalesce(f, true)", "TRUE"),
    ],
)
def test_spark_undoes_casts_alone(where: str, expected: str) -> None:
    assert _pushed(where, Planner("spark", (4, 1, 4))) == expected
    assert _pushed(where, Planner("trino")) == "TRUE"


_CONDITIONS = [
    "(n >= 5) = true",
    "true = (n >= 5)",
    "(n >= 5) = false",
    "(n >= 5) <> false",
    "NOT ((n >= 5) = true)",
    "(n BETWEEN 2 AND 7) = true",
    "(n >= 5 OR s = 'a') = true",
    "(n >= 5 AND s = 'a') = false",
    "(s LIKE 'a%') <> true",
    "(n IS NULL) = true",
    "((n >= 5) = true) = true",
]
_DISTINGUISHED = [
    "(n >= 5) IS TRUE",
    "(n >= 5) IS FALSE",
    "(n >= 5 AND s = 'a') IS TRUE",
    "(n >= 5) IS NOT DISTINCT FROM true",
    "false IS NOT DISTINCT FROM (n >= 5)",
    "NOT ((n >= 5) IS DISTINCT FROM true)",
]
_OR_NULL = ["(n >= 5) IS DISTINCT FROM false", "NOT ((n >= 5) IS TRUE)"]


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize("where", _CONDITIONS + _DISTINGUISHED + _OR_NULL)
def test_what_is_true_is_the_condition(where: str, dialect: str) -> None:
    rows = "VALUES (1, 'a'), (4, 'b'), (5, 'a'), (8, 'ab'), (9, NULL), (NULL, 'a'), (NULL, NULL)"
    conditions = f"coalesce({where}, false), coalesce({_told(where, dialect)}, false)"
    found = duckdb.execute(f"SELECT {conditions} FROM ({rows}) t(n, s)").fetchall()
    assert all(asked == same for asked, same in found)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 3.5, 4.0 and 4.1 pushed them to Parquet.
        ("(n >= 5) = true", "n IS NOT NULL AND n >= 5"),
        ("(n >= 5) <> true", "n IS NOT NULL AND n < 5"),
        ("NOT ((n >= 5) = true)", "n IS NOT NULL AND n < 5"),
        ("(n >= 5 OR s = 'a') = true", "n >= 5 OR s = 'a'"),
    ],
)
def test_spark_takes_what_equals_true_for_the_condition(where: str, expected: str) -> None:
    assert render(condition(where, "spark", planner=Planner("spark"))) == expected
    # As Trino 483 was seen to.
    assert render(condition(where, "trino", planner=Planner("trino"))) == "TRUE"


def test_spark_undoes_them_since_3_3() -> None:
    found = _pushed("CAST(f AS integer) = 1", Planner("spark", (3, 2, 4)))
    assert found == "f IS NOT NULL"
