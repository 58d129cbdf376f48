import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.errors import QueryError
from prunescope.collectors.predicates.expression_json import parse_expression
from prunescope.collectors.predicates.render import render

NOT_NULL = {"type": "not-null", "term": "x"}


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
    "document",
    [
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
            st.sampled_from(["type", "term", "value", "values", "left", "right", "child"]),
            inner | st.sampled_from(["and", "not", "eq", "in", "reference", "transform", "x"]),
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
