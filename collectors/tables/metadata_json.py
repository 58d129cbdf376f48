"""The JSON of table metadata, packed or not, of a size that a process can hold."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from typing import Any

from collectors.budget import Budget, TooMuch, room, weight_of_json
from collectors.errors import TableError, UnreadableMetadata
from collectors.storage import limits
from collectors.tables.other_objects import other_file


def read_json(content: bytes, location: str) -> Any:
    """What a metadata file (plain or gzipped JSON) holds. Raises UnreadableMetadata, and TableError
    for a file of another kind."""
    try:
        text = _unpacked(content, location)
        require_little(text, location)
        return json.loads(text)
    except (OSError, EOFError, ValueError, zlib.error, RecursionError) as error:
        if (other := other_file(content)) is not None:
            raise TableError(f"{location} is {other}") from error
        raise UnreadableMetadata(
            f"{location} is not JSON (plain or gzipped): {type(error).__name__}; "
            "is it a table metadata file, and complete?"
        ) from error


def _unpacked(content: bytes, location: str) -> bytes:
    if content[:2] != b"\x1f\x8b":
        return content
    most = room(len(content), limits.METADATA)
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
        text = packed.read(most + 1)
    if len(text) > most:
        raise too_much(location, TooMuch(f"it unpacks to more than {most >> 20} MiB"))
    return text


def require_little(text: bytes | bytearray, what: str) -> None:
    """Raises UnreadableMetadata for JSON that takes too much memory when it is parsed."""
    try:
        Budget(limits.BUILT).take(weight_of_json(text))
    except TooMuch as error:
        raise too_much(what, error) from error


def too_much(what: str, error: TooMuch) -> UnreadableMetadata:
    """The error of metadata that nobody could read, however valid it is."""
    return UnreadableMetadata(
        f"{what} is too large: {error}; expire snapshots of the table, or see what writes it"
    )
