"""Walks over predicates: what SQL says of a tree is what walks make of its parts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given

from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    Written,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import redact
from prunescope.collectors.predicates.walks import (
    fold,
    in_own_words,
    leaves,
    map_leaves,
    negate,
    written_as,
)
from tests.collectors.predicates.test_domains import VALUES, holds, predicates

A, B, C = (Comparison(Op.EQ, Column((name,)), (1,)) for name in "abc")
NOT_A, NOT_B = (replace(leaf, op=Op.NOT_EQ) for leaf in (A, B))
UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x) = 1", "f(x) = ?", ("x",))
BOUND = BoundComparison(Op.EQ, Field(1, "x", "int"), (1,))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        pytest.param(A, [A], id="leaf"),
        pytest.param(TRUE, [TRUE], id="constant"),
        pytest.param(And((A, Or((B, UNSUPPORTED)), BOUND)), [A, B, UNSUPPORTED, BOUND], id="tree"),
        pytest.param(Or((A, And((B, A)))), [A, B, A], id="repetition"),
    ],
)
def test_leaves_come_from_left_to_right(
    predicate: Predicate, expected: list[PredicateLeaf]
) -> None:
    assert list(leaves(predicate)) == expected
    assert fold(predicate, lambda leaf: [leaf], _joined, _joined) == expected


def _joined(parts: list[list[PredicateLeaf]]) -> list[PredicateLeaf]:
    return [leaf for part in parts for leaf in part]


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        pytest.param(A, "a", id="leaf"),
        pytest.param(And((A, Or((B, C)))), "(a & (b | c))", id="or-inside"),
        pytest.param(Or((And((A, B)), C)), "((a & b) | c)", id="and-inside"),
    ],
)
def test_parts_are_combined_by_what_joins_them(predicate: Predicate, expected: str) -> None:
    def name(leaf: PredicateLeaf) -> str:
        assert isinstance(leaf, Comparison)
        return str(leaf.column)

    def joined(parts: list[str], sign: str) -> str:
        return f"({f' {sign} '.join(parts)})"

    found = fold(
        predicate, name, lambda parts: joined(parts, "&"), lambda parts: joined(parts, "|")
    )
    assert found == expected


@pytest.mark.parametrize(
    ("predicate", "of_a", "expected"),
    [
        pytest.param(A, B, B, id="leaf"),
        pytest.param(And((A, C)), B, And((B, C)), id="another"),
        pytest.param(And((A, C)), C, C, id="repetition-goes"),
        pytest.param(And((A, C)), TRUE, C, id="true-goes"),
        pytest.param(Or((And((A, B)), C)), FALSE, C, id="false-goes"),
        pytest.param(And((A, C)), FALSE, FALSE, id="false-absorbs"),
        pytest.param(And((A, C)), And((B, UNSUPPORTED)), And((B, UNSUPPORTED, C)), id="flat"),
        pytest.param(Or((A, C)), And((A, B)), Or((And((A, B)), C)), id="and-of-a-leaf"),
    ],
)
def test_other_leaves_are_combined_anew(
    predicate: Predicate, of_a: Predicate, expected: Predicate
) -> None:
    assert map_leaves(predicate, lambda leaf: of_a if leaf == A else leaf) == expected


def test_what_does_not_change_is_the_same_object() -> None:
    inner = Or((B, C))
    predicate = And((A, inner))
    assert map_leaves(predicate, lambda leaf: leaf) is predicate
    changed = map_leaves(predicate, lambda leaf: UNSUPPORTED if leaf is A else leaf)
    assert isinstance(changed, And)
    assert changed.children[1] is inner


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        pytest.param(TRUE, FALSE, id="constant"),
        pytest.param(And((A, B)), Or((NOT_A, NOT_B)), id="and"),
        pytest.param(Or((A, B)), And((NOT_A, NOT_B)), id="or"),
        pytest.param(A, Comparison(Op.NOT_EQ, Column(("a",)), (1,)), id="leaf"),
        pytest.param(
            UNSUPPORTED,
            Unsupported(Reason.FUNCTION, "NOT (f(x) = 1)", "NOT (f(x) = ?)", ("x",)),
            id="unsupported-stays-so",
        ),
    ],
)
def test_negation(predicate: Predicate, expected: Predicate) -> None:
    assert negate(predicate) == expected


def test_what_is_written_already_stays_so() -> None:
    first, second = Written("f(a) = 1", "f(a) = ?"), Written("g(a) = 1", "g(a) = ?")
    found = written_as(second, And((replace(A, written=first), Or((BOUND, UNSUPPORTED)))))
    told = [leaf for leaf in leaves(found) if isinstance(leaf, Comparison | BoundComparison)]
    assert [leaf.written for leaf in told] == [first, second]


@given(predicates)
def test_a_fold_holds_where_sql_says_so(predicate: Predicate) -> None:
    for value in (*VALUES, None):
        assert fold(predicate, partial(holds, value=value), all, any) == holds(predicate, value)


@given(predicates)
def test_a_negation_holds_where_its_predicate_does_not(predicate: Predicate) -> None:
    for value in VALUES:
        assert holds(negate(predicate), value) != holds(predicate, value)


@given(predicates)
def test_moved_leaves_hold_for_moved_values(predicate: Predicate) -> None:
    def moved(leaf: PredicateLeaf) -> Predicate:
        assert isinstance(leaf, BoundComparison)
        return replace(leaf, values=tuple(int(value) + 1 for value in leaf.values))

    found = map_leaves(predicate, moved)
    assert set(leaves(found)) == set(map(moved, leaves(predicate)))
    for value in VALUES:
        assert holds(found, value + 1) == holds(predicate, value)
    assert holds(found, None) == holds(predicate, None)


MONTH, YEAR = Written("month(t) = 4", "month(t) = ?"), Written("year(t) = 2024", "year(t) = ?")
REST = Unsupported(Reason.FUNCTION, "month(t) = 4", "month(t) = ?", ("t",))
RANGE = And((A, NOT_B))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        pytest.param(RANGE, "a = ? AND b != ?", id="comparisons"),
        pytest.param(written_as(MONTH, A), "month(t) = ?", id="a leaf"),
        pytest.param(written_as(MONTH, BOUND), "month(t) = ?", id="a bound leaf"),
        pytest.param(written_as(MONTH, RANGE), "month(t) = ?", id="a range"),
        pytest.param(written_as(MONTH, Or((RANGE, C))), "month(t) = ?", id="several ranges"),
        pytest.param(And((written_as(MONTH, A), REST)), "month(t) = ?", id="what is left of it"),
        pytest.param(
            And((*conjuncts(written_as(MONTH, RANGE)), C, *conjuncts(written_as(YEAR, RANGE)))),
            "month(t) = ? AND c = ? AND year(t) = ?",
            id="beside others",
        ),
        pytest.param(
            And((C, Or((written_as(MONTH, RANGE), written_as(YEAR, A))))),
            "c = ? AND (month(t) = ? OR year(t) = ?)",
            id="within an OR",
        ),
        pytest.param(
            Or((written_as(MONTH, A), written_as(replace(MONTH, text="month(t) = 5"), B))),
            "month(t) = ? OR month(t) = ?",
            id="two that differ in literals",
        ),
    ],
)
def test_a_query_is_shown_in_its_own_words(predicate: Predicate, expected: str) -> None:
    assert redact(in_own_words(predicate)) == expected
