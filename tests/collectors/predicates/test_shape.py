import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.expression_json import parse_expression
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.predicates.walks import negate
from prunescope.collectors.schema import Schema, SchemaColumn

SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, path, kind, required=False, declared_required=False, has_default=False)
        for number, (path, kind) in enumerate(
            {
                ("id",): "long",
                ("Name",): "string",
                ("f",): "float",
                ("ts",): "timestamptz",
                ("st", "a"): "int",
                ("tags",): "list",
            }.items(),
            start=1,
        )
    ),
)


def leaf(op: Op, name: str, *values: LiteralValue) -> Predicate:
    return Comparison(op, Column(tuple(name.split("."))), values)


def json_leaf(kind: str, term: object, *values: object) -> dict[str, object]:
    if kind in ("in", "not-in"):
        return {"type": kind, "term": term, "values": list(values)}
    return {"type": kind, "term": term} | ({"value": values[0]} if values else {})


@pytest.mark.parametrize(
    ("pushed", "reported"),
    [
        pytest.param(TRUE, True, id="true"),
        pytest.param(FALSE, False, id="false"),
        pytest.param(
            leaf(Op.EQ, "name", "x"), json_leaf("eq", "Name", "(hash-27fa7cc0)"), id="other-case"
        ),
        pytest.param(leaf(Op.IN, "id", 5), json_leaf("eq", "id", "(1-digit-int)"), id="one-value"),
        pytest.param(
            leaf(Op.IN, "id", 5, 7),
            json_leaf("in", "id", "(1-digit-int)", "(1-digit-int)"),
            id="values-that-look-alike",
        ),
        pytest.param(
            leaf(Op.NOT_IN, "f", 1.5, 2.5),
            json_leaf("not-in", "f", "(1-digit-float)", "(1-digit-float)"),
            id="not-in-of-floats",
        ),
        pytest.param(
            negate(leaf(Op.EQ, "id", 5)),
            {"type": "not", "child": json_leaf("eq", "id", "(1-digit-int)")},
            id="not",
        ),
        pytest.param(leaf(Op.NOT_NULL, "tags"), json_leaf("not-null", "tags"), id="list"),
        pytest.param(leaf(Op.NOT_NULL, "st.a"), json_leaf("not-null", "st.a"), id="nested-field"),
        pytest.param(
            Comparison(Op.GT, Column(("ts",), "hour"), (5,)),
            json_leaf(
                "gt", {"type": "transform", "transform": "hour", "term": "ts"}, "(1-digit-int)"
            ),
            id="transform",
        ),
        pytest.param(
            leaf(Op.STARTS_WITH, "Name", "x"),
            json_leaf("starts-with", "Name", "(hash-27fa7cc0)"),
            id="prefix",
        ),
        pytest.param(
            any_of(leaf(Op.EQ, "id", 5), leaf(Op.EQ, "id", 7)),
            {
                "type": "or",
                "left": json_leaf("eq", "id", "(1-digit-int)"),
                "right": json_leaf("eq", "id", "(1-digit-int)"),
            },
            id="arms-that-look-alike",
        ),
        pytest.param(
            all_of(
                leaf(Op.NOT_NULL, "id"),
                any_of(
                    all_of(leaf(Op.EQ, "id", 1), leaf(Op.EQ, "Name", "x")),
                    all_of(leaf(Op.EQ, "id", 2), leaf(Op.EQ, "Name", "y")),
                ),
            ),
            {
                "type": "and",
                "left": json_leaf("not-null", "id"),
                "right": {
                    "type": "and",
                    "left": json_leaf("eq", "Name", "(hash-27fa7cc0)"),
                    "right": json_leaf("eq", "id", "(1-digit-int)"),
                },
            },
            id="arms-that-collapse-into-the-conjunction",
        ),
    ],
)
def test_a_predicate_has_the_shape_of_its_report(pushed: Predicate, reported: object) -> None:
    assert shape(bind(pushed, SCHEMA)) == shape(parse_expression(reported))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(leaf(Op.EQ, "id", 1), leaf(Op.EQ, "st.a", 1), id="column"),
        pytest.param(leaf(Op.LT, "id", 1), leaf(Op.LT_EQ, "id", 1), id="operator"),
        pytest.param(leaf(Op.EQ, "id", 1), leaf(Op.IN, "id", 1, 2), id="list"),
        pytest.param(
            leaf(Op.EQ, "ts", 1), Comparison(Op.EQ, Column(("ts",), "day"), (1,)), id="transform"
        ),
        pytest.param(
            all_of(leaf(Op.EQ, "id", 1), leaf(Op.IS_NULL, "Name")),
            any_of(leaf(Op.EQ, "id", 1), leaf(Op.IS_NULL, "Name")),
            id="connective",
        ),
        pytest.param(TRUE, FALSE, id="constant"),
    ],
)
def test_other_predicates_have_other_shapes(one: Predicate, other: Predicate) -> None:
    assert shape(one) != shape(other)


def test_order_and_repetition_do_not_matter() -> None:
    a, b, c = leaf(Op.EQ, "id", 1), leaf(Op.IS_NULL, "Name"), leaf(Op.EQ, "id", 2)
    assert shape(all_of(a, b)) == shape(all_of(b, c, a))


def test_shapes_hold_no_values() -> None:
    found = shape(all_of(leaf(Op.EQ, "Name", "secret"), leaf(Op.GT, "tags", "secret")))
    assert "secret" not in found
    assert "secret" not in shape(bind(leaf(Op.GT, "tags", "secret"), SCHEMA))
