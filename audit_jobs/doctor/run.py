"""All checks, in the order in which an audit depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.doctor.catalogs import check_catalogs, check_tables
from prunescope.audit_jobs.doctor.logs import check_logs
from prunescope.audit_jobs.doctor.model import Check
from prunescope.audit_jobs.doctor.programs import check_clock, check_spark, check_versions
from prunescope.audit_jobs.doctor.publishing import (
    check_audit_tables,
    check_cache,
    check_secret,
    check_sinks,
)
from prunescope.audit_jobs.records import Window


def examine(config: AuditConfig, window: Window, *, spark: bool = True) -> Iterator[Check]:
    """Yields checks as they are made; logs are read for a window."""
    yield check_versions()
    yield check_clock(config)
    yield from check_catalogs(config)
    yield from check_tables(config)
    yield check_audit_tables(config)
    yield from check_logs(config, window)
    yield check_secret(config)
    yield from check_sinks(config)
    yield from check_cache(config)
    if spark:
        yield from check_spark(config.spark)
