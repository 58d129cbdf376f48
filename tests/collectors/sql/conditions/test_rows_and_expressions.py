"""Rows of columns in lists, and regular expressions that say how a text begins."""

from __future__ import annotations

import re

import pytest

from collectors.predicates.model import And, Comparison, Unsupported
from collectors.predicates.operators import Op
from collectors.predicates.render import render
from collectors.sql.conditions.like import expression_prefix
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS

TEXTS = ["", "E", "EU", "EU-", "EU-1", "EU-x", "xEU-", "US-1", "EUR", "EU--", "(EU", "E.U", "\nEU-"]
PREFIXES = [
    ("^EU-", "EU-"),
    ("^EU-[0-9]+$", "EU-"),
    ("^EU-?x", "EU"),
    ("^EU-*", "EU"),
    ("^EU-+", "EU"),
    ("^EU-{0,2}", "EU"),
    ("^EU.", "EU"),
    ("^EU(-|R)", ""),
    ("^EU-|^US-", ""),
    ("^E\\.U", "E"),
    ("^$", ""),
    ("EU-", ""),
    ("(?i)^EU-", ""),
    ("^(EU)", ""),
    ("^E?U", ""),
]


@pytest.mark.parametrize(("expression", "prefix"), PREFIXES)
def test_texts_that_match_begin_so(expression: str, prefix: str) -> None:
    assert expression_prefix(expression) == prefix
    for text in TEXTS:
        assert not re.search(expression, text) or text.startswith(prefix), text


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("trino", "regexp_like(s, '^EU-[0-9]')"), ("spark", "s RLIKE '^EU-[0-9]'")],
)
def test_an_expression_implies_how_a_text_begins(dialect: str, sql: str) -> None:
    match condition(sql, dialect):
        case And((Comparison(Op.STARTS_WITH, _, ("EU-",)), Unsupported())):
            return
    raise AssertionError(condition(sql, dialect))


@pytest.mark.parametrize(
    "sql",
    [
        "NOT regexp_like(s, '^EU-')",
        "regexp_like(s, 'EU-')",
        "regexp_like(upper(s), '^EU-')",
        "regexp_like(s, p)",
    ],
)
def test_other_expressions_say_nothing(sql: str) -> None:
    assert isinstance(condition(sql, "trino"), Unsupported)


def test_rows_in_a_list_are_an_or() -> None:
    found = condition("(a, b) IN (('x', 1), ('y', 2))", "spark")
    assert render(found) == "(a = 'x' AND b = 1) OR (a = 'y' AND b = 2)"


@pytest.mark.parametrize(
    "sql",
    [
        "(a, b) NOT IN (('x', 1), ('y', 2))",
        "(a, b) IN (('x', NULL), ('y', 2))",
        "(a, b) IN (('x', c), ('y', 2))",
        "(a, lower(b)) IN (('x', 'z'), ('y', 'w'))",
    ],
)
def test_rows_that_mean_something_else_are_left_alone(sql: str) -> None:
    assert isinstance(condition(sql, "spark"), Unsupported)


@pytest.mark.parametrize("sql", ["(a, b) IN (('x', 1), ('y', 2))", "a RLIKE '^EU-'"])
def test_no_engine_is_taken_to_push_it(sql: str) -> None:
    for planner in PLANNERS:
        pushed = render(condition(sql, "spark", planner=planner))
        assert "=" not in pushed
        assert "LIKE" not in pushed or "RLIKE" in pushed or "REGEXP" in pushed
