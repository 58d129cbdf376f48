"""The framing of Avro object container files: header, blocks, compression.

Read here and not by PyIceberg, whose reader takes a file that ends within a block for one that ends
before it, and a block that counts no records for one that holds none. Nothing that a file says of
itself is believed: lengths and counts are compared with the bytes that are there.
"""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import zstandard

from prunescope.collectors.budget import Budget, TooMuch, room
from prunescope.collectors.storage import limits

MAX_UNPACKED = 512 << 20
"""Bytes of all blocks of a file after decompression: manifests have 8 MB before it by default, and
shrink to a third or less."""

MAX_BLOCK = 128 << 20
"""Bytes of one block after that: PyIceberg lists all manifests of a snapshot in one, and half a
million of them take 100 MB."""

_OF_NOTE = 100
"""Bytes of an entry of a header besides its text."""

_MOST_DEFLATED = 1032
"""Bytes that one byte is unpacked to at most: two bits for 258 (RFC 1951, 3.2.5)."""

_MAGIC, _SYNC_SIZE = b"Obj\x01", 16
_ENCRYPTED = b"AGS1"
"""The first bytes of files that are encrypted as a whole (Iceberg, "AES GCM Stream file
format")."""
_LONGEST_VARINT = 10
_CODEC = "avro.codec"
_CHECKSUM_SIZE = 4
"""Bytes of the CRC-32 of what is packed, behind a snappy block."""
_SNAPPY = pa.Codec("snappy")
_XZ_MEMORY = 128 << 20
"""Bytes that unpacking may take besides the block: 65 MiB of what the highest level packed."""


class Encrypted(ValueError):
    """A file that cannot be read without a key."""


def why_undecoded(error: Exception, what: str) -> str:
    """Why a file that should be `what` could not be decoded, and what to do about it."""
    if isinstance(error, Encrypted):
        return "(it is encrypted); tables whose metadata is encrypted cannot be replayed"
    if isinstance(error, TooMuch):
        return f"({error}); no writer makes such a {what}: see what does"
    return f"({type(error).__name__}); it is truncated, corrupt or not a {what}"


@dataclass(frozen=True, slots=True)
class Header:
    """A file's header (Avro 1.11, "Object Container Files"): what the writer noted, the marker that
    ends each block, and where the first block starts."""

    metadata: Mapping[str, str]
    sync: bytes
    end: int


def read_header(content: bytes) -> Header:
    """Raises EOFError or ValueError for anything that is no Avro file."""
    if content.startswith(_ENCRYPTED):
        raise Encrypted("encrypted")
    if not content.startswith(_MAGIC):
        raise ValueError("not an Avro object container file")
    at = len(_MAGIC)
    metadata: dict[str, str] = {}
    budget = Budget(limits.AVRO_HEADER)
    while True:
        count, at = read_long(content, at)
        if count == 0:
            break
        if count < 0:  # the size in bytes follows
            count = -count
            _, at = read_long(content, at)
        if count > len(content) - at:
            raise EOFError("the header ends early")
        for _ in range(count):
            key, at = _read_bytes(content, at)
            value, at = _read_bytes(content, at)
            budget.take(_OF_NOTE + len(key) + len(value))
            metadata[key.decode()] = value.decode(errors="replace")
    sync = content[at : at + _SYNC_SIZE]
    if len(sync) < _SYNC_SIZE:
        raise EOFError("the header ends early")
    return Header(metadata, sync, at + _SYNC_SIZE)


def blocks(content: bytes, header: Header) -> Iterator[tuple[int, bytes]]:
    """The number of records of each block, and its bytes, unpacked. Raises EOFError or ValueError
    where the file is truncated or damaged, and KeyError for a codec that is none of Avro's."""
    unpack = _CODECS[header.metadata.get(_CODEC, "null")]
    at, size, sync = header.end, len(content), header.sync
    budget = Budget(room(size, MAX_UNPACKED))
    while at < size:  # there are writers of a block for each record
        count, at = read_long(content, at)
        length, at = read_long(content, at)
        end = at + length
        if not at <= end <= size:
            raise EOFError(f"{length} bytes, of which {size - at} are there")
        block = unpack(content[at:end], min(budget.left, MAX_BLOCK))
        at = end + _SYNC_SIZE
        if content[end:at] != sync:
            raise ValueError("a block does not end with the file's sync marker")
        unpacked = len(block)
        if unpacked > MAX_BLOCK:
            raise TooMuch(f"a block of it is larger than {MAX_BLOCK >> 20} MiB")
        budget.take(unpacked)
        # A record of Iceberg's takes a byte at least, and PyIceberg writes blocks of none.
        if not 0 <= count <= unpacked or (count == 0 and block):
            raise ValueError(f"a block of {unpacked} bytes says that it has {count} records")
        yield count, block


def read_long(content: bytes, at: int) -> tuple[int, int]:
    """An int or long, and where it ends. Raises EOFError or ValueError."""
    try:
        first = content[at]
        if first < 0x80:  # as most are
            return (first >> 1) ^ -(first & 1), at + 1
        second = content[at + 1]
        if second < 0x80:
            encoded = first & 0x7F | second << 7
            return (encoded >> 1) ^ -(encoded & 1), at + 2
    except IndexError:
        raise EOFError("the file ends within a number") from None
    encoded = 0
    for place in range(_LONGEST_VARINT):
        if at + place >= len(content):
            raise EOFError("the file ends within a number")
        byte = content[at + place]
        encoded |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return (encoded >> 1) ^ -(encoded & 1), at + place + 1
    raise ValueError("a number of more than 64 bits")


def _read_bytes(content: bytes, at: int) -> tuple[bytes, int]:
    length, at = read_long(content, at)
    if not 0 <= length <= len(content) - at:
        raise EOFError(f"{length} bytes, of which {len(content) - at} are there")
    return content[at : at + length], at + length


def _plain(packed: bytes, _: int) -> bytes:
    return packed


def _deflate(packed: bytes, room: int) -> bytes:
    if _MOST_DEFLATED * len(packed) <= room:  # as most are
        try:
            return zlib.decompress(packed, -zlib.MAX_WBITS)
        except zlib.error:
            pass  # told below
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    return _whole(unpacking.decompress(packed, room + 1), unpacking.eof, room)


def _bzip2(packed: bytes, room: int) -> bytes:
    unpacking = bz2.BZ2Decompressor()
    return _whole(unpacking.decompress(packed, room + 1), unpacking.eof, room)


def _whole(block: bytes, is_whole: bool, room: int) -> bytes:
    if not is_whole and len(block) <= room:
        raise EOFError("a compressed block ends early")
    return block


def _zstandard(packed: bytes, room: int) -> bytes:
    source = io.BytesIO(packed)
    with zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True) as stream:
        pieces = []
        while room >= 0 and (piece := stream.read(min(room + 1, 1 << 20))):
            pieces.append(piece)
            room -= len(piece)
        return b"".join(pieces)


def _snappy(packed: bytes, room: int) -> bytes:
    size = place = 0
    while True:  # a varint of 32 bits, without a sign (Snappy, "Format description")
        if place >= min(5, len(packed)):
            raise EOFError("a compressed block ends early")
        size |= (packed[place] & 0x7F) << (7 * place)
        if packed[place] < 0x80:
            break
        place += 1
    if size > room:
        raise TooMuch(f"a block of it unpacks to {size:,} bytes")
    end = len(packed) - _CHECKSUM_SIZE
    try:
        block: bytes = _SNAPPY.decompress(packed[:end], size, asbytes=True)
    except OSError as error:
        raise ValueError("a compressed block is damaged") from error
    if zlib.crc32(block) != int.from_bytes(packed[end:], "big"):
        raise ValueError("a compressed block has another checksum")
    return block


def _xz(packed: bytes, room: int) -> bytes:
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    try:
        return _whole(unpacking.decompress(packed, room + 1), unpacking.eof, room)
    except lzma.LZMAError as error:
        raise ValueError("a compressed block is damaged") from error


_CODECS: Mapping[str, Callable[[bytes, int], bytes]] = {
    "null": _plain,
    "deflate": _deflate,
    "bzip2": _bzip2,
    "zstandard": _zstandard,
    "snappy": _snappy,
    "xz": _xz,
}
