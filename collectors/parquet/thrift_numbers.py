"""Numbers of Thrift's compact protocol: one by one, and many at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prunescope.collectors.arrays import BoolArray, IntArray, Words
from prunescope.collectors.lanes import Content

_MANY = 0xF
"""The size of a list that does not fit beside the kind of its items."""
_LONGEST = 10
"""Bytes of a number of 64 bits."""


class Bytes(Content):
    """The bytes of whole structures; zeros from their end on."""

    def bytes_at(self, at: IntArray) -> npt.NDArray[np.uint8]:
        """The byte at each place."""
        try:
            return self.data[at]
        except IndexError:  # few are read where nothing is
            return self.data[np.minimum(at, self.size)]

    def words_at(self, at: IntArray) -> Words:
        """The eight bytes from each place on."""
        try:
            return self.words[at]
        except IndexError:
            return self.words[np.minimum(at, self.size)]

    def lengths(self, at: IntArray) -> IntArray:
        """Lengths in bytes of the numbers at these places; 0 for those of more than eight bytes."""
        small = self._small(at)
        return _lengths(self.words_at(at)) if small is None else np.ones_like(at)

    def unsigned(self, at: IntArray) -> tuple[IntArray, IntArray]:
        """The numbers at these places, and their lengths in bytes. For a number of more than eight
        bytes the length is 0, and the number is meaningless."""
        small = self._small(at)
        if small is not None:
            return small.astype(np.int64), np.ones_like(at)
        words = self.words_at(at)
        return _joined(words & (_last(words) - _U(1))).view(np.int64), _lengths(words)

    def numbers(self, at: IntArray) -> IntArray:
        """The numbers with a sign at these places, of at most eight bytes."""
        found, _ = self.unsigned(at)
        return (found >> 1) ^ -(found & 1)

    def have(self, at: IntArray, text: bytes) -> BoolArray:
        """Tells for each place whether `text` begins there."""
        found: BoolArray = self.bytes_at(at) == text[0]
        for start in range(0, len(text) if len(text) > 1 else 0, 8):
            part = text[start : start + 8]
            same = self.words_at(at + start) & _U((1 << 8 * len(part)) - 1)
            found &= same == _U(int.from_bytes(part, "little"))
        return found

    def _small(self, at: IntArray) -> npt.NDArray[np.uint8] | None:
        """The numbers at these places, if none has more than a byte."""
        first = self.bytes_at(at)
        return None if first.size and first.max() >= 0x80 else first


_U = np.uint64


def _last(word: Words) -> Words:
    """The highest bit of the last byte of the number that begins a word; 0 if it is longer."""
    ends = ~word & _U(0x8080808080808080)
    return ends & (~ends + _U(1))


def _lengths(word: Words) -> IntArray:
    # The last bit of byte n moves the n-th byte of the factor, from its highest on, to the top.
    return (((_last(word) >> _U(7)) * _U(0x0102030405060708)) >> _U(56)).view(np.int64)


def _joined(word: Words) -> Words:
    """Joins the lower seven bits of all bytes."""
    for width, low in ((8, 0x007F007F007F007F), (16, 0x00003FFF00003FFF), (32, 0x0FFFFFFF)):
        word = (word & _U(low)) | ((word & _U(low << width)) >> _U(width // 8))
    return word


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The unsigned number at a place, and its end. Raises IndexError if the number has no end."""
    number = 0
    for shift in range(0, 7 * _LONGEST, 7):
        part = data[at]
        at += 1
        number |= (part & 0x7F) << shift
        if part < 0x80:
            return number, at
    raise IndexError("a number of more than 64 bits")


def list_head(data: bytes, at: int) -> tuple[int, int, int]:
    """The number of items of the list at a place, their kind, and the place where they begin.
    Raises IndexError beyond the end of the data."""
    count, kind = data[at] >> 4, data[at] & 0xF
    count, at = varint(data, at + 1) if count == _MANY else (count, at + 1)
    return count, kind, at
