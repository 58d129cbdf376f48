"""Conditions on columns that are true, false or null."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import Planner, bind_pushed

_SCHEMA = Schema(0, (SchemaColumn(1, ("f",), "boolean", False, False, False),))


def _told(where: str, dialect: str) -> str:
    return render(bind(condition(where, dialect), _SCHEMA))


def _pushed(where: str, planner: Planner) -> str:
    pushed = condition(where, planner.engine, planner=planner)
    return render(bind_pushed(planner, pushed, _SCHEMA, time_zone="UTC"))


_BOTH = [
    ("coalesce(f, false)", "f = TRUE"),
    ("coalesce(f, false) = true", "f = TRUE"),
    ("true = coalesce(f, false)", "f = TRUE"),
    ("coalesce(f, false) <> false", "f = TRUE"),
    ("coalesce(f, NULL, false) = true", "f = TRUE"),
    ("coalesce(f, false) IS TRUE", "f = TRUE"),
    ("coalesce(f, false) = false", "f = FALSE OR f IS NULL"),
    ("coalesce(f, false) <> true", "f = FALSE OR f IS NULL"),
    ("NOT (coalesce(f, false) = true)", "f = FALSE OR f IS NULL"),
    ("NOT coalesce(f, false)", "f = FALSE OR f IS NULL"),
    ("coalesce(f, false) IS NOT TRUE", "f = FALSE OR f IS NULL"),
    ("coalesce(f, true)", "f = TRUE OR f IS NULL"),
    ("coalesce(f, true) = false", "f = FALSE"),
    ("NOT coalesce(f, true)", "f = FALSE"),
    ("CAST(f AS integer) = 1", "f = TRUE"),
    ("CAST(f AS bigint) > 0", "f = TRUE"),
    ("CAST(f AS double) <> 1", "f = FALSE"),
    ("CAST(f AS decimal(3, 1)) = 0", "f = FALSE"),
    ("CAST(f AS integer) < 5", "f IS NOT NULL"),
    ("CAST(f AS integer) = 2", "FALSE"),
    ("CAST(f AS integer) IN (1, 2)", "f = TRUE"),
    ("coalesce(CAST(f AS integer), 0) = 0", "f = FALSE OR f IS NULL"),
    ("coalesce(CAST(f AS integer), 0) < 2", "TRUE"),
    ("f IS NOT TRUE", "f != TRUE OR f IS NULL"),
]


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(("where", "expected"), _BOTH)
def test_they_are_conditions_on_the_column(where: str, expected: str, dialect: str) -> None:
    assert _told(where, dialect) == expected


@pytest.mark.parametrize("where", [where for where, _ in _BOTH])
def test_duckdb_selects_the_same_rows(where: str) -> None:
    conditions = f"coalesce({where}, false), coalesce({_told(where, 'trino')}, false)"
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


def test_spark_undoes_them_since_3_3() -> None:
    found = _pushed("CAST(f AS integer) = 1", Planner("spark", (3, 2, 4)))
    assert found == "f IS NOT NULL"
