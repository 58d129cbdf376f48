"""Bytes that are read at many places at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prunescope.collectors.arrays import IntArray, Words

_PADDING = 16
"""Zeros behind the bytes, so that a value of a fixed size can be read before it is known where it
ends."""


class Content:
    """The concatenated bytes of some parts: `data` has each byte, `words` the eight bytes from each
    place on."""

    def __init__(self, *parts: bytes) -> None:
        self.data = np.frombuffer(b"".join((*parts, bytes(_PADDING))), np.uint8)
        self.size = len(self.data) - _PADDING
        self.words: Words = np.ndarray(self.size + _PADDING - 7, "<u8", self.data, strides=(1,))

    def binaries(self, start: IntArray, sizes: IntArray) -> pa.Array:
        """The bytes of these places, as an array of binary."""
        if not len(sizes):
            return pa.array([], pa.binary())
        total, width = int(sizes.sum()), int(sizes[0])
        offsets = np.zeros(len(sizes) + 1, np.int32)
        np.cumsum(sizes, out=offsets[1:])
        found: npt.NDArray[np.unsignedinteger]
        if total != width * len(sizes) or bool((sizes != width).any()):
            places = np.arange(total) + np.repeat(start - offsets[:-1], sizes)
            found = self.data[places]
        elif width == 8:
            found = self.words[start]
        else:
            found = self.data[start[:, None] + np.arange(width)]
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(found))]
        return pa.Array.from_buffers(pa.binary(), len(sizes), buffers)
