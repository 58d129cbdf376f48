"""Clustering of containers by their ranges: overlap and depth, from a random sample of ranges."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunescope.audit_jobs.tuning import ENOUGH_PAIRS

MAX_RANGES = 100
"""Ranges that are kept to be drawn."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """Overlap and depth of containers' ranges. `overlap` is the share of pairs of containers whose
    ranges overlap, `depth` the estimated number of containers, of all, whose range holds a given
    lower bound. `ranges` are those of some containers as shares of the domain by rank, in order."""

    overlap: float
    depth: float
    ranges: tuple[tuple[float, float], ...]


def clustering(bounds: Sequence[tuple[Any, Any]], population: int) -> Clustering | None:
    """The clustering of `population` containers of which `bounds` are (lower, upper) of a random
    sample; None if fewer than two are known.

    Every value is replaced by its rank among the sampled bounds, so this works for any type with an
    order. Pairs are counted by sorting: n log n.
    """
    sound = [(low, high) for low, high in bounds if low <= high]
    size = len(sound)
    if size < 2:
        return None
    values = sorted({value for pair in sound for value in pair})
    lows = np.array([bisect_left(values, low) for low, _ in sound])
    highs = np.array([bisect_left(values, high) for _, high in sound])
    sorted_lows, sorted_highs = np.sort(lows), np.sort(highs)
    # A pair is disjoint if one range ends before the other begins: of each pair at most once.
    disjoint = int(np.searchsorted(sorted_highs, lows, side="left").sum())
    overlap = 1 - disjoint / (size * (size - 1) / 2)
    begun = np.searchsorted(sorted_lows, lows, side="right")
    ended = np.searchsorted(sorted_highs, lows, side="left")
    others = float((begun - ended - 1).mean()) / (size - 1)
    last = max(1, len(values) - 1)
    drawn = sorted(zip((lows / last).tolist(), (highs / last).tolist(), strict=True))
    step = max(1, -(-size // MAX_RANGES))
    return Clustering(overlap, 1 + others * (population - 1), tuple(drawn[::step]))


def share_mixed(parts: Iterable[Sequence[tuple[Any, Any]]]) -> float | None:
    """The share of pairs of containers of one part whose ranges have more than an end in common: 0
    if each part is in order, 1 if none is. `parts` have the (lower, upper) of a random sample; None
    if they have fewer than ENOUGH_PAIRS pairs."""
    pairs = apart = 0
    for bounds in parts:
        sound = sorted((low, high) for low, high in bounds if low <= high)
        lows = sorted(low for low, _ in sound)
        pairs += len(sound) * (len(sound) - 1) // 2
        # Of two in order, they are apart if the second begins where the first ends or later.
        for place, (_, high) in enumerate(sound):
            apart += len(sound) - max(place + 1, bisect_left(lows, high))
    return 1 - apart / pairs if pairs >= ENOUGH_PAIRS else None


def share_held(parts: Iterable[Sequence[tuple[Any, Any]]]) -> float | None:
    """The share of the other containers of a container's part whose range holds its lower bound:
    the count of `depth`, within parts. None if they have too few pairs."""
    pairs, held = 0, 0.0
    for bounds in parts:
        sound = [(low, high) for low, high in bounds if low <= high]
        found = clustering(sound, len(sound))
        if found is not None:
            pairs += len(sound) * (len(sound) - 1)
            held += len(sound) * (found.depth - 1)
    return held / pairs if pairs >= 2 * ENOUGH_PAIRS else None
