"""Documents with a value of another type in one place."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**70,
    1.5,
    "",
    "x",
    "\ud800",
    [],
    [[]],
    [None],
    {},
    {"": {}},
    {"a": [1]},
)
"""Values of every type of JSON, plain and odd."""


def spots(document: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: its container and its key."""
    children = document.items() if isinstance(document, dict) else enumerate(document)
    found = []
    for key, child in list(children):
        found.append((document, key))
        if isinstance(child, dict | list):
            found += spots(child)
    return found


def mutations(document: Any) -> Iterator[Any]:
    """The document with each of WRONG in each of its places."""
    for number in range(len(spots(document))):
        for wrong in WRONG:
            damaged = copy.deepcopy(document)
            parent, key = spots(damaged)[number]
            parent[key] = wrong
            yield damaged
