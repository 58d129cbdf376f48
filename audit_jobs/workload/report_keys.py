"""Keys that a report shares with the scans to which it may belong."""

from __future__ import annotations

from typing import NamedTuple

from prunescope.audit_jobs.isolation import attempt
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ScanReport, TableName
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.tables.catalog import Table


class ReportKey(NamedTuple):
    """The table as the report names it, the snapshot, and the shape of the filter."""

    table: TableName
    snapshot_id: int | None
    shape: str


class ScanKey(NamedTuple):
    """The identity of the table, because engines name one table differently, the snapshot, and the
    shape of the filter."""

    table: str
    snapshot_id: int | None
    shape: str


def report_key(report: ScanReport) -> ReportKey | None:
    """The key of a report; None if the shape of its filter is unknown."""
    pushed = report.scan.pushed
    if not isinstance(pushed, Predicate):
        return None
    text = attempt("telling the shape of a filter", shape, pushed)
    if isinstance(text, PrunescopeError):
        return None
    return ReportKey(report.scan.table, report.scan.snapshot_id, text)


def scan_key(table: Table, snapshot_id: int | None, predicate: Predicate) -> ScanKey | None:
    """The key of a scan; None if the shape of its filter is unknown."""
    text = attempt("telling the shape of a filter", shape, predicate)
    if isinstance(text, PrunescopeError):
        return None
    return ScanKey(identity(table), snapshot_id, text)


def identity(table: Table) -> str:
    """The table's UUID, which is the same under every name. Version 1 may lack one."""
    return table.metadata.table_uuid or str(table.name)
