"""Arrays of many files as bytes and back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.collectors.tables.kept_arrays import pack, unpack

LONGS = st.integers(-(2**63), 2**63 - 1)
KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "long": (pa.int64(), LONGS),
    "int": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "double": (pa.float64(), st.floats(allow_nan=False)),
    "boolean": (pa.bool_(), st.booleans()),
    "decimal": (pa.decimal128(38, 2), st.decimals(-(10**9), 10**9, places=2)),
    "text": (pa.string(), st.text(max_size=5)),
    "binary": (pa.binary(), st.binary(max_size=20)),
    "eight": (pa.binary(), st.binary(min_size=8, max_size=8)),
    "sixteen": (pa.binary(), st.binary(min_size=16, max_size=16)),
}


@st.composite
def files(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Files with an array of each kind, some of which are parts of longer ones."""
    found = []
    for count in draw(st.lists(st.integers(0, 9), min_size=1, max_size=5)):
        arrays: dict[str, Any] = {
            "numbers": np.array(draw(st.lists(LONGS, min_size=count, max_size=count)), np.int64)
        }
        for name, (kind, values) in KINDS.items():
            some = values if draw(st.booleans()) else st.none() | values
            own = draw(st.lists(some, min_size=count + 2, max_size=count + 2))
            arrays[name] = pa.array(own, kind).slice(1, count)
            # Of some files the next array says the same, of others nearly.
            again = [*own[:2], *draw(st.sampled_from([own[2:], own[:1:-1]]))]
            arrays[f"{name}-again"] = pa.array(again, kind).slice(1, count)
        found.append(arrays)
    return found


def plain(array: Any) -> list[Any]:
    values: list[Any] = array.tolist() if isinstance(array, np.ndarray) else array.to_pylist()
    return values


@settings(deadline=None)
@given(files())
def test_files_of_one_layout_are_one_array(made: list[dict[str, Any]]) -> None:
    by_layout: dict[str, list[tuple[dict[str, Any], bytes]]] = {}
    for arrays in made:
        layout, (content,) = pack(arrays, np.array([len(arrays["numbers"])]))
        by_layout.setdefault(layout, []).append((arrays, content))
    for layout, some in by_layout.items():
        contents = [content for _, content in some]
        counts = np.array([len(arrays["numbers"]) for arrays, _ in some])
        found = unpack(layout, contents, counts, None)
        for name in some[0][0]:
            expected = [value for arrays, _ in some for value in plain(arrays[name])]
            assert plain(found[name]) == expected
            if name in KINDS:
                is_alike = pa.types.is_fixed_size_binary(found[name].type)
                assert is_alike or found[name].type == KINDS[name][0]
        for name in ("text", "eight-again"):
            one = unpack(layout, contents, counts, [name])
            assert list(one) == [name]
            assert one[name].equals(found[name])


@settings(deadline=None)
@given(files(), st.data())
def test_arrays_are_cut_into_files(made: list[dict[str, Any]], data: st.DataObject) -> None:
    (arrays, *_) = made
    count = len(arrays["numbers"])
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=4)))
    counts = np.diff([0, *cuts, count])
    layout, contents = pack(arrays, counts)
    whole = unpack(layout, contents, counts, None)
    assert {name: plain(values) for name, values in whole.items()} == {
        name: plain(values) for name, values in arrays.items()
    }
    for start, own, content in zip(np.cumsum(counts) - counts, counts, contents, strict=True):
        one = unpack(layout, [content], np.array([own]), None)
        for name, values in arrays.items():
            assert plain(one[name]) == plain(values)[start : start + own]


def test_values_of_a_fixed_width_have_one_layout_with_nulls_and_without() -> None:
    some = {"a": pa.array([b"12345678"] * 3), "b": pa.array([1, 2, 3])}
    others = {"a": pa.array([None, b"12345678"]), "b": pa.array([None, 2])}
    assert pack(some, np.array([3]))[0] == pack(others, np.array([1, 1]))[0]


def test_what_is_told_again_takes_no_room() -> None:
    numbers = np.arange(100)
    arrays = {"a": numbers, "b": numbers.copy(), "c": numbers + 1, "d": numbers + 1}
    layout, (same, _) = pack(arrays, np.array([50, 50]))
    assert len(same) == 4 + 2 * 8 * 50
    numbers[:50] = 0  # In one of the files only
    layout, contents = pack(arrays, np.array([50, 50]))
    assert list(map(len, contents)) == [4 + 3 * 8 * 50, 4 + 2 * 8 * 50]
    found = unpack(layout, contents, np.array([50, 50]), ["b", "d"])
    assert {name: values.tolist() for name, values in found.items()} == {
        name: arrays[name].tolist() for name in ("b", "d")
    }


def test_what_equals_nothing_is_none() -> None:
    layout, (content,) = pack({"a": np.arange(2), "b": pa.array(["x", "y"])}, np.array([2]))
    for place in (0, 1):
        damaged = content[:place] + b"\2" + content[place + 1 :]
        with pytest.raises(ValueError, match="equals none"):
            unpack(layout, [damaged], np.array([2]), None)


@pytest.mark.parametrize("cut", [1, 5, 20, -1])
def test_what_is_cut_or_goes_on_is_none(cut: int) -> None:
    arrays = {"a": pa.array([1, 2]), "b": pa.array(["x", "yz"])}
    layout, (content,) = pack(arrays, np.array([2]))
    damaged = content[:-cut] if cut > 0 else content + b"x"
    with pytest.raises(ValueError, match=r"end|cannot be"):
        unpack(layout, [content, damaged], np.array([2, 2]), None)


def test_arrays_of_other_types_are_refused() -> None:
    with pytest.raises(ValueError, match="float"):
        pack({"a": pa.array([1.0], pa.float32())}, np.array([1]))
    decimals = {"a": pa.array([Decimal("1.00")], pa.decimal128(38, 2))}
    assert pack(decimals, np.array([1]))[0] == "a D38,2"
