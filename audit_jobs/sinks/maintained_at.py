"""Time of the last maintenance of the audit tables, as a property of audit_runs: a reader of the
runs reads it as well, and no row has to be written."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_samples import Sample

if TYPE_CHECKING:
    from pyiceberg.table import Table

MAINTAINED_AT = "prunescope.maintained-at"
"""A time in ISO 8601, with its offset."""


def mark_maintained(runs: Table, now: dt.datetime) -> None:
    """Records in audit_runs that all audit tables are maintained."""
    with runs.transaction() as transaction:
        transaction.set_properties({MAINTAINED_AT: now.isoformat(timespec="seconds")})


def maintenance_samples(runs: Table) -> list[Sample]:
    """The sample of the last maintenance; none if there was none, or if the property is no time."""
    try:
        at = dt.datetime.fromisoformat(runs.properties.get(MAINTAINED_AT, ""))
    except ValueError:
        return []
    return [Sample(catalogue.LAST_MAINTENANCE, (), at.timestamp())]
