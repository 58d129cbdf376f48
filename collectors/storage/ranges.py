"""Ranges of many files: their tails, where Parquet keeps its footer, and any others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from prunescope.collectors.storage import limits
from prunescope.collectors.storage.cached_parts import Place, fetch, place_of
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.in_flight import IN_FLIGHT, concurrently
from prunescope.collectors.storage.kept_ranges import keep_ranges, kept_ranges
from prunescope.collectors.storage.parquet_tail import read_tail
from prunescope.collectors.storage.random_access import (
    RandomAccessFile,
    is_local,
    opened,
    patiently,
)
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind

MAX_GAP = 1 << 20
"""Bytes read in vain between two ranges rather than asking twice: in the 20 ms that a request
waits for its first byte, a connection to an object store carries about as much."""

MAX_MERGED = 8 << 20
"""Bytes of one read of several ranges. A longer single range is read at once."""


class ByteRange(NamedTuple):
    """A part of a file: `length` bytes from `offset`."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class RangeRequest:
    """Ranges of one file, in any order; they may overlap. They are kept for other runs where its
    size is known."""

    storage: Storage
    path: str
    ranges: tuple[ByteRange, ...]
    size: int | None = None


def read_tails(
    files: Iterable[tuple[Storage, str, int | None]], *, in_flight: int = IN_FLIGHT
) -> Iterator[bytes | FileUnreadable]:
    """The end of each Parquet file, from its footer on or from before it, in order.

    A file comes with its size in bytes as its manifest has it, or None. Of what turns out to be
    no Parquet file, the tail is its last bytes. Whatever stops one file is handed over as its
    result: FileMissing if there is none, else FileUnreadable.
    """
    return concurrently(
        lambda file: read_tail(*file),
        files,
        in_flight=in_flight,
        size_read=len,
        is_near=lambda file: is_local(file[0], file[1]),
    )


def read_ranges(
    requests: Sequence[RangeRequest], *, in_flight: int = IN_FLIGHT
) -> Iterator[tuple[bytes, ...] | FileUnreadable]:
    """The bytes of each request's ranges, as it names them; requests in order.

    Ranges of a file that lie close together are read at once. Whatever stops one file is handed
    over as its result: FileMissing if there is none, else FileUnreadable, also if one of its
    ranges is not in it.
    """
    fetch(map(_place, requests))
    return concurrently(
        _read,
        requests,
        in_flight=in_flight,
        is_near=lambda request: is_local(request.storage, request.path),
    )


def _place(request: RangeRequest) -> Place | None:
    return place_of(request.storage, request.path, request.size, "ranges 1")


def _read(request: RangeRequest) -> tuple[bytes, ...]:
    place = _place(request)
    if place is None:
        return read_now(request)
    known = kept_ranges(place)
    missing = tuple(one for one in dict.fromkeys(request.ranges) if one not in known)
    if missing:
        known |= zip(missing, read_now(replace(request, ranges=missing)), strict=True)
        keep_ranges(place, known)
    return tuple(known[one] for one in request.ranges)


def read_now(request: RangeRequest) -> tuple[bytes, ...]:
    """The bytes of a request's ranges, wherever else they are kept. Raises FileUnreadable, or
    TableTooSlow."""

    def read() -> tuple[bytes, ...]:
        with opened(request.storage, request.path) as file:
            return _all(request, file)

    return patiently(request.storage, request.path, read)


def _all(request: RangeRequest, file: RandomAccessFile) -> tuple[bytes, ...]:
    if any(min(one) < 0 for one in request.ranges):
        raise FileUnreadable(request.path, Kind.SHORT)
    if any(one.length > limits.RANGE for one in request.ranges):
        raise FileUnreadable(request.path, Kind.TOO_LARGE)
    found = [b""] * len(request.ranges)
    for merged in coalesce(request.ranges):
        members = [request.ranges[number] for number in merged]
        start = members[0].offset
        stop = max(offset + length for offset, length in members)
        content = file.read(start, stop)
        if len(content) < stop - start:
            raise FileUnreadable(request.path, Kind.SHORT)
        for number, (offset, length) in zip(merged, members, strict=True):
            found[number] = content[offset - start : offset - start + length]
    return tuple(found)


def coalesce(
    ranges: Sequence[ByteRange], *, gap: int = MAX_GAP, longest: int = MAX_MERGED
) -> list[list[int]]:
    """Groups of ranges to read at once: positions in `ranges`, ordered by offset within each group
    and between groups. Empty ranges are in none.

    A group has no hole of more than `gap` bytes, and spans at most `longest`, unless a single range
    does.
    """
    groups: list[list[int]] = []
    first = last = 0
    for number in sorted((n for n, r in enumerate(ranges) if r.length), key=ranges.__getitem__):
        start, stop = ranges[number].offset, sum(ranges[number])
        if groups and start - last <= gap and max(stop, last) - first <= longest:
            groups[-1].append(number)
            last = max(stop, last)
        else:
            groups.append([number])
            first, last = start, stop
    return groups
