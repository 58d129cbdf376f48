"""What was read of Parquet files as it is kept: footers, and the dictionaries, bloom filters and
indexes of a file, packed."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

import zstandard

from collectors.storage.cache import Cache
from collectors.storage.files import Storage

_LEVEL = 3
_RANGE = struct.Struct("<qq")


Range = tuple[int, int]
"""A part of a file: its offset and its length."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something of a file is kept."""

    cache: Cache
    key: str


def place_of(storage: Storage, path: str, size: int | None, what: str) -> Place | None:
    """Where `what` is kept of a file, if it is: one of unknown size could be another by now, and
    one that may not be read is not told of."""
    if storage.cache is None or size is None or size <= 0 or not storage.may_read(path):
        return None
    return Place(storage.cache, f"{what}\n{size}\n{storage.locate(path)}")


def kept_footer(place: Place) -> bytes | None:
    """The end of a Parquet file, from its footer on."""
    content = place.cache.get(place.key)
    return None if content is None else zstandard.decompress(content)


def keep_footer(place: Place, tail: bytes) -> None:
    """Keeps what a tail has of a footer: its length and the magic number end it."""
    length = int.from_bytes(tail[-8:-4], "little")
    place.cache.put(place.key, zstandard.compress(tail[-8 - length :], _LEVEL))


def kept_ranges(place: Place) -> dict[Range, bytes]:
    """The ranges of a file that were read before."""
    content = place.cache.get(place.key)
    if content is None:
        return {}
    plain = zstandard.decompress(content)
    found: dict[Range, bytes] = {}
    at = 0
    while at < len(plain):
        offset, length = _RANGE.unpack_from(plain, at)
        at += _RANGE.size
        found[offset, length] = plain[at : at + length]
        at += length
    return found


def keep_ranges(place: Place, ranges: Mapping[Range, bytes]) -> None:
    """Keeps ranges of a file instead of those that were kept of it."""
    plain = b"".join(_RANGE.pack(*one) + content for one, content in ranges.items())
    place.cache.put(place.key, zstandard.compress(plain, _LEVEL))
