"""Name mappings: the field ids of columns in files that were written without any."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from prunescope.collectors.budget import Budget
from prunescope.collectors.schema import weight
from prunescope.collectors.storage import limits

NameMapping = Mapping[tuple[str, ...], int]
"""Field ids by the path of names within a file."""

PROPERTY = "schema.name-mapping.default"


def read_name_mapping(properties: Mapping[str, str]) -> NameMapping:
    """The mapping of a table's properties (table spec, "Name Mapping Serialization"); empty where
    there is none, or none that can be read: then nothing is known of such files."""
    try:
        listed = json.loads(properties.get(PROPERTY, "[]"))
        return dict(_paths(listed, (), Budget(limits.NAMES)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _paths(
    fields: list[dict[str, Any]], parent: tuple[str, ...], budget: Budget
) -> Iterator[tuple[tuple[str, ...], int]]:
    for field in fields:
        for name in field["names"]:
            path = (*parent, str(name))
            budget.take(weight(path))
            if field.get("field-id") is not None:
                yield path, int(field["field-id"])
            yield from _paths(field.get("fields", []), path, budget)
