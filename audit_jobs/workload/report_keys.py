"""What a report and the scans that it may be of have in common."""

from __future__ import annotations

from typing import NamedTuple

from audit_jobs.isolation import attempt
from collectors.errors import PrunescopeError
from collectors.observed import ScanReport, TableName
from collectors.predicates.model import Predicate
from collectors.predicates.shape import shape
from collectors.tables.catalog import Table


class ReportKey(NamedTuple):
    """The table as the report names it, the snapshot, and the shape of the filter."""

    table: TableName
    snapshot_id: int | None
    shape: str


class ScanKey(NamedTuple):
    """The same, of a table by its identity: engines name one table differently."""

    table: str
    snapshot_id: int | None
    shape: str


def report_key(report: ScanReport) -> ReportKey | None:
    """That of a report; None for one without a filter that can be told."""
    pushed = report.scan.pushed
    if not isinstance(pushed, Predicate):
        return None
    text = attempt("telling the shape of a filter", shape, pushed)
    if isinstance(text, PrunescopeError):
        return None
    return ReportKey(report.scan.table, report.scan.snapshot_id, text)


def scan_key(table: Table, snapshot_id: int | None, predicate: Predicate) -> ScanKey | None:
    """That of a scan; None for one whose filter's shape cannot be told."""
    text = attempt("telling the shape of a filter", shape, predicate)
    if isinstance(text, PrunescopeError):
        return None
    return ScanKey(identity(table), snapshot_id, text)


def identity(table: Table) -> str:
    """Its UUID, which is the same whatever it is named. Version 1 may lack one."""
    return table.metadata.table_uuid or str(table.name)
