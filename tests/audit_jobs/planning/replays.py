"""Scans planned by themselves, and all that is found of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prunescope.audit_jobs.health.sketch import Measure
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.planning.driver import Replay, Scans, replay_scans
from prunescope.audit_jobs.planning.gathered import OF_SCANS, Gathered, gathered
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.planning.local import MAX_SCANS, block_items, table_context, table_works
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.work import TableContext, TableWork
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.schema import Schema
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import Snapshot


@dataclass(frozen=True)
class Asked:
    """Scans of one table: its contexts, and the works of the scans."""

    contexts: dict[int, TableContext]
    works: list[TableWork]


@dataclass(frozen=True)
class Planned:
    """What the passes found."""

    works: Sequence[TableWork]
    replay: Replay
    found: Gathered

    def of_scans(self) -> dict[int, Any]:
        """Everything that was found of each scan, by its id."""
        found = {}
        for work in self.works:
            counts = self.found.counts.get(work.key, work.block.no_counts())
            failed = self.failed(work)
            for position, scan in enumerate(work.scans):
                own = slice(counts.first[position], counts.first[position + 1])
                found[scan.scan_id] = (
                    {n: c[position].item() for n, c in counts.scans.items() if c[position]},
                    {n: c[own].tolist() for n, c in counts.conjuncts.items() if c[own].any()},
                    failed.get(position),
                )
        return found

    def failed(self, work: TableWork) -> dict[int, Failed]:
        """Why scans of a work failed, by position."""
        found = self.found.failed(work.key)
        for (table, snapshot_id), why in self.replay.unlisted.items():
            if table == work.table:
                positions = work.block.snapshots.get(snapshot_id, ())
                found.update((int(position), why) for position in positions)
        return found


def asked(
    table: Table,
    schema: Schema,
    scans: Sequence[tuple[Snapshot, Scan]],
    measure: Measure | None = None,
    *,
    key: int = 0,
    size: int = MAX_SCANS,
) -> Asked:
    """Scans under one schema, each of a snapshot."""
    by_id = [(snapshot.snapshot_id, scan) for snapshot, scan in scans]
    context = table_context(table, schema, [snapshot_id for snapshot_id, _ in by_id], measure)
    return Asked({schema.schema_id: context}, table_works(key, context, by_id, size=size))


def planned(asked: Asked, runner: Runner | None = None) -> Planned:
    """Runs the passes, and brings here what they find of scans."""
    replay = replayed(asked, runner or LocalRunner())
    return Planned(asked.works, replay, gathered(replay.of_scans.found(*OF_SCANS)))


def replayed(asked: Asked, runner: Runner) -> Replay:
    """Runs the passes, and leaves what they find of scans where it is."""
    (name,) = {context.table for context in asked.contexts.values()}
    blocks = runner.items(block_items(asked.works))
    scans = Scans(blocks, {name: sum(len(work.scans) for work in asked.works)})
    return replay_scans({name: asked.contexts}, scans, runner)
