"""Where an audit's work is done: in this process, or spread over Spark by `replay.spark`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Protocol

from audit_jobs.replay.sampling import Sample
from audit_jobs.replay.stages import (
    TASK,
    Item,
    Replay,
    manifest_list_stage,
    manifest_stage,
    replay_of,
    row_group_stage,
)
from audit_jobs.replay.work import TableWork
from audit_jobs.spans import traceparent

Function = Callable[[Iterator[Any]], Iterable[tuple[str, Any]]]
"""Turns items into (kind, result) pairs; pickles."""


class Runner(Protocol):
    """Runs the parts of an audit that take long."""

    def map(self, items: Sequence[Any], function: Function) -> dict[str, list[Any]]:
        """The results of a function over items, in any order, by kind."""

    def replay(
        self, works: Sequence[TableWork], *, max_footers: int | None = None, seed: int = 0
    ) -> Replay:
        """Runs the passes over all snapshots. A snapshot, manifest or file that cannot be planned
        fails its scans and nothing else, whatever was raised. Of more than `max_footers` footers,
        about so many are read, drawn at random by `seed`."""


class LocalRunner:
    """A Runner in this process: for a few queries, and metadata that one machine can hold."""

    def map(self, items: Sequence[Any], function: Function) -> dict[str, list[Any]]:
        """See Runner."""
        found: dict[str, list[Any]] = {}
        for kind, result in function(iter(items)):
            found.setdefault(kind, []).append(result)
        return found

    def replay(
        self,
        works: Sequence[TableWork],
        *,
        max_footers: int | None = None,
        seed: int = 0,
        list_files: bool = False,
    ) -> Replay:
        """See Runner. With `list_files`, the paths that each scan keeps are listed."""
        by_key = {work.key: work for work in works}
        parent = traceparent()
        found: dict[str, list[Any]] = {}
        snapshots = ((work, snapshot_id) for work in works for snapshot_id in work.snapshots)
        manifests = _tasks(manifest_list_stage(snapshots, parent), found)
        footers = _tasks(manifest_stage(manifests, by_key, parent, list_files=list_files), found)
        sample = Sample.of(len(footers), max_footers, seed)
        _tasks(row_group_stage(footers, by_key, sample, parent), found)
        return replay_of(found)


def _tasks(items: Iterable[Item], found: dict[str, list[Any]]) -> list[Any]:
    """The tasks among items, those of one path together; adds the others to `found`."""
    tasks = []
    for item in items:
        if item.kind == TASK:
            tasks.append(item.payload)
        else:
            found.setdefault(item.kind, []).append(item.payload)
    return sorted(tasks, key=attrgetter("path"))
