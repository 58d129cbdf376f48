"""The passes in their order, wherever they run, and what all items of all stages say together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, Protocol

from audit_jobs.health.measure import ManifestFacts
from audit_jobs.health.sketch import Sketch
from audit_jobs.isolation import Failed
from audit_jobs.pruning.counts import Counts, merge_into
from audit_jobs.pruning.summary import SnapshotTotals
from audit_jobs.replay.sampling import Sample
from audit_jobs.replay.stages import (
    COUNTS,
    FACTS,
    FAILURE,
    KEPT,
    READ,
    SKETCH,
    TASK,
    TASKS,
    TOTALS,
    UNLISTED,
    WORK,
    Item,
    Stage,
    file_stage,
    list_stage,
    row_group_stage,
)
from audit_jobs.replay.timing import PassWork
from audit_jobs.replay.work import Failure, TableWork
from audit_jobs.spans import traceparent

MAX_LISTS = 256
"""Manifest lists of one group."""
MAX_FILES = 49_152
"""About how many files the manifests of one group have at most."""
MAX_FOOTERS = 2_048
"""About how many footers one group has at most."""

_MIN_FILES = 1_024
_MIN_FOOTERS = 16
_GROUPS_PER_SLOT = 4
"""Of less work than a group has at most, groups are made so small that every slot has some, but
no smaller than these: each needs all scans of its table."""

Layout = tuple[ManifestFacts, Sketch]
"""What the manifest list says of a table, and what its manifests say."""

Found = dict[str, list[Any]]
"""Payloads of items by kind."""


class Stages(Protocol):
    """Runs stages over tables, whose scans it has."""

    def __call__(
        self,
        stage: Stage,
        tasks: Any,
        groups: Mapping[str, int],
        *,
        scans: bool = True,
        last: bool = False,
    ) -> tuple[Found, Any]:
        """What a stage finds, and the tasks that it makes if it is not the `last`. `tasks` are
        Items, or what an earlier stage made; those of a table come in so many `groups`, by
        place. Without `scans`, the stage needs no blocks of them."""


class StageRunner(Protocol):
    """Where stages run."""

    @property
    def slots(self) -> int:
        """About how many tasks run at once."""

    def stages(self, works: Sequence[TableWork]) -> AbstractContextManager[Stages]:
        """Runs stages over the tables of works."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything the passes found: totals per table and snapshot id, counts by work key, failures,
    by table the layouts of those that were measured (and of which every manifest could be read),
    what its tasks tell of themselves, how many manifests and footers were read, how many footers
    could not be, and, where asked for, the paths of the files that each scan keeps, by scan id."""

    totals: Mapping[tuple[str, int], SnapshotTotals]
    counts: Mapping[int, Counts]
    failures: tuple[Failure, ...]
    layouts: Mapping[str, Layout]
    tasks: tuple[PassWork, ...]
    manifests_read: int = 0
    footers_read: int = 0
    footers_unread: int = 0
    kept_paths: Mapping[int, Sequence[str]] | None = None


def replay_works(
    works: Sequence[TableWork],
    runner: StageRunner,
    *,
    max_footers: int | None = None,
    seed: int = 0,
    list_files: bool = False,
) -> Replay:
    """Runs the passes over all snapshots. A snapshot, manifest or file that cannot be planned
    fails its scans and nothing else, whatever was raised. Of more than `max_footers` footers,
    about so many are read, drawn at random by `seed`. With `list_files`, the paths that each scan
    keeps are listed."""
    parent = traceparent()
    with runner.stages(works) as run:
        snapshots = _snapshots(works)
        cut = partial(_groups, slots=runner.slots)
        found, tasks = run(
            partial(list_stage, parent=parent),
            snapshots,
            cut(((item.table, 1) for item in snapshots), 1, MAX_LISTS),
            scans=False,
        )
        more, tasks = run(
            partial(file_stage, parent=parent, list_files=list_files),
            tasks,
            cut(_largest(found.get(TASKS, ())).items(), _MIN_FILES, MAX_FILES),
        )
        files = more.get(TASKS, [])
        sample = Sample.of(sum(count for _, count in files), max_footers, seed)
        last, _ = run(
            partial(row_group_stage, sample=sample, parent=parent),
            tasks,
            cut(files, _MIN_FOOTERS, MAX_FOOTERS),
            last=True,
        )
    return _replay_of(works, [found, more, last])


def _snapshots(works: Iterable[TableWork]) -> list[Item]:
    """The snapshots of every table, each once."""
    by_table: dict[str, dict[int, None]] = {}
    for work in works:
        by_table.setdefault(work.table, {}).update(dict.fromkeys(work.context.snapshots))
    return [
        Item(TASK, snapshot_id, table, place)
        for table, ids in by_table.items()
        for place, snapshot_id in enumerate(ids)
    ]


def _largest(weights: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Of each table the largest weight: most snapshots have most manifests in common."""
    found: dict[str, int] = {}
    for table, weight in weights:
        found[table] = max(weight, found.get(table, 0))
    return found


def _groups(
    weights: Iterable[tuple[str, int]], least: int, most: int, slots: int
) -> dict[str, int]:
    """In how many groups the tasks of each table come that has any."""
    by_table: dict[str, int] = {}
    for table, weight in weights:
        by_table[table] = by_table.get(table, 0) + weight
    size = most
    if slots > 1:
        share = ceil(sum(by_table.values()) / (slots * _GROUPS_PER_SLOT))
        size = max(least, min(most, share))
    return {table: ceil(weight / size) for table, weight in by_table.items() if weight}


def _replay_of(works: Sequence[TableWork], stages: Sequence[Found]) -> Replay:
    """What the items of all stages say together."""
    found: Found = {}
    for of_stage in stages:
        for kind, payloads in of_stage.items():
            found.setdefault(kind, []).extend(payloads)
    counts = {work.key: work.block.no_counts() for work in works}
    for key, counted in found.get(COUNTS, ()):
        merge_into(counts, key, counted)
    sketches: dict[str, Sketch] = {}
    for table, sketch in found.get(SKETCH, ()):
        sketches.setdefault(table, Sketch()).add(sketch)
    kept: dict[int, list[str]] = {}
    for scan_id, paths in found.get(KEPT, ()):
        kept.setdefault(scan_id, []).extend(paths)
    reads = found.get(READ, ())
    return Replay(
        totals=dict(found.get(TOTALS, ())),
        counts=counts,
        failures=(*_unlisted(works, found.get(UNLISTED, ())), *found.get(FAILURE, ())),
        layouts=complete_layouts(dict(found.get(FACTS, ())), sketches),
        tasks=tuple(found.get(WORK, ())),
        manifests_read=sum(manifests for manifests, _, _ in reads),
        footers_read=sum(footers for _, footers, _ in reads),
        footers_unread=sum(footers for _, _, footers in reads),
        kept_paths=kept,
    )


def _unlisted(works: Iterable[TableWork], told: Iterable[tuple[str, int, Failed]]) -> list[Failure]:
    """The failures of every scan of snapshots whose lists could not be read, a failure of none
    for one that no scan reads."""
    by_table: dict[str, list[TableWork]] = {}
    for work in works:
        by_table.setdefault(work.table, []).append(work)
    failures = []
    for table, snapshot_id, why in told:
        found = [
            tuple(work.block.scan_ids[work.block.snapshots[snapshot_id]].tolist())
            for work in by_table[table]
            if snapshot_id in work.block.snapshots
        ]
        failures += [Failure(table, ids, why) for ids in found or [()]]
    return failures


def complete_layouts(
    facts: Mapping[str, ManifestFacts], sketches: Mapping[str, Sketch]
) -> dict[str, Layout]:
    """The layouts of which every manifest was read, by table."""
    found = {table: (of_list, sketches.get(table, Sketch())) for table, of_list in facts.items()}
    return {
        table: (of_list, s)
        for table, (of_list, s) in found.items()
        if s.manifests == of_list.planned
    }
