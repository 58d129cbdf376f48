"""Parts of one large log, which several tasks read.

A file of JSON lines is cut where a line that ends in `}` is followed by one that begins with `{`: a
well-formed document has these nowhere else, whether it is printed on one line or over many, so no
part needs to know the text before it. A document belongs to the part in whose bytes it begins, and
is read to its end. A row group of Parquet belongs to the part in whose bytes it begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from prunescope.collectors.queries.lines import CHUNK
from prunescope.collectors.storage.clock import tick

PART_BYTES = 16 << 20
"""Bytes of a part, but for the last."""

_PACKED = (".gz", ".zst", ".zstd")
_CUT = re.compile(rb"\}\r?\n(?=\{)")
_BEFORE_CUT = 3


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes of a file from `start` to before `stop`; None is wherever the file ends."""

    start: int
    stop: int | None

    def has(self, position: int) -> bool:
        """True if a document or row group that begins at `position` belongs to the part. Each
        belongs to one part, whatever a file says of itself: the first part has all before the next,
        the last all behind the one before."""
        after = not self.start or self.start <= position
        return after and (self.stop is None or position < self.stop)

    def place(self, path: str) -> str:
        """The start of the part, as messages show it."""
        return at_byte(path, self.start)


def at_byte(path: str, offset: int) -> str:
    """A place in a file for which no line number is known."""
    return f"{path}:byte {offset}"


def parts_of(path: str, size: int, part_bytes: int = PART_BYTES) -> list[Part | None]:
    """The parts of a file of so many bytes; None alone is the whole file. Compressed files and
    small ones are not divided."""
    if size <= part_bytes or path.endswith(_PACKED):
        return [None]
    starts = range(0, size, part_bytes)
    return [Part(start, stop) for start, stop in zip(starts, (*starts[1:], None), strict=True)]


def documents_of(raw: IO[bytes], part: Part) -> tuple[int, Iterator[bytes]]:
    """The place of the part's first document, and all bytes from there to the first document of
    another part."""
    first = _first_cut(raw, part) if part.start else 0
    return (part.start, iter(())) if first is None else (first, _from(raw, first, part.stop))


def _first_cut(raw: IO[bytes], part: Part) -> int | None:
    position = max(0, part.start - _BEFORE_CUT)
    raw.seek(position)
    window = b""
    while (part.stop is None or position < part.stop) and (chunk := raw.read(CHUNK)):
        tick()
        begin, window = position - len(window), window + chunk
        for found in _CUT.finditer(window):
            if begin + found.end() >= part.start:
                return begin + found.end() if part.has(begin + found.end()) else None
        position += len(chunk)
        window = window[-_BEFORE_CUT:]
    return None


def _from(raw: IO[bytes], first: int, stop: int | None) -> Iterator[bytes]:
    raw.seek(first)
    position, before = first, b""
    while chunk := raw.read(CHUNK):
        if stop is not None and position + len(chunk) >= stop:
            begin = position - len(before)
            for found in _CUT.finditer(before + chunk):
                if begin + found.end() >= stop:
                    yield chunk[: begin + found.end() - position]
                    return
        yield chunk
        position += len(chunk)
        before = (before + chunk)[-_BEFORE_CUT:]
