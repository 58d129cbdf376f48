"""All pairs, by theme."""

from __future__ import annotations

from tests.workloads.model import Pair
from tests.workloads.pairs import (
    columns,
    conditions,
    files,
    partitions,
    queries,
    sound,
    texts,
    times,
)

THEMES: dict[str, tuple[Pair, ...]] = {
    "days and times": times.PAIRS,
    "texts": texts.PAIRS,
    "other conditions": conditions.PAIRS,
    "whole queries": queries.PAIRS,
    "partitions": partitions.PAIRS,
    "files and the order of rows": files.PAIRS,
    "columns and bounds": columns.PAIRS,
    "nothing to say": sound.PAIRS,
}

PAIRS: dict[str, Pair] = {pair.name: pair for pairs in THEMES.values() for pair in pairs}
assert len(PAIRS) == sum(map(len, THEMES.values())), "two pairs have one name"
