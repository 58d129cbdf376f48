"""Python's cycle collector, which would walk over all scans again and again: a fifth to a quarter
of the time, though they have no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 10_000
"""After as many, the collector looks at the newest; it is 700 (Python 3.11) otherwise."""


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Has it look less often, and leaves it as it was. Syntax trees have cycles, so it is not held
    off for good."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _NEW_OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
