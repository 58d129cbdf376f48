"""Many calls at once, none of which delays another beyond its time limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def at_once(
    function: Callable[[_Item], _Result], items: Iterable[_Item], *, most: int, seconds: float
) -> Iterator[tuple[_Item, _Result | None]]:
    """Yields each item and the function's result for it, in the order in which calls end; and None
    for a call that takes longer than `seconds`, which may be infinite. At most `most` calls run at
    once.

    A call that never returns cannot be stopped. Its thread is left behind, and is a daemon: the end
    of the process joins the threads of an executor, and would wait for it. `function` raises
    nothing.
    """
    ended: SimpleQueue[tuple[int, _Result]] = SimpleQueue()
    waiting = enumerate(items)
    # The first is the one that began first.
    running: dict[int, tuple[_Item, float]] = {}
    while True:
        for number, item in islice(waiting, most - len(running)):
            running[number] = item, monotonic() + seconds
            call = _call(function, item, number, ended)
            Thread(target=call, name=f"at-once-{number}", daemon=True).start()
        if not running:
            return
        oldest, (item, until) = next(iter(running.items()))
        try:
            left = None if until == math.inf else max(0.0, until - monotonic())
            number, result = ended.get(timeout=left)
        except Empty:
            del running[oldest]
            yield item, None
            continue
        if number in running:
            item, _ = running.pop(number)
            yield item, result


def _call(
    function: Callable[[_Item], _Result],
    item: _Item,
    number: int,
    ended: SimpleQueue[tuple[int, _Result]],
) -> Callable[[], None]:
    return lambda: ended.put((number, function(item)))
