import pytest

from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    Column,
    Comparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import NEGATED, Op

A, B, C = (Comparison(Op.EQ, Column((name,)), (1,)) for name in "abc")
UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x) = 1", "f(x) = ?", ("x",))


@pytest.mark.parametrize(
    ("parts", "conjunction", "disjunction"),
    [
        pytest.param((), TRUE, FALSE, id="nothing"),
        pytest.param((A,), A, A, id="one"),
        pytest.param((A, B), And((A, B)), Or((A, B)), id="two"),
        pytest.param((A, B, A), And((A, B)), Or((A, B)), id="duplicates"),
        pytest.param((A, TRUE), A, TRUE, id="true"),
        pytest.param((A, FALSE), FALSE, A, id="false"),
        pytest.param((And((A, B)), C), And((A, B, C)), Or((And((A, B)), C)), id="and-inside"),
        pytest.param((Or((A, B)), C), And((Or((A, B)), C)), Or((A, B, C)), id="or-inside"),
        pytest.param((UNSUPPORTED, FALSE), FALSE, UNSUPPORTED, id="unsupported"),
    ],
)
def test_trees_are_built_flat(
    parts: tuple[Predicate, ...], conjunction: Predicate, disjunction: Predicate
) -> None:
    assert all_of(*parts) == conjunction
    assert any_of(*parts) == disjunction


@pytest.mark.parametrize("op", list(Op), ids=str)
def test_negating_an_operator_twice_gives_it_back(op: Op) -> None:
    assert NEGATED[op] is not op
    assert NEGATED[NEGATED[op]] is op


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (TRUE, ()),
        (FALSE, (FALSE,)),
        (A, (A,)),
        (And((A, Or((B, C)))), (A, Or((B, C)))),
        (Or((A, B)), (Or((A, B)),)),
    ],
    ids=str,
)
def test_conjuncts(predicate: Predicate, expected: tuple[Predicate, ...]) -> None:
    assert conjuncts(predicate) == expected
