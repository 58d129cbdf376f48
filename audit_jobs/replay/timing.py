"""When the passes worked on which table, and how much they read: tasks cannot tell a collector
themselves, so they hand it over with their results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from audit_jobs.replay.work import FooterTask, ManifestTask, TableWork
from collectors.tables.traffic import bytes_read

MANIFEST_LIST, MANIFEST, ROW_GROUP = "pass.manifest_list", "pass.manifest", "pass.row_group"
PASSES = (MANIFEST_LIST, MANIFEST, ROW_GROUP)

READ = "read"
"""The kind of result that tells how many bytes were read."""

Task = TypeVar("Task", ManifestTask, FooterTask)


@dataclass(frozen=True, slots=True)
class PassTiming:
    """When a task worked on a table in a pass, in nanoseconds since 1970 by its machine's clock:
    from when it took up the first of `containers` (manifest lists, manifests or footers) until
    it was done with the batch of the last. Tables of one batch overlap. `traceparent` is the
    span of the driver that it is part of, empty without one."""

    name: str
    table: str
    started: int
    ended: int
    containers: int
    traceparent: str


@dataclass(frozen=True, slots=True)
class PassWork:
    """What one task of a pass tells of itself."""

    timings: tuple[PassTiming, ...]
    read_bytes: int


class PassClock:
    """Follows the work of one task."""

    def __init__(self, name: str, traceparent: str) -> None:
        self._name = name
        self._traceparent = traceparent
        self._containers: Counter[str] = Counter()
        self._started: dict[str, int] = {}
        self._ended: dict[str, int] = {}
        self._open: dict[str, None] = {}
        self._path: str | None = None
        self._read = bytes_read()

    def begin(self, table: str, path: str) -> None:
        """Takes up a container of a table; one after the other of the same path is one."""
        self._started.setdefault(table, time.time_ns())
        self._open.pop(table, None)
        self._open[table] = None
        self._containers[table] += path != self._path
        self._path = path

    def watch(self, tasks: Iterable[Task], works: Mapping[int, TableWork]) -> Iterator[Task]:
        """The same tasks, each noted as it is taken up."""
        for task in tasks:
            self.begin(works[task.work_key].table, task.path)
            yield task

    def batch_done(self) -> None:
        """A batch is done. What was taken up last may belong to the next one already."""
        last = list(self._open)[-1:]
        self.done()
        self._open = dict.fromkeys(last)

    def done(self) -> None:
        """All that was taken up is done."""
        self._ended.update(dict.fromkeys(self._open, time.time_ns()))
        self._open = {}

    def work(self) -> PassWork:
        """What the task did, which ends now."""
        self.done()
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
        )
        return PassWork(timings, bytes_read() - self._read)


def counting_reads(
    items: Iterator[Any], function: Callable[[Iterator[Any]], Iterable[tuple[str, Any]]]
) -> Iterator[tuple[str, Any]]:
    """The results of a function over items, and how many bytes it read of tables' files."""
    before = bytes_read()
    yield from function(items)
    yield READ, bytes_read() - before
