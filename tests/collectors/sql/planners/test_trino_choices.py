"""What Trino pushes of choices between constants, as Trino 483 was seen to plan them."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, planner_of

TRINO = Planner("trino", (483,))
TYPES = {"i": "int", "d": "date", "ts": "timestamp", "region": "string", "b": "boolean"}


def pushed(where: str, planner: Planner = TRINO) -> str:
    return render(condition(where, "trino", planner=planner, types=TYPES, time_zone="UTC"))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("CASE WHEN i < 10 THEN 0 END = 0", "i < 10"),
        ("IF(i < 10, 1) = 1", "i < 10"),
        ("1 = CASE WHEN i < 10 THEN 1 ELSE NULL END", "i < 10"),
        ("CASE WHEN i < 10 THEN 'a' END = trim(' a ')", "i < 10"),
        (
            "CASE WHEN i < 10 THEN 'a' WHEN i < 20 THEN 'b' END = 'b'",
            "i < 20 AND (i >= 10 OR i IS NULL)",
        ),
        ("CASE WHEN i < 10 THEN 0 WHEN i < 20 THEN 1 END < 1", "i < 10"),
        (
            "NOT (CASE WHEN i < 10 THEN 0 WHEN i < 20 THEN 1 END < 1)",
            "i < 20 AND (i >= 10 OR i IS NULL)",
        ),
        ("NOT (CASE WHEN i < 10 THEN 0 END <> 0)", "i < 10"),
        ("CASE WHEN i < 10 THEN 0 END IN (0, 0)", "i < 10"),
        ("CASE WHEN i < 10 THEN true END", "i < 10"),
        ("CASE WHEN i < 10 THEN false END = false", "i < 10"),
        ("IF(i < 10, NULL, 1) = 1", "i >= 10 OR i IS NULL"),
        (
            "CASE WHEN i < 10 THEN NULL WHEN region = 'EU' THEN 1 ELSE 0 END = 1",
            "region = 'EU' AND (i >= 10 OR i IS NULL)",
        ),
        ("CASE WHEN i IS NULL THEN 0 WHEN b THEN 1 END = 1", "b = TRUE AND i IS NOT NULL"),
        # Of these, nothing is known where they are no case.
        ("CASE WHEN i IN (1, 2) THEN 0 WHEN region = 'EU' THEN 1 END = 1", "region = 'EU'"),
        ("CASE WHEN upper(region) = 'EU' THEN 0 WHEN i < 20 THEN 1 END = 1", "i < 20"),
        ("CASE WHEN i < 5 OR b THEN 0 WHEN i < 20 THEN 1 END = 1", "i < 20"),
        ("CASE WHEN i < 10 AND upper(region) = 'EU' THEN 1 END = 1", "i < 10"),
        (
            "CASE WHEN NOT (i < 10) THEN 0 WHEN region = 'EU' THEN 1 END = 1",
            "region = 'EU' AND (i < 10 OR i IS NULL)",
        ),
        (
            "CASE WHEN i IS DISTINCT FROM 5 THEN 0 WHEN region = 'EU' THEN 1 END = 1",
            "region = 'EU' AND i = 5",
        ),
        (
            "CASE WHEN year(ts) < 2026 THEN 0 WHEN i < 20 THEN 1 END = 1",
            "i < 20 AND (ts >= DATE '2026-01-01' OR ts IS NULL)",
        ),
        ("CASE WHEN TRY_CAST(i AS bigint) < 9 THEN 0 WHEN b THEN 1 END = 1", "b = TRUE"),
        ("CASE WHEN a.b.c.d.e < 9 THEN 0 WHEN b THEN 1 END = 1", "b = TRUE"),
        ("CASE WHEN i < NULL THEN 0 WHEN region = 'EU' THEN 1 END = 1", "region = 'EU'"),
        (
            "CAST(CASE WHEN i < 10 THEN 1 WHEN i < 20 THEN 2 END AS bigint) = 2",
            "i < 20 AND (i >= 10 OR i IS NULL)",
        ),
        ("CASE i WHEN 5 THEN 1 END = 2", "FALSE"),
        ("CASE WHEN i < 10 THEN false END", "FALSE"),
        ("CASE WHEN i < 10 THEN 1 END = 2", "FALSE"),
        ("CASE WHEN i < 10 THEN 'low' ELSE 'high' END = 'other'", "FALSE"),
        ("CASE WHEN i < 10 THEN 1 END = 1 AND b", "i < 10 AND b = TRUE"),
        ("CASE WHEN 1 = 2 THEN 1 WHEN i < 10 THEN 2 END = 2", "i < 10"),
    ],
)
def test_choices_that_are_pushed(where: str, expected: str) -> None:
    assert pushed(where) == expected


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("CASE WHEN i < 10 THEN 0 ELSE 1 END = 0", id="never-null"),
        pytest.param("CASE WHEN i < 10 THEN 0 WHEN i > 20 THEN 0 END = 0", id="two-cases"),
        pytest.param("CASE WHEN i < 10 THEN 0 END <> 1", id="not-equal"),
        pytest.param("NOT (CASE WHEN i < 10 THEN 0 END = 1)", id="negated"),
        pytest.param("CASE WHEN i < 10 THEN 0 END IN (0, 1)", id="list"),
        pytest.param("CASE WHEN i < 10 THEN 0 END BETWEEN 0 AND 0", id="between"),
        pytest.param("CASE WHEN i < 10 THEN 0 END IS NOT NULL", id="null-or-not"),
        pytest.param("CASE WHEN i < 10 THEN 0 END IS NOT DISTINCT FROM 0", id="distinct"),
        pytest.param("CASE i WHEN 5 THEN 1 END = 1", id="values"),
        pytest.param("CASE WHEN i < 10 THEN region END = 'EU'", id="column"),
        pytest.param("NOT CASE WHEN i < 10 THEN false END", id="opposite"),
        pytest.param("CASE WHEN i < 10 THEN 'a' END = 'a' OR i > 500", id="or"),
        pytest.param("NOT (CASE WHEN i < 10 THEN 1 END <> 1 AND i < 500)", id="or-by-not"),
        pytest.param("CASE WHEN i < 10 THEN 1 END + 1 = 2", id="calculated"),
        pytest.param("CAST(CASE WHEN i < 10 THEN 1 END AS varchar) = '1'", id="made-text"),
        pytest.param("CAST(CASE WHEN i < 10 THEN '1' END AS bigint) = 1", id="read-text"),
        pytest.param("CASE WHEN i < 10 THEN IF(b, 1) END = 1", id="nested"),
    ],
)
def test_choices_that_are_not_pushed(where: str) -> None:
    assert pushed(where) == "TRUE"


def test_other_versions_and_engines_are_not_known_to_push_them() -> None:
    where = "CASE WHEN i < 10 THEN 0 END = 0"
    assert pushed(where, Planner("trino", (482,))) == "TRUE"
    athena = planner_of("athena", "3")
    assert athena is not None
    assert pushed(where, athena) == "TRUE"
    assert pushed(where, Planner("trino")) == "i < 10"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (
            "CASE 'm' WHEN 'm' THEN date_trunc('month', d) ELSE d END = DATE '2026-02-01'",
            "d >= DATE '2026-02-01' AND d < DATE '2026-03-01'",
        ),
        ("IF('a' = 'a', d, date_trunc('month', d)) = DATE '2026-02-01'", "d = DATE '2026-02-01'"),
        (
            "IF('m' = 'd', date_trunc('day', ts), date_trunc('month', ts)) = DATE '2026-02-01'",
            "ts >= DATE '2026-02-01' AND ts < DATE '2026-03-01'",
        ),
        (
            "CASE 'y' WHEN 'y' THEN year(ts) ELSE month(ts) END = 2026",
            "ts >= DATE '2026-01-01' AND ts < DATE '2027-01-01'",
        ),
        (
            "IF('d' = 'd', CAST(ts AS date), d) = DATE '2026-02-01'",
            "ts >= DATE '2026-02-01' AND ts < DATE '2026-02-02'",
        ),
    ],
)
def test_functions_that_constants_choose(where: str, expected: str) -> None:
    assert pushed(where) == expected
