"""Jobs of Spark of which the event log has the scans and the conditions on rows, and no text."""

from __future__ import annotations

import datetime as dt
import re

from prunescope.collectors.observed import (
    ObservedQuery,
    ObservedScan,
    PlanText,
    RowFilter,
    TableName,
)

NIGHT = dt.datetime(2099, 12, 31, 23, tzinfo=dt.UTC)
VERSIONS = {"3.5.6": "1.10.1", "4.0.1": "1.10.1", "4.1.0": "1.11.0"}
_ATTRIBUTE = re.compile(r"\b(ts|country|email|user_id)\b")


def job(
    number: int,
    name: str,
    pushed: str,
    *conditions: str,
    version: str = "4.1.0",
    is_shown: bool = True,
) -> ObservedQuery:
    """A job of one scan of the table `name`, with what was pushed and what was checked on rows."""
    scan = ObservedScan(
        TableName("lake", ("db",), name),
        None,
        {},
        pushed=PlanText(pushed),
        row_filter=RowFilter(tuple(_ATTRIBUTE.sub(r"\1#", text) for text in conditions), is_shown),
    )
    return ObservedQuery(
        source="log",
        query_id=f"{name}-{number}",
        sql=None,
        dialect="spark",
        catalog="lake",
        schema="db",
        engine="spark",
        engine_version=version,
        iceberg_version=VERSIONS[version],
        started_at=NIGHT,
        time_zone="UTC",
        user="etl",
        scans=(scan,),
        plan_known=True,
    )
