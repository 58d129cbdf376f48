"""The JSON of table metadata, packed or not, of a size that a process can hold."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from typing import Any

from collectors.errors import TableError, UnreadableMetadata
from collectors.storage import limits
from collectors.tables.other_objects import other_file


def read_json(content: bytes, location: str) -> Any:
    """What a metadata file (plain or gzipped JSON) holds. Raises UnreadableMetadata, and TableError
    for a file of another kind."""
    try:
        text = _unpacked(content)
        require_few_values(text, location)
        return json.loads(text)
    except (OSError, EOFError, ValueError, zlib.error, RecursionError) as error:
        if (other := other_file(content)) is not None:
            raise TableError(f"{location} is {other}") from error
        raise UnreadableMetadata(
            f"{location} is not JSON (plain or gzipped): {type(error).__name__}; "
            "is it a table metadata file, and complete?"
        ) from error


def _unpacked(content: bytes) -> bytes:
    if content[:2] != b"\x1f\x8b":
        return content
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
        text = packed.read(limits.METADATA + 1)
    if len(text) > limits.METADATA:
        raise ValueError(f"more than {limits.METADATA} bytes when unpacked")
    return text


def require_few_values(text: bytes | bytearray, what: str) -> None:
    """Raises UnreadableMetadata for JSON that takes too much memory when it is parsed."""
    # What begins or separates them may stand in texts as well, where it is seldom.
    if sum(map(text.count, (b",", b":", b"[", b"{"))) > limits.METADATA_VALUES:
        raise UnreadableMetadata(
            f"{what} has more than {limits.METADATA_VALUES:,} values; expire snapshots of the table"
        )
