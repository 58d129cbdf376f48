"""Reading all rows of a run back from the audit tables."""

from __future__ import annotations

from collections.abc import Sequence

from pyiceberg.catalog import Catalog

from audit_jobs.sinks.audit_schemas import COLUMN_HEALTH, FINDINGS, SCAN_PLANS, TABLE_HEALTH
from audit_jobs.sinks.published_rows import of_run, read_rows, visible_run
from audit_jobs.sinks.run_rows import RunRows


def read_run(
    catalog: Catalog, namespace: str, run_id: str | None, scan_columns: Sequence[str]
) -> RunRows:
    """The rows of a visible run, or, with None, of the one that finished last. Of scan_plans only
    some columns, batch by batch, while they are walked through. Raises NotAudited, also while
    scan_plans are walked through."""
    run = visible_run(catalog, namespace, run_id)
    where = of_run(run)
    findings = read_rows(catalog, namespace, FINDINGS, where)
    return RunRows(
        run=run,
        scan_plans=read_rows(catalog, namespace, SCAN_PLANS, where, scan_columns),
        table_health=tuple(read_rows(catalog, namespace, TABLE_HEALTH, where)),
        column_health=tuple(read_rows(catalog, namespace, COLUMN_HEALTH, where)),
        findings=tuple(sorted(findings, key=lambda row: row["rank"])),
    )
