"""Reading all rows of a run back from the audit tables."""

from __future__ import annotations

from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from prunescope.audit_jobs.results.schemas import (
    COLUMN_HEALTH,
    FINDINGS,
    SMALL_FINDINGS,
    TABLE_HEALTH,
)
from prunescope.audit_jobs.results.sums import SCAN_COLUMNS, summed
from prunescope.audit_jobs.sinks.published_rows import (
    is_there,
    of_run,
    read_batches,
    read_rows,
    visible_run,
)
from prunescope.audit_jobs.sinks.run_rows import RunRows


def read_run(catalog: Catalog, namespace: str, run_id: str | None) -> RunRows:
    """The rows of a visible run, or, with None, of the newest window. Raises NotAudited."""
    run = visible_run(catalog, namespace, run_id)
    where = of_run(run)
    findings = read_rows(catalog, namespace, FINDINGS, where)
    has_small = is_there(catalog, namespace, SMALL_FINDINGS)  # later than the others
    small = read_rows(catalog, namespace, SMALL_FINDINGS, where) if has_small else ()
    return RunRows(
        run=run,
        sums=summed(read_batches(catalog, namespace, SCAN_PLANS, where, SCAN_COLUMNS)),
        table_health=tuple(read_rows(catalog, namespace, TABLE_HEALTH, where)),
        column_health=tuple(read_rows(catalog, namespace, COLUMN_HEALTH, where)),
        findings=tuple(sorted(findings, key=lambda row: row["rank"])),
        small_findings=tuple(sorted(small, key=lambda row: row["rank"])),
    )
