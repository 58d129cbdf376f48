"""Masks over N containers as bits, 64 to a word, to be combined and counted a word at a time.

A row of one word for more than 64 containers stands for a mask that is the same for all of them:
all of its bits are alike. Bits beyond the last container are arbitrary.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from prunescope.collectors.arrays import BoolArray, IntArray

Packed = npt.NDArray[np.uint64]
"""L masks of W words, of the shape (L, W), or 1 in place of either where it is the same for all."""

ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
NONE = np.uint64(0)

_WORD = 64
_NUMBERS = 1 << 16
"""Masks × containers that are numbers at once, each eight bytes."""
_FEW = 32
"""One in so many: if fewer containers of a mask are true, these are looked up one by one."""


def words(count: int) -> int:
    """The number W of words for `count` containers."""
    return -(-count // _WORD)


def pack(masks: BoolArray, count: int) -> Packed:
    """Packs masks over `count` containers, of the shape (L, N), or (L, 1) if they are the same for
    all."""
    if masks.shape[1] != count:
        return np.where(masks, ALL, NONE)
    found = np.zeros((len(masks), words(count)), np.uint64)
    as_bytes = np.packbits(masks, axis=1, bitorder="little")
    found.view(np.uint8)[:, : as_bytes.shape[1]] = as_bytes
    return found


def unpack(packed: Packed, count: int) -> BoolArray:
    """The masks, of the shape (L, N)."""
    if not packed.size or not count:
        return np.zeros((len(packed), count), np.bool_)
    whole = np.ascontiguousarray(np.broadcast_to(packed, (len(packed), words(count))))
    as_bytes = whole.view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=count, bitorder="little").view(np.bool_)


def counts(masks: Packed) -> IntArray:
    """The number of containers in each mask. No mask may have bits beyond the last container."""
    of_words = np.bitwise_count(masks)
    # Twice as fast, where so few words cannot have more.
    kind = np.uint16 if of_words.shape[1] < (1 << 16) // _WORD else np.int64
    return np.asarray(of_words.sum(axis=1, dtype=kind), np.int64)


def sums(masks: Packed, *weights: IntArray) -> list[IntArray]:
    """The sum of each of the weights (N) over the containers of each of some masks, none of which
    has bits beyond the last one."""
    found = [np.zeros(len(masks), np.int64) for _ in weights]
    sizes = counts(masks)
    few = sizes * _FEW <= len(weights[0])
    for rows, summed in ((few, _sums_of_few), (~few, _sums_of_many)):
        if rows.any():
            own = masks if rows.all() else masks[rows]
            for total, part in zip(found, summed(own, sizes[rows], weights), strict=True):
                total[rows] = part
    return found


def _sums_of_few(masks: Packed, sizes: IntArray, weights: Sequence[IntArray]) -> list[IntArray]:
    """The sums for sparse masks: finds words that are not 0 first, then their bytes, then their
    bits."""
    word = np.flatnonzero(masks != 0)
    as_bytes = masks.ravel()[word].view(np.uint8)
    byte = np.flatnonzero(as_bytes != 0)
    bit = np.flatnonzero(np.unpackbits(as_bytes[byte], bitorder="little").view(np.bool_))
    byte = byte[bit >> 3]
    places = _WORD * (word % masks.shape[1])[byte >> 3] + 8 * (byte & 7) + (bit & 7)
    ends = np.concatenate(([0], np.cumsum(sizes)))
    found = []
    for weight in weights:
        before = np.concatenate(([0], np.cumsum(weight[places])))
        found.append(before[ends[1:]] - before[ends[:-1]])
    return found


def _sums_of_many(masks: Packed, sizes: IntArray, weights: Sequence[IntArray]) -> list[IntArray]:
    """The sums for dense masks, number by number."""
    found = [np.zeros(len(sizes), np.int64) for _ in weights]
    count = len(weights[0])
    step = max(1, _NUMBERS // count)
    for top in range(0, len(masks), step):
        own = unpack(masks[top : top + step], count)
        for left in range(0, count, _NUMBERS):
            numbers = own[:, left : left + _NUMBERS].astype(np.int64)
            for weight, total in zip(weights, found, strict=True):
                total[top : top + step] += np.einsum(
                    "bn,n->b", numbers, weight[left : left + _NUMBERS]
                )
    return found
