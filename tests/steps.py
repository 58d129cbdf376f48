"""How much work a function does, counted: lines of this project's code that run, which are the same
on every machine. What one call of a library does counts as none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import prunescope

_OURS = str(Path(prunescope.__file__).parent)


def steps(function: Callable[[], object]) -> int:
    """The lines that run in a call, those of each turn of a comprehension as well."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "call":
            return trace if frame.f_code.co_filename.startswith(_OURS) else None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def grows_in_proportion(steps_of: Callable[[int], int], size: int) -> bool:
    """Whether the work of twice as much is about twice as much, or less: what is quadratic takes
    four times as much of what is beyond a constant."""
    few, some, many = (steps_of(size * factor) for factor in (1, 2, 4))
    return many - some <= 2.5 * (some - few) + size
