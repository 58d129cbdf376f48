"""Tables of cases, written by PyIceberg, and what queries keep of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

from audit_jobs.advice.advise import advising
from audit_jobs.advice.model import Advice
from audit_jobs.advice.rounds import answered
from audit_jobs.jobs.table_advice import completed
from audit_jobs.jobs.table_basis import AdviceTask, Budget, kept_by, prepared

from audit_jobs.advice.workload import Asked as AskedScans
from audit_jobs.advice.workload import workload
from audit_jobs.config import AuditConfig, validate_config
from audit_jobs.jobs.advise import scans_of
from audit_jobs.jobs.tables import Tables
from audit_jobs.workload.queries import NamedTables, name_tables
from collectors.observed import ObservedQuery, TableName
from collectors.sql.planners.profiles import NEWEST
from collectors.tables.catalog import Table, open_metadata_file
from tests.backtest.model import Asked
from tests.workloads.physical import Layout, metadata_path, write
from tests.workloads.rows import START

NAME = TableName("lake", ("db",), "t")
MIDDAY = dt.timedelta(hours=12)


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


def observed(number: int, query: Asked) -> NamedTables:
    """A query as a log has it."""
    started = START.replace(tzinfo=dt.UTC) + dt.timedelta(days=query.day) + MIDDAY
    return name_tables(
        ObservedQuery(
            source="backtest",
            query_id=f"q{number}",
            sql=query.sql,
            dialect=query.engine,
            catalog="lake",
            schema="db",
            engine=query.engine,
            engine_version=NEWEST,
            iceberg_version=NEWEST,
            started_at=started,
            time_zone="UTC",
        )
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
    named = [observed(number, query) for number, query in enumerate(queries)]
    asked, left_out = scans_of(Tables({NAME: table}), named, config())
    assert not left_out, left_out
    return asked.get(table.name, AskedScans())


def advise_table(
    table: Table,
    asked: AskedScans,
    seed: int,
    budget: Budget = Budget(),  # noqa: B008  # it cannot be changed
) -> Advice:
    """The advice for a table of which this is asked, in one process and at once."""
    task = AdviceTask(table, asked, seed, budget)
    basis, sampled = prepared(task)
    return completed(task, basis, sampled.layouts, answered(advising(basis), sampled))


def kept_share(table: Table, queries: Sequence[Asked]) -> float:
    """The part of the table's bytes that a query keeps, on average."""
    return _shares(table, queries)[0]


def read_share(table: Table, queries: Sequence[Asked]) -> float:
    """The part of the table's bytes that is in row groups which a query keeps, on average."""
    return _shares(table, queries)[1]


def _shares(table: Table, queries: Sequence[Asked]) -> tuple[float, float]:
    asked = asked_of(table, queries)
    found = workload(asked, 0, len(asked.runs))
    kept = kept_by(AdviceTask(table, asked, 0).context, found.planned, None)
    weight = found.weight / found.weight.sum()
    size = kept.whole[0]
    return float(kept.bytes @ weight) / size, float(kept.inside.bytes @ weight) / size
