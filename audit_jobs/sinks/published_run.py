"""Reading all rows of a run back from the audit tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from audit_jobs.sinks.audit_schemas import (
    AUDIT_RUNS,
    COLUMN_HEALTH,
    FINDINGS,
    SCAN_PLANS,
    TABLE_HEALTH,
    AuditTable,
)
from audit_jobs.sinks.published_findings import NotAudited
from audit_jobs.sinks.run_rows import RunRows

if TYPE_CHECKING:
    from pyiceberg.table import Table

_VISIBLE = "status in ('succeeded', 'partial')"


def read_run(
    catalog: Catalog, namespace: str, run_id: str | None, scan_columns: Sequence[str]
) -> RunRows:
    """The rows of a visible run, or, with None, of the one that finished last. Of scan_plans only
    some columns, batch by batch, while they are walked through. Columns that a table of an older
    version lacks are null. Raises NotAudited, also while scan_plans are walked through."""
    runs = [
        row
        for row in _rows(catalog, namespace, AUDIT_RUNS, _VISIBLE)
        if run_id in (None, row["run_id"])
    ]
    if not runs:
        which = "no finished run" if run_id is None else f"no finished run {run_id}"
        raise NotAudited(
            f"{namespace}.{AUDIT_RUNS.name} in catalog {catalog.name!r} has {which}; "
            "run `prunescope audit` first, or look for its id in that table"
        )
    run = max(runs, key=lambda row: row["finished_at"])
    # The window is the partition; ids of runs are random, and prune nothing.
    where = f"run_id = '{run['run_id']}' and window_start = '{run['window_start'].isoformat()}'"
    findings = sorted(_rows(catalog, namespace, FINDINGS, where), key=lambda row: row["rank"])
    return RunRows(
        run=run,
        scan_plans=_rows(catalog, namespace, SCAN_PLANS, where, scan_columns),
        table_health=tuple(_rows(catalog, namespace, TABLE_HEALTH, where)),
        column_health=tuple(_rows(catalog, namespace, COLUMN_HEALTH, where)),
        findings=tuple(findings),
    )


def _rows(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    where: str,
    columns: Sequence[str] | None = None,
) -> Iterator[dict[str, Any]]:
    wanted = columns or [column.name for column in audit_table.columns]
    table = _open(catalog, namespace, audit_table.name)
    present = [name for name in wanted if name in table.schema().column_names]
    nothing = dict.fromkeys(wanted)
    try:
        batches = table.scan(where, selected_fields=tuple(present)).to_arrow_batch_reader()
        for batch in batches:
            for row in batch.to_pylist():
                yield nothing | row
    except Exception as error:  # storage, formats: anything can fail to be read
        raise _unreadable(f"{namespace}.{audit_table.name}", error) from error


def _open(catalog: Catalog, namespace: str, name: str) -> Table:
    try:
        return catalog.load_table((*namespace.split("."), name))
    except (NoSuchTableError, NoSuchNamespaceError) as error:
        raise NotAudited(
            f"catalog {catalog.name!r} has no audit table {namespace}.{name}; run "
            "`prunescope audit` first, or check audit.namespace in the configuration"
        ) from error
    except Exception as error:  # each kind of catalog raises its own
        raise _unreadable(f"{namespace}.{name}", error) from error


def _unreadable(name: str, error: Exception) -> NotAudited:
    return NotAudited(
        f"audit table {name} cannot be read ({type(error).__name__}); check the catalog, "
        "permissions and storage"
    )
