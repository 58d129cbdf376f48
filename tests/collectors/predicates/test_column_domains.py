"""What the conditions of a filter say together, against what the filter says of single rows."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import as_predicate, domains_of, tightened
from prunescope.collectors.predicates.model import (
    FALSE,
    Always,
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

TYPES = {"a": "int", "b": "int", "s": "string", "d": "double", "ts": "timestamp"}
TYPES |= {"u": "uuid", "t": "boolean"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
A, B, D = Field(1, "a", "int"), Field(2, "b", "int"), Field(4, "d", "double")
T = Field(7, "t", "boolean")
NAN = float("nan")
UUIDS = [f"UUID '{first}2151fd2-7586-11e9-8f9e-2a86e4085a59'" for first in "01"]


def bound(where: str) -> Predicate:
    return bind(condition(where, "trino"), SCHEMA)


@pytest.mark.parametrize(
    "where",
    [
        "a = 1 AND a = 2",
        "a > 500 AND a < 400",
        "a > 5 AND a <= 5",
        "a IS NULL AND a = 5",
        "a IS NULL AND a <> 5",
        "a IS NULL AND a IS NOT NULL",
        "a IS NOT DISTINCT FROM 5 AND a <> 5",
        "a IN (1, 2) AND a IN (3, 4)",
        "a IN (1, 2) AND a > 2",
        "a IN (1, 2) AND a NOT IN (1, 2, 3)",
        "a = 1 AND (a = 2 OR a = 3)",
        "(a = 1 AND b = 2) AND (a = 3 OR a = 4)",
        "(a = 1 AND a = 2) OR (b > 3 AND b < 2)",
        "((a = 1 AND a = 2) OR b = 3) AND b = 4",
        "a BETWEEN 5 AND 4",
        "s = 'x' AND s = 'y'",
        "s LIKE 'ab%' AND s = 'b'",
        "s LIKE 'ab%' AND s NOT LIKE 'a%'",
        "s LIKE 'ab%' AND s < 'ab'",
        "s > 'b' AND s LIKE 'a%'",
        "d = 1.5 AND d = 2.5",
        "is_nan(d) AND d = 1.5",
        "is_nan(d) AND d < 1.5",
        "is_nan(d) AND d IS NULL",
        "is_nan(d) AND NOT is_nan(d)",
        "ts < TIMESTAMP '2024-01-01 00:00:00' AND ts > TIMESTAMP '2024-01-01 00:00:00'",
        "ts >= TIMESTAMP '2024-01-02 00:00:00' AND CAST(ts AS date) = DATE '2024-01-01'",
        f"u = {UUIDS[0]} AND u IS NULL",
        f"u = {UUIDS[0]} AND u = {UUIDS[1]}",
        "t <> FALSE AND t <> TRUE",
    ],
)
def test_conditions_that_exclude_each_other_let_nothing_through(where: str) -> None:
    assert tightened(bound(where)) == FALSE


@pytest.mark.parametrize(
    "where",
    [
        "a >= 5 AND a <= 7",
        "a = 1 AND b = 2",
        "a = 1 OR a = 2",
        "a IN (1, 2) OR a > 2",
        "a IS NULL OR a = 5",
        "s LIKE 'ab%' AND s LIKE 'a%'",
        # NaN: above all numbers for Spark, and different from each of them for all.
        "is_nan(d) AND d > 1.5",
        # Engines do not agree on the order of UUIDs.
        f"u > {UUIDS[1]} AND u < {UUIDS[0]}",
        "lower(s) = 'x' AND s LIKE 'a%'",
        "t IS NOT NULL",
        "t = TRUE",
    ],
)
def test_what_says_nothing_more_together_stays_as_it_is(where: str) -> None:
    predicate = bound(where)
    assert tightened(predicate) == predicate


@pytest.mark.parametrize(
    ("where", "implied"),
    [
        pytest.param("a IN (1, 9) AND a > 5", ["a = 9"], id="list-and-range"),
        pytest.param("a <> 5", ["a < 5 OR a > 5"], id="inequality"),
        pytest.param("t <> FALSE", ["t = TRUE"], id="not-false-is-true"),
        pytest.param("a NOT IN (1, 2)", ["a < 1 OR (a > 1 AND a < 2) OR a > 2"], id="not-in"),
        pytest.param(
            f"a NOT IN ({', '.join(map(str, range(2_000)))})",
            ["a IS NOT NULL"],
            id="not-in-of-so-many-that-their-ranges-are-not-worth-it",
        ),
        pytest.param(
            "d <> 5e0", ["d < 5.0 OR d > 5.0 OR d IS NAN"], id="inequality-that-nan-satisfies"
        ),
        pytest.param("d <> 5e0 AND d < 3e0", [], id="nan-is-not-below"),
        pytest.param("(a = 1 AND a = 2) OR b = 3", ["b = 3"], id="an-arm-that-cannot-be-true"),
        pytest.param("(a = 1 OR a = 5) AND (a = 2 OR a = 5)", ["a = 5"], id="lists-that-meet"),
        pytest.param("a >= 5 AND a <> 5", ["a > 5"], id="inequality-at-a-bound"),
        pytest.param("a >= 5 AND a <= 5", ["a = 5"], id="ranges-around-a-value"),
        pytest.param("a > 5 OR a IS NOT NULL", ["a IS NOT NULL"], id="all-that-is-not-null"),
        pytest.param(
            "a BETWEEN 3 AND 3 OR a = 7",
            ["(a >= 3 AND a <= 3 AND a = 3) OR a = 7", "a IN (3, 7)"],
            id="arms-around-values",
        ),
        pytest.param(
            "(a = 1 AND b = 2) OR (a = 2 AND b = 1)",
            ["a IN (1, 2)", "b IN (1, 2)"],
            id="arms-of-several-columns",
        ),
    ],
)
def test_what_follows_from_several_conditions_stands_after_them(
    where: str, implied: list[str]
) -> None:
    predicate = bound(where)
    parts, found = conjuncts(predicate), conjuncts(tightened(predicate))
    assert found[: len(parts)] == parts
    assert [render(part) for part in found[len(parts) :]] == implied


values = st.integers(0, 4)
numbers = st.sampled_from([0.0, 1.0, 2.0])


def leaves(field: Field, value: st.SearchStrategy[Any]) -> st.SearchStrategy[Predicate]:
    ordered = [Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.NOT_EQ]
    unary = [Op.IS_NULL, Op.NOT_NULL]
    unary += [Op.IS_NAN, Op.NOT_NAN] if field == D else []
    return st.one_of(
        st.builds(lambda op, v: BoundComparison(op, field, (v,)), st.sampled_from(ordered), value),
        st.builds(
            lambda op, v: BoundComparison(op, field, tuple(sorted(v))),
            st.sampled_from([Op.IN, Op.NOT_IN]),
            st.sets(value, min_size=2, max_size=3),
        ),
        st.sampled_from(unary).map(lambda op: BoundComparison(op, field)),
    )


predicates = st.recursive(
    st.one_of(
        leaves(A, values), leaves(B, values), leaves(D, numbers), leaves(T, st.integers(0, 1))
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=7,
)
rows = st.fixed_dictionaries(
    {
        "a": st.none() | st.integers(-1, 5),
        "b": st.none() | st.integers(-1, 5),
        "t": st.none() | st.integers(0, 1),
        "d": st.none() | st.sampled_from([NAN, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0]),
    }
)


def holds(predicate: Predicate, row: dict[str, float | None]) -> bool:
    """SQL's verdict, of an engine for which NaN is above all numbers."""
    match predicate:
        case Always(value):
            return value
        case And(children):
            return all(holds(child, row) for child in children)
        case Or(children):
            return any(holds(child, row) for child in children)
        case BoundComparison(op, field, literals):
            return _compares(op, row[field.name], literals)
    raise AssertionError(predicate)


def _compares(op: Op, value: float | None, literals: Any) -> bool:
    is_nan = value is not None and math.isnan(value)
    match op:
        case Op.IS_NULL | Op.NOT_NULL:
            return (value is None) == (op is Op.IS_NULL)
        case Op.IS_NAN | Op.NOT_NAN:
            return is_nan == (op is Op.IS_NAN)
    if value is None:
        return False
    placed = math.inf if is_nan else value
    verdicts: dict[Op, bool] = {
        Op.LT: placed < literals[0],
        Op.LT_EQ: placed <= literals[0],
        Op.GT: placed > literals[0],
        Op.GT_EQ: placed >= literals[0],
        Op.EQ: placed == literals[0],
        Op.NOT_EQ: placed != literals[0],
        Op.IN: placed in literals,
        Op.NOT_IN: placed not in literals,
    }
    return verdicts[op]


@given(predicates, rows)
def test_tightening_changes_no_verdict(predicate: Predicate, row: dict[str, float | None]) -> None:
    assert holds(tightened(predicate), row) == holds(predicate, row)


@given(predicates, rows)
def test_domains_let_through_what_matches(
    predicate: Predicate, row: dict[str, float | None]
) -> None:
    domains = domains_of(predicate)
    if holds(predicate, row):
        assert domains is not None
        assert all(holds(as_predicate(field, domain), row) for field, domain in domains.items())


@given(st.lists(leaves(A, values), min_size=1, max_size=4))
def test_a_column_that_nothing_satisfies_is_found(parts: list[Predicate]) -> None:
    """Whole numbers and the places between them stand for all values."""
    predicate = And(tuple(parts)) if len(parts) > 1 else parts[0]
    places: list[float | None] = [None, *(number / 2 for number in range(-3, 12))]
    possible = any(holds(predicate, {"a": place}) for place in places)
    assert (domains_of(predicate) is not None) == possible
