"""Choices that constants decide."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner

_TYPES = {"s": "string", "n": "int", "m": "long", "d": "date", "f": "boolean"}


def _read(where: str, dialect: str) -> str:
    return render(condition(where, dialect, types=_TYPES))


def _pushed(where: str, engine: str) -> str:
    return render(condition(where, engine, planner=Planner(engine), types=_TYPES))


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("CASE WHEN 'EU' = 'ALL' THEN true ELSE s = 'EU' END", "s = 'EU'"),
        ("CASE WHEN 'ALL' = 'ALL' THEN true ELSE s = 'EU' END", "TRUE"),
        ("NOT (CASE WHEN 'EU' = 'ALL' THEN true ELSE s = 'EU' END)", "s != 'EU'"),
        ("CASE WHEN 'EU' IS NULL THEN true ELSE s = 'EU' AND n = 2 END", "s = 'EU' AND n = 2"),
        ("CASE WHEN NULL THEN true ELSE s = 'EU' END", "s = 'EU'"),
        ("CASE 'EU' WHEN 'ALL' THEN true WHEN 'EU' THEN s = 'EU' END", "s = 'EU'"),
        ("CASE WHEN 1 = 2 AND n = 3 THEN true ELSE s = 'EU' END", "s = 'EU'"),
        ("CASE WHEN 1 = 1 OR n = 3 THEN s = 'EU' END", "s = 'EU'"),
        ("CASE WHEN 1 = 2 THEN s = 'US' END", "FALSE"),
        ("CASE WHEN 1 = 2 THEN true ELSE CASE WHEN 1 = 1 THEN n = 5 END END", "n = 5"),
        ("s = CASE WHEN 'EU' = 'ALL' THEN s ELSE 'EU' END", "s = 'EU'"),
        ("s = if('EU' = 'ALL', s, 'EU')", "s = 'EU'"),
        ("s = coalesce('EU', s)", "s = 'EU'"),
        ("s = coalesce(nullif('EU', 'ALL'), s)", "s = 'EU'"),
        ("coalesce(nullif('ALL', 'ALL'), s) = 'EU'", "s = 'EU'"),
        ("coalesce(NULL, n, 5, m) = 3", "n = 3"),
        ("n IN (CASE WHEN 1 = 2 THEN m ELSE 3 END, 4)", "n IN (3, 4)"),
        ("d >= if(1 = 2, d, DATE '2026-01-05')", "d >= DATE '2026-01-05'"),
        ("CASE WHEN 1 = 1 THEN n ELSE m END >= 16777217", "n >= 16777217"),
        ("CASE WHEN 1 = 1 THEN f ELSE n = 3 END", "f = TRUE"),
        ("'ALL' = 'EU' OR s = 'EU'", "s = 'EU'"),
    ],
)
def test_they_are_what_they_choose(where: str, expected: str, dialect: str) -> None:
    assert _read(where, dialect) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 4.1 pushed them.
        ("s = if('EU' = 'ALL', s, 'EU')", "s IS NOT NULL AND s = 'EU'"),
        ("s = CASE WHEN 'EU' = 'ALL' THEN s ELSE 'EU' END", "s IS NOT NULL AND s = 'EU'"),
        ("CASE WHEN 'EU' = 'ALL' THEN true ELSE s = 'EU' END", "s IS NOT NULL AND s = 'EU'"),
        ("s = coalesce('EU', s)", "s IS NOT NULL AND s = 'EU'"),
        ("s = coalesce(nullif('EU', 'ALL'), s)", "s IS NOT NULL AND s = 'EU'"),
    ],
)
def test_engines_push_what_is_chosen(where: str, expected: str) -> None:
    assert _pushed(where, "spark") == expected
    assert _pushed(where, "trino") == "s = 'EU'"


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(
    "where",
    [
        pytest.param("n = CASE WHEN 1 = 2 THEN 2.5 ELSE m END", id="columns"),
        pytest.param("CASE WHEN 1 = 2 THEN 2.5e0 ELSE m END = 9007199254740993", id="doubles"),
        pytest.param("coalesce(random(), n, m) = 3", id="no-constant"),
    ],
)
def test_others_stay_as_they_are(where: str, dialect: str) -> None:
    found = condition(where, dialect, types=_TYPES)
    assert any(function in render(found) for function in ("CASE", "COALESCE"))


def test_spark_makes_text_of_what_is_chosen_beside_a_text() -> None:
    """`'05'` is no text of the number 5."""
    where = "n = CASE WHEN 1 = 2 THEN n ELSE '05' END"
    assert isinstance(condition(where, "spark", types=_TYPES), Unsupported)
    where = "s = CASE WHEN 1 = 2 THEN s ELSE 'EU' END"
    assert isinstance(condition(where, "spark"), Unsupported)


def test_names_that_differ_in_case_only_tell_no_type() -> None:
    where = "S = CASE WHEN 1 = 2 THEN S ELSE '05' END"
    assert render(condition(where, "spark", types={"s": "string"})) == "S = '05'"
    assert isinstance(condition(where, "spark", types={"S": "int", "s": "string"}), Unsupported)
