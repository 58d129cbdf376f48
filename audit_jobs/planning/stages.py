"""The passes as stages: each turns tasks of tables into items, wherever it runs. The tasks of a
table come in groups, and with each group all blocks of the table's scans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from prunescope.audit_jobs.errors import WorkerKilled
from prunescope.audit_jobs.health.sketch import Sketch, hash_of
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.effort import FILES_UNKNOWN
from prunescope.audit_jobs.planning.file_stage import plan_files
from prunescope.audit_jobs.planning.items import SHARED, Item, ItemGroup
from prunescope.audit_jobs.planning.manifest_stage import list_manifests
from prunescope.audit_jobs.planning.row_group_stage import RowGroupPlan, plan_row_groups
from prunescope.audit_jobs.planning.sampling import FileSample
from prunescope.audit_jobs.planning.timing import MANIFEST, MANIFEST_LIST, ROW_GROUP, PassClock
from prunescope.audit_jobs.planning.work import Failure, Listed, PlannedTable
from prunescope.audit_jobs.pruning.counts import Counts, merge_into
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.storage.shared_cache import shared_by
from prunescope.collectors.tables.manifest_list import Manifest

BLOCK = "block"
"""Blocks of scans, by key; their table's contexts are SHARED."""
TASK = "task"
"""Tasks of the next pass."""
TASKS = "tasks"
"""Tag of the number of tasks of a table, and of about how much work: (table, weight)."""

TOTALS = "totals"
FACTS = "facts"
SKETCH = "sketch"
UNLISTED = "unlisted"
FAILURE = "failure"
"""A Failure of the scans of a block, at its home."""
FAILED = "failed"
"""Tag of a failure: (table, reason, whether any scan needed it)."""
COUNTS = "counts"
"""(key of a block, Counts), at its home."""
READ = "read"
"""Tag of the numbers of manifests and footers that were read, by the names of these counts in
Replay."""
KEPT = "kept"
WORK = "work"
SUMS = "sums"
"""Counts summed over all scans of a table: (table, by name)."""

NEWS = "news"
"""(key, content): what was decoded and none of the cache's bundles has, by place of the key."""
BUNDLES = "bundles"
"""Tag of a task's use of the cache's bundles: names of those that it used, names of those that are
lost, and the bytes of its NEWS."""

_MANIFEST_WEIGHT = 64
"""The work of reading a manifest, as a number of files to decode and judge."""
_PLACES = 2**62


def place_of(path: str) -> int:
    """A number that is the same for the same path, in every process."""
    return hash_of(path) % _PLACES


def list_stage(groups: Iterable[ItemGroup], parent: str) -> Iterator[Item]:
    """Reads manifest lists: tasks are ids of snapshots. `parent` is the span that contains the
    stage."""
    clock = PassClock(MANIFEST_LIST, parent)
    for group in groups:
        table = _planned(group)
        known = table.snapshots
        listing: dict[Manifest, dict[int, int]] = {}
        measured: set[Manifest] = set()
        tasks = list(group.tasks)
        for _, _, snapshot_id in tasks:
            clock.begin(table.name)
            doing = f"reading the manifest list of snapshot {snapshot_id} of {table.name}"
            found = attempt(doing, list_manifests, table, known[snapshot_id])
            clock.done(table.name, 1)
            if isinstance(found, PrunescopeError):
                yield Item(UNLISTED, (table.name, snapshot_id, Failed.of(found)))
                continue
            yield Item(TOTALS, ((table.name, snapshot_id), found.totals))
            if found.facts is not None:
                yield Item(FACTS, (table.name, found.facts))
            oldest = found.min_data_sequence_number
            for manifest in found.manifests:
                listing.setdefault(manifest, {})[snapshot_id] = oldest
                if manifest.path in found.measured:
                    measured.add(manifest)
        # Numbers spread evenly over the groups to come. Where other groups list snapshots of the
        # table as well, all must give a manifest the same place.
        is_whole = len(tasks) == len(known)
        for number, (manifest, of_manifest) in enumerate(listing.items()):
            listed = Listed(manifest, of_manifest, manifest in measured)
            place = number if is_whole else place_of(manifest.path)
            yield Item(TASK, listed, table.name, place)
        yield Item(TASKS, (table.name, sum(map(_weight, listing))))
    yield Item(WORK, clock.work())


def _weight(manifest: Manifest) -> int:
    files = FILES_UNKNOWN if manifest.live_files is None else manifest.live_files
    return _MANIFEST_WEIGHT + files


def file_stage(
    groups: Iterable[ItemGroup], parent: str, *, list_files: bool = False
) -> Iterator[Item]:
    """Runs passes 1 and 2 over manifests."""
    clock = PassClock(MANIFEST, parent)
    read = Counter[str]()
    for name, of_table in groupby(groups, key=lambda group: group.table):
        counts: dict[int, Counts] = {}
        sketch = Sketch()
        for group in of_table:
            table = _planned(group)
            clock.begin(name)
            for plan in plan_files(table, _merged(_payloads(group)), list_files=list_files):
                clock.done(name, plan.manifests)
                read.update(plan.read)
                for key, found in plan.counts.items():
                    merge_into(counts, key, found)
                sketch.add(plan.sketch)
                yield from _failures(table, plan.failures)
                yield from (Item(KEPT, kept) for kept in plan.kept_paths.items())
                for footer in plan.footers:
                    yield Item(TASK, footer, name, place_of(footer.path))
                yield Item(TASKS, (name, plan.footer_files))
                yield from _kept(table)
        yield Item(SKETCH, (name, sketch))
        yield from _counts(table, counts)
    yield Item(READ, read)
    yield Item(WORK, clock.work())


def _merged(listed: Iterable[Listed]) -> list[Listed]:
    """Each manifest once, with the snapshots of all lists that were read apart."""
    found: dict[Manifest, Listed] = {}
    for one in listed:
        known = found.get(one.manifest)
        if known is not None:
            snapshots = {**known.snapshots, **one.snapshots}
            one = Listed(one.manifest, snapshots, known.measured or one.measured)  # noqa: PLW2901
        found[one.manifest] = one
    return list(found.values())


def row_group_stage(groups: Iterable[ItemGroup], sample: FileSample, parent: str) -> Iterator[Item]:
    """Runs pass 3 over files."""
    clock = PassClock(ROW_GROUP, parent)
    read = Counter[str]()
    for name, of_table in groupby(groups, key=lambda group: group.table):
        found = RowGroupPlan()
        for group in of_table:
            table = _planned(group)
            clock.begin(name)
            for plan in plan_row_groups(table, _payloads(group), sample):
                clock.done(name, plan.files)
                found.merge(plan)
                yield from _kept(table)
        read.update(found.read)
        yield from _failures(table, found.failures)
        yield from _counts(table, found.counts)
    yield Item(READ, read)
    yield Item(WORK, clock.work())


def _planned(group: ItemGroup) -> PlannedTable:
    """The table of a group."""
    return PlannedTable(group.beside[SHARED][0], group.beside.get(BLOCK, {}))


def _kept(table: PlannedTable) -> Iterator[Item]:
    """The items for other machines, if they share a cache: newly decoded contents, and the bundles
    that this task used or found lost."""
    cache = table.storage.cache
    if cache is None or cache.bundles is None:
        return
    use = shared_by(cache.bundles).use()
    for news in use.news.items():
        yield Item(NEWS, news, place=place_of(news[0]))
    yield Item(BUNDLES, (use.used, use.lost, sum(map(len, use.news.values()))))


def _payloads(group: ItemGroup) -> Iterator[Any]:
    return (payload for _, _, payload in group.tasks)


def _failures(table: PlannedTable, failures: Iterable[Failure]) -> Iterator[Item]:
    for failure in failures:
        if failure.block is not None:
            yield Item(FAILURE, failure, *table.blocks[failure.block].home)
        yield Item(FAILED, (failure.table, failure.why, failure.block is not None))


def _counts(table: PlannedTable, counts: Mapping[int, Counts]) -> Iterator[Item]:
    sums = Counter[str]()
    for key, counted in counts.items():
        sums.update({name: int(of_scans.sum()) for name, of_scans in counted.scans.items()})
        yield Item(COUNTS, (key, counted), *table.blocks[key].home)
    yield Item(SUMS, (table.name, sums))


def unlisted_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Replaces `list_stage` if it kills its worker."""
    why = Failed.of(WorkerKilled())
    for group in groups:
        for _, _, snapshot_id in group.tasks:
            yield Item(UNLISTED, (group.table, snapshot_id, why))


def unplanned_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Replaces `file_stage` and `row_group_stage` if these kill their worker: all scans of the
    table fail."""
    why = Failed.of(WorkerKilled())
    for _, of_table in groupby(groups, key=lambda group: group.table):
        table = _planned(next(of_table))
        failures = (
            Failure(table.name, why, key, np.arange(table.blocks[key].count))
            for key in table.blocks
        )
        yield from _failures(table, [*failures] or [Failure(table.name, why)])
