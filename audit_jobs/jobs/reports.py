"""Joining scan reports, which name no query, to the replayed scans that they are reports of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.jobs.tables import Tables
from audit_jobs.jobs.workload import PlannedScan
from audit_jobs.records import ScanRecord
from collectors.predicates.model import Predicate
from collectors.predicates.shape import shape
from collectors.queries.observed import ObservedScan, ScanReport, TableName
from collectors.tables.catalog import Table

MATCHED = "report_matched"
"""The report belongs to a replayed scan, which has its counts."""
UNMATCHED = "report_unmatched"
"""No scan of the audited queries has the table, snapshot and shape of filter of the report."""
AMBIGUOUS = "report_ambiguous"
"""Scans with different literals have its table, snapshot and shape of filter."""

_Key = tuple[str, int | None, str]


def join_reports(
    reports: Sequence[ScanReport],
    scans: Sequence[Sequence[PlannedScan]],
    snapshots: Mapping[int, int | None],
    tables: Tables,
) -> tuple[list[list[PlannedScan]], list[ScanRecord]]:
    """The scans of every query with the counts of the reports that match them, and one record
    per report.

    A report matches the scans of the same table (by its UUID), snapshot and shape of the pushed
    filter, if these are all one plan: a report's literals are hashed, so of scans that differ in
    literals alone none can be told to be meant. `snapshots` are the snapshot ids by scan id.
    """
    plans: dict[_Key, set[int]] = {}
    for scan in (scan for of_query in scans for scan in of_query):
        if scan.scan_id is not None:
            plans.setdefault(_key_of_scan(scan, snapshots, tables), set()).add(scan.scan_id)
    records = []
    counters: dict[int, ObservedScan] = {}
    for number, report in enumerate(reports):
        outcome, meant = _meant(report, plans, tables)
        if meant is not None:
            counters[meant] = report.scan
        records.append(_record(number, report, outcome))
    return [[_with_counts(scan, counters) for scan in of_query] for of_query in scans], records


def _meant(
    report: ScanReport, plans: Mapping[_Key, set[int]], tables: Tables
) -> tuple[str, int | None]:
    if report.scan.table in tables.failed:
        return tables.failed[report.scan.table].code, None
    if report.scan.table not in tables.opened:
        return "no_iceberg_table", None
    if not isinstance(report.scan.pushed, Predicate):
        return UNMATCHED, None
    table = _identity(tables.opened[report.scan.table])
    found = plans.get((table, report.scan.snapshot_id, shape(report.scan.pushed)), set())
    if len(found) > 1:
        return AMBIGUOUS, None
    return (MATCHED, next(iter(found))) if found else (UNMATCHED, None)


def _key_of_scan(scan: PlannedScan, snapshots: Mapping[int, int | None], tables: Tables) -> _Key:
    planned = scan.predicate if scan.pushed is None else scan.pushed
    assert planned is not None
    assert scan.scan_id is not None
    table = _identity(tables.opened[scan.table])
    return table, snapshots[scan.scan_id], shape(planned)


def _identity(table: Table) -> str:
    """Engines name one table differently; its UUID is the same. Version 1 may lack one."""
    return table.metadata.table_uuid or str(table.name)


def _with_counts(scan: PlannedScan, counters: Mapping[int, ObservedScan]) -> PlannedScan:
    """The scan with a report's counts, unless the engine reported counts of its own."""
    found = None if scan.scan_id is None else counters.get(scan.scan_id)
    if found is None or (scan.observed is not None and scan.observed.counters):
        return scan
    return replace(scan, observed=found)


def _record(number: int, report: ScanReport, outcome: str) -> ScanRecord:
    pushed = report.scan.pushed
    return ScanRecord(
        scan_key=f"report/{number}",
        source=report.source,
        location=report.location,
        query_id=None,
        query_outcome=outcome,
        outcome=outcome,
        engine=report.engine,
        engine_version=report.engine_version,
        started_at=report.reported_at,
        table=report.scan.table,
        pushed=shape(pushed) if isinstance(pushed, Predicate) else None,
        observed=report.scan.counters,
    )


def reported_tables(reports: Sequence[ScanReport]) -> dict[TableName, None]:
    """Every table that any report names, once."""
    return {report.scan.table: None for report in reports}
