"""All rows of one run that people are told of, whether it was just made or is read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit_jobs.records import AuditResult
from audit_jobs.sinks.audit_rows import (
    Row,
    column_health_rows,
    finding_rows,
    run_row,
    scan_plan_rows,
    table_health_rows,
)
from audit_jobs.sinks.audit_schemas import (
    AUDIT_RUNS,
    COLUMN_HEALTH,
    FINDINGS,
    SCAN_PLANS,
    TABLE_HEALTH,
    AuditTable,
)


@dataclass(frozen=True, slots=True)
class RunRows:
    """The rows of one run by audit table; each row has all columns of its table, null where
    nothing is known. `run` is that of audit_runs.

    `scan_plans` can be walked through once: there are as many as the window has scans. Findings
    come as they are ranked, the other rows in any order.
    """

    run: Row
    scan_plans: Iterable[Row]
    table_health: tuple[Row, ...]
    column_health: tuple[Row, ...]
    findings: tuple[Row, ...]


def rows_of(result: AuditResult) -> RunRows:
    """The rows that publishing a run writes."""
    return RunRows(
        run=next(_whole([run_row(result)], AUDIT_RUNS)),
        scan_plans=_whole(scan_plan_rows(result), SCAN_PLANS),
        table_health=tuple(_whole(table_health_rows(result), TABLE_HEALTH)),
        column_health=tuple(_whole(column_health_rows(result), COLUMN_HEALTH)),
        findings=tuple(_whole(finding_rows(result), FINDINGS)),
    )


def _whole(rows: Iterable[Row], table: AuditTable) -> Iterator[Row]:
    """Rows as the table stores them: with nulls where they have no value."""
    nothing = dict.fromkeys(column.name for column in table.columns)
    for row in rows:
        yield nothing | dict(row)
