"""When the audit tables were last maintained, as a property of audit_runs: whoever reads the runs
reads it as well, and no row has to be written."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from audit_jobs.sinks import metric_catalogue as catalogue
from audit_jobs.sinks.metric_samples import Sample

if TYPE_CHECKING:
    from pyiceberg.table import Table

MAINTAINED_AT = "prunescope.maintained-at"
"""A time in ISO 8601, with its offset."""


def mark_maintained(runs: Table, now: dt.datetime) -> None:
    """Keeps with audit_runs that all audit tables are maintained."""
    with runs.transaction() as transaction:
        transaction.set_properties({MAINTAINED_AT: now.isoformat(timespec="seconds")})


def maintenance_samples(runs: Table) -> list[Sample]:
    """When that was, if it ever was; none of what others wrote there, which is no time."""
    try:
        at = dt.datetime.fromisoformat(runs.properties.get(MAINTAINED_AT, ""))
    except ValueError:
        return []
    return [Sample(catalogue.LAST_MAINTENANCE, (), at.timestamp())]
