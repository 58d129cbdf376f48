"""Documents of a file: lines, printed over several lines, elements of arrays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import Rejected
from prunescope.collectors.queries.json_documents import split_documents
from prunescope.collectors.queries.shipped_lines import Piece


def split(content: bytes, longest: int = 1000) -> list[Piece]:
    lines = [(f"f:{n}", line) for n, line in enumerate(content.splitlines(keepends=True), start=1)]
    return list(split_documents((pair for pair in lines if pair[1].strip()), "s", longest=longest))


def texts(content: bytes) -> list[bytes]:
    found = [text for _, text in split(content)]
    return [b"too long" if isinstance(text, Rejected) else text.strip() for text in found]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b'{"a": 1}\n\n{"b": 2}', [b'{"a": 1}', b'{"b": 2}'], id="lines"),
        pytest.param(b'{\n  "a": 1\n}\n{\n}', [b'{\n  "a": 1\n}', b"{\n}"], id="printed"),
        pytest.param(b"[1, {}, [2]]", [b"1", b"{}", b"[2]"], id="array on a line"),
        pytest.param(b"[\n  {},\n  {}\n]", [b"{}", b"{}"], id="printed array"),
        pytest.param(b"[ {\n  } , {\n} ]", [b"{\n  }", b"{\n}"], id="array as Jackson prints it"),
        pytest.param(b"[\n{},\n{}\n]\n{}", [b"{}", b"{}", b"{}"], id="array of lines"),
        pytest.param(
            b'[{"a": 1},\n{"a": 2},\n{"a": 3}]\n{}',
            [b'{"a": 1}', b'{"a": 2}', b'{"a": 3}', b"{}"],
            id="array of which each line has an element",
        ),
        pytest.param(
            b'[{"a": [1]}, \n {"a": {"b": 2}}, \n {}\n]',
            [b'{"a": [1]}', b'{"a": {"b": 2}}', b"{}"],
            id="array as PostgreSQL prints it",
        ),
        pytest.param(b"[]", [], id="empty array"),
        pytest.param(b"[1.50, 1e400]", [b"1.50", b"1e400"], id="numbers as text"),
        pytest.param(b"nonsense\n{}", [b"nonsense", b"{}"], id="no JSON"),
        pytest.param(b'{"a": \n{"b": 2}', [b'{"a":', b'{"b": 2}'], id="line that was cut off"),
        pytest.param(b'{\n  "a":\n{"b": 2}', [b'{\n  "a":', b'{"b": 2}'], id="interrupted"),
        pytest.param(b'{\n  "a":', [b'{\n  "a":'], id="printed and cut off"),
        pytest.param(b"[{}, {]", [b"{}", b"{]"], id="array with a broken element"),
        pytest.param(b"[{} {}]", [b"{} {}"], id="array without a comma"),
        pytest.param(b"[{}, x, {}]", [b"{}", b"x", b"{}"], id="array with an element between"),
        pytest.param(b"[{},, {}]", [b"{}", b"", b"{}"], id="array with nothing between"),
        pytest.param(b'[{}, "]', [b"{}", b'"]'], id="array that ends in a string"),
        pytest.param(b"[{}] {}", [b"{}", b"] {}"], id="more after an array"),
        pytest.param(b"[\xff]", [b"\xff"], id="array that is not UTF-8"),
        pytest.param(b"[" * 5000 + b"]" * 5000, [b"[" * 4999 + b"]" * 4999], id="deep array"),
    ],
)
def test_documents_of_a_file(content: bytes, expected: list[bytes]) -> None:
    assert texts(content) == expected


def test_locations_are_the_first_line_and_the_place_in_an_array() -> None:
    found = split(b'{}\n{\n  "a": 1\n}\n[1, 2]')
    assert [location for location, _ in found] == ["f:1", "f:2", "f:5[0]", "f:5[1]"]


def test_a_document_that_is_too_long_is_rejected_and_skipped_to_its_end() -> None:
    (_, rejected), (_, after) = split(b'{\n  "a": "' + b"x" * 50 + b'",\n  "b": 1\n}\n{}', 40)
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.location) == ("line_too_long", "f:1")
    assert after == b"{}"


def test_a_line_that_was_rejected_ends_what_is_before() -> None:
    rejected = Rejected("s", "f:2", "line_too_long", "too long")
    lines: list[Piece] = [("f:1", b"{\n"), ("f:2", rejected), ("f:3", b"{}\n")]
    assert list(split_documents(lines, "s", longest=1000)) == lines


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.lists(st.dictionaries(st.text(max_size=3), _json, max_size=3), max_size=4),
    st.sampled_from([None, 1, 4, "\t"]),
    st.booleans(),
)
def test_what_json_prints_is_read_back(
    documents: list[dict[str, object]], indent: int | str | None, as_array: bool
) -> None:
    printed = (
        json.dumps(documents, indent=indent)
        if as_array
        else "\n".join(json.dumps(document, indent=indent) for document in documents)
    )
    read = [text for _, text in split(printed.encode(), 10**6)]
    assert [json.loads(text) for text in read if isinstance(text, bytes)] == documents
