"""Whatever the bytes are: a value, or MalformedParquet."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.budget import TooMuch
from prunescope.collectors.parquet.bloom_filters import filter_length, read_filter
from prunescope.collectors.parquet.dictionaries import dictionary_values
from prunescope.collectors.parquet.footer_parts import head_of, parts_of
from prunescope.collectors.parquet.layouts import chunk_layouts
from prunescope.collectors.parquet.page_indexes import decode_pages
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from tests.collectors.parquet.files import Chunk, only_chunk, write

Read = Callable[[bytes], Any]


@pytest.fixture(scope="module")
def chunk(tmp_path_factory: pytest.TempPathFactory) -> Chunk:
    path = tmp_path_factory.mktemp("damage") / "f.parquet"
    write(
        path,
        pa.string(),
        ["a", "bc", None, "日本"] * 3,
        write_page_index=True,
        max_rows_per_page=4,
        bloom_filter_options={"x": {"ndv": 10, "fpp": 0.1}},
    )
    return only_chunk(path, "string")


@st.composite
def damages(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """Cuts off the end, flips bits, or puts other bytes in."""
    kind = draw(st.sampled_from(["cut", "flip", "insert"]))
    place = draw(st.floats(0, 1, exclude_max=True))
    other = draw(st.binary(min_size=1, max_size=12))

    def damage(data: bytes) -> bytes:
        at = int(place * len(data))
        if kind == "cut":
            return data[:at]
        if kind == "insert":
            return data[:at] + other + data[at:]
        changed = bytearray(data)
        for number, flipped in enumerate(other):
            if at + number < len(changed):
                changed[at + number] ^= flipped
        return bytes(changed)

    return damage


def survives(read: Read, data: bytes) -> None:
    try:
        read(data)
    except MalformedParquet:
        return


@given(damage=damages())
def test_dictionaries(chunk: Chunk, damage: Callable[[bytes], bytes]) -> None:
    data = damage(chunk.bytes_of(chunk.layout.dictionary))
    survives(lambda page: dictionary_values(page, chunk.layout), data)


@given(damage=damages())
def test_bloom_filters(chunk: Chunk, damage: Callable[[bytes], bytes]) -> None:
    data = damage(chunk.bytes_of(chunk.layout.bloom_filter))
    survives(read_filter, data)
    survives(filter_length, data[:64])


@given(damage=damages(), of_columns=st.booleans())
def test_page_indexes(chunk: Chunk, damage: Callable[[bytes], bytes], of_columns: bool) -> None:
    column_index = chunk.bytes_of(chunk.layout.column_index)
    offset_index = chunk.bytes_of(chunk.layout.offset_index)
    if of_columns:
        survives(
            lambda data: decode_pages(data, offset_index, chunk.layout, chunk.records),
            damage(column_index),
        )
    else:
        survives(
            lambda data: decode_pages(column_index, data, chunk.layout, chunk.records),
            damage(offset_index),
        )


@pytest.fixture(scope="module")
def footer(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("damage") / "footer.parquet"
    write(path, pa.int64(), [1, 2])
    return path.read_bytes()[-pq.read_metadata(path).serialized_size - 8 : -8]


@given(damage=damages())
def test_footers(footer: bytes, damage: Callable[[bytes], bytes]) -> None:
    survives(taken_apart, damage(footer))


def taken_apart(thrift: bytes) -> None:
    with suppress(TooMuch):
        parts = parts_of(thrift, len(head_of(thrift)), 1)
        chunk_layouts(parts, {})
        list(parts.row_groups())
