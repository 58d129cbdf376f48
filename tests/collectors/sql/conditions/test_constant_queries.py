"""Queries without tables, in conditions."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        pytest.param("a = (SELECT 5)", "a = 5", id="value"),
        pytest.param("a >= (SELECT 5) - 7", "a >= -2", id="value-from-a-query"),
        pytest.param("a BETWEEN (SELECT 1) AND (SELECT 2)", "a >= 1 AND a <= 2", id="range"),
        pytest.param("a IN (SELECT 5 AS x)", "a = 5", id="one-row"),
        pytest.param("a IN (VALUES 1, 3)", "a IN (1, 3)", id="rows"),
        pytest.param("a = ANY (VALUES 1, 3)", "a IN (1, 3)", id="any-of-rows"),
        pytest.param("NOT a IN (VALUES 1, 3)", "a NOT IN (1, 3)", id="none-of-rows"),
        pytest.param("a NOT IN (VALUES 1, NULL)", "FALSE", id="none-of-null"),
    ],
)
def test_they_are_their_values(where: str, expected: str) -> None:
    assert render(condition(where, "trino")) == expected


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("a IN (SELECT x FROM u)", id="rows-of-a-table"),
        pytest.param("a = (SELECT max(x) FROM u)", id="value-of-a-table"),
        pytest.param("a > ANY (VALUES 1, 3)", id="greater-than-any"),
        pytest.param("(a, b) IN (VALUES (1, 2))", id="two-columns"),
        pytest.param("a IN (SELECT 5 UNION SELECT 6)", id="union"),
        pytest.param("a = (SELECT 5 WHERE b = 1)", id="condition"),
        pytest.param("a = (SELECT random())", id="no-constant"),
        pytest.param("a = coalesce(((SELECT 5) LIMIT 0), 7)", id="limit-outside-of-brackets"),
        pytest.param("a NOT IN (((SELECT 5) LIMIT 0))", id="none-of-no-rows"),
        pytest.param("EXISTS (SELECT 1)", id="exists"),
    ],
)
def test_others_say_nothing(where: str) -> None:
    assert isinstance(condition(where, "trino"), Unsupported)
    assert render(condition(where, "trino", planner=Planner("trino"))) == "TRUE"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Trino 483 was seen to plan them.
        pytest.param("a = (SELECT 5)", "a = 5", id="value"),
        pytest.param("a <> (SELECT 5)", "a != 5", id="another-value"),
        pytest.param("a = (SELECT 5) OR a = 7", "a = 5 OR a = 7", id="value-beside-an-or"),
        pytest.param("a IN (VALUES 1, 3) AND b = 7", "a IN (1, 3) AND b = 7", id="rows"),
        pytest.param("a IN (SELECT 5) OR a = 7", "TRUE", id="rows-beside-an-or"),
        pytest.param("a NOT IN (SELECT 5)", "TRUE", id="none-of-rows"),
        pytest.param("NOT (a IN (SELECT 5) AND b = 7)", "TRUE", id="rows-under-not"),
        pytest.param("a IN (VALUES 1, NULL)", "TRUE", id="null"),
        pytest.param("CAST(ts AS date) IN (VALUES DATE '2024-05-01', DATE '2024-05-03')", "TRUE",
                     id="days"),
    ],
)  # fmt: skip
def test_what_trino_pushes_of_them(where: str, expected: str) -> None:
    assert render(condition(where, "trino", planner=Planner("trino"))) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 4.1.4 was seen to plan them.
        pytest.param("a > (SELECT 5)", "a IS NOT NULL AND a > 5", id="value"),
        pytest.param("a IN (SELECT 5)", "TRUE", id="rows"),
    ],
)
def test_what_spark_pushes_of_them(where: str, expected: str) -> None:
    assert render(condition(where, "spark", planner=Planner("spark"))) == expected
