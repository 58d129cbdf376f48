"""Reading query logs: files in, one ObservedQuery or Rejected per record out."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from typing import IO, Any, cast

import zstandard

from collectors.errors import PrunescopeError
from collectors.queries.observed import ObservedQuery, Rejected
from collectors.tables.storage import Storage

MAX_LINE = 64 * 1024 * 1024
"""Bytes; a longer line is rejected, and skipped without being held in memory."""

FromJson = Callable[[bytes, str], ObservedQuery | Rejected]
FromRecord = Callable[[dict[str, Any], str], ObservedQuery | Rejected]


def read_json_lines(
    path: str, storage: Storage, source: str, from_json: FromJson
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a file of JSON lines (`.gz` is unpacked), streamed.

    A file that cannot be read, or not to its end, is itself one Rejected record; what was read
    before stands.
    """
    for location, line in read_lines(path, storage, source):
        yield line if isinstance(line, Rejected) else from_json(line, location)


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
    except (OSError, EOFError, zstandard.ZstdError, PrunescopeError) as error:
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
    """The records of a Parquet file, a row group at a time; failures as in
    `read_json_lines`."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    number = 0
    try:
        with storage.open(path) as stream:
            for batch in pq.ParquetFile(stream).iter_batches(batch_size=1024):
                for record in batch.to_pylist():
                    number += 1
                    yield from_record(record, f"{path}:{number}")
    except (OSError, EOFError, pa.ArrowException, PrunescopeError) as error:
        yield _unreadable(path, source, number, error)


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
