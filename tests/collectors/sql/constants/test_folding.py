"""Days that are formatted are constants where all engines of the dialect write them alike."""

from __future__ import annotations

import datetime as dt

import pytest

from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.slot import Slot
from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.functions.folding import fold, literal
from prunescope.collectors.sql.text.boolean import own_columns
from prunescope.collectors.sql.text.parse import parse_condition


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("trino", "date_format(current_date - INTERVAL '7' DAY, '%Y%m%d')", "20260308"),
        ("trino", "format_datetime(now(), 'yyyy-MM-dd')", "2026-03-15"),
        ("trino", "date_format(DATE '2026-01-05', '%Y/%m')", "2026/01"),
        ("spark", "date_format(date_sub(current_date(), 7), 'yyyyMMdd')", "20260308"),
        ("spark", "date_format(current_timestamp(), 'yyyy-MM-dd')", "2026-03-15"),
        ("snowflake", "to_char(current_date(), 'YYYYMMDD')", "20260315"),
        ("snowflake", "to_char(current_date - 3, 'YYYY-MM-DD')", "2026-03-12"),
        ("snowflake", "to_varchar(dateadd(day, -3, current_date), 'yyyy/mm/dd')", "2026/03/12"),
    ],
)
def test_days_as_text_are_constants(dialect: str, sql: str, expected: str) -> None:
    session = Session(dialect, dt.datetime(2026, 3, 15, 1, tzinfo=dt.UTC), "UTC")
    assert literal(parse_condition(sql, dialect), session) == expected


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "date_format(current_date, 'yyyy-MM-dd')"),
        ("trino", "date_format(current_date, '%Y-%D')"),
        ("trino", "date_format(now(), '%Y-%m-%d %h')"),
        ("spark", "date_format(current_date(), 'yyyy-ww')"),
        ("snowflake", "to_char(current_date(), 'DD-MON-YYYY')"),
        ("snowflake", "to_char(current_date() - n, 'YYYYMMDD')"),
    ],
)
def test_other_texts_of_days_are_unknown(dialect: str, sql: str) -> None:
    session = Session(dialect, dt.datetime(2026, 3, 15, 1, tzinfo=dt.UTC), "UTC")
    with pytest.raises(CannotConvert):
        literal(parse_condition(sql, dialect), session)


def test_a_tree_is_evaluated_at_what_its_slots_hold() -> None:
    tree = parse_condition("year(d) * 100 + month(d)", "trino")
    slots = [Slot() for _ in range(2)]
    for column, slot in zip(own_columns(tree), slots, strict=True):
        column.replace(slot)
    assert own_columns(tree) == []
    found = []
    for day in (dt.date(2024, 2, 29), dt.date(2025, 1, 1)):
        for slot in slots:
            slot.value = day
        found.append(fold(tree, Session("trino")))
    assert found == [202402, 202501]
