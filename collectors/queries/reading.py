"""Reading query logs: files in, one ObservedQuery or Rejected per record out."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, cast

import zstandard

from prunescope.collectors.errors import PrunescopeError, QueryError, what_failed
from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries import content
from prunescope.collectors.queries.content import as_utf8, beginning, form_of, not_read, utf8_mark
from prunescope.collectors.queries.json_documents import split_documents
from prunescope.collectors.queries.lines import (
    CHUNK,
    MAX_LINE,
    Measured,
    bounded,
    large_window,
    split_lines,
)
from prunescope.collectors.queries.parts import Part, at_byte, documents_of
from prunescope.collectors.storage.files import Storage

_UNREADABLE = (
    OSError,
    EOFError,
    MemoryError,
    zlib.error,
    zstandard.ZstdError,
    PrunescopeError,
)

_PACKED = 1 << 10
"""Bytes of zstd that are unpacked at once: to 32 MiB at most, as four are a block of 128 KiB."""

FromJson = Callable[[bytes, str], ObservedQuery | Rejected]
FromRecord = Callable[[dict[str, Any], str], ObservedQuery | Rejected]


def read_json_lines(
    path: str, storage: Storage, source: str, from_json: FromJson, part: Part | None = None
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a file of JSON lines (gzip and zstd are unpacked), streamed. Documents that
    are printed over several lines are read too, and arrays of records. Those of a part have the
    byte at which they begin for a location, in place of the line's number.

    A file that cannot be read, or not to its end, is itself one Rejected record; what was read
    before stands.
    """
    lines = read_lines(path, storage, source, part)
    for location, text in split_documents(lines, source, longest=MAX_LINE):
        yield text if isinstance(text, Rejected) else from_json(text, location)


def read_lines(
    path: str, storage: Storage, source: str, part: Part | None = None
) -> Iterator[tuple[str, bytes | Rejected]]:
    """The lines of a file that are not blank, each with its location; a Rejected for one that
    is too long, and for a file that cannot be read, or not to its end."""
    number, location, is_whole = 0, path if part is None else part.place(path), part is None
    try:
        with storage.open(path) as raw:
            first, chunks = _content(raw, path, part)
            for number, (begin, line) in enumerate(split_lines(chunks, MAX_LINE), start=1):
                is_whole = first is None
                location = f"{path}:{number}" if first is None else at_byte(path, first + begin)
                if line is None:
                    too_long = f"longer than {MAX_LINE} bytes"
                    yield location, Rejected(source, location, Outcome.LINE_TOO_LONG, too_long)
                elif line.strip():
                    yield location, line + b"\n"
    except _UNREADABLE as error:
        if number and is_whole:
            location = f"{path}:{number + 1}"
        yield location, _unreadable(location, source, error)


def _content(raw: IO[bytes], path: str, part: Part | None) -> tuple[int | None, Iterator[bytes]]:
    """The content of a file, or of a part of it, and its place, None for a whole file. A file that
    must be read from its beginning is in the first part. Raises UnsupportedCodec."""
    head = beginning(raw)
    form = form_of(head, path)
    mark = utf8_mark(head) if form is None else None
    if part is not None and mark is not None:
        first, chunks = documents_of(raw, part)
        return first or mark, chunks if first else as_utf8(chunks)
    if part is not None and part.start:
        return part.start, iter(())
    packed = Measured(raw)
    return None, as_utf8(bounded(_unpacked(packed, form), packed))


def _unpacked(packed: Measured, form: str | None) -> Iterator[bytes]:
    """The content of a file. Raises UnsupportedCodec, and at the end of one that was cut off
    EOFError or OSError."""
    match form:
        case None:
            read: Callable[[int], bytes] = packed.read
        case content.GZIP:
            read = gzip.GzipFile(fileobj=cast(IO[bytes], packed)).read1
        case content.ZSTD:
            yield from _zstd(packed)
            return
        case _:
            raise not_read(form)
    while chunk := read(CHUNK):
        yield chunk


def _zstd(packed: Measured) -> Iterator[bytes]:
    """Unpacks frame by frame. Raises EOFError at a cut, which the readers of `zstandard` take for
    the end."""
    frame = None
    while chunk := packed.read(CHUNK):
        for start in range(0, len(chunk), _PACKED):
            rest = chunk[start : start + _PACKED]
            while rest:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                try:
                    yield frame.decompress(rest)
                except zstandard.ZstdError as error:
                    raise large_window(error) or error from None
                rest = frame.unused_data
                frame = None if frame.eof else frame
    if frame is not None:
        raise EOFError


def read_parquet(
    path: str, storage: Storage, source: str, from_record: FromRecord, part: Part | None = None
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a Parquet file, some at a time; failures as in `read_json_lines`. A row
    with a value that Python has no object for (a year beyond 9999) is one Rejected record, as is
    one that is too long."""
    import pyarrow as pa  # noqa: PLC0415

    from prunescope.collectors.queries.parquet_rows import read_rows  # noqa: PLC0415

    number, location = 0, path if part is None else part.place(path)
    try:
        with storage.open(path) as stream:
            for number, record in read_rows(stream, part):
                location = f"{path}:{number}"
                if isinstance(record, str):
                    too_long = f"longer than {MAX_LINE} bytes"
                    yield Rejected(source, location, Outcome.LINE_TOO_LONG, too_long)
                elif isinstance(record, Exception):
                    unreadable = f"a value cannot be read ({type(record).__name__})"
                    yield Rejected(source, location, Outcome.MALFORMED_RECORD, unreadable)
                else:
                    yield from_record(record, location)
    except (*_UNREADABLE, pa.ArrowException) as error:
        yield _unreadable(f"{path}:{number + 1}" if number else location, source, error)


def _unreadable(location: str, source: str, error: Exception) -> Rejected:
    reason = error.code if isinstance(error, QueryError) else Outcome.UNREADABLE_FILE
    why = str(error) if isinstance(error, QueryError) else what_failed(error)
    message = f"the file cannot be read from here on ({why})"
    return Rejected(source, location, reason, message)


def is_parquet(path: str) -> bool:
    """True if a file's name has a suffix of Parquet."""
    return path.endswith((".parquet", ".pq"))


def reader(  # a file, how to read it, and what of it
    path: str,
    storage: Storage,
    source: str,
    from_json: FromJson,
    from_record: FromRecord,
    part: Part | None = None,
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a file, or of a part of it: Parquet or JSON lines, by its name."""
    if is_parquet(path):
        return read_parquet(path, storage, source, from_record, part)
    return read_json_lines(path, storage, source, from_json, part)
