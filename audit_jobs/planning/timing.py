"""Timings of passes by table, and the amounts that were read: tasks cannot reach a collector
themselves, so they return them with their results."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from prunescope.collectors.storage.traffic import Traffic, traffic

MANIFEST_LIST, MANIFEST, ROW_GROUP = "pass.manifest_list", "pass.manifest", "pass.row_group"
TIMED = (MANIFEST_LIST, MANIFEST, ROW_GROUP)
METADATA_KINDS = {MANIFEST_LIST: "manifest_lists", MANIFEST: "manifests", ROW_GROUP: "footers"}
"""Kinds of metadata that each pass reads; footers come with dictionaries, bloom filters and
indexes."""

READ = "read"
"""The kind of result that tells how many bytes were read."""


@dataclass(frozen=True, slots=True)
class PassTiming:
    """Timing of a task's work on a table in a pass, in nanoseconds since 1970 by its machine's
    clock: from taking up the first of `containers` (manifest lists, manifests or footers) until the
    last is done. `traceparent` is the driver's span that contains it, empty without one."""

    name: str
    table: str
    started: int
    ended: int
    containers: int
    traceparent: str


@dataclass(frozen=True, slots=True)
class PassWork:
    """The report of one task of a pass on its own work."""

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
        """Starts the clock of a table, whose containers are taken up."""
        self._started.setdefault(table, time.time_ns())

    def done(self, table: str, containers: int) -> None:
        """Counts `containers` of a table as done."""
        self._ended[table] = time.time_ns()
        self._containers[table] += containers

    def work(self) -> PassWork:
        """The report of the task, which ends now, without tables of which it took up nothing."""
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
