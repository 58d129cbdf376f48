"""All pairs, by theme."""

from __future__ import annotations

from tests.workloads.blocks import DATA
from tests.workloads.model import Pair
from tests.workloads.reading import pairs_of

_FOLDERS = {
    "days and times": "times",
    "texts": "texts",
    "other conditions": "conditions",
    "whole queries": "queries",
    "partitions": "partitions",
    "files and the order of rows": "files",
    "columns and bounds": "columns",
    "nothing to say": "sound",
}

FILES: dict[str, tuple[Pair, ...]] = {
    f"{folder}/{path.stem}": tuple(pairs_of(path))
    for folder in _FOLDERS.values()
    for path in sorted((DATA / folder).iterdir())
}
"""The pairs of each file."""

THEMES: dict[str, tuple[Pair, ...]] = {
    theme: tuple(
        pair for name, pairs in FILES.items() if name.startswith(f"{folder}/") for pair in pairs
    )
    for theme, folder in _FOLDERS.items()
}

PAIRS: dict[str, Pair] = {pair.name: pair for pairs in THEMES.values() for pair in pairs}
assert len(PAIRS) == sum(map(len, THEMES.values())), "two pairs have one name"
