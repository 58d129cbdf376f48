import json
import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.budget import Budget
from prunescope.collectors.errors import QueryError
from prunescope.collectors.predicates.bind import bind, unknown_columns
from prunescope.collectors.predicates.expression_json import parse_expression
from prunescope.collectors.predicates.model import Comparison, Predicate, PredicateLeaf, any_of
from prunescope.collectors.predicates.operators import NEGATIONS, Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.schema import read_schema
from tests.collectors.predicates.row_evaluator import matches

NOT_NULL = {"type": "not-null", "term": "x"}
X = {"type": "reference", "name": "x"}
FIVE = {"type": "literal", "value": 5, "data-type": "int"}


def compared(kind: str, left: object, right: object) -> dict[str, object]:
    return {"type": kind, "left": left, "right": right}


def applied(function: object, *arguments: object) -> dict[str, object]:
    return {"type": "apply", "function": function, "arguments": [*arguments]}


def of_iceberg(name: str) -> dict[str, object]:
    return {"catalog": "iceberg_functions", "identifier": [name]}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param(True, "TRUE", id="true"),
        pytest.param(False, "FALSE", id="false"),
        pytest.param({"type": "literal", "value": True}, "TRUE", id="literal"),
        pytest.param({"type": "true"}, "TRUE", id="rest-specification"),
        pytest.param(NOT_NULL, "x IS NOT NULL", id="unary"),
        pytest.param({"type": "is-nan", "term": "x"}, "x IS NAN", id="nan"),
        pytest.param({"type": "lt-eq", "term": "x", "value": 5}, "x <= 5", id="comparison"),
        pytest.param(
            {"type": "in", "term": "x", "values": ["(date)", "(date)"]},
            "x IN ('(date)', '(date)')",
            id="equal-placeholders-stay-apart",
        ),
        pytest.param(
            {"type": "starts-with", "term": "x", "value": "a"}, "x LIKE 'a%'", id="prefix"
        ),
        pytest.param(
            {"type": "eq", "term": {"type": "reference", "term": "x"}, "value": 1},
            "x = 1",
            id="reference",
        ),
        pytest.param(
            {
                "type": "eq",
                "term": {"type": "transform", "transform": "bucket[16]", "term": "x"},
                "value": 3,
            },
            "bucket[16](x) = 3",
            id="transform",
        ),
        pytest.param({"type": "not", "child": NOT_NULL}, "x IS NULL", id="not"),
        pytest.param(
            {
                "type": "or",
                "left": NOT_NULL,
                "right": {"type": "and", "left": {"type": "is-null", "term": "y"}, "right": True},
            },
            "x IS NOT NULL OR y IS NULL",
            id="and-or",
        ),
    ],
)
def test_expressions_are_read(document: object, expected: str) -> None:
    assert render(parse_expression(document)) == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"type": "is-null", "child": X}, "x IS NULL"),
        ({"type": "not-nan", "child": X}, "x IS NOT NAN"),
        (compared("lt", X, FIVE), "x < 5"),
        (compared("lt", X, 5), "x < 5"),
        (compared("lt", FIVE, X), "x > 5"),
        (compared("eq", {"type": "literal", "value": "a"}, X), "x = 'a'"),
        (compared("starts-with", X, "a"), "x LIKE 'a%'"),
        (compared("starts-with", "a", X), "? STARTS WITH x"),
        ({"type": "in", "child": X, "values": [1, {"type": "literal", "value": 2}]}, "x IN (1, 2)"),
        (
            {
                "type": "not-in",
                "child": X,
                "values": {"type": "literals", "values": [1, 2], "data-type": "long"},
            },
            "x NOT IN (1, 2)",
        ),
        (compared("eq", applied(of_iceberg("bucket"), 16, X), 3), "bucket[16](x) = 3"),
        (compared("eq", applied(of_iceberg("truncate"), FIVE, X), "abcde"), None),
        (compared("gt-eq", applied(of_iceberg("day"), X), "2026-01-01"), "day(x) >= '2026-01-01'"),
        (compared("eq", applied(of_iceberg("identity"), X), 1), "x = 1"),
        # Without a catalog it is a function of the table's own.
        (compared("eq", applied("day", X), 1), "day(x) = ?"),
        (compared("eq", applied(["day"], X), 1), "day(x) = ?"),
        (compared("eq", applied({"identifier": ["util", "day"]}, X), 1), "util.day(x) = ?"),
        (compared("lt", applied(of_iceberg("day"), applied("f", X)), 1), "day(x) < ?"),
        (
            compared("eq", applied(of_iceberg("if_else"), compared("lt", X, 5), X, 1), 1),
            "if_else(x) = ?",
        ),
        (compared("lt", X, {"type": "reference", "name": "y"}), "x < y"),
        (compared("lt", 1, 2), "? > ?"),
        ({"type": "not", "child": compared("eq", X, 5)}, "x != 5"),
        ({"type": "not", "child": compared("lt", X, 5)}, "x >= 5 OR x IS NULL"),
        ({"type": "not", "child": {"type": "lt", "term": "x", "value": 5}}, "x >= 5"),
        (
            {
                "type": "not",
                "child": {
                    "type": "and",
                    "left": compared("gt", X, 5),
                    "right": {"type": "not", "child": compared("not-eq", X, 7)},
                },
            },
            "x <= 5 OR x IS NULL OR x != 7",
        ),
    ],
)
def test_expressions_of_the_specification_are_read(document: object, expected: str | None) -> None:
    found = render(parse_expression(document))
    assert found == (expected or "truncate[5](x) = 'abcde'")


def test_fields_are_known_by_their_ids() -> None:
    field = {"id": 1, "name": "now", "type": "int", "required": False}
    schema = read_schema({"fields": [field]}, Budget(1_000_000))
    named = parse_expression(compared("lt", {"type": "reference", "id": 1}, 5))
    assert render(bind(named, schema)) == "now < 5"
    gone = bind(parse_expression(compared("lt", {"type": "reference", "id": 18}, 5)), schema)
    assert unknown_columns(gone) == ("field 18",)


ROWS = [None, 1, 2, 3, 4]


def documents() -> st.SearchStrategy[object]:
    """Expressions of one column of whole numbers."""
    values = st.integers(1, 4)
    literals = values | values.map(lambda value: {"type": "literal", "value": value})
    kinds = st.sampled_from(["lt", "lt-eq", "gt", "gt-eq", "eq", "not-eq"])
    leaf = (
        st.builds(compared, kinds, st.just(X), literals)
        | st.builds(compared, kinds, literals, st.just(X))
        | st.builds(
            lambda kind, some: {"type": kind, "child": X, "values": some},
            st.sampled_from(["in", "not-in"]),
            st.lists(literals, min_size=1, max_size=3),
        )
        | st.sampled_from(["is-null", "not-null"]).map(lambda kind: {"type": kind, "child": X})
        | st.booleans()
    )
    return st.recursive(
        leaf,
        lambda inner: (
            inner.map(lambda child: {"type": "not", "child": child})
            | st.builds(compared, st.sampled_from(["and", "or"]), inner, inner)
        ),
        max_leaves=6,
    )


def holds(document: Any, value: int | None) -> bool:
    """The truth of an expression, as the specification has it: one of two."""
    match document:
        case bool():
            return document
        case {"type": "not", "child": child}:
            return not holds(child, value)
        case {"type": "and" | "or" as kind, "left": left, "right": right}:
            both = (holds(each, value) for each in (left, right))
            return all(both) if kind == "and" else any(both)
        case {"type": "is-null" | "not-null" as kind}:
            return bool((value is None) == (kind == "is-null"))
        case {"type": "in" | "not-in" as kind, "values": values}:
            return bool((value in [*map(of_literal, values)]) == (kind == "in"))
    left, right = (
        value if each is X or each == X else of_literal(each)
        for each in (document["left"], document["right"])
    )
    if document["type"] in ("eq", "not-eq"):
        return bool((left == right) == (document["type"] == "eq"))
    return left is not None and right is not None and bool(SIGN[document["type"]](left, right))


SIGN = {"lt": operator.lt, "lt-eq": operator.le, "gt": operator.gt, "gt-eq": operator.ge}


def of_literal(document: Any) -> int:
    found: int = document["value"] if isinstance(document, dict) else document
    return found


@given(documents())
def test_an_expression_is_true_of_the_rows_that_the_specification_says(document: object) -> None:
    found = map_leaves(parse_expression(document), with_nulls)
    for value in ROWS:
        assert matches(found, {"x": value}) == holds(document, value)


def with_nulls(leaf: PredicateLeaf) -> Predicate:
    """A leaf that says which nulls Iceberg's negations match."""
    if isinstance(leaf, Comparison) and leaf.op in NEGATIONS:
        return any_of(leaf, Comparison(Op.IS_NULL, leaf.column))
    return leaf


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({"type": "like", "child": X}, "`like`"),
        ({"type": "in", "child": {"type": "list"}, "values": [1]}, "`list`"),
        (compared("eq", X, {"type": "literals", "values": [1]}), "`literals`"),
    ],
)
def test_unknown_forms_are_refused_by_name(document: object, named: str) -> None:
    with pytest.raises(QueryError, match=named):
        parse_expression(document)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(compared("eq", X, None), id="null-beside-a-reference"),
        pytest.param(compared("eq", X, float("nan")), id="nan"),
        pytest.param(compared("eq", {"type": "reference"}, "secret"), id="no-name"),
        pytest.param(compared("eq", {"type": "reference", "id": True}, "secret"), id="odd-id"),
        pytest.param(compared("eq", applied([], X), "secret"), id="no-function"),
        pytest.param(compared("eq", applied({"catalog": "c"}, X), "secret"), id="no-identifier"),
        pytest.param({"type": "eq", "left": X}, id="half-a-comparison"),
        pytest.param({"type": "is-null"}, id="nothing-tested"),
        pytest.param({"type": "in", "child": X, "values": {"secret": []}}, id="no-literals"),
        pytest.param(None, id="null"),
        pytest.param(5, id="number"),
        pytest.param([], id="list"),
        pytest.param({}, id="empty"),
        pytest.param({"type": "like", "term": "x", "value": "secret"}, id="unknown-operator"),
        pytest.param({"type": "eq", "term": "x"}, id="no-value"),
        pytest.param({"type": "eq", "term": "x", "value": None}, id="null-value"),
        pytest.param({"type": "eq", "term": "x", "value": ["secret"]}, id="list-for-a-value"),
        pytest.param({"type": "in", "term": "x", "values": "secret"}, id="text-for-a-list"),
        pytest.param({"type": "in", "term": "x", "values": [{"secret": 1}]}, id="object-in-a-list"),
        pytest.param({"type": "eq", "value": "secret"}, id="no-term"),
        pytest.param({"type": "eq", "term": 5, "value": "secret"}, id="number-for-a-term"),
        pytest.param({"type": "eq", "term": "", "value": "secret"}, id="empty-name"),
        pytest.param({"type": "and", "left": NOT_NULL}, id="half-an-and"),
        pytest.param({"type": "not"}, id="not-of-nothing"),
        pytest.param({"type": ["eq"], "term": "x", "value": "secret"}, id="list-for-a-type"),
    ],
)
def test_other_documents_are_refused_without_their_content(document: object) -> None:
    with pytest.raises(QueryError) as raised:
        parse_expression(document)
    assert "secret" not in str(raised.value)


def test_deep_nesting_is_refused() -> None:
    document: object = NOT_NULL
    for _ in range(5_000):
        document = {"type": "not", "child": document}
    with pytest.raises(QueryError):
        parse_expression(document)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "term", "value", "values", "left", "right", "child", "name", "function"]
            ),
            inner | st.sampled_from(["and", "not", "eq", "in", "reference", "apply", "x"]),
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_document_is_read_or_refused(document: object) -> None:
    try:
        found = parse_expression(json.loads(json.dumps(document)))
    except QueryError:
        return
    assert render(found)
