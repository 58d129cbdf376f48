"""Dates that a column counts the days to are comparisons of the number."""

from __future__ import annotations

import datetime as dt

import pytest

from collectors.predicates.bind import bind
from collectors.predicates.calculated_ranges import selected
from collectors.predicates.model import Predicate, PredicateLeaf, Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import map_leaves
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.predicates.row_evaluator import SIGNS, is_understood, matches

EPOCH = dt.date(1970, 1, 1)
FORMS = [
    ("spark", "date_add(DATE '{}', n)"),
    ("spark", "DATE '{}' + n"),
    ("trino", "date_add('day', n, DATE '{}')"),
]


def _wrapped_around(number: int) -> int:
    """A sum of Spark, of 32 bits."""
    return (number + 2**31) % 2**32 - 2**31


def _of_whole_numbers(found: Predicate) -> Predicate:
    """What a condition says of a column of 32 bits."""

    def of_leaf(leaf: PredicateLeaf) -> Predicate:
        if not isinstance(leaf, Unsupported) or leaf.calculated is None:
            return leaf
        known = selected(leaf.calculated, "int", None)
        assert known is not None
        assert known.is_exact
        return known.predicate

    return map_leaves(found, of_leaf)


@pytest.mark.parametrize(("dialect", "form"), FORMS)
@pytest.mark.parametrize("base", ["1970-01-01", "2026-01-10", "1969-12-01"])
@pytest.mark.parametrize("sign", SIGNS)
def test_numbers_are_those_of_the_days(dialect: str, form: str, base: str, sign: str) -> None:
    day = dt.date(2026, 1, 12)
    found = _of_whole_numbers(condition(f"{form.format(base)} {sign} DATE '{day}'", dialect))
    assert is_understood(found)
    first, wanted = (dt.date.fromisoformat(base) - EPOCH).days, (day - EPOCH).days
    near = range(wanted - first - 3, wanted - first + 4)
    far = [-(2**31), 2**31 - 1] if dialect == "spark" else []
    for number in (*near, *far):
        whole = _wrapped_around(first + number)
        assert matches(found, {"n": number}) == SIGNS[sign](whole, wanted), (number, found)


def test_numbers_of_days_since_1970() -> None:
    found, other = (
        _of_whole_numbers(condition(sql, "spark"))
        for sql in (
            "date_from_unix_date(n) = '2026-01-12'",
            "date_add(DATE '1970-01-01', n) = DATE '2026-01-12'",
        )
    )
    assert found == other


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("int", "n <= 1"),
        ("double", "n < 2.0 OR n IS NAN"),
        ("long", "DATE_FROM_UNIX_DATE(n) <= CAST('1970-01-02' AS DATE)"),
    ],
)
def test_spark_makes_whole_numbers_of_others_first(kind: str, expected: str) -> None:
    """Spark 4.1: 1.9 is cut to 1 and NaN is 0, and what has more bits wraps around, without
    `spark.sql.ansi.enabled`."""
    schema = Schema(0, (SchemaColumn(1, ("n",), kind, False, False, False),))
    found = condition("date_from_unix_date(n) <= DATE '1970-01-02'", "spark")
    assert render(bind(found, schema)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "date_sub(DATE '2026-01-01', n) = DATE '2025-01-01'"),
        ("spark", "date_add(d, n) = DATE '2025-01-01'"),
        ("spark", "date_add(DATE '2026-01-01', n + 1) = DATE '2025-01-01'"),
        ("spark", "date_add(DATE '2026-01-01', n) = 5"),
        ("trino", "date_add('month', n, DATE '2026-01-01') = DATE '2027-01-01'"),
        ("trino", "date_add('day', n, TIMESTAMP '2026-01-01 00:00:00') = DATE '2027-01-01'"),
    ],
)
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect), Unsupported)


def test_no_engine_is_taken_to_push_it() -> None:
    for planner in PLANNERS:
        sql = "date_add(DATE '1970-01-01', n) = DATE '2026-01-12'"
        assert render(condition(sql, "spark", planner=planner)) in ("TRUE", "n IS NOT NULL")
