"""From a replay to the plan of every scan and the health of every table, each on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.health.measure import table_health
from audit_jobs.health.model import TableHealth
from audit_jobs.isolation import attempt
from audit_jobs.jobs.results import Plans
from audit_jobs.jobs.tables import Tables
from audit_jobs.jobs.workload import DistinctScan, Workload
from audit_jobs.pruning.summary import ScanPlanSummary, SnapshotTotals
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.row_sample_stage import ScanMatching
from audit_jobs.replay.runner import Replay
from audit_jobs.replay.work import TableWork
from collectors.errors import PrunescopeError, TableTooSlow
from collectors.partitioning import PartitionSpec
from collectors.tables.catalog import Table

_NOTHING = SnapshotTotals(0, 0, 0, 0, 0, 0, ())


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
    work_of = {scan.scan_id: work for work in works for scan in work.scans}
    summaries = {}
    specs_of = {}
    failures = {
        scan_id: (failure.code, failure.message)
        for failure in replay.failures
        for scan_id in failure.scan_ids
    }
    for distinct in workload.scans.values():
        scan_id = distinct.scan.scan_id
        if scan_id in failures:
            continue
        found = attempt("summing up a scan", _concluded, distinct, work_of.get(scan_id), replay)
        if isinstance(found, PrunescopeError):
            failures[scan_id] = (found.code, str(found))
        elif found is not None:
            summaries[scan_id], specs_of[scan_id] = found
    return Plans(summaries, specs_of, failures, matching)


def _concluded(
    distinct: DistinctScan, work: TableWork | None, replay: Replay
) -> tuple[ScanPlanSummary, tuple[PartitionSpec, ...]] | None:
    """The plan of a scan, and the specs of its data; None where its snapshot was not planned."""
    snapshot = distinct.snapshot
    specs = distinct.table.metadata.specs(distinct.schema)
    totals: SnapshotTotals | None = _NOTHING
    if snapshot is not None:
        key = None if work is None else (work.key, snapshot.snapshot_id)
        totals = None if key is None else replay.totals.get(key)
    if totals is None:
        return None
    snapshot_id = None if snapshot is None else snapshot.snapshot_id
    schema_id = distinct.schema.schema_id
    plan = conclude(distinct.scan, specs, snapshot_id, schema_id, totals, replay.tallies)
    return plan, tuple(specs[spec_id] for spec_id in totals.spec_ids)


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
