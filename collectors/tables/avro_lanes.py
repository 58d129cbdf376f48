"""Values of many Avro records at once: each is a lane, and a step reads the same field of all.

The end of a value in one lane tells nothing of another, but all lanes take the same steps, so a
step is a few array operations, whatever the number of records. Bytes that end a varint are numbered
once, so that a list of numbers is passed over without looking at each.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.lanes import Content

_LONGEST = 10
"""Bytes of a number of 64 bits."""
_MAX_STEPS = 2_000
"""Steps for one map: beyond it, as for files of so many columns, lanes are no faster."""


class Unusual(Exception):
    """Content that lanes do not read: another reader must judge it."""


class Cells(NamedTuple):
    """Values of some lanes: `rows` are the lanes in ascending order, None all of them."""

    rows: IntArray | None
    values: Any


Read = Callable[["Bytes", IntArray], tuple[IntArray, Any]]
"""Given where values begin, where they end, and the values."""


class Bytes(Content):
    """The bytes of whole records, one after the other."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        ends = self.data < 0x80
        self.terminators = np.concatenate(
            [np.array([-1]), np.flatnonzero(ends), np.array([len(ends)])]
        )
        """The places of bytes that would end a varint; the first place is before all bytes."""
        self.before = np.zeros(len(ends) + 1, np.int32)
        np.cumsum(ends, out=self.before[1:])
        """How many of them there are before each place."""

    def longs(self, at: IntArray) -> tuple[IntArray, IntArray]:
        """A number of each lane."""
        first = self.data[at]
        if not len(first) or first.max() < 0x80:
            return at + 1, _signed(first.astype(np.uint64))
        end = self.terminators[self.before[at] + 1]
        return end + 1, self._varints(at, end)

    def many_longs(self, at: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
        """So many numbers of each lane, flat."""
        self.room(counts)
        last = np.cumsum(counts)
        total = int(last[-1]) if len(last) else 0
        if total > self.size:
            raise Unusual("more numbers than bytes")
        numbers = np.repeat(self.before[at] + 1 - (last - counts), counts) + np.arange(total)
        if total and numbers[-1] >= len(self.terminators):
            raise Unusual("numbers beyond the end")
        end = self.terminators[numbers]
        start = np.maximum(self.terminators[numbers - 1] + 1, np.repeat(at, counts))
        return self.past_longs(at, counts), self._varints(start, end)

    def past_longs(self, at: IntArray, counts: IntArray) -> IntArray:
        """The ends of so many numbers of each lane."""
        self.room(counts)
        number = self.before[at] + counts
        if len(number) and number.max() >= len(self.terminators):
            raise Unusual("numbers beyond the end")
        return np.where(counts > 0, self.terminators[number] + 1, at)

    def last_longs(self, at: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
        """The ends of so many numbers of each lane, at least one, and the last of these numbers."""
        after = self.past_longs(at, counts)
        before = self.terminators[self.before[at] + counts - 1] + 1
        return after, self._varints(np.maximum(before, at), after - 1)

    def room(self, sizes: IntArray) -> None:
        """Raises Unusual for sizes that cannot be."""
        if len(sizes) and not 0 <= int(sizes.min()) <= int(sizes.max()) <= self.size:
            raise Unusual("a size that cannot be")

    def _varints(self, start: IntArray, end: IntArray) -> IntArray:
        more = end - start
        value = (self.data[start] & 0x7F).astype(np.uint64)
        longest = int(more.max()) if len(more) else 0
        if longest >= _LONGEST or (longest == 9 and (self.data[end[more == 9]] > 1).any()):
            raise Unusual("a number of more than 64 bits")
        for place in range(1, longest + 1):
            here = slice(None) if bool((more >= place).all()) else np.flatnonzero(more >= place)
            bits = (self.data[start[here] + place] & 0x7F).astype(np.uint64)
            value[here] |= bits << np.uint64(7 * place)
        return _signed(value)


def _signed(encoded: npt.NDArray[np.uint64]) -> IntArray:
    one = np.uint64(1)
    return ((encoded >> one) ^ (np.uint64(0) - (encoded & one))).view(np.int64)


def integers(content: Bytes, at: IntArray) -> tuple[IntArray, IntArray]:
    """Numbers of any integral type."""
    return content.longs(at)


def past_integers(content: Bytes, at: IntArray) -> tuple[IntArray, None]:
    """Reads past numbers without decoding them: some writers' numbers do not fit 64 bits."""
    end = content.past_longs(at, np.ones(len(at), np.int64))
    if len(at) and int((end - at).max()) > _LONGEST:
        raise Unusual("a number without end")
    return end, None


def booleans(content: Bytes, at: IntArray) -> tuple[IntArray, Any]:
    """Booleans."""
    found = content.data[at]
    if len(found) and found.max() > 1:
        raise Unusual("a boolean of another value")
    return at + 1, found.view(np.bool_)


def floats(content: Bytes, at: IntArray) -> tuple[IntArray, Any]:
    """Single floats, widened."""
    found = content.words[at].astype(np.uint32).view("<f4")
    return at + 4, found.astype(np.float64)


def doubles(content: Bytes, at: IntArray) -> tuple[IntArray, Any]:
    """Double floats."""
    return at + 8, content.words[at].view("<f8")


def binaries(content: Bytes, at: IntArray) -> tuple[IntArray, pa.Array]:
    """Bytes and strings, as they stand there."""
    start, sizes = content.longs(at)
    content.room(sizes)
    end = start + sizes
    _within(content, end)
    return end, content.binaries(start, sizes)


def past_binaries(content: Bytes, at: IntArray) -> tuple[IntArray, None]:
    """Reads past bytes and strings."""
    start, sizes = content.longs(at)
    content.room(sizes)
    return start + sizes, None


def fixed(size: int) -> Read:
    """Reads so many bytes."""

    def read(content: Bytes, at: IntArray) -> tuple[IntArray, pa.Array]:
        end = at + size
        _within(content, end)
        return end, content.binaries(at, np.full(len(at), size))

    return read


def optional(read: Read) -> Read:
    """Reads a union of null and a type, in this order, as Cells."""

    def of_union(content: Bytes, at: IntArray) -> tuple[IntArray, Cells]:
        branch = content.data[at]
        there = branch == 2
        if not bool(((branch == 0) | there).all()):
            raise Unusual("another branch of a union")
        end = at + 1
        if bool(there.all()):
            end, values = read(content, end)
            return end, Cells(None, values)
        rows = np.flatnonzero(there)
        end[rows], values = read(content, end[rows])
        return end, Cells(rows, values)

    return of_union


_Items = tuple[IntArray, IntArray, IntArray]
_Block = Generator[_Items, IntArray | None, IntArray]


def _blocks(content: Bytes, at: IntArray) -> _Block:
    """The blocks of a list or map: lanes that have a further one, its count, and the places where
    its items begin. The caller sends back the places where these end."""
    rows = np.arange(len(at))
    end = at.copy()
    while len(rows):
        start, counts = content.longs(end[rows])
        sized = counts < 0  # the size in bytes follows
        if sized.any():
            start[sized], _ = content.longs(start[sized])
            counts = np.abs(counts)
        end[rows] = start
        going = counts > 0
        if not going.all():
            rows, counts, start = rows[going], counts[going], start[going]
        if len(rows):
            ends = yield rows, counts, start
            assert ends is not None
            end[rows] = ends
    return end


def lists(content: Bytes, at: IntArray) -> tuple[IntArray, IntArray]:
    """Reads lists of integers: a row per lane with their number and the last one, 0 if there is
    none."""
    found = np.zeros((len(at), 2), np.int64)
    blocks = _blocks(content, at)
    ends: IntArray | None = None
    while True:
        try:
            rows, counts, start = blocks.send(ends)
        except StopIteration as done:
            return done.value, found
        found[rows, 0] += counts
        ends, found[rows, 1] = content.last_longs(start, counts)


def past_counts(content: Bytes, at: IntArray) -> tuple[IntArray, None]:
    """Reads past maps of int to long."""
    blocks = _blocks(content, at)
    ends: IntArray | None = None
    while True:
        try:
            _, counts, start = blocks.send(ends)
        except StopIteration as done:
            return done.value, None
        ends = content.past_longs(start, 2 * counts)


def counts(content: Bytes, at: IntArray) -> tuple[IntArray, dict[int, Cells]]:
    """Maps of int to long, by key."""
    parts: list[_Items] = []
    blocks = _blocks(content, at)
    ends: IntArray | None = None
    while True:
        try:
            rows, items, start = blocks.send(ends)
        except StopIteration as done:
            return done.value, _by_key(len(at), parts, lambda values: values[0])
        ends, flat = content.many_longs(start, 2 * items)
        parts.append((np.repeat(rows, items), flat[::2], flat[1::2][None]))


def bounds(content: Bytes, at: IntArray) -> tuple[IntArray, dict[int, Cells]]:
    """Maps of int to bytes, by key."""
    parts: list[_Items] = []
    end = _each_bound(content, at, parts.append)
    return end, _by_key(len(at), parts, lambda places: content.binaries(places[0], places[1]))


def past_bounds(content: Bytes, at: IntArray) -> tuple[IntArray, None]:
    """Reads past maps of int to bytes."""
    return _each_bound(content, at, lambda _: None), None


def _each_bound(content: Bytes, at: IntArray, found: Callable[[Any], None]) -> IntArray:
    blocks = _blocks(content, at)
    ends: IntArray | None = None
    steps = 0
    while True:
        try:
            rows, items, start = blocks.send(ends)
        except StopIteration as done:
            end: IntArray = done.value
            return end
        most, least = int(items.max()), int(items.min())
        steps += most
        if steps > _MAX_STEPS:
            raise Unusual("a map of very many items")
        ends = start.copy()
        for item in range(most):
            going = slice(None) if item < least else np.flatnonzero(items > item)
            place, keys = content.longs(ends[going])
            place, sizes = content.longs(place)
            content.room(sizes)
            ends[going] = place + sizes
            _within(content, ends)
            found((rows[going], keys, np.stack([place, sizes])))


def _by_key(
    lanes: int,
    parts: list[_Items],
    values: Callable[[IntArray], Any],
) -> dict[int, Cells]:
    """Items of maps as columns, by key. A part has the lane of each item, its key, and the input
    that `values` makes its value of."""
    if not parts:
        return {}
    every = np.arange(lanes)
    if all(
        np.array_equal(rows, every) and bool((keys == keys[0]).all()) for rows, keys, _ in parts
    ):
        found = {int(keys[0]): Cells(None, values(told)) for _, keys, told in parts}
        if len(found) != len(parts):
            raise Unusual("a key that is there twice")
        return found
    rows = np.concatenate([part[0] for part in parts])
    keys = np.concatenate([part[1] for part in parts])
    told = np.concatenate([part[2] for part in parts], axis=1)
    size = len(rows) // lanes
    if size * lanes == len(rows) and bool((keys.reshape(lanes, size) == keys[:size]).all()):
        if len(set(keys[:size].tolist())) != size:
            raise Unusual("a key that is there twice")
        if bool((rows.reshape(lanes, size) == every[:, None]).all()):
            return {
                key: Cells(None, values(told[:, place::size]))
                for place, key in enumerate(keys[:size].tolist())
            }
    order = np.lexsort((rows, keys))
    rows, keys, told = rows[order], keys[order], told[:, order]
    if bool(((rows[1:] == rows[:-1]) & (keys[1:] == keys[:-1])).any()):
        raise Unusual("a key that is there twice")
    cuts = [0, *(np.flatnonzero(keys[1:] != keys[:-1]) + 1).tolist(), len(keys)]
    return {
        int(keys[start]): Cells(
            None if stop - start == lanes else rows[start:stop], values(told[:, start:stop])
        )
        for start, stop in pairwise(cuts)
    }


def _within(content: Bytes, end: IntArray) -> None:
    if len(end) and int(end.max()) > content.size:
        raise Unusual("a value beyond the end")
