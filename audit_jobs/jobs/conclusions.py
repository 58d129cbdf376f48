"""From a replay to the plan of every scan and the health of every table, each on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from audit_jobs.health.measure import table_health
from audit_jobs.health.model import TableHealth
from audit_jobs.isolation import attempt
from audit_jobs.jobs.results import Plans
from audit_jobs.jobs.tables import Tables
from audit_jobs.jobs.workload import Workload
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.local import nothing_to_read
from audit_jobs.replay.row_sample_stage import ScanMatching
from audit_jobs.replay.stages import Replay
from audit_jobs.replay.work import TableWork
from collectors.errors import PrunescopeError, TableTooSlow
from collectors.tables.catalog import Table


def without_slow_tables(works: Sequence[TableWork], replay: Replay) -> Replay:
    """The replay with all scans of a table failed of which any took too long: which of them were
    planned before is a matter of chance."""
    slow = {f.table: f for f in replay.failures if f.code == TableTooSlow.code}
    if not slow:
        return replay
    whole = [
        replace(slow[work.table], scan_ids=tuple(scan.scan_id for scan in work.scans))
        for work in works
        if work.table in slow
    ]
    return replace(
        replay,
        failures=(*(f for f in replay.failures if f.code != TableTooSlow.code), *whole),
        layouts={
            work.key: replay.layouts[work.key]
            for work in works
            if work.key in replay.layouts and work.table not in slow
        },
    )


def plans_of(
    workload: Workload,
    works: Sequence[TableWork],
    replay: Replay,
    matching: Mapping[int, ScanMatching],
) -> Plans:
    """Plans by scan id, for every scan whose snapshot could be read."""
    found = Plans(
        {},
        {},
        {
            scan_id: (failure.code, failure.message)
            for failure in replay.failures
            for scan_id in failure.scan_ids
        },
        matching,
    )
    for work in works:
        for snapshot_id, (_, positions) in work.snapshots.items():
            if (work.key, snapshot_id) in replay.totals:
                _add(found, work, snapshot_id, positions, replay)
    for distinct in workload.scans.values():
        if distinct.snapshot is None:
            (summary,) = nothing_to_read(distinct.table, distinct.schema, [distinct.scan])
            found.summaries[distinct.scan.scan_id] = summary
            found.specs[distinct.scan.scan_id] = ()
    return found


def _add(
    plans: Plans, work: TableWork, snapshot_id: int, positions: Sequence[int], replay: Replay
) -> None:
    """Adds the plans of scans of one snapshot, or, where that fails, of each of them alone."""
    if not positions:
        return
    doing = f"summing up scans of {work.table}"
    read = attempt(doing, _concluded, work, snapshot_id, positions, replay)
    if not isinstance(read, PrunescopeError):
        specs = tuple(work.specs[id_] for id_ in replay.totals[work.key, snapshot_id].spec_ids)
        for position, summary in zip(positions, read, strict=True):
            scan_id = work.scans[position].scan_id
            plans.summaries[scan_id], plans.specs[scan_id] = summary, specs
    elif len(positions) > 1:
        half = len(positions) // 2
        _add(plans, work, snapshot_id, positions[:half], replay)
        _add(plans, work, snapshot_id, positions[half:], replay)
    else:
        scan_id = work.scans[positions[0]].scan_id
        plans.failures.setdefault(scan_id, (read.code, str(read)))


def _concluded(
    work: TableWork, snapshot_id: int, positions: Sequence[int], replay: Replay
) -> list[ScanPlanSummary]:
    counts = replay.counts.get(work.key, work.no_counts())
    totals = replay.totals[work.key, snapshot_id]
    snapshot = (snapshot_id, work.schema_id, totals, work.specs)
    return conclude(work.scans, work.shapes, counts, snapshot, np.array(positions))


def health_of(
    works: Sequence[TableWork], replay: Replay, tables: Tables
) -> tuple[tuple[TableHealth, ...], dict[str, str]]:
    """The health of every table that could be measured, and a message for each other."""
    by_name = {str(table.name): table for table in tables.opened.values()}
    messages = {failure.table: failure.message for failure in reversed(replay.failures)}
    found = []
    unmeasured = {}
    for work in works:
        if work.measure is None:
            continue
        measured = attempt(f"measuring {work.table}", _measured, work, replay, by_name[work.table])
        if isinstance(measured, PrunescopeError):
            unmeasured[work.table] = str(measured)
        elif measured is None:
            unmeasured[work.table] = messages.get(work.table, "some manifests were not read")
        else:
            found.append(measured)
    return tuple(found), unmeasured


def _measured(work: TableWork, replay: Replay, table: Table) -> TableHealth | None:
    if work.key not in replay.layouts or work.measure is None:
        return None
    facts, sketch = replay.layouts[work.key]
    names = {column.field_id: column.name for column in table.metadata.schema(None).columns}
    spec = work.specs[work.measure.spec_id]
    return table_health(table.name, work.measure, facts, sketch, names, spec)
