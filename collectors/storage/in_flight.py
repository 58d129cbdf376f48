"""Reading many files at once, and never too many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from collectors.storage.unreadable import FileUnreadable

Item = TypeVar("Item")
Result = TypeVar("Result")

IN_FLIGHT = 16
"""Files that one task reads at once. Arrow's S3 client keeps 25 connections (Arrow 26)."""

AHEAD = 4
"""Results that may wait for an earlier one, as a multiple of the files in flight."""

ROOM = 64 << 20
"""Bytes that are read or wait, as far as they are known before."""


def concurrently(
    read: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    in_flight: int = IN_FLIGHT,
    size: Callable[[Item], int] | None = None,
) -> Iterator[Result | FileUnreadable]:
    """What `read` returns for each item, or the FileUnreadable that it raised, in order.

    A slow item holds up the others only when `AHEAD × in_flight` results wait for it, or, where
    `size` tells the bytes of an item, results of more than ROOM: that bounds the memory. `items` is
    drawn from in the caller's thread. Any other exception ends the iteration. What is being read
    then is not waited for.
    """
    pending: deque[tuple[Future[Result | FileUnreadable], int]] = deque()
    waiting = 0
    pool = ThreadPoolExecutor(in_flight, thread_name_prefix="in-flight")
    try:
        for item in items:
            weight = 0 if size is None else size(item)
            while pending and waiting + weight > ROOM:
                result, known = pending.popleft()
                waiting -= known
                yield result.result()
            pending.append((pool.submit(_result, read, item), weight))
            waiting += weight
            if len(pending) >= AHEAD * in_flight:
                result, known = pending.popleft()
                waiting -= known
                yield result.result()
        while pending:
            yield pending.popleft()[0].result()
    finally:
        # An iteration that nobody ends is ended by the cycle collector, in any thread and at any
        # moment: one that starts a thread holds a lock then that waiting for others would need.
        pool.shutdown(wait=False, cancel_futures=True)


def _result(read: Callable[[Item], Result], item: Item) -> Result | FileUnreadable:
    try:
        return read(item)
    except FileUnreadable as error:
        return error
