"""Where an audit's work is done: in this process, or spread over Spark by `replay.spark`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Protocol

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
from audit_jobs.spans import traceparent

Layout = tuple[ManifestFacts, Sketch]
"""What the manifest list says of a table, and what its manifests say."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything the passes found: totals per work key and snapshot id, counts by work key,
    failures, by work key the layouts of the tables that were measured (those of which every
    manifest could be read), what its tasks tell of themselves, how many manifests and footers
    were read, and how many footers could not be."""

    totals: Mapping[tuple[int, int], SnapshotTotals]
    counts: Mapping[int, Counts]
    failures: tuple[Failure, ...]
    layouts: Mapping[int, Layout]
    tasks: tuple[PassWork, ...]
    manifests_read: int = 0
    footers_read: int = 0
    footers_unread: int = 0


def layouts(
    facts: Mapping[int, ManifestFacts], sketches: Mapping[int, Sketch]
) -> dict[int, Layout]:
    """The layouts that are complete, by work key."""
    found = {key: (of_list, sketches.get(key, Sketch())) for key, of_list in facts.items()}
    return {
        key: (of_list, s) for key, (of_list, s) in found.items() if s.manifests == of_list.planned
    }


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
        self, works: Sequence[TableWork], *, max_footers: int | None = None, seed: int = 0
    ) -> Replay:
        """See Runner."""
        by_key = {work.key: work for work in works}
        totals: dict[tuple[int, int], SnapshotTotals] = {}
        found: dict[int, Counts] = {}
        manifests_read = 0
        failures: list[Failure] = []
        manifests: list[ManifestTask] = []
        footers: list[FooterTask] = []
        facts: dict[int, ManifestFacts] = {}
        sketches: dict[int, Sketch] = {}
        parent = traceparent()
        tasks: list[PassWork] = []
        clock = PassClock(MANIFEST_LIST, parent)
        for work in works:
            for snapshot_id in work.snapshots:
                clock.done()
                clock.begin(work.table, f"{work.key}/{snapshot_id}")
                plan = try_manifests(work, snapshot_id)
                if isinstance(plan, Failure):
                    failures.append(plan)
                    continue
                totals[work.key, snapshot_id] = plan.totals
                merge_into(found, work.key, plan.counts)
                manifests.extend(plan.kept)
                if plan.facts is not None:
                    facts[work.key] = plan.facts
        tasks.append(clock.work())
        clock = PassClock(MANIFEST, parent)
        in_order = clock.watch(sorted(manifests, key=attrgetter("path")), by_key)
        for files in plan_files(in_order, by_key):
            clock.batch_done()
            manifests_read += files.manifests_read
            for key, more in files.counts.items():
                merge_into(found, key, more)
            failures.extend(files.failures)
            footers.extend(files.footers)
            for key, sketch in files.sketches.items():
                sketches.setdefault(key, Sketch()).add(sketch)
        tasks.append(clock.work())
        clock = PassClock(ROW_GROUP, parent)
        sample = Sample.of(len(footers), max_footers, seed)
        looked_into = clock.watch(sorted(footers, key=attrgetter("path")), by_key)
        looked = RowGroupPlan()
        for row_groups in plan_row_groups(looked_into, by_key, sample):
            clock.batch_done()
            looked.merge(row_groups)
        for key, more in looked.counts.items():
            merge_into(found, key, more)
        tasks.append(clock.work())
        return Replay(
            totals=totals,
            counts=found,
            failures=(*failures, *looked.failures),
            layouts=layouts(facts, sketches),
            tasks=tuple(tasks),
            manifests_read=manifests_read,
            footers_read=looked.footers_read,
            footers_unread=looked.footers_unread,
        )
