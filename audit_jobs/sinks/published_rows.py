"""Rows of visible runs, read back from the audit tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from prunescope.audit_jobs.errors import NotAudited
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS
from prunescope.audit_jobs.status import Status
from prunescope.audit_jobs.windows import has_passed
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.storage.unreadable import why_storage_failed
from prunescope.collectors.tables.catalog import in_time
from prunescope.collectors.tables.catalog_errors import why_catalog_failed

if TYPE_CHECKING:
    from pyiceberg.table import Table

_STATUSES = ", ".join(f"'{status}'" for status in Status if status.is_visible)
IS_VISIBLE = f"status in ({_STATUSES})"
"""The filter for visible runs in audit_runs."""


def visible_run(catalog: Catalog, namespace: str, run_id: str | None) -> dict[str, Any]:
    """The row of a run in audit_runs, or, with None, of the newest window: of completed windows the
    one that ends last, and of several runs the latest. Raises NotAudited."""
    now = dt.datetime.now(dt.UTC)
    runs = [
        row
        for row in read_rows(catalog, namespace, AUDIT_RUNS, IS_VISIBLE)
        if row["run_id"] == run_id or (run_id is None and has_passed(row["window_end"], now))
    ]
    if not runs:
        which = "no finished run of a window that is over"
        which = which if run_id is None else f"no finished run {run_id}"
        raise NotAudited(
            f"{namespace}.{AUDIT_RUNS.name} in catalog {catalog.name!r} has {which}. Look up run "
            f"ids in that table, or run `prunescope audit`."
        )
    return max(runs, key=lambda row: (row["window_end"], row["finished_at"]))


def overlapping_runs(catalog: Catalog, namespace: str, window: Window) -> list[dict[str, Any]]:
    """The rows of visible runs whose windows overlap a window and do not lie within it: a run of
    that window leaves them, and queries of both are counted twice."""
    start, end = window.start.isoformat(), window.end.isoformat()
    overlaps = f"window_start < '{end}' and window_end > '{start}' and {IS_VISIBLE}"
    try:
        found = list(read_rows(catalog, namespace, AUDIT_RUNS, overlaps))
    except NotAudited:  # there is no earlier run, or publishing will tell what is wrong
        return []
    return [
        row for row in found if row["window_start"] < window.start or row["window_end"] > window.end
    ]


def of_run(run: Mapping[str, Any]) -> str:
    """The filter for the rows of a run: its window is the partition; ids of runs are random, and
    prune nothing."""
    return f"run_id = '{run['run_id']}' and window_start = '{run['window_start'].isoformat()}'"


def read_rows(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    where: str,
    columns: Sequence[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Rows that match a filter, batch by batch, with all columns or only some. Columns that a table
    of an older version lacks are null. Raises NotAudited, also while rows are walked through."""
    for batch in read_batches(catalog, namespace, audit_table, where, columns):
        yield from batch.to_pylist()


def read_batches(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    where: str,
    columns: Sequence[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Record batches of the rows of `read_rows`. Raises the same errors."""
    wanted = columns or [column.name for column in audit_table.columns]
    table = _open(catalog, namespace, audit_table.name)
    present = [name for name in wanted if name in table.schema().column_names]
    try:
        for batch in table.scan(where, selected_fields=tuple(present)).to_arrow_batch_reader():
            found = [
                batch.column(name) if name in present else pa.nulls(batch.num_rows)
                for name in wanted
            ]
            yield pa.RecordBatch.from_arrays(found, names=list(wanted))
    except Exception as error:  # storage, formats: anything can fail to be read
        raise _unreadable(catalog, f"{namespace}.{audit_table.name}", error) from error


def is_there(catalog: Catalog, namespace: str, audit_table: AuditTable) -> bool:
    """True if an audit has made the table: older versions did not make all. Raises NotAudited."""
    try:
        asking = partial(catalog.table_exists, (*namespace.split("."), audit_table.name))
        return bool(in_time(catalog, asking))
    except Exception as error:  # each kind of catalog raises its own
        raise _unreadable(catalog, f"{namespace}.{audit_table.name}", error) from error


def _open(catalog: Catalog, namespace: str, name: str) -> Table:
    try:
        return in_time(catalog, partial(catalog.load_table, (*namespace.split("."), name)))
    except (NoSuchTableError, NoSuchNamespaceError) as error:
        raise NotAudited(
            f"catalog {catalog.name!r} has no audit table {namespace}.{name}; run "
            "`prunescope audit` first, or check audit.namespace in the configuration"
        ) from error
    except Exception as error:  # each kind of catalog raises its own
        raise _unreadable(catalog, f"{namespace}.{name}", error) from error


def _unreadable(catalog: Catalog, name: str, error: Exception) -> NotAudited:
    if isinstance(error, PrunescopeError):
        why: str | None = str(error)
    else:
        why = why_storage_failed(error)
    why = why or why_catalog_failed(error, catalog.name, catalog.properties)
    return NotAudited(f"audit table {name} in catalog {catalog.name!r} cannot be read: {why}")
