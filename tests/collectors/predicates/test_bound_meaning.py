"""Bound predicates keep what unbound ones meant: of terms, of rounded decimals, and as trees."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prunescope.collectors.predicates.bind import bind, unknown_columns
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Always,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Or,
    Predicate,
    Reason,
    Unsupported,
    Written,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import negate
from prunescope.collectors.schema import Schema, SchemaColumn
from tests.collectors.predicates.test_bind import SCHEMA, bound


def test_not_null_of_a_required_column_holds_always() -> None:
    assert bound(Op.NOT_NULL, "needed") == TRUE
    assert bound(Op.EQ, "needed", 1) == BoundComparison(Op.EQ, Field(51, "needed", "int"), (1,))


@pytest.mark.parametrize(
    ("column", "term", "value", "expected"),
    [
        pytest.param("string", "bucket[16]", 3, "bucket[16](string) = 3", id="bucket"),
        pytest.param(
            "timestamp", "day", "2024-03-08", "day(timestamp) = DATE '2024-03-08'", id="day"
        ),
        pytest.param("timestamp", "hour", 5, "hour(timestamp) = 5", id="hour"),
        pytest.param("long", "truncate[10]", 20, "truncate[10](long) = 20", id="truncate"),
    ],
)
def test_terms_are_compared_with_values_of_their_result(
    column: str, term: str, value: LiteralValue, expected: str
) -> None:
    assert render(bound(Op.EQ, column, value, term=term)) == expected


@pytest.mark.parametrize("required", [True, False], ids=["required", "optional"])
def test_void_of_any_value_is_null(required: bool) -> None:
    schema = Schema(0, (SchemaColumn(1, ("x",), "int", required, required, False),))
    column = Column(("x",), "void")
    assert bind(Comparison(Op.IS_NULL, column), schema) == TRUE
    assert bind(Comparison(Op.NOT_NULL, column), schema) != TRUE


def test_what_is_matched_as_text_says_nothing_of_other_types() -> None:
    """`n NOT LIKE '05'` is true of 5, which is written as `5`."""
    for op in (Op.EQ, Op.NOT_EQ):
        for column in ("int", "decimal(5,2)", "date"):
            leaf = Comparison(op, Column((column,)), ("5",), of_text=True)
            assert isinstance(bind(leaf, SCHEMA), Unsupported)
        leaf = Comparison(op, Column(("string",)), ("5",), of_text=True)
        assert render(bind(leaf, SCHEMA)) == f"string {op.value} '5'"


@pytest.mark.parametrize("rounded", [float, lambda number: float(np.float32(number))])
@pytest.mark.parametrize("op", [Op.EQ, Op.NOT_EQ, Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ])
def test_decimals_that_are_rounded_to_an_approximate_number_are_kept(
    op: Op, rounded: Callable[[Decimal], float]
) -> None:
    """Trino and Spark compare a decimal with a DOUBLE as such, and Trino one with a REAL."""
    holds = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}[op.value]
    for text in ("0.01", "1.50", "123.45", "-999.99", "0.00"):
        number = rounded(Decimal(text))
        bound = bind(Comparison(op, Column(("decimal(5,2)",)), (number,)), SCHEMA)
        for near in (Decimal(text) + Decimal(step).scaleb(-2) for step in (-1, 0, 1)):
            if holds(rounded(near), number) and abs(near) < 1000:
                assert _keeps(bound, near), (text, near, render(bound))


def _keeps(bound: Predicate, value: Decimal) -> bool:
    match bound:
        case And(children):
            return all(_keeps(child, value) for child in children)
        case BoundComparison(Op.NOT_NULL):
            return True
        case BoundComparison(op, _, (limit,)):
            assert isinstance(limit, Decimal)
            holds = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}[op.value]
            return bool(holds(value, limit))
        case Always(always):
            return always
    raise AssertionError(bound)


def test_other_decimals_are_not_kept() -> None:
    for op, expected in ((Op.EQ, "="), (Op.LT_EQ, "<="), (Op.GT_EQ, ">=")):
        leaf = Comparison(op, Column(("decimal(5,2)",)), (0.01,))
        assert render(bind(leaf, SCHEMA)) == f"decimal(5,2) {expected} 0.01"
    leaf = Comparison(Op.EQ, Column(("decimal(5,2)",)), (0.011,))
    assert bind(leaf, SCHEMA) == FALSE
    leaf = Comparison(Op.LT_EQ, Column(("decimal(5,2)",)), (float(np.finfo("f").max),))
    assert render(bind(leaf, SCHEMA)) == "decimal(5,2) IS NOT NULL"


@pytest.mark.parametrize(
    ("column", "op", "value"),
    [
        pytest.param("date", Op.STARTS_WITH, "2026-01", id="first characters of a date"),
        pytest.param("long", Op.STARTS_WITH, "20", id="first characters of a number"),
        pytest.param("string", Op.EQ, 777, id="digits of a text"),
    ],
)
def test_what_was_made_of_a_function_of_another_type_is_told_as_written(
    column: str, op: Op, value: LiteralValue
) -> None:
    """`CAST(x AS varchar(7)) = '2026-01'` is a prefix of texts: of a date it is no comparison with
    a value of another type."""
    written = Written("f(x) = 'y'", "f(x) = ?")
    made = Comparison(op, Column((column,)), (value,), written)
    expected = Unsupported(Reason.FUNCTION, written.text, written.redacted, (column,))
    assert bind(made, SCHEMA, time_zone=None) == expected
    bare = bind(replace(made, written=None), SCHEMA, time_zone=None)
    assert isinstance(bare, Unsupported)
    assert bare.reason is Reason.TYPE_MISMATCH


def test_a_bucket_of_texts_is_a_number() -> None:
    bucket = Comparison(Op.EQ, Column(("string",), "bucket[4]"), (2,))
    assert isinstance(bind(bucket, SCHEMA, time_zone=None), BoundComparison)


def test_trees_are_bound_leaf_by_leaf() -> None:
    leaf = Comparison(Op.EQ, Column(("int",)), (1,))
    impossible = Comparison(Op.EQ, Column(("int",)), (2**40,))
    missing = Comparison(Op.EQ, Column(("gone",)), (1,))
    assert bind(And((leaf, impossible)), SCHEMA) == FALSE
    assert render(bind(Or((leaf, impossible)), SCHEMA)) == "int = 1"
    assert bind(TRUE, SCHEMA) == TRUE
    found = bind(And((leaf, Or((missing, leaf)), missing)), SCHEMA)
    assert unknown_columns(found) == ("gone",)


def holds(predicate: Predicate, value: int) -> bool:
    match predicate:
        case Always(constant):
            return constant
        case And(children):
            return all(holds(child, value) for child in children)
        case Or(children):
            return any(holds(child, value) for child in children)
        case BoundComparison(op, _, values):
            if op in (Op.IS_NULL, Op.NOT_NULL):
                return op is Op.NOT_NULL
            numbers = [int(v) for v in values]
            return {
                Op.LT: lambda: value < numbers[0],
                Op.LT_EQ: lambda: value <= numbers[0],
                Op.GT: lambda: value > numbers[0],
                Op.GT_EQ: lambda: value >= numbers[0],
                Op.EQ: lambda: value == numbers[0],
                Op.NOT_EQ: lambda: value != numbers[0],
                Op.IN: lambda: value in numbers,
                Op.NOT_IN: lambda: value not in numbers,
            }[op]()
        case _:
            raise AssertionError(predicate)


INTS = st.integers(-5, 5) | st.integers(-(2**31), 2**31 - 1)
NUMBERS = (
    st.integers(-5, 5)
    | st.integers(-(2**40), 2**40)
    | st.floats(-6, 6)
    | st.decimals(-6, 6, places=2)
)
COMPARISONS = st.sampled_from([Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.NOT_EQ])
LEAVES = st.builds(lambda op, number: (op, (number,)), COMPARISONS, NUMBERS) | st.tuples(
    st.sampled_from([Op.IN, Op.NOT_IN]), st.lists(NUMBERS, max_size=4).map(tuple)
)


@given(leaf=LEAVES, value=INTS)
@example((Op.IN, (2**24, 0.0)), 0)
@example((Op.IN, (2**24, 0.0)), 2**24 + 1)
@example((Op.NOT_EQ, (float(2**24),)), 2**24 + 1)
def test_negation_and_binding_commute(
    leaf: tuple[Op, tuple[LiteralValue, ...]], value: int
) -> None:
    """But of numbers that floats may round, which are taken to be equal to one, and not to be."""
    unbound = Comparison(leaf[0], Column(("int",)), leaf[1])
    straight, negated = bind(unbound, SCHEMA), bind(negate(unbound), SCHEMA)
    assert holds(straight, value) or holds(negated, value)
    if abs(value) < 2**24:
        assert holds(straight, value) != holds(negated, value)
        assert holds(negate(straight), value) == holds(negated, value)


@given(op=COMPARISONS, number=NUMBERS, value=INTS)
def test_binding_keeps_the_meaning(op: Op, number: float | Decimal, value: int) -> None:
    meaning = {
        Op.LT: value < number,
        Op.LT_EQ: value <= number,
        Op.GT: value > number,
        Op.GT_EQ: value >= number,
        Op.EQ: value == number,
        Op.NOT_EQ: value != number,
    }
    assert holds(bound(op, "int", number), value) == meaning[op]
