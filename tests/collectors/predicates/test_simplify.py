"""Predicates in fewer words let the same rows through."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.domains import Domain, Range
from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from tests.collectors.predicates.test_domains import holds as holds_of

TYPES = {
    "y": "int",
    "m": "int",
    "d": "int",
    "n": "long",
    "s": "string",
    "dt": "date",
    "x": "double",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), 1)
    ),
)
FIELDS = {c.name: Field(c.field_id, c.name, c.type) for c in SCHEMA.columns}


def between(low: int, high: int) -> Domain:
    return Domain((Range(low, high, True, True),), nulls=False)


USUAL = {
    FIELDS["y"]: between(1000, 9999),
    FIELDS["m"]: between(0, 99),
    FIELDS["d"]: between(0, 99),
    FIELDS["n"]: between(10_000_000, 99_999_999),
}


def bound(sql: str) -> Predicate:
    """The ranges that a condition of Spark means, without what stays beside them."""
    found = bind(condition(sql, "spark", time_zone="UTC", types=TYPES), SCHEMA)
    parts = found.children if isinstance(found, And) else (found,)
    return all_of(*(part for part in parts if isinstance(part, And | Or | BoundComparison)))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("y > 2025 AND y < 2027", "y = 2026"),
        ("y >= 5 AND y > 7 AND y < 9 AND m = 2", "y = 8 AND m = 2"),
        ("(y > 2026 OR y = 2026 AND m >= 2) AND y < 2027", "y = 2026 AND m >= 2"),
        ("y = 1 AND m = 2 OR y = 1 AND m = 3", "y = 1 AND m IN (2, 3)"),
        ("n = 1 OR n = 2 OR n > 2", "n = 1 OR n >= 2"),
        ("dt >= DATE '2026-01-05' AND dt < DATE '2026-01-06'", "dt = DATE '2026-01-05'"),
        # What would not be shorter, and what no engine agrees on, stays.
        ("y < 1500", "y < 1500"),
        ("y > 2026 OR y = 2026 AND m >= 3", "y > 2026 OR (y = 2026 AND m >= 3)"),
        ("s LIKE 'ab%' AND s > 'aba'", "s LIKE 'ab%' AND s > 'aba'"),
        ("x > 1.0 AND x > 2.0", "x > 1.0 AND x > 2.0"),
        ("y = 1 AND y = 2", "y = 1 AND y = 2"),
        # Null is one of a column's values.
        ("y IS NULL OR y > 3 OR y > 5", "y IS NULL OR y > 3"),
        ("(n >= -4 OR n IS NULL) AND (n >= 5 OR n IS NULL)", "n IS NULL OR n >= 5"),
        ("(n >= -4 OR n IS NULL) AND n >= -5", "n >= -4"),
        ("y IS NULL AND m > 3 AND m > 5", "y IS NULL AND m > 5"),
    ],
)
def test_what_is_left_of_conditions(sql: str, expected: str) -> None:
    assert render(simplified(bound(sql))) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("y * 10000 + m * 100 + d BETWEEN 20260201 AND 20260207",
         "y = 2026 AND m = 2 AND d >= 1 AND d <= 7"),
        ("y * 100 + m = 202603", "y = 2026 AND m = 3"),
        ("CAST(n AS STRING) LIKE '202602%'", "n >= 20260200 AND n <= 20260299"),
        ("substr(n, 0, 6) = '202602'", "n >= 20260200 AND n <= 20260299"),
        ("m < 0 OR m > 99 OR y > 2026", "y > 2026"),
        ("(n > 5 OR n IS NULL) AND (n > 3 OR n IS NULL)", "n IS NULL OR n > 5"),
        # What all numbers are says that there is one.
        ("n > 0", "n > 0"),
        ("n > 0 AND n > -5 AND y > 2025", "n > 0 AND y > 2025"),
    ],
)  # fmt: skip
def test_numbers_of_usual_length_need_fewer_words(sql: str, expected: str) -> None:
    assert render(simplified(bound(sql), USUAL)) == expected


NUMBERS = range(-1, 6)
LEAVES = st.one_of(
    st.builds(
        BoundComparison,
        st.sampled_from([Op.EQ, Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ]),
        st.sampled_from([FIELDS["y"], FIELDS["m"]]),
        st.tuples(st.integers(0, 4)),
    ),
    st.builds(
        BoundComparison,
        st.just(Op.IN),
        st.sampled_from([FIELDS["y"], FIELDS["m"]]),
        st.sets(st.integers(0, 4), min_size=2).map(lambda found: tuple(sorted(found))),
    ),
    st.builds(
        BoundComparison,
        st.sampled_from([Op.IS_NULL, Op.NOT_NULL]),
        st.sampled_from([FIELDS["y"], FIELDS["m"]]),
    ),
)
TREES = st.recursive(
    LEAVES,
    lambda parts: st.builds(
        lambda join, found: join(*found),
        st.sampled_from([all_of, any_of]),
        st.lists(parts, min_size=2, max_size=4),
    ),
    max_leaves=12,
)


def holds(predicate: Predicate, row: dict[Field, int | None]) -> bool:
    """Whether a row is let through."""
    match predicate:
        case Always(constant):
            return constant
        case And(children):
            return all(holds(child, row) for child in children)
        case Or(children):
            return any(holds(child, row) for child in children)
        case BoundComparison(field=field):
            return holds_of(predicate, row[field])
    raise AssertionError(predicate)


@given(TREES, st.booleans())
def test_the_same_rows_are_let_through(predicate: Predicate, is_within: bool) -> None:
    within = {FIELDS["y"]: between(1, 3)} if is_within else {}
    found = simplified(predicate, within)
    for y, m in product((None, *NUMBERS), repeat=2):
        row = {FIELDS["y"]: y, FIELDS["m"]: m}
        if not is_within or (y is not None and 1 <= y <= 3):
            assert holds(found, row) == holds(predicate, row), (row, render(found))
