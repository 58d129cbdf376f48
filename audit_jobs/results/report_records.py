"""Scan reports, which name no query: the scans that they belong to, and their records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.items import ItemGroup
from prunescope.audit_jobs.records import ScanRecord
from prunescope.audit_jobs.workload.digests import digest
from prunescope.audit_jobs.workload.inputs import Told
from prunescope.audit_jobs.workload.report_keys import ReportKey, ScanKey, identity, report_key
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedScan, ScanReport, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.tables.catalog import Table


@dataclass(frozen=True, slots=True)
class Reports:
    """The reports of a run: by report key the outcomes of the search for their scans, and by scan
    key the counters of reports that belong to scans."""

    outcomes: Mapping[ReportKey, str]
    counters: Mapping[ScanKey, ObservedScan]


def wanted(told: Told, tables: Mapping[TableName, Table]) -> dict[ReportKey, ScanKey]:
    """The scan keys to which reports may belong, by report key."""
    return {
        key: ScanKey(identity(tables[key.table]), key.snapshot_id, key.shape)
        for key in told.reported
        if key.table in tables
    }


def match_reports(
    told: Told,
    scan_keys: Mapping[ReportKey, ScanKey],
    digests: Iterable[tuple[ScanKey, str]],
) -> Reports:
    """Matches reports with the scans whose filters have these digests.

    A report matches the scans of the same table (by its UUID), snapshot and shape of the pushed
    filter, if these have one filter: a report's literals are hashed, so scans that differ in
    literals alone are ambiguous.
    """
    filters: dict[ScanKey, set[str]] = {}
    for key, of_filter in digests:
        filters.setdefault(key, set()).add(of_filter)
    outcomes: dict[ReportKey, str] = {}
    last: dict[ScanKey, tuple[str, ObservedScan]] = {}
    for report, scan in scan_keys.items():
        found = filters.get(scan, ())
        outcomes[report] = _matched(len(found))
        if len(found) == 1:
            known = last.get(scan)
            if known is None or known[0] <= told.reported[report][0]:
                last[scan] = told.reported[report]
    return Reports(outcomes, {key: scan for key, (_, scan) in last.items()})


def report_records(
    group: ItemGroup,
    reports: Reports,
    opened: Mapping[TableName, TableName],
    failed: Mapping[TableName, Failed],
) -> Iterator[ScanRecord]:
    """One record for each report of a group. `opened` has the own names of tables that were
    opened."""
    seen: set[str] = set()
    for _, _, report in group.tasks:
        key = digest(report.source, report.location)
        while key in seen:
            key = digest(key)
        seen.add(key)
        outcome = _outcome(report, reports, opened, failed)
        table = opened.get(report.scan.table, report.scan.table.shown)
        yield _record(f"report/{key}", report, table, outcome)


def _matched(scans: int) -> Outcome:
    if scans > 1:
        return Outcome.REPORT_AMBIGUOUS
    return Outcome.REPORT_MATCHED if scans else Outcome.REPORT_UNMATCHED


def _outcome(
    report: ScanReport,
    reports: Reports,
    opened: Collection[TableName],
    failed: Mapping[TableName, Failed],
) -> str:
    name = report.scan.table
    if name in failed:
        return failed[name].code
    if name not in opened:
        return Outcome.NO_ICEBERG_TABLE
    key = report_key(report)
    if key is None:
        return Outcome.REPORT_UNMATCHED
    return reports.outcomes.get(key, Outcome.REPORT_UNMATCHED)


def _record(key: str, report: ScanReport, table: TableName, outcome: str) -> ScanRecord:
    pushed = report.scan.pushed
    text = (
        attempt("telling the shape of a filter", shape, pushed)
        if isinstance(pushed, Predicate)
        else None
    )
    return ScanRecord(
        scan_key=key,
        source=report.source,
        location=report.location,
        query_id=None,
        query_outcome=outcome,
        outcome=outcome,
        engine=report.engine,
        engine_version=report.engine_version,
        started_at=report.reported_at,
        table=table,
        pushed=None if isinstance(text, PrunescopeError) else text,
        observed=report.scan.counters,
    )
