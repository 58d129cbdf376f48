"""A function that is added, as CONTRIBUTING.md says: by one row."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.values import Folded, is_int, not_constant
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.functions.law import rising
from prunescope.collectors.sql.functions.row import Function
from prunescope.collectors.sql.functions.table import rows_of

SCHEMA = Schema(
    0,
    (
        SchemaColumn(1, ("n",), "int", False, False, False),
        SchemaColumn(2, ("at",), "date", False, False, False),
    ),
)
TYPES = {"n": "int", "at": "date"}


def tripled(_call: Call, number: Folded) -> Folded:
    """Three times a whole number."""
    if not is_int(number):
        raise not_constant()
    return 3 * number


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of("trino")
    assert isinstance(rows, dict)
    monkeypatch.setitem(rows, "tripled", Function(tripled, bits=64, law=rising(0)))


def said(sql: str) -> str:
    found = condition(sql, "trino", time_zone="UTC", types=TYPES)
    return render(bind(found, SCHEMA, time_zone="UTC"))


@pytest.mark.usefixtures("_added")
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("tripled(n) >= 10", "n >= 4"),
        ("NOT (tripled(n) BETWEEN 9 AND 12)", "n <= 2 OR n >= 5"),
        ("tripled(n + 1) = 12", "n = 3"),
        ("CASE WHEN tripled(n) < 6 THEN 'few' ELSE 'many' END = 'few'", "n <= 1"),
        ("tripled(year(at)) = 6075", "at >= DATE '2025-01-01' AND at < DATE '2026-01-01'"),
        ("tripled(2) = 6 AND n = 1", "n = 1"),
    ],
)
def test_a_function_is_one_row(sql: str, expected: str) -> None:
    assert said(sql) == expected


def test_of_a_function_that_is_not_known_nothing_is_said() -> None:
    assert said("tenfold(n) >= 10") == "TENFOLD(n) >= 10"
