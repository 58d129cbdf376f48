"""All rows of one run that people are told of, whether it was just made or is read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit_jobs.advice.beyond import CouldSkip
from audit_jobs.advice.promises import Followed
from audit_jobs.findings.history import NO_HISTORY, History
from audit_jobs.results.arrow import to_arrow
from audit_jobs.results.audit_table import AuditTable
from audit_jobs.results.columns import Row
from audit_jobs.results.result import AuditResult
from audit_jobs.results.schemas import AUDIT_RUNS, COLUMN_HEALTH, FINDINGS, TABLE_HEALTH
from audit_jobs.results.sums import RunSums
from audit_jobs.results.table_rows import (
    column_health_rows,
    finding_rows,
    run_row,
    table_health_rows,
)


@dataclass(frozen=True, slots=True)
class RunRows:
    """The rows of one run by audit table; each row has all columns of its table, null where
    nothing is known. `run` is that of audit_runs.

    Of scan_plans, of which there are as many as the window has scans, `sums` has the sums. Findings
    come as they are ranked, the other rows in any order. `history` is what windows before it say,
    `advice` all that was advised so far, and what became of it, `skips` what joins and the like
    could skip, as advice for each table told it last.
    """

    run: Row
    sums: RunSums
    table_health: tuple[Row, ...]
    column_health: tuple[Row, ...]
    findings: tuple[Row, ...]
    history: History = NO_HISTORY
    advice: tuple[Followed, ...] = ()
    skips: tuple[CouldSkip, ...] = ()


def rows_of(result: AuditResult) -> RunRows:
    """The rows that publishing a run writes, as they are read back."""
    return RunRows(
        run=_stored([run_row(result)], AUDIT_RUNS)[0],
        sums=result.sums,
        table_health=_stored(table_health_rows(result), TABLE_HEALTH),
        column_health=_stored(column_health_rows(result), COLUMN_HEALTH),
        findings=_stored(finding_rows(result), FINDINGS),
        history=result.history,
    )


def _stored(rows: Iterable[Row], table: AuditTable) -> tuple[Row, ...]:
    """Rows with the values that the table holds of them: a median of files that is 4 is 4.0."""
    return tuple(to_arrow(rows, table).to_pylist())
