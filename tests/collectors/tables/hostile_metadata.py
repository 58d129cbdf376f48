"""Table metadata as nobody should write it: one field at a time of another type, missing, huge."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

MISSING = object()

VALUES: tuple[Any, ...] = (
    MISSING,
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    2**64,
    -(10**4_000),
    0.5,
    1e308,
    float("nan"),
    "",
    "x",
    "\ud800",
    "9" * 5_000,
    "bucket[0]",
    "bucket[" + "9" * 5_000 + "]",
    "truncate[0]",
    "decimal(" + "9" * 5_000 + ", 0)",
    "decimal(0, 99)",
    "fixed[" + "9" * 5_000 + "]",
    [],
    [None],
    [1],
    [[]],
    [{}],
    {},
    {"": 1},
    {"a": {"b": []}},
)
"""What stands in place of each value."""

_PROPERTIES = (
    "schema.name-mapping.default",
    "write.target-file-size-bytes",
    "read.split.open-file-cost",
    "commit.manifest.target-size-bytes",
)
_TEXTS = {
    "number-of-5000-digits": "9" * 5_000,
    "zero": "0",
    "negative": "-1",
    "other-digits": "²",
    "arabic-digits": "٣",
    "nested-lists": "[" * 100_000,
    "nested-fields": '[{"names": ["a"], "fields": ' * 900 + "[]" + "}]" * 900,
    "list-of-numbers": "[1]",
}


def hostile(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Valid metadata with each of its values replaced by each of VALUES, and with properties that
    only their readers can find wrong."""
    for path in _paths(document, ()):
        for number, value in enumerate(VALUES):
            yield f"{'.'.join(map(str, path))}-{number}", _changed(document, path, value)
    for name in _PROPERTIES:
        for what, text in _TEXTS.items():
            yield f"{name}-{what}", _changed(document, ("properties", name), text)
    deep: dict[str, Any] = {"id": 7, "name": "leaf", "required": False, "type": "int"}
    for depth in range(200):
        struct = {"type": "struct", "fields": [deep]}
        deep = {"id": 8 + depth, "name": f"f{depth}", "required": False, "type": struct}
    schema = ("schemas", 0) if "schemas" in document else ("schema",)
    yield "deep-structs", _changed(document, (*schema, "fields", 0), deep)


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from _paths(item, (*path, key))


def _changed(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    *parents, last = path
    place: Any = changed
    for key in parents:
        place = place[key]
    if value is MISSING:
        del place[last]
    else:
        place[last] = value
    return changed
