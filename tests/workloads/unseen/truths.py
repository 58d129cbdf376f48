"""Reads tables of which an expert said what to do before anything was run on them.

A block `truth NAME of LAYOUT` has queries as those of pairs are, and lines `KEY: TEXT`:

- `first: KIND(COLUMNS): TEXT` is a `Change`, and so is each `also`, one of `also_fine`;
- `harmful: PATTERN; PATTERN`, `share: 0.5..0.8`, and `statements`, an expression over the functions
  of `tests.workloads.unseen.truth`, in which `this` is the name;
- `told trino: …` are queries of `rewritten`;
- `sound: True` is a table of which nothing should be told to change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.workloads.blocks import DATA, Block, blocks, evaluated, files, words_of
from tests.workloads.reading import asked_of
from tests.workloads.unseen import truth
from tests.workloads.unseen.truth import NOTHING, Change, Truth

_CHANGE = re.compile(r"(?P<kind>\w+)\((?P<columns>[^)]*)\)(?:: (?P<text>.*))?")
_STATEMENTS = {
    name: getattr(truth, name) for name in ["curve", "fields", "metrics", "rewrite", "sort"]
}
_SOUND = {
    "first": NOTHING,
    "harmful": ("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    "share": (0.0, 0.0),
}


def truths_of(folder: str) -> tuple[Truth, ...]:
    """The truths of `unseen` or `unseen_second`."""
    return tuple(one for path in files() if path.parent == DATA / folder for one in _truths(path))


def _truths(path: Path) -> Iterator[Truth]:
    scope = words_of(path)
    for block in blocks(path):
        if block.kind == "truth":
            yield _truth(block, scope)


def _truth(block: Block, scope: Mapping[str, Any]) -> Truth:
    queries: list[Any] = []
    rewritten: list[Any] = []
    also: list[Change] = []
    fields: dict[str, Any] = {"sound": False}
    for line in block.lines:
        key, _, text = line.partition(": ")
        word, _, rest = key.partition(" ")
        match word:
            case "first":
                fields[word] = _change(text)
            case "also":
                also.append(_change(text))
            case "harmful":
                fields[word] = tuple(text.split("; "))
            case "share":
                fields[word] = tuple(map(float, text.split("..")))
            case "why":
                fields[word] = text
            case "sound":
                fields |= {**_SOUND, "sound": True}
            case "statements" | "row_bytes" | "days":
                fields[word] = evaluated(text, {**scope, **_STATEMENTS, "this": block.name})
            case "told":
                rewritten += asked_of(block.name, rest, text, scope)
            case _:
                queries += asked_of(block.name, key, text, scope)
    fields |= {"also_fine": tuple(also), "rewritten": rewritten or ()}
    return Truth(block.name, scope[block.of], queries, **fields)


def _change(text: str) -> Change:
    found = _CHANGE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no change")
    columns = tuple(found["columns"].split(", ")) if found["columns"] else ()
    return Change(found["kind"], columns, found["text"] or "")
