"""How much may be built of what a file says, in bytes of memory.

A few bytes of a file can stand for gigabytes: names that are joined at every depth, lists of items
that take a byte each, pages that repeat one value. What would be built is weighed before it is, and
taken from a budget: all that reads files of others has one.
"""

from __future__ import annotations

import numpy as np

UNPACKED_RATIO, ALWAYS_UNPACKED = 256, 16 << 20
"""How many times its size what is packed may be when unpacked, and the bytes that any may: metadata
shrinks to a third or a thirtieth, and a bomb of some kilobytes is not worth the memory of a large
file."""

_OF_JSON = 80
"""Bytes of a name, value, list or object of JSON once it is parsed, however short its text."""
_COUNTED = (b",", b":", b"[", b"{")
"""What begins or separates them. These may stand in texts as well, where they are seldom."""
_WIDTHS = ((0xF0, 4), (0xC4, 2))
"""Bytes that Python has for each character of a text, by the first byte of its widest one in
UTF-8."""


class TooMuch(ValueError):
    """More would be built of a file than it is given."""


class Budget:
    """Bytes that what a file says may still take."""

    __slots__ = ("_limit", "left")

    def __init__(self, limit: int) -> None:
        self._limit = self.left = limit

    def take(self, size: int) -> None:
        """Before so many bytes are built. Raises TooMuch."""
        self.left -= size
        if self.left < 0:
            raise TooMuch(f"what it says takes more than {_shown(self._limit)} when it is read")

    def give_back(self, size: int) -> None:
        """When so many bytes, which were taken, are let go of."""
        self.left += size

    def refill(self) -> None:
        """When all that was taken is let go of."""
        self.left = self._limit

    @property
    def is_half_taken(self) -> bool:
        """Whether it is time to let go of what was built, where that can be done in parts."""
        return 2 * self.left < self._limit


def _shown(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size:,} bytes"


def room(packed: int, most: int) -> int:
    """The bytes to which so many may be unpacked, and at most so many."""
    return min(most, max(ALWAYS_UNPACKED, UNPACKED_RATIO * packed))


def weight_of_json(text: bytes | bytearray) -> int:
    """About the bytes that a text takes besides itself while it is parsed, and afterwards."""
    if not text:
        return 0
    highest = int(np.frombuffer(text, np.uint8).max())
    width = next((width for first, width in _WIDTHS if highest >= first), 1)
    return width * len(text) + _OF_JSON * sum(map(text.count, _COUNTED))
