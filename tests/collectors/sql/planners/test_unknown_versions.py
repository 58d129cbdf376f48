"""Of an engine whose version a log does not tell, what all known versions push, and no more."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import Predicate, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, as_planned, bind_pushed, planner_of

_TYPES = {
    "id": "int",
    "l": "long",
    "dec": "decimal(9, 2)",
    "s": "string",
    "dt": "date",
    "ts": "timestamptz",
    "tsn": "timestamp",
}
_SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(_TYPES.items(), 1)
    ),
)
# Before and after each that a profile names, and beyond.
_VERSIONS = {
    "trino": ("380", "408", "409", "482", "483", "484", "600"),
    "spark": ("3.0", "3.1", "3.3", "3.4", "3.5.9", "4.0.1", "4.1.4", "5.0"),
}
_CONDITIONS = (
    "id = 5",
    "id <> 5 AND s LIKE 'a%'",
    "year(ts) = 2024",
    "year(dt) = 2024 AND id > 3",
    "CAST(ts AS date) = DATE '2024-05-01'",
    "date_trunc('month', tsn) = TIMESTAMP '2024-05-01 00:00:00'",
    "date_trunc('week', tsn) = TIMESTAMP '2024-04-29 00:00:00'",
    "date_trunc('quarter', dt) = DATE '2024-04-01'",
    "CAST(id AS bigint) = 5",
    "dt >= TIMESTAMP '2024-05-01 00:00:00'",
    "tsn >= TIMESTAMP '2024-05-01 00:00:00'",
    "s LIKE 'ab%%'",
    "id = 5e0",
    "dec = 1.123456789",
)


def _pushed(engine: str, planner: Planner, where: str) -> Predicate:
    found = condition(where, engine, time_zone="UTC", planner=planner)
    return bind_pushed(planner, found, _SCHEMA, time_zone="UTC")


@pytest.mark.parametrize("version", ["9" * 5000, "x", "", "12345678901"])
def test_what_is_no_version_is_unknown(version: str) -> None:
    assert _planner("spark", version) == _planner("spark", None)


def _planner(engine: str, version: str | None) -> Planner:
    found = planner_of(engine, version)
    assert found is not None
    return found


@pytest.mark.parametrize("engine", _VERSIONS)
@pytest.mark.parametrize("where", _CONDITIONS)
def test_what_every_version_pushes(engine: str, where: str) -> None:
    found = set(conjuncts(_pushed(engine, _planner(engine, "testversion"), where)))
    versions = [
        set(conjuncts(_pushed(engine, _planner(engine, version), where)))
        for version in _VERSIONS[engine]
    ]
    assert found == set.intersection(*versions)


@pytest.mark.parametrize(
    ("engine", "where", "version"),
    [
        pytest.param("trino", "year(ts) = 2024", "409", id="year"),
        pytest.param("spark", "CAST(ts AS date) = DATE '2024-05-01'", "3.5", id="date"),
        pytest.param("spark", "s LIKE 'ab%%'", "4.1", id="two wildcards"),
    ],
)
def test_what_some_version_pushes_is_not_claimed(engine: str, where: str, version: str) -> None:
    unknown, newest = _planner(engine, None), _planner(engine, "newest")
    known = _pushed(engine, _planner(engine, version), where)
    assert known == _pushed(engine, newest, where) != _pushed(engine, unknown, where)


@pytest.mark.parametrize(
    ("iceberg", "expected"),
    [
        pytest.param("1.10.0", "FALSE", id="loses-rows"),
        pytest.param("testversion", "needed IS NULL", id="unknown"),
        pytest.param(None, "needed IS NULL", id="not-told"),
    ],
)
def test_no_rows_are_taken_to_be_lost_by_an_unknown_library(
    iceberg: str | None, expected: str
) -> None:
    schema = Schema(0, (SchemaColumn(1, ("needed",), "int", False, True, False),))
    planner = planner_of("spark", "3.5.9", iceberg)
    found = bind_pushed(None, condition("needed IS NULL", "spark"), schema, time_zone=None)
    assert render(as_planned(planner, found, schema)) == expected
