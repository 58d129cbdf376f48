"""Parts of Parquet files in the form in which they are kept: footers, and the dictionaries, bloom
filters and indexes of a file, packed."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import zstandard

from prunescope.collectors.storage.cached_parts import Place

_LEVEL = 3
_RANGE = struct.Struct("<qq")


Range = tuple[int, int]
"""A part of a file: its offset and its length."""


def kept_footer(place: Place) -> bytes | None:
    """The end of a Parquet file, from its footer on."""
    return _unpacked(place)


def keep_footer(place: Place, tail: bytes) -> None:
    """Keeps what a tail has of a footer: its length and the magic number end it."""
    length = int.from_bytes(tail[-8:-4], "little")
    place.put(zstandard.compress(tail[-8 - length :], _LEVEL))


def kept_ranges(place: Place) -> dict[Range, bytes]:
    """The ranges of a file that were read before."""
    plain = _unpacked(place) or b""
    found: dict[Range, bytes] = {}
    at = 0
    while at < len(plain):
        end = at + _RANGE.size
        offset, length = _RANGE.unpack(plain[at:end]) if end <= len(plain) else (0, -1)
        at = end + length
        if length < 0 or at > len(plain):
            place.forget()
            return {}
        found[offset, length] = plain[end:at]
    return found


def _unpacked(place: Place) -> bytes | None:
    """The content of a place, unpacked. Content that is whole, but not packed by this module, is
    removed: whoever wrote it, the next run is not to find it."""
    content = place.get()
    try:
        return None if content is None else zstandard.decompress(content)
    except zstandard.ZstdError:
        place.forget()
        return None


def keep_ranges(place: Place, ranges: Mapping[Range, bytes]) -> None:
    """Keeps ranges of a file instead of those that were kept of it."""
    plain = b"".join(_RANGE.pack(*one) + content for one, content in ranges.items())
    place.put(zstandard.compress(plain, _LEVEL))
