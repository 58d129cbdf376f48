"""Numbers and structures of Thrift's compact protocol, many at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.parquet.thrift_lanes import I32, I64, Field, Fields, read_structures
from prunescope.collectors.parquet.thrift_numbers import Bytes, list_head, varint


def written(number: int) -> bytes:
    """A number without a sign."""
    found = b""
    while number > 0x7F:
        found, number = found + bytes([number & 0x7F | 0x80]), number >> 7
    return found + bytes([number])


@given(numbers=st.lists(st.integers(0, 2**64 - 1)))
def test_numbers_are_read_at_any_place(numbers: list[int]) -> None:
    parts = [written(number) for number in numbers]
    content = Bytes(*parts)
    sizes = [len(part) for part in parts]
    at = np.cumsum([0, *sizes])[:-1]
    assert content.lengths(at).tolist() == [size if size <= 8 else 0 for size in sizes]
    short = [number for number, size in zip(numbers, sizes, strict=True) if size <= 8]
    at = at[np.array(sizes, np.int64) <= 8]
    assert content.unsigned(at)[0].tolist() == short
    assert content.numbers(at).tolist() == [(n >> 1) ^ -(n & 1) for n in short]
    joined = b"".join(parts)
    end = 0
    for number in numbers:
        found, end = varint(joined, end)
        assert found == number


def test_there_is_nothing_from_the_end_on() -> None:
    content = Bytes(b"\x01", b"\x02")
    at = np.array([0, 1, 2, 100])
    assert content.unsigned(at)[0].tolist() == [1, 2, 0, 0]
    assert content.have(at, b"\x02").tolist() == [False, True, False, False]
    assert content.have(at, b"\x01\x02").tolist() == [True, False, False, False]


def test_a_number_without_end_is_none() -> None:
    for data in (b"\x80" * 1_000_000, b"\x80" * 5):
        with pytest.raises(IndexError):
            varint(data, 0)
        with pytest.raises(IndexError):
            list_head(b"\xfc" + data, 0)


def test_structures_of_several_shapes_are_told_apart() -> None:
    """A first field that is noted; a second that is the same in those of one shape; and others."""
    usual, other = b"\x16\x04\x15\x02\x00", b"\x16\x80\x01\x15\x06\x00"
    without, wrong = b"\x25\x02\x00", b"\x15\x04\x15\x02\x00"
    parts = [usual, other, usual, wrong, without, other]
    fields: Fields = {(1,): Field(I64, name="n"), (2,): Field(I32, is_fixed=True)}
    ends = np.cumsum([len(part) for part in parts])
    starts = ends - [len(part) for part in parts]
    found = read_structures(Bytes(*parts), starts, fields, before=0)
    assert found.shape.tolist() == [0, 1, 0, -1, 2, 1]
    assert found.firsts == [0, 1, 4]
    was_read = found.shape >= 0
    assert found.ends[was_read].tolist() == ends[was_read].tolist()
    places = found.places["n"]
    assert (places[was_read] - starts[was_read]).tolist() == [1, 1, 1, -1 - starts[4], 1]
    assert Bytes(*parts).numbers(places[[0, 1]]).tolist() == [2, 64]
