"""Rows of columns in lists, and regular expressions that say how a text begins."""

from __future__ import annotations

import re

import pytest

from prunescope.collectors.predicates.model import Comparison, Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import PLANNERS
from tests.unseen_forms.containers import kept_rows, predicate_of

TYPES = {"s": "string"}
TEXTS = [
    *("", "E", "EU", "EU-", "EU-1", "EU-x", "xEU-", "US-1", "EUR", "EU--", "(EU", "E.U", "\nEU-"),
    *("ER-2", "US-", "-x", "UU", "eu", "ab", "EU|-", "EUx", "ED", "EV"),
]
EXPRESSIONS = {
    "^EU-": "s >= 'EU-' AND s < 'EU.'",
    "^EU-[0-9]+$": None,
    "^EU-?x": "(s >= 'EU-x' AND s < 'EU-y') OR (s >= 'EUx' AND s < 'EUy')",
    "^EU-*": "s >= 'EU' AND s < 'EV'",
    "^EU-{0,2}": "s >= 'EU' AND s < 'EV'",
    "^EU.": None,
    "^E\\.U": "s >= 'E.U' AND s < 'E.V'",
    "^(EU)": "s >= 'EU' AND s < 'EV'",
    "^E?U": "(s >= 'EU' AND s < 'EV') OR (s >= 'U' AND s < 'V')",
    "^EU(-|R)": "(s >= 'EU-' AND s < 'EU.') OR (s >= 'EUR' AND s < 'EUS')",
    "^EU-|^US-": "(s >= 'EU-' AND s < 'EU.') OR (s >= 'US-' AND s < 'US.')",
    "^(EU|US)-[0-9]+$": None,
    "^E[UR]-(1|2)": "(s >= 'ER-1' AND s < 'ER-3') OR (s >= 'EU-1' AND s < 'EU-3')",
    "^[E-U]U": None,
}
WRITTEN = {
    "trino": "regexp_like(s, '{}')",
    "spark": "s RLIKE r'{}'",
    "duckdb": "regexp_matches(s, '{}')",
    "bigquery": "REGEXP_CONTAINS(s, r'{}')",
    "postgres": "s ~ '{}'",
}


@pytest.mark.parametrize("dialect", WRITTEN)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_is_a_range_of_texts(dialect: str, expression: str) -> None:
    sql = WRITTEN[dialect].format(expression)
    found = condition(sql, dialect, types=TYPES)
    assert any(isinstance(leaf, Comparison) for leaf in leaves(found))
    if EXPRESSIONS[expression] is not None:
        assert render(found) == EXPRESSIONS[expression]
    whole = predicate_of(sql, dialect, "UTC", TYPES)
    kept = kept_rows(whole, TYPES, [{"s": text} for text in TEXTS])
    for text, is_kept in zip(TEXTS, kept, strict=True):
        assert is_kept or not re.search(expression, text), text


def test_clickhouse_matches_on_any_clock() -> None:
    found = condition("match(s, '^EU')", "clickhouse", time_zone="Asia/Tokyo", types=TYPES)
    assert render(found) == "s >= 'EU' AND s < 'EV'"


@pytest.mark.parametrize("expression", ["^$", "EU-", "(?i)^EU-", "^EU|US", "^(EU|US)*", "^EU("])
def test_an_expression_that_may_be_found_anywhere_says_nothing(expression: str) -> None:
    sql = f"regexp_like(s, '{expression}')"
    assert isinstance(condition(sql, "trino", types=TYPES), Unsupported)
    # Which ignores the case of letters.
    assert isinstance(condition("s REGEXP '^EU'", "mysql", types=TYPES), Unsupported)


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
        "(a, lower(b)) NOT IN (('x', 'z'), ('y', 'w'))",
        "(a, lower(b)) IN (('x', nullif(1, 1)))",
        "(a, lower(b)) IN (('x', c))",
        "(a, lower(b)) > ('x', 'z')",
    ],
)
def test_rows_that_mean_something_else_are_left_alone(sql: str) -> None:
    assert isinstance(condition(sql, "spark"), Unsupported)


@pytest.mark.parametrize(
    ("sql", "instead"),
    [
        (
            "(year(d), month(d)) IN ((2026, 10), (2026, 11))",
            "(year(d) = 2026 AND month(d) = 10) OR (year(d) = 2026 AND month(d) = 11)",
        ),
        ("(year(d), a) = (2026, 'x')", "year(d) = 2026 AND a = 'x'"),
    ],
)
def test_rows_of_functions_are_conditions_on_each(sql: str, instead: str) -> None:
    for dialect in ("spark", "trino"):
        assert parts_said(sql, dialect) == parts_said(instead, dialect)


def parts_said(sql: str, dialect: str) -> list[str]:
    """The parts of a condition that are known."""
    types = {"a": "string", "b": "int", "d": "date"}
    found = condition(sql, dialect, types=types)
    return sorted(render(leaf) for leaf in leaves(found) if isinstance(leaf, Comparison))


@pytest.mark.parametrize("sql", ["(a, b) IN (('x', 1), ('y', 2))", "a RLIKE '^EU-'"])
def test_no_engine_is_taken_to_push_it(sql: str) -> None:
    for planner in PLANNERS:
        pushed = render(condition(sql, "spark", planner=planner))
        assert "=" not in pushed
        assert "LIKE" not in pushed or "RLIKE" in pushed or "REGEXP" in pushed


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("s LIKE ANY ('a%', 'b%')", "s LIKE 'a%' OR s LIKE 'b%'"),
        ("s LIKE SOME ('a%')", "s LIKE 'a%'"),
        ("s LIKE ALL ('a%', '%b')", "s LIKE 'a%' AND s LIKE '%b'"),
        ("NOT (s LIKE ANY ('a%', 'b%'))", "s NOT LIKE 'a%' AND s NOT LIKE 'b%'"),
        ("s NOT LIKE ANY ('a%', 'b%')", "s NOT LIKE 'a%' OR s NOT LIKE 'b%'"),
        ("s NOT LIKE ALL ('a%', 'b%')", "s NOT LIKE 'a%' AND s NOT LIKE 'b%'"),
        ("NOT (s NOT LIKE ALL ('a%', 'b%'))", "s LIKE 'a%' OR s LIKE 'b%'"),
        ("s LIKE ANY (NULL, 'a%')", "s LIKE 'a%'"),
        ("s NOT LIKE ALL (NULL, 'a%')", "FALSE"),
        ("isnull(s)", "s IS NULL"),
        ("NOT isnull(s)", "s IS NOT NULL"),
        ("isnotnull(s)", "s IS NOT NULL"),
        ("equal_null(s, 'a')", "s = 'a'"),
        ("equal_null(s, NULL)", "s IS NULL"),
        ("NOT equal_null(s, 'a')", "s != 'a' OR s IS NULL"),
    ],
)
def test_what_spark_replaces_by_operators(sql: str, expected: str) -> None:
    """Spark 4.1: `LikeSimplification`, and functions that are `RuntimeReplaceable`."""
    assert render(condition(sql, "spark")) == expected
