"""What a Trino event says of tables besides their inputs: views, row filters and masks; and
the same event as a row of the MySQL listener."""

from __future__ import annotations

import json
from typing import Any

import pytest

from prunescope.collectors.observed import ObservedQuery, Reference, Rejected, TableName
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.queries.trino import mysql as trino_mysql

INPUT = {"catalogName": "lake", "schema": "db", "table": "t", "connectorInfo": {"snapshotId": 7}}
TABLE = {
    "catalog": "lake",
    "schema": "db",
    "table": "t",
    "filters": ["day > DATE '2024-01-01'", "id = 1", 5],
    "columns": [
        {"column": "name", "mask": "'x'"},
        {"column": "phone", "masks": ["'x'"]},
        {"column": "id"},
        {"column": "mail", "masks": []},
        7,
    ],
}
VIEW = {"catalog": "lake", "schema": "db", "table": "v", "viewText": "SELECT * FROM t"}


def event(**metadata: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "queryId": "q",
            "query": "SELECT 1",
            "queryState": "FINISHED",
            "tables": [TABLE, VIEW, {"table": "plain"}, 3],
            **metadata,
        },
        "statistics": {},
        "ioMetadata": {"inputs": [INPUT]},
    }


def read(document: dict[str, Any]) -> ObservedQuery:
    query = trino_events.from_json(json.dumps(document), "here")
    assert isinstance(query, ObservedQuery)
    return query


def test_references_are_the_tables_of_which_more_is_known() -> None:
    assert read(event()).references == (
        Reference(
            TableName("lake", ("db",), "t"),
            row_filters=("day > DATE '2024-01-01'", "id = 1"),
            masked=("name", "phone"),
        ),
        Reference(TableName("lake", ("db",), "v"), "SELECT * FROM t"),
    )


def test_a_row_of_the_mysql_listener_is_an_event() -> None:
    row = {
        "QUERY_ID": "20240310_030000_00001_abcde",
        "query": "EXECUTE s USING 'a', 5",
        "prepared_query": "SELECT * FROM t WHERE a = ? AND b = ?",
        "query_state": "FINISHED",
        "user": "ana",
        "catalog": "lake",
        "schema": "db",
        "server_version": "482",
        "inputs_json": json.dumps([INPUT]),
    }
    query = trino_mysql.from_json(json.dumps(row), "here")
    assert isinstance(query, ObservedQuery)
    assert query.source == "trino_mysql"
    assert query.parameters == ("'a'", "5")
    assert query.started_at is not None
    assert query.started_at.isoformat() == "2024-03-10T03:00:00+00:00"
    assert (query.catalog, query.schema, query.engine_version) == ("lake", "db", "482")
    assert query.scans[0].snapshot_id == 7


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "malformed_json"),
        ("[]", "malformed_event"),
        ("{}", "not_a_completed_query"),
        ('{"query_state": "FINISHED", "query_id": "q"}', "missing_sql"),
        ('{"query_state": "FAILED", "query_id": "q", "query": "SELECT 1"}', "query_failed"),
    ],
)
def test_rows_that_are_no_query(row: str, reason: str) -> None:
    rejected = trino_mysql.from_json(row, "here")
    assert isinstance(rejected, Rejected)
    assert (rejected.source, rejected.reason) == ("trino_mysql", reason)


def test_a_table_that_is_also_read_without_filters_has_both_references() -> None:
    plain = {"catalog": "lake", "schema": "db", "table": "t"}
    first, second = read(event(tables=[TABLE, plain])).references
    assert first.row_filters
    assert second == Reference(TableName("lake", ("db",), "t"))
