"""Two tables, and what is found of them in a query."""

from __future__ import annotations

import datetime as dt

from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import TableScan

A = TableName("c", ("s",), "ta")
B = TableName("c", ("s",), "tb")
COLUMNS = {
    A: {"id": "long", "x": "int", "y": "int", "ts": "timestamptz", "st": "struct"},
    B: {"id": "long", "u": "int", "v": "int"},
}
STARTED = dt.datetime(2024, 6, 1, tzinfo=dt.UTC)


def scans(sql: str, dialect: str = "trino", time_zone: str | None = "UTC") -> tuple[TableScan, ...]:
    """What a query that started at STARTED, in their schema, reads of them."""
    return extract(
        parse(sql, dialect),
        dialect=dialect,
        columns=COLUMNS,
        catalog="c",
        schema="s",
        started_at=STARTED,
        time_zone=time_zone,
    )
