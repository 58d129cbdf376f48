"""Results of maintenance, a line or an object for each audit table."""

from __future__ import annotations

from prunescope.audit_jobs.sinks.maintenance import Maintained


def maintained_line(table: Maintained) -> str:
    """The maintenance of a table, or that nothing had to be done."""
    done = {
        "rows dropped": table.dropped_rows,
        "days compacted": table.compacted_days,
        "snapshots expired": table.expired_snapshots,
        "files deleted": table.deleted_files,
    }
    told = ", ".join(f"{count:,} {what}" for what, count in done.items() if count)
    return f"{table.table:14} {told or 'nothing to do'}"


def maintained_document(table: Maintained) -> dict[str, object]:
    """The maintenance of a table as JSON; `failure` is null if there was none."""
    return {
        "table": table.table,
        "dropped_rows": table.dropped_rows,
        "compacted_days": table.compacted_days,
        "expired_snapshots": table.expired_snapshots,
        "deleted_files": table.deleted_files,
        "failure": None if table.failure is None else str(table.failure),
    }
