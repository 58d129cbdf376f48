"""A finished run with everything it found, ready for any sink."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prunescope.audit_jobs.findings.history import NO_HISTORY, History
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.what_if import WhatIf
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import RunRecord
from prunescope.audit_jobs.results.columns import Row, identity
from prunescope.audit_jobs.results.scan_parts import ScanParts
from prunescope.audit_jobs.results.sums import RunSums
from prunescope.collectors.observed import TableName

if TYPE_CHECKING:
    from prunescope.collectors.tables.catalog import Table


@dataclass(frozen=True, slots=True)
class AuditResult:
    """A run; the rows of its scans, and their sums; the results for tables, and findings that are
    too small to be reported; earlier windows; the effects of indexes, if these were asked for; and
    the tables that were opened, by the names that queries use and by their own.
    """

    run: RunRecord
    rows: ScanParts
    sums: RunSums
    health: tuple[TableHealth, ...] = ()
    findings: tuple[Finding, ...] = ()
    small_findings: tuple[Finding, ...] = ()
    history: History = NO_HISTORY
    indexes: Mapping[TableName, tuple[WhatIf, ...]] = field(default_factory=dict)
    tables: Mapping[TableName, Table] = field(default_factory=dict)

    def scan_plans(self, *columns: str) -> Iterator[Row]:
        """The rows of scan_plans, with all columns or only some."""
        for part in self.rows:
            rows = part.scan_plans.select(columns) if columns else part.scan_plans
            for batch in rows.to_batches():
                yield from batch.to_pylist()

    @property
    def identity(self) -> Row:
        """The columns that all of its rows share."""
        return identity(self.run.run_id, self.run.window)
