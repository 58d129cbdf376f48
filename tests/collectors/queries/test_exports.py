"""Exports of services as SQL records."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries.exports import EXPORTS, from_json, from_mapping
from prunescope.collectors.queries.sql_records import RecordDefaults

MOMENT = dt.datetime(2024, 3, 10, 3, tzinfo=dt.UTC)
ATHENA = {
    "QueryExecutionId": "a1",
    "Query": "SELECT * FROM t WHERE a = ?",
    "StatementType": "DML",
    "QueryExecutionContext": {"Catalog": "lake", "Database": "db"},
    "Status": {"State": "SUCCEEDED", "SubmissionDateTime": "2024-03-10T03:00:00Z"},
    "EngineVersion": {"EffectiveEngineVersion": "Athena engine version 3"},
    "ExecutionParameters": ["'x'"],
}
DATABRICKS = {
    "statement_id": "d1",
    "statement_text": "SELECT 1",
    "execution_status": "FINISHED",
    "start_time": "2024-03-10T03:00:00.000Z",
    "executed_by": "ana",
}
SNOWFLAKE = {
    "QUERY_ID": "s1",
    "QUERY_TEXT": "SELECT 1",
    "DATABASE_NAME": "LAKE",
    "SCHEMA_NAME": "DB",
    "START_TIME": "2024-03-10 03:00:00.000 Z",
    "USER_NAME": "ANA",
    "EXECUTION_STATUS": "SUCCESS",
}
REDSHIFT = {
    "user_id": 100,
    "query_id": 17,
    "query_label": "default",
    "database_name": "lake",
    "query_type": "SELECT",
    "status": "success",
    "start_time": "2024-03-10 03:00:00.000000",
    "query_text": "SELECT 1",
}
BIGQUERY = {
    "job_id": "b1",
    "job_type": "QUERY",
    "project_id": "lake",
    "statement_type": "SELECT",
    "state": "DONE",
    "error_result": None,
    "start_time": "2024-03-10 03:00:00.000000 UTC",
    "user_email": "ana",
    "total_slot_ms": "17",
    "query": "SELECT 1",
}
STARROCKS = {
    "queryId": "k1",
    "timestamp": "2024-03-10 03:00:00",
    "user": "ana",
    "catalog": "lake",
    "db": "db",
    "state": "EOF",
    "stmt": "SELECT 1",
}
DREMIO = {
    "queryId": "r1",
    "queryText": "SELECT 1",
    "context": '["lake", "db"]',
    "start": 1_710_039_600_000,
    "outcome": "COMPLETED",
    "username": "ana",
}
CLICKHOUSE = {
    "type": "QueryFinish",
    "query_id": "c1",
    "query": "SELECT 1",
    "query_start_time": "2024-03-10 03:00:00",
    "current_database": "db",
    "user": "ana",
}
RECORDS: dict[str, dict[str, Any]] = {
    "athena": ATHENA,
    "databricks": DATABRICKS,
    "snowflake": SNOWFLAKE,
    "redshift": REDSHIFT,
    "bigquery": BIGQUERY,
    "starrocks": STARROCKS,
    "dremio": DREMIO,
    "clickhouse": CLICKHOUSE,
}


def read(name: str, record: dict[str, Any], **fields: str) -> ObservedQuery | Rejected:
    return from_json(
        json.dumps(record),
        "here",
        export=EXPORTS[name],
        fields=fields,
        defaults=RecordDefaults(time_zone="UTC"),
    )


def test_there_is_a_record_of_every_service() -> None:
    assert set(RECORDS) == set(EXPORTS)


@pytest.mark.parametrize(
    ("name", "query_id", "catalog", "schema", "user"),
    [
        ("athena", "a1", "lake", "db", None),
        ("databricks", "d1", None, None, "ana"),
        ("snowflake", "s1", "LAKE", "DB", "ANA"),
        ("redshift", "17", "lake", None, None),
        ("bigquery", "b1", "lake", None, "ana"),
        ("starrocks", "k1", "lake", "db", "ana"),
        ("dremio", "r1", "lake", "db", "ana"),
        ("clickhouse", "c1", None, "db", "ana"),
    ],
)
def test_fields_of_each_service(
    name: str, query_id: str, catalog: str | None, schema: str | None, user: str | None
) -> None:
    query = read(name, RECORDS[name])
    assert isinstance(query, ObservedQuery)
    assert (query.query_id, query.catalog, query.schema, query.user) == (
        query_id,
        catalog,
        schema,
        user,
    )
    assert (query.engine, query.dialect, query.started_at) == (name, name, MOMENT)


def test_the_api_of_databricks_has_names_of_its_own() -> None:
    answer = {
        "query_id": "d1",
        "status": "FINISHED",
        "query_text": "SELECT 1",
        "query_start_time_ms": 1_710_039_600_000,
        "user_name": "ana",
    }
    query = read("databricks", answer)
    assert isinstance(query, ObservedQuery)
    assert query == read("databricks", DATABRICKS)


def test_what_only_athena_has() -> None:
    query = read("athena", {"QueryExecution": ATHENA})
    assert isinstance(query, ObservedQuery)
    assert query.parameters == ("'x'",)
    assert query.engine_version == "Athena engine version 3"


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("athena", {"Status": {"State": "FAILED"}}, "query_failed"),
        ("athena", {"Status": {"State": "RUNNING"}}, "not_a_completed_query"),
        ("athena", {"Query": None}, "missing_sql"),
        ("databricks", {"execution_status": "CANCELED"}, "query_failed"),
        ("snowflake", {"EXECUTION_STATUS": "FAIL"}, "query_failed"),
        ("redshift", {"status": "canceled"}, "query_failed"),
        ("redshift", {"status": "returning"}, "not_a_completed_query"),
        ("redshift", {"query_text": "S" * 4_000}, "truncated_sql"),
        ("bigquery", {"job_type": "LOAD", "query": None}, "not_a_completed_query"),
        ("bigquery", {"statement_type": "SCRIPT"}, "not_a_completed_query"),
        ("bigquery", {"state": "RUNNING"}, "not_a_completed_query"),
        ("bigquery", {"error_result": {"reason": "stopped"}}, "query_failed"),
        ("starrocks", {"state": "ERR"}, "query_failed"),
        ("snowflake", {"EXECUTION_STATUS": "BLOCKED"}, "not_a_completed_query"),
        ("snowflake", {"QUERY_TEXT": "S" * 100_000}, "truncated_sql"),
        ("dremio", {"isTruncatedQueryText": True}, "truncated_sql"),
        ("clickhouse", {"query": "é" * 50_000}, "truncated_sql"),
        ("clickhouse", {"is_initial_query": 0}, "not_a_completed_query"),
        ("dremio", {"outcome": "FAILED"}, "query_failed"),
        ("clickhouse", {"type": "QueryStart"}, "not_a_completed_query"),
        ("clickhouse", {"type": "ExceptionWhileProcessing"}, "query_failed"),
    ],
)
def test_queries_that_did_not_run_to_their_end(
    name: str, change: dict[str, Any], reason: str
) -> None:
    rejected = read(name, {**RECORDS[name], **change})
    assert isinstance(rejected, Rejected)
    assert rejected.reason == reason
    assert rejected.query_id is not None


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("snowflake", {"QUERY_TEXT": "S" * 99_999}),
        ("dremio", {"isTruncatedQueryText": False}),
        ("clickhouse", {"query": "é" * 49_999}),
        ("clickhouse", {"is_initial_query": 1}),
    ],
)
def test_queries_that_are_whole(name: str, change: dict[str, Any]) -> None:
    assert isinstance(read(name, {**RECORDS[name], **change}), ObservedQuery)


@pytest.mark.parametrize(
    ("record", "zone"),
    [
        ({}, None),
        ({"time_zone": "Asia/Tokyo"}, "Asia/Tokyo"),
        ({"Settings": {"session_timezone": "Asia/Tokyo", "max_threads": "2"}}, "?"),
        ({"Settings": {"max_threads": "2"}, "time_zone": "Europe/Berlin"}, "Europe/Berlin"),
        ({"Settings": {"session_timezone": "Asia/Tokyo"}, "time_zone": "UTC"}, "?"),
        ({"Settings": {"session_timezone": "UTC"}, "time_zone": "UTC"}, "UTC"),
        ({"Settings": [("session_timezone", "UTC")], "time_zone": "Asia/Tokyo"}, "?"),  # of Parquet
        ({"Settings": "session_timezone"}, None),
    ],
)
def test_the_zone_of_clickhouse_is_the_servers_unless_a_setting_makes_it_unknown(
    record: dict[str, Any], zone: str | None
) -> None:
    found = from_mapping(
        {**CLICKHOUSE, **record},
        "here",
        export=EXPORTS["clickhouse"],
        fields={},
        defaults=RecordDefaults(),
    )
    assert isinstance(found, ObservedQuery)
    assert found.time_zone == zone


def test_others_are_in_utc_unless_told() -> None:
    found = from_mapping(
        DREMIO, "here", export=EXPORTS["dremio"], fields={}, defaults=RecordDefaults()
    )
    assert isinstance(found, ObservedQuery)
    assert found.time_zone == "UTC"


def test_field_names_can_be_changed() -> None:
    query = read("dremio", {**DREMIO, "sql_text": "SELECT 2"}, sql="sql_text")
    assert isinstance(query, ObservedQuery)
    assert query.sql == "SELECT 2"


@pytest.mark.parametrize("context", ["[lake, db]", ["lake", "db"], '["lake","db"]'])
def test_dremios_context_in_its_forms(context: object) -> None:
    query = read("dremio", {**DREMIO, "context": context})
    assert isinstance(query, ObservedQuery)
    assert (query.catalog, query.schema) == ("lake", "db")


def test_lines_that_are_no_record() -> None:
    defaults = RecordDefaults()
    for line, reason in ((b"{", "malformed_json"), (b"[]", "malformed_record")):
        found = from_json(line, "x", export=EXPORTS["dremio"], fields={}, defaults=defaults)
        assert isinstance(found, Rejected)
        assert found.reason == reason
