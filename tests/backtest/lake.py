"""Tables of cases, written by PyIceberg, and audits of what queries keep of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.advice.workload import Asked as AskedScans
from prunescope.audit_jobs.config import AuditConfig, validate_config
from prunescope.audit_jobs.jobs.advise import scans_of
from prunescope.audit_jobs.jobs.beyond_filters import BeyondOf
from prunescope.audit_jobs.jobs.tables import Tables
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import PassSums, key_of
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.sql.planners.profiles import NEWEST
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.backtest.model import Asked
from tests.scenarios.lake import DAY, audit
from tests.workloads.physical import Layout, metadata_path, write
from tests.workloads.rows import START

NAME = TableName("lake", ("db",), "t")
MIDDAY = dt.timedelta(hours=12)
NO_FINDINGS = {"small_table_bytes": 1 << 60}
"""Thresholds of audits that only count."""
_FIRST = START.replace(tzinfo=dt.UTC)


@dataclass
class Lake:
    """A directory of tables. Paths are relative to it, so that what is drawn by paths is the same
    wherever that is."""

    directory: Path
    _written: list[str] = field(default_factory=list)

    def write(self, layout: Layout) -> str:
        """Makes a table of a layout; its metadata file."""
        folder = f"w{len(self._written)}"
        self._written.append(folder)
        with chdir(self.directory):
            return metadata_path(write(folder, layout))

    def open(self, metadata: str) -> Table:
        """The table of a metadata file; to be used within its directory."""
        return open_metadata_file(metadata, NAME)

    def row_bytes(self, metadata: str) -> float:
        """What a row of the table takes in a file, on average."""
        with chdir(self.directory):
            snapshot = self.open(metadata).metadata.current_snapshot()
        assert snapshot is not None
        return int(snapshot.summary["total-files-size"]) / int(snapshot.summary["total-records"])

    def audit(self, metadata: str, queries: Sequence[Asked], **settings: Any) -> AuditResult:
        """An audit, of all days of some queries, of the table of a metadata file."""
        days = [query.day for query in queries]
        window = Window(_FIRST + min(days) * DAY, _FIRST + (max(days) + 1) * DAY)
        # Without their times: what is to be read is the table as it is, which was written just now.
        named = [replace(observed(n, query), started_at=None) for n, query in enumerate(queries)]
        with chdir(self.directory):
            return audit({NAME.table: metadata}, named, window=window, **settings)

    def kept_share(self, metadata: str, queries: Sequence[Asked]) -> float:
        """The part of the table's bytes that a query keeps, on average."""
        kept = bytes_of(self.audit(metadata, queries, thresholds=NO_FINDINGS, sampled_files=0))
        assert kept.total
        return kept.kept / kept.total


def bytes_of(result: AuditResult) -> PassSums:
    """The bytes that the scans of the table keep."""
    return result.sums.tables[key_of(NAME)].passes["bytes"]


def observed(number: int, query: Asked) -> ObservedQuery:
    """A query as a log has it."""
    return ObservedQuery(
        source="backtest",
        query_id=f"q{number}",
        sql=query.sql,
        dialect=query.engine,
        catalog="lake",
        schema="db",
        engine=query.engine,
        engine_version=NEWEST,
        iceberg_version=NEWEST,
        started_at=_FIRST + dt.timedelta(days=query.day) + MIDDAY,
        time_zone="UTC",
    )


def config() -> AuditConfig:
    """Of an audit that has nothing special."""
    return validate_config(
        {
            "catalogs": {"lake": {"properties": {}}},
            "audit": {"catalog": "lake"},
            "sources": [{"type": "trino_events", "paths": ["none"]}],
        },
        "backtest",
    )


def asked_of(table: Table, queries: Sequence[Asked]) -> AskedScans:
    """The scans of queries on a table."""
    named = [name_tables(observed(number, query)) for number, query in enumerate(queries)]
    tables = Tables({NAME: table})
    asked, left_out = scans_of(tables, named, config(), BeyondOf(tables.opened))
    assert not left_out, left_out
    return asked.get(table.name, AskedScans())
