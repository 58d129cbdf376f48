"""The warehouse that is audited while things go wrong: healthy tables, two logs of the same day,
and secrets that nobody may ever see."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import DayTransform
from pyiceberg.types import LongType, NestedField, StringType, TimestampType

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.records import Window
from tests.integration.audits import backdate, write_lines

START = dt.datetime(2025, 3, 10, tzinfo=dt.UTC)
"""After everything that is written, which is backdated, so that each query reads the current
snapshot."""
DAY = Window(START, START + dt.timedelta(days=1))
NEXT_DAY = Window(DAY.end, DAY.end + dt.timedelta(days=1))

LITERAL = "k7canaryOfWhereClauses"
TOKEN = "k7canaryOfTheCatalog"  # noqa: S105  # nobody lets anybody in with it
SECRET_KEY = "k7canaryOfTheStore"  # noqa: S105
KEY = "k7canaryOfTheInstallation_0123456789"
SECRETS = (LITERAL, TOKEN, SECRET_KEY, KEY)

SCHEMA = Schema(
    NestedField(1, "id", LongType()),
    NestedField(2, "name", StringType()),
    NestedField(3, "day", TimestampType()),
)
BY_DAY = PartitionSpec(PartitionField(3, 1000, DayTransform(), "day_day"))
_AUDIT = "pruning_audit"


@dataclass(frozen=True, slots=True)
class Logs:
    """Two logs of a day. A run of the second has other rows than one of the first, so that half a
    run of each would show."""

    first: Path
    second: Path


@dataclass(frozen=True, slots=True)
class Lake:
    """A folder with a warehouse of healthy tables, and logs of queries that read them."""

    folder: Path
    logs: Logs

    @property
    def properties(self) -> dict[str, str]:
        """Of the catalog `lake`, with credentials that its tables have no use for."""
        return sql_catalog(self.folder)

    def config(
        self,
        audit: Path,
        *logs: Path | dict[str, Any],
        catalogs: Mapping[str, Mapping[str, str]] | None = None,
        **sections: Any,
    ) -> Path:
        """An audit.yaml, named for the first log, in a folder of its own, which also gets audit
        tables, metrics and a report of each run. A log is a file, or a source."""
        audit.mkdir(parents=True, exist_ok=True)
        properties = {"lake": self.properties, "audit": sql_catalog(audit), **(catalogs or {})}
        document: dict[str, Any] = {
            "catalogs": {name: {"properties": dict(of)} for name, of in properties.items()},
            "sources": [_source(log) for log in logs],
            "secret_file": str(self.folder / "audit.secret"),
            "audit": {"catalog": "audit"},
            "metrics": {"textfile": str(audit / "prunescope.prom")},
            "report": {"path": str(audit / "report.html")},
            **sections,
        }
        validate_config(document, "chaos")
        path = audit / f"{Path(document['sources'][0]['paths'][0]).stem}.yaml"
        path.write_text(yaml.safe_dump(document))
        return path


def _source(log: Path | dict[str, Any]) -> dict[str, Any]:
    return log if isinstance(log, dict) else {"type": "trino_events", "paths": [str(log)]}


def sql_catalog(folder: Path) -> dict[str, str]:
    """A SQL catalog in a folder, whose properties hold secrets."""
    return {
        "type": "sql",
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"file://{folder}/warehouse",
        "token": TOKEN,
        "s3.secret-access-key": SECRET_KEY,
    }


def make_lake(folder: Path) -> Lake:
    """Writes the healthy tables and the logs of two days."""
    folder.mkdir(parents=True)
    secret = folder / "audit.secret"
    secret.touch(mode=0o600)
    secret.write_text(KEY)
    catalog = open_sql_catalog("lake", folder)
    catalog.create_namespace("db")
    for name, spec in (("by_day", BY_DAY), ("plain", UNPARTITIONED_PARTITION_SPEC)):
        table = catalog.create_table(("db", name), SCHEMA, partition_spec=spec)
        for part in range(3):
            table.append(rows(part))
        backdate(table)
    first = [*healthy("lake.db.by_day"), *healthy("lake.db.plain")]
    more = [
        event("b1", f"SELECT id FROM lake.db.plain WHERE id IN (1, 2) OR name = '{LITERAL}'"),
        event("b2", "SELECT count(*) FROM lake.db.by_day WHERE day < TIMESTAMP '2026-01-02'"),
    ]
    neighbour = [
        event("n1", "SELECT * FROM lake.db.plain WHERE id > 3", NEXT_DAY),
    ]
    logs = Logs(
        write_lines(folder / "first.jsonl", [*first, *neighbour]),
        write_lines(folder / "second.jsonl", [*first[1:], *more, *neighbour]),
    )
    return Lake(folder, logs)


def open_sql_catalog(name: str, folder: Path, **properties: str) -> SqlCatalog:
    """The catalog of a folder, newly opened."""
    return SqlCatalog(name, **{**sql_catalog(folder), **properties})


def rows(part: int, count: int = 20) -> pa.Table:
    """Rows of one day, whose ids are those of no other part."""
    ids = range(part * count, (part + 1) * count)
    day = dt.datetime(2026, 1, 1 + part)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "name": pa.array([f"name {i:03}" for i in ids]),
            "day": pa.array([day + dt.timedelta(minutes=i) for i in ids], pa.timestamp("us")),
        }
    )


def healthy(table: str) -> list[dict[str, Any]]:
    """Queries of a table for which the log holds all that is needed."""
    name = table.rpartition(".")[2]
    conditions: Iterable[str] = (
        "id = 7",
        f"name = '{LITERAL}' AND id > 25",
        "day >= TIMESTAMP '2026-01-02 00:00:00' AND id <> 30",
        "id BETWEEN 10 AND 45 OR name IS NULL",
    )
    return [
        event(f"a_{name}_{number}", f"SELECT * FROM {table} WHERE {condition}")
        for number, condition in enumerate(conditions)
    ]


def event(query_id: str, sql: str, window: Window = DAY, **inputs: Any) -> dict[str, Any]:
    """Trino's QueryCompletedEvent of a query in a window."""
    return {
        "metadata": {"queryId": query_id, "query": sql, "queryState": "FINISHED"},
        "statistics": {},
        "context": {"user": "u", "catalog": "lake", "schema": "db", "timezone": "UTC"},
        "ioMetadata": {"inputs": [inputs] if inputs else []},
        "createTime": (window.start + dt.timedelta(hours=3)).isoformat().replace("+00:00", "Z"),
    }


AUDIT_NAMESPACE = _AUDIT
