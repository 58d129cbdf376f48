"""A day of query logs over the demo warehouse: Trino's event log, and generic records."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pyiceberg.catalog import Catalog
from pyiceberg.expressions import AlwaysTrue

from prunescope.audit_jobs.demo.rows import COUNTRIES, CUSTOMERS
from prunescope.audit_jobs.demo.shapes import SPARK, TRINO, DemoShape
from prunescope.audit_jobs.demo.warehouse import CATALOG, days_before

_SEED = 11
_USERS = ("etl", "dashboards", "analyst-1", "analyst-2")
_RECENT_DAYS = 14
_LONG_LIST = 250

TableRead = dict[str, Any]
ReadTable = Callable[[str, str | None], TableRead]


@dataclass(frozen=True, slots=True)
class DemoLogs:
    """Files of JSON lines: Trino's QueryCompletedEvents, and records of Spark's queries."""

    trino_events: Path
    spark_records: Path


def write_logs(directory: Path, catalog: Catalog, day: dt.date) -> DemoLogs:
    """Writes the queries of a day over the tables of a catalog into a directory that exists.

    Trino's report on an Iceberg table (snapshot, data files, bytes, rows) comes from planning the
    scan with PyIceberg. Among the queries are inputs that cannot be replayed: broken SQL, tables
    that do not exist or are no Iceberg tables, failed queries, a cut line.
    """
    logs = DemoLogs(directory / "trino-events.jsonl", directory / "spark-queries.jsonl")
    rng = np.random.default_rng(_SEED)
    lines = [json.dumps(event) for event in _trino_events(rng, day, _table_reader(catalog))]
    lines.append(lines[-1][:200])
    logs.trino_events.write_text("\n".join(lines) + "\n", encoding="utf-8")
    records = [json.dumps(record) for record in _spark_records(rng, day)]
    records.append("-- rotated --")
    logs.spark_records.write_text("\n".join(records) + "\n", encoding="utf-8")
    return logs


def _trino_events(
    rng: np.random.Generator, day: dt.date, read: ReadTable
) -> Iterator[Mapping[str, Any]]:
    queries = list(_drawn(rng, day, TRINO))
    count = len(queries) + 5
    moments = iter(_moments(rng, day, count))
    for number, (shape, values) in enumerate(queries):
        inputs = [
            read(table, None if pushed is None else pushed.format(**values))
            for table, pushed in shape.reads
        ]
        yield _event(next(moments), number, shape.sql.format(**values), inputs)
    number = len(queries)
    for place in range(3):
        sql = "SELECT * FROM mysql.crm.tickets WHERE state = 'open'"
        foreign = {"catalogName": "mysql", "schema": "crm", "table": "tickets", "columns": []}
        yield _event(next(moments), number + place, sql, [foreign])
    prepared = _event(
        next(moments),
        number + 3,
        "EXECUTE one_customer USING 42",
        [read("sales.customers", "customer_id = 42")],
    )
    text = "SELECT * FROM sales.customers WHERE customer_id = ?"
    yield prepared | {"metadata": prepared["metadata"] | {"preparedQuery": text}}
    failed = _event(next(moments), number + 4, "SELECT total FROM sales.orders", [])
    yield failed | {"metadata": failed["metadata"] | {"queryState": "FAILED"}}


def _event(moment: dt.datetime, number: int, sql: str, inputs: list[TableRead]) -> dict[str, Any]:
    """A QueryCompletedEvent as Trino's HTTP event listener posts it, cut to what is used."""
    return {
        "metadata": {
            "queryId": f"{moment:%Y%m%d_%H%M%S}_{number:05d}_demo1",
            "query": sql,
            "queryState": "FINISHED",
        },
        "statistics": {
            "physicalInputBytes": sum(entry.get("physicalInputBytes", 0) for entry in inputs),
            "physicalInputRows": sum(entry.get("physicalInputRows", 0) for entry in inputs),
        },
        "context": {
            "user": _USERS[number % len(_USERS)],
            "catalog": CATALOG,
            "schema": "sales",
            "timezone": "UTC",
            "queryType": "SELECT",
            "serverVersion": "482",
        },
        "ioMetadata": {"inputs": inputs},
        "createTime": _instant(moment),
        "executionStartTime": _instant(moment + dt.timedelta(milliseconds=40)),
        "endTime": _instant(moment + dt.timedelta(seconds=2)),
    }


def _table_reader(catalog: Catalog) -> ReadTable:
    """A function that makes Trino's report on reading a table with a filter; each scan is planned
    once."""

    @cache
    def read(name: str, pushed: str | None) -> TableRead:
        table = catalog.load_table(name)
        scan = table.scan(AlwaysTrue() if pushed is None else pushed)
        files = [task.file for task in scan.plan_files()]
        size = sum(file.file_size_in_bytes for file in files)
        snapshot = table.current_snapshot()
        assert snapshot is not None
        assert snapshot.summary is not None
        schema, _, table_name = name.partition(".")
        return {
            "connectorName": "iceberg",
            "catalogName": CATALOG,
            "schema": schema,
            "table": table_name,
            "columns": [{"name": f.name, "type": str(f.field_type)} for f in table.schema().fields],
            "connectorInfo": {
                "snapshotId": snapshot.snapshot_id,
                "formatVersion": table.format_version,
                "totalRecords": snapshot.summary["total-records"],
                "totalDataFiles": snapshot.summary["total-data-files"],
                "totalDeleteFiles": snapshot.summary["total-delete-files"],
            },
            "connectorMetrics": {
                "dataFiles": {
                    "@class": "io.trino.plugin.base.metrics.LongCount",
                    "total": len(files),
                },
                "dataFileSizeBytes": {
                    "@class": "io.trino.plugin.base.metrics.LongCount",
                    "total": size,
                },
            },
            "physicalInputBytes": size,
            "physicalInputRows": sum(file.record_count for file in files),
        }

    return read


def _spark_records(rng: np.random.Generator, day: dt.date) -> Iterator[Mapping[str, Any]]:
    queries = list(_drawn(rng, day, SPARK))
    moments = iter(_moments(rng, day, len(queries) + 1))
    for number, (shape, values) in enumerate(queries):
        yield _record(next(moments), number) | {"statement_text": shape.sql.format(**values)}
    yield _record(next(moments), len(queries))


def _record(moment: dt.datetime, number: int) -> dict[str, Any]:
    return {
        "statement_id": f"spark-{number:04d}",
        "start_time": _instant(moment),
        "executed_by": _USERS[number % len(_USERS)],
        "client": "spark",
    }


RECORD_FIELDS: Mapping[str, str] = {
    "sql": "statement_text",
    "query_id": "statement_id",
    "started_at": "start_time",
    "user": "executed_by",
    "engine": "client",
}
"""Our names to those of the Spark records."""


def _drawn(
    rng: np.random.Generator, day: dt.date, shapes: Iterable[DemoShape]
) -> Iterator[tuple[DemoShape, Mapping[str, object]]]:
    """Every query's shape, in a mixed order, with its values."""
    each = [shape for shape in shapes for _ in range(shape.count)]
    days = days_before(day, _RECENT_DAYS)
    for place in rng.permutation(len(each)):
        asked = days[int(rng.integers(len(days)))]
        customer = int(rng.integers(1, CUSTOMERS - 100))
        many = rng.choice(CUSTOMERS, _LONG_LIST, replace=False) + 1
        yield (
            each[place],
            {
                "day": asked,
                "day_after": asked + dt.timedelta(days=1),
                "date": f"{rng.integers(1, 29):02d}",
                "hour": int(rng.integers(24)),
                "customer": customer,
                "customer_after": customer + 100,
                "customers": ", ".join(str(number) for number in many),
                "country": COUNTRIES[int(rng.integers(len(COUNTRIES)))],
            },
        )


def _moments(rng: np.random.Generator, day: dt.date, count: int) -> list[dt.datetime]:
    """Instants of the day (UTC), in order."""
    midnight = dt.datetime.combine(day, dt.time(), dt.UTC)
    seconds = np.sort(rng.integers(0, 86_390, count)).tolist()
    return [midnight + dt.timedelta(seconds=second) for second in seconds]


def _instant(moment: dt.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
