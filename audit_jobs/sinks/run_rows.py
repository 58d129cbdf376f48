"""All rows of one run that sinks report, whether it was just made or is read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prunescope.audit_jobs.findings.history import NO_HISTORY, History
from prunescope.audit_jobs.results.arrow import to_arrow
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.fixed_findings import Found, Mended, mended, tables_of
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.schemas import (
    AUDIT_RUNS,
    COLUMN_HEALTH,
    FINDINGS,
    SMALL_FINDINGS,
    TABLE_HEALTH,
)
from prunescope.audit_jobs.results.sums import RunSums
from prunescope.audit_jobs.results.table_rows import (
    column_health_rows,
    finding_rows,
    run_row,
    small_finding_rows,
    table_health_rows,
)


@dataclass(frozen=True, slots=True)
class RunRows:
    """The rows of one run by audit table; each row has all columns of its table, null if a value is
    unknown. `run` is that of audit_runs.

    Of scan_plans, of which there are as many as the window has scans, `sums` has the sums. Findings
    come as they are ranked, the other rows in any order; `small_findings` are those that are too
    small to be reported. `history` has the earlier windows.
    """

    run: Row
    sums: RunSums
    table_health: tuple[Row, ...]
    column_health: tuple[Row, ...]
    findings: tuple[Row, ...]
    history: History = NO_HISTORY
    small_findings: tuple[Row, ...] = ()

    @property
    def promises(self) -> tuple[Mended, ...]:
        """The promises of earlier findings, with their outcome."""
        tables = tables_of(self.table_health, self.column_health)
        found = Found(self.sums, (*self.findings, *self.small_findings), tables)
        return mended(self.history, found)


def rows_of(result: AuditResult) -> RunRows:
    """The rows that publishing a run writes, as they are read back."""
    return RunRows(
        run=_stored([run_row(result)], AUDIT_RUNS)[0],
        sums=result.sums,
        table_health=_stored(table_health_rows(result), TABLE_HEALTH),
        column_health=_stored(column_health_rows(result), COLUMN_HEALTH),
        findings=_stored(finding_rows(result), FINDINGS),
        small_findings=_stored(small_finding_rows(result), SMALL_FINDINGS),
        history=result.history,
    )


def _stored(rows: Iterable[Row], table: AuditTable) -> tuple[Row, ...]:
    """Rows with the values as the table stores them: a median of files that is 4 becomes 4.0."""
    return tuple(to_arrow(rows, table).to_pylist())
