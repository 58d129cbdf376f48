"""Dialects, as values."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql import dialects as sql_dialects
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.dialects import Dialect, dialect_of
from collectors.sql.text.boolean import formula


def test_those_that_are_told_of_are_sqlglots() -> None:
    assert set(sql_dialects.DIALECTS) <= sql_dialects.READ_DIALECTS


@pytest.mark.parametrize("name", ["spark", "databricks", "spark2", "hive"])
def test_spark_and_its_family_are_no_trino(name: str) -> None:
    assert (dialect_of(name).is_spark, dialect_of(name).is_trino) == (True, False)


def test_of_others_nothing_is_known() -> None:
    assert dialect_of("clickhouse") == Dialect()


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
