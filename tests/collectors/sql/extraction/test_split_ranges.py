"""BETWEEN with an end that is a query or another column: what is said of the other end stays."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import Predicate, Reason, Unsupported, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.sql.extraction.two_tables import COLUMNS, A, scans

# What Spark 3.5.9, 4.0.5 and 4.1.4 were seen to push of such conditions at least.
RANGES = [
    pytest.param("FROM ta WHERE x BETWEEN 5 AND (SELECT max(u) FROM tb)", "x >= 5", id="query"),
    pytest.param("FROM ta WHERE x BETWEEN (SELECT max(u) FROM tb) AND 5", "x <= 5", id="first"),
    pytest.param("FROM ta WHERE x BETWEEN 5 AND (SELECT max(u) FROM tb WHERE tb.id = ta.id)",
                 "x >= 5", id="correlated"),
    pytest.param("FROM ta JOIN tb ON ta.id = tb.id AND x BETWEEN 5 AND u", "x >= 5", id="join"),
    pytest.param("FROM ta, tb WHERE ta.id = tb.id AND x BETWEEN u AND 5", "x <= 5", id="where"),
    pytest.param("FROM (SELECT x AS k FROM ta) d, tb WHERE d.k BETWEEN 5 AND tb.u", "x >= 5",
                 id="derived table"),
    pytest.param("FROM ta WHERE x BETWEEN 5 AND y", "x >= 5", id="column of the table"),
]  # fmt: skip


def parts(predicate: Predicate) -> list[str]:
    """What is known of a table."""
    return [render(p) for p in conjuncts(predicate) if not isinstance(p, Unsupported)]


@pytest.mark.parametrize("dialect", ["spark", "databricks", "snowflake", "bigquery"])
@pytest.mark.parametrize(("rest", "expected"), RANGES)
def test_the_other_end_stays(rest: str, expected: str, dialect: str) -> None:
    found = [s.predicate for s in scans(f"SELECT 1 {rest}", dialect) if s.table == A]
    assert expected in parts(found[0])


@pytest.mark.parametrize(("rest", "expected"), RANGES)
def test_spark_pushes_it(rest: str, expected: str) -> None:
    found = extract(
        parse(f"SELECT 1 {rest}", "spark"),
        dialect="spark",
        columns=COLUMNS,
        catalog="c",
        schema="s",
        planner=Planner("spark"),
    )
    pushed = next(scan.pushed for scan in found if scan.table == A)
    assert pushed is not None
    assert expected in parts(pushed)


def test_in_an_or_it_is_one_arm() -> None:
    (scan, _) = scans(
        "SELECT 1 FROM ta WHERE x = 1 OR x BETWEEN 5 AND (SELECT max(u) FROM tb)", "spark"
    )
    assert render(scan.predicate) == "x = 1 OR (x >= 5 AND x <= (SELECT MAX(u) FROM tb))"


def test_what_is_negated_is_an_or() -> None:
    (scan, _) = scans("SELECT 1 FROM ta WHERE x NOT BETWEEN 5 AND (SELECT max(u) FROM tb)", "spark")
    assert render(scan.predicate) == "x < 5 OR NOT (x <= (SELECT MAX(u) FROM tb))"


def test_nothing_is_claimed_of_trino() -> None:
    (scan, _) = scans("SELECT 1 FROM ta WHERE x BETWEEN 5 AND (SELECT max(u) FROM tb)", "trino")
    assert isinstance(scan.predicate, Unsupported)
    assert scan.predicate.reason is Reason.SUBQUERY_VALUE
