"""Lines of a stream that is unpacked as it is read, in bounded memory and for a bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import zstandard

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.storage.clock import tick

CHUNK = 1 << 20
MAX_LINE = 64 << 20
"""Bytes; a longer line, document over several lines, or row, is rejected, and skipped without being
held in memory."""
MOST_UNPACKED = 16 << 20
"""Bytes that any file may unpack to; of more, MOST_RATIO decides."""
MOST_RATIO = 256
"""Bytes that a byte of a file may unpack to. Logs reach 10 to 100; gzip's most is 1,032, that of
zstd many thousands."""


class UnpacksTooMuch(QueryError):
    """A small file unpacks to so much that it is no log."""

    code = Outcome.UNPACKS_TOO_MUCH


class UnsupportedCodec(QueryError):
    """A log is compressed in a way that is not read."""

    code = Outcome.UNSUPPORTED_CODEC


def large_window(error: zstandard.ZstdError) -> UnsupportedCodec | None:
    """The error of a frame whose window is larger than zstd takes by default, 128 MiB; None for any
    other error, as of a damaged frame."""
    if "too much memory" not in str(error):
        return None
    return UnsupportedCodec(
        "unpacking takes a window of more than 128 MiB; compress it again without `--long`, or "
        "with `--long=27` at most"
    )


class Measured:
    """A file that is read from its beginning, with the number of bytes that were read."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        """Reads like a file's `read`. Raises LogTooSlow."""
        tick()
        data = self._raw.read(size)
        self.taken += len(data)
        return data


def check_ratio(unpacked: int, packed: int) -> None:
    """Raises UnpacksTooMuch if a file unpacked to too many bytes for the packed bytes read."""
    if unpacked > max(MOST_UNPACKED, MOST_RATIO * packed):
        raise UnpacksTooMuch(
            f"the file unpacks to more than {MOST_RATIO} times its size; logs do not"
        )


def bounded(chunks: Iterator[bytes], packed: Measured) -> Iterator[bytes]:
    """The unpacked chunks of a file. Raises UnpacksTooMuch once they are too many for the bytes
    read."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        check_ratio(size, packed.taken)
        yield chunk


def split_lines(chunks: Iterator[bytes], longest: int) -> Iterator[tuple[int, bytes | None]]:
    """The lines in some chunks, without their ends, each with the byte at which it begins; None for
    one of more than `longest` bytes, no more of which are held."""
    # One buffer: chunks can be of one byte each.
    pending = bytearray()
    begin = size = 0
    for chunk in chunks:
        tick()
        if size > longest and b"\n" not in chunk:
            size += len(chunk)
            continue
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            size += len(part)
            yield begin, (bytes(pending) + part if pending else part) if size <= longest else None
            pending.clear()
            begin += size + 1
            size = 0
        size += len(rest)
        if size <= longest:
            pending += rest
        else:
            pending.clear()
    if size:
        yield begin, bytes(pending) if size <= longest else None
