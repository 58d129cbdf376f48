"""A Parquet file of some chunks of another, in memory, for Arrow to decode.

Arrow builds all that a footer says before it reads a row, and, where chunks contradict themselves,
throws what pyarrow catches nowhere, and so ends the process (Arrow 26: `ColumnChunkMetaDataImpl`,
`MakeColumnStats`, `SizeStatistics::Validate`). So it never gets a footer of somebody else's, but
one that says where pages are, and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prunescope.collectors.parquet.footer_parts import NEXT_LIST, NEXT_NUMBER, STRUCT
from prunescope.collectors.parquet.thrift_types import MalformedParquet, ReadMetaData
from prunescope.collectors.storage.ranges import ByteRange

_MAGIC = b"PAR1"
_I32 = 5
_ENCODINGS = range(10)
_NOTHING = ReadMetaData()


@dataclass(frozen=True, slots=True)
class ReadRowGroup:
    """A row group of so many `records`, with the facts of the chunks that are read, and their
    bytes, by leaf."""

    records: int
    chunks: Mapping[int, tuple[ReadMetaData, bytes]]


def place_of(facts: ReadMetaData | None) -> ByteRange:
    """The range of a chunk's pages, with its dictionary. Raises MalformedParquet."""
    if facts is None:
        raise MalformedParquet("a chunk without metadata")
    data, size = facts.data_page_offset, facts.total_compressed_size
    first = facts.dictionary_page_offset
    if data is None or size is None or data < len(_MAGIC) or size < 0:
        raise MalformedParquet("a chunk without pages")
    start = first if first is not None and 0 < first < data else data
    if data - start > size:
        raise MalformedParquet("pages of a chunk that are not in it")
    return ByteRange(start, size)


def file_of(head: bytes, types: Sequence[int], groups: Sequence[ReadRowGroup]) -> bytes:
    """The bytes of a file with the version and schema of `head`, and leaves of these types, by
    their numbers. Chunks that are not read are empty."""
    content = [_MAGIC]
    at = len(_MAGIC)
    footer = [head, NEXT_NUMBER, _number(sum(group.records for group in groups)), NEXT_LIST]
    footer.append(_list_head(STRUCT, len(groups)))
    empty = {kind: _chunk(kind, _NOTHING, len(_MAGIC), None) for kind in set(types)}
    for group in groups:
        footer += NEXT_LIST, _list_head(STRUCT, len(types))
        size = 0
        for leaf, kind in enumerate(types):
            if leaf not in group.chunks:
                footer.append(empty[kind])
                continue
            facts, pages = group.chunks[leaf]
            start, data = place_of(facts).offset, facts.data_page_offset or 0
            moved = at - start
            footer.append(_chunk(kind, facts, data + moved, at if start < data else None))
            content.append(pages)
            at += len(pages)
            size += len(pages)
        footer += NEXT_NUMBER, _number(size), NEXT_NUMBER, _number(group.records), b"\x00"
    footer.append(b"\x00")
    thrift = b"".join(footer)
    return b"".join((*content, thrift, len(thrift).to_bytes(4, "little"), _MAGIC))


def _chunk(kind: int, facts: ReadMetaData, data: int, dictionary: int | None) -> bytes:
    """A ColumnChunk, in the compact protocol."""
    encodings = [one for one in facts.encodings or () if one in _ENCODINGS] or [0]
    return b"".join(
        (
            b"\x26\x00",  # file_offset
            b"\x1c",  # meta_data
            *(b"\x15", _number(kind)),
            *(NEXT_LIST, _list_head(_I32, len(encodings)), *map(_number, encodings)),
            *(NEXT_LIST, b"\x18\x01x"),  # path_in_schema, which nobody looks at
            *(b"\x15", _number(facts.codec or 0)),
            *(NEXT_NUMBER, _number(facts.num_values or 0)),
            *(NEXT_NUMBER, _number(facts.total_uncompressed_size or 0)),
            *(NEXT_NUMBER, _number(facts.total_compressed_size or 0)),
            *(b"\x26", _number(data)),
            *(() if dictionary is None else (b"\x26", _number(dictionary))),
            b"\x00\x00",
        )
    )


def _list_head(kind: int, count: int) -> bytes:
    return bytes([count << 4 | kind]) if count < 15 else bytes([0xF0 | kind]) + _varint(count)


def _number(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
