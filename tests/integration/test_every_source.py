"""One audit of a log of every kind over one table: each input has an outcome, reports find the
scans they are of, and no literal of any log gets out."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.records import Window
from tests.integration.audits import (
    WINDOW,
    audit,
    audit_here,
    audit_rows,
    catalog_properties,
    trino_event,
    write_config,
    write_lines,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow

# Literals that are in every log and must be in no output.
TEXT, NUMBER, DATE = "k7canary", 7_770_123, dt.date(2077, 7, 7)
DAYS = (DATE - dt.date(1970, 1, 1)).days
WHERE = f"name = '{TEXT}' AND id < {NUMBER} AND day <> DATE '{DATE}'"
ROWS = pa.table(
    {
        "id": pa.array([1, 2, 3], pa.int64()),
        "name": ["a", "b", "c"],
        "day": pa.array([dt.date(2024, 1, 1)] * 3),
    }
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Table]:
    directory = tmp_path_factory.mktemp("sources")
    catalog = SqlCatalog("lake", **catalog_properties(directory))
    catalog.create_namespace("db")
    table = catalog.create_table("db.t", ROWS.schema)
    table.append(ROWS)
    return directory, table


def trino_events(snapshot_id: int) -> Iterator[dict[str, Any]]:
    plain = trino_event("plain", f"SELECT * FROM lake.db.t WHERE {WHERE}")
    plain["ioMetadata"]["inputs"] = [
        {
            "catalogName": "lake",
            "schema": "db",
            "table": "t",
            "connectorInfo": {"snapshotId": snapshot_id},
            "connectorMetrics": {"dataFiles": {"total": 1}},
        }
    ]
    yield plain
    view = trino_event("view", f"SELECT * FROM lake.db.v WHERE id = {NUMBER}")
    name = {"catalog": "lake", "schema": "db"}
    view["metadata"]["tables"] = [
        {
            **name,
            "table": "v",
            "filters": [],
            "columns": [],
            "directlyReferenced": True,
            "viewText": f"SELECT * FROM lake.db.t WHERE name = '{TEXT}'",
        },
        {
            **name,
            "table": "t",
            "filters": [f"day > DATE '{DATE}'"],
            "columns": [{"column": "name", "mask": f"concat(name, '{TEXT}')"}],
            "directlyReferenced": False,
        },
    ]
    yield view
    yield trino_event("many", f"USE lake.db; SELECT 1 FROM t WHERE {WHERE}; SHOW TABLES")
    yield trino_event("merge", merge())
    yield trino_event("broken", f"SELECT FROM WHERE '{TEXT}' {NUMBER} == DATE '{DATE}' ((")
    yield trino_event("open", f"SELECT * FROM lake.db.t WHERE name = '{TEXT}")
    yield plain


def merge() -> str:
    return (
        f"MERGE INTO lake.db.t USING (SELECT {NUMBER} AS id) s ON t.id = s.id AND t.{WHERE}"
        f" WHEN MATCHED THEN UPDATE SET name = '{TEXT}'"
    )


def mysql_rows() -> Iterator[dict[str, Any]]:
    yield {
        "query_id": "20240310_030000_00001_abcde",
        "query": f"EXECUTE s USING '{TEXT}', {NUMBER}",
        "prepared_query": "SELECT * FROM lake.db.t WHERE name = ? AND id = ?",
        "query_state": "FINISHED",
        "user": "u",
        "inputs_json": "[]",
    }


def io_plans() -> Iterator[dict[str, Any]]:
    point = {"value": TEXT, "bound": "EXACTLY"}
    yield {
        "query_id": "io",
        "plan": {
            "inputTableColumnInfos": [
                {
                    "table": {"catalog": "lake", "schemaTable": {"schema": "db", "table": "t"}},
                    "constraint": {
                        "none": False,
                        "columnConstraints": [
                            {
                                "columnName": "name",
                                "type": "varchar",
                                "domain": {
                                    "nullsAllowed": False,
                                    "ranges": [{"low": point, "high": point}],
                                },
                            }
                        ],
                    },
                }
            ]
        },
    }


def spark_log(snapshot_id: int) -> Iterator[dict[str, Any]]:
    sql = "org.apache.spark.sql.execution.ui."
    filters = (
        f"name IS NOT NULL, name = '{TEXT}', id < {NUMBER}, day IS NOT NULL, NOT (day = {DAYS})"
    )
    scan = (
        f"IcebergScan(table=lake.db.t, schemaId=0, snapshotId={snapshot_id}, branch=null,"
        f" filters={filters}, runtimeFilters=, groupedBy=)"
    )
    node = {
        "nodeName": "BatchScan lake.db.t",
        "simpleString": f"BatchScan lake.db.t[id#1L, name#2] {scan} RuntimeFilters: []",
        "children": [],
        "metadata": {},
        "metrics": [
            {"name": "number of result data files", "accumulatorId": 7, "metricType": "sum"}
        ],
    }
    yield {"Event": "SparkListenerLogStart", "Spark Version": "4.1.1"}
    yield {
        "Event": "SparkListenerApplicationStart",
        "App Name": "a",
        "App ID": "app-1",
        "Timestamp": 1_773_111_600_000,
        "User": "u",
    }
    yield {
        "Event": sql + "SparkListenerSQLExecutionStart",
        "executionId": 0,
        "rootExecutionId": 0,
        "description": f"collect where {TEXT}",
        "details": f"{NUMBER}",
        "physicalPlanDescription": f"'{TEXT}'",
        "sparkPlanInfo": node,
        "time": 1_773_111_601_000,
        "modifiedConfigs": {},
    }
    yield {
        "Event": sql + "SparkListenerDriverAccumUpdates",
        "executionId": 0,
        "accumUpdates": [[7, 1]],
    }
    yield {
        "Event": sql + "SparkListenerSQLExecutionEnd",
        "executionId": 0,
        "time": 1_773_111_602_000,
    }


def report(snapshot_id: int, filter_: dict[str, Any]) -> dict[str, Any]:
    return {
        "report-type": "scan-report",
        "table-name": "lake.db.t",
        "snapshot-id": snapshot_id,
        "filter": filter_,
        "schema-id": 0,
        "projected-field-ids": [1],
        "projected-field-names": ["id"],
        "metrics": {"result-data-files": {"unit": "count", "value": 1}},
        "metadata": {"engine-name": "spark", "engine-version": "3.5.6"},
    }


def reports(snapshot_id: int) -> Iterator[dict[str, Any]]:
    eq = {"type": "eq", "term": "name", "value": "(hash-27fa7cc0)"}
    yield report(snapshot_id, eq)
    yield report(snapshot_id, {"type": "is-null", "term": "id"})
    yield report(1, eq)


EXPORTS: dict[str, dict[str, Any]] = {
    "athena": {
        "QueryExecutionId": "athena",
        "Query": f"SELECT * FROM t WHERE {WHERE}",
        "QueryExecutionContext": {"Catalog": "lake", "Database": "db"},
        "Status": {"State": "SUCCEEDED", "SubmissionDateTime": "2026-03-10T03:00:00Z"},
    },
    "databricks": {
        "statement_id": "databricks",
        "statement_text": f"SELECT * FROM lake.db.t WHERE {WHERE}",
        "execution_status": "FINISHED",
    },
    "snowflake": {
        "QUERY_ID": "snowflake",
        "QUERY_TEXT": f"SELECT * FROM T WHERE NAME = '{TEXT}'",
        "DATABASE_NAME": "lake",
        "SCHEMA_NAME": "db",
        "EXECUTION_STATUS": "SUCCESS",
    },
    "dremio": {
        "queryId": "dremio",
        "queryText": f"SELECT * FROM lake.db.t WHERE {WHERE}",
        "outcome": "COMPLETED",
    },
    "clickhouse": {
        "query_id": "clickhouse",
        "query": f"SELECT * FROM lake.db.t WHERE name = '{TEXT}'",
        "type": "QueryFinish",
    },
}


@pytest.fixture(scope="module")
def logs(table: tuple[Path, Table]) -> Path:
    """The configuration of an audit of all logs. The table is newer than the audited day, so
    only inputs without a time, or with a snapshot, can be replayed."""
    directory, loaded = table
    snapshot = loaded.current_snapshot()
    assert snapshot is not None
    events = list(trino_events(snapshot.snapshot_id))
    for event in events:
        if event.pop("createTime", None) is not None:
            event["metadata"]["queryId"] = "q_" + event["metadata"]["queryId"]
    for row in EXPORTS.values():
        row.get("Status", {}).pop("SubmissionDateTime", None)
    records = {
        "trino_events": events,
        "trino_io_plans": io_plans(),
        "spark_event_logs": spark_log(snapshot.snapshot_id),
        "iceberg_reports": reports(snapshot.snapshot_id),
    }
    sources: list[dict[str, Any]] = []
    for kind, lines in records.items():
        path = write_lines(directory / f"{kind}.json", lines)
        sources.append({"type": kind, "paths": [str(path)]})
    for name, row in EXPORTS.items():
        path = write_lines(directory / f"{name}.json", [row])
        sources.append({"type": "sql_records", "paths": [str(path)], "export": name})
    return write_config(directory, sources)


@pytest.fixture(scope="module")
def rows(logs: Path, spark: SparkSession) -> list[dict[str, Any]]:
    """The scans of an audit on Spark: no other has reports."""
    assert spark is not None
    audit(logs)
    found = audit_rows(logs, "scan_plans")
    return [row for row in found if row["window_start"] == WINDOW.start]


def test_every_input_has_its_outcome(rows: list[dict[str, Any]]) -> None:
    outcomes = {
        (row["query_id"] or row["location"].rpartition("/")[2]): row["query_outcome"]
        for row in rows
        if row["outcome"] != "repeated"
    }
    assert outcomes == {
        "q_plain": "replayed",
        "q_view": "replayed",
        "q_many": "replayed",
        "q_merge": "replayed",
        "q_broken": "unparseable",
        "q_open": "unparseable",
        "io": "replayed",
        "app-1/0": "replayed",
        "iceberg_reports.json:1": "report_matched",
        "iceberg_reports.json:2": "report_unmatched",
        "iceberg_reports.json:3": "report_unmatched",
        **dict.fromkeys(EXPORTS, "replayed"),
    }


def test_a_repeated_event_counts_once(rows: list[dict[str, Any]]) -> None:
    plain = [row["outcome"] for row in rows if row["query_id"] == "q_plain"]
    assert sorted(plain) == ["repeated", "replayed"]


def test_filters_are_those_of_each_source(rows: list[dict[str, Any]]) -> None:
    found = {r["query_id"]: r["predicate"] for r in rows if r["query_id"] and r["predicate"]}
    full = "name = ? AND id < ? AND day != ?"
    assert found["q_plain"] == full
    assert found["q_many"] == full
    assert found["q_merge"] == full
    assert found["io"] == "name = ?"
    assert (
        found["app-1/0"]
        == "name IS NOT NULL AND name = ? AND id < ? AND day IS NOT NULL AND day != ?"
    )
    assert found["athena"] == full
    assert found["snowflake"] == "name = ?"
    assert "day > ?" in found["q_view"]
    assert "id = ?" in found["q_view"]
    assert 'MASKED("name") = ?' in found["q_view"], "of the view's text, on masked values"


def test_counts_of_engines_and_reports_are_beside_the_replay(rows: list[dict[str, Any]]) -> None:
    replayed = [row for row in rows if row["query_id"] and row["outcome"] == "replayed"]
    observed = {row["query_id"]: dict(row["observed"] or ()) for row in replayed}
    assert observed["q_plain"]["result_data_files"] == 1
    assert observed["app-1/0"] == {"result_data_files": 1}
    assert observed["io"] == {"result_data_files": 1}, "from the report of the same shape"
    assert observed["q_merge"] == {}


def test_no_literal_gets_out(
    logs: Path, rows: list[dict[str, Any]], capfd: pytest.CaptureFixture[str]
) -> None:
    assert rows
    audit_here(logs)
    printed = capfd.readouterr()
    textfile = load_config(logs).metrics.textfile
    assert textfile is not None
    tables = [audit_rows(logs, name) for name in ("audit_runs", "scan_plans", "conjuncts")]
    everything = json.dumps(tables, default=str) + printed.out + printed.err + textfile.read_text()
    for literal in (TEXT, str(NUMBER), str(DATE), str(DAYS), "27fa7cc0"):
        assert literal not in everything, literal


def test_the_window_counts_for_every_source_with_a_time(logs: Path) -> None:
    audit_here(
        logs, Window(dt.datetime(2000, 1, 1, tzinfo=dt.UTC), dt.datetime(2000, 1, 2, tzinfo=dt.UTC))
    )
    found = {
        row["query_id"]
        for row in audit_rows(logs, "scan_plans")
        if row["window_start"].year == 2000
    }
    assert "app-1/0" not in found
    assert "q_plain" in found, "its time is not known"
