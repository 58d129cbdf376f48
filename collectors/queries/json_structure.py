"""The structure of a JSON text, seen without building what it describes.

An object in memory is up to 24 times as large as its text (`[],` over and over), and building it
holds the interpreter. Here a text is scanned a piece at a time, in memory that does not grow with
it: brackets and commas outside of strings tell how much there is to build, and where the elements
of an array are. The decoder decides whether a text is JSON at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

MAX_VALUES = 1_000_000
"""The most commas, colons and opening brackets of one document. Trino's events of hundreds of
tables have some tens of thousands; what a million builds is no more than about 250 MB."""

PIECE = 1 << 18
"""Bytes that are looked through at once."""
_QUOTE, _BACKSLASH, _COMMA = b'"\\,'
_COUNTED = b",:[{"
_NAME = re.compile(rb'\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:', re.DOTALL)


def _table(steps: dict[bytes, int]) -> NDArray[np.int8]:
    found = np.zeros(256, np.int8)
    for character, step in steps.items():
        found[character[0]] = step
    return found


_IS_COUNTED = _table({bytes([character]): 1 for character in _COUNTED})
_STEPS = _table({b"[": 1, b"{": 1, b"]": -1, b"}": -1})


def has_too_many_values(text: bytes) -> bool:
    """True if a document has more than MAX_VALUES values."""
    if len(text) <= MAX_VALUES or sum(map(text.count, (b",", b":", b"[", b"{"))) <= MAX_VALUES:
        return False
    count = 0
    for _, piece in _outside_strings(text):
        count += int(_IS_COUNTED[piece].sum(dtype=np.int64))
        if count > MAX_VALUES:
            return True
    return False


def array_elements(text: bytes) -> Iterator[bytes]:
    """The texts between the commas of the array that `text` begins with, as they are written. The
    last one is the text behind the array, with its closing bracket, or the last element of an array
    that does not end."""
    start = text.index(b"[") + 1
    for position, is_end in _separators(text):
        if not is_end:
            yield text[start:position]
            start = position + 1
            continue
        if text[start:position].strip():
            yield text[start:position]
        if text[position + 1 :].strip():
            yield text[position:]
        return
    yield text[start:]


def object_members(text: bytes) -> Iterator[tuple[str, bytes]]:
    """The members of the object that `text` is: names, and values as they are written, which may be
    no JSON. Raises ValueError if `text` is no object from its first bracket to its last."""
    first = start = text.find(b"{") + 1
    if not first or text[: first - 1].strip():
        raise ValueError("no object")
    for position, is_end in _separators(text):
        if is_end and (text[position : position + 1] != b"}" or text[position + 1 :].strip()):
            raise ValueError("more than an object")
        if is_end and start == first and not text[start:position].strip():
            return
        name = _NAME.match(text, start, position)
        if name is None:
            raise ValueError("a member without a name")
        yield json.loads(name[1]), text[name.end() : position]
        if is_end:
            return
        start = position + 1
    raise ValueError("an object that does not end")


def objects_of(text: bytes) -> Iterator[bytes]:
    """The objects that a text consists of, one after the other, each as it is written; an
    unfinished rest behind the last of them counts as one as well."""
    depth = start = 0
    for offset, piece in _outside_strings(text):
        steps = _STEPS[piece]
        depths = np.cumsum(steps, dtype=np.int32) + depth
        depth = int(depths[-1])
        for end in np.flatnonzero((depths == 0) & (steps < 0)):
            stop = offset + int(end) + 1
            yield text[start:stop]
            start = stop
    if text[start:].strip():
        yield text[start:]


def _separators(text: bytes) -> Iterator[tuple[int, bool]]:
    """The places of the commas of the array or object that `text` begins with, and at last the
    place of its end, if it ends."""
    depth = 0
    for offset, piece in _outside_strings(text):
        steps = _STEPS[piece]
        depths = np.cumsum(steps, dtype=np.int32) + depth
        depth = int(depths[-1])
        ends = np.flatnonzero((depths == 0) & (steps < 0))
        end = int(ends[0]) if ends.size else piece.size
        for comma in np.flatnonzero((piece[:end] == _COMMA) & (depths[:end] == 1)):
            yield offset + int(comma), False
        if ends.size:
            yield offset + end, True
            return


def _outside_strings(text: bytes) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """The bytes of a text a piece at a time, each with its place; bytes within strings are 0."""
    is_inside, is_escaped = 0, 0
    for offset in range(0, len(text), PIECE):
        size = min(PIECE, len(text) - offset)
        piece = np.frombuffer(text, np.uint8, size, offset)
        quotes = piece == _QUOTE
        if is_escaped or (piece == _BACKSLASH).any():
            escaped = _after_odd_backslashes(piece, is_escaped)
            quotes &= escaped[:-1] == 0
            is_escaped = int(escaped[-1])
        # The sum overflows, which leaves its last bit.
        inside = (np.cumsum(quotes, dtype=np.uint8) & 1) ^ is_inside
        is_inside = int(inside[-1])
        yield offset, np.where((inside == 1) | quotes, np.uint8(0), piece)


def _after_odd_backslashes(piece: NDArray[np.uint8], before: int) -> NDArray[np.int32]:
    """Tells for each place of a piece, and the one behind it, whether an odd number of backslashes
    stands directly before it. `before` is the answer for the first place."""
    places = np.arange(piece.size, dtype=np.int32)
    other = np.maximum.accumulate(np.where(piece == _BACKSLASH, np.int32(-1), places))
    run = places - other + np.where(other < 0, before, 0).astype(np.int32)
    return np.concatenate(([np.int32(before)], run & 1)).astype(np.int32)
