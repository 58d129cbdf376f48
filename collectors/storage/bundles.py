"""Bundles: decoded content of many files in one object, and the index of all bundles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

from prunescope.collectors.storage.sealed import content_of, seal

BUNDLE_BYTES = 32 << 20
"""About how large a bundle becomes: what a request brings in less than a second."""

INDEX = "index-1"
"""The name of the index, with the version of these formats."""

_NAME = re.compile("[0-9a-f]{32}")
_NUMBER = 4
"""Bytes of a length."""

Digests = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """An object in storage. Its `name` is the checksum of all its bytes, `size` how many these are;
    it was last `used` so many seconds after 1970, and has the keys of these digests."""

    name: str
    size: int
    used: int
    digests: Digests


def digests_of(keys: Iterable[str]) -> Digests:
    """Hashes keys to numbers. Two keys may have the same: searching a bundle in vain is no
    error."""
    return np.fromiter((xxhash.xxh3_64_intdigest(key.encode()) for key in keys), np.uint64)


def pack(entries: Mapping[str, bytes], now: int) -> tuple[Bundle, bytes]:
    """Content by key as a bundle, and its bytes."""
    parts = []
    for key, content in entries.items():
        name = key.encode()
        parts += [len(name).to_bytes(_NUMBER, "big"), len(content).to_bytes(_NUMBER, "big")]
        parts += [name, content]
    whole = b"".join(parts)
    return Bundle(xxhash.xxh3_128_hexdigest(whole), len(whole), now, digests_of(entries)), whole


def unpack(name: str, whole: bytes) -> dict[str, bytes] | None:
    """Content by key, None if it is not that of the bundle of this name."""
    if xxhash.xxh3_128_hexdigest(whole) != name:
        return None
    found = {}
    at = 0
    while at < len(whole):
        start = at + 2 * _NUMBER
        end = start + int.from_bytes(whole[at : at + _NUMBER], "big")
        at = end + int.from_bytes(whole[at + _NUMBER : start], "big")
        found[whole[start:end].decode(errors="replace")] = whole[end:at]
    return found


def pack_index(bundles: Sequence[Bundle]) -> bytes:
    """Bundles, sealed."""
    told = [(one.name, one.size, one.used, len(one.digests)) for one in bundles]
    header = json.dumps(told).encode()
    digests = (one.digests.astype("<u8").tobytes() for one in bundles)
    return seal(INDEX, b"".join((len(header).to_bytes(_NUMBER, "big"), header, *digests)))


def unpack_index(sealed: bytes) -> tuple[Bundle, ...]:
    """The bundles, none where the index is damaged, or not one of ours."""
    content = content_of(sealed, INDEX)
    if content is None:
        return ()
    at = _NUMBER + int.from_bytes(content[:_NUMBER], "big")
    found = []
    try:
        for name, size, used, count in json.loads(content[_NUMBER:at]):
            if not _NAME.fullmatch(name):  # it is where to read, and what to delete
                return ()
            found.append(Bundle(name, size, used, np.frombuffer(content, "<u8", count, at)))
            at += 8 * count
    except (TypeError, ValueError):
        return ()
    return tuple(found)


def renewed(
    known: Iterable[Bundle], made: Iterable[Bundle], used: Iterable[str], now: int
) -> tuple[Bundle, ...]:
    """The bundles of an index with those that a run made, the newest last; the bundles that the run
    used are marked as used at `now`."""
    recent = set(used)
    found = {
        one.name: Bundle(one.name, one.size, now, one.digests) if one.name in recent else one
        for one in known
    }
    return tuple({**found, **{one.name: one for one in made}}.values())


def within(bundles: Sequence[Bundle], max_bytes: int) -> tuple[Bundle, ...]:
    """The most recently used bundles, of no more than `max_bytes` together."""
    in_turn = sorted(range(len(bundles)), key=lambda n: (bundles[n].used, n), reverse=True)
    total = np.cumsum([bundles[n].size for n in in_turn])
    stay = set(in_turn[: int(np.searchsorted(total, max_bytes, "right"))])
    return tuple(one for n, one in enumerate(bundles) if n in stay)


class Holders:
    """Bundles by key: of several that have a key, the newest, which stands last in the index."""

    def __init__(self, bundles: Sequence[Bundle]) -> None:
        sizes = [len(one.digests) for one in bundles]
        digests = np.concatenate([np.zeros(0, np.uint64), *(one.digests for one in bundles)])
        order = np.argsort(digests, kind="stable")
        self._names = [one.name for one in bundles]
        self._digests = digests[order]
        self._numbers = np.repeat(np.arange(len(bundles)), sizes)[order]

    def of(self, keys: Sequence[str]) -> list[str | None]:
        """The name of the bundle of each key, if one has it."""
        if not len(self._digests):
            return [None] * len(keys)
        digests = digests_of(keys)
        places = np.searchsorted(self._digests, digests, "right") - 1
        is_there = (places >= 0) & (self._digests[places] == digests)
        numbers = np.where(is_there, self._numbers[places], -1)
        return [None if number < 0 else self._names[number] for number in numbers.tolist()]
