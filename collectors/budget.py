"""Limits on the memory that the content of a file may take, in bytes.

A few bytes of a file can stand for gigabytes: names that are joined at every depth, lists of items
that take a byte each, pages that repeat one value. Objects are weighed before they are built, and
their weight is taken from a budget: every reader of foreign files has one.
"""

from __future__ import annotations

import numpy as np

UNPACKED_RATIO, ALWAYS_UNPACKED = 256, 16 << 20
"""The largest ratio of what is unpacked to its packed size, and the bytes that are always allowed:
metadata shrinks to a third or a thirtieth, and a bomb of some kilobytes is not worth the memory of
a large file."""

_OF_JSON = 80
"""Bytes of a name, value, list or object of JSON once it is parsed, however short its text."""
_COUNTED = (b",", b":", b"[", b"{")
"""Bytes that begin values or separate them. Texts may have them as well, but seldom do."""
_WIDTHS = ((0xF0, 4), (0xC4, 2))
"""Bytes that Python has for each character of a text, by the first byte of its widest one in
UTF-8."""


class TooMuch(ValueError):
    """The content of a file would take more memory than its budget."""


class Budget:
    """Bytes of memory that the content of a file may still take."""

    __slots__ = ("_limit", "left")

    def __init__(self, limit: int) -> None:
        self._limit = self.left = limit

    def take(self, size: int) -> None:
        """Takes `size` bytes before they are built. Raises TooMuch if fewer are left."""
        self.left -= size
        if self.left < 0:
            raise TooMuch(f"what it says takes more than {_shown(self._limit)} when it is read")

    def give_back(self, size: int) -> None:
        """Returns `size` bytes, which were taken, once they are freed."""
        self.left += size

    def refill(self) -> None:
        """Returns all bytes that were taken, once they are freed."""
        self.left = self._limit

    @property
    def is_half_taken(self) -> bool:
        """True if more than half is taken: time to free objects, if that can be done in parts."""
        return 2 * self.left < self._limit


def _shown(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size:,} bytes"


def room(packed: int, most: int) -> int:
    """The bytes to which `packed` bytes may be unpacked, `most` at most."""
    return min(most, max(ALWAYS_UNPACKED, UNPACKED_RATIO * packed))


def weight_of_json(text: bytes | bytearray) -> int:
    """Estimates the bytes that a JSON text takes besides itself while and after it is parsed."""
    if not text:
        return 0
    highest = int(np.frombuffer(text, np.uint8).max())
    width = next((width for first, width in _WIDTHS if highest >= first), 1)
    return width * len(text) + _OF_JSON * sum(map(text.count, _COUNTED))
