"""Driver of the passes in their order, wherever they run, and the totals over items of all
stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import ceil

from prunescope.audit_jobs.health.measure import ManifestFacts
from prunescope.audit_jobs.health.sketch import Sketch
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.planning import effort
from prunescope.audit_jobs.planning.effort import Contexts
from prunescope.audit_jobs.planning.items import SHARED, Instead, Item, Items, Runner
from prunescope.audit_jobs.planning.sampling import FileSample
from prunescope.audit_jobs.planning.stages import (
    BUNDLES,
    FACTS,
    FAILED,
    READ,
    SKETCH,
    SUMS,
    TASK,
    TASKS,
    TOTALS,
    UNLISTED,
    WORK,
    file_stage,
    list_stage,
    row_group_stage,
    unlisted_stage,
    unplanned_stage,
)
from prunescope.audit_jobs.planning.timing import METADATA_KINDS, PassWork
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.pruning.summary import SnapshotTotals
from prunescope.audit_jobs.spans import traceparent

MAX_LISTS = 256
"""Manifest lists of one group."""
MAX_FILES = 49_152
"""About how many files the manifests of one group have at most."""
MAX_FOOTERS = 2_048
"""About how many footers one group has at most."""

_MIN_FILES = 1_024
_MIN_FOOTERS = 16
_GROUPS_PER_SLOT = 3
"""Groups made for each slot if there is less work than fills groups of full size; they are no
smaller than the least sizes above, as each group needs all scans of its table."""

Layout = tuple[ManifestFacts, Sketch]
"""Facts of the manifest list of a table, and the sketch of its manifests."""


@dataclass(frozen=True, slots=True)
class TableFailure:
    """A failure to read some metadata of a table: its reason, and whether any scan needed the
    metadata."""

    table: str
    why: Failed
    is_needed: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """Results of the passes over all scans; the results of single scans are items in `of_scans`
    (COUNTS, FAILURE and KEPT).

    `totals` by table and snapshot id; `unlisted`, by the same, why a manifest list could not be
    read; `failures`. By table: `layouts` of those that were measured and whose manifests could all
    be read, and `sums` of COUNTS over the table's scans. `tasks` are the tasks' own timings. Then
    the numbers of manifests and footers that were read, and of footers that could not be; other
    counts `of_metadata`; and, if machines share a cache, the use that tasks made of its `bundles`.
    """

    of_scans: Items
    totals: Mapping[tuple[str, int], SnapshotTotals]
    unlisted: Mapping[tuple[str, int], Failed]
    failures: tuple[TableFailure, ...]
    layouts: Mapping[str, Layout]
    sums: Mapping[str, Counter[str]]
    tasks: tuple[PassWork, ...]
    manifests_read: int = 0
    footers_read: int = 0
    footers_unread: int = 0
    of_metadata: Mapping[str, int] = field(default_factory=dict)
    bundles: tuple[tuple[frozenset[str], frozenset[str], int], ...] = ()


@dataclass(frozen=True, slots=True)
class Scans:
    """The distinct scans of a run: their blocks (BLOCK), and their number for each table."""

    blocks: Items
    counts: Mapping[str, int]


def replay_scans(
    contexts: Contexts,
    scans: Scans,
    runner: Runner,
    *,
    max_footers: int | None = None,
    seed: int = 0,
    list_files: bool = False,
) -> Replay:
    """Runs the passes over all snapshots of the contexts, for scans of their tables.

    A snapshot, manifest or file that cannot be planned fails its scans and nothing else, whatever
    was raised. Of more than `max_footers` footers, about that many are read, drawn at random by
    `seed`. With `list_files`, the paths that each scan keeps are listed.
    """
    parent = traceparent()
    shared = runner.items([Item(SHARED, found, table) for table, found in contexts.items()])
    snapshots = _snapshots(contexts)
    counted = ((item.table, 1) for item in snapshots)
    place = runner.near(effort.of_lists(contexts))
    lists = place.run(
        partial(list_stage, parent=parent),
        runner.items(snapshots),
        groups_of(counted, 1, MAX_LISTS, place.slots),
        shared,
        Instead(unlisted_stage),
    )
    listed = lists.found(TASKS, TOTALS, FACTS, UNLISTED, WORK)
    beside = shared.also(scans.blocks)
    manifests = lists.of(TASK)
    place = runner.near(effort.of_manifests(contexts, manifests.here(), scans.counts))
    files = place.run(
        partial(file_stage, parent=parent, list_files=list_files),
        manifests,
        groups_of(_largest(listed.get(TASKS, ())).items(), _MIN_FILES, MAX_FILES, place.slots),
        beside,
        Instead(unplanned_stage),
    )
    planned = files.found(TASKS, SKETCH, FAILED, READ, WORK, SUMS, BUNDLES)
    footers = planned.get(TASKS, [])
    sample = FileSample.of(sum(count for _, count in footers), max_footers, seed)
    place = runner.near(effort.of_footers(footers, scans.counts))
    row_groups = place.run(
        partial(row_group_stage, sample=sample, parent=parent),
        files.of(TASK),
        groups_of(footers, _MIN_FOOTERS, MAX_FOOTERS, place.slots),
        beside,
        Instead(unplanned_stage),
    )
    judged = row_groups.found(FAILED, READ, WORK, SUMS, BUNDLES)
    sketches: dict[str, Sketch] = {}
    for table, sketch in planned.get(SKETCH, ()):
        sketches.setdefault(table, Sketch()).add(sketch)
    sums: dict[str, Counter[str]] = {}
    for table, more in (*planned.get(SUMS, ()), *judged.get(SUMS, ())):
        sums.setdefault(table, Counter()).update(more)
    unlisted = {(table, id_): why for table, id_, why in listed.get(UNLISTED, ())}
    tasks = tuple(w for found in (listed, planned, judged) for w in found.get(WORK, ()))
    read = Counter[str]()
    for of_task in (*planned.get(READ, ()), *judged.get(READ, ())):
        read.update(of_task)
    return Replay(
        of_scans=files.also(row_groups),
        totals=dict(listed.get(TOTALS, ())),
        unlisted=unlisted,
        failures=tuple(
            TableFailure(*failed)
            for failed in (
                *(
                    (table, why, _is_read(contexts[table], id_))
                    for (table, id_), why in unlisted.items()
                ),
                *planned.get(FAILED, ()),
                *judged.get(FAILED, ()),
            )
        ),
        layouts=complete_layouts(dict(listed.get(FACTS, ())), sketches),
        sums=sums,
        tasks=tasks,
        manifests_read=read["manifests_read"],
        footers_read=read["footers_read"],
        footers_unread=read["footers_unread"],
        of_metadata=_of_metadata(read, tasks),
        bundles=(*planned.get(BUNDLES, ()), *judged.get(BUNDLES, ())),
    )


METADATA_COUNTS = (
    *("manifests_read", "manifests_one_by_one", "manifests_cached"),
    *("footers_read", "footers_cached", "footers_skipped"),
)
"""Names of counts: manifests that were read, those of them that were read entry by entry though
they have many, and those from the cache; likewise of footers, and footers that `max_footers` left
out."""


def _of_metadata(read: Mapping[str, int], tasks: Iterable[PassWork]) -> dict[str, int]:
    """METADATA_COUNTS, and the bytes and requests of each kind."""
    found = {name: read.get(name, 0) for name in METADATA_COUNTS}
    for kind in METADATA_KINDS.values():
        found |= {f"{kind}_bytes": 0, f"{kind}_requests": 0}
    for task in tasks:
        kind = METADATA_KINDS[task.name]
        found[f"{kind}_bytes"] += task.traffic.size
        found[f"{kind}_requests"] += task.traffic.requests
    return found


def _is_read(contexts: Mapping[int, TableContext], snapshot_id: int) -> bool:
    """True if any scan reads a snapshot."""
    return any(snapshot_id in context.scanned for context in contexts.values())


def _snapshots(contexts: Contexts) -> list[Item]:
    """The snapshots of every table, each once."""
    found = []
    for table, of_table in contexts.items():
        ids = dict.fromkeys(id_ for context in of_table.values() for id_ in context.snapshots)
        found += [Item(TASK, id_, table, place) for place, id_ in enumerate(ids)]
    return found


def _largest(weights: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The largest weight of each table: most snapshots have most manifests in common."""
    found: dict[str, int] = {}
    for table, weight in weights:
        found[table] = max(weight, found.get(table, 0))
    return found


def groups_of(
    weights: Iterable[tuple[str, int]],
    least: int,
    most: int,
    slots: int,
    per_slot: int = _GROUPS_PER_SLOT,
) -> dict[str, int]:
    """The number of groups for the tasks of each table that has any, by the weight of their work:
    `per_slot` for each slot, but none of less work than `least` if possible, nor of more than
    `most`."""
    by_table: dict[str, int] = {}
    for table, weight in weights:
        by_table[table] = by_table.get(table, 0) + weight
    size = most
    if slots > 1:
        share = ceil(sum(by_table.values()) / (slots * per_slot))
        size = max(least, min(most, share))
    return {table: ceil(weight / size) for table, weight in by_table.items() if weight}


def complete_layouts(
    facts: Mapping[str, ManifestFacts], sketches: Mapping[str, Sketch]
) -> dict[str, Layout]:
    """The layouts, by table, of the tables whose manifests were all read."""
    found = {table: (of_list, sketches.get(table, Sketch())) for table, of_list in facts.items()}
    return {
        table: (of_list, s)
        for table, (of_list, s) in found.items()
        if s.manifests == of_list.planned
    }
