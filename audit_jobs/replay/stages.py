"""The passes as stages: each turns tasks into items, wherever it runs, and what all items say
together is the replay. Runners differ only in where stages run and how tasks get there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from audit_jobs.health.measure import ManifestFacts
from audit_jobs.health.sketch import Sketch
from audit_jobs.pruning.counts import Counts, merge_into
from audit_jobs.pruning.summary import SnapshotTotals
from audit_jobs.replay.file_stage import plan_files
from audit_jobs.replay.manifest_stage import try_manifests
from audit_jobs.replay.row_group_stage import RowGroupPlan, plan_row_groups
from audit_jobs.replay.sampling import Sample
from audit_jobs.replay.timing import MANIFEST, MANIFEST_LIST, ROW_GROUP, PassClock, PassWork
from audit_jobs.replay.work import Failure, FooterTask, ManifestTask, TableWork

TASK = "task"
"""The kind of items that are tasks of the next stage, beside `path`: tasks of one path belong
together."""

_TOTALS = "totals"
_FACTS = "facts"
_SKETCH = "sketch"
_FAILURE = "failure"
_COUNTS = "counts"
_READ = "read"
_KEPT = "kept"
_WORK = "work"

Layout = tuple[ManifestFacts, Sketch]
"""What the manifest list says of a table, and what its manifests say."""


class Item(NamedTuple):
    """One thing that a stage found; pickles."""

    kind: str
    payload: Any
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything the passes found: totals per work key and snapshot id, counts by work key,
    failures, by work key the layouts of the tables that were measured (those of which every
    manifest could be read), what its tasks tell of themselves, how many manifests and footers
    were read, how many footers could not be, and, where asked for, the paths of the files that
    each scan keeps, by scan id."""

    totals: Mapping[tuple[int, int], SnapshotTotals]
    counts: Mapping[int, Counts]
    failures: tuple[Failure, ...]
    layouts: Mapping[int, Layout]
    tasks: tuple[PassWork, ...]
    manifests_read: int = 0
    footers_read: int = 0
    footers_unread: int = 0
    kept_paths: Mapping[int, Sequence[str]] | None = None


def manifest_list_stage(snapshots: Iterable[tuple[TableWork, int]], parent: str) -> Iterator[Item]:
    """Pass 1 over snapshots of works. `parent` is the span that it is part of."""
    clock = PassClock(MANIFEST_LIST, parent)
    for work, snapshot_id in snapshots:
        clock.begin(work.table, f"{work.key}/{snapshot_id}")
        plan = try_manifests(work, snapshot_id)
        clock.done()
        if isinstance(plan, Failure):
            yield Item(_FAILURE, plan)
            continue
        yield Item(_TOTALS, ((work.key, snapshot_id), plan.totals))
        if plan.facts is not None:
            yield Item(_FACTS, (work.key, plan.facts))
        yield Item(_COUNTS, (work.key, plan.counts))
        yield from (Item(TASK, task, task.path) for task in plan.kept)
    yield Item(_WORK, clock.work())


def manifest_stage(
    tasks: Iterable[ManifestTask],
    works: Mapping[int, TableWork],
    parent: str,
    *,
    list_files: bool = False,
) -> Iterator[Item]:
    """Pass 2 over manifests, those of one path after each other."""
    clock = PassClock(MANIFEST, parent)
    counts: dict[int, Counts] = {}
    sketches: dict[int, Sketch] = {}
    manifests_read = 0
    for plan in plan_files(clock.watch(tasks, works), works, list_files=list_files):
        clock.batch_done()
        manifests_read += plan.manifests_read
        for key, found in plan.counts.items():
            merge_into(counts, key, found)
        for key, sketch in plan.sketches.items():
            sketches.setdefault(key, Sketch()).add(sketch)
        yield from (Item(_FAILURE, failure) for failure in plan.failures)
        yield from (Item(_KEPT, kept) for kept in plan.kept_paths.items())
        yield from (Item(TASK, footer, footer.path) for footer in plan.footers)
    yield from (Item(_SKETCH, sketched) for sketched in sketches.items())
    yield from (Item(_COUNTS, counted) for counted in counts.items())
    yield Item(_READ, (manifests_read, 0, 0))
    yield Item(_WORK, clock.work())


def row_group_stage(
    tasks: Iterable[FooterTask], works: Mapping[int, TableWork], sample: Sample, parent: str
) -> Iterator[Item]:
    """Pass 3 over files, tasks of one path after each other."""
    clock = PassClock(ROW_GROUP, parent)
    found = RowGroupPlan()
    for plan in plan_row_groups(clock.watch(tasks, works), works, sample):
        clock.batch_done()
        found.merge(plan)
    yield from (Item(_FAILURE, failure) for failure in found.failures)
    yield from (Item(_COUNTS, counted) for counted in found.counts.items())
    yield Item(_READ, (0, found.footers_read, found.footers_unread))
    yield Item(_WORK, clock.work())


def replay_of(found: Mapping[str, Sequence[Any]]) -> Replay:
    """What the payloads of all items, by kind, say together."""
    counts: dict[int, Counts] = {}
    for key, counted in found.get(_COUNTS, ()):
        merge_into(counts, key, counted)
    sketches: dict[int, Sketch] = {}
    for key, sketch in found.get(_SKETCH, ()):
        sketches.setdefault(key, Sketch()).add(sketch)
    kept: dict[int, list[str]] = {}
    for scan_id, paths in found.get(_KEPT, ()):
        kept.setdefault(scan_id, []).extend(paths)
    reads = found.get(_READ, ())
    return Replay(
        totals=dict(found.get(_TOTALS, ())),
        counts=counts,
        failures=tuple(found.get(_FAILURE, ())),
        layouts=complete_layouts(dict(found.get(_FACTS, ())), sketches),
        tasks=tuple(found.get(_WORK, ())),
        manifests_read=sum(manifests for manifests, _, _ in reads),
        footers_read=sum(footers for _, footers, _ in reads),
        footers_unread=sum(footers for _, _, footers in reads),
        kept_paths=kept,
    )


def complete_layouts(
    facts: Mapping[int, ManifestFacts], sketches: Mapping[int, Sketch]
) -> dict[int, Layout]:
    """The layouts of which every manifest was read, by work key."""
    found = {key: (of_list, sketches.get(key, Sketch())) for key, of_list in facts.items()}
    return {
        key: (of_list, s) for key, (of_list, s) in found.items() if s.manifests == of_list.planned
    }
