import datetime as dt
import json
from collections.abc import Callable, Iterator
from functools import partial
from operator import setitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, ObservedScan, Rejected, TableName
from prunescope.collectors.queries.trino.events import from_json

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
CANARY = "c4n4ry"


def completed(**sections: Any) -> dict[str, Any]:
    event: dict[str, Any] = {
        "metadata": {
            "queryId": "20240302_120000_00012_pzafy",
            "query": f"SELECT * FROM orders WHERE name = '{CANARY}'",
            "queryState": "FINISHED",
        },
        "statistics": {"physicalInputBytes": 10},
        "context": {
            "user": "ann",
            "catalog": "lake",
            "schema": "sales",
            "timezone": "Europe/Paris",
            "serverVersion": "482",
        },
        "ioMetadata": {
            "inputs": [
                {
                    "catalogName": "lake",
                    "schema": "sales",
                    "table": "orders",
                    "connectorInfo": {"snapshotId": 5},
                    "connectorMetrics": {"dataFiles": {"@class": "LongCount", "total": 3}},
                }
            ]
        },
        "createTime": "2024-03-02T12:00:00.5Z",
        "executionStartTime": "2024-03-02T12:00:01Z",
        "endTime": "2024-03-02T12:00:02Z",
    }
    return event | sections


def metadata(**changes: Any) -> dict[str, Any]:
    return {"metadata": completed()["metadata"] | changes}


def read(event: object) -> ObservedQuery | Rejected:
    return from_json(json.dumps(event), "events.jsonl:7")


def query(event: object) -> ObservedQuery:
    result = read(event)
    assert isinstance(result, ObservedQuery), result
    return result


def test_a_completed_event_becomes_an_observed_query() -> None:
    assert query(completed()) == ObservedQuery(
        source="trino_events",
        query_id="20240302_120000_00012_pzafy",
        sql=f"SELECT * FROM orders WHERE name = '{CANARY}'",
        dialect="trino",
        started_at=dt.datetime(2024, 3, 2, 12, 0, 0, 500_000, tzinfo=dt.UTC),
        catalog="lake",
        schema="sales",
        user="ann",
        engine="trino",
        engine_version="482",
        time_zone="Europe/Paris",
        scans=(ObservedScan(TableName("lake", ("sales",), "orders"), 5, {"result_data_files": 3}),),
    )


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (TRACEPARENT, TRACEPARENT),
        (TRACEPARENT.replace("00-", "01-", 1), None),
        (TRACEPARENT.upper(), None),
        (f"{TRACEPARENT}\n", None),
        ("my-trace-token", None),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_a_trace_token_counts_where_it_is_a_traceparent(token: Any, expected: str | None) -> None:
    context = completed()["context"] | {"traceToken": token}
    assert query(completed(context=context)).traceparent == expected


@pytest.mark.parametrize(
    ("kind", "inputs", "expected"),
    [
        ("DELETE", {"inputs": []}, True),
        ("DELETE", completed()["ioMetadata"], False),
        ("DELETE", {"inputs": None}, False),
        ("DELETE", {}, False),
        ("DELETE", None, False),
        ("UPDATE", {"inputs": []}, False),
        (None, {"inputs": []}, False),
        (["DELETE"], {"inputs": []}, False),
    ],
)
def test_a_delete_without_input_is_no_scan(kind: Any, inputs: Any, expected: bool) -> None:
    event = completed(**metadata(updateType=kind), ioMetadata=inputs)
    assert query(event).plan_known is expected


def test_the_kafka_envelope_and_bytes_make_no_difference() -> None:
    wrapped = {"eventMetadata": {"id": "x"}, "eventPayload": completed()}
    assert query(wrapped) == query(completed())
    assert from_json(json.dumps(completed()).encode(), "x") == query(completed())


def test_unknown_fields_and_absent_optionals_make_a_query_of_what_is_there() -> None:
    event = completed(context=None, ioMetadata=None, createTime=None, news={"a": [1]})
    del event["executionStartTime"]
    assert query(event) == ObservedQuery(
        source="trino_events",
        query_id="20240302_120000_00012_pzafy",
        sql=f"SELECT * FROM orders WHERE name = '{CANARY}'",
        dialect="trino",
        started_at=dt.datetime(2024, 3, 2, 12, tzinfo=dt.UTC),
        engine="trino",
    )


@pytest.mark.parametrize(
    ("changes", "second"),
    [
        pytest.param({"createTime": 1709380807}, 7, id="epoch-seconds"),
        pytest.param({"createTime": 1709380807000}, 7, id="epoch-milliseconds"),
        pytest.param({"createTime": None}, 1, id="execution-start"),
        pytest.param({"createTime": {"a": 1}, "executionStartTime": "?"}, 0, id="query-id"),
        pytest.param(
            {"createTime": None, "executionStartTime": None} | metadata(queryId="q-1"),
            None,
            id="no-clue",
        ),
        pytest.param(
            {"createTime": None, "executionStartTime": None}
            | metadata(queryId="20241302_120000_00012_pzafy"),
            None,
            id="query-id-without-a-date",
        ),
    ],
)
def test_the_start_is_taken_from_the_first_source_that_has_it(
    changes: dict[str, Any], second: int | None
) -> None:
    expected = second if second is None else dt.datetime(2024, 3, 2, 12, 0, second, tzinfo=dt.UTC)
    assert query(completed(**changes)).started_at == expected


@pytest.mark.parametrize(
    ("changes", "sql", "parameters"),
    [
        pytest.param(
            {"query": "EXECUTE s USING 1, 'a, b'", "preparedQuery": "SELECT ?, ?"},
            "SELECT ?, ?",
            ("1", "'a, b'"),
            id="execute",
        ),
        pytest.param(
            {"query": "EXECUTE s", "preparedQuery": "SELECT 1"}, "SELECT 1", (), id="no-parameters"
        ),
        pytest.param(
            {"query": "EXECUTE IMMEDIATE 'SELECT ''x'', ?' USING DATE '2024-01-01'"},
            "SELECT 'x', ?",
            ("DATE '2024-01-01'",),
            id="execute-immediate",
        ),
        pytest.param(
            {"query": "SELECT 1", "preparedQuery": "SELECT 2"}, "SELECT 1", (), id="not-execute"
        ),
    ],
)
def test_prepared_statements_become_their_text_and_parameters(
    changes: dict[str, Any], sql: str, parameters: tuple[str, ...]
) -> None:
    result = query(completed(**metadata(**changes)))
    assert (result.sql, result.parameters) == (sql, parameters)


@pytest.mark.parametrize(
    ("event", "reason", "named"),
    [
        pytest.param([completed()], "malformed_event", "object", id="json-list"),
        pytest.param({"eventPayload": 3}, "not_a_completed_query", "metadata", id="payload"),
        pytest.param(
            completed(metadata=[]), "malformed_event", "metadata", id="metadata-not-object"
        ),
        pytest.param(completed(statistics=1), "malformed_event", "statistics", id="statistics"),
        pytest.param(
            completed(**metadata(queryState=1)), "malformed_event", "queryState", id="state-number"
        ),
        pytest.param(
            completed(**metadata(queryId=None)), "malformed_event", "queryId", id="no-query-id"
        ),
        pytest.param(
            completed(**metadata(queryId=7)), "malformed_event", "queryId", id="query-id-number"
        ),
        pytest.param(
            completed(**metadata(query=[CANARY])), "malformed_event", "query", id="query-list"
        ),
        pytest.param(
            completed(**metadata(query="\ud800")), "malformed_event", "query", id="no-unicode"
        ),
        pytest.param(completed(**metadata(query=None)), "missing_sql", "query", id="null-sql"),
        pytest.param(completed(**metadata(query=" \n")), "missing_sql", "query", id="blank-sql"),
        pytest.param(
            completed(**metadata(query=f"EXECUTE s USING '{CANARY}'")),
            "missing_sql",
            "preparedQuery",
            id="execute-without-prepared-query",
        ),
        pytest.param(
            completed(**metadata(query=f"EXECUTE s USING '{CANARY}", preparedQuery="SELECT ?")),
            "unparseable",
            "EXECUTE",
            id="execute-cut-off",
        ),
        pytest.param(
            {"queryId": "q", "stageId": "1", "statistics": {}},
            "not_a_completed_query",
            "metadata",
            id="split-completed",
        ),
        pytest.param(
            {"metadata": completed()["metadata"] | {"queryState": "QUEUED"}, "context": {}},
            "not_a_completed_query",
            "statistics",
            id="query-created",
        ),
        pytest.param(
            completed(**metadata(queryState="RUNNING")),
            "not_a_completed_query",
            "ended",
            id="still-running",
        ),
        pytest.param(
            completed(**metadata(queryState=None)),
            "not_a_completed_query",
            "queryState",
            id="no-state",
        ),
        pytest.param(
            completed(ioMetadata={"inputs": []}, **metadata(queryState="FAILED")),
            "query_failed",
            "failed",
            id="failed-before-reading",
        ),
    ],
)
def test_what_is_no_readable_query_is_rejected_with_a_reason(
    event: object, reason: str, named: str
) -> None:
    result = read(event)
    assert isinstance(result, Rejected)
    assert (result.source, result.location) == ("trino_events", "events.jsonl:7")
    assert result.reason == reason
    assert named in result.message
    assert CANARY not in result.message


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("", id="empty"),
        pytest.param(json.dumps(completed())[:-20], id="cut-off"),
        pytest.param(b"\xff\xfe\xff", id="undecodable"),
        pytest.param("[" * 200_000, id="too-deep"),
        pytest.param('{"a": ' + "9" * 5000 + "}", id="number-too-long"),
        pytest.param('{"a": 1e99999999999999999999}', id="exponent-too-long"),
        pytest.param(json.dumps(completed()) * 2, id="two-objects"),
    ],
)
def test_lines_that_are_no_json_are_rejected(line: str | bytes) -> None:
    result = from_json(line, "events.jsonl:7")
    assert isinstance(result, Rejected)
    assert result.reason == "malformed_json"
    assert CANARY not in result.message


def test_a_rejected_event_keeps_its_query_id() -> None:
    result = read(completed(**metadata(query=None)))
    assert isinstance(result, Rejected)
    assert result.query_id == "20240302_120000_00012_pzafy"


def test_a_query_that_failed_after_reading_is_kept() -> None:
    assert len(query(completed(**metadata(queryState="FAILED"))).scans) == 1


def test_a_real_event_of_2021_is_read(shared: Path) -> None:
    line = (shared / "samples/trino_events/real_2021_http_event.json").read_bytes()
    assert from_json(line, "real") == ObservedQuery(
        source="trino_events",
        query_id="20210720_093342_00012_pzafy",
        sql="SELECT * FROM table;",
        dialect="trino",
        started_at=dt.datetime(2021, 7, 20, 9, 33, 42, tzinfo=dt.UTC),
        user="test-user",
        engine="trino",
        engine_version="dev",
        scans=tuple(
            ObservedScan(
                TableName("postgresql", ("test-schema",), table),
                None,
                {"physical_input_bytes": 0, "physical_input_rows": rows},
            )
            for table, rows in (("test-table-1", 1135200), ("test-table-2", 2))
        ),
    )


def slots(value: Any) -> Iterator[Callable[[Any], None]]:
    """A setter for every key and index inside a JSON value."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield partial(setitem, value, key)
        if isinstance(value[key], dict | list):
            yield from slots(value[key])


SLOTS = len(list(slots(completed())))
LINE = json.dumps(completed()).encode()

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=8,
)


def assert_one_result_that_tells_nothing(line: str | bytes) -> None:
    result = from_json(line, "here")
    assert isinstance(result, ObservedQuery | Rejected)
    if isinstance(result, Rejected):
        assert CANARY not in result.message
        assert result.reason
    else:
        assert (result.sql or "").encode()
        assert result.query_id


@given(st.binary())
def test_arbitrary_bytes_yield_one_result(line: bytes) -> None:
    assert_one_result_that_tells_nothing(line)


@given(st.integers(0, len(LINE) - 1))
def test_truncated_events_are_malformed_json(length: int) -> None:
    result = from_json(LINE[:length], "here")
    assert isinstance(result, Rejected)
    assert result.reason == "malformed_json"
    assert CANARY not in result.message


@given(st.integers(0, len(LINE) * 8 - 1))
def test_events_with_a_flipped_bit_yield_one_result(bit: int) -> None:
    damaged = bytearray(LINE)
    damaged[bit // 8] ^= 1 << bit % 8
    assert_one_result_that_tells_nothing(bytes(damaged))


@given(st.integers(0, SLOTS - 1), json_values)
def test_any_value_at_any_key_yields_one_result(slot: int, value: Any) -> None:
    event = completed()
    list(slots(event))[slot](value)
    assert_one_result_that_tells_nothing(json.dumps(event))
