"""Statements that Trino plans and runs, beside the audit of their events and of their IO plans."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.records import Window
from tests.differential.trino.comparison import Compared, compare
from tests.differential.trino.conditions import Condition
from tests.differential.trino.engine import VERSION, Refused, Scan, Trino
from tests.differential.trino.statements import (
    GUARD,
    GUARDED,
    SINK,
    SOURCE,
    TARGETS,
    VIEWS,
    Statement,
)
from tests.integration.audits import run_here, write_config, write_lines

_EVERYTHING = Window(dt.datetime(2000, 1, 1, tzinfo=dt.UTC), dt.datetime(2100, 1, 1, tzinfo=dt.UTC))

Rows = Mapping[str, Mapping[str, Any]]
"""Rows of `scan_plans` of one query, by table."""


@dataclass(frozen=True)
class Ran:
    """A statement that Trino ran: its event, its scans by table as they were planned, its IO plan,
    and what the product answers on the condition of each table."""

    statement: Statement
    event: Mapping[str, Any]
    scans: Mapping[str, Scan]
    io_plan: str
    compared: Mapping[str, Compared]

    @property
    def is_by_metadata(self) -> bool:
        """Whether it is a DELETE that drops whole files, or nothing, and reads none."""
        return self.statement.kind.startswith("delete") and not self.event["ioMetadata"]["inputs"]

    @property
    def query_id(self) -> str:
        """Trino's id of the query."""
        return str(self.event["metadata"]["queryId"])


def counted(event: Mapping[str, Any], table: str) -> int | None:
    """How many data files of a table Trino counted when it ran a query."""
    for found in event["ioMetadata"]["inputs"]:
        if found["table"] == table:
            count = found["connectorMetrics"].get("dataFiles")
            return None if count is None else int(count["total"])
    return None


@dataclass(frozen=True)
class Judged:
    """Statements that Trino ran, and audits of their events and of their IO plans, by query; and
    those that it refused, and why."""

    ran: Sequence[Ran]
    events: Mapping[str, Rows]
    io_plans: Mapping[str, Rows]
    refused: Sequence[tuple[Statement, str]]

    def scans(self) -> Iterator[tuple[Ran, str]]:
        """Each statement with each table that it reads."""
        for one in self.ran:
            if not one.is_by_metadata:
                yield from ((one, table) for table in one.compared)


def judge(trino: Trino, statements: Iterable[Statement], directory: Path) -> Judged:
    """Has Trino run statements, and audits them."""
    _prepare(trino)
    ran, refused = [], []
    for statement in statements:
        try:
            ran.append(_run(trino, statement))
        except Refused as error:
            refused.append((statement, str(error)))
    plans = [{"query_id": one.query_id, "plan": one.io_plan} for one in ran]
    return Judged(
        ran,
        audited(trino, "trino_events", [one.event for one in ran], directory),
        audited(trino, "trino_io_plans", plans, directory),
        refused,
    )


def _prepare(trino: Trino) -> None:
    trino.run(f"CREATE TABLE {SINK} AS SELECT * FROM {SOURCE} WITH NO DATA")
    trino.run(
        f"CREATE TABLE {GUARDED} WITH (partitioning = ARRAY['truncate(i, 10)'])"
        f" AS SELECT * FROM {SOURCE}"
    )
    trino.guard(GUARDED, GUARD)
    for name, query in VIEWS.items():
        trino.run(f"CREATE VIEW {name} AS {query}")


def _run(trino: Trino, statement: Statement) -> Ran:
    # What it changes is taken back, so that the next ones find all rows.
    zone = statement.zone
    scans = {scan.table: scan for scan in trino.scans(statement.sql, zone=zone)}
    ((io_plan,),) = trino.run(f"EXPLAIN (TYPE IO, FORMAT JSON) {statement.sql}", zone=zone)
    compared = {}
    for table, where in statement.reads.items():
        asked = [(Condition(where, zone), scans.get(table))]
        (compared[table],) = compare(trino.open(table), asked)
    before = None if statement.changes is None else _snapshot(trino, statement.changes)
    try:
        event = json.loads(trino.event(statement.sql, zone=zone))
        # A server that is started within a test calls itself "testversion".
        event["context"]["serverVersion"] = VERSION
    finally:
        if before is not None:
            trino.run(f"ALTER TABLE {statement.changes} EXECUTE rollback_to_snapshot({before})")
    return Ran(statement, event, scans, io_plan, compared)


def _snapshot(trino: Trino, table: str) -> int:
    snapshot = trino.open(table).metadata.current_snapshot()
    assert snapshot is not None
    return snapshot.snapshot_id


_READ = (SOURCE, SINK, GUARDED, *TARGETS)


def audited(
    trino: Trino,
    source: str,
    records: Iterable[Mapping[str, Any]],
    directory: Path,
    names: Iterable[str] = _READ,
) -> Mapping[str, Rows]:
    """The rows of `scan_plans` of an audit of a log of what Trino told of some tables, by query."""
    log = write_lines(directory / f"{source}.jsonl", records)
    config = write_config(
        directory,
        [{"type": source, "paths": [str(log)]}],
        tables=[
            {"name": f"lake.db.{name}", "metadata": trino.metadata_location(name)} for name in names
        ],
        path_map=[{"from": "local:///", "to": f"{trino.warehouse}/"}],
    )
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in run_here(load_config(config), _EVERYTHING).scan_plans():
        found.setdefault(row["query_id"], {})[row["table"]] = row
    return found
