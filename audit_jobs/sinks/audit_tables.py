"""Publishing a run to the audit tables, so that a reader sees all of it or nothing."""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pyarrow as pa
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, ValidationException
from pyiceberg.schema import Schema

from audit_jobs.errors import PublishFailed
from audit_jobs.records import AuditResult, Window
from audit_jobs.sinks.arrow_rows import ROWS_OF, to_arrow
from audit_jobs.sinks.audit_rows import Row, run_row
from audit_jobs.sinks.audit_schemas import AUDIT_RUNS, AuditTable, day_of_window

if TYPE_CHECKING:
    from pyiceberg.table import Table

_ATTEMPTS = 5


def publish(result: AuditResult, catalog: Catalog, namespace: str) -> None:
    """Writes a run to the audit tables; raises PublishFailed.

    In each table the run replaces all rows whose window lies within its own, in one commit;
    other windows stay. `audit_runs` comes last: a run is visible only through its row there,
    and readers of the other tables join on `run_id`. Earlier runs of the window are withdrawn
    from `audit_runs` before their rows are replaced, so that at any moment each visible run is
    complete. What a killed run leaves is never visible; the next run of its window replaces it.

    Tables and namespace are created where they are missing, and columns that an existing table
    lacks are added. Runs of other windows may publish at the same time: conflicting commits
    are repeated. Two runs of one window at once are for the scheduler to prevent.
    """
    window = result.run.window
    _publish_table(catalog, namespace, AUDIT_RUNS, window, ())
    for audit_table, rows_of in ROWS_OF:
        _publish_table(catalog, namespace, audit_table, window, rows_of(result))
    _publish_table(catalog, namespace, AUDIT_RUNS, window, [run_row(result)])


def mark_failed(result: AuditResult, catalog: Catalog, namespace: str) -> None:
    """Writes a row of status `failed` to `audit_runs`, in place of earlier ones of the window;
    what an earlier run published stays. Raises PublishFailed."""
    stale = f"{_within(result.run.window)} and status = 'failed'"
    row = {**run_row(result), "status": "failed", "scans": 0}
    _publish_rows(catalog, namespace, AUDIT_RUNS, stale, [row])


def _publish_table(
    catalog: Catalog, namespace: str, audit_table: AuditTable, window: Window, rows: Iterable[Row]
) -> None:
    _publish_rows(catalog, namespace, audit_table, _within(window), rows)


def _publish_rows(
    catalog: Catalog, namespace: str, audit_table: AuditTable, stale: str, rows: Iterable[Row]
) -> None:
    """Replaces the rows that `stale` selects, in one commit."""
    name = f"{namespace}.{audit_table.name}"
    conflict: Exception | None = None
    try:
        data = to_arrow(rows, audit_table)
        for _ in range(_ATTEMPTS):
            try:
                _replace(_open(catalog, namespace, audit_table), stale, data)
            except (CommitFailedException, ValidationException) as error:
                conflict = error
            else:
                return
    except Exception as error:
        raise PublishFailed(
            f"audit table {name} in catalog {catalog.name!r} cannot be written "
            f"({type(error).__name__}); check permissions and storage, then run the window again"
        ) from error
    raise PublishFailed(
        f"audit table {name} in catalog {catalog.name!r} was changed by others during each of "
        f"{_ATTEMPTS} attempts to commit; run the window again"
    ) from conflict


def _open(catalog: Catalog, namespace: str, audit_table: AuditTable) -> Table:
    """The table as it is now, with at least our columns."""
    wanted = audit_table.schema()
    identifier = (*namespace.split("."), audit_table.name)
    try:
        table = catalog.load_table(identifier)
    except NoSuchTableError:
        catalog.create_namespace_if_not_exists(identifier[:-1])
        table = catalog.create_table_if_not_exists(
            identifier,
            wanted,
            partition_spec=day_of_window(wanted),
            properties={"format-version": "2", "comment": audit_table.comment},
        )
    present = set(table.schema().column_names)
    missing = [field for field in wanted.fields if field.name not in present]
    if missing:
        with table.update_schema() as update:
            update.union_by_name(Schema(*missing))
    return table


def _replace(table: Table, stale: str, data: pa.Table) -> None:
    with warnings.catch_warnings(), table.transaction() as transaction:
        # PyIceberg warns where there is nothing to delete: the usual case here.
        warnings.filterwarnings("ignore", "Delete operation did not match any records")
        transaction.delete(stale)
        if data.num_rows:
            transaction.append(data)


def _within(window: Window) -> str:
    """A row filter for the rows of all windows within this one."""
    start, end = _instant(window.start), _instant(window.end)
    return f"window_start >= '{start}' and window_end <= '{end}'"


def _instant(value: dt.datetime) -> str:
    return value.astimezone(dt.UTC).isoformat()
