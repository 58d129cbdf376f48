"""Readers of query logs under damage: whatever a line holds, it is one valid record."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.queries import exports, sql_records
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.queries.trino import io_plans as trino_io_plans
from prunescope.collectors.queries.trino import mysql as trino_mysql
from tests.mutations import spots

Read = Callable[[bytes, str], ObservedQuery | Rejected]

CANARY = "7730512"
INPUT = {
    "catalogName": "lake",
    "schema": "db",
    "table": "t",
    "connectorInfo": {"snapshotId": 7, "totalDataFiles": "3"},
    "connectorMetrics": {"dataFiles": {"@class": "LongCount", "total": 4}},
    "physicalInputBytes": 5,
}
EVENT: dict[str, Any] = {
    "metadata": {
        "queryId": "20240310_030000_00001_abcde",
        "query": f"EXECUTE s USING {CANARY}, 'x'",
        "preparedQuery": "SELECT * FROM v WHERE id = ? AND name = ?",
        "queryState": "FINISHED",
        "plan": "ScanFilter[table = lake:db.t$data@7, dynamicFilters = {c_1 = #df_1}]\n"
        "    c_1 := 1:c:bigint\n",
        "tables": [
            {
                "catalog": "lake",
                "schema": "db",
                "table": "v",
                "filters": [f"id = {CANARY}"],
                "columns": [{"column": "name", "mask": f"'{CANARY}'"}],
                "viewText": "SELECT * FROM t",
            }
        ],
    },
    "statistics": {
        "dynamicFilterDomainStatistics": [
            {"dynamicFilterId": "df_1", "simplifiedDomain": f"[ ranges=2, {{[{CANARY}]}} ]"}
        ]
    },
    "context": {"user": "ana", "catalog": "lake", "timezone": "UTC", "serverVersion": "482"},
    "ioMetadata": {"inputs": [INPUT]},
    "createTime": "2024-03-10T03:00:00Z",
}
MYSQL = {
    "query_id": "20240310_030000_00001_abcde",
    "query": f"EXECUTE s USING {CANARY}, 'x'",
    "prepared_query": "SELECT * FROM t WHERE id = ? AND name = ?",
    "query_state": "FINISHED",
    "user": "ana",
    "inputs_json": json.dumps([INPUT]),
}
PLAN = {
    "query_id": "q",
    "started_at": "2024-03-10T03:00:00Z",
    "plan": {
        "inputTableColumnInfos": [
            {
                "table": {"catalog": "lake", "schemaTable": {"schema": "db", "table": "t"}},
                "constraint": {
                    "none": False,
                    "columnConstraints": [
                        {
                            "columnName": "c",
                            "type": "timestamp(6) with time zone",
                            "domain": {
                                "nullsAllowed": False,
                                "ranges": [
                                    {
                                        "low": {
                                            "value": "2024-01-02 03:04:05 Europe/Berlin",
                                            "bound": "EXACTLY",
                                        },
                                        "high": {"bound": "BELOW"},
                                    }
                                ],
                            },
                        }
                    ],
                },
            }
        ]
    },
}
ATHENA = {
    "QueryExecution": {
        "QueryExecutionId": "a1",
        "Query": f"SELECT * FROM t WHERE id = {CANARY} AND a = ?",
        "QueryExecutionContext": {"Catalog": "lake", "Database": "db"},
        "Status": {"State": "SUCCEEDED", "SubmissionDateTime": 1710039600.5},
        "ExecutionParameters": ["'x'"],
    }
}
SNOWFLAKE = {
    "QUERY_ID": "s1",
    "QUERY_TEXT": f"SELECT {CANARY}",
    "START_TIME": "2024-03-10 03:00:00.000 -0800",
    "EXECUTION_STATUS": "SUCCESS",
}
DREMIO = {
    "queryId": "r1",
    "queryText": f"SELECT {CANARY}",
    "context": '["lake", "db"]',
    "start": 1_710_039_600_000,
    "outcome": "COMPLETED",
}
CLICKHOUSE = {
    "type": "QueryFinish",
    "is_initial_query": 1,
    "query_id": "c1",
    "query": f"SELECT {CANARY}",
    "query_start_time": "2024-03-10 03:00:00",
}
DATABRICKS = {
    "statement_id": "d1",
    "statement_text": f"SELECT {CANARY}",
    "execution_status": "FINISHED",
    "start_time": "2024-03-10T03:00:00.000Z",
}
RECORD = {"sql": f"SELECT {CANARY}", "params": [1, 1.5, "x", None], "dialect": "trino"}


def _export(name: str) -> Read:
    return partial(
        exports.from_json,
        export=exports.EXPORTS[name],
        fields={},
        defaults=sql_records.RecordDefaults(),
    )


FORMATS: dict[str, tuple[Read, dict[str, Any]]] = {
    "trino event": (trino_events.from_json, EVENT),
    "trino event of Kafka": (trino_events.from_json, {"eventPayload": EVENT}),
    "trino mysql": (trino_mysql.from_json, MYSQL),
    "trino io plan": (trino_io_plans.from_json, PLAN),
    "sql record": (
        partial(sql_records.from_json, defaults=sql_records.RecordDefaults()),
        RECORD,
    ),
    "athena": (_export("athena"), ATHENA),
    "databricks": (_export("databricks"), DATABRICKS),
    "snowflake": (_export("snowflake"), SNOWFLAKE),
    "dremio": (_export("dremio"), DREMIO),
    "clickhouse": (_export("clickhouse"), CLICKHOUSE),
}

_anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\ud800", "", " ", "0", "-1", "9" * 400, "2024-13-45", "{", "[[", "'"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.just("\udfff"), inner, max_size=3)
    ),
    max_leaves=5,
)


def is_valid(record: object) -> bool:
    """Whether every text of a record can be stored, and every predicate shown."""
    return all(_is_storable(value) for value in _parts(record))


def _parts(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, Predicate):
        yield from (render(value), redact(value))
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _parts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    elif isinstance(value, dict):
        yield from _parts(tuple(value.items()))


def _is_storable(value: object) -> bool:
    return not isinstance(value, str) or value.encode("utf-8", "ignore") == value.encode(
        "utf-8", "surrogatepass"
    )


formats = pytest.mark.parametrize(
    ("read", "document"), [pytest.param(*found, id=name) for name, found in FORMATS.items()]
)


@formats
def test_the_undamaged_line_is_a_query(read: Read, document: dict[str, Any]) -> None:
    record = read(json.dumps(document).encode(), "here")
    assert isinstance(record, ObservedQuery)
    assert is_valid(record)


@formats
@given(data=st.data())
def test_any_value_in_any_place(read: Read, document: dict[str, Any], data: st.DataObject) -> None:
    damaged = copy.deepcopy(document)
    parent, key = data.draw(st.sampled_from(spots(damaged)), label="place")
    parent[key] = data.draw(_anything, label="value")
    record = read(json.dumps(damaged).encode(), "here")
    assert isinstance(record, ObservedQuery | Rejected)
    assert is_valid(record)


@formats
@given(data=st.data())
def test_a_line_that_is_cut_off_is_rejected_without_its_content(
    read: Read, document: dict[str, Any], data: st.DataObject
) -> None:
    line = json.dumps(document).encode()
    record = read(line[: data.draw(st.integers(0, len(line) - 1))], "here")
    assert isinstance(record, Rejected)
    assert record.reason == "malformed_json"
    assert CANARY not in record.message


@formats
@given(data=st.data())
def test_flipped_bits(read: Read, document: dict[str, Any], data: st.DataObject) -> None:
    line = bytearray(json.dumps(document).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    record = read(bytes(line), "here")
    assert isinstance(record, ObservedQuery | Rejected)
    assert is_valid(record)
    assert isinstance(record, ObservedQuery) or CANARY not in record.message


@formats
@pytest.mark.parametrize("depth", [500, 900, 100_000])
def test_deep_nesting_in_any_place(read: Read, document: dict[str, Any], depth: int) -> None:
    for number in range(len(spots(document))):
        damaged = copy.deepcopy(document)
        parent, key = spots(damaged)[number]
        parent[key] = "DEEP"
        line = json.dumps(damaged).replace('"DEEP"', "[" * depth + "]" * depth)
        assert isinstance(read(line.encode(), "here"), ObservedQuery | Rejected)
