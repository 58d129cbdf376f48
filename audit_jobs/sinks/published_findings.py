"""Reading the findings of a run back from the audit tables."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from audit_jobs.finding_views.entries import Entry
from audit_jobs.findings.rows import finding_of
from audit_jobs.sinks.audit_schemas import AUDIT_RUNS, FINDINGS
from collectors.errors import PrunescopeError

if TYPE_CHECKING:
    from pyiceberg.table import Table

_VISIBLE = "status in ('succeeded', 'partial')"
_COLUMNS = tuple(column.name for column in FINDINGS.columns)


class NotAudited(PrunescopeError):
    """There is no run to tell of, or the audit tables cannot be read."""

    code = "not_audited"


@dataclass(frozen=True, slots=True)
class PublishedFindings:
    """The findings of a visible run, as they are ranked."""

    run_id: str
    window_start: dt.datetime
    window_end: dt.datetime
    status: str
    entries: tuple[Entry, ...]


def read_findings(catalog: Catalog, namespace: str, run_id: str | None) -> PublishedFindings:
    """The findings of a run, or, with None, of the one that finished last. Raises NotAudited."""
    runs = _rows(
        _open(catalog, namespace, AUDIT_RUNS.name),
        _VISIBLE,
        ("run_id", "window_start", "window_end", "finished_at", "status"),
    )
    chosen = [run for run in runs if run_id in (None, run["run_id"])]
    if not chosen:
        which = "no finished run" if run_id is None else f"no finished run {run_id}"
        raise NotAudited(
            f"{namespace}.{AUDIT_RUNS.name} in catalog {catalog.name!r} has {which}; "
            "run `prunescope audit` first, or look for its id in that table"
        )
    run = max(chosen, key=lambda run: run["finished_at"])
    table = _open(catalog, namespace, FINDINGS.name)
    # The window is the partition; ids of runs are random, and prune nothing.
    of_run = f"run_id = '{run['run_id']}' and window_start = '{run['window_start'].isoformat()}'"
    rows = _rows(table, of_run, _COLUMNS)
    return PublishedFindings(
        run_id=run["run_id"],
        window_start=run["window_start"],
        window_end=run["window_end"],
        status=run["status"],
        entries=tuple(_entry(row) for row in sorted(rows, key=lambda row: row["rank"])),
    )


def _open(catalog: Catalog, namespace: str, name: str) -> Table:
    identifier = (*namespace.split("."), name)
    try:
        return catalog.load_table(identifier)
    except (NoSuchTableError, NoSuchNamespaceError) as error:
        raise NotAudited(
            f"catalog {catalog.name!r} has no audit table {namespace}.{name}; run "
            "`prunescope audit` first, or check audit.namespace in the configuration"
        ) from error
    except Exception as error:  # each kind of catalog raises its own
        raise _unreadable(f"{namespace}.{name}", error) from error


def _rows(table: Table, where: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = (
            table.scan(where, selected_fields=tuple(columns)).to_arrow().to_pylist()
        )
    except Exception as error:  # storage, formats: anything can fail to be read
        raise _unreadable(".".join(table.name()), error) from error
    return rows


def _unreadable(name: str, error: Exception) -> NotAudited:
    return NotAudited(
        f"audit table {name} cannot be read ({type(error).__name__}); check the catalog, "
        "permissions and storage"
    )


def _entry(row: dict[str, Any]) -> Entry:
    finding = finding_of({**row, "evidence": json.loads(row["evidence"])})
    return Entry(row["finding_key"], row["rank"], finding)
