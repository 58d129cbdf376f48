"""Scans of a log as questions to tables as they are now."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.advice.workload import AskedScan
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.workload.bind import BoundScan, bind_scan
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.table_scans import TableScan
from prunescope.collectors.tables.catalog import Table


def asked_scan(table: Table, named: NamedTables, scan: TableScan) -> AskedScan | str:
    """A scan as one of the table's current rows; the reason if it is none."""
    if scan.snapshot_id is not None or scan.ref is not None or scan.as_of is not None:
        return "time_travel"
    # Whatever it read then, the question is what it would keep now.
    current = replace(scan, observed=None)
    query = replace(named.query, started_at=None)
    bound = attempt(
        f"binding a filter of {scan.table}",
        table.storage.clock.timed(bind_scan),
        table,
        query,
        current,
    )
    if isinstance(bound, PrunescopeError):
        return bound.code
    if not isinstance(bound, BoundScan):
        return bound.why.code
    potential, _ = bound.plans.potential
    return AskedScan(*bound.plans.pushed, potential)
