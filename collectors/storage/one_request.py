"""A file by one request, where its size is known.

To open a file of S3 Arrow asks for its size first, and from Python only a dataset's fragment takes
a known one (Arrow 26). Of its formats CSV hands out whatever it reads, and decodes it before: so
bytes are read as letters of which none ends a line or a value, as one column of one row.
"""

from __future__ import annotations

import codecs
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from prunescope.collectors.storage import limits
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.in_flight import IN_FLIGHT
from prunescope.collectors.storage.random_access import arrow_s3, fsspec_filesystem, patiently
from prunescope.collectors.storage.traffic import count_read

LONGEST = 8 << 20
"""Bytes beyond which one more request of Arrow does not count: for a million of them, letters take
16 ms of CPU."""

_ENCODING = "prunescope_bytes"
_FIRST = 0x100
"""The letter of byte 0: each has two bytes in UTF-8, the first six bits of them in the second."""

_LETTERS = "".join(chr(_FIRST + byte) for byte in range(256))
_PLAIN = ("", ".avro")
"""Ends of names of which Arrow does not conclude that the file is packed."""


class _Letters(codecs.IncrementalDecoder):
    def decode(self, content: Any, final: bool = False) -> str:  # noqa: ARG002
        return codecs.charmap_decode(bytes(content), "strict", _LETTERS)[0]


def _codec(name: str) -> codecs.CodecInfo | None:
    if name != _ENCODING:
        return None
    decode, encode = codecs.charmap_decode, codecs.charmap_encode
    return codecs.CodecInfo(encode, decode, incrementaldecoder=_Letters, name=name)


codecs.register(_codec)


def read_by_one_request(storage: Storage, path: str, size: int) -> bytes | None:
    """So many bytes of a file, None where that takes more than one request, or they are not there.

    Whether the file ends with them is not known, nor, as Arrow does not tell, whether all are
    its own: whoever reads them must find out. Raises FileUnreadable or TableTooSlow, and nothing
    else.
    """
    if not 0 < size <= limits.MANIFEST:
        return None

    def read() -> bytes | None:
        by_arrow = arrow_s3(storage, path)
        if by_arrow is not None:
            is_fit = size <= LONGEST and PurePosixPath(path).suffix in _PLAIN
            return _by_arrow(*by_arrow, size) if is_fit else None
        filesystem = fsspec_filesystem(storage, path)
        if filesystem is None:
            return None
        found: bytes = filesystem.cat_file(storage.permitted(path), start=0, end=size)
        count_read(len(found), 1)
        return found if len(found) == size else None

    return patiently(storage, path, read)


def _by_arrow(filesystem: Any, path: str, size: int) -> bytes | None:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.dataset as ds  # noqa: PLC0415  # slow to import
    from pyarrow import csv  # noqa: PLC0415

    if pa.io_thread_count() < IN_FLIGHT:  # of Arrow itself, by which it reads fragments
        pa.set_io_thread_count(IN_FLIGHT)
    schema = pa.schema([("bytes", pa.large_binary())])
    options = ds.CsvFragmentScanOptions(
        read_options=csv.ReadOptions(
            column_names=schema.names, encoding=_ENCODING, block_size=2 * size + 1
        ),
        convert_options=csv.ConvertOptions(column_types=schema, check_utf8=False),
    )
    form = ds.CsvFileFormat(
        csv.ParseOptions(quote_char=False), default_fragment_scan_options=options
    )
    try:
        fragment = form.make_fragment(path, filesystem, file_size=size)
        (row,) = fragment.to_table(schema, use_threads=False)["bytes"].chunks
    except OSError as error:
        count_read(0, 1)
        if "AWS Error" in str(error):
            raise
        return None
    except (pa.ArrowException, ValueError):
        return None
    letters = np.frombuffer(row[0].as_buffer(), np.uint8)
    found: bytes = ((letters[0::2] << 6) | (letters[1::2] & 0x3F)).tobytes()
    count_read(len(found), 1)
    return found if len(found) == size else None
