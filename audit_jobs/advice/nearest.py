"""The nearest of some numbers to others."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from prunescope.collectors.arrays import Floats, IntArray

Numbers = TypeVar("Numbers", IntArray, Floats)


def nearest(known: Numbers, numbers: Numbers) -> IntArray:
    """The place of the nearest of one or more numbers, in ascending order, to each of others."""
    after = np.clip(np.searchsorted(known, numbers), 1, max(1, len(known) - 1))
    before = after - 1
    after = np.minimum(after, len(known) - 1)
    is_after = known[after] - numbers < numbers - known[before]
    found: IntArray = np.where(is_after, after, before)
    return found
