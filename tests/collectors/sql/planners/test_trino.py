"""Trino's planner profile: one domain per column."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import And, BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import (
    PLANNERS,
    Planner,
    as_expression,
    bind_pushed,
    planner_of,
)
from prunescope.collectors.sql.planners.trino import of_io_plan

TRINO = Planner("trino", (482,))


@pytest.mark.parametrize(
    ("where", "version", "expected"),
    [
        pytest.param("a = 1 AND b > 2", (482,), "a = 1 AND b > 2", id="conjunction"),
        pytest.param("a = 1 OR a > 5", (482,), "a = 1 OR a > 5", id="one column"),
        pytest.param(
            "(a = 1 AND lower(c) = 'x') OR a = 3", (482,), "a IN (1, 3)", id="weaker arms"
        ),
        pytest.param("c LIKE 'ab%'", (482,), "c LIKE 'ab%'", id="prefix"),
        pytest.param("c NOT LIKE 'ab%'", (482,), "TRUE", id="no prefix"),
        pytest.param(
            "CAST(ts AS DATE) = DATE '2024-01-02'",
            (400,),
            "ts >= DATE '2024-01-02' AND ts < DATE '2024-01-03'",
            id="cast to date",
        ),
        pytest.param("year(ts) = 2024", (400,), "TRUE", id="year, too early"),
        # As Trino 483 was seen to plan them.
        pytest.param("year(ts) IN (2025, 2024)", (483,), "TRUE", id="years in a row"),
        pytest.param(
            "year(ts) IN (2024)",
            (483,),
            "ts >= DATE '2024-01-01' AND ts < DATE '2025-01-01'",
            id="one year in a list",
        ),
        pytest.param(
            "date(ts) IN (DATE '2024-01-02', DATE '2024-01-04')", (483,), "TRUE", id="days"
        ),
        pytest.param("year(ts) BETWEEN 2024 AND 2025", (483,), "TRUE", id="years between"),
        pytest.param(
            "date_trunc('month', ts) NOT BETWEEN DATE '2024-01-01' AND DATE '2024-02-01'",
            (483,),
            "TRUE",
            id="months not between",
        ),
        pytest.param(
            "CAST(ts AS DATE) BETWEEN DATE '2024-01-01' AND DATE '2024-01-02'",
            (483,),
            "ts >= DATE '2024-01-01' AND ts < DATE '2024-01-03'",
            id="days between",
        ),
        pytest.param(
            "CAST(ts AS DATE) NOT BETWEEN DATE '2024-01-01' AND DATE '2024-01-02'",
            (483,),
            "TRUE",
            id="days not between",
        ),
        pytest.param("a NOT BETWEEN 1 AND 2", (483,), "a < 1 OR a > 2", id="column not between"),
        pytest.param(
            "CAST(ts AS DATE) IS DISTINCT FROM DATE '2024-01-02'", (483,), "TRUE", id="another day"
        ),
        pytest.param(
            "NOT (year(ts) IS NOT DISTINCT FROM 2024)", (483,), "TRUE", id="not the same year"
        ),
        pytest.param(
            "year(ts) IS NOT DISTINCT FROM 2024",
            (483,),
            "ts >= DATE '2024-01-01' AND ts < DATE '2025-01-01'",
            id="the same year",
        ),
        pytest.param("a IS DISTINCT FROM 1", (483,), "a != 1 OR a IS NULL", id="another number"),
        pytest.param("date_trunc('quarter', ts) = DATE '2024-01-01'", (483,), "TRUE", id="quarter"),
        pytest.param(
            "date_trunc('minute', ts) = TIMESTAMP '2024-01-01 00:00:00'",
            (483,),
            "TRUE",
            id="minute",
        ),
        pytest.param("c LIKE '%'", (483,), "TRUE", id="any text"),
        pytest.param("c NOT LIKE '%'", (483,), "TRUE", id="no text"),
        pytest.param(
            "date_trunc('week', ts) = DATE '2024-01-01'", (482,), "TRUE", id="week, too early"
        ),
        pytest.param(
            "CAST(date_trunc('month', ts) AS DATE) = DATE '2024-05-01'",
            (483,),
            "TRUE",
            id="day of a month",
        ),
        pytest.param("year(date_trunc('month', ts)) = 2024", (483,), "TRUE", id="year of a month"),
        pytest.param(
            "date_trunc('month', date_trunc('day', ts)) = DATE '2024-05-01'",
            (483,),
            "TRUE",
            id="month of a day",
        ),
        pytest.param(
            "year(CAST(ts AS DATE)) = 2024",
            (483,),
            "ts >= DATE '2024-01-01' AND ts < DATE '2025-01-01'",
            id="year of a date",
        ),
        pytest.param(
            "CAST(ts AS DATE) BETWEEN SYMMETRIC DATE '2024-01-02' AND DATE '2024-01-01'",
            (483,),
            "TRUE",
            id="days, symmetric",
        ),
        pytest.param(
            "CAST(year(ts) AS bigint) = 2024",
            (483,),
            "ts >= DATE '2024-01-01' AND ts < DATE '2025-01-01'",
            id="year as it is",
        ),
        pytest.param(
            "CAST(CAST((EXTRACT(YEAR FROM ts)) AS BIGINT) AS bigint) >= 2024",
            (483,),
            "ts >= DATE '2024-01-01'",
            id="year as it is, twice",
        ),
        pytest.param("CAST(year(ts) AS integer) = 2024", (483,), "TRUE", id="year as an integer"),
        pytest.param("CAST(year(ts) AS bigint) = 2024", (482,), "TRUE", id="year, unseen"),
        pytest.param(
            "TRY_CAST(year(ts) AS bigint) <> 2024",
            (483,),
            "ts < DATE '2024-01-01' OR ts >= DATE '2025-01-01'",
            id="year, tried",
        ),
        pytest.param(
            "CAST(CAST(ts AS date) AS date) = DATE '2024-01-02'",
            (483,),
            "ts >= DATE '2024-01-02' AND ts < DATE '2024-01-03'",
            id="day as it is",
        ),
        pytest.param("(a > 5) IS NULL", (483,), "a IS NULL", id="null of a comparison"),
        pytest.param("(NOT (5 >= a)) IS NOT NULL", (483,), "a IS NOT NULL", id="no null of one"),
        pytest.param("(a > NULL) IS NULL", (483,), "TRUE", id="comparison with null"),
        pytest.param("(a > b) IS NULL", (483,), "TRUE", id="null of two columns"),
        pytest.param("(a IN (1, 2)) IS NULL", (483,), "TRUE", id="null of a list"),
        pytest.param(
            "c = from_iso8601_date('2024-01-02')", (483,), "c = DATE '2024-01-02'", id="ISO"
        ),
        pytest.param("c = to_utf8('a')", (483,), "c = X'61'", id="to_utf8"),
        pytest.param("c = from_hex('6162')", (483,), "c = X'6162'", id="from_hex"),
        pytest.param("lower(c) = 'x'", (482,), "TRUE", id="function"),
        pytest.param("1 = 0", (482,), "FALSE", id="nothing"),
    ],
)
def test_what_is_pushed(where: str, version: tuple[int, ...], expected: str) -> None:
    found = condition(where, "trino", planner=Planner("trino", version))
    assert render(found) == expected


@pytest.mark.parametrize(
    "where",
    ["year(ts) = 2024", "date_trunc('month', ts) = DATE '2024-05-01'"],
)
def test_functions_that_are_unwrapped_now(where: str) -> None:
    assert condition(where, "trino", planner=TRINO) == condition(where, "trino")


def test_uuids_are_pushed_for_null_checks_only() -> None:
    schema = Schema(0, (SchemaColumn(1, ("u",), "uuid", False, False, False),))
    where = "u = UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' OR u IS NULL"
    found = condition(where, "trino", planner=TRINO)
    assert render(bind_pushed(TRINO, found, schema, time_zone="UTC")) == "TRUE"
    # One domain holds both, which the connector does not take (Trino 483).
    found = condition(
        f"{where} AND u IS NOT NULL".replace(" OR u IS NULL", ""), "trino", planner=TRINO
    )
    assert render(bind_pushed(TRINO, found, schema, time_zone="UTC")) == "TRUE"
    found = condition("u IS NOT NULL", "trino", planner=TRINO)
    assert render(bind_pushed(TRINO, found, schema, time_zone="UTC")) == "u IS NOT NULL"


def test_too_many_ranges_become_their_span() -> None:
    field = Field(1, "n", "int")
    listed = BoundComparison(Op.NOT_IN, field, tuple(range(0, 2002, 2)))
    assert render(as_expression(TRINO, listed)) == "n IS NOT NULL"
    bounded = And((listed, BoundComparison(Op.GT, field, (0,))))
    assert render(as_expression(TRINO, bounded)) == "n > 0"
    assert as_expression(Planner("spark"), listed) == listed


def test_lists_stay_lists() -> None:
    """Of which Iceberg judges 200 values and no more."""
    listed = BoundComparison(Op.IN, Field(1, "n", "int"), tuple(range(0, 2002, 2)))
    assert as_expression(TRINO, listed) == listed


@pytest.mark.parametrize(
    ("engine", "version", "expected"),
    [
        pytest.param("trino", "482", Planner("trino", (482,), (1, 11, 0)), id="trino"),
        pytest.param("Trino", "476-e.3", Planner("trino", (476,), (1, 9, 1)), id="a vendor's"),
        pytest.param("trino", "470", Planner("trino", (470,), (1, 8)), id="older"),
        pytest.param("trino", "testversion", Planner("trino", (0,), (0,)), id="no number"),
        pytest.param("trino", None, Planner("trino", (0,), (0,)), id="none"),
        pytest.param("trino", "newest", Planner("trino"), id="the newest"),
        pytest.param(
            "spark", "3.4.1-amzn-2", Planner("spark", (3, 4, 1), (0,)), id="spark of a service"
        ),
        pytest.param(
            "athena", "Athena engine version 3", Planner("trino", (0,), (0,)), id="athena"
        ),
        pytest.param("snowflake", "9", None, id="no profile"),
        pytest.param(None, None, None, id="unknown"),
    ],
)
def test_planners_by_the_names_in_logs(
    engine: str | None, version: str | None, expected: Planner | None
) -> None:
    assert planner_of(engine, version) == expected


def test_a_log_may_name_the_library() -> None:
    planner = planner_of("trino", "470", "1.10.1")
    assert planner == Planner("trino", (470,), (1, 10, 1))
    assert str(planner) == "trino 470 with Iceberg 1.10.1"


def test_planners_have_names() -> None:
    names = {str(planner) for planner in PLANNERS}
    assert names >= {"spark", "trino"}
    assert "pyiceberg" not in names
    assert str(TRINO) == "trino 482"
    assert str(planner_of("trino", "testversion")) == "trino of an unknown version"
    assert str(planner_of("spark", "3.5.6")) == "spark 3.5.6"


def test_a_name_in_an_io_plan_that_may_be_a_nested_field_never_prunes() -> None:
    paths = (("a",), ("b",), ("st",), ("st", "a"))
    schema = Schema(
        0,
        tuple(
            SchemaColumn(number, path, "struct" if path == ("st",) else "int", False, False, False)
            for number, path in enumerate(paths, start=1)
        ),
    )
    found = of_io_plan(condition("a = 1 AND (b = 2 OR b IS NULL)", "trino"), schema)
    assert render(found) == "domain of a AND (b = 2 OR b IS NULL)"
