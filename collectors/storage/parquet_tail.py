"""The tail of a Parquet file, by one request where its size is known.

A footer is Thrift, its length in 4 bytes, and `PAR1` (Parquet format, "File Format").
"""

from __future__ import annotations

from functools import partial
from typing import Any

from prunescope.collectors.storage import limits
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.random_access import (
    RandomAccessFile,
    arrow_s3,
    opened,
    patiently,
)
from prunescope.collectors.storage.traffic import count_read
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind, unreadable

TAIL = 64 << 10
"""Bytes read in the hope that they hold all of the footer, as Arrow does (Arrow 26): that of a
table of 20 columns and 50 row groups, with statistics. A longer footer takes a second read."""

_MAGIC = b"PAR1"
_END = 8


def read_tail(storage: Storage, path: str, size: int | None) -> bytes:
    """The end of a file from its footer on, or from before it. Raises FileUnreadable.

    `size` is the file's, in bytes, as its manifest has it. If it turns out to be wrong, or is
    negative or None, the storage is asked for it, once. Of what is no Parquet file, its last bytes.
    """
    known = None if size is None or size < 0 else size
    return patiently(storage, path, partial(_read, storage, path, known))


def _read(storage: Storage, path: str, size: int | None) -> bytes:
    if size is not None and (filesystem := arrow_s3(storage, path)) is not None:
        found = _by_arrow(*filesystem, size)
        if found is not None:
            return found
        size = None
    with opened(storage, path) as file:
        believed, found = file.size(believed=size), b""
        try:
            found = _tail(file, believed, path)
        except Exception as error:  # clients raise many kinds
            if unreadable(path, error).kind is not Kind.SHORT:
                raise
        if found.endswith(_MAGIC) or (real := file.size()) == believed:
            return found
        return _tail(file, real, path)


def _tail(file: RandomAccessFile, size: int, path: str) -> bytes:
    start = max(0, size - TAIL)
    found = file.read(start, size)
    # A file that is a little shorter than believed ends the read early.
    size = start + len(found)
    length = int.from_bytes(found[-_END : -len(_MAGIC)], "little") + _END
    if not found.endswith(_MAGIC) or length <= len(found) or length > size:
        return found
    if length > limits.FOOTER:
        raise FileUnreadable(path, Kind.TOO_LARGE)
    return file.read(size - length, start) + found


def _by_arrow(filesystem: Any, path: str, size: int) -> bytes | None:
    """The footer by one GET, or None if the file is not of that size, or not Parquet.

    From Python only a dataset's fragment takes a known size, and it hands out the footer parsed.
    Serialised again it has every field of the format: those of 580 files by parquet-java, Impala,
    Spark, Arrow and others were compared, and lost only fields that are in no version of it.
    Arrow 26 cannot do that with a plain footer of encrypted columns, and ends the process:
    no writer of Iceberg makes such files.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.dataset as ds  # noqa: PLC0415  # slow to import

    fragment = ds.ParquetFileFormat().make_fragment(path, filesystem, file_size=size)
    try:
        metadata = fragment.metadata
    except OSError as error:
        if unreadable(path, error).kind is Kind.SHORT or "AWS Error" not in str(error):
            return None
        raise
    except pa.ArrowException:
        return None
    # Arrow reads as much as we do, and what is missing of a longer footer.
    length = metadata.serialized_size + _END
    count_read(max(min(size, TAIL), length), 2 if length > TAIL else 1)
    sink = pa.BufferOutputStream()
    metadata.write_metadata_file(sink)
    return bytes(sink.getvalue())
