"""The maintenance job: the audit tables kept small, and a line for each."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

from audit_jobs.config import load_config
from audit_jobs.printing import print_json, tell
from audit_jobs.sinks.maintenance import Maintained, Retention, maintain
from collectors.tables.catalog import load_catalog


def run_maintenance(config_path: Path, *, as_json: bool = False) -> bool:
    """Maintains the audit tables of a configuration, and prints what was done; whether all could
    be. Raises BadConfiguration or CatalogUnavailable where nothing was done."""
    config = load_config(config_path)
    catalog = load_catalog(config.audit.catalog, config.catalogs[config.audit.catalog].properties)
    retention = Retention(config.retention.days, config.retention.snapshot_days)
    done = maintain(catalog, config.audit.namespace, retention, dt.datetime.now(dt.UTC))
    for table in done:
        if table.failure is not None:
            tell(table.failure)
        elif not as_json:
            click.echo(_line(table))
    if as_json:
        print_json([_document(table) for table in done])
    return all(table.failure is None for table in done)


def _line(table: Maintained) -> str:
    done = {
        "rows dropped": table.dropped_rows,
        "days compacted": table.compacted_days,
        "snapshots expired": table.expired_snapshots,
        "files deleted": table.deleted_files,
    }
    told = ", ".join(f"{count:,} {what}" for what, count in done.items() if count)
    return f"{table.table:14} {told or 'nothing to do'}"


def _document(table: Maintained) -> dict[str, object]:
    return {
        "table": table.table,
        "dropped_rows": table.dropped_rows,
        "compacted_days": table.compacted_days,
        "expired_snapshots": table.expired_snapshots,
        "deleted_files": table.deleted_files,
        "failure": None if table.failure is None else str(table.failure),
    }
