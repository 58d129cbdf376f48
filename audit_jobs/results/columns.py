"""Values that columns of several audit tables share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prunescope.audit_jobs.records import Window
from prunescope.collectors.observed import TableName

Row = Mapping[str, Any]

NAME = ("catalog", "namespace", "table")
"""The columns that name a table."""


def identity(run_id: str, window: Window) -> Row:
    """The columns of a run and its window."""
    return {"run_id": run_id, "window_start": window.start, "window_end": window.end}


def named(table: TableName) -> dict[str, Any]:
    """The columns that name a table."""
    return {
        "catalog": table.catalog,
        "namespace": ".".join(table.namespace),
        "table": table.table,
    }


def signed(snapshot_id: int | None) -> int | None:
    """A snapshot id as a signed number of the same 64 bits, as in Avro and Java, because a long
    column holds such numbers."""
    if snapshot_id is None or snapshot_id < 1 << 63:
        return snapshot_id
    return snapshot_id - (1 << 64)


def map_of(entries: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Sorted pairs, the form in which Arrow takes maps."""
    return sorted(entries.items())


MOST_NAMED = 1_000
"""Names that a column of audit_runs lists at most, in their order: a column beside it, `…_count`,
has how many there are."""


def listed(column: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """A column of audit_runs that names failed things, at most MOST_NAMED, and the column with
    their number."""
    return {column: map_of(entries)[:MOST_NAMED], f"{column}_count": len(entries)}


def count_of(run: Row, column: str) -> int | None:
    """The number of failed things that a row of audit_runs has for a column; older versions wrote
    rows without the count. None if unknown."""
    count: int | None = run.get(f"{column}_count")
    return len(run[column]) if count is None and run[column] is not None else count
