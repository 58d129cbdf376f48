"""Tables with one fault each, written and repaired by Spark, and audits of queries over them."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.findings.history import NO_HISTORY, History, PastHealth
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.secret import Secret
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery, ObservedScan, TableName
from prunescope.collectors.queries.spark.events import read_spark_log
from prunescope.collectors.sql.planners.profiles import NEWEST
from prunescope.collectors.storage.files import Storage

NOW = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
"""After everything that a scenario writes."""
LAST_DAY = Window(NOW - DAY, NOW)

_SECRET = Secret(b"of all scenarios")
"""Which scans are drawn depends on it."""

EVERYTHING = {
    "small_table_bytes": 0,
    "min_bytes_at_stake": 0,
    "medium_bytes": 10_000,
    "high_bytes": 1_000_000_000,
    "min_share": 0.2,
    "min_scans": 1,
}
"""Thresholds that let tables of kilobytes have findings."""


EVENTS = "events"
"""The folder of Spark's event log, beside the warehouse."""
_SECONDS_TO_LOG = 30


@dataclass(frozen=True)
class Query:
    """A query of a scenario, of an engine whose log tells its version; `scans` is what the engine
    reported."""

    sql: str
    engine: str = "trino"
    engine_version: str | None = NEWEST
    iceberg_version: str | None = NEWEST
    user: str = "analyst"
    time_zone: str = "UTC"
    scans: tuple[ObservedScan, ...] = ()


@dataclass
class Lake:
    """A warehouse of tables `lake.db.…`, and the Spark that writes it."""

    directory: Path
    answers: IO[str]
    requests: IO[str]
    tables: list[str] = field(default_factory=list)

    def sql(self, *statements: str) -> list[list[Any]]:
        """Runs statements of Spark SQL; the rows of the last one."""
        rows: list[list[Any]] = self._answer("sql", statements)["rows"]
        return rows

    def parses(self, statements: Sequence[str]) -> None:
        """Fails unless Spark, with Iceberg's extensions, can parse statements."""
        self._answer("parse", statements)

    def _answer(self, what: str, statements: Sequence[str]) -> dict[str, Any]:
        self.requests.write(json.dumps({what: statements}) + "\n")
        self.requests.flush()
        answer = read_answer(self.answers)
        assert "error" not in answer, f"{statements}: {answer['error']}"
        return answer

    def logged(self, *statements: str) -> list[ObservedQuery]:
        """Runs queries, each of which plans a scan, as a job does: without their text in the event
        log. What the log has of them, in order."""
        before = {query.query_id for query in self._log()}
        self.sql(*statements)
        until = time.monotonic() + _SECONDS_TO_LOG
        while True:
            found = [query for query in self._log() if query.query_id not in before]
            if len(found) >= len(statements) or time.monotonic() > until:
                assert len(found) == len(statements), "what Spark plans without scans is no query"
                assert all(query.sql is None for query in found)
                return found
            time.sleep(0.2)

    def _log(self) -> list[ObservedQuery]:
        paths = [str(path) for path in self.directory.glob(f"{EVENTS}/*")]
        read = read_spark_log(paths, Storage())
        return [record for record in read if isinstance(record, ObservedQuery)]

    def metadata_of(self, table: str) -> str:
        """The current metadata file of `lake.db.table`."""
        metadata = self.directory / "warehouse" / "db" / table / "metadata"
        version = (metadata / "version-hint.text").read_text().strip()
        return str(metadata / f"v{version}.metadata.json")

    def orders_of(self, table: str) -> tuple[int, set[int]]:
        """The sort order of `lake.db.table`, and those that its files are marked with."""
        metadata = json.loads(Path(self.metadata_of(table)).read_text(encoding="utf-8"))
        marks = self.sql(f"SELECT DISTINCT sort_order_id FROM lake.db.{table}.files")
        return metadata["default-sort-order-id"], {order for (order,) in marks}

    def audit(
        self,
        *queries: Query | ObservedQuery | str,
        thresholds: dict[str, Any] | None = None,
        findings: dict[str, Any] | None = None,
        history: History = NO_HISTORY,
        **settings: Any,
    ) -> AuditResult:
        """An audit of queries (of Trino, where only text is given) as of now, in this process."""
        found = sorted(path.parent.name for path in self.directory.glob("warehouse/db/*/metadata"))
        return audit(
            {name: self.metadata_of(name) for name in found},
            queries,
            thresholds=thresholds,
            findings=findings,
            history=history,
            **settings,
        )


def audit(  # noqa: PLR0913  # all that an audit depends on
    tables: Mapping[str, str],
    queries: Sequence[Query | ObservedQuery | str],
    *,
    thresholds: Mapping[str, Any] | None = None,
    findings: Mapping[str, Any] | None = None,
    history: History = NO_HISTORY,
    window: Window = LAST_DAY,
    what_if: bool = False,
    **settings: Any,
) -> AuditResult:
    """An audit, in this process, of queries over tables `lake.db.…`, given by their metadata."""
    config = validate_config(
        {
            "catalogs": {"lake": {"properties": {}}},
            "audit": {"catalog": "lake"},
            "sources": [{"type": "trino_events", "paths": ["none"]}],
            "tables": [
                {"name": f"lake.db.{name}", "metadata": metadata}
                for name, metadata in tables.items()
            ],
            "findings": {
                "thresholds": [{"table": "*", **EVERYTHING, **(thresholds or {})}],
                **(findings or {}),
            },
            "literals": "keep",
            **settings,
        },
        "scenario",
    )
    runner = LocalRunner()
    named = [
        name_tables(query if isinstance(query, ObservedQuery) else observed(number, query))
        for number, query in enumerate(queries)
    ]
    # Of what they overwrite they may read nothing.
    overwrites = {
        one.query.query_id for one in named if any(effect.replaces for _, effect in one.effects)
    }
    inputs = replace(made_inputs(runner, named), secret=_SECRET)
    result = run_audit(config, window, inputs, runner, lambda _: None, history, what_if=what_if)
    ended = [
        (row["outcome"], row["message"])
        for row in result.scan_plans("outcome", "message", "query_id")
        if row["query_id"] not in overwrites
    ]
    assert {outcome for outcome, _ in ended} <= {"replayed", "always_false"}, ended
    return result


def observed(number: int, asked: Query | str) -> ObservedQuery:
    """A query (of Trino, where only text is given) as a log has it."""
    query = Query(asked) if isinstance(asked, str) else asked
    return ObservedQuery(
        source="scenario",
        query_id=f"q{number}",
        sql=query.sql,
        dialect=query.engine,
        catalog="lake",
        schema="db",
        engine=query.engine,
        engine_version=query.engine_version,
        iceberg_version=query.iceberg_version,
        started_at=NOW - dt.timedelta(hours=1),
        time_zone=query.time_zone,
        user=query.user,
        scans=query.scans,
    )


def read_answer(lines: IO[str]) -> dict[str, Any]:
    """The next answer among whatever else a program prints."""
    for line in lines:
        if line.startswith("ANSWER "):
            document: dict[str, Any] = json.loads(line.removeprefix("ANSWER "))
            return document
    raise AssertionError("the program ended without an answer")


def week_before(table: str) -> History:
    """Six earlier windows of `lake.db.table`, in which nothing else was asked."""
    days = (NOW - number * DAY for number in range(7, 1, -1))
    found = tuple(PastHealth(Window(day, day + DAY), 0, 1, 0, 1) for day in days)
    return History(tables={TableName("lake", ("db",), table): found})


def of_cause(result: AuditResult, cause: str) -> list[Finding]:
    """The findings of one cause."""
    return [finding for finding in result.findings if finding.cause == cause]


def causes(result: AuditResult) -> set[str]:
    """The causes of all findings."""
    return {finding.cause for finding in result.findings}


def bytes_kept(result: AuditResult) -> int:
    """Bytes of the data files that the engines' planners keep, over all scans."""
    return sum(row["bytes_kept"] for row in result.scan_plans("bytes_kept"))


def files(table: str, count: int, *, rows: int, columns: Sequence[str]) -> list[str]:
    """Statements that append `count` files of `rows` rows to a table. Columns are expressions over
    `id`, a number that is unique over all files: from 0 on, in order."""
    return [
        f"INSERT INTO lake.db.{table} SELECT {', '.join(columns)} "
        f"FROM range({number * rows}, {(number + 1) * rows}, 1, 1)"
        for number in range(count)
    ]


def start(jar: Path, directory: Path, python: str) -> tuple[Lake, subprocess.Popen[str]]:
    """A lake in a directory, and the Spark program behind it; the caller ends it."""
    program = Path(__file__).with_name("spark_sql.py")
    warehouse = directory / "warehouse"
    process = subprocess.Popen(
        [python, str(program), str(jar), str(warehouse), str(directory / EVENTS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    read_answer(process.stdout)
    return Lake(directory, process.stdout, process.stdin), process
