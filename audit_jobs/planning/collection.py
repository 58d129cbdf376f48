"""Python's cycle collector, which would walk over all scans again and again: a fifth to a quarter
of the time, though they have no cycles."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

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


def spare_libraries() -> None:
    """Hides all present objects from the cycle collector for good, if anything was imported since
    the last time: objects of libraries stay as long as the process.

    PySpark's worker collects whenever a task has ended, before it takes the next: 0.12 s of CPU for
    the imports of an audit, twice the time of a small task. There is no garbage when tasks begin,
    but objects that they keep from one to the next should go once they are dropped, so it is not
    done each time.
    """
    _spare(len(sys.modules))


@lru_cache(maxsize=1)
def _spare(modules: int) -> None:  # noqa: ARG001  # once for each number
    gc.freeze()
