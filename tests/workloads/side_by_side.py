"""Work that is done in as many processes as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def side_by_side(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
    """What a function makes of tasks, in their order, each in a process that may have made others
    before. All of it pickles."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, tasks)
