"""Dialects, as values."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from prunescope.collectors.predicates.model import Unsupported, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql import dialects as sql_dialects
from prunescope.collectors.sql.conditions.convert import convert
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.text.boolean import formula

TYPES = {"ts": "timestamptz", "t": "timestamp", "d": "date", "s": "string"}


def test_those_that_are_told_of_are_sqlglots() -> None:
    assert set(sql_dialects.DIALECTS) <= sql_dialects.READ_DIALECTS


NOT_TOLD = ["dremio", "mysql", "starrocks"]


@pytest.mark.parametrize("name", NOT_TOLD)
@pytest.mark.parametrize(
    "text",
    [
        "date_trunc('week', d) = DATE '2024-04-01'",
        "date_trunc('day', ts) = DATE '2024-01-02'",
        "date_trunc('hour', ts) = TIMESTAMP '2024-01-02 05:00:00'",
        "CAST(ts AS DATE) = DATE '2024-01-02'",
        "CAST(ts AS DATE) <> DATE '2024-01-02'",
        "EXTRACT(YEAR FROM ts) = 2024",
        "substr(s, 1, 2) >= 'ab'",
        "trim(s) = 'ab'",
        "CAST(s AS INT) = 5",
        "CAST(d AS VARCHAR(20)) = '2024-01-02'",
    ],
)
def test_what_is_not_told_of_a_dialect_says_nothing_of_columns(name: str, text: str) -> None:
    found = condition(text, name, types=TYPES, time_zone="Asia/Tokyo")
    assert isinstance(found, Unsupported)


@pytest.mark.parametrize("name", NOT_TOLD)
def test_columns_without_zone_are_read_by_no_clock(name: str) -> None:
    found = condition("CAST(t AS DATE) = DATE '2024-01-02'", name, types=TYPES, time_zone="+09:00")
    assert render(found) == "t >= DATE '2024-01-02' AND t < DATE '2024-01-03'"


def test_days_that_a_dialect_does_not_hold_come_out_as_any() -> None:
    found = condition("CAST(t AS DATE) = DATE '2024-01-02'", "clickhouse", types=TYPES)
    told = render(next(iter(conjuncts(found))))
    assert "t >= DATE '2024-01-02' AND t < DATE '2024-01-03'" in told
    assert "t < DATE '1970-01-01'" in told


def test_a_dialect_is_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """A week means nothing in a dialect until it is told on which day it starts."""
    condition = "date_trunc('week', d) = DATE '2024-04-01'"

    def said() -> str:
        reader = Reader(lambda column: (column.name,), Session("materialize", time_zone="UTC"))
        found = convert(formula(parse_one(condition, dialect="materialize")), reader)
        return "" if isinstance(found, Unsupported) else render(found)

    assert said() == ""
    told = Dialect(weeks_from_monday=True, follows_clock=True)
    monkeypatch.setitem(sql_dialects.DIALECTS, "materialize", told)
    assert "2024-04-01" in said()
    assert "2024-04-08" in said()
