"""The JSON of table metadata, packed or not, of a size that a process can hold."""

from __future__ import annotations

import gzip
import io
import json
import math
import zlib
from typing import Any, NoReturn

from prunescope.collectors.budget import Budget, TooMuch, room, weight_of_json
from prunescope.collectors.errors import TableError, UnreadableMetadata
from prunescope.collectors.storage import limits
from prunescope.collectors.tables.other_objects import other_file


class _NotFinite(ValueError):
    """A number that is not finite."""


def read_json(content: bytes, location: str) -> Any:
    """The content of a metadata file (plain or gzipped JSON). Raises UnreadableMetadata, and
    TableError for a file of another kind."""
    try:
        return parse_json(_unpacked(content, location), location)
    except (OSError, EOFError, ValueError, zlib.error, RecursionError) as error:
        if (other := other_file(content)) is not None:
            raise TableError(f"{location} is {other}") from error
        raise UnreadableMetadata(
            f"{location} is not JSON, plain or gzipped ({type(error).__name__}). Check that it is "
            f"a complete table metadata file."
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


def parse_json(text: bytes | bytearray, what: str) -> Any:
    """The content of the JSON of metadata. The last value of a name that stands twice in an object
    counts, as for Iceberg's own parser. Raises UnreadableMetadata for a text that takes too much
    memory, and for numbers that are not finite: NaN is no JSON, and 1e999 is no number of a table;
    and ValueError or RecursionError for a text that is no JSON."""
    try:
        Budget(limits.BUILT).take(weight_of_json(text))
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except TooMuch as error:
        raise too_much(what, error) from error
    except _NotFinite as error:
        raise UnreadableMetadata(
            f"{what} has a number that is not finite; compare it with an earlier version of the "
            "table's metadata"
        ) from error


def _refuse(_: str) -> NoReturn:
    raise _NotFinite


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def too_much(what: str, error: TooMuch) -> UnreadableMetadata:
    """The error of metadata that is too large to be read, however valid it is."""
    return UnreadableMetadata(
        f"{what} is too large: {error}; expire snapshots of the table, or see what writes it"
    )
