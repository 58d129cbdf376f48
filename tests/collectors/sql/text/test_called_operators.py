from __future__ import annotations

import pytest

from prunescope.collectors.sql.text.parse import parse_condition


@pytest.mark.parametrize(
    ("called", "written"),
    [
        ("equals(a, 1)", "(a = 1)"),
        ("notEquals(a, 'x')", "(a <> 'x')"),
        ("less(a, 1)", "(a < 1)"),
        ("lessOrEquals(a, 1)", "(a <= 1)"),
        ("greater(a, 1)", "(a > 1)"),
        ("greaterOrEquals(a, plus(b, 1))", "(a >= (b + 1))"),
        ("isDistinctFrom(a, 1)", "(a IS DISTINCT FROM 1)"),
        ("multiply(a + 1, 2) > 3", "((a + 1) * 2) > 3"),
        ("minus(a, toIntervalDay(1)) > b", "(a - toIntervalDay(1)) > b"),
        ("in(a, (1, 2))", "(a IN (1, 2))"),
        ("notIn(a, [1, 2])", "(NOT a IN (1, 2))"),
        ("globalIn(a, 5)", "(a IN (5))"),
        ("in((a, b), ((1, 2)))", "((a, b) IN ((1, 2)))"),
        ("NOT in(a, (1, 2)) AND a IN (3)", "NOT (a IN (1, 2)) AND a IN (3)"),
        ("isNull(a)", "(a IS NULL)"),
        ("isNotNull(a)", "(NOT a IS NULL)"),
        ("and(equals(a, 1), or(less(b, 2), not(c)))", "((a = 1) AND ((b < 2) OR NOT (c)))"),
        ("EQUALS(a)", "equals(a)"),
    ],
)
def test_operators_by_name_are_the_operators(called: str, written: str) -> None:
    assert (
        parse_condition(called, "clickhouse").sql() == parse_condition(written, "clickhouse").sql()
    )


@pytest.mark.parametrize(
    ("called", "written"),
    [
        ("add(a, 1) > multiply(b - 1, 2)", "(a + 1) > ((b - 1) * 2)"),
        ("subtract(a)", "subtract(a)"),
        ("prefix(a, 'x')", "starts_with(a, 'x')"),
        ("suffix(a, 'x')", "ends_with(a, 'x')"),
        ("datepart('year', a) = 2024", "date_part('year', a) = 2024"),
        ("datesub('month', a, b) > 1", "date_sub('month', a, b) > 1"),
        ("timezone('UTC', a + b) < c", "((a + b) AT TIME ZONE 'UTC') < c"),
    ],
)
def test_second_names_in_duckdb_are_the_first(called: str, written: str) -> None:
    assert parse_condition(called, "duckdb") == parse_condition(written, "duckdb")


def test_others_have_functions_of_these_names() -> None:
    assert parse_condition("equals(a, 1)", "trino").sql("trino") == "EQUALS(a, 1)"
