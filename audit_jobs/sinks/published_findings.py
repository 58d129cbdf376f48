"""Reading the findings of a run back from the audit tables."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.findings.entries import Entry
from prunescope.audit_jobs.findings.rows import finding_of
from prunescope.audit_jobs.results.columns import NAME
from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from prunescope.audit_jobs.results.schemas import FINDINGS, SMALL_FINDINGS
from prunescope.audit_jobs.sinks.published_rows import (
    is_there,
    of_run,
    read_batches,
    read_rows,
    visible_run,
)


@dataclass(frozen=True, slots=True)
class PublishedFindings:
    """The findings of a visible run, as they are ranked."""

    run_id: str
    window_start: dt.datetime
    window_end: dt.datetime
    status: str
    entries: tuple[Entry, ...]


def read_findings(
    catalog: Catalog, namespace: str, run_id: str | None, *, small: bool = False
) -> PublishedFindings:
    """The findings of a run, or, with None, of the newest window; with `small`, after them
    those that were too small to be told. Raises NotAudited."""
    run = visible_run(catalog, namespace, run_id)
    rows = list(read_rows(catalog, namespace, FINDINGS, of_run(run)))
    if small and is_there(catalog, namespace, SMALL_FINDINGS):  # later than the others
        more = read_rows(catalog, namespace, SMALL_FINDINGS, of_run(run))
        rows += [{**row, "rank": len(rows) + row["rank"]} for row in more]
    return PublishedFindings(
        run_id=run["run_id"],
        window_start=run["window_start"],
        window_end=run["window_end"],
        status=run["status"],
        entries=tuple(_entry(row) for row in sorted(rows, key=lambda row: row["rank"])),
    )


def read_tables(catalog: Catalog, namespace: str, run: PublishedFindings) -> list[str]:
    """The tables that the queries of a run name: `catalog.namespace.table`. Raises NotAudited."""
    where = of_run({"run_id": run.run_id, "window_start": run.window_start})
    names: set[str] = set()
    for batch in read_batches(catalog, namespace, SCAN_PLANS, where, NAME):
        found = pa.Table.from_batches([batch]).group_by(list(NAME)).aggregate([])
        for row in found.to_pylist():
            if row["table"] is not None:
                names.add(".".join(row[part] for part in NAME if row[part]))
    return sorted(names)


def _entry(row: dict[str, Any]) -> Entry:
    finding = finding_of({**row, "evidence": json.loads(row["evidence"])})
    return Entry(row["finding_key"], row["rank"], finding)
