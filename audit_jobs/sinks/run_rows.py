"""All rows of one run that people are told of, whether it was just made or is read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit_jobs.results.columns import Row
from audit_jobs.results.result import AuditResult
from audit_jobs.results.schemas import (
    AUDIT_RUNS,
    COLUMN_HEALTH,
    FINDINGS,
    TABLE_HEALTH,
    AuditTable,
)
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
    come as they are ranked, the other rows in any order.
    """

    run: Row
    sums: RunSums
    table_health: tuple[Row, ...]
    column_health: tuple[Row, ...]
    findings: tuple[Row, ...]


def rows_of(result: AuditResult) -> RunRows:
    """The rows that publishing a run writes."""
    return RunRows(
        run=next(_whole([run_row(result)], AUDIT_RUNS)),
        sums=result.sums,
        table_health=tuple(_whole(table_health_rows(result), TABLE_HEALTH)),
        column_health=tuple(_whole(column_health_rows(result), COLUMN_HEALTH)),
        findings=tuple(_whole(finding_rows(result), FINDINGS)),
    )


def _whole(rows: Iterable[Row], table: AuditTable) -> Iterator[Row]:
    """Rows as the table stores them: with nulls where they have no value."""
    nothing = dict.fromkeys(column.name for column in table.columns)
    for row in rows:
        yield nothing | dict(row)
