"""The query sources that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from prunescope.audit_jobs.sources import (
    iceberg_reports,
    spark_event_logs,
    sql_records,
    trino_events,
    trino_io_plans,
    trino_mysql,
)
from prunescope.audit_jobs.sources.source import Logs, Source

SOURCES: tuple[Source, ...] = (
    spark_event_logs.SOURCE,
    trino_events.SOURCE,
    trino_io_plans.SOURCE,
    iceberg_reports.SOURCE,
    trino_mysql.SOURCE,
    sql_records.SOURCE,
)
"""Particular ones first: of those that understand as much of a file, the first is taken."""

BY_TYPE = {source.type: source for source in SOURCES}

if TYPE_CHECKING:
    AnyLogs = Logs
else:
    AnyLogs = Annotated[
        Union[tuple(source.section for source in SOURCES)],  # noqa: UP007  # of a tuple
        Field(discriminator="type"),
    ]
"""The section of any source."""
