"""Trino's planner profile: one domain per column."""

from __future__ import annotations

import pytest

from collectors.predicates.model import BoundComparison, Field, Op
from collectors.predicates.planner_trino import of_io_plan
from collectors.predicates.planners import (
    PLANNERS,
    Planner,
    as_expression,
    bind_pushed,
    planner_of,
)
from collectors.predicates.render import render
from collectors.predicates.sql_extract import condition
from collectors.tables.schema import Schema, SchemaColumn

TRINO = Planner("trino", (482,))


@pytest.mark.parametrize(
    ("where", "version", "expected"),
    [
        pytest.param("a = 1 AND b > 2", (482,), "a = 1 AND b > 2", id="conjunction"),
        pytest.param(
            "a > 1 AND b = 2 AND a < 5", (482,), "a > 1 AND a < 5 AND b = 2", id="by column"
        ),
        pytest.param("a = 1 OR a > 5", (482,), "a = 1 OR a > 5", id="one column"),
        pytest.param("a = 1 OR b = 2", (482,), "TRUE", id="two columns"),
        pytest.param(
            "(a = 1 AND b = 2) OR (a = 3 AND b = 4)",
            (482,),
            "(a = 1 OR a = 3) AND (b = 2 OR b = 4)",
            id="every arm constrains both",
        ),
        pytest.param(
            "(a = 1 AND lower(c) = 'x') OR a = 3", (482,), "a = 1 OR a = 3", id="weaker arms"
        ),
        pytest.param("c LIKE 'ab%'", (482,), "c LIKE 'ab' || '%'", id="prefix"),
        pytest.param("c NOT LIKE 'ab%'", (482,), "TRUE", id="no prefix"),
        pytest.param(
            "CAST(ts AS DATE) = DATE '2024-01-02'",
            (400,),
            "ts >= DATE '2024-01-02' AND ts < DATE '2024-01-03'",
            id="cast to date",
        ),
        pytest.param("year(ts) = 2024", (400,), "TRUE", id="year, too early"),
        pytest.param("year(ts) IN (2024, 2026)", (410,), "TRUE", id="years in a list, too early"),
        pytest.param(
            "date_trunc('week', ts) = DATE '2024-01-01'", (482,), "TRUE", id="week, too early"
        ),
        pytest.param("lower(c) = 'x'", (482,), "TRUE", id="function"),
        pytest.param("1 = 0", (482,), "FALSE", id="nothing"),
    ],
)
def test_what_is_pushed(where: str, version: tuple[int, ...], expected: str) -> None:
    found = condition(where, "trino", planner=Planner("trino", version))
    assert render(found) == expected


@pytest.mark.parametrize(
    "where",
    ["year(ts) = 2024", "date_trunc('month', ts) = DATE '2024-05-01'", "year(ts) IN (1, 2)"],
)
def test_functions_that_are_unwrapped_now(where: str) -> None:
    assert condition(where, "trino", planner=TRINO) == condition(where, "trino")


def test_uuids_are_pushed_for_null_checks_only() -> None:
    schema = Schema(0, (SchemaColumn(1, ("u",), "uuid", False, False, False),))
    where = "u = UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' OR u IS NULL"
    found = condition(where, "trino", planner=TRINO)
    assert render(bind_pushed(TRINO, found, schema, time_zone="UTC")) == "TRUE"
    found = condition("u IS NOT NULL", "trino", planner=TRINO)
    assert render(bind_pushed(TRINO, found, schema, time_zone="UTC")) == "u IS NOT NULL"


TYPED = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(
            {"n": "int", "m": "int", "s": "string", "d": "double", "flag": "boolean"}.items(), 1
        )
    ),
)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Trino 483 was seen to plan them.
        pytest.param("n <> 1", "n < 1 OR n > 1", id="not-equal"),
        pytest.param("NOT (n = 1)", "n < 1 OR n > 1", id="not-of-equal"),
        pytest.param("n NOT IN (1, 2)", "n < 1 OR (n > 1 AND n < 2) OR n > 2", id="not-in"),
        pytest.param("n IS DISTINCT FROM 1", "n IS NULL OR n < 1 OR n > 1", id="distinct"),
        pytest.param("n = 1 AND n = 2", "FALSE", id="contradiction"),
        pytest.param("s LIKE '1%'", "s >= '1' AND s < '2'", id="prefix"),
        # By DomainTranslator and ExpressionConverter of Trino 482.
        pytest.param(
            "NOT (n IS NOT DISTINCT FROM 1)", "n IS NULL OR n < 1 OR n > 1", id="not-safe"
        ),
        pytest.param("n IS NOT DISTINCT FROM 1", "n = 1", id="null-safe"),
        pytest.param("NOT (n = 1 AND m = 2)", "TRUE", id="not-of-two-columns"),
        pytest.param("NOT (n <> 1 OR n > 5)", "n = 1", id="not-of-or"),
        pytest.param("n > 500 AND n < 400", "FALSE", id="empty-range"),
        pytest.param("n IS NULL AND n = 5", "FALSE", id="null-and-value"),
        pytest.param("n IN (1, 9) AND n > 5", "n = 9", id="list-within-range"),
        pytest.param("(n = 1 AND n = 2) OR n = 3", "n = 3", id="arm-that-cannot-be-true"),
        pytest.param("(n = 1 AND n = 2) OR m = 3", "m = 3", id="nor-can-one-of-another-column"),
        pytest.param("(n > 5 AND n < 4) OR m = 3", "m = 3", id="arm-of-an-empty-range"),
        pytest.param(
            "(n IS NULL AND n = 5 AND m = 2) OR m = 3", "m = 3", id="arm-of-null-and-value"
        ),
        pytest.param("(s = 'a' AND s = 'b') OR n = 1", "n = 1", id="arm-of-two-texts"),
        pytest.param("(n = 1 AND n = 2) OR (m = 3 AND m = 4)", "FALSE", id="no-arm-is-left"),
        pytest.param("(n = 1 AND m = 2) OR m = 3", "m IN (2, 3)", id="arm-that-can-be-true"),
        pytest.param("(n >= 1 AND n <= 1) OR m = 3", "TRUE", id="arm-of-one-value"),
        pytest.param("n = 3 OR n IN (1, 2) OR n > 7", "n IN (1, 2, 3) OR n > 7", id="values-first"),
        pytest.param(
            "flag IS NOT TRUE", "flag IS NULL OR flag < TRUE OR flag > TRUE", id="boolean"
        ),
        pytest.param("s LIKE 'ab%' AND s = 'b'", "FALSE", id="prefix-and-value"),
        pytest.param("s LIKE 'aé%'", "s >= 'aé' AND s < 'b'", id="prefix-beyond-ascii"),
        pytest.param("s LIKE 'é%'", "TRUE", id="prefix-of-no-ascii"),
        pytest.param("d <> 5e0", "TRUE", id="nan-is-in-no-range"),
        pytest.param("d NOT IN (5e0, 6e0)", "TRUE", id="nor-in-several"),
        pytest.param("d > 5e0 AND d <> 6e0", "d > 5.0", id="beside-a-range"),
        pytest.param("NOT (d >= 5e0)", "TRUE", id="negated-range-holds-nan"),
        pytest.param("d NOT BETWEEN 1e0 AND 5e0", "TRUE", id="so-does-what-is-not-between"),
        pytest.param("NOT (d >= 5e0) AND d > 1e0", "d > 1.0", id="negated-range-beside-another"),
        pytest.param("NOT (d >= 5e0) OR d IS NULL", "TRUE", id="negated-range-or-null"),
        pytest.param("NOT (n >= 5)", "n < 5", id="negated-range-of-whole-numbers"),
        pytest.param("n NOT BETWEEN 1 AND 5", "n < 1 OR n > 5", id="not-between-whole-numbers"),
        pytest.param("d <> CAST('NaN' AS DOUBLE)", "d IS NOT NULL", id="everything-is-not-nan"),
        pytest.param("n <> 5.5", "n IS NOT NULL", id="no-such-number"),
        pytest.param("n NOT IN (5.5)", "n IS NOT NULL", id="none-of-no-such-numbers"),
        pytest.param("n < 1000000000000", "n IS NOT NULL", id="below-a-number-out-of-range"),
        pytest.param("n IS DISTINCT FROM 5.5", "TRUE", id="distinct-from-no-such-number"),
    ],
)
def test_the_expression_that_the_connector_plans_by(where: str, expected: str) -> None:
    pushed = bind_pushed(TRINO, condition(where, "trino", planner=TRINO), TYPED, time_zone="UTC")
    assert render(as_expression(TRINO, pushed)) == expected


def test_too_many_ranges_become_their_span() -> None:
    field = Field(1, "n", "int")
    listed = BoundComparison(Op.IN, field, tuple(range(0, 2002, 2)))
    assert render(as_expression(TRINO, listed)) == "n >= 0 AND n <= 2000"
    few = BoundComparison(Op.IN, field, listed.values[:1000])
    assert as_expression(TRINO, few) == few
    assert as_expression(Planner("spark"), listed) == listed


@pytest.mark.parametrize(
    ("engine", "version", "expected"),
    [
        pytest.param("trino", "482", Planner("trino", (482,), (1, 11, 0)), id="trino"),
        pytest.param("Trino", "476-e.3", Planner("trino", (476,), (1, 9, 1)), id="a vendor's"),
        pytest.param("trino", "470", Planner("trino", (470,), (1, 8)), id="older"),
        pytest.param("trino", "dev", Planner("trino"), id="no number"),
        pytest.param("spark", "3.4.1-amzn-2", Planner("spark", (3, 4, 1)), id="spark of a service"),
        pytest.param("athena", "Athena engine version 3", Planner("trino"), id="athena"),
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
    assert [str(planner) for planner in PLANNERS] == ["spark", "trino"]
    assert str(TRINO) == "trino 482"


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
