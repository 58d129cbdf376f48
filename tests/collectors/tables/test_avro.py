"""Avro files that are damaged, or lie: told, within bounded time and memory, and never taken for
files of fewer records."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyiceberg.avro.file import AvroOutputFile
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import LongType, NestedField, StringType

from prunescope.collectors import budget
from prunescope.collectors.tables import avro_blocks
from prunescope.collectors.tables.avro import AvroContent
from prunescope.collectors.tables.avro_values import MAX_ITEMS
from tests.collectors.tables.avro_files import (
    BOUNDS,
    COUNTS,
    LONG,
    LONGS,
    PACK,
    STRUCTS,
    SYNC,
    field,
    file,
    records,
    refused,
    snappy_of,
    text,
    varint,
)

FAR = [1 << 20, 1 << 31, 1 << 40, (1 << 63) - 1, -1, -(1 << 40), -(1 << 63)]
"""Lengths and counts that no file has."""


def test_what_is_whole_is_read() -> None:
    fields = [
        field("a", "long", 1),
        field("s", ["null", "string"], 2),
        field("c", COUNTS, 7),
        field("b", BOUNDS, 8),
        field("l", LONGS, 9),
    ]
    first = (
        varint(-5) + varint(1) + text("é") + varint(1) + varint(7) + varint(-1) + varint(0)
        + varint(-1) + varint(4) + varint(7) + text(b"xy") + varint(0)
        + varint(2) + varint(4) + varint(-(2**62)) + varint(0)
    )  # fmt: skip
    second = varint(0) + varint(0) + varint(0) + varint(0) + varint(0)
    found = records(file(fields, (2, first + second), (0, b""), (1, second)))
    empty: list[Any] = [0, None, [], {}, []]
    assert found == [[-5, "é", [7, -1], {7: b"xy"}, [4, -(2**62)]], empty, empty]


@pytest.mark.parametrize("count", [0, 1, 3, 4, -1, -2, *FAR])
def test_a_block_that_lies_about_its_records_is_refused(count: int) -> None:
    refused(file(LONG, (count, b"\x02\x04")))


@pytest.mark.parametrize("count", FAR)
def test_records_that_take_no_bytes_end(count: int) -> None:
    refused(file([], (count, b"")))
    refused(file([], (abs(count), b"x")))
    refused(file([field("a", "null", 1)], (count, b"")))


@pytest.mark.parametrize("length", FAR)
@pytest.mark.parametrize(
    ("kind", "before"),
    [
        pytest.param("bytes", b"", id="bytes"),
        pytest.param("string", b"", id="string"),
        pytest.param(COUNTS, b"", id="counts"),
        pytest.param(BOUNDS, b"", id="bounds"),
        pytest.param(BOUNDS, varint(1) + varint(7), id="bound"),
        pytest.param(LONGS, b"", id="list"),
        pytest.param(STRUCTS, b"", id="structs"),
        pytest.param(STRUCTS, varint(1), id="in-a-struct"),
    ],
)
@pytest.mark.parametrize("wanted", [True, False], ids=["read", "skipped"])
def test_lengths_beyond_the_end_are_refused(
    kind: Any, before: bytes, length: int, wanted: bool
) -> None:
    content = file([field("a", kind, 1)], (1, before + varint(length) + b"\x02" * 40))
    with pytest.raises(EOFError):
        list(AvroContent(content, {1: None} if wanted else {}).records())


@pytest.mark.parametrize("over", range(1, 40))
def test_no_byte_behind_a_block_is_handed_out(over: int) -> None:
    refused(file([field("a", "bytes", 1)], (1, varint(10 + over) + b"x" * 10)))
    refused(file([field("a", BOUNDS, 1)], (1, b"\x02\x02" + varint(10 + over) + b"x" * 10)))


@pytest.mark.parametrize(
    ("kind", "size"),
    [("boolean", 1), ("float", 4), ("double", 8), ("long", 1)],
)
def test_a_record_that_goes_on_behind_its_block_is_refused(kind: str, size: int) -> None:
    fields = [field(f"f{n}", kind, n) for n in range(1, 10)]
    assert len(records(file(fields, (1, bytes(9 * size))))) == 1
    refused(file(fields, (1, bytes(9 * size - 1))))
    refused(file(fields, (2, bytes(9 * size))))


@pytest.mark.parametrize("size", [0, 3, 17, 1 << 40, 1 << 62, -1])
def test_fixed_sizes_of_the_schema_are_not_believed(size: int) -> None:
    refused(file([field("a", {"type": "fixed", "name": "f", "size": size}, 1)], (1, b"xx")))


@pytest.mark.parametrize(
    "items",
    [
        pytest.param("null", id="null"),
        pytest.param({"type": "record", "name": "e", "fields": []}, id="empty-record"),
        pytest.param({"type": "fixed", "name": "e", "size": 0}, id="nothing-fixed"),
    ],
)
def test_lists_of_what_takes_no_bytes_are_refused(items: Any) -> None:
    kind = {"type": "array", "items": items, "element-id": 3}
    endless = (varint(MAX_ITEMS) * 1000) + varint(0)
    refused(file([field("a", kind, 1)], (1, endless)))


def test_a_schema_nested_without_end_is_refused() -> None:
    schema = '{"type":"record","name":"r","fields":[{"name":"a","field-id":1,"type":' * 50_000
    header = varint(1) + text("avro.schema") + text(schema)
    with pytest.raises((ValueError, RecursionError)):
        records(b"Obj\x01" + header + varint(0) + SYNC)


@pytest.mark.parametrize("codec", PACK)
def test_compressed_blocks_are_read(codec: str) -> None:
    pack = PACK[codec]
    content = file(LONG, (2, pack(b"\x02\x04")), (0, pack(b"")), (1, pack(b"\x06")), codec=codec)
    assert [row[0] for row in records(content)] == [1, 2, 3]


@pytest.mark.parametrize("codec", PACK)
@pytest.mark.parametrize("cut", [1, 5])
def test_a_compressed_block_that_ends_early_is_refused(codec: str, cut: int) -> None:
    packed = PACK[codec](bytes(range(2, 120, 2)) * 10)[:-cut]
    refused(file(LONG, (590, packed), codec=codec))


@pytest.mark.parametrize("codec", PACK)
@pytest.mark.slow
def test_a_bomb_is_refused_before_it_is_large(codec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avro_blocks, "MAX_UNPACKED", 1 << 20)
    size = 64 << 20
    packed = snappy_of(size) if codec == "snappy" else PACK[codec](bytes(size))
    content = file(LONG, (size, packed), codec=codec)
    tracemalloc.start()
    try:
        refused(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 << 20


@pytest.mark.parametrize("codec", PACK)
def test_many_blocks_are_no_way_round(codec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avro_blocks, "MAX_UNPACKED", 1 << 12)
    block = (1 << 10, PACK[codec](bytes(1 << 10)))
    assert len(records(file(LONG, *[block] * 4, codec=codec))) == 1 << 12
    refused(file(LONG, *[block] * 5, codec=codec))


@pytest.mark.parametrize("codec", sorted(set(PACK) - {"snappy"}))  # which shrinks nothing so far
def test_a_small_file_has_not_the_room_of_a_large_one(
    codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "ALWAYS_UNPACKED", 1 << 12)
    size = 1 << 20
    refused(file(LONG, (size, PACK[codec](bytes(size))), codec=codec))
    assert len(records(file(LONG, (1 << 12, PACK[codec](bytes(1 << 12))), codec=codec))) == 1 << 12


def test_a_snappy_block_of_another_checksum_is_refused() -> None:
    packed = PACK["snappy"](b"\x02\x04")
    refused(file(LONG, (2, packed[:-1] + bytes([packed[-1] ^ 1])), codec="snappy"))
    refused(file(LONG, (2, packed[:2]), codec="snappy"))


def test_a_number_without_end_is_refused() -> None:
    refused(b"Obj\x01" + b"\xff" * (1 << 20))
    refused(file(LONG) + b"\xff" * (1 << 20))


def test_an_unknown_codec_is_refused() -> None:
    refused(file(LONG, (1, b"\x02"), codec="lzo"))


BLOCKS = st.lists(
    st.tuples(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 40), st.binary(max_size=60)),
    max_size=3,
)
KINDS = ["long", "string", "bytes", "double", "boolean", COUNTS, BOUNDS, LONGS, STRUCTS]


@given(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
    BLOCKS,
    st.sets(st.integers(1, 4)),
)
@example([BOUNDS], [(1, b"\x01\x00\x02\x08abcd\x00")], {1})
def test_whatever_stands_in_a_block_its_records_are_all_read_or_none(
    kinds: list[Any], blocks: list[tuple[int, bytes]], wanted: set[int]
) -> None:
    fields = [field(f"f{n}", kind, n) for n, kind in enumerate(kinds, start=1)]
    content = AvroContent(file(fields, *blocks), dict.fromkeys(wanted))
    try:
        found = list(content.records())
    except (EOFError, ValueError):
        return
    assert len(found) == sum(count for count, _ in blocks)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_no_avro_file(content: bytes) -> None:
    refused(b"Obj\x01" + content)


def test_an_empty_block_as_pyiceberg_writes_it_is_no_fault(tmp_path: Path) -> None:
    schema = Schema(
        NestedField(1, "a", LongType(), required=True), NestedField(2, "b", StringType())
    )
    path = tmp_path / "a.avro"
    with AvroOutputFile[Record](PyArrowFileIO().new_output(str(path)), schema, "r") as output:
        output.write_block([])
        output.write_block([Record(1, "x")])
    assert records(path.read_bytes()) == [[1, "x"]]


def test_doubles_keep_all_their_bits() -> None:
    content = file([field("a", "double", 1)], (1, struct.pack("<d", 1e300)))
    assert records(content) == [[1e300]]
