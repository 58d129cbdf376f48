"""Joining scan reports, which name no query, to the replayed scans that they are reports of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.isolation import attempt
from audit_jobs.jobs.tables import Tables
from audit_jobs.jobs.workload import PlannedScan, Workload
from audit_jobs.records import ScanRecord
from collectors.errors import PrunescopeError
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

# Table, snapshot and shape of filter; then, by the filter itself, the distinct scans that have it.
_Key = tuple[str, int | None, str]
_Plans = dict[_Key, dict[Predicate, list[int]]]


def join_reports(
    reports: Sequence[ScanReport],
    scans: Sequence[Sequence[PlannedScan]],
    workload: Workload,
    tables: Tables,
) -> tuple[list[list[PlannedScan]], list[ScanRecord]]:
    """The scans of every query with the counts of the reports that match them, and one record
    per report.

    A report matches the scans of the same table (by its UUID), snapshot and shape of the pushed
    filter, if these have one filter: a report's literals are hashed, so of scans that differ in
    literals alone none can be told to be meant.
    """
    planned = {scan.scan_id for of_query in scans for scan in of_query}
    plans: _Plans = {}
    for (_, snapshot_id, predicate, _), distinct in workload.scans.items():
        if distinct.scan.scan_id in planned:
            text = attempt("telling the shape of a filter", shape, predicate)
            if isinstance(text, PrunescopeError):
                continue
            key = (_identity(distinct.table), snapshot_id, text)
            plans.setdefault(key, {}).setdefault(predicate, []).append(distinct.scan.scan_id)
    records = []
    counters: dict[int, ObservedScan] = {}
    for number, report in enumerate(reports):
        doing = f"matching a report of {report.scan.table}"
        found = attempt(doing, _matched, number, report, plans, tables)
        if isinstance(found, PrunescopeError):
            records.append(_unread(number, report, found))
        else:
            counters.update(dict.fromkeys(found[1], report.scan))
            records.append(found[0])
    return [[_with_counts(scan, counters) for scan in of_query] for of_query in scans], records


def _matched(
    number: int, report: ScanReport, plans: _Plans, tables: Tables
) -> tuple[ScanRecord, list[int]]:
    outcome, meant = _meant(report, plans, tables)
    return _record(number, report, outcome), meant


def _unread(number: int, report: ScanReport, error: PrunescopeError) -> ScanRecord:
    return ScanRecord(
        scan_key=f"report/{number}",
        source=report.source,
        location=report.location,
        query_id=None,
        query_outcome=error.code,
        outcome=error.code,
        message=str(error),
        table=report.scan.table,
    )


def _meant(report: ScanReport, plans: _Plans, tables: Tables) -> tuple[str, list[int]]:
    """What becomes of a report, and the distinct scans that it is of."""
    name, pushed = report.scan.table, report.scan.pushed
    if name in tables.failed:
        return tables.failed[name].code, []
    if name not in tables.opened:
        return "no_iceberg_table", []
    if not isinstance(pushed, Predicate):
        return UNMATCHED, []
    key = (_identity(tables.opened[name]), report.scan.snapshot_id, shape(pushed))
    found = list(plans.get(key, {}).values())
    if len(found) > 1:
        return AMBIGUOUS, []
    return (MATCHED, found[0]) if found else (UNMATCHED, [])


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
