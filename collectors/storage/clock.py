"""Clocks that measure and limit the time spent on one table, or one log."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from prunescope.collectors.errors import LogTooSlow, PrunescopeError, TableTooSlow

P = ParamSpec("P")
_Result = TypeVar("_Result")

_OF_THREAD = threading.local()
"""The clock that runs in this thread, as `clock`."""


def too_slow(limit: float) -> TableTooSlow:
    """The error of a table that took longer than `seconds`."""
    return TableTooSlow(
        f"reading the table took longer than {limit:g} s, and was given up; is its storage or "
        "catalog slow, or has it very many files (rewrite_manifests, rewrite_data_files), or "
        "snapshots, schemas or partition specs? table_timeout_seconds of the configuration is the "
        "limit"
    )


def log_too_slow(limit: float) -> LogTooSlow:
    """The error of a log that took longer than `seconds`."""
    return LogTooSlow(
        f"reading the log takes longer than {limit:g} s, and the rest of it is not read; check "
        "what writes it, and how fast its storage is; log_timeout_seconds of the configuration is "
        "the limit"
    )


def tick() -> None:
    """Raises the error of the clock that runs in this thread if that has no time left. Loops over
    foreign content that take microseconds or more a turn call this in each."""
    clock: Clock | None = getattr(_OF_THREAD, "clock", None)
    if clock is not None:
        clock.check()


class Clock:
    """Runs while something is done for a table, or a log, in any number of threads: the time that
    its files wait for those of others is not its own. `late` makes its error of the limit.

    `limit` and `spent` are in seconds. A copy that was pickled, such as that of a Spark task, goes
    on from what had been spent by then, and counts for itself. Safe to use from any thread.
    """

    def __init__(
        self,
        limit: float = math.inf,
        spent: float = 0.0,
        late: Callable[[float], PrunescopeError] = too_slow,
    ) -> None:
        self._limit = limit
        self._late = late
        self._spent = spent
        self._running = 0
        self._since = 0.0
        self._counting = threading.Lock()

    def __reduce__(self) -> tuple[type[Clock], tuple[Any, ...]]:
        spent = self._limit - self.left if self._is_limited else 0.0
        return Clock, (self._limit, spent, self._late)

    @property
    def _is_limited(self) -> bool:
        return math.isfinite(self._limit)

    @property
    def left(self) -> float:
        """Seconds until the limit; 0 beyond it."""
        with self._counting:
            now = monotonic() - self._since if self._running else 0.0
            return max(0.0, self._limit - self._spent - now)

    def check(self) -> None:
        """Raises TableTooSlow, or LogTooSlow, if no time is left."""
        if self._is_limited and not self.left:
            raise self._late(self._limit)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Counts the time of a block. Raises as `check` if no time is left before."""
        self.check()
        with self._counting:
            if not self._running:
                self._since = monotonic()
            self._running += 1
        before = getattr(_OF_THREAD, "clock", None)
        _OF_THREAD.clock = self
        try:
            yield
        finally:
            _OF_THREAD.clock = before
            with self._counting:
                self._running -= 1
                if not self._running:
                    self._spent += monotonic() - self._since

    def timed(self, function: Callable[P, _Result]) -> Callable[P, _Result]:
        """A function that runs `function` on the clock of the table, or the log. It raises what
        `function` raises, and as `check` if no time is left before or afterwards."""

        def counted(*args: P.args, **kwargs: P.kwargs) -> _Result:
            with self.running():
                found = function(*args, **kwargs)
            self.check()
            return found

        return counted
