"""Rows of columns in lists, and regular expressions that say how a text begins."""

from __future__ import annotations

import re

import pytest

from prunescope.collectors.predicates.model import And, Comparison, Unsupported
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.conditions.like import expression_prefixes
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import PLANNERS

TEXTS = ["", "E", "EU", "EU-", "EU-1", "EU-x", "xEU-", "US-1", "EUR", "EU--", "(EU", "E.U", "\nEU-"]
PREFIXES = [
    ("^EU-", "EU-"),
    ("^EU-[0-9]+$", "EU-"),
    ("^EU-?x", "EU"),
    ("^EU-*", "EU"),
    ("^EU-+", "EU"),
    ("^EU-{0,2}", "EU"),
    ("^EU.", "EU"),
    ("^E\\.U", "E"),
    ("^$", ""),
    ("EU-", ""),
    ("(?i)^EU-", ""),
    ("^(EU)", "EU"),
    ("^E?U", ""),
]


@pytest.mark.parametrize(("expression", "prefix"), PREFIXES)
def test_texts_that_match_begin_so(expression: str, prefix: str) -> None:
    assert expression_prefixes(expression) == ((prefix,) if prefix else ())
    for text in TEXTS:
        assert not re.search(expression, text) or text.startswith(prefix), text


@pytest.mark.parametrize(
    ("expression", "prefixes"),
    [
        ("^EU(-|R)", ("EU-", "EUR")),
        ("^EU-|^US-", ("EU-", "US-")),
        ("^(EU|US)-[0-9]+$", ("EU-", "US-")),
        ("^(?:EU|US)?-", ()),
        ("^(EU|)-", ("EU-", "-")),
        ("^(EU|US)*", ()),
        ("^[EU]U", ("EU", "UU")),
        ("^[EU]+", ()),
        ("^[^EU]", ()),
        ("^[E-U]U", ()),
        ("^E[UR]-(1|2)", ("EU-1", "EU-2", "ER-1", "ER-2")),
        ("^[abcde][abcde]", ("a", "b", "c", "d", "e")),
        ("^EU|US", ()),
        ("^(EU|US)|-", ()),
        ("^EU[|]-", ("EU",)),
        ("^EU[]|]", ()),
        ("^EU\\||US", ()),
        ("^(EU|^US)", ()),
        ("^((EU|US)-)", ()),
        ("^EU(?=-|R)", ("EU",)),
        ("^(?i)(eu|us)", ()),
    ],
)
def test_texts_that_match_begin_in_one_of_several_ways(
    expression: str, prefixes: tuple[str, ...]
) -> None:
    assert expression_prefixes(expression) == prefixes
    for text in (
        ("EU-1", "ER-2", "US-", "-x", "UU", "eu", "ab", "E", "", "EU|-") if prefixes else ()
    ):
        assert not re.search(expression, text) or text.startswith(prefixes), text


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
