"""What every query source yields: one ObservedQuery per query, or one Rejected per input that
is none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TableName:
    """A table as a query names it; parts that the query left out are None until resolved."""

    catalog: str | None
    namespace: tuple[str, ...]
    table: str

    def __str__(self) -> str:
        return ".".join([*([self.catalog] if self.catalog else []), *self.namespace, self.table])


@dataclass(frozen=True, slots=True)
class ObservedScan:
    """What an engine reported of one table that a query read.

    `snapshot_id` is None where the engine did not say. `counters` holds only counts that were
    reported, by the names of Iceberg's ScanMetricsResult with underscores
    (`result_data_files`, `scanned_data_manifests`, …) and `physical_input_bytes`,
    `physical_input_rows`.
    """

    table: TableName
    snapshot_id: int | None
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ObservedQuery:
    """One query of a log.

    `sql` is the text to parse, with `parameters` (SQL literals, in order) for its `?`.
    `started_at` is in UTC; `time_zone` is the session's IANA zone or fixed offset. Whatever
    the log does not say is None.
    """

    source: str
    query_id: str
    sql: str
    dialect: str
    started_at: dt.datetime | None = None
    catalog: str | None = None
    schema: str | None = None
    user: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    time_zone: str | None = None
    parameters: tuple[str, ...] = ()
    scans: tuple[ObservedScan, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Rejected:
    """An input that is not a query that can be read: where it stands, a stable reason code
    (`malformed_json`, `missing_sql`, …), and a message without any of its content."""

    source: str
    location: str
    reason: str
    message: str
    query_id: str | None = None
