"""From a replay to the plan of every scan and the health of every table, each on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.health.measure import table_health
from audit_jobs.health.model import TableHealth
from audit_jobs.isolation import Failed, attempt
from audit_jobs.jobs.results import Plans
from audit_jobs.jobs.tables import Tables
from audit_jobs.jobs.workload import Workload
from audit_jobs.pruning.summary import Summaries
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.driver import Replay
from audit_jobs.replay.local import nothing_to_read
from audit_jobs.replay.row_sample_stage import ScanMatching
from audit_jobs.replay.work import TableContext, TableWork
from collectors.errors import PrunescopeError, TableTooSlow
from collectors.statistics import IntArray
from collectors.tables.catalog import Table


def without_slow_tables(works: Sequence[TableWork], replay: Replay) -> Replay:
    """The replay with all scans of a table failed of which any took too long: which of them were
    planned before is a matter of chance."""
    slow = {f.table: f for f in replay.failures if f.why.code == TableTooSlow.code}
    if not slow:
        return replay
    whole = [
        replace(slow[work.table], scan_ids=tuple(scan.scan_id for scan in work.scans))
        for work in works
        if work.table in slow
    ]
    return replace(
        replay,
        failures=(*(f for f in replay.failures if f.why.code != TableTooSlow.code), *whole),
        layouts={table: layout for table, layout in replay.layouts.items() if table not in slow},
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
        {scan_id: failure.why for failure in replay.failures for scan_id in failure.scan_ids},
        matching,
    )
    for work in works:
        for snapshot_id, positions in work.block.snapshots.items():
            if (work.table, snapshot_id) in replay.totals:
                _add(found, work, snapshot_id, positions, replay)
    for distinct in workload.scans.values():
        if distinct.snapshot is None:
            nothing = nothing_to_read(distinct.table, distinct.schema, [distinct.scan])
            found.summaries[distinct.scan.scan_id] = nothing, 0
            found.specs[distinct.scan.scan_id] = ()
    return found


def _add(
    plans: Plans, work: TableWork, snapshot_id: int, positions: IntArray, replay: Replay
) -> None:
    """Adds the plans of scans of one snapshot, or, where that fails, of each of them alone."""
    doing = f"summing up scans of {work.table}"
    read = attempt(doing, _concluded, work, snapshot_id, positions, replay)
    if not isinstance(read, PrunescopeError):
        totals = replay.totals[work.table, snapshot_id]
        specs = tuple(work.context.specs[id_] for id_ in totals.spec_ids)
        for place, position in enumerate(positions.tolist()):
            scan_id = work.scans[position].scan_id
            plans.summaries[scan_id], plans.specs[scan_id] = (read, place), specs
    elif len(positions) > 1:
        half = len(positions) // 2
        _add(plans, work, snapshot_id, positions[:half], replay)
        _add(plans, work, snapshot_id, positions[half:], replay)
    else:
        scan_id = work.scans[positions[0]].scan_id
        plans.failures.setdefault(scan_id, Failed.of(read))


def _concluded(work: TableWork, snapshot_id: int, positions: IntArray, replay: Replay) -> Summaries:
    counts = replay.counts.get(work.key, work.block.no_counts())
    totals = replay.totals[work.table, snapshot_id]
    snapshot = (snapshot_id, work.context.schema_id, totals, work.context.specs)
    return conclude(work.scans, work.block.shapes, counts, snapshot, positions)


def health_of(
    works: Sequence[TableWork], replay: Replay, tables: Tables
) -> tuple[tuple[TableHealth, ...], dict[str, str]]:
    """The health of every table that could be measured, and a message for each other."""
    by_name = {str(table.name): table for table in tables.opened.values()}
    messages = {failure.table: failure.why.message or "" for failure in reversed(replay.failures)}
    found = []
    unmeasured = {}
    measured = {w.table: w.context for w in works if w.context.measure is not None}
    for name, context in measured.items():
        health = attempt(f"measuring {name}", _measured, context, replay, by_name[name])
        if isinstance(health, PrunescopeError):
            unmeasured[name] = str(health)
        elif health is None:
            unmeasured[name] = messages.get(name, "some manifests were not read")
        else:
            found.append(health)
    return tuple(found), unmeasured


def _measured(context: TableContext, replay: Replay, table: Table) -> TableHealth | None:
    if context.table not in replay.layouts or context.measure is None:
        return None
    facts, sketch = replay.layouts[context.table]
    names = {column.field_id: column.name for column in table.metadata.schema(None).columns}
    spec = context.specs[context.measure.spec_id]
    return table_health(table.name, context.measure, facts, sketch, names, spec)
