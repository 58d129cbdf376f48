"""The structure of JSON texts: values are counted and arrays taken apart without being built."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.queries import json_structure
from prunescope.collectors.queries.json_structure import (
    array_elements,
    has_too_many_values,
    object_members,
)

_text = st.text(st.sampled_from('ab"\\,:[]{}é😀\n'), max_size=8)
_json = st.recursive(
    st.none() | st.integers() | _text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(params=[1, 2, 3, 7, 1 << 20], ids=lambda size: f"pieces of {size}")
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_structure, "PIECE", request.param)


def count(value: object) -> int:
    """Commas, colons and opening brackets of a value as JSON prints it."""
    match value:
        case list():
            return 1 + max(len(value) - 1, 0) + sum(map(count, value))
        case dict():
            return 1 + max(2 * len(value) - 1, 0) + sum(map(count, value.values()))
    return 0


@pytest.mark.usefixtures("piece")
class TestPieces:
    """Whatever the size of the pieces that a text is looked at in."""

    @given(st.lists(_json, max_size=5), st.booleans())
    @pytest.mark.slow
    def test_elements_are_those_that_json_reads(self, array: list[object], spaced: bool) -> None:
        printed = json.dumps(array, indent=1 if spaced else None, ensure_ascii=False).encode()
        assert [json.loads(element) for element in array_elements(printed)] == array

    @given(st.dictionaries(_text, _json, max_size=5), st.booleans())
    @pytest.mark.slow
    def test_members_are_those_that_json_reads(self, document: object, spaced: bool) -> None:
        printed = json.dumps(document, indent=1 if spaced else None, ensure_ascii=False).encode()
        read = {name: json.loads(value) for name, value in object_members(printed)}
        assert read == document

    @given(st.dictionaries(_text, _json, max_size=3), st.data())
    @pytest.mark.slow
    def test_an_object_that_is_cut_off_or_goes_on_is_none(
        self, document: object, data: st.DataObject
    ) -> None:
        printed = json.dumps(document, ensure_ascii=False).encode()
        cut = printed[: data.draw(st.integers(0, len(printed) - 1))]
        for broken in (cut, printed + b"}", printed + b"{", printed + b",", b"[" + printed):
            with pytest.raises(ValueError, match=r"object|member"):
                list(object_members(broken))

    @given(_json, st.integers(0, 30))
    def test_values_are_counted_outside_of_strings(self, value: object, most: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_structure, "MAX_VALUES", most)
            printed = json.dumps(value, ensure_ascii=False).encode()
            assert has_too_many_values(printed) == (count(value) > most)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"[]," * 4_000_000, id="empty arrays"),
        pytest.param(b'"a":' * 3_000_000, id="keys"),
        pytest.param(b'{"a":{}},' * 1_400_000, id="objects"),
        pytest.param(b'"\\"",' * 2_400_000, id="strings of a quote"),
    ],
)
def test_counting_takes_no_memory_that_grows_with_the_text(text: bytes) -> None:
    tracemalloc.start()
    assert has_too_many_values(b"[" + text + b"0]")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(text) * 3


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"[]",
        b'{"a": 1,}',
        b"{,}",
        b"{a: 1}",
        b'{"a"}',
        b"{1: 2}",
        b'{"a": 1]',
        b'x{"a":1}',
    ],
)
def test_what_is_no_object_has_no_members(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"object|member"):
        list(object_members(text))


def test_punctuation_of_a_long_string_is_none() -> None:
    plan = json.dumps('{"a": [1, 2]}' * 500_000)
    assert not has_too_many_values(f'{{"plan": {plan}}}'.encode())
