"""Replaying scans in-process: for `explain`, and wherever one machine is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit_jobs.health.sketch import Measure
from audit_jobs.pruning.counts import no_counts
from audit_jobs.pruning.rules import PlannerRules
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import shapes
from audit_jobs.pruning.summary import ScanPlanSummary, SnapshotTotals, Summaries
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.driver import replay_works
from audit_jobs.replay.runner import LocalRunner
from audit_jobs.replay.work import Failure, TableContext, TableWork, table_work
from collectors.predicates.initial_defaults import initial_defaults
from collectors.predicates.model import Predicate
from collectors.tables.catalog import Table
from collectors.tables.metadata import Snapshot
from collectors.tables.name_mapping import read_name_mapping
from collectors.tables.schema import Schema


@dataclass(frozen=True, slots=True)
class Replayed:
    """A scan's plan, or the failure that prevented it; and the files kept, where asked for."""

    summary: ScanPlanSummary | None
    failure: Failure | None
    kept_files: tuple[str, ...] = ()


MAX_SCANS = 16_384
"""Scans of one block: enough to judge them together, and a bounded amount of memory per task."""


def table_works(
    key: int,
    table: Table,
    schema: Schema,
    scans: Sequence[tuple[Snapshot, Scan]],
    measure: Measure | None = None,
    *,
    size: int = MAX_SCANS,
) -> list[TableWork]:
    """The scans that use one schema of a table, each of a snapshot, in blocks of at most `size`
    whose keys are `key` and those that follow; with `measure`, the table's health is measured as
    well, by at least one block."""
    snapshots = {snapshot.snapshot_id: snapshot for snapshot, _ in scans}
    if measure is not None:
        snapshots[measure.snapshot_id] = table.metadata.snapshot_by_id(measure.snapshot_id)
    elif not scans:
        return []
    context = TableContext(
        table=str(table.name),
        specs=table.metadata.specs(schema),
        storage=table.storage,
        defaults=initial_defaults(schema),
        name_mapping=read_name_mapping(table.metadata.properties),
        snapshots=snapshots,
        schema_id=schema.schema_id,
        default_spec_id=table.metadata.default_spec_id,
        measure=measure,
    )
    by_id = [(snapshot.snapshot_id, scan) for snapshot, scan in scans]
    starts = range(0, max(1, len(scans)), size)
    return [
        table_work(number, context, by_id[start : start + size])
        for number, start in enumerate(starts, key)
    ]


def replay(
    table: Table,
    snapshot: Snapshot | None,
    predicates: Sequence[Predicate | tuple[Predicate, PlannerRules]],
    *,
    list_files: bool = False,
    max_footers: int | None = None,
) -> list[Replayed]:
    """Plans bound predicates against one snapshot, in order, by the rules of the newest Iceberg
    or by those given with each; None is a table without any snapshot.

    Each manifest and each footer is read once for all of them; of more than `max_footers`
    footers, a sample. What cannot be read is the failure of the scans that need it.
    """
    schema = table.metadata.schema(snapshot)
    scans = [
        Scan(number, *asked) if isinstance(asked, tuple) else Scan(number, asked)
        for number, asked in enumerate(predicates)
    ]
    if not scans:
        return []
    if snapshot is None:
        return [Replayed(found, None) for found in nothing_to_read(table, schema, scans)]
    works = table_works(0, table, schema, [(snapshot, scan) for scan in scans])
    found = replay_works(works, LocalRunner(), max_footers=max_footers, list_files=list_files)
    failed = {
        scan_id: failure for failure in reversed(found.failures) for scan_id in failure.scan_ids
    }
    if len(failed) == len(scans):
        return [Replayed(None, failed[scan.scan_id]) for scan in scans]
    totals = found.totals[str(table.name), snapshot.snapshot_id]
    about = (snapshot.snapshot_id, schema.schema_id, totals, table.metadata.specs(schema))
    summaries = [
        summary
        for work in works
        for summary in conclude(
            work.scans, work.block.shapes, found.counts[work.key], about, np.arange(len(work.scans))
        )
    ]
    kept = found.kept_paths or {}
    return [
        Replayed(None, failed[scan.scan_id])
        if scan.scan_id in failed
        else Replayed(summary, None, tuple(kept.get(scan.scan_id, ())))
        for scan, summary in zip(scans, summaries, strict=True)
    ]


def nothing_to_read(table: Table, schema: Schema, scans: Sequence[Scan]) -> Summaries:
    """The plans of a table that was never written: nothing, and that is known."""
    totals = SnapshotTotals(0, 0, 0, 0, 0, 0, ())
    snapshot = (None, schema.schema_id, totals, table.metadata.specs(schema))
    return conclude(scans, shapes(scans), no_counts(scans), snapshot, np.arange(len(scans)))
