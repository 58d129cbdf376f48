"""When the passes worked on which table, and how much they read: tasks cannot tell a collector
themselves, so they hand it over with their results."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from collectors.storage.traffic import Traffic, traffic

MANIFEST_LIST, MANIFEST, ROW_GROUP = "pass.manifest_list", "pass.manifest", "pass.row_group"
TIMED = (MANIFEST_LIST, MANIFEST, ROW_GROUP)
METADATA_KINDS = {MANIFEST_LIST: "manifest_lists", MANIFEST: "manifests", ROW_GROUP: "footers"}
"""What a pass reads, footers with dictionaries, bloom filters and indexes."""

READ = "read"
"""The kind of result that tells how many bytes were read."""


@dataclass(frozen=True, slots=True)
class PassTiming:
    """When a task worked on a table in a pass, in nanoseconds since 1970 by its machine's clock:
    from when it took up the first of `containers` (manifest lists, manifests or footers) until
    it was done with the last. `traceparent` is the span of the driver that it is part of, empty
    without one."""

    name: str
    table: str
    started: int
    ended: int
    containers: int
    traceparent: str


@dataclass(frozen=True, slots=True)
class PassWork:
    """What one task of a pass tells of itself."""

    name: str
    timings: tuple[PassTiming, ...]
    traffic: Traffic


class PassClock:
    """Follows the work of one task, which takes up one table after the other."""

    def __init__(self, name: str, traceparent: str) -> None:
        self._name = name
        self._traceparent = traceparent
        self._containers: Counter[str] = Counter()
        self._started: dict[str, int] = {}
        self._ended: dict[str, int] = {}
        self._traffic = traffic()

    def begin(self, table: str) -> None:
        """Takes up containers of a table."""
        self._started.setdefault(table, time.time_ns())

    def done(self, table: str, containers: int) -> None:
        """So many containers of a table are done."""
        self._ended[table] = time.time_ns()
        self._containers[table] += containers

    def work(self) -> PassWork:
        """What the task did, which ends now: a table of which it took up nothing is not told."""
        timings = tuple(
            PassTiming(
                self._name,
                table,
                started,
                self._ended[table],
                self._containers[table],
                self._traceparent,
            )
            for table, started in self._started.items()
            if self._containers[table]
        )
        return PassWork(self._name, timings, traffic().since(self._traffic))
