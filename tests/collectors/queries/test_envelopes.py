"""Records that shippers and services wrap, as these print them, and what is read of each."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries import exports, sql_records
from prunescope.collectors.queries.reading import read_json_lines
from prunescope.collectors.queries.trino import events
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.test_damaged_input import EVENT
from tests.collectors.queries.test_exports import ATHENA, DATABRICKS, REDSHIFT

TEXT = json.dumps(EVENT)
LONG = f"{TEXT[:-1]}{' ' * 40_000}}}"
TIME = "2026-03-10T10:00:00Z"

SHIPPED: dict[str, Callable[[], str]] = {
    "Kafka's listener": lambda: json.dumps({"eventMetadata": {}, "eventPayload": EVENT}),
    "Vector": lambda: json.dumps({"message": TEXT, "source_type": "http", "timestamp": TIME}),
    "Vector, parsed": lambda: json.dumps({"host": "h", "message": EVENT, "timestamp": TIME}),
    "Fluent Bit": lambda: json.dumps({"date": 1_710_039_600.5, "log": TEXT}),
    "Fluentd's file": lambda: f"{TIME}\ttrino.events\t{TEXT}",
    "Logstash": lambda: json.dumps(
        {"@timestamp": TIME, "@version": "1", "event": {"original": TEXT}, "tags": ["_x"]}
    ),
    "Filebeat": lambda: json.dumps(
        {"@timestamp": TIME, "@metadata": {"beat": "x"}, "message": TEXT}
    ),
    "elasticdump": lambda: json.dumps({"_index": "trino", "_id": "1", "_source": EVENT}),
    "elasticdump of Logstash": lambda: json.dumps(
        {"_index": "trino", "_source": {"@timestamp": TIME, "event": {"original": TEXT}}}
    ),
    "Elasticsearch's answer": lambda: json.dumps(
        {"took": 1, "hits": {"total": {"value": 1}, "hits": [{"_id": "1", "_source": EVENT}]}}
    ),
    "the same, printed": lambda: json.dumps(
        {"took": 1, "hits": {"total": {"value": 1}, "hits": [{"_id": "1", "_source": EVENT}]}},
        indent=2,
    ),
    "Kafka, a string": lambda: json.dumps(TEXT),
    "Kafka's proxy, base64": lambda: json.dumps(
        {"topic": "t", "value": base64.b64encode(TEXT.encode()).decode(), "offset": 1}
    ),
    "CloudWatch's filter-log-events": lambda: json.dumps(
        {
            "events": [{"logStreamName": "s", "timestamp": 1, "message": TEXT, "eventId": "1"}],
            "searchedLogStreams": [],
        }
    ),
    "CloudWatch's get-log-events, printed": lambda: json.dumps(
        {"events": [{"timestamp": 1, "message": TEXT}], "nextForwardToken": "f/1"}, indent=4
    ),
    "CloudWatch's subscription": lambda: json.dumps(subscription(TEXT)),
    "Elasticsearch's bulk": lambda: '{"index":{"_index":"trino","_id":"1"}}\n' + TEXT,
    "CRI": lambda: f"2026-03-10T10:00:00.123456789Z stdout F {TEXT}",
    "CRI, in pieces": lambda: (
        f"{TIME} stdout P {TEXT[:100]}\n{TIME} stderr F starting\n{TIME} stdout F {TEXT[100:]}"
    ),
    "Docker": lambda: docker(TEXT + "\n"),
    "Docker, in pieces": lambda: "\n".join(map(docker, pieces_of(LONG + "\n"))),
    "Docker, whose lines lost their ends": lambda: docker(LONG),
    "syslog, RFC 5424": lambda: f"<14>1 {TIME} host trino 1 - - {TEXT}",
    "syslog, RFC 3164": lambda: f"Mar 10 10:00:00 host trino[1]: {TEXT}",
    "a JSON sequence": lambda: f"\x1e{TEXT}",
    "of a container, with metadata": lambda: json.dumps(
        {"metadata": {"pod": "trino-0"}, "kubernetes": {"labels": {}}, "log": TEXT + "\n"}
    ),
}


def subscription(*messages: str) -> dict[str, Any]:
    """What CloudWatch sends of a log group."""
    events = [{"id": "1", "timestamp": 1, "message": message} for message in messages]
    return {"messageType": "DATA_MESSAGE", "logGroup": "g", "logEvents": events}


def pieces_of(line: str) -> list[str]:
    """As Docker cuts a line."""
    return [line[start : start + (16 << 10)] for start in range(0, len(line), 16 << 10)]


def docker(log: str) -> str:
    """A line of Docker's json-file."""
    return json.dumps({"log": log, "stream": "stdout", "time": TIME}, separators=(",", ":"))


def read(folder: Path, text: str, reader: Callable[[bytes, str], Any]) -> list[Any]:
    """The records of a file with a text."""
    file = folder / "log.jsonl"
    file.write_text(text)
    return list(read_json_lines(str(file), Storage(), "test", reader))


@pytest.mark.parametrize("name", SHIPPED)
def test_an_event_is_read_within_what_ships_it(tmp_path: Path, name: str) -> None:
    (plain,) = read(tmp_path, TEXT, events.from_json)
    assert isinstance(plain, ObservedQuery)
    shipped = SHIPPED[name]()
    found = read(tmp_path, f"{shipped}\n{shipped}\n", events.from_json)
    assert [one for one in found if isinstance(one, ObservedQuery)] == [plain, plain]
    assert {one.reason for one in found if isinstance(one, Rejected)} <= {"not_a_completed_query"}


@pytest.mark.parametrize("between", ["", " ", "\t"])
def test_documents_may_follow_each_other_on_a_line(tmp_path: Path, between: str) -> None:
    """As Firehose writes subscriptions of CloudWatch."""
    texts = [TEXT.replace(EVENT["metadata"]["queryId"], f"q{n}") for n in range(4)]
    line = between.join(json.dumps(subscription(*some)) for some in (texts[:1], texts[1:]))
    found = read(tmp_path, line, events.from_json)
    assert [query.query_id for query in found] == ["q0", "q1", "q2", "q3"]


def test_rows_of_clickhouse_are_those_of_its_format_json(tmp_path: Path) -> None:
    rows = [{"sql": "SELECT '}{'"}, {"sql": "SELECT 2"}]
    answer = {"meta": [{"name": "sql", "type": "String"}], "data": rows, "rows": 2}

    def from_json(text: bytes, location: str) -> Any:
        return sql_records.from_json(text, location, defaults=sql_records.RecordDefaults())

    for text in (json.dumps(answer), json.dumps(answer, indent="\t")):
        assert [q.sql for q in read(tmp_path, text, from_json)] == [row["sql"] for row in rows]
    # A record's own member of that name is none.
    (query,) = read(tmp_path, json.dumps({"sql": "SELECT 1", "data": [{}]}), from_json)
    assert query.sql == "SELECT 1"


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        pytest.param(pieces_of(LONG)[:1], "malformed_json", id="the file ends in a piece"),
        pytest.param(
            [pieces_of(LONG)[0] + "\ufffd", "\ufffd" + LONG[16 << 10 :] + "\n"],
            "malformed_json",
            id="a character in two",
        ),
        pytest.param(["starting" * 3_000, " up\n"], "not_a_completed_query", id="no record"),
    ],
)
def test_pieces_that_are_no_query_are_told(tmp_path: Path, pieces: list[str], reason: str) -> None:
    (rejected,) = read(tmp_path, "\n".join(map(docker, pieces)), events.from_json)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == reason


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"message": "starting"}, "not_a_completed_query"),
        ({"message": '{"cut'}, "not_a_completed_query"),
        ({"eventPayload": 3}, "not_a_completed_query"),
        ({"a": {"b": {"c": {"d": EVENT}}}}, "not_a_completed_query"),
        ({"message": json.dumps({"metadata": {"queryId": "q"}})}, "not_a_completed_query"),
    ],
    ids=["a message", "a text that is cut off", "no object", "too deep", "a query that began"],
)
def test_what_holds_no_event_is_told(tmp_path: Path, document: Any, reason: str) -> None:
    (rejected,) = read(tmp_path, json.dumps(document), events.from_json)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == reason


@pytest.mark.parametrize(
    ("name", "answer", "one"),
    [
        (
            "athena",
            {"QueryExecutions": [ATHENA, ATHENA], "UnprocessedQueryExecutionIds": []},
            ATHENA,
        ),
        ("athena", {"QueryExecution": ATHENA}, ATHENA),
        ("databricks", {"next_page_token": "x", "res": [DATABRICKS, DATABRICKS]}, DATABRICKS),
        ("redshift", {"message": json.dumps(REDSHIFT)}, REDSHIFT),
        ("athena", {"QueryExecutions": []}, None),
    ],
)
@pytest.mark.parametrize("indent", [None, 1, 4])
def test_answers_of_services_are_lists_of_records(
    tmp_path: Path, name: str, answer: Any, one: Any, indent: int | None
) -> None:
    def from_json(text: bytes, location: str) -> Any:
        return exports.from_json(
            text,
            location,
            export=exports.EXPORTS[name],
            fields={},
            defaults=sql_records.RecordDefaults(),
        )

    found = read(tmp_path, json.dumps(answer, indent=indent), from_json)
    assert all(isinstance(query, ObservedQuery) for query in found)
    lists = [value for value in answer.values() if isinstance(value, list) and one in value]
    count = len(lists[0]) if lists else int(one is not None)
    assert len(found) == count


def test_a_record_whose_query_is_null_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    def from_json(text: bytes, location: str) -> Any:
        return sql_records.from_json(text, location, defaults=sql_records.RecordDefaults())

    (rejected,) = read(tmp_path, '{"sql": null, "plan": {"sql": "SELECT 1"}}', from_json)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "missing_sql"


@pytest.mark.parametrize(
    ("version", "engine"),
    [("482", "trino"), ("350", "trino"), ("482-e.1", "trino"), ("0.289-4da2e5b", "presto")],
)
def test_the_version_tells_the_engines_of_one_form_apart(
    tmp_path: Path, version: str, engine: str
) -> None:
    event = {**EVENT, "context": {**EVENT["context"], "serverVersion": version}}
    (query,) = read(tmp_path, json.dumps(event), events.from_json)
    assert (query.engine, query.dialect) == (engine, engine)
