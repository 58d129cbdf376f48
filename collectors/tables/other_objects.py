"""Names for files that somebody, or a catalog, mistakes for the metadata of a table."""

from __future__ import annotations

import json
from typing import Any

_MAGIC = {
    b"Obj\x01": "an Avro file, such as a manifest or a manifest list",
    b"PAR1": "a Parquet file",
    b"PFA1": "a Puffin file, which has statistics or deletion vectors",
}
_KEYS = {
    "view-uuid": "the metadata of a view, which has no files: name the tables that it reads",
    "function-uuid": "the metadata of a function, which has no files",
    "commitInfo": "the log of a Delta table, not of Iceberg",
    "protocol": "the log of a Delta table, not of Iceberg",
}
"""Top-level keys that no table's metadata has; of those of views, see the spec of each."""


def other_file(content: bytes) -> str | None:
    """The kind of a file that is no JSON; None if it is not known."""
    if (known := _MAGIC.get(content[:4])) is not None:
        return known
    try:
        return other_document(json.loads(content.partition(b"\n")[0]))
    except (ValueError, RecursionError):
        return None


def other_document(document: Any) -> str | None:
    """The kind of a JSON document that is no table metadata; None if it is not known."""
    if not isinstance(document, dict) or "table-uuid" in document:
        return None
    return next((what for key, what in _KEYS.items() if key in document), None)
