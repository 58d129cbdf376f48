"""Reading query logs: files in, one ObservedQuery or Rejected per record out."""

from __future__ import annotations

import glob
import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from collectors.errors import PrunescopeError
from collectors.queries.observed import ObservedQuery, Rejected
from collectors.tables.storage import Storage, local_path

MAX_LINE = 64 * 1024 * 1024
"""Bytes; a longer line is rejected, and skipped without being held in memory."""

FromJson = Callable[[bytes, str], ObservedQuery | Rejected]
FromRecord = Callable[[dict[str, Any], str], ObservedQuery | Rejected]


def expand_paths(patterns: Sequence[str]) -> list[str]:
    """The files that paths, directories and glob patterns name, sorted, each once.

    Hidden files and markers (`.crc`, `_SUCCESS`) are left out of directories. Remote locations
    must name files. Raises FileNotFoundError for a pattern that matches nothing.
    """
    files: dict[str, None] = {}
    for pattern in patterns:
        local = local_path(pattern)
        if local is None:
            files[pattern] = None
            continue
        found = [
            Path(match)
            for match in sorted(glob.glob(local, recursive=True))  # noqa: PTH207  # any root
        ]
        if not found:
            raise FileNotFoundError(pattern)
        for path in found:
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            files.update((str(p), None) for p in inside if p.is_file() and _is_data(p, path))
    return list(files)


def _is_data(path: Path, root: Path) -> bool:
    return path == root or not path.name.startswith((".", "_"))


def read_json_lines(
    path: str, storage: Storage, source: str, from_json: FromJson
) -> Iterator[ObservedQuery | Rejected]:
    """The records of a file of JSON lines (`.gz` is unpacked), streamed.

    A file that cannot be read, or not to its end, is itself one Rejected record; what was read
    before stands.
    """
    number = 0
    try:
        with storage.open(path) as raw:
            stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if path.endswith(".gz") else raw
            for number, line in enumerate(_lines(stream), start=1):
                location = f"{path}:{number}"
                if line is None:
                    yield Rejected(
                        source, location, "line_too_long", f"longer than {MAX_LINE} bytes"
                    )
                elif line.strip():
                    yield from_json(line, location)
    except (OSError, EOFError, PrunescopeError) as error:
        yield _unreadable(path, source, number, error)


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
    path: str, storage: Storage, source: str, from_json: FromJson, from_record: FromRecord | None
) -> Iterable[ObservedQuery | Rejected]:
    """The records of a file, by its name."""
    if from_record is not None and is_parquet(path):
        return read_parquet(path, storage, source, from_record)
    return read_json_lines(path, storage, source, from_json)
