"""Reading query logs: files in, one ObservedQuery or Rejected per record out."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, cast

import zstandard

from collectors.errors import PrunescopeError
from collectors.queries.json_documents import split_documents
from collectors.queries.observed import ObservedQuery, Rejected
from collectors.tables.storage import Storage

if TYPE_CHECKING:
    from pyarrow import RecordBatch

MAX_LINE = 64 * 1024 * 1024
"""Bytes; a longer line, or document over several lines, is rejected, and skipped without being
held in memory."""

FromJson = Callable[[bytes, str], ObservedQuery | Rejected]
FromRecord = Callable[[dict[str, Any], str], ObservedQuery | Rejected]


def read_json_lines(
    path: str, storage: Storage, source: str, from_json: FromJson
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a file of JSON lines (`.gz` and `.zst` are unpacked), streamed. Documents
    that are printed over several lines are read too, and arrays of records.

    A file that cannot be read, or not to its end, is itself one Rejected record; what was read
    before stands.
    """
    lines = read_lines(path, storage, source)
    for location, text in split_documents(lines, source, longest=MAX_LINE):
        yield text if isinstance(text, Rejected) else from_json(text, location)


def read_lines(path: str, storage: Storage, source: str) -> Iterator[tuple[str, bytes | Rejected]]:
    """The lines of a file that are not blank, each with its location; a Rejected for one that
    is too long, and for a file that cannot be read, or not to its end."""
    number = 0
    try:
        with storage.open(path) as raw, _unpacked(raw, path) as stream:
            for number, line in enumerate(_lines(stream), start=1):
                location = f"{path}:{number}"
                if line is None:
                    too_long = f"longer than {MAX_LINE} bytes"
                    yield location, Rejected(source, location, "line_too_long", too_long)
                elif line.strip():
                    yield location, line
    except (OSError, EOFError, zlib.error, zstandard.ZstdError, PrunescopeError) as error:
        rejected = _unreadable(path, source, number, error)
        yield rejected.location, rejected


def _unpacked(raw: IO[bytes], path: str) -> IO[bytes]:
    """The content of a file, by its name."""
    if path.endswith(".gz"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if path.endswith((".zst", ".zstd")):
        unpacked = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return cast(IO[bytes], io.BufferedReader(unpacked))
    return raw


def _lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    while line := stream.readline(MAX_LINE):
        if line.endswith(b"\n") or len(line) < MAX_LINE:
            yield line
            continue
        while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def read_parquet(
    path: str, storage: Storage, source: str, from_record: FromRecord
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a Parquet file, a batch at a time; failures as in `read_json_lines`. A row
    with a value that Python has no object for (a year beyond 9999) is one Rejected record."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    number = 0
    try:
        with storage.open(path) as stream:
            for batch in pq.ParquetFile(stream).iter_batches(batch_size=1024):
                for record in _rows(batch):
                    number += 1
                    location = f"{path}:{number}"
                    if isinstance(record, Exception):
                        unreadable = f"a value cannot be read ({type(record).__name__})"
                        yield Rejected(source, location, "malformed_record", unreadable)
                    else:
                        yield from_record(record, location)
    except (OSError, EOFError, pa.ArrowException, PrunescopeError) as error:
        yield _unreadable(path, source, number, error)


def _rows(batch: RecordBatch) -> Iterator[dict[str, Any] | Exception]:
    """The rows of a batch; the error in place of one that cannot be read."""
    # Far dates, text that is not UTF-8, time zones that nobody knows.
    unreadable = (ValueError, ArithmeticError, LookupError)
    try:
        rows = batch.to_pylist()
    except unreadable as error:
        if batch.num_rows == 1:
            yield error
            return
        for number in range(batch.num_rows):
            yield from _rows(batch.slice(number, 1))
    else:
        yield from rows


def _unreadable(path: str, source: str, number: int, error: Exception) -> Rejected:
    return Rejected(
        source,
        f"{path}:{number + 1}" if number else path,
        "unreadable_file",
        f"the file cannot be read from here on ({type(error).__name__})",
    )


def is_parquet(path: str) -> bool:
    """Whether a file's name says that it is Parquet."""
    return path.endswith((".parquet", ".pq"))


def reader(
    path: str, storage: Storage, source: str, from_json: FromJson, from_record: FromRecord
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a file: Parquet or JSON lines, by its name."""
    if is_parquet(path):
        return read_parquet(path, storage, source, from_record)
    return read_json_lines(path, storage, source, from_json)
