"""The maintenance job: the audit tables kept small."""

from __future__ import annotations

import datetime as dt

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.sinks.maintenance import Maintained, Retention, maintain
from prunescope.collectors.tables.catalog import load_in_time


def run_maintenance(config: AuditConfig) -> list[Maintained]:
    """The maintenance done to each audit table. Raises CatalogUnavailable if nothing was done."""
    catalog = load_in_time(config.audit.catalog, config.catalogs[config.audit.catalog].properties)
    retention = Retention(config.retention.days, config.retention.snapshot_days)
    return maintain(catalog, config.audit.namespace, retention, dt.datetime.now(dt.UTC))
