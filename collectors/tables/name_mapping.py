"""Name mappings: the field ids of columns in files that were written without any."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

NameMapping = Mapping[tuple[str, ...], int]
"""Field ids by the path of names within a file."""

MOST_NAMES = 1_000_000
"""Of all paths together: 100,000 columns ten deep."""

PROPERTY = "schema.name-mapping.default"


def read_name_mapping(properties: Mapping[str, str]) -> NameMapping:
    """The mapping of a table's properties (table spec, "Name Mapping Serialization"); empty where
    there is none, or none that can be read, or its paths have more than MOST_NAMES names: then
    nothing is known of such files."""
    try:
        return _by_path(json.loads(properties.get(PROPERTY, "[]")))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _by_path(listed: list[dict[str, Any]]) -> NameMapping:
    """Names of a struct multiply with those within it: two at each of 40 levels are a trillion
    paths. Raises ValueError for too many."""
    found: dict[tuple[str, ...], int] = {}
    names = 0
    waiting: list[tuple[tuple[str, ...], list[dict[str, Any]]]] = [((), listed)]
    while waiting:
        parent, fields = waiting.pop()
        for field in fields:
            for name in field["names"]:
                path = (*parent, str(name))
                names += len(path)
                if names > MOST_NAMES:
                    raise ValueError("too many names")
                if field.get("field-id") is not None:
                    found[path] = int(field["field-id"])
                if field.get("fields"):
                    waiting.append((path, field["fields"]))
    return found
