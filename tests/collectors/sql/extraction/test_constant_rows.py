"""Relations of one row of constants, by which queries name their parameters."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.planners.profiles import Planner
from tests.collectors.sql.extraction.test_transfer import scans

PARAMETERS = "WITH p AS (SELECT 5 AS n, 'x' AS t), q AS (SELECT n + 2 AS m, n FROM p)"
NAMED = f"{PARAMETERS} SELECT * FROM a "


def pushed(sql: str, dialect: str) -> list[str]:
    """What an engine pushes to each scan of a query."""
    found = scans(sql, dialect, Planner(dialect))
    return [render(scan.pushed) for scan in found if scan.pushed is not None]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # As Trino 483 was seen to plan them.
        (NAMED + "CROSS JOIN p WHERE k >= p.n AND s = t", "k >= 5 AND s = 'x'"),
        (NAMED + ", p WHERE k >= p.n", "k >= 5"),
        (NAMED + "JOIN p ON k = p.n", "k = 5"),
        (NAMED + "JOIN q ON k BETWEEN q.n AND q.m", "k >= 5 AND k <= 7"),
        (NAMED + "WHERE k >= (SELECT n FROM p)", "k >= 5"),
        (NAMED + "WHERE k >= (SELECT m FROM q)", "k >= 7"),
        (NAMED + "WHERE k IN (SELECT n FROM p)", "k = 5"),
        (
            NAMED + "JOIN (VALUES (5, 7)) AS v(lo, hi) ON k BETWEEN v.lo AND v.hi",
            "k >= 5 AND k <= 7",
        ),
        (
            "SELECT * FROM (SELECT a.*, p.n FROM a CROSS JOIN (SELECT 5) AS p(n)) WHERE k > n",
            "k > 5",
        ),
        (NAMED + "LEFT JOIN p ON true WHERE k = p.n", "k = 5"),
        (f"{PARAMETERS} SELECT * FROM p LEFT JOIN a ON k = p.n", "k = 5"),
        (f"{PARAMETERS} SELECT * FROM p LEFT JOIN a ON k >= p.n", "TRUE"),
        (NAMED + "LEFT JOIN p ON k > p.n", "TRUE"),
        (NAMED + "WHERE k = (SELECT n FROM p LIMIT 0)", "TRUE"),
        (NAMED + "WHERE k = (SELECT n FROM p WHERE n > 3)", "TRUE"),
        (NAMED + "WHERE k = coalesce((SELECT n FROM p TABLESAMPLE BERNOULLI (1)), 7)", "TRUE"),
        (NAMED + "WHERE k = (SELECT max(n) FROM p)", "TRUE"),
        (NAMED + "WHERE k = (SELECT n + a.i FROM p)", "TRUE"),
        (NAMED + "CROSS JOIN (SELECT random() AS r) AS o WHERE k = o.r", "TRUE"),
        (NAMED + "CROSS JOIN (VALUES 5, 7) AS v(n) WHERE k = v.n", "k IN (5, 7)"),
        (
            "SELECT * FROM a FULL JOIN (SELECT 3 AS lo) AS p ON k = lo WHERE k > coalesce(lo, 0)",
            "TRUE",
        ),
    ],
)
def test_they_are_their_constants(sql: str, expected: str) -> None:
    assert pushed(sql, "trino") == [expected]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # As Spark 4.1 was seen to plan them.
        (NAMED + "CROSS JOIN p WHERE k >= p.n", "k IS NOT NULL AND k >= 5"),
        (NAMED + "JOIN p ON k = p.n", "k IS NOT NULL AND k = 5"),
        (NAMED + "WHERE k >= (SELECT m FROM q)", "k IS NOT NULL AND k >= 7"),
        (f"{PARAMETERS} SELECT * FROM p LEFT JOIN a ON k >= p.n", "k IS NOT NULL AND k >= 5"),
        (NAMED + "WHERE k IN (SELECT n FROM p)", "TRUE"),
        (NAMED + "JOIN (VALUES (5)) AS v(n) ON k >= v.n", "k IS NOT NULL"),
    ],
)
def test_spark_knows_those_of_a_select(sql: str, expected: str) -> None:
    assert pushed(sql, "spark") == [expected]


def test_constants_travel_on() -> None:
    sql = "WITH p AS (SELECT 5 AS n) SELECT * FROM a JOIN b ON a.k = b.k JOIN p ON a.k = p.n"
    assert pushed(sql, "trino") == ["k = 5", "k = 5"]


def test_merge_knows_none() -> None:
    sql = "MERGE INTO a USING (SELECT 5 AS n) AS p ON a.k = p.n WHEN MATCHED THEN DELETE"
    assert pushed(sql, "spark") == ["k IS NOT NULL"]
