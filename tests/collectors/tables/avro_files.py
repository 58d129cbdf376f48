"""Avro files written byte by byte, so that they can lie."""

from __future__ import annotations

import bz2
import json
import lzma
import zlib
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
import zstandard

from prunescope.collectors.tables.avro import AvroContent

SYNC = bytes(range(16))


def varint(value: int) -> bytes:
    """A number as Avro writes it."""
    encoded = (value << 1) ^ (value >> 63)
    parts = []
    while encoded >= 0x80:
        parts.append(encoded & 0x7F | 0x80)
        encoded >>= 7
    return bytes([*parts, encoded])


def text(value: str | bytes) -> bytes:
    """A text, or bytes, behind their length."""
    data = value.encode() if isinstance(value, str) else value
    return varint(len(data)) + data


def field(name: str, kind: Any, field_id: int) -> dict[str, Any]:
    """A field of a schema."""
    return {"name": name, "type": kind, "field-id": field_id}


def file(
    fields: list[dict[str, Any]], *blocks: tuple[int, bytes], codec: str | None = None
) -> bytes:
    """An Avro file of blocks, each with what it says of its number of records."""
    schema = {"type": "record", "name": "r", "fields": fields}
    notes = {"avro.schema": json.dumps(schema)} | ({"avro.codec": codec} if codec else {})
    header = varint(len(notes)) + b"".join(text(k) + text(v) for k, v in notes.items())
    content = b"Obj\x01" + header + varint(0) + SYNC
    return content + b"".join(varint(n) + text(data) + SYNC for n, data in blocks)


WHOLE = dict.fromkeys(range(1, 10))
LONG = [field("a", "long", 1)]


def records(content: bytes) -> list[Any]:
    """All that a file holds."""
    return list(AvroContent(content, WHOLE).records())


def refused(content: bytes) -> None:
    """That a file is told to be unreadable."""
    with pytest.raises((EOFError, ValueError, TypeError, KeyError, ImportError)):
        records(content)


COUNTS = {
    "type": "array",
    "logicalType": "map",
    "element-id": 3,
    "items": {
        "type": "record",
        "name": "k",
        "fields": [field("key", "int", 4), field("value", "long", 5)],
    },
}
BOUNDS = {
    **COUNTS,
    "items": {
        "type": "record",
        "name": "k",
        "fields": [field("key", "int", 4), field("value", "bytes", 5)],
    },
}
LONGS = {"type": "array", "items": "long", "element-id": 3}
NESTED = {"type": "record", "name": "n", "fields": [field("b", "bytes", 6)]}
STRUCTS = {"type": "array", "items": NESTED, "element-id": 3}


def deflate(data: bytes) -> bytes:
    """As Avro packs it: without a header."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(data) + packing.flush()


def snappy(data: bytes) -> bytes:
    """As Avro packs it: with a checksum behind."""
    packed: bytes = pa.compress(data, codec="snappy", asbytes=True)
    return packed + zlib.crc32(data).to_bytes(4, "big")


def snappy_of(size: int) -> bytes:
    """The start of a snappy block that would have so many bytes."""
    parts = []
    while size >= 0x80:
        parts.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([*parts, size]) + b"\x00x" * 10


PACK: dict[str, Callable[[bytes], bytes]] = {
    "deflate": deflate,
    "zstandard": lambda data: zstandard.ZstdCompressor().compress(data),
    "bzip2": bz2.compress,
    "snappy": snappy,
    "xz": lzma.compress,
}
