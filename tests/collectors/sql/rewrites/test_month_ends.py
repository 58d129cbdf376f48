"""The last day of a month, compared with a constant, is a range of days."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS

FUNCTIONS = [("spark", "last_day(d)"), ("trino", "last_day_of_month(d)")]
SIGNS = ["=", "<>", "<", "<=", ">", ">="]
DAYS = ["2026-02-28", "2026-02-27", "2024-02-29", "2024-02-28", "2026-01-01", "2025-12-31"]
ALL_DAYS = (
    "SELECT d::date AS d FROM range(DATE '2023-11-01', DATE '2026-05-01', INTERVAL 1 DAY) _(d) "
    "UNION ALL SELECT NULL"
)


@pytest.mark.parametrize(("dialect", "function"), FUNCTIONS)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("day", DAYS)
def test_duckdb_selects_the_same_days(dialect: str, function: str, sign: str, day: str) -> None:
    found = condition(f"{function} {sign} DATE '{day}'", dialect)
    assert not isinstance(found, Unsupported)
    ours = render(found)
    with duckdb.cursor() as connection:
        original, rewritten = (
            connection.execute(f"SELECT d FROM ({ALL_DAYS}) WHERE {where} ORDER BY d").fetchall()
            for where in (f"last_day(d) {sign} DATE '{day}'", ours)
        )
    assert original == rewritten, ours


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "last_day(d) = 5"),
        ("spark", "last_day(d) = e"),
        ("spark", "last_day(d) = DATE '9999-12-31'"),
        ("hive", "last_day(d) = '2026-02-28'"),
        ("snowflake", "last_day(d, 'year') = DATE '2026-12-31'"),
    ],
)
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect), Unsupported)


def test_no_engine_is_taken_to_push_it() -> None:
    for planner in PLANNERS:
        pushed = condition("last_day(d) = DATE '2026-02-28'", "spark", planner=planner)
        assert render(pushed) in ("TRUE", "d IS NOT NULL")
