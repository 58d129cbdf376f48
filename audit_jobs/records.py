"""What an audit records: one run, its scans and their conjuncts, ready for any sink."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from audit_jobs.pruning.summary import ScanPlanSummary
from collectors.queries.observed import TableName

REPLAYED = "replayed"


@dataclass(frozen=True, slots=True)
class Window:
    """The half-open span of time whose queries a run audits, in UTC."""

    start: dt.datetime
    end: dt.datetime


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """One table scan of one query; or, with `table` None, a query or an input without any.

    `scan_key` is unique within a run. `outcome` is `replayed` or a reason code, explained by
    `message`. `predicate` and the predicates in `conjunct_texts` are redacted unless literals
    are kept on purpose. `observed` holds what the engine reported of the scan.
    """

    scan_key: str
    source: str
    location: str | None
    query_id: str | None
    query_outcome: str
    outcome: str
    message: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    user: str | None = None
    started_at: dt.datetime | None = None
    fingerprint: str | None = None
    table: TableName | None = None
    predicate: str | None = None
    conjunct_texts: tuple[str, ...] = ()
    summary: ScanPlanSummary | None = None
    observed: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run. `status` is `succeeded`, or `partial` if some tables or queries failed.

    `queries` counts inputs by outcome: each input once. `tables_failed` maps tables that could
    not be read to a message.
    """

    run_id: str
    window: Window
    started_at: dt.datetime
    finished_at: dt.datetime
    status: str
    versions: Mapping[str, str]
    queries: Mapping[str, int]
    tables: int
    tables_failed: Mapping[str, str]
    footers_read: int


@dataclass(frozen=True, slots=True)
class AuditResult:
    """A finished run with everything it found."""

    run: RunRecord
    scans: tuple[ScanRecord, ...]
