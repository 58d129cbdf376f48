"""Reading many files at once, and never too many."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from prunescope.collectors.storage.unreadable import FileUnreadable

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Outcome_co = TypeVar("_Outcome_co", covariant=True)

IN_FLIGHT = 16
"""Files that one task reads at once. Arrow's S3 client keeps 25 connections (Arrow 26)."""

AHEAD = 4
"""Results that may wait for an earlier one, as a multiple of the files in flight."""

ROOM = 64 << 20
"""Bytes that are read or wait, as far as they are known before."""

SLOW = 0.005
"""Seconds within which a near file is read: handing one to a thread, and waiting for Python's lock
again, costs more than that. A disk that seeks, or a mounted network, takes longer."""

PATIENCE = 4
"""Near files in a row that are slow before others are read by threads: any read may lose its
core."""


class _Pending(Protocol[_Outcome_co]):
    """A result that may have to be waited for."""

    def result(self) -> _Outcome_co:
        """The result, waited for if it is not there yet."""

    def done(self) -> bool:
        """True if the result is there."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[_Outcome_co]):
    """A result that is there: a Future has a lock of its own, which takes longer than some read."""

    _result: _Outcome_co

    def result(self) -> _Outcome_co:
        return self._result

    def done(self) -> bool:
        return True


def concurrently(
    read: Callable[[_Item], _Result],
    items: Iterable[_Item],
    *,
    in_flight: int = IN_FLIGHT,
    size: Callable[[_Item], int] | None = None,
    size_read: Callable[[_Result], int] | None = None,
    is_near: Callable[[_Item], bool] | None = None,
) -> Iterator[_Result | FileUnreadable]:
    """Calls `read` for each item; yields its result, or the FileUnreadable that it raised, in
    order.

    A slow item holds up the others only when `AHEAD × in_flight` results wait for it, or results of
    more than ROOM bytes, if `size` tells the bytes of an item or `size_read` those of a result:
    that bounds the memory. `items` is drawn from in the caller's thread, which also reads the items
    for which `is_near` is true, until PATIENCE of them in a row were slow. Any other exception ends
    the iteration, without waiting for reads that are under way.
    """
    pending: deque[tuple[_Pending[_Result | FileUnreadable], int]] = deque()
    waiting = slow = 0
    pool = ThreadPoolExecutor(in_flight, thread_name_prefix="in-flight")
    try:
        for item in items:
            weight = 0 if size is None else size(item)
            while pending and waiting + weight > ROOM:
                result, known = pending.popleft()
                waiting -= known
                yield result.result()
            done: _Pending[_Result | FileUnreadable]
            if is_near is not None and slow < PATIENCE and is_near(item):
                began = time.perf_counter()
                done = _Done(_result(read, item))
                slow = slow + 1 if time.perf_counter() - began > SLOW else 0
            else:
                done = pool.submit(_result, read, item)
            pending.append((done, weight))
            waiting += weight
            if len(pending) >= AHEAD * in_flight or (
                size_read is not None and _size_read(pending, size_read) > ROOM
            ):
                result, known = pending.popleft()
                waiting -= known
                yield result.result()
        while pending:
            yield pending.popleft()[0].result()
    finally:
        # An iteration that nobody ends is ended by the cycle collector, in any thread and at any
        # moment: one that starts a thread holds a lock then that waiting for others would need.
        pool.shutdown(wait=False, cancel_futures=True)


def _size_read(
    pending: Iterable[tuple[_Pending[_Result | FileUnreadable], int]],
    size_read: Callable[[_Result], int],
) -> int:
    """The bytes of the results that are there."""
    found = (result.result() for result, _ in pending if result.done())
    return sum(size_read(one) for one in found if not isinstance(one, FileUnreadable))


def _result(read: Callable[[_Item], _Result], item: _Item) -> _Result | FileUnreadable:
    try:
        return read(item)
    except FileUnreadable as error:
        return error
